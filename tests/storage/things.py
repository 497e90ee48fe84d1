"""A table of things on PostgreSQL, and what is done with it."""

from collections.abc import Callable
from typing import Any

from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.unit import Unit

PATIENCE_S = 20.0


def names(db: Unit) -> list[str]:
    return [name for (name,) in db.all("SELECT name FROM things ORDER BY id")]


def read(database: PostgresDatabase, ask: Callable[[Unit], Any] = names) -> Any:
    with database.reading() as db:
        return ask(db)


def add(number: int, name: str, db: Unit) -> None:
    db.run("INSERT INTO things (id, name) VALUES (:id, :name)", id=number, name=name)


def write(database: PostgresDatabase, number: int, name: str) -> None:
    with database.writing() as db:
        add(number, name, db)
