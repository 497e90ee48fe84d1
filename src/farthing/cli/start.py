"""How does a command begin? Settings are read, odd names mentioned, the database opened and brought up to date."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..config import Settings
    from ..storage.unit import Database


@dataclass(frozen=True)
class House:
    """What a command works with."""

    settings: Settings
    db: Database
    now: str


def settings() -> Settings:
    from ..config import load

    found = load()
    for sentence in warnings(found):
        typer.echo(f"farthing: {sentence}", err=True)
    return found


def warnings(settings: Settings) -> Iterator[str]:
    from ..config import nearest

    for name in settings.unknown_names:
        meant = nearest(name)
        yield f"{name} is no setting of Farthing and is ignored" + (f"; did you mean {meant}?" if meant else "")


@contextmanager
def house() -> Iterator[House]:
    with opened(settings()) as found:
        yield found


@contextmanager
def opened(settings: Settings) -> Iterator[House]:
    """An absent SQLite database is made here, so that every command may be the first one."""
    from ..clock import stamp
    from ..config import clock_of
    from ..storage import database

    with closing(database.opened(settings)) as db:
        yield House(settings, db, stamp(clock_of(settings).now()))
