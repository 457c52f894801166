"""A store of four cards, for tests of its entries and of what verify says of them."""

import shutil
from pathlib import Path

import pytest
from stores import solve


@pytest.fixture(scope="session")
def stored(tmp_path_factory):
    """The path of the store of four cards."""
    path = tmp_path_factory.mktemp("stored") / "store.sqlite"
    solve(4, path)
    return path


@pytest.fixture
def spoilt(stored, tmp_path):
    """A copy of the store, to be spoilt."""
    return Path(shutil.copy(stored, tmp_path / "store.sqlite"))
