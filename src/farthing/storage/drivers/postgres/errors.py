"""Translates errors of psycopg into ours."""

import psycopg

from farthing.kernel.errors import DiskFull, Locked, ReadOnly, Unavailable

from ...unit import Clash, Overflow


def translate(error: psycopg.Error) -> Exception:
    """Returns one of our errors; an error that is none of these is a bug, and is returned as it is."""
    match error:
        case psycopg.errors.NumericValueOutOfRange():
            return Overflow(str(error))
        case psycopg.IntegrityError():
            return Clash(str(error))
        case psycopg.errors.DiskFull():
            return DiskFull(f"There is no room on the disk of the database: {error}".splitlines()[0])
        case psycopg.errors.ReadOnlySqlTransaction():
            return ReadOnly(f"The database takes no writes: {error}".splitlines()[0])
        case psycopg.errors.LockNotAvailable() | psycopg.errors.DeadlockDetected():
            return Locked(f"Something else holds a lock in the database: {error}".splitlines()[0])
        case psycopg.errors.InvalidSqlStatementName() | psycopg.errors.DuplicatePreparedStatement():
            hint = "A connection pooler that mixes up prepared statements needs FARTHING_DATABASE_PREPARE=off"
            return Unavailable(f"{hint}: {error}".splitlines()[0])
        case psycopg.OperationalError():
            return Unavailable(f"The database cannot be reached just now: {error}".splitlines()[0])
    return error
