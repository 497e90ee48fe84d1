"""A real PgBouncer in front of the tests' PostgreSQL, in transaction mode."""

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from .needs import find_program
from .postgres import PostgresServer

_PATIENCE_S = 30
_CONFIG = """
[databases]
* = host={folder} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {backends}
max_client_conn = 200
logfile = {log}
"""


def find_pgbouncer() -> str | None:
    return find_program("pgbouncer")


def version(program: str | None) -> tuple[int, int]:
    assert program
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"PgBouncer (\d+)\.(\d+)", told)
    assert found, told
    return int(found[1]), int(found[2])


@contextmanager
def pooled(program: str, server: PostgresServer, *, backends: int) -> Iterator[str]:
    """The address of a new, empty database behind a pooler with so many backends."""
    url = urlsplit(server.new_database())
    with socket.socket() as keeper:
        keeper.bind(("127.0.0.1", 0))
        port = keeper.getsockname()[1]
    # Beside the data of PostgreSQL: as root both run as a user that cannot look into the folders of the tests.
    config = Path(server.server.pgdata) / f"pgbouncer-{port}.ini"
    settings = {"folder": parse_qs(url.query)["host"][0], "user": url.username, "log": config.with_suffix(".log")}
    config.write_text(_CONFIG.format(port=port, backends=backends, **settings))
    words = [program, str(config)]
    if user := server.server.system_user:
        words = [program, "-u", user, str(config)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"postgresql://{url.username}@127.0.0.1:{port}{url.path}"
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.02)
    raise AssertionError("PgBouncer did not start")
