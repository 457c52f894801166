"""What is handed out: the sdist, and the wheel made from it, installed where there is no source tree."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from project_paths import ROOT

import gops_exact as gx


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


def test_wheel_and_sdist_hold_exactly_their_files(built):
    ((wheel,), (sdist,)) = built.glob("*.whl"), built.glob("*.tar.gz")
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        names = run(*words, cwd=ROOT).splitlines()
    except (OSError, AssertionError):  # no git, no checkout, or one of another user
        pytest.skip("not a checkout that git reads here")
    files = {name for name in names if (ROOT / name).exists()}
    about = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
    label = f"gops_exact-{gx.__version__}.dist-info"
    own = {name for name in files if name.startswith("gops_exact/")}
    assert {*ZipFile(wheel).namelist()} == own | {f"{label}/{name}" for name in about}
    assert "gops_exact/py.typed" in own
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    unwanted = {name for name in files if name.startswith(".")} - {".gitignore"}
    assert names == files - unwanted | {"PKG-INFO"}
    assert (wheel.stat().st_size < 1_000_000, sdist.stat().st_size < 4_000_000) == (True, True)


OUTSIDE = """
import gops_exact as gx
list(map(gx.__getattr__, gx.__all__))
print(gx.__file__, gx.__version__, len(gx.explore(3).html))
"""


def test_wheel_runs_outside_the_source_tree(built, tmp_path):
    """Outside the tree, with what it depends on borrowed."""
    site, (wheel,) = tmp_path / "site", built.glob("*.whl")
    words = ["pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    run(sys.executable, "-m", *words, site, wheel)
    own = {"PYTHONPATH": str(site), "GOPS_EXACT_STORE": str(tmp_path / "store.sqlite")}
    outside = {"cwd": tmp_path, "env": os.environ | own}
    path, version, size = run(sys.executable, "-c", OUTSIDE, **outside).split()
    assert Path(path).is_relative_to(site)
    assert version == gx.__version__ and int(size) > 10_000
    printed = run(site / "bin/gops-exact", "--n", "5", "--emit", "decimals", **outside)
    assert printed in (ROOT / "README.md").read_text("utf-8")
