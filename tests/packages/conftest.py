"""Wheel, sdist and image, built once for all tests of this folder, from a copy of the sources."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from .engine import HERE, Engine

ROOT = Path(__file__).parents[2]
# Any moment will do, as long as it is the same.
MOMENT = "1700000000"
# No registry of images is needed: the base is made from Debian's packages, once.
BASE = ROOT / ".build" / "base.tar"
DEBIAN = ["mmdebstrap", "--variant=minbase", "--include=python3,python3-venv,ca-certificates,tzdata"]
LEFT_OUT = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale")]


def build(at: Path) -> Path:
    """`make dist` on a copy of what would be committed; the packages of the web app and the tools are those of here."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (at / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, at / name)
    for name in (".build", "web/node_modules"):
        if (ROOT / name).is_dir():
            (at / name).symlink_to(ROOT / name)
    environment = os.environ | {"SOURCE_DATE_EPOCH": MOMENT}
    done = subprocess.run(["make", "dist"], cwd=at, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return at / "dist"


def make_base() -> Path:
    if not BASE.is_file():
        made = BASE.with_suffix(".new.tar")
        subprocess.run([*DEBIAN, *LEFT_OUT, "bookworm", made], capture_output=True, check=True)
        made.rename(BASE)
    return BASE


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="session")
def engine(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """With the images `base` and `farthing` in it."""
    engine = Engine(tmp_path_factory.mktemp("engine"))
    base = make_base()
    (engine.folder / "base").write_text(f"FROM scratch\nADD {base.name} /\n")
    engine.build("base", engine.folder / "base", base.parent)
    engine.build("farthing", ROOT / "Containerfile", dist.parent, "--build-arg=BASE=localhost/base", *HERE)
    yield engine
    shutil.rmtree(engine.folder)  # every layer is a whole copy, gigabytes in all
