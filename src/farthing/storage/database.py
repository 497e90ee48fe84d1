"""Which database is meant? The setting's URL decides; the rest of the program sees only the common surface."""

from pathlib import Path

from ..config import Settings
from ..errors import Misconfigured
from .unit import Database


def connect(settings: Settings) -> Database:
    url = settings.database_url
    if url.startswith("sqlite:///"):
        from .sqlite import SqliteDatabase

        return SqliteDatabase(Path(url.removeprefix("sqlite:///")))
    try:
        from .postgres import PostgresDatabase
    except ImportError as error:
        raise Misconfigured("PostgreSQL needs its driver: pip install 'farthing[postgres]'") from error
    return PostgresDatabase(url, settings.postgres_connections_max)
