"""What tests of HTTP share: which statements did it take?"""

import pytest

from farthing.storage.drivers.postgres.unit import PostgresUnit
from farthing.storage.drivers.sqlite_unit import SqliteUnit


@pytest.fixture
def asked(world, monkeypatch):
    """The statements of requests; what is written beside them does not count."""
    statements = []

    def count(kind, name):
        ask = getattr(kind, name)

        def counting(self, *given, **more):
            statements.append(next(text for text in given if isinstance(text, str)))
            return ask(self, *given, **more)

        monkeypatch.setattr(kind, name, counting)

    if world.books.dialect == "sqlite":
        count(SqliteUnit, "_run")
        count(SqliteUnit, "structs")
    else:
        count(PostgresUnit, "all")
        count(PostgresUnit, "structs")
        count(PostgresUnit, "run")
    return statements
