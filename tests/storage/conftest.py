"""What tests of the storage share: an event loop of either kind, and a table of things on PostgreSQL."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
import uvloop

from farthing.storage.postgres import PostgresDatabase

from ..postgres import PostgresServer


@pytest.fixture(params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def on_loop(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return lambda begin: request.param(begin())


@pytest.fixture
def url(postgres_server: PostgresServer | None) -> str:
    if postgres_server is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows what is said there")
    return postgres_server.new_database()


@pytest.fixture
def database(url: str) -> Iterator[PostgresDatabase]:
    """With two connections: one may rest, the other is left to the threads."""
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
