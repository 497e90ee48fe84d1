"""The commands that back up, verify, restore and copy the database."""

from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from farthing.kernel.errors import FarthingError, Unusable
from farthing.kernel.text import pluralize

from .basics import start
from .basics.output import show_progress

if TYPE_CHECKING:
    from farthing.care.backup.restore import CopyComparison
    from farthing.kernel.config import Settings
    from farthing.storage.installation import Checkup

_VERIFY = "verify"
_BESIDE_SERVER = "a server is running on this data folder; stop it first, or changes during the copy will be missing"


def backup(
    file: Annotated[
        str, typer.Argument(metavar="FILE|verify", help="The file to write, such as farthing-2026-11-15.zip.")
    ],
    verified: Annotated[Path | None, typer.Argument(metavar="FILE", help="With verify: the backup to check.")] = None,
) -> None:
    """Back up everything into one file, while the server runs. `backup verify FILE` checks that it can be restored."""
    if (file == _VERIFY) != (verified is not None):
        raise typer.BadParameter("expected either a FILE to write, or verify and a FILE to check")
    _verify(verified) if verified else _make(Path(file))


def _make(path: Path) -> None:
    from farthing.care.backup import archive, scratch
    from farthing.care.watch.remember import remember_backup
    from farthing.storage import blobs

    with start.open_installation() as at, show_progress("Backing up") as progress:
        scratch.sweep(at.settings)
        made = archive.make(path, at.settings, at.db, blobs.connect(at.settings), at.now, progress)
        remember_backup(at.db, at.now, path.name, lacks=len(made.missing))
    rows = sum(table.rows for table in made.tables.values())
    attached = sum(name.startswith("attachments/") for name in made.files)
    typer.echo(f"{path}: {pluralize(rows, 'row')}, {pluralize(attached, 'attachment')}, {path.stat().st_size} bytes.")
    if made.missing:
        raise FarthingError(
            f"{pluralize(len(made.missing), 'content')} of attachments could not be read; `farthing doctor` lists them"
        )


def _verify(path: Path) -> None:
    from farthing.care.backup import restore, scratch
    from farthing.kernel.clock import stamp
    from farthing.kernel.config import make_clock
    from farthing.storage.installation import Checkup

    settings = start.settings()
    scratch.sweep(settings)
    now = make_clock(settings).now()
    with show_progress("Verifying") as progress:
        count = 0
        for sentence in restore.verify(path, now.timestamp(), progress):
            count += 1
            typer.echo(sentence)
    _remember_verified(settings, Checkup(stamp(now), count, path.name))
    if count:
        raise FarthingError(f"{path} cannot be restored correctly: {count} findings")
    typer.echo(f"{path} is complete: it was restored into a temporary folder, compared and examined.")


def _remember_verified(settings: "Settings", checkup: "Checkup") -> None:
    """Stores the result if there is a database. Backups can also be verified on a machine without one."""
    from farthing.care.watch.remember import remember
    from farthing.storage.installation import BACKUP_VERIFIED

    if settings.database_file and not settings.database_file.exists():
        return
    with suppress(FarthingError), start.open_with(settings) as at:
        remember(at.db, {BACKUP_VERIFIED: checkup})


def restore(file: Annotated[Path, typer.Argument(help="The backup to restore.")]) -> None:
    """Restore a backup into the empty database that the settings name, which may be SQLite or PostgreSQL."""
    from farthing.care.backup import restore as restoring
    from farthing.care.backup import scratch
    from farthing.storage import blobs, installation

    settings = start.settings()
    scratch.sweep(settings)
    with show_progress("Restoring") as progress:
        restoring.refuse_unusable(file, progress)
        _forget_deleted_file(settings)
        with start.open_with(settings, create=True) as at:
            made = restoring.restore(file, at.db, blobs.connect(settings), progress)
            with at.db.writing() as db:
                installation.forget_unknown_proxy(db)  # the proxy was in front of the old machine
    rows = sum(table.rows for table in made.tables.values())
    typer.echo(f"Restored {pluralize(rows, 'row')} of {made.made_at}, made by version {made.version}.")


def _forget_deleted_file(settings: "Settings") -> None:
    """Lets the restored database replace a deleted file, unless a server still has that file open."""
    from farthing.care.watch import presence
    from farthing.storage.drivers.sqlite_files import forget_made, put_log_aside

    presence.refuse_other_file(settings.data, settings.database_file)
    if settings.database_file and not settings.database_file.exists():
        forget_made(settings.database_file)
        if log := put_log_aside(settings.database_file):
            typer.echo(f"The log of the deleted database file is kept as {log}.")


def copy(
    to: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The empty database to copy into: sqlite:///path or postgresql://… Other users can see the options of "
            "a command, so put a URL with a password into FARTHING_COPY_TO or a file that FARTHING_COPY_TO_FILE names.",
        ),
    ] = None,
    storage_to: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER|s3://…",
            help="Also copy attachments to this storage, and check them. The S3 key is taken from the settings.",
        ),
    ] = None,
) -> None:
    """Copy all rows into another, empty database, and compare both. With --storage-to, also copy attachments."""
    with start.open_installation() as at:
        url = at.settings.copy_to if to is None else to
        if url is None and storage_to is None:
            raise typer.BadParameter("name the target with --to, FARTHING_COPY_TO or FARTHING_COPY_TO_FILE")
        if storage_to is not None:
            _copy_contents(at.settings, storage_to)
        if url is not None:
            _copy_rows(at, url)


def _copy_contents(settings: "Settings", storage: str) -> None:
    from farthing.care.backup.contents import copy_contents
    from farthing.kernel.config import replace_storage
    from farthing.storage import blobs

    target = replace_storage(settings, storage, named_by="--storage-to")
    if (target.contents_folder or target.storage) == (settings.contents_folder or settings.storage):
        raise Unusable("The target is the storage that is already in use.")
    with show_progress("Copying attachments") as progress:
        made = copy_contents(blobs.connect(settings), blobs.connect(target), progress)
    typer.echo(f"Copied {pluralize(made.copied, 'content')} of attachments, {made.size} bytes, into {target.storage}.")
    for name in made.damaged:
        typer.echo(f"{name} is damaged, and was not copied.")
    if made.damaged:
        raise FarthingError(f"{pluralize(len(made.damaged), 'content')} of attachments could not be copied")


def _copy_rows(at: "start.LocalInstallation", url: str) -> None:
    from farthing.care.backup import restore as restoring
    from farthing.care.watch import presence
    from farthing.kernel.config import replace_database, show_database
    from farthing.storage.drivers import open as database

    target_settings = replace_database(at.settings, url, named_by="--to")
    if target_settings.database_url == at.settings.database_url:
        raise Unusable("The target is the database that is already in use.")
    if presence.list_servers(at.settings.data):
        typer.echo(f"farthing: {_BESIDE_SERVER}", err=True)
    with show_progress("Copying") as progress, closing(database.connect(target_settings)) as target:
        restoring.copy(at.db, target, progress)
        sides = restoring.compare(at.db, target, progress)
    typer.echo(f"Copied into {show_database(target_settings)}.")
    _report(sides)


def _report(sides: "list[CopyComparison]") -> None:
    for side in sides:
        typer.echo(f"{side.name}: {side.original} here, {side.copied} there{'' if side.equal else '  <- DIFFERS'}")
    different = sum(not side.equal for side in sides)
    if different:
        what = pluralize(different, "thing differs", "things differ")
        raise FarthingError(f"{what}: something was probably written during the copy. Stop the server and copy again")
    typer.echo("Both sides are equal.")
