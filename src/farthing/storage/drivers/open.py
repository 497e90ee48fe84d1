"""Opens the database that the settings name. The rest of the program uses only the common interface."""

import sys
from pathlib import Path

from farthing.kernel.config import Settings
from farthing.kernel.errors import FileGone, Misconfigured, Unusable

from .. import migrations
from ..unit import Clash, Database, Overflow
from .sqlite_files import mark_made, was_made

# A replica that takes longer than this to connect is considered unavailable.
_REPLICA_S = 2.0


def connect(settings: Settings) -> Database:
    if settings.database_file:
        from .sqlite import SqliteDatabase

        return SqliteDatabase(settings.database_file)
    return _connect_postgres(settings, settings.database_url)


def connect_replica(settings: Settings) -> Database:
    """Connects to the replica. Raises Unavailable after a short wait, because the primary can answer instead."""
    assert settings.read_url, "called only if a replica is configured"
    return _connect_postgres(settings, settings.read_url, connect_s=_REPLICA_S)


def _connect_postgres(settings: Settings, url: str, **options: float) -> Database:
    try:
        from .postgres.database import PostgresDatabase
    except ImportError as error:
        raise Misconfigured("PostgreSQL needs its driver: pip install 'farthing[postgres]'") from error
    prepare = settings.database_prepare == "on"
    return PostgresDatabase(url, settings.postgres_connections_max, prepare=prepare, **options)


def open_current(settings: Settings, *, create: bool = False, serve: bool = False, upgrade: bool = False) -> Database:
    """Opens the database, and refuses any schema but the current one.

    With `create`, creates a missing database, unless one existed there before. With `serve`, a server or one of its
    processes may also open a newer schema that it can work with. With `upgrade`, migrates an older schema.
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
    """Opens or creates the database, with any schema. Raises FileGone if a database existed there and is missing."""
    file = settings.database_file
    _refuse_missing(file, create=not (file and was_made(file)))
    return connect(settings)


def _refuse_missing(file: Path | None, *, create: bool) -> None:
    if create or file is None or (file.exists() and file.stat().st_size):
        return
    if was_made(file):
        raise FileGone(f"The database file {file} is gone: put it back, or restore a backup with `farthing restore`.")
    raise Unusable(f"There is no database yet at {file}; `farthing serve` or `farthing user create` creates one.")


def is_driver_error(error: Exception) -> bool:
    """Tells whether this is an error of a database driver that was not translated into one of our own errors."""
    drivers = [sys.modules[name].Error for name in ("apsw", "psycopg") if name in sys.modules]
    return isinstance(error, (Clash, Overflow, *drivers))
