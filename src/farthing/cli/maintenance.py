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
    """The processes of a running server know its own schema only; on PostgreSQL they work with a newer one as well."""
    from farthing.care.watch import presence
    from farthing.kernel.errors import SchemaMismatch
    from farthing.storage import migrations
    from farthing.storage.drivers import open as database

    file = settings.database_file
    # Beside the file as well: this command may have been given another data folder than the server.
    if file is None or not file.exists() or not any(map(presence.list_servers, (settings.data, file.parent))):
        return
    with closing(database.connect(settings)) as db:
        found = migrations.status(db)
    if found.applied and found.pending:
        raise SchemaMismatch(
            f"A server of an older version is running on {file}: stop it first, then migrate the database."
        )


def back_up_shared(settings: "Settings") -> None:
    """Before a server migrates PostgreSQL; of a SQLite file a copy is kept anyway."""
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

    found = migrations.status(db)
    if not (found.applied and found.pending) or found.unknown:
        return
    folder = settings.backup_folder or settings.data / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"before-{found.pending[0]}.zip"
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
    """Options before the command."""
