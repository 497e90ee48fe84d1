"""Opens the database that the settings name; the rest of the program sees only the common surface."""

import sys

from farthing.kernel.config import Settings
from farthing.kernel.errors import Misconfigured

from .. import migrations
from ..unit import Clash, Database, Overflow


def connect(settings: Settings) -> Database:
    if settings.database_file:
        from .sqlite import SqliteDatabase

        return SqliteDatabase(settings.database_file)
    try:
        from .postgres.database import PostgresDatabase
    except ImportError as error:
        raise Misconfigured("PostgreSQL needs its driver: pip install 'farthing[postgres]'") from error
    connections_max, prepare = settings.postgres_connections_max, settings.database_prepare == "on"
    return PostgresDatabase(settings.database_url, connections_max, prepare=prepare)


def opened(settings: Settings) -> Database:
    """With the schema that this program needs, or not at all."""
    books = connect(settings)
    try:
        migrations.ensure_current(books)
    except BaseException:
        books.close()
        raise
    return books


def refused(error: Exception) -> bool:
    """Did the database say no, and nobody here knew what that means? Only a driver that is in use can have said it."""
    drivers = [sys.modules[name].Error for name in ("apsw", "psycopg") if name in sys.modules]
    return isinstance(error, (Clash, Overflow, *drivers))
