"""The container image: built by buildah, run by podman without rights, network or a root that can be written to."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..cli.conftest import PATIENCE_SECONDS
from .conftest import ROOT, make_base

COMPRESSED_BYTES_MAX = 150 * 10**6
# What pip on this machine needs to reach its index.
HERE = [f"--volume={path}:{path}:ro" for path in ("/etc/pip.conf", "/etc/ssl/certs") if Path(path).exists()]
HARDENED = ["--read-only", "--tmpfs=/tmp", "--cap-drop=all", "--security-opt=no-new-privileges", "--network=none"]
ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000{path}').read().decode())"


@dataclass(frozen=True)
class Engine:
    """Images and containers of these tests alone."""

    folder: Path

    def buildah(self, *words: str) -> str:
        return self._run("buildah", *self._storage, *words)

    def podman(self, *words: str) -> str:
        return self._run("podman", *self._storage, "--runtime=runc", "--cgroup-manager=cgroupfs", *words)

    @property
    def _storage(self) -> list[str]:
        return ["--storage-driver=vfs", f"--root={self.folder}/storage", f"--runroot={self.folder}/run"]

    def _run(self, *words: str) -> str:
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=self.folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def engine(dist, tmp_path_factory) -> Engine:
    """With the image `farthing` in it."""
    engine = Engine(tmp_path_factory.mktemp("engine"))
    base = make_base()
    (engine.folder / "base").write_text(f"FROM scratch\nADD {base.name} /\n")
    engine.buildah("build", "--isolation=chroot", "-t", "base", "-f", "base", str(base.parent))
    engine.buildah(
        "build", "--isolation=chroot", "--format=docker", "--build-arg=BASE=localhost/base", *HERE,
        "-t", "farthing", "-f", str(ROOT / "Containerfile"), str(dist.parent),
    )  # fmt: skip
    return engine


@pytest.fixture
def container(engine) -> Iterator[str]:
    name = f"farthing-{os.getpid()}"
    limits = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024", *HARDENED]
    engine.podman("run", "--detach", f"--name={name}", *limits, "--volume=farthing-data:/data", "localhost/farthing")
    yield name
    engine.podman("rm", "--force", name)


def test_the_image_is_small(engine):
    engine.buildah("push", "localhost/farthing", f"oci-archive:{engine.folder}/image.tar")

    assert (engine.folder / "image.tar").stat().st_size <= COMPRESSED_BYTES_MAX


def test_the_image_runs_without_rights_and_stops_when_told(engine, container):
    wait_until_healthy(engine, container)

    assert "<script" in ask(engine, container, "/")
    assert engine.podman("exec", container, "id", "-u") == "10001"
    assert engine.podman("exec", container, "farthing", "user", "create", "ann@example.org")
    engine.podman("stop", "--time=45", container)
    state = json.loads(engine.podman("inspect", container))[0]["State"]
    assert state["ExitCode"] == 0
    engine.podman("start", container)
    wait_until_healthy(engine, container)
    assert "ann@example.org" in engine.podman("exec", container, "farthing", "user", "list")


def ask(engine: Engine, container: str, path: str) -> str:
    return engine.podman("exec", container, "python3", "-c", ASK.format(path=path))


def wait_until_healthy(engine: Engine, container: str) -> None:
    """By the image's own HEALTHCHECK."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            engine.podman("healthcheck", "run", container)
            return
        except AssertionError:
            if time.monotonic() > deadline:
                raise AssertionError(engine.podman("logs", container)) from None
            time.sleep(0.2)
