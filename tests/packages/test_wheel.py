"""Wheel and sdist: the same bytes wherever they are built, and installed without Node."""

import hashlib
import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from farthing import __version__

from ..cli.conftest import Server, Terminal, kept_port
from .conftest import ROOT, build


def test_built_elsewhere_wheel_and_sdist_have_the_same_bytes(dist, tmp_path):
    again = build(tmp_path / "a" / "longer" / "path")

    assert hashes(dist) == hashes(again)
    assert len(hashes(dist)) == 2


def hashes(folder: Path) -> dict[str, str]:
    files = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]  # beside them other tests put their packages
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_the_sdist_has_the_web_app_built_and_none_of_its_sources(dist):
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]

    assert "src/farthing/web/built/index.html" in names
    assert not [name for name in names if name.startswith(("web/", "tests/", "bench/"))]


@dataclass(frozen=True)
class Installed(Terminal):
    """As on the machine of somebody who has Python and nothing else."""

    @property
    def program(self) -> Path:
        return self.folder / "env" / "bin" / "farthing"

    def install(self, *words: str) -> None:
        pip = [self.folder / "env" / "bin" / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        environment = os.environ | {"PATH": "/usr/bin:/bin"}
        subprocess.run([*pip, *words], env=environment, cwd=self.folder, check=True)


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory) -> Installed:
    """With the locked dependencies, whose hashes pip checks."""
    machine = Installed(tmp_path_factory.mktemp("machine"))
    subprocess.run([sys.executable, "-m", "venv", machine.folder / "env"], check=True)
    machine.install("--require-hashes", "-r", str(ROOT / "deploy" / "requirements.txt"))
    machine.install("--no-index", f"{wheel}[postgres,s3]")  # finds everything that it needs
    return machine


def test_the_wheel_installs_without_node_and_serves_the_web_app(installed):
    with kept_port() as keeper, (installed.folder / "server.log").open("w") as log:
        port = keeper.getsockname()[1]
        command = [installed.program, "serve", "--port", str(port)]
        process = subprocess.Popen(
            command, stdout=log, stderr=log, cwd=installed.folder, env=installed.environment, start_new_session=True
        )
    server = Server(process, port, installed.folder / "server.log")
    try:
        server.ready()
        assert "<script" in server.ask("GET", "/").text
        assert server.ask("GET", "/api/v1/accounts").status_code == 401
        assert server.stop() == 0
    finally:
        server.kill_all()


def test_the_installed_command_knows_its_version_and_writes_manual_pages(installed):
    def says(*words: str) -> str:
        return subprocess.run(
            [installed.program, *words], cwd=installed.folder, capture_output=True, text=True, check=True
        ).stdout

    assert says("--version") == f"farthing {__version__}\n"
    says("man", "man1")
    for page in (installed.folder / "man1").iterdir():
        shown = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=True)
        assert "NAME" in shown.stdout
        assert shown.stderr == ""


def test_the_service_is_hardened(installed, tmp_path):
    unit = subprocess.run(
        [installed.program, "install-service", "--show", "--program", "/usr/bin/env"], capture_output=True, check=True
    ).stdout
    (tmp_path / "farthing.service").write_bytes(unit)

    rating = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager"]
    done = subprocess.run([*rating, tmp_path / "farthing.service"], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-200:]
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / "farthing.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")
