"""What happens to a request in flight when the server is told to stop? It is finished, and kept."""

import json
import socket
import time
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from farthing.identity import users
from farthing.kernel.clock import stamp

from ..accounts.making import asset
from ..cli.conftest import Server, Terminal
from ..proof.test_at_once import the_clock

_open = build_opener(ProxyHandler({})).open


@pytest.fixture
def server(world, shared_database_url, tmp_path):
    with Terminal(tmp_path, shared_database_url).serving(**the_clock(tmp_path)) as running:
        yield running


def request(token: str, body: dict[str, object]) -> bytes:
    content = json.dumps(body)
    head = f"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n{content}".encode()


def status(server: Server, path: str, token: str) -> int:
    asked = Request(f"{server.address}{path}", headers={"Authorization": f"Bearer {token}"})
    with _open(asked, timeout=30) as response:
        return int(response.status)


def until_it_refuses(server: Server) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", server.port)).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.02)
    raise AssertionError("the server still listens")


def test_a_write_that_waits_for_its_turn_is_finished_before_the_server_stops(server, world, me):
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        with world.books.writing() as db:
            users.take(db, me.user.id, token_id=None, now=stamp(world.time.now), doing="test")
            db.flush()  # nobody else may write meanwhile
            line.sendall(request(me.token, asset(name="In flight")))

            # The write waits, and nobody waits for the write.
            assert status(server, "/health", me.token) == 200
            assert status(server, "/api/v1/accounts", me.token) == 200
            server.process.terminate()
            until_it_refuses(server)
            assert server.process.poll() is None

        answer = line.recv(65536)

    assert answer.startswith(b"HTTP/1.1 200")
    assert server.stopped() == 0
    assert "In flight" in [one["attributes"]["name"] for one in me.get("/accounts").json()["data"]]
