"""How does a backup come back? Into an empty place, whichever database is there; and how do we know that it would?"""

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..doctor import Contents, examine
from ..errors import FarthingError, Unusable
from ..storage import copying, migrations
from ..storage.blobs import Blobs
from ..storage.copying import Counted
from ..storage.sqlite import SqliteDatabase
from ..storage.unit import Database
from ..text import so_many
from .archive import DATABASE, Archive, Manifest, Progress, opened


@dataclass(frozen=True)
class Compared:
    """One table, or what all accounts hold in one currency, on both sides."""

    name: str
    here: str
    there: str
    equal: bool


def restore(path: Path, database: Database, blobs: Blobs, progress: Progress) -> Manifest:
    """Contents first, rows last and all at once: whatever happens in between, nothing half restored is ever seen."""
    with opened(path) as archive, TemporaryDirectory(prefix="farthing-") as scratch:
        _refuse_full(database)
        with (
            closing(_unpacked(archive, Path(scratch), progress)) as source,
            _unless_in_vain(database, blobs) as brought,
        ):
            for user_id, sha256 in archive.contents():
                progress(f"contents of attachments: {sha256[:12]}")
                if not blobs.has(user_id, sha256):
                    brought.append((user_id, sha256))
                _keep(archive, blobs, user_id, sha256)
            copy(source, database, progress)
        return archive.manifest


@contextmanager
def _unless_in_vain(database: Database, blobs: Blobs) -> Iterator[list[tuple[int, str]]]:
    """Contents without their rows are taken back; not those whose rows came nevertheless, or perhaps did."""
    brought: list[tuple[int, str]] = []
    try:
        yield brought
    except BaseException:
        with suppress(FarthingError):  # the first failure is the one to tell of
            if _is_empty(database):
                for user_id, sha256 in brought:
                    blobs.take_back(user_id, sha256)
        raise


def refuse_unusable(path: Path, progress: Progress) -> None:
    """All of it is read before anything is made: whoever is refused finds no empty database afterwards."""
    with opened(path) as archive:
        if archive.manifest.migration > migrations.known()[-1]:
            raise Unusable(f"{path} was made by a newer Farthing ({archive.manifest.version}): install that version.")
        for name in archive.manifest.files:
            progress(f"reading {name}")
            for _ in archive.pieces(name):
                pass


def copy(source: Database, target: Database, progress: Progress) -> None:
    """Everything but the contents of attachments, which do not lie in the database."""
    _refuse_full(target)
    with source.reading() as rows, target.writing() as db:
        copying.copy(rows, db, progress)


def compared(source: Database, target: Database, progress: Progress) -> list[Compared]:
    """Every row of both sides is read."""
    with source.reading() as here, target.reading() as there:
        return [
            *_tables(copying.counted(here, progress), copying.counted(there, progress)),
            *_balances(copying.balances(here), copying.balances(there)),
        ]


def verify(path: Path, now: float, progress: Progress) -> Iterator[str]:
    """What is wrong with a backup, in sentences. It is restored into a scratch place, compared and examined there."""
    with TemporaryDirectory(prefix="farthing-") as scratch:
        blobs = Blobs(Path(scratch) / "attachments")
        with closing(SqliteDatabase(Path(scratch) / DATABASE)) as database:
            migrations.migrate(database)
            manifest = restore(path, database, blobs, progress)
            yield from (f"{name} was missing when the backup was made." for name in manifest.missing)
            yield from _differences(manifest, database, progress)
            # Everything was kept just now; nothing is so young that it may still get its record.
            for finding in examine(database, progress, attached=Contents(blobs, now)):
                yield finding.sentence


def _differences(manifest: Manifest, database: Database, progress: Progress) -> Iterator[str]:
    """The rows of an older schema were carried forward on the way; then doctor alone can tell."""
    with database.reading() as db:
        held = copying.balances(db)
        rows = copying.counted(db, progress) if manifest.migration == migrations.known()[-1] else manifest.tables
    for one in [*_tables(manifest.tables, rows), *_balances(manifest.balances, held)]:
        if not one.equal:
            yield f"{one.name}: packed were {one.here}, restored are {one.there}."


def _unpacked(archive: Archive, scratch: Path, progress: Progress) -> SqliteDatabase:
    """The database of the backup, brought to the newest schema."""
    progress("unpacking the database")
    path = scratch / DATABASE
    with path.open("wb") as file:
        for piece in archive.pieces(DATABASE):
            file.write(piece)
    database = SqliteDatabase(path)
    migrations.migrate(database)
    return database


def _keep(archive: Archive, blobs: Blobs, user_id: int, sha256: str) -> None:
    incoming = blobs.receive()
    try:
        for piece in archive.content(user_id, sha256):
            incoming.write(piece)
        if incoming.content().sha256 != sha256:
            raise Unusable(f"The backup is damaged: the content {sha256} of user {user_id} is another one.")
        incoming.keep(user_id)
    finally:
        incoming.discard()


def _refuse_full(database: Database) -> None:
    migrations.ensure_current(database)
    if not _is_empty(database):
        raise Unusable("There are users in the target already; it must be empty. Nothing was changed.")


def _is_empty(database: Database) -> bool:
    with database.reading() as db:
        return copying.is_empty(db)


def _tables(here: dict[str, Counted], there: dict[str, Counted]) -> list[Compared]:
    return [
        Compared(
            table, so_many(here[table].rows, "row"), so_many(there[table].rows, "row"), here[table] == there[table]
        )
        for table in here.keys() & there.keys()
    ]


def _balances(here: dict[str, int], there: dict[str, int]) -> list[Compared]:
    return [
        Compared(f"balances in {code}", str(here.get(code)), str(there.get(code)), here.get(code) == there.get(code))
        for code in sorted(here.keys() | there.keys())
    ]
