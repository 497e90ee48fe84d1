"""Images and containers of the tests alone: built by buildah, run by podman, in a storage of their own."""

import json
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cli.conftest import PATIENCE_SECONDS

# What pip on this machine needs to reach its index.
HERE = [f"--volume={path}:{path}:ro" for path in ("/etc/pip.conf", "/etc/ssl/certs") if Path(path).exists()]
# Where the tests themselves run in a container, podman's own defaults are more than they may give away.
LIMITS = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"]


@dataclass(frozen=True)
class Engine:
    folder: Path

    def build(self, tag: str, file: Path, context: Path, *options: str) -> None:
        """HEALTHCHECK is only in images of this format."""
        words = ["--isolation=chroot", "--format=docker", *options, "-t", tag, "-f", str(file), str(context)]
        self.buildah("build", *words)

    def buildah(self, *words: str) -> str:
        return run("buildah", *self._storage, *words)

    def podman(self, *words: str) -> str:
        return run(*self._podman, *words)

    def write_podman(self) -> Path:
        """A podman for other programs."""
        program = self.folder / "podman"
        program.write_text(f'#!/bin/sh\nexec {" ".join(self._podman)} "$@"\n')
        program.chmod(0o755)
        return program

    def inspect(self, container: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.podman("inspect", container))[0]
        return found

    def wait_until_healthy(self, container: str) -> None:
        """By its own health check."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self.podman("healthcheck", "run", container)
                return
            except AssertionError:
                if time.monotonic() > deadline:
                    raise AssertionError(self._read_log(container)) from None
                time.sleep(0.2)

    def _read_log(self, container: str) -> str:
        words = [*self._podman, "logs", "--tail=50", container]
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout

    @property
    def _storage(self) -> list[str]:
        return ["--storage-driver=vfs", f"--root={self.folder}/storage", f"--runroot={self.folder}/run"]

    @property
    def _podman(self) -> list[str]:
        networks = f"--network-config-dir={self.folder}/networks"
        return [str(shutil.which("podman")), *self._storage, networks, "--runtime=runc", "--cgroup-manager=cgroupfs"]


def run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()
