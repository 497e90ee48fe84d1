"""Opens the database that the settings name; the rest of the program sees only the common surface."""

import sys
from pathlib import Path

from farthing.kernel.config import Settings
from farthing.kernel.errors import FileGone, Misconfigured, Unusable

from .. import migrations
from ..unit import Clash, Database, Overflow
from .sqlite_files import mark_made, was_made

# A replica that takes longer than this to connect counts as away.
_REPLICA_S = 2.0


def connect(settings: Settings) -> Database:
    if settings.database_file:
        from .sqlite import SqliteDatabase

        return SqliteDatabase(settings.database_file)
    return _connect_postgres(settings, settings.database_url)


def connect_replica(settings: Settings) -> Database:
    """Raises Unavailable soon if it is away: the primary can answer instead."""
    assert settings.read_url, "only where one is set"
    return _connect_postgres(settings, settings.read_url, connect_s=_REPLICA_S)


def _connect_postgres(settings: Settings, url: str, **options: float) -> Database:
    try:
        from .postgres.database import PostgresDatabase
    except ImportError as error:
        raise Misconfigured("PostgreSQL needs its driver: pip install 'farthing[postgres]'") from error
    prepare = settings.database_prepare == "on"
    return PostgresDatabase(url, settings.postgres_connections_max, prepare=prepare, **options)


def open_current(settings: Settings, *, create: bool = False, serve: bool = False, upgrade: bool = False) -> Database:
    """Refuses any schema but the current one. Creates a database only with `create`, never where one existed.

    With `serve` it is for a server or one of its processes, which may be older than others on the database. Only with
    `upgrade` an older schema is migrated.
    """
    file = settings.database_file
    create = create and not (file and was_made(file))
    _refuse_missing(file, create=create)
    books = connect(settings)
    try:
        migrations.ensure_current(books, create=create, serve=serve, upgrade=upgrade)
        if file:
            mark_made(file)
    except BaseException:
        books.close()
        raise
    return books


def connect_or_create(settings: Settings) -> Database:
    """Accepts any schema. Creates nothing where a database existed and is gone."""
    file = settings.database_file
    _refuse_missing(file, create=not (file and was_made(file)))
    return connect(settings)


def _refuse_missing(file: Path | None, *, create: bool) -> None:
    if create or file is None or (file.exists() and file.stat().st_size):
        return
    if was_made(file):
        raise FileGone(f"The database file {file} is gone: put it back, or restore a backup with `farthing restore`.")
    raise Unusable(f"There is no database yet at {file}; `farthing serve` or `farthing user create` makes one.")


def is_driver_error(error: Exception) -> bool:
    """Says whether a database driver raised this error and nobody translated it. Only loaded drivers can raise one."""
    drivers = [sys.modules[name].Error for name in ("apsw", "psycopg") if name in sys.modules]
    return isinstance(error, (Clash, Overflow, *drivers))
