"""Makes the next COMMIT fail: on SQLite the disk is full, on PostgreSQL the backend is killed."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import apsw
import psycopg

from .disk import Disk, disk_beneath_sqlite

Failing = Callable[[], AbstractContextManager[None]]

# A deferred trigger runs at COMMIT, after the last statement. Every write of a user's books adds a revision.
_STRIKES_AT_COMMIT = """
CREATE SCHEMA trouble;
CREATE TABLE trouble.present (is_on boolean NOT NULL);
INSERT INTO trouble.present VALUES (false);
CREATE FUNCTION trouble.strike() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT is_on FROM trouble.present) THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
        PERFORM pg_sleep(60);  -- it is killed as soon as it waits
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER strike AFTER INSERT ON public.revisions
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trouble.strike();
"""


def disk_beneath(url: str) -> AbstractContextManager[Disk | None]:
    """To be entered before anybody opens the database."""
    return disk_beneath_sqlite() if url.startswith("sqlite") else nullcontext()


def prepare(url: str, disk: Disk | None) -> Failing:
    """What makes every COMMIT fail for as long as it lasts. The schema must be there already."""
    return _full(disk) if disk else _killed(url)


def _full(disk: Disk) -> Failing:
    """A write lies in SQLite's cache until it commits: there is nothing that the disk refuses before."""

    def refuse() -> None:
        raise apsw.FullError("no room")

    @contextmanager
    def failing() -> Iterator[None]:
        before, disk.on_write = disk.on_write, refuse
        try:
            yield
        finally:
            disk.on_write = before

    return failing


def _killed(url: str) -> Failing:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_STRIKES_AT_COMMIT)

    def switch(is_on: bool) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE trouble.present SET is_on = %s", [is_on])

    @contextmanager
    def failing() -> Iterator[None]:
        switch(True)
        try:
            yield
        finally:
            switch(False)

    return failing
