"""S3 that is away, silent, full or denying: clear answers within seconds, nothing half stored, and back by itself."""

import logging
import re
import time

import obstore
import pytest

from farthing.kernel.errors import ContentsUnavailable, StorageRefused
from farthing.storage import blobs

from ..cli.conftest import Terminal
from ..conftest import running, settings_for
from ..s3 import SECRET
from .faulty_line import FaultyLine
from .making import attached, download, promised, upload
from .test_server import GROWTH_MAX, MIB, PIECE, Visitor, forget_peak, memory, pieces

FIRST_FAILURE_S = 5.0
DISK = "The disk of the server is full"
CONTENTS = "The contents of attachments cannot be read or written"


@pytest.fixture
def line(s3_server):
    line = FaultyLine(s3_server.address)
    yield line
    line.close()


@pytest.fixture
def world(tmp_path, check_answer, s3_server, line):
    values = s3_server.settings(s3_endpoint=line.address, log_level="debug")
    yield from running(f"sqlite:///{tmp_path / 'farthing.sqlite3'}", tmp_path, check_answer, **values)


def until(happens):
    deadline = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("away", CONTENTS),
        ("silent", CONTENTS),
        ("403 AccessDenied", CONTENTS),
        ("500 InternalError", CONTENTS),
        ("507 XMinioStorageFull", DISK),
    ],
)
def test_what_s3_cannot_do_is_answered_with_503_and_works_again_afterwards(
    world, line, s3_server, fault, message, caplog
):
    caplog.set_level(logging.DEBUG)
    me = world.someone("ann@farthing.example")
    old, new = attached(me, b"old"), promised(me)["id"]
    with line.failing(fault):
        began = time.monotonic()
        responses = [upload(me, new, b"new"), upload(me, old, b"newer"), download(me, old)]
        took = time.monotonic() - began

    for response in responses:
        assert response.status_code == 503
        assert response.headers["retry-after"] in ("5", "60")
    assert responses[0].json()["message"].startswith(message)
    assert took < FIRST_FAILURE_S, "the others fail at once"
    [[stored]] = obstore.list(s3_server.store(world.settings.storage))
    assert stored["size"] == len(b"old"), "nothing half stored"
    assert me.get(f"/attachments/{new}").status_code == 404
    assert me.get(f"/attachments/{old}").json()["data"]["attributes"]["size"] == len(b"old")
    until(lambda: download(me, old).content == b"old")
    until(lambda: upload(me, new, b"new").status_code == 204)
    assert download(me, new).content == b"new"
    lines = [one.getMessage() for one in caplog.records if one.name == "farthing.storage"]
    for what in ("storing attachments", "reading attachments"):
        assert [one.split(":")[0] for one in lines if one.startswith(what)] == [
            f"{what} fails, and will fail until this is resolved",
            *[one for one in lines if re.fullmatch(rf"{what} works again; it had failed \d+ times", one)][:1],
        ]
    assert line.address in lines[0]
    assert SECRET not in caplog.text


def test_a_content_that_is_found_but_cannot_be_read_is_no_answer_that_breaks_off(world, line):
    """As with a server that has just started."""
    me = world.someone("ann@farthing.example")
    there = attached(me, b"there")

    with line.failing("500 InternalError GET"):
        assert download(me, there).status_code == 503

    until(lambda: download(me, there).content == b"there")


def test_a_missing_bucket_is_not_taken_for_a_missing_content(tmp_path, s3_server):
    settings = settings_for("sqlite:///unused", tmp_path, **s3_server.settings(storage="s3://nobodys"))
    shelf = blobs.connect(settings)

    for ask in (shelf.probe, lambda: shelf.content(7, "0" * 64), lambda: list(shelf.of_user(7))):
        with pytest.raises(StorageRefused, match="there is no such bucket"):
            ask()
    incoming = shelf.receive()
    incoming.write(b"a text")
    with pytest.raises(StorageRefused):
        incoming.keep(7)
    incoming.discard()


def test_variables_of_amazons_own_tools_do_not_count(tmp_path, s3_server, monkeypatch):
    monkeypatch.setenv("AWS_SESSION_TOKEN", "of somebody else")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")

    blobs.connect(settings_for("sqlite:///unused", tmp_path, **s3_server.settings())).probe()


def test_a_line_that_breaks_during_a_download_is_told(tmp_path, s3_server, line):
    settings = settings_for("sqlite:///unused", tmp_path, **s3_server.settings(s3_endpoint=line.address))
    shelf = blobs.connect(settings)
    incoming = shelf.receive()
    incoming.write(b"x" * 1_500_000)
    incoming.keep(7)
    incoming.discard()
    reader = shelf.read(7, incoming.content().sha256, size=1_500_000)
    assert reader.read()

    with line.failing("away"), pytest.raises(ContentsUnavailable, match=r"closed the connection|cannot be reached"):
        reader.read()


class TestStart:
    """A wrong key is told in a sentence before anybody relies on it; a storage that is away is waited for."""

    @pytest.fixture
    def terminal(self, tmp_path):
        return Terminal(tmp_path, f"sqlite:///{tmp_path / 'farthing.sqlite3'}")

    def test_serve_and_doctor_refuse_a_wrong_secret(self, terminal, s3_server):
        values = s3_server.settings(s3_secret="Tr0ub4dor&3")
        variables = {f"FARTHING_{name.upper()}": value for name, value in values.items()}
        terminal.run("user", "create", "ann@example.org")

        refused = terminal.fails("serve", **variables)
        doctor = terminal.run("doctor", **variables)

        sentence = "refuses our requests (403 SignatureDoesNotMatch): check FARTHING_S3_KEY"
        assert sentence in refused
        assert doctor.returncode == 1
        assert re.search(rf"wrong  storage .*{re.escape(sentence)}", doctor.stdout), doctor.stdout
        assert "Tr0ub4dor" not in refused + doctor.stdout + doctor.stderr

    def test_secrets_come_from_files_and_are_shown_nowhere(self, terminal, s3_server):
        values = s3_server.settings()
        variables = {"FARTHING_STORAGE": values.pop("storage")}
        for name, value in values.items():
            (terminal.folder / name).write_text(f"{value}\n")
            variables[f"FARTHING_{name.upper()}_FILE"] = str(terminal.folder / name)
        terminal.run("user", "create", "ann@example.org")

        shown = terminal.run("config", **variables).stdout
        doctor = terminal.run("doctor", **variables).stdout

        assert f"FARTHING_S3_ENDPOINT={s3_server.address}\n" in shown
        assert "FARTHING_S3_SECRET=***" in shown
        assert SECRET not in shown + doctor
        assert f"well   storage      {variables['FARTHING_STORAGE']} can be written to" in doctor

    def test_a_server_that_was_started_while_s3_was_away_takes_a_large_file_in_little_memory(
        self, terminal, line, s3_server
    ):
        values = s3_server.settings(s3_endpoint=line.address)
        variables = {f"FARTHING_{name.upper()}": value for name, value in values.items()}
        visitor = Visitor(terminal)
        with line.failing("away"):
            server = terminal.begun(FARTHING_LOG_FORMAT="text", **variables).ready()
        try:
            assert "attachments cannot be read or written yet: s3://household at" in server.log.read_text()
            attachment_id = visitor.promised(server)
            until(lambda: visitor.upload(server, attachment_id, pieces(6 * MIB // len(PIECE))) == 204)
            visitor.download(server, attachment_id)
            before = forget_peak(server)

            assert visitor.upload(server, attachment_id, pieces(40 * MIB // len(PIECE))) == 204
            assert len(visitor.download(server, attachment_id)) == 40 * MIB

            # A part of an upload is held, and what the client of S3 copies; never the file.
            assert memory(server, "VmHWM") - before < 1.5 * GROWTH_MAX
        finally:
            server.kill_all()
