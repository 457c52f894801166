"""What several test modules share."""

import pytest


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    """A store of the test's own in place of the user's."""
    monkeypatch.setenv("GOPS_EXACT_STORE", str(tmp_path / "store.sqlite"))
