"""Starts a command: reads settings, warns of unknown ones, opens and migrates the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import typer
from msgspec import Struct

if TYPE_CHECKING:
    from farthing.kernel.config import Settings
    from farthing.storage.unit import Database


class House(Struct, frozen=True):
    """What a command works with."""

    settings: Settings
    db: Database
    now: str


def settings() -> Settings:
    from farthing.kernel.config import load

    found = load()
    for sentence in list_warnings(found):
        typer.echo(f"farthing: {sentence}", err=True)
    return found


def list_warnings(settings: Settings) -> Iterator[str]:
    from farthing.kernel.config import suggest_setting

    for name in settings.unknown_names:
        meant = suggest_setting(name)
        yield f"{name} is not a setting of Farthing and is ignored" + (f"; did you mean {meant}?" if meant else "")


@contextmanager
def open_house(*, create: bool = False) -> Iterator[House]:
    with open_with(settings(), create=create) as found:
        yield found


@contextmanager
def open_with(settings: Settings, *, create: bool = False, serve: bool = False) -> Iterator[House]:
    """With `create` this may be the first command of an installation, and makes its database.

    With `serve` it is for a server, which migrates an older database.
    """
    from farthing.care.watch import presence
    from farthing.kernel.clock import stamp
    from farthing.kernel.config import make_clock
    from farthing.storage.drivers import open as database

    presence.refuse_other_file(settings.data, settings.database_file)
    with closing(database.open_current(settings, create=create, serve=serve, upgrade=serve)) as db:
        yield House(settings=settings, db=db, now=stamp(make_clock(settings).now()))
