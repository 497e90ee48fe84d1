"""How is the house kept? Migrating, showing settings and version."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from . import start

if TYPE_CHECKING:
    from ..config import Settings
    from ..storage.unit import Database


def migrate() -> None:
    """Bring the database up to this version of Farthing. Run it before the servers when they share PostgreSQL."""
    from ..storage import database, migrations

    settings = start.settings()
    with closing(database.connect(settings)) as db:
        _keep_before(settings, db)
        applied = migrations.migrate(db)
    for name in applied:
        typer.echo(f"Applied {name}.")
    if not applied:
        typer.echo("The database is up to date.")


def _keep_before(settings: "Settings", db: "Database") -> None:
    """A backup first, if there is anything to lose."""
    from ..backup import archive
    from ..clock import stamp
    from ..config import clock_of
    from ..storage import blobs, migrations
    from .progress import shown_progress

    found = migrations.status(db)
    if not (found.applied and found.pending) or found.unknown:
        return
    folder = settings.backup_folder or settings.data / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"before-{found.pending[0]}.zip"
    if not path.exists():
        with shown_progress("Backing up first") as progress:
            archive.make(path, settings, db, blobs.connect(settings), stamp(clock_of(settings).now()), progress)
        typer.echo(f"Everything as it was is in {path}.")


def config() -> None:
    """Show the settings in force, secrets masked, in the form of a .env file."""
    from ..config import masked

    for name, value in masked(start.settings()).items():
        typer.echo(f"{name}={value}")


def version() -> None:
    """Show the version of Farthing."""
    from .. import __version__

    typer.echo(f"farthing {__version__}")


def _version_asked(asked: bool) -> None:
    if asked:
        version()
        raise typer.Exit


def every_command(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_version_asked, is_eager=True, help="Show the version, as `version` does."),
    ] = False,
) -> None:
    """What may stand before any of them."""
