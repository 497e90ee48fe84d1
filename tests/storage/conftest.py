"""What tests of the storage share: an event loop, and a table of things on PostgreSQL."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from farthing.storage.drivers.postgres import fibers
from farthing.storage.drivers.postgres.database import PostgresDatabase

from ..postgres import PostgresServer
from .things import PATIENCE_S


@pytest.fixture
def on_loop() -> Callable[[Any], Any]:
    return lambda begin: asyncio.run(begin())


@pytest.fixture
def url(postgres_server: PostgresServer | None) -> str:
    if postgres_server is None:
        pytest.skip("!!! PostgreSQL is not installed: its driver is not tested")
    return postgres_server.new_database()


@pytest.fixture
def database(url: str) -> Iterator[PostgresDatabase]:
    """With two connections: fibers may keep one, the other is left to the threads."""
    opened = PostgresDatabase(url, connections_max=2)
    with opened.writing() as db:
        db.run("CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT)")
        db.run("INSERT INTO things (id, name) VALUES (1, 'one')")
    yield opened
    opened.close()


@pytest.fixture
def elsewhere(url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture(params=["fiber", "thread"])
def do(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Runs work on the database in a fiber, and in a thread."""
    if request.param == "thread":
        return lambda work: work()

    async def run(work: Callable[[], Any]) -> Any:
        return await asyncio.wait_for(fibers.run(work), PATIENCE_S)

    return lambda work: asyncio.run(run(work))
