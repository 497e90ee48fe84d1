"""The commands that migrate the database, run due work once, and show the settings and the version."""

from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from farthing.kernel.errors import FarthingError, Invalid
from farthing.kernel.text import pluralize

from .basics import start
from .basics.output import show_progress

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
    """Refuses to migrate a SQLite file that a running server uses, because the server only knows the older schema.

    On PostgreSQL, a running server can also work with a newer schema.
    """
    from farthing.care.watch import presence
    from farthing.kernel.errors import SchemaMismatch
    from farthing.storage import migrations
    from farthing.storage.drivers import open as database

    file = settings.database_file
    # Also looks for servers in the folder of the file, because a server may use another data folder.
    if file is None or not file.exists() or not any(map(presence.list_servers, (settings.data, file.parent))):
        return
    with closing(database.connect(settings)) as db:
        status = migrations.status(db)
    if status.applied and status.pending:
        raise SchemaMismatch(
            f"A server of an older version is running on {file}: stop it first, then migrate the database."
        )


def back_up_shared(settings: "Settings") -> None:
    """Backs up a PostgreSQL database before a server migrates its schema. A SQLite file needs no backup here, because
    the migration itself copies it."""
    from farthing.storage.drivers import open as database

    if settings.database_file is None:
        with closing(database.connect(settings)) as db:
            _back_up_first(settings, db)


def _back_up_first(settings: "Settings", db: "Database") -> None:
    """Makes a backup if existing data is about to be migrated."""
    from farthing.care.backup import archive
    from farthing.kernel.clock import stamp
    from farthing.kernel.config import make_clock
    from farthing.storage import blobs, migrations

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


def _parse_day(text: str) -> date:
    from farthing.kernel.fields import query_day

    try:
        day = query_day(text, "date")
    except Invalid as refusal:
        raise typer.BadParameter(refusal.problems[0].message) from None
    if day is None:
        raise typer.BadParameter("The date is empty: write it as YYYY-MM-DD.")
    return day


def cron(
    as_of: Annotated[
        date | None,
        typer.Option(
            "--date",
            parser=_parse_day,
            metavar="YYYY-MM-DD",
            help="Fire what is due by this day, which may be in the future. Default: today in each user's time zone.",
        ),
    ] = None,
) -> None:
    """Fire all due recurrences of all users, and run the waiting jobs.

    Not needed while a server runs.
    """
    from farthing.jobs.firing import fire_everyone
    from farthing.jobs.worker import Worker, with_imports
    from farthing.kernel.config import make_clock

    failures = made = 0
    with start.open_installation() as at:
        clock = make_clock(at.settings)
        for fired in fire_everyone(at.db, clock, as_of):
            made += len(fired.entry_ids)
            failures += bool(fired.failure)
            result = f"failed: {fired.failure}" if fired.failure else f"made {len(fired.entry_ids)}"
            typer.echo(f"{fired.title} (recurrence {fired.recurrence_id}): {result}")
        finished = Worker(at.db, clock, with_imports(at.settings)).work_off()
    typer.echo(f"{pluralize(made, 'transaction')} made." if made else "Nothing was due.")
    if finished:
        typer.echo(f"{pluralize(finished, 'waiting job')} done.")
    if failures:
        raise FarthingError(f"{pluralize(failures, 'recurrence')} failed")


def config() -> None:
    """Show the current settings in the form of a .env file, with secrets masked."""
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
    """Defines the options that are written before the command."""
