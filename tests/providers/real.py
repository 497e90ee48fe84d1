"""A real provider: npm's `oidc-provider`, in a process of its own; `make test` installs it."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import hatch_build
import httpx2

FOLDER = Path(__file__).parent
CLIENT_ID, SECRET = "farthing", "a secret of the tests"
_READY_S = 60


def run_in_node(script: str, argument: object) -> str:
    """Runs a script that uses one of the packages of npm here, and returns what it prints."""
    words = [str(hatch_build.folder_of_node() / "node"), "--input-type=module", "-e", script, json.dumps(argument)]
    done = subprocess.run(words, cwd=FOLDER, env=hatch_build.environment(), capture_output=True, text=True, check=True)
    return done.stdout.strip()


@dataclass
class RealProvider:
    issuer: str
    process: subprocess.Popen[bytes]

    def says_of(self, login: str, **claims: Any) -> None:
        """What it says of somebody from now on."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({login: claims}).encode() + b"\n")
        self.process.stdin.flush()
        while self.process.stdout.readline().strip() != b"heard":
            assert self.process.poll() is None, "the provider has ended"

    def lets_in(self, address: str, login: str) -> dict[str, str]:
        """What the provider adds to the callback after somebody has signed in there, as a browser would."""
        with SignedInThere() as person:
            return person.goes_to(address, login)


class SignedInThere:
    """Somebody's browser at the provider: it keeps the provider's cookies."""

    def __init__(self) -> None:
        self.http = httpx2.Client(trust_env=False)

    def __enter__(self) -> "SignedInThere":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def goes_to(self, address: str, login: str) -> dict[str, str]:
        callback = dict(parse_qsl(urlsplit(address).query))["redirect_uri"]
        response = self.http.get(address)
        for _ in range(10):
            if response.status_code == 200:  # the page that asks for a name; any password does
                form = {"prompt": "login", "login": login, "password": "any"}
                response = self.http.post(str(response.url), data=form)
            to = urljoin(str(response.url), response.headers["location"])
            if to.startswith(callback):
                return dict(parse_qsl(urlsplit(to).query))
            response = self.http.get(to)
        raise AssertionError("the provider sends its visitors in circles")


def find() -> Path | None:
    """The packages of npm beside this file."""
    mark = FOLDER / "node_modules" / ".installed"
    return mark if mark.is_file() else None


@contextmanager
def serving(
    port: int, callback: str, *, sign_out: str | None = None, host: str = "127.0.0.1"
) -> Iterator[RealProvider]:
    issuer = f"http://{host}:{port}"
    client: dict[str, Any] = {"client_id": CLIENT_ID, "client_secret": SECRET, "redirect_uris": [callback]}
    if sign_out:
        client |= {"backchannel_logout_uri": sign_out, "backchannel_logout_session_required": True}
    given = json.dumps({"issuer": issuer, "port": port, "clients": [client]})
    node = str(hatch_build.folder_of_node() / "node")
    process = subprocess.Popen(
        [node, "provider.js", given],
        cwd=FOLDER,
        env=hatch_build.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"ready"
        yield RealProvider(issuer, process)
    finally:
        process.kill()
        process.communicate(timeout=_READY_S)
