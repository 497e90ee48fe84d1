"""How is everything brought to safety, and back? Backing up, verifying, restoring, moving to another database."""

from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import FarthingError, Unusable
from ..text import so_many
from . import start

if TYPE_CHECKING:
    from ..backup.restore import Compared
    from ..config import Settings
    from ..storage.house import Checkup

_VERIFY = "verify"


def backup(
    file: Annotated[str, typer.Argument(metavar="FILE|verify", help="Where to, such as farthing-2026-11-15.zip.")],
    verified: Annotated[Path | None, typer.Argument(metavar="FILE", help="With verify: the backup to look at.")] = None,
) -> None:
    """Put everything into one file, while the server runs. `backup verify FILE` proves that it could be restored."""
    if (file == _VERIFY) != (verified is not None):
        raise typer.BadParameter("either a FILE to write, or verify and a FILE to look at")
    _verify(verified) if verified else _make(Path(file))


def _make(path: Path) -> None:
    from ..backup import archive
    from ..storage import blobs
    from ..watch.remember import remember_backup
    from .progress import shown_progress

    with start.house() as at, shown_progress("Backing up") as progress:
        made = archive.make(path, at.settings, at.db, blobs.connect(at.settings), at.now, progress)
        remember_backup(at.db, at.now, path.name, lacks=len(made.missing))
    rows = sum(table.rows for table in made.tables.values())
    attached = sum(name.startswith("attachments/") for name in made.files)
    typer.echo(f"{path}: {so_many(rows, 'row')}, {so_many(attached, 'attachment')}, {path.stat().st_size} bytes.")
    if made.missing:
        raise FarthingError(
            f"{so_many(len(made.missing), 'content')} of attachments could not be read: farthing doctor says which"
        )


def _verify(path: Path) -> None:
    from ..backup import restore
    from ..clock import stamp
    from ..config import clock_of
    from ..storage.house import Checkup
    from .progress import shown_progress

    settings = start.settings()
    now = clock_of(settings).now()
    with shown_progress("Verifying") as progress:
        count = 0
        for sentence in restore.verify(path, now.timestamp(), progress):
            count += 1
            typer.echo(sentence)
    _remember_verified(settings, Checkup(stamp(now), count, path.name))
    if count:
        raise FarthingError(f"{path} would not restore as it should: {count} findings")
    typer.echo(f"{path} is whole: it was restored into a scratch place, compared and examined.")


def _remember_verified(settings: "Settings", found: "Checkup") -> None:
    """Where there is a house to keep it: a backup may be verified anywhere, and that makes no database."""
    from ..storage.house import BACKUP_VERIFIED
    from ..watch.remember import remember

    if settings.database_file and not settings.database_file.exists():
        return
    with suppress(FarthingError), start.opened(settings) as at:
        remember(at.db, {BACKUP_VERIFIED: found})


def restore(file: Annotated[Path, typer.Argument(help="A backup that `farthing backup` made.")]) -> None:
    """Bring a backup back into an empty place: SQLite or PostgreSQL, whatever the settings name."""
    from ..backup import restore as bringing
    from ..storage import blobs
    from .progress import shown_progress

    settings = start.settings()
    with shown_progress("Restoring") as progress:
        bringing.refuse_unusable(file, progress)
        with start.opened(settings) as at:
            made = bringing.restore(file, at.db, blobs.connect(settings), progress)
    rows = sum(table.rows for table in made.tables.values())
    typer.echo(f"Restored {so_many(rows, 'row')} of {made.made_at}, made by version {made.version}.")


def copy(
    to: Annotated[str, typer.Option(metavar="URL", help="sqlite:///path or postgresql://…; it must be empty.")],
) -> None:
    """Copy all rows into another, empty database, and compare both sides. Attachments stay in the data folder."""
    from ..backup import restore as bringing
    from ..config import database_shown, with_database
    from ..storage import database
    from .progress import shown_progress

    with start.house() as at, shown_progress("Copying") as progress:
        target_settings = with_database(at.settings, to, named_by="--to")
        if target_settings.database_url == at.settings.database_url:
            raise Unusable("That is the database itself.")
        with closing(database.connect(target_settings)) as target:
            bringing.copy(at.db, target, progress)
            sides = bringing.compared(at.db, target, progress)
    typer.echo(f"Copied into {database_shown(target_settings)}.")
    _report(sides)


def _report(sides: "list[Compared]") -> None:
    for one in sides:
        typer.echo(f"{one.name}: {one.here} here, {one.there} there{'' if one.equal else '  <- DIFFERS'}")
    different = sum(not one.equal for one in sides)
    if different:
        what = so_many(different, "thing differs", "things differ")
        raise FarthingError(f"{what}: did somebody write meanwhile? Stop the server and copy again")
    typer.echo("All is equal.")
