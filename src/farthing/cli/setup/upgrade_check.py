"""The command that says what an upgrade to this version would do."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import typer

from farthing.kernel.errors import FarthingError
from farthing.kernel.text import pluralize

if TYPE_CHECKING:
    from farthing.kernel.config import Settings
    from farthing.storage.unit import Database


def upgrade_check() -> None:
    """Say what this version would change in the database, and whether there is room for the backup before it.

    Changes nothing; run it with the new version before you start it. Fails if something prevents the upgrade.
    """
    from farthing.care.doctor.upgrade import check_upgrade
    from farthing.kernel.config import load

    settings = load()
    with _open_existing(settings) as database:
        lines = list(check_upgrade(settings, database))
    for line in lines:
        typer.echo(f"{line.verdict:5}  {line.name:11}  {line.says}{f'; {line.do}' if line.do else ''}")
    obstacles = sum(line.verdict == "wrong" for line in lines)
    if obstacles:
        raise FarthingError(f"{pluralize(obstacles, 'problem')} found; do not upgrade yet")


@contextmanager
def _open_existing(settings: "Settings") -> "Iterator[Database | None]":
    from farthing.storage.drivers import open as database
    from farthing.storage.drivers.sqlite_files import was_made

    file = settings.database_file
    if file and not file.exists() and not was_made(file):
        yield None
        return
    with closing(database.connect_or_create(settings)) as opened:
        yield opened
