"""What we use of uvicorn beyond its documentation: one test for each name, and one module that uses them."""

import ast
import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.config import STARTUP_FAILURE, Config
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import Server, ServerState
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

ROOT = Path(__file__).parents[2]
INTERNALS = ROOT / "src/farthing/http/server/uvicorn_internals.py"


class Transport(asyncio.Transport):
    """Takes what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closes = False

    def write(self, data: bytes) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closes

    def close(self) -> None:
        self.closes = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("192.0.2.1", 5)}.get(name, default)


async def app(scope, receive, send) -> None:
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


HEAD = b"POST /path HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"


@pytest.fixture
def connection() -> HttpToolsProtocol:
    """Uvicorn's own, in the middle of the body of one request while another waits."""

    async def read() -> HttpToolsProtocol:
        config = Config(app, lifespan="off", log_config=None)
        connection = HttpToolsProtocol(config, ServerState(), {})
        connection.connection_made(Transport())
        connection.data_received(HEAD)
        return connection

    return asyncio.run(read())


CONNECTION = (
    "_start_asgi_task", "client", "connection_lost", "connection_made", "cycle", "flow", "headers", "loop", "on_body",
    "on_headers_complete", "on_message_complete", "on_response_complete", "parser", "pause_writing", "pipeline",
    "server_state", "shutdown", "transport", "url",
)  # fmt: skip
CYCLE = (
    "disconnected", "keep_alive", "message_event", "response_complete", "response_started", "scope", "transport",
)  # fmt: skip


SUPERVISOR = ("config", "handle_signals", "init_processes", "keep_subprocess_alive", "processes", "terminate_all")
OUR_ATTRIBUTES = {"_on_stop", "_flow", "_writer", "close", "is_closing", "is_held", "write"}


@pytest.mark.parametrize("name", CONNECTION)
def test_a_connection_of_uvicorn_has(connection, name):
    assert hasattr(connection, name)


@pytest.mark.parametrize("name", CYCLE)
def test_a_cycle_of_uvicorn_has(connection, name):
    assert isinstance(connection.cycle, RequestResponseCycle)
    assert hasattr(connection.cycle, name)


@pytest.mark.parametrize("name", ["pause_reading", "resume_reading"])
def test_the_flow_of_uvicorn_has(connection, name):
    assert isinstance(connection.flow, FlowControl)
    assert callable(getattr(connection.flow, name))


@pytest.mark.parametrize("name", ["default_headers", "total_requests", "connections"])
def test_the_state_of_a_server_of_uvicorn_has(name):
    assert hasattr(ServerState(), name)


@pytest.mark.parametrize("name", SUPERVISOR)
def test_the_supervisor_of_uvicorn_has(name, monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)

    assert hasattr(Multiprocess(Config(app), []), name)


def test_a_process_of_the_supervisor_is_asked_with_a_time_limit():
    assert "timeout" in Process.is_alive.__annotations__


def test_the_time_limit_of_workers_is_a_setting():
    assert Config(app, timeout_worker_healthcheck=20).timeout_worker_healthcheck == 20


def test_a_server_tells_whether_it_has_started():
    assert Server(Config(app)).started is False


def test_a_server_has_a_way_to_stop():
    assert inspect.iscoroutinefunction(Server.shutdown)


def test_a_failed_start_has_its_own_exit_code():
    assert STARTUP_FAILURE == 3


def test_a_status_line_is_made_for_every_status():
    assert STATUS_LINE[431] == b"HTTP/1.1 431 Request Header Fields Too Large\r\n"


def test_headers_of_a_connection_are_those_of_the_scope(connection):
    """`replace_head` changes both at once."""
    assert connection.headers is connection.cycle.scope["headers"]


def test_each_name_has_its_test():
    """Whoever uses one more name of uvicorn finds here that it needs a test."""
    tree = ast.parse(INTERNALS.read_text())
    ours = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "self.cycle", "super()")
    }

    assert used - ours - OUR_ATTRIBUTES - {"__init__", *CONNECTION, *CYCLE, *SUPERVISOR} == set()


def test_only_one_module_uses_what_uvicorn_does_not_document():
    private = re.compile(r"^\s*(?:from uvicorn\.\S+|import uvicorn\.)", re.MULTILINE)
    sources = [path for path in (ROOT / "src/farthing").rglob("*.py") if private.search(path.read_text())]

    assert sources == [INTERNALS]


def test_the_version_of_uvicorn_is_bounded_by_what_was_tested():
    dependencies = (ROOT / "pyproject.toml").read_text()
    bound = re.search(r'"uvicorn>=[\d.]+,<(\d+)\.(\d+)"', dependencies)

    assert bound
    assert tuple(map(int, uvicorn.__version__.split(".")[:2])) < (int(bound[1]), int(bound[2]))
