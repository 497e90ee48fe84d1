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


class LocalInstallation(Struct, frozen=True):
    """Holds the settings, the database and the time for a command."""

    settings: Settings
    db: Database
    now: str


def settings() -> Settings:
    from farthing.kernel.config import load

    loaded = load()
    for sentence in list_warnings(loaded):
        typer.echo(f"farthing: {sentence}", err=True)
    return loaded


def list_warnings(settings: Settings) -> Iterator[str]:
    from farthing.kernel.config import suggest_setting

    for name in settings.unknown_names:
        suggestion = suggest_setting(name)
        yield f"{name} is not a setting of Farthing and is ignored" + (
            f"; did you mean {suggestion}?" if suggestion else ""
        )


@contextmanager
def open_installation(*, create: bool = False) -> Iterator[LocalInstallation]:
    with open_with(settings(), create=create) as installation:
        yield installation


@contextmanager
def open_with(settings: Settings, *, create: bool = False, serve: bool = False) -> Iterator[LocalInstallation]:
    """Opens the database. With `create`, creates the database if it does not exist yet.

    With `serve`, migrates an older database, as a server does.
    """
    from farthing.care.watch import presence
    from farthing.kernel.clock import stamp
    from farthing.kernel.config import make_clock
    from farthing.storage.drivers import open as database

    presence.refuse_other_file(settings.data, settings.database_file)
    with closing(database.open_current(settings, create=create, serve=serve, upgrade=serve)) as db:
        yield LocalInstallation(settings=settings, db=db, now=stamp(make_clock(settings).now()))
