"""The commands that migrate the database and show settings and version."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from .basics import start

if TYPE_CHECKING:
    from farthing.kernel.config import Settings
    from farthing.storage.unit import Database


def migrate() -> None:
    """Migrate the database to this version of Farthing, as a server does when it starts."""
    from farthing.care.watch import presence
    from farthing.storage import migrations
    from farthing.storage.drivers import open as database

    settings = start.settings()
    presence.refuse_other_file(settings.data, settings.database_file)
    refuse_migration_under_server(settings)
    with closing(database.connect_or_create(settings)) as db:
        _back_up_first(settings, db)
        applied = migrations.migrate(db)
    for name in applied:
        typer.echo(f"Applied {name}.")
    if not applied:
        typer.echo("The database is up to date.")


def refuse_migration_under_server(settings: "Settings") -> None:
    """Refuses to migrate a SQLite file under a running server, which knows only its own schema.

    On PostgreSQL, servers also work with a newer one.
    """
    from farthing.care.watch import presence
    from farthing.kernel.errors import SchemaMismatch
    from farthing.storage import migrations
    from farthing.storage.drivers import open as database

    file = settings.database_file
    # Also looks next to the file, because the server may use another data folder.
    if file is None or not file.exists() or not any(map(presence.list_servers, (settings.data, file.parent))):
        return
    with closing(database.connect(settings)) as db:
        status = migrations.status(db)
    if status.applied and status.pending:
        raise SchemaMismatch(
            f"A server of an older version is running on {file}: stop it first, then migrate the database."
        )


def back_up_shared(settings: "Settings") -> None:
    """Backs up before a server migrates PostgreSQL; a SQLite file is copied anyway."""
    from farthing.storage.drivers import open as database

    if settings.database_file is None:
        with closing(database.connect(settings)) as db:
            _back_up_first(settings, db)


def _back_up_first(settings: "Settings", db: "Database") -> None:
    """Makes a backup before migrating existing data."""
    from farthing.care.backup import archive
    from farthing.kernel.clock import stamp
    from farthing.kernel.config import make_clock
    from farthing.storage import blobs, migrations

    from .basics.progress import show_progress

    status = migrations.status(db)
    if not (status.applied and status.pending) or status.unknown:
        return
    folder = settings.backup_folder or settings.data / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"before-{status.pending[0]}.zip"
    if not path.exists():
        with show_progress("Backing up first") as progress:
            archive.make(path, settings, db, blobs.connect(settings), stamp(make_clock(settings).now()), progress)
        typer.echo(f"A backup from before the migration is in {path}.")


def config() -> None:
    """Show the settings in force, secrets masked, in the form of a .env file."""
    from farthing.kernel.config import mask

    for name, value in mask(start.settings()).items():
        typer.echo(f"{name}={value}")


def version() -> None:
    """Show the version of Farthing."""
    from farthing import __version__

    typer.echo(f"farthing {__version__}")


def _show_version(is_set: bool) -> None:
    if is_set:
        version()
        raise typer.Exit


def every_command(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version, as `version` does."),
    ] = False,
) -> None:
    """Holds the options before the command."""
