"""The Debian package, installed, upgraded and purged by the real dpkg in a small Debian; needs root."""

import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import ROOT, make_base


@pytest.fixture(scope="module")
def debian(dist, tmp_path_factory) -> Path:
    """A folder with a Debian in it, and the package at /farthing.deb."""
    folder = tmp_path_factory.mktemp("debian")
    building = ["sh", dist.parent / "deploy" / "deb" / "build.sh", ROOT / ".build" / "bin" / "python"]
    subprocess.run(building, capture_output=True, check=True)
    subprocess.run(["tar", "-xf", make_base(), "-C", folder, "--exclude=./dev/*"], check=True)
    (folder / "dev" / "null").touch(0o666)
    shutil.copyfile(next(dist.glob("*.deb")), folder / "farthing.deb")
    return folder


def test_the_package_installs_upgrades_and_leaves_the_books_when_purged(debian):
    def run(*words: str) -> str:
        command = ["chroot", debian, "env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "FARTHING_DATA=/var/lib/farthing"]
        done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("dpkg", "-i", "/farthing.deb")
    run("farthing", "user", "create", "ann@example.org")
    settings = debian / "etc" / "farthing" / "farthing.env"
    settings.write_text("FARTHING_TRASH_DAYS=60\n")
    assert "ExecStart=/usr/bin/farthing serve" in (debian / "lib/systemd/system/farthing.service").read_text()

    run("dpkg", "-i", "/farthing.deb")
    assert "ann@example.org" in run("farthing", "user", "list")
    assert settings.read_text() == "FARTHING_TRASH_DAYS=60\n"

    assert "are kept" in run("dpkg", "--purge", "farthing")
    assert (debian / "var/lib/farthing/farthing.sqlite3").is_file()
    assert not (debian / "usr/lib/farthing").exists()
    assert not settings.parent.exists()
