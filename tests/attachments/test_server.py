"""Files and a real server process: constant memory, nobody waits, and a crash leaves the old content or the new."""

import hashlib
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from ..cli.conftest import Server, Terminal
from ..conftest import empty_database

_numbers = count(1)
MIB = 2**20
PIECE = hashlib.sha512(b"seed").digest() * 1024
GROWTH_MAX = 20_000_000


class Visitor:
    """One user of a real server."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        terminal.says("user", "create", "ann@example.org")
        self.token = terminal.says("token", "create", "ann@example.org").strip()

    def ask(self, server: Server, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        with httpx.Client(trust_env=False, verify=False, timeout=120) as http:
            return http.request(method, f"{server.address}/api/v1{path}", headers=headers, **options)

    def promised(self, server: Server) -> str:
        name = f"Bill {next(_numbers)}"
        bill = {"name": name, "match": name, "amount_min": 1, "amount_max": 2, "currency_code": "EUR"}
        when = {"date": "2024-05-01", "repeat_freq": "monthly", "skip": 0, "automatch": 0, "active": 1}
        bill_id = self.ask(server, "POST", "/bills", json=bill | when).json()["data"]["id"]
        body = {"filename": "a.bin", "model": "Bill", "model_id": bill_id}
        return str(self.ask(server, "POST", "/attachments", json=body).json()["data"]["id"])

    def upload(self, server: Server, attachment_id: str, content: Any) -> int:
        return self.ask(server, "POST", f"/attachments/{attachment_id}/upload", content=content).status_code

    def download(self, server: Server, attachment_id: str) -> bytes:
        return self.ask(server, "GET", f"/attachments/{attachment_id}/download").content

    def head(self, attachment_id: str, size: int, *more: str) -> bytes:
        lines = [
            f"POST /api/v1/attachments/{attachment_id}/upload HTTP/1.1",
            "Host: localhost",
            f"Authorization: Bearer {self.token}",
            f"Content-Length: {size}",
            *more,
        ]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.fixture
def visitor(tmp_path: Path, new_database_url: str) -> Visitor:
    """With a database of their own, whose server may be killed."""
    return Visitor(Terminal(tmp_path, new_database_url))


@pytest.fixture(scope="module")
def served(
    dialect: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[tuple[Visitor, Server]]:
    """A server for all tests that leave it alive."""
    folder = tmp_path_factory.mktemp("served")
    guest = Visitor(Terminal(folder, empty_database(dialect, folder, request)))
    with guest.terminal.serving() as server:
        yield guest, server


def pieces(count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield PIECE


def memory(server: Server, name: str) -> int:
    told = re.search(rf"{name}:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert told
    return int(told[1]) * 1024


def forget_peak(server: Server) -> int:
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
    return memory(server, "VmRSS")


class Onlooker(threading.Thread):
    """Asks for something small over and over, and remembers the longest wait."""

    def __init__(self, visitor: Visitor, server: Server) -> None:
        super().__init__()
        self.visitor, self.server = visitor, server
        self.waits: list[float] = []
        self.done = threading.Event()

    def run(self) -> None:
        while not self.done.is_set():
            began = time.perf_counter()
            assert self.visitor.ask(self.server, "GET", "/about/user").status_code == 200
            self.waits.append(time.perf_counter() - began)

    def __enter__(self) -> "Onlooker":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.join()


@pytest.mark.any_database
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it")
def test_64_mib_come_and_go_in_little_memory_while_others_are_answered(served):
    visitor, server = served
    attachment_id = visitor.promised(server)
    for _ in range(3):  # what is loaded once, and how far a heap grows anyway
        visitor.upload(server, attachment_id, pieces(64))
        visitor.download(server, attachment_id)
    before = forget_peak(server)
    began = time.perf_counter()

    with Onlooker(visitor, server) as onlooker:
        assert visitor.upload(server, attachment_id, pieces(64 * MIB // len(PIECE))) == 204
        content = visitor.download(server, attachment_id)
        visitor.upload(server, attachment_id, pieces(64 * MIB // len(PIECE)))
        took = time.perf_counter() - began

    growth = memory(server, "VmHWM") - before
    assert growth < GROWTH_MAX, f"{growth / 1e6:.1f} MB"
    assert hashlib.sha256(content).digest() == hashlib.sha256(PIECE * (64 * MIB // len(PIECE))).digest()
    assert len(onlooker.waits) >= 3
    assert max(onlooker.waits) < max(2, took / 3), "as long as one of the three takes, where that is longer"


@pytest.mark.any_database
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it")
def test_a_multipart_file_takes_little_memory_too(served):
    visitor, server = served
    attachment_id = visitor.promised(server)
    bill_id = visitor.ask(server, "GET", "/bills").json()["data"][0]["id"]
    visitor.upload(server, attachment_id, pieces(64))

    def parts(count: int) -> Iterator[bytes]:
        for name, text in (("model", "Bill"), ("model_id", bill_id)):
            yield f'--XX\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode()
        yield b'--XX\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
        yield from pieces(count)
        yield b"\r\n--XX--\r\n"

    def post(count: int) -> httpx.Response:
        headers = {"Content-Type": "multipart/form-data; boundary=XX"}
        return visitor.ask(server, "POST", "/attachments", content=parts(count), headers=headers)

    post(64)
    before = forget_peak(server)

    made = post(32 * MIB // len(PIECE)).json()["data"]["attributes"]

    assert made["size"] == 32 * MIB
    assert memory(server, "VmHWM") - before < GROWTH_MAX


def test_who_uploads_slowly_keeps_nobody_waiting(served):
    visitor, server = served
    attachment_id = visitor.promised(server)
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(visitor.head(attachment_id, MIB) + bytes(MIB // 2))

        assert visitor.ask(server, "GET", "/bills").status_code == 200
        assert visitor.upload(server, attachment_id, b"someone was quicker") == 204

        line.sendall(b"x" * (MIB // 2))
        assert line.recv(4096).startswith(b"HTTP/1.1 204")
    assert visitor.download(server, attachment_id) == bytes(MIB // 2) + b"x" * (MIB // 2)


def test_who_hangs_up_changes_nothing(served):
    visitor, server = served
    attachment_id = visitor.promised(server)
    visitor.upload(server, attachment_id, b"old")
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(visitor.head(attachment_id, MIB) + bytes(MIB // 2))
        wait_for(lambda: incoming(visitor))

    wait_for(lambda: not incoming(visitor))
    assert visitor.download(server, attachment_id) == b"old"


@pytest.mark.any_database
def test_a_server_that_is_killed_during_an_upload_leaves_the_old_content(visitor):
    with visitor.terminal.serving() as server:
        attachment_id = visitor.promised(server)
        visitor.upload(server, attachment_id, b"old")
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(visitor.head(attachment_id, 4 * MIB) + bytes(3 * MIB))
            wait_for(lambda: any(path.stat().st_size >= MIB for path in incoming(visitor)))
            server.process.kill()
            server.process.wait()

    assert len(incoming(visitor)) == 1
    with visitor.terminal.serving() as server:
        assert visitor.download(server, attachment_id) == b"old"
        assert visitor.upload(server, attachment_id, b"new") == 204
        assert visitor.download(server, attachment_id) == b"new"
    assert visitor.terminal.says("doctor").startswith("No problems")


@pytest.mark.parametrize(
    ("dialect", "moment"), [("sqlite", "at once"), ("postgresql", "when it is kept")], indirect=["dialect"]
)
def test_a_server_that_is_killed_at_any_moment_leaves_one_content_whole(visitor, moment):
    old, new = b"o" * 2 * MIB, b"n" * 2 * MIB
    with visitor.terminal.serving() as server:
        attachment_id = visitor.promised(server)
        visitor.upload(server, attachment_id, old)
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(visitor.head(attachment_id, len(new)) + new)
            wait_for(lambda: moment == "at once" or len(contents(visitor)) == 2)
            server.process.kill()
            server.process.wait()
            line.settimeout(5)
            confirmed = heard(line).startswith(b"HTTP/1.1 204")

    with visitor.terminal.serving() as server:
        found = visitor.download(server, attachment_id)
    assert found == new if confirmed else found in (old, new)
    assert visitor.terminal.says("doctor").startswith("No problems")


def heard(line: socket.socket) -> bytes:
    try:
        return line.recv(4096)
    except OSError:
        return b""


def test_a_refusal_is_heard_and_the_line_stays_open(served):
    visitor, server = served
    with closing(HTTPConnection("127.0.0.1", server.port)) as line:
        attachment_id = visitor.promised(server)
        for one, size, status in ((attachment_id, 65 * MIB, 413), ("999999", 3 * MIB, 404), (attachment_id, 3, 204)):
            headers = {"Authorization": f"Bearer {visitor.token}"}
            line.request("POST", f"/api/v1/attachments/{one}/upload", body=bytes(size), headers=headers)

            answer = line.getresponse()
            answer.read()
            assert answer.status == status


def test_who_asks_for_leave_hears_no_before_sending(served):
    visitor, server = served
    attachment_id = visitor.promised(server)
    for one, size, status in (("999999", 5, 404), (attachment_id, 65 * MIB, 413), (attachment_id, 5, 100)):
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(visitor.head(one, size, "Expect: 100-continue"))

            assert line.recv(4096).startswith(f"HTTP/1.1 {status}".encode())


def contents(visitor: Visitor) -> list[Path]:
    return list((visitor.terminal.folder / "data" / "attachments").glob("[0-9]*/*/*"))


def incoming(visitor: Visitor) -> list[Path]:
    return list((visitor.terminal.folder / "data" / "attachments" / "incoming").glob("*"))


def wait_for(happens: Any) -> None:
    deadline = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.01)
