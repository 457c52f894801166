"""What several test modules share."""

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from hashlib import sha256

import pytest
from file_permissions import bound_by_modes
from hypothesis import settings
from project_paths import ROOT
from served import BROWSERS, QUIET

import gops_exact as gx

# Signals, terminals, modes of files and limits of memory as Unix has them.
UNIX = [
    "attack/test_attack.py",
    "commands/test_signals.py",
    "internal/test_store_entries.py",
    "solvers/test_store.py",
    "commands/test_terminal.py",
    "internal/test_writing.py",
]
collect_ignore = [] if hasattr(signal, "SIGHUP") else UNIX

# How long an example takes varies with the machine and with the size of the numbers.
settings.register_profile("gops_exact", deadline=None)
settings.load_profile("gops_exact")


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    """A store of the test's own in place of the user's."""
    monkeypatch.setenv("GOPS_EXACT_STORE", str(tmp_path / "store.sqlite"))


@pytest.fixture(scope="session")
def solved(tmp_path_factory):
    """The path of a store with the first moves of three cards."""
    path = tmp_path_factory.mktemp("solved") / "store.sqlite"
    gx.first_move(3, store=path)
    return path


@pytest.fixture
def modes_bind(tmp_path):
    """Files are read and written as their modes allow, by root too; the test is skipped where that can't be had."""
    folder = tmp_path / "modes"
    folder.mkdir(mode=0o555)
    with bound_by_modes():
        try:
            (folder / "file").touch()
        except PermissionError:
            yield
        else:
            pytest.skip("this user writes where modes forbid it")


@pytest.fixture(scope="session")
def four_cards(tmp_path_factory):
    """The address of a page of four cards by every rules, first with the prizes in an order of their own."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    page = gx.explore(gx.Game(4, gx.Rules(prizes=(3, 1, 4, 2))))
    file.write_text(page.html, encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=path, args=QUIET)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def coq(tmp_path_factory):
    """The folder in which proofs/run.py works, with the proofs that certificates need, compiled once."""
    from certificates import proofs

    if (program := shutil.which("coqc")) is None:
        pytest.skip("Coq is not installed")
    names, version = proofs.THEORY[:-2], subprocess.check_output([program, "--version"])
    texts = [(proofs.HERE / f"{name}.v").read_bytes() for name in names]
    digest = sha256(b"\0".join([version, *texts])).hexdigest()[:16]
    folder, kept = tmp_path_factory.mktemp("coq"), ROOT / f"build/proofs-{digest}"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(proofs, "BUILD", folder)
        if kept.exists():
            shutil.copytree(kept, folder, dirs_exist_ok=True)
        else:
            for name in names:
                proofs.prove(name)
            with suppress(OSError):  # the checkout is read-only, or another process was first
                shutil.copytree(folder, unfinished := kept.with_suffix(f".{os.getpid()}"))
                unfinished.rename(kept)
        yield folder
