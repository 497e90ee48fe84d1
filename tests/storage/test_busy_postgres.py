"""A busy PostgreSQL: who waits for a row or for a connection keeps nobody else waiting."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ..cli.conftest import Server, Terminal
from ..conftest import migrated
from ..postgres import PostgresServer

CONNECTIONS = 3
PATIENCE_S = 60


@pytest.fixture
def terminal(postgres_server: PostgresServer | None, tmp_path: Path) -> Terminal:
    if postgres_server is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows who waits for whom there")
    return Terminal(tmp_path, postgres_server.new_books())


@contextmanager
def held(terminal: Terminal, email: str) -> Iterator[None]:
    """Somebody writes to the books of this user, and takes their time."""
    with migrated(terminal.database_url, terminal.folder / "data") as database, database.writing() as db:
        db.run("UPDATE users SET revision = revision WHERE email = :email", email=email)
        db.flush()
        yield


def people(terminal: Terminal, *emails: str) -> list[dict[str, str]]:
    for email in emails:
        terminal.says("user", "create", email)
    tokens = [terminal.says("token", "create", email).strip() for email in emails]
    return [{"Authorization": f"Bearer {token}"} for token in tokens]


def note(server: Server, headers: dict[str, str], name: str) -> Any:
    return server.ask("POST", "/api/v1/categories", json={"name": name}, headers=headers)


@pytest.mark.long
def test_who_waits_for_a_row_keeps_nobody_else_waiting(terminal: Terminal):
    ann, ben = people(terminal, "ann@example.org", "ben@example.org")
    with terminal.serving() as server, ThreadPoolExecutor(8) as pool:
        with held(terminal, "ann@example.org"):
            waiting = [pool.submit(note, server, ann, f"note{number}") for number in range(2)]
            for number in range(20):  # the same process serves them, one after the other
                assert note(server, ben, f"note{number}").status_code == 200
                assert server.ask("GET", "/api/v1/preferences", headers=ann).status_code == 200
            assert not any(one.done() for one in waiting)
        assert statuses(waiting) == [200, 200]


@pytest.mark.long
def test_with_fewer_connections_than_requests_each_gets_its_turn(terminal: Terminal):
    """Some of them wait for a row, and hold all connections there are; some need a thread besides."""
    ann, ben = people(terminal, "ann@example.org", "ben@example.org")
    settings = {"FARTHING_POSTGRES_CONNECTIONS_MAX": str(CONNECTIONS)}
    with terminal.serving(**settings) as server, ThreadPoolExecutor(40) as pool:
        with held(terminal, "ann@example.org"):
            waiting = [pool.submit(note, server, ann, f"note{number}") for number in range(10)]
            waiting += [pool.submit(note, server, ben, f"note{number}") for number in range(10)]
            heavy = {"transactions": []}
            refused = [
                pool.submit(server.ask, "POST", "/api/v1/transactions/bulk", json=heavy, headers=ben) for _ in range(10)
            ]
            alive = threading.Event()
            for _ in range(20):  # whatever waits, the event loop does not
                assert server.ask("GET", "/livez").status_code == 200
                alive.wait(0.05)
        assert statuses(waiting) == [200] * 20
        assert statuses(refused) == [422] * 10
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text()


def statuses(waiting: list[Future[Any]]) -> list[int]:
    return [one.result(timeout=PATIENCE_S).status_code for one in waiting]
