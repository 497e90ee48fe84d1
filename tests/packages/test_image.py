"""The container image: built by buildah, run by podman without rights, network or a root that can be written to."""

import os
from collections.abc import Iterator

import pytest

from .engine import LIMITS, Engine

COMPRESSED_BYTES_MAX = 150 * 10**6
HARDENED = ["--read-only", "--tmpfs=/tmp", "--cap-drop=all", "--security-opt=no-new-privileges", "--network=none"]
ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000{path}').read().decode())"


@pytest.fixture
def container(engine) -> Iterator[str]:
    name = f"farthing-{os.getpid()}"
    options = [*LIMITS, *HARDENED, "--volume=farthing-data:/data"]
    engine.podman("run", "--detach", f"--name={name}", *options, "localhost/farthing")
    yield name
    engine.podman("rm", "--force", name)


def test_the_image_is_small(engine):
    engine.buildah("push", "localhost/farthing", f"oci-archive:{engine.folder}/image.tar")

    assert (engine.folder / "image.tar").stat().st_size <= COMPRESSED_BYTES_MAX


def test_the_image_runs_without_rights_and_stops_when_told(engine, container):
    engine.wait_until_healthy(container)

    assert "<script" in ask(engine, container, "/")
    assert engine.podman("exec", container, "id", "-u") == "10001"
    assert engine.podman("exec", container, "farthing", "user", "create", "ann@example.org")
    engine.podman("stop", "--time=45", container)
    assert engine.inspect(container)["State"]["ExitCode"] == 0
    engine.podman("start", container)
    engine.wait_until_healthy(container)
    assert "ann@example.org" in engine.podman("exec", container, "farthing", "user", "list")


def ask(engine: Engine, container: str, path: str) -> str:
    return engine.podman("exec", container, "python3", "-c", ASK.format(path=path))
