"""The compose files, started by podman-compose on a network of their own, with the rights and secrets that they name.

Only the port is another, because 8000 may be taken. No registry of images is needed: those of PostgreSQL and SeaweedFS
are stand-ins (see `stand_ins`) that behave as the public ones do, as far as the compose file relies on it.
"""

import os
import re
import shutil
import sysconfig
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from ..bills.making import a_bill
from ..cli.conftest import EMAIL, PASSWORD, PATIENCE_SECONDS, kept_port
from ..cli.test_serve import code_in
from .conftest import ROOT
from .engine import LIMITS, Engine, run

STAND_INS = Path(__file__).parent / "stand_ins"
SITE_PACKAGES = sysconfig.get_path("purelib")
PROGRAMS = sysconfig.get_path("scripts")
SCAN = b"%PDF-1.7\n" + b"a scanned contract\n" * 1000


@dataclass(frozen=True)
class Project:
    """A compose file, copied to a folder of its own."""

    engine: Engine
    file: Path
    port: int

    @property
    def name(self) -> str:
        return f"farthing-{os.getpid()}"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def compose(self, *words: str) -> str:
        podman = f"--podman-path={self.engine.write_podman()}"
        limits = [f"--podman-run-args={limit}" for limit in LIMITS]
        return run("podman-compose", podman, *limits, "-f", str(self.file), "-p", self.name, *words)

    def container(self, service: str) -> str:
        return f"{self.name}_{service}_1"

    def start(self) -> None:
        self.compose("up", "--detach")
        self.engine.wait_until_healthy(self.container("farthing"))

    def ask(self, method: str, path: str, **options: Any) -> httpx2.Response:
        """Asks again while S3 starts: it knows its objects for some seconds before it can read them."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            with suppress(httpx2.RemoteProtocolError):  # a content that breaks off
                answer = httpx2.request(
                    method, f"{self.address}/api/v1{path}", trust_env=False, verify=False, timeout=30, **options
                )
                if answer.status_code != 503:
                    assert answer.is_success, answer.text
                    return answer
            assert time.monotonic() < deadline, path
            time.sleep(0.5)


@pytest.fixture
def project(engine, tmp_path, request) -> Iterator[Project]:
    with kept_port() as keeper:
        port = keeper.getsockname()[1]
    shutil.copytree(ROOT / "deploy", tmp_path / "deploy", ignore=shutil.ignore_patterns("secrets"))
    file = tmp_path / request.param
    text = (ROOT / request.param).read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    file.write_text(re.sub("@sha256:[0-9a-f]+", "", text))  # the stand-ins have digests of their own
    project = Project(engine, file, port)
    yield project
    project.compose("down", "--volumes", "--timeout=0")
    engine.podman("network", "rm", f"{project.name}_default")


@pytest.fixture(scope="module")
def stand_ins(engine) -> None:
    """PostgreSQL and SeaweedFS, from the packages that all tests use."""
    for tag, folder in (("library/postgres:18.6", SITE_PACKAGES), ("chrislusf/seaweedfs:4.48", PROGRAMS)):
        file = STAND_INS / f"{tag.partition(':')[0].rpartition('/')[2]}.Containerfile"
        engine.build(f"docker.io/{tag}", file, STAND_INS, f"--build-context=programs={folder}")


@pytest.mark.parametrize("project", ["compose.yaml"], indirect=True)
def test_on_sqlite_books_and_attachments_outlive_the_containers(project):
    project.start()

    check_that_books_outlive_the_containers(project)


@pytest.mark.parametrize("project", ["deploy/compose-postgres.yaml"], indirect=True)
def test_on_postgresql_and_s3_books_and_attachments_outlive_the_containers(project, stand_ins):
    """podman-compose does not wait for a healthy database: Farthing ends until there is one, and is started again."""
    run("sh", str(project.file.parent / "make-secrets.sh"))
    project.start()
    project.engine.wait_until_healthy(project.container("postgres"))

    check_that_books_outlive_the_containers(project)
    assert list_secrets_shown_by_inspect(project) == []


@pytest.mark.parametrize("project", ["compose.yaml"], indirect=True)
def test_the_container_has_no_rights_and_stops_by_itself(project):
    project.start()
    farthing = project.container("farthing")

    status = dict(
        line.split(":\t") for line in project.engine.podman("exec", farthing, "cat", "/proc/1/status").splitlines()
    )
    assert {int(status[name], 16) for name in ("CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb")} == {0}
    assert (status["NoNewPrivs"], status["Uid"].split()) == ("1", ["10001"] * 4)
    with pytest.raises(AssertionError, match="Read-only file system"):
        project.engine.podman("exec", farthing, "touch", "/opt/farthing/new")
    project.engine.podman("exec", farthing, "touch", "/backups/new")

    project.compose("stop", "farthing")
    assert project.engine.inspect(farthing)["State"]["ExitCode"] == 0


def check_that_books_outlive_the_containers(project: Project) -> None:
    owner = become_owner(project)
    bill = project.ask("POST", "/bills", json=a_bill(), headers=owner).json()["data"]["id"]
    about = {"filename": "contract.pdf", "model": "Bill", "model_id": bill}
    attachment = project.ask("POST", "/attachments", json=about, headers=owner).json()["data"]["id"]
    project.ask("POST", f"/attachments/{attachment}/upload", content=SCAN, headers=owner)

    project.compose("down")
    assert project.engine.podman("ps", "--all", "--quiet") == ""
    project.start()

    assert project.ask("GET", f"/bills/{bill}", headers=owner).json()["data"]["attributes"]["name"] == "Rent"
    assert project.ask("GET", f"/attachments/{attachment}/download", headers=owner).content == SCAN
    assert "No such file" in project.compose("exec", "farthing", "cat", "/data/first-run-link.txt"), "there is an owner"


def become_owner(project: Project) -> dict[str, str]:
    """What a signed-in browser sends; the link is found as the compose file says."""
    printed = project.compose("exec", "farthing", "cat", "/data/first-run-link.txt").replace("\r", "")
    code = code_in(printed, "first-run", project.address)
    signed_in = project.ask("POST", "/first_run", json={"code": code, "email": EMAIL, "password": PASSWORD})
    cookie = signed_in.headers["set-cookie"].partition(";")[0]
    return {"Cookie": cookie, "X-CSRF-Token": signed_in.json()["data"]["attributes"]["csrf_token"]}


def list_secrets_shown_by_inspect(project: Project) -> list[str]:
    shown = [
        project.engine.podman("inspect", project.container(name)) for name in ("farthing", "postgres", "seaweedfs")
    ]
    secrets = [file for file in (project.file.parent / "secrets").iterdir() if file.name != "s3_config.json"]
    assert len(secrets) == 4
    return [file.name for file in secrets if any(file.read_text() in text for text in shown)]
