"""Restores a backup into an empty installation, copies databases, and verifies backups."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from itertools import chain
from pathlib import Path

from msgspec import Struct

from farthing.kernel.errors import FarthingError, Unusable
from farthing.kernel.money import as_text
from farthing.kernel.text import pluralize
from farthing.storage import copying, migrations
from farthing.storage.blobs import Blobs, DiskBlobs
from farthing.storage.copying import Progress, TableDigest
from farthing.storage.drivers.sqlite import SqliteDatabase, take_over
from farthing.storage.unit import Clash, Database, Overflow, Unit

from ..doctor import Contents, examine
from ..doctor.checks.rules import dangling, integrity
from . import scratch
from .manifest import DATABASE, BackupManifest, PackedTable
from .reading import BackupArchive, open_backup

Tables = Mapping[str, TableDigest | PackedTable]


class CopyComparison(Struct, frozen=True):
    """Compares one table, or the balances in one currency, with its copy."""

    name: str
    original: str
    copied: str
    equal: bool


def restore(path: Path, database: Database, blobs: Blobs, progress: Progress) -> BackupManifest:
    """Restores the contents of attachments first, and then all rows in one unit of work: all of them or none."""
    with open_backup(path) as archive, scratch.temporary() as folder:
        _refuse_not_empty(database)
        with (
            closing(_unpack(archive, folder, progress)) as source,
            _undo_on_failure(database, blobs) as brought,
        ):
            for user_id, sha256 in archive.contents():
                progress(f"contents of attachments: {sha256[:12]}")
                if not blobs.has(user_id, sha256):
                    brought.append((user_id, sha256))
                _keep(archive, blobs, user_id, sha256)
            with _report_invalid_rows():
                _bring_rows(source, database, progress)
        return archive.manifest


def _bring_rows(source: SqliteDatabase, target: Database, progress: Progress) -> None:
    """Copies all rows. Copies whole pages if both are SQLite files with equal schemas, otherwise row by row."""
    if not isinstance(target, SqliteDatabase) or _describe_schema(source) != _describe_schema(target):
        copy(source, target, progress)
        return
    with source.writing() as db:
        copying.leave_behind(db)
    progress("checking the database")
    with source.reading() as db:
        for finding in chain(integrity(db), dangling(db)):
            raise Unusable(f"The database of the backup has rows that cannot be restored: {finding.sentence}")
    take_over(target, source, _refuse_users, progress)


def _describe_schema(database: SqliteDatabase) -> object:
    with database.reading() as db:
        return copying.describe_file(db)


@contextmanager
def _report_invalid_rows() -> Iterator[None]:
    """Turns errors about values that Farthing cannot have written into a message about the backup."""
    try:
        yield
    except (Clash, Overflow, ValueError, TypeError) as error:
        raise Unusable(f"The database of the backup has rows that cannot be restored: {error}") from error


@contextmanager
def _undo_on_failure(database: Database, blobs: Blobs) -> Iterator[list[tuple[int, str]]]:
    """Yields a list for the contents that are restored, and deletes these contents if the block fails.

    Keeps them if the target has users or cannot be read, because the restored rows may have been committed.
    """
    brought: list[tuple[int, str]] = []
    try:
        yield brought
    except BaseException:
        with suppress(FarthingError):  # report the first failure
            with database.reading() as db:
                is_empty = copying.is_empty(db)
            for user_id, sha256 in brought if is_empty else ():
                blobs.take_back(user_id, sha256)
        raise


def refuse_unusable(path: Path, progress: Progress) -> None:
    """Reads the whole backup, and refuses an unusable one before an empty database is created for it."""
    with open_backup(path) as archive:
        if archive.manifest.migration not in migrations.known():
            raise Unusable(f"{path} was made by a newer Farthing ({archive.manifest.version}): install that version.")
        for name in archive.manifest.files:
            progress(f"reading {name}")
            for _ in archive.pieces(name):
                pass


def copy(source: Database, target: Database, progress: Progress) -> None:
    """Copies all rows into an empty database. The contents of attachments are not in the database."""
    _refuse_not_empty(target)
    with source.reading() as rows, target.writing() as db:
        copying.copy(rows, db, progress)


def compare(source: Database, target: Database, progress: Progress) -> list[CopyComparison]:
    """Compares every row and the balances of two databases."""
    with source.reading() as original_db, target.reading() as copied_db:
        return [
            *_compare_tables(copying.digest_tables(original_db, progress), copying.digest_tables(copied_db, progress)),
            *_compare_balances(
                copying.sum_balances(original_db), copying.sum_balances(copied_db), copying.load_places(copied_db)
            ),
        ]


def verify(path: Path, now: float, progress: Progress) -> Iterator[str]:
    """Restores a backup into a temporary folder and checks the result. Yields each problem as a sentence."""
    with scratch.temporary() as folder:
        blobs = DiskBlobs(folder / "attachments")
        with closing(SqliteDatabase(folder / DATABASE)) as database:
            migrations.migrate(database)
            manifest = restore(path, database, blobs, progress)
            yield from (f"{name} was missing when the backup was made." for name in manifest.missing)
            yield from _differences(manifest, database, progress)
            # The contents were stored just now, so one without a record is reported only if `now` is an hour later.
            for finding in examine(database, progress, attached=Contents(blobs, now)):
                yield finding.sentence


def _differences(manifest: BackupManifest, database: Database, progress: Progress) -> Iterator[str]:
    """Yields differences between the manifest and the restored rows.

    Rows of an older schema are not compared, because they were migrated.
    """
    with database.reading() as db:
        held, places = copying.sum_balances(db), copying.load_places(db)
        rows = _digest_alike(manifest, db, progress)
    for comparison in [*_compare_tables(manifest.tables, rows), *_compare_balances(manifest.balances, held, places)]:
        if not comparison.equal:
            yield f"{comparison.name}: {comparison.original} in the backup, but {comparison.copied} after restoring."


def _digest_alike(manifest: BackupManifest, db: Unit, progress: Progress) -> Tables:
    """Counts the restored rows, and computes digests if the manifest has them, as in format 1."""
    if manifest.migration != migrations.known()[-1]:
        return manifest.tables
    has_digests = any(table.digest for table in manifest.tables.values())
    return copying.digest_tables(db, progress) if has_digests else copying.count_tables(db, progress)


def _unpack(archive: BackupArchive, folder: Path, progress: Progress) -> SqliteDatabase:
    """Unpacks the database of the backup, and migrates it to the newest schema."""
    progress("unpacking the database")
    path = folder / DATABASE
    if archive.manifest.files[DATABASE].size > shutil.disk_usage(folder).free:
        raise Unusable(f"There is no room on the disk of {folder}/ for the database of the backup.")
    with path.open("wb") as file:
        for piece in archive.pieces(DATABASE):
            file.write(piece)
    database = SqliteDatabase(path)
    try:
        database.distrust()
        _refuse_other_migrations(archive.manifest, database)
        migrations.migrate(database)
        with database.reading() as db:  # the names of tables and columns become part of statements
            strange = copying.find_strange_table(db)
        if strange:
            raise Unusable(
                f"The database of the backup is not a Farthing database: its table {strange} has other columns."
            )
    except BaseException:
        database.close()
        raise
    return database


def _refuse_other_migrations(manifest: BackupManifest, database: Database) -> None:
    """Refuses a database whose migrations differ from ours. Compares all of them, because any of them may differ."""
    applied = migrations.status(database).applied
    ours = migrations.known()[: len(applied)]
    if applied[-1:] != (manifest.migration,) or applied != ours:
        strange = ", ".join(sorted(set(applied) ^ set(ours))) or manifest.migration
        raise Unusable(f"The backup does not have the migrations of this version: they differ in {strange}.")


def _keep(archive: BackupArchive, blobs: Blobs, user_id: int, sha256: str) -> None:
    incoming = blobs.receive()
    try:
        for piece in archive.content(user_id, sha256):
            incoming.write(piece)
        if incoming.content().sha256 != sha256:
            raise Unusable(f"The backup is damaged: the content {sha256} of user {user_id} does not match its hash.")
        incoming.keep(user_id)
    finally:
        incoming.discard()


def _refuse_not_empty(database: Database) -> None:
    migrations.ensure_current(database)
    with database.reading() as db:
        _refuse_users(db)


def _refuse_users(db: Unit) -> None:
    if not copying.is_empty(db):
        raise Unusable("The target already has users; it must be empty. Nothing was changed.")


def _compare_tables(original: Tables, copied: Tables) -> list[CopyComparison]:
    return [
        CopyComparison(
            name=table,
            original=pluralize(original[table].rows, "row"),
            copied=pluralize(copied[table].rows, "row"),
            equal=(original[table].rows, original[table].digest) == (copied[table].rows, copied[table].digest),
        )
        for table in original.keys() & copied.keys()
    ]


def _compare_balances(original: dict[str, int], copied: dict[str, int], places: dict[str, int]) -> list[CopyComparison]:
    def show(units: int | None, code: str) -> str:
        return "none" if units is None else as_text(units, places.get(code, 0))

    return [
        CopyComparison(
            name=f"balances in {code}",
            original=show(original.get(code), code),
            copied=show(copied.get(code), code),
            equal=original.get(code) == copied.get(code),
        )
        for code in sorted(original.keys() | copied.keys())
    ]
