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
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        wheel,
    )
    # Of a folder named in a .pth file the .pth files are not read: the source tree, which is
    # installed here by one of those, stays out of sight.
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


@pytest.fixture
def outside(tmp_path):
    """How to run something outside the tree, which the caller's PYTHONPATH may name."""
    own = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    return {"cwd": tmp_path, "env": own | {"GOPS_EXACT_STORE": str(tmp_path / "store.sqlite")}}


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


def test_it_is_the_wheel_that_runs(environment, outside):
    code = "import gops_exact; print(gops_exact.__file__, gops_exact.__version__, sep=chr(10))"
    path, version = run(environment / "bin/python", "-c", code, **outside).splitlines()
    assert Path(path).is_relative_to(environment)
    assert version == gx.__version__


def test_the_examples_of_the_readme(environment, outside):
    program = environment / "bin/gops-exact"
    printed = run(program, "--n", "5", "--emit", "decimals", **outside)
    assert printed == blocks(README, "text")[0]
    run(environment / "bin/python", "-c", "".join(blocks(README, "python")), **outside)


def test_the_console_script(environment, outside):
    program = environment / "bin/gops-exact"
    assert run(program, "--version", **outside).split() == ["gops-exact", gx.__version__]
    module = [environment / "bin/python", "-m", "gops_exact", "--version"]
    assert run(*module, **outside) == run(program, "--version", **outside)
    run(program, "explore", "--n", "3", "--out", "page.html", **outside)
    assert (outside["cwd"] / "page.html").stat().st_size > 10_000
