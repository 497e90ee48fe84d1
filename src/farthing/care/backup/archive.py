"""Writes backups: zip files with the database, the attachments and a manifest of hashes.

manifest.json           the list of files and tables, with row counts and hashes
farthing.sqlite3        the whole database, in SQLite format even if the server uses PostgreSQL
attachments/7/3fa1…     a file of user 7, named by its SHA-256
settings.env            the settings except secrets, for reference; restoring ignores them
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from farthing import __version__
from farthing.books.attachments import store as attachments
from farthing.kernel.config import Settings, mask, secret_names
from farthing.kernel.errors import Unusable
from farthing.storage import copying, migrations
from farthing.storage.blobs import Blobs, Lost
from farthing.storage.copying import Progress
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.unit import Database

from . import scratch
from .manifest import CONTENTS, DATABASE, FORMAT, MANIFEST, SETTINGS, BackupManifest, File, PackedTable
from .reading import PIECE, manifest_bytes_max

# The highest compression level would make databases 5 percent smaller, but take four times as long.
_PACKING = 1


def make(
    path: Path, settings: Settings, database: Database, blobs: Blobs, now: str, progress: Progress
) -> BackupManifest:
    """Writes a complete backup to `path` and syncs it to disk. If that fails, no file is left behind."""
    try:
        if path.exists():
            raise Unusable(f"{path} already exists; a backup never overwrites a file.")
        with scratch.beside(path, settings.data) as folder:
            partial = folder / f"partial-{path.name}"  # in a folder of its own, to avoid name clashes
            partial.touch(mode=0o600, exist_ok=False)  # private data: readable only by us, whatever the umask
            with partial.open("wb") as file:
                manifest = _write(file, folder, settings, database, blobs, now, progress)
                file.flush()
                os.fsync(file.fileno())
            partial.rename(path)
        _sync(path.parent)
    except OSError as error:  # the message names `path`, because the error usually names a temporary file
        raise Unusable(f"{path} cannot be written: {error.strerror or error}") from error
    return manifest


def _write(
    file: BinaryIO, folder: Path, settings: Settings, database: Database, blobs: Blobs, now: str, progress: Progress
) -> BackupManifest:
    copied = folder / DATABASE
    _snapshot(database, copied, progress)
    with closing(SqliteDatabase(copied)) as snapshot:
        migration = migrations.status(snapshot).applied[-1]
        with snapshot.reading() as db:
            tables, balances = copying.count_tables(db, progress), copying.sum_balances(db)
            contents = sorted(attachments.all_contents(db))
    files, missing = {}, []
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=_PACKING) as archive:
        with copied.open("rb") as rows:
            files[DATABASE] = _add(archive, DATABASE, iter(lambda: rows.read(PIECE), b""), progress)
        for user_id, sha256 in contents:
            name = f"{CONTENTS}/{user_id}/{sha256}"
            try:
                files[name] = _add_content(archive, name, blobs, user_id, sha256, progress)
            except Lost:
                missing.append(name)
        files[SETTINGS] = _add(archive, SETTINGS, iter([_list_settings(settings)]), progress)
        manifest = BackupManifest(
            format=FORMAT,
            version=__version__,
            migration=migration,
            made_at=now,
            tables={name: PackedTable(rows=table.rows) for name, table in tables.items()},
            balances=balances,
            files=files,
            missing=missing,
        )
        text = msgspec.json.format(msgspec.json.encode(manifest))
        if len(text) > manifest_bytes_max(len(files)):
            raise Unusable("Too many contents of attachments are missing. Run farthing doctor to list them.")
        archive.writestr(MANIFEST, text)
    return manifest


def _snapshot(database: Database, path: Path, progress: Progress) -> None:
    """Copies all rows, as of one moment, into a new SQLite file."""
    progress("copying the database")
    if isinstance(database, SqliteDatabase):
        database.snapshot(path)
        with closing(SqliteDatabase(path, overwrite_deleted=True)) as copied:
            with copied.writing() as db:
                copying.leave_behind(db)
            copied.empty_log()
        return
    with closing(SqliteDatabase(path)) as target:
        migrations.migrate(target, until=migrations.status(database).applied[-1])
        with database.reading() as source, target.writing() as db:
            copying.copy(source, db, progress)
        target.empty_log()


def _add(archive: ZipFile, name: str, pieces: Iterator[bytes], progress: Progress, *, packed: bool = True) -> File:
    progress(f"packing {name}")
    digest, size = hashlib.sha256(), 0
    # An entry given by its name is compressed, one given as a ZipInfo is not. Either way, unpacked files are private.
    entry = name if packed else ZipInfo(name)
    with archive.open(entry, "w", force_zip64=True) as member:
        for piece in pieces:
            digest.update(piece)
            size += len(piece)
            member.write(piece)
    return File(sha256=digest.hexdigest(), size=size)


def _add_content(archive: ZipFile, name: str, blobs: Blobs, user_id: int, sha256: str, progress: Progress) -> File:
    """Adds the content of an attachment. Raises Lost, before anything is written, if it is missing or damaged."""
    content = blobs.content(user_id, sha256)
    if content is None or content.sha256 != sha256:
        raise Lost(name)
    with closing(blobs.read(user_id, sha256, size=content.size)) as reader:
        return _add(archive, name, iter(reader.read, b""), progress, packed=False)


def _list_settings(settings: Settings) -> bytes:
    hidden = secret_names()
    lines = [f"{name}={value}" for name, value in mask(settings).items() if name not in hidden]
    return "\n".join(["# The settings in force when this backup was made, without secrets.", *lines, ""]).encode()


def _sync(folder: Path) -> None:
    if os.name != "nt":
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)
