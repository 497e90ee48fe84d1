"""What happens to a request in flight when the server is told to stop? It is finished, and kept."""

import asyncio
import json
import socket
import time
from urllib.request import ProxyHandler, Request, build_opener

import pytest
import uvicorn

from farthing.http.server.connection import ConnectionFactory
from farthing.http.server.event_loop import ServerLoop
from farthing.http.server.open_connections import ConnectionLimits
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
        except (ConnectionRefusedError, ConnectionResetError):  # reset if it stops listening in that very moment
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


async def hello(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


class ClosingConnectionFactory(ConnectionFactory):
    """The server is told to stop right when it has accepted a connection: before asyncio makes that known."""

    def __call__(self, config, server_state, app_state, _loop=None):
        connection = super().__call__(config, server_state, app_state, _loop)
        self.stopping = asyncio.get_running_loop().create_task(self.server.shutdown())
        return connection


@pytest.mark.any_database
@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HT", b""], ids=["whole", "part", "none"]
)
def test_a_connection_that_comes_while_the_server_stops_does_not_hold_it_up(sent):
    async def stop():
        factory = ClosingConnectionFactory(ConnectionLimits())
        config = uvicorn.Config(hello, http=factory, port=0, lifespan="off", log_config=None)
        config.load()
        factory.server = server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        answer = await asyncio.wait_for(reader.read(), timeout=10)
        await asyncio.wait_for(factory.stopping, timeout=10)
        writer.close()
        return answer

    with asyncio.Runner(loop_factory=ServerLoop) as runner:
        answer = runner.run(stop())

    assert answer.endswith(b"hi") == sent.endswith(b"\r\n\r\n")
