"""What is handed out: the sdist, and the wheel made from it, installed where there is no source tree."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest
from places import ROOT, blocks

import gops_exact as gx

README = ROOT / "README.md"


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    pytest.importorskip("build", reason="build is not installed")
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    folder = tmp_path_factory.mktemp("built")
    # Makes the sdist, and the wheel from the unpacked sdist.
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (made,) = built.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An environment that holds the wheel alone and borrows what it depends on."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    words = ["pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel]
    run(sys.executable, "-m", *words)
    # Of a folder named in a .pth file the .pth files are not read: the source tree, which is
    # installed here by one of those, stays out of sight.
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def sources(*places):
    """Files below the places, as paths from the root: those that git keeps or would keep."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *places]
    names = run(*words, cwd=ROOT).splitlines()
    return {name for name in names if (ROOT / name).exists()}


def is_checkout():
    """Test that git lists the tree; it refuses where another user is the owner."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return False
    listing = ["git", "ls-files"]
    return not subprocess.run(listing, cwd=ROOT, capture_output=True, check=False).returncode


needs_git = pytest.mark.skipif(not is_checkout(), reason="not a checkout that git reads here")


@needs_git
def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = ZipFile(wheel).namelist()
    about = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
    label = f"gops_exact-{gx.__version__}.dist-info"
    assert set(names) == sources("gops_exact") | {f"{label}/{name}" for name in about}
    assert "gops_exact/py.typed" in names
    assert wheel.stat().st_size < 1_000_000


@needs_git
def test_the_sdist_holds_what_its_tests_need_and_nothing_else(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    unwanted = {name for name in sources(".") if name.startswith(".")} - {".gitignore"}
    assert names == sources(".") - unwanted | {"PKG-INFO"}
    assert path.stat().st_size < 4_000_000


EVERY_MODULE = """
import pkgutil, gops_exact
for module in pkgutil.walk_packages(gops_exact.__path__, "gops_exact."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
print(gops_exact.__file__, gops_exact.__version__, sep="\\n")
"""


def test_the_wheel_runs_by_itself(environment, tmp_path):
    """Outside the tree, which the caller's PYTHONPATH may name."""
    own = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    outside = {"cwd": tmp_path, "env": own | {"GOPS_EXACT_STORE": str(tmp_path / "store.sqlite")}}
    python, program = environment / "bin/python", environment / "bin/gops-exact"
    path, version = run(python, "-c", EVERY_MODULE, **outside).splitlines()
    assert Path(path).is_relative_to(environment)
    assert version == gx.__version__
    printed = run(program, "--n", "5", "--emit", "decimals", **outside)
    assert printed == blocks(README, "text")[0]
    assert run(python, "-m", "gops_exact", "--version", **outside) == f"gops-exact {version}\n"
    run(program, "explore", "--n", "3", "--out", "page.html", **outside)
    assert (tmp_path / "page.html").stat().st_size > 10_000
