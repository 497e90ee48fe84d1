"""A real S3 server for the tests, SeaweedFS from a wheel; one per test process, started when a test needs it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

KEY, SECRET = "farthing-tests", "quite-a-secret-of-nobody"
BUCKET = "household"
_PORTS = [f"{name}.{port}" for port in ("port", "port.grpc") for name in ("s3", "master", "volume", "filer")]
_PATIENCE_S = 60
_numbers = count(1)


@dataclass
class S3Server:
    address: str
    # The file system behind it, which asks for no signature.
    filer: str
    process: "subprocess.Popen[bytes]"

    def settings(self, **values: Any) -> dict[str, Any]:
        """A storage of its own: nobody else uses its prefix."""
        storage = f"s3://{BUCKET}/{os.getpid()}-{next(_numbers)}"
        return {"storage": storage, "s3_endpoint": self.address, "s3_key": KEY, "s3_secret": SECRET, **values}

    def store(self, storage: str) -> Any:
        """Past Farthing, for tests that look at what is stored, or damage it."""
        from obstore.store import S3Store

        bucket, _, prefix = storage.removeprefix("s3://").partition("/")
        return S3Store(
            bucket,
            prefix=prefix or None,
            endpoint=self.address,
            access_key_id=KEY,
            secret_access_key=SECRET,
            client_options={"allow_http": True, "timeout": "3s"},
            retry_config={"max_retries": 0, "retry_timeout": timedelta(seconds=1)},
        )

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It takes connections, and says nothing."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)


def find_weed() -> str | None:
    return shutil.which("weed", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


@contextmanager
def serving_s3(program: str) -> Iterator[S3Server]:
    folder = Path(tempfile.mkdtemp(prefix="s3-"))
    ports = dict(zip(_PORTS, _find_free_ports(len(_PORTS)), strict=True))
    process = subprocess.Popen(_words(program, folder, ports), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = S3Server(f"http://127.0.0.1:{ports['s3.port']}", f"http://127.0.0.1:{ports['filer.port']}", process)
    try:
        _wait_for(server)
        yield server
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
        _remove_sockets(ports.values())


def _remove_sockets(ports: Iterable[int]) -> None:
    """Removes what it left: its sockets are in /tmp, whatever TMPDIR says, and stay there when it is killed."""
    for port in ports:
        for socket_file in Path("/tmp").glob(f"seaweedfs-*-{port}.sock"):
            socket_file.unlink(missing_ok=True)


def _words(program: str, folder: Path, ports: dict[str, int]) -> list[str]:
    who = {"name": "farthing", "credentials": [{"accessKey": KEY, "secretKey": SECRET}], "actions": ["Admin"]}
    (folder / "s3.json").write_text(json.dumps({"identities": [who]}))
    return [
        *(program, "server", "-s3", f"-s3.config={folder / 's3.json'}", f"-dir={folder}", "-ip=127.0.0.1"),
        *("-s3.autoCreateBucket=false", "-s3.port.iceberg=0", "-s3.port.lance=0"),
        *("-master.volumeSizeLimitMB=64", "-volume.minFreeSpacePercent=0"),
        *(f"-{name}={port}" for name, port in ports.items()),
    ]


def _find_free_ports(number: int) -> list[int]:
    with ExitStack() as kept:
        sockets = [kept.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _wait_for(server: S3Server) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline and server.process.poll() is None:
        with suppress(Exception):
            _make_bucket(server)
            return
        time.sleep(0.05)
    raise AssertionError("SeaweedFS did not start")


def _make_bucket(server: S3Server) -> None:
    import obstore

    with suppress(HTTPError):  # it is there already
        urlopen(Request(f"{server.filer}/buckets/{BUCKET}/", method="POST"), timeout=5).close()
    obstore.put(server.store(f"s3://{BUCKET}"), "ready", b"yes")
