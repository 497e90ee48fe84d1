"""The examples in deploy/proxies, as they are but for ports and certificates, with real Caddy and real nginx."""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ..cli.conftest import EMAIL, PATIENCE_SECONDS, Server, Terminal, kept_port, settle

EXAMPLES = Path(__file__).parents[2] / "deploy" / "proxies"
HOST, BACK = "money.example", "127.0.0.1:8000"
BILL = {
    "name": "Rent", "match": "rent", "amount_min": "1", "amount_max": "2", "currency_code": "EUR", "date": "2024-01-01",
    "repeat_freq": "monthly", "skip": 0, "automatch": True, "active": True,
}  # fmt: skip
VISITOR, STRANGER = "127.0.0.2", "203.0.113.9"
_CADDY = "{\n admin off\n local_certs\n skip_install_trust\n http_port %d\n https_port %d\n}\n"
_NGINX = """
daemon off; pid {at}/pid; error_log stderr; worker_processes 1; events {{}}
http {{
    access_log off; client_body_temp_path {at}/body; proxy_temp_path {at}/proxy; fastcgi_temp_path {at}/fastcgi;
    uwsgi_temp_path {at}/uwsgi; scgi_temp_path {at}/scgi; include {at}/site.conf;
}}
"""


class Visit:
    """Somebody with curl, on another address than the proxy."""

    def __init__(self, port: int, base: str) -> None:
        self.base = base
        self._options = ["--connect-to", f"{HOST}:443:127.0.0.1:{port}", "--interface", VISITOR, "--insecure"]

    def ask(self, path: str, *words: str) -> tuple[int, str]:
        command = ["curl", "-sS", "-w", "\n%{http_code}", *self._options, *words, f"https://{HOST}{path}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
        body, _, status = done.stdout.rpartition("\n")
        return int(status), body


@pytest.mark.parametrize("example", ["Caddyfile", "Caddyfile-subpath", "nginx.conf", "nginx-subpath.conf"])
def test_the_example_brings_pages_uploads_and_the_address_of_the_visitor(tmp_path, example):
    settings = dict(re.findall(r"^#   (FARTHING_\w+)=(\S+)", (EXAMPLES / example).read_text(), re.MULTILINE))
    terminal = settle(Terminal(tmp_path))
    token = terminal.says("token", "create", EMAIL).strip()
    with (
        terminal.serving(FARTHING_LOG_FORMAT="json", **settings) as server,
        proxy(example, server.port, tmp_path) as port,
    ):
        visit = Visit(port, settings["FARTHING_BASE_URL"].removeprefix(f"https://{HOST}"))
        _wait_for(visit)

        assert_every_link_of_the_page_leads_somewhere(visit)
        assert_uploads_pass_and_links_are_public(visit, token, settings["FARTHING_BASE_URL"], tmp_path)
        assert_the_visitor_is_known(visit, server)


def assert_every_link_of_the_page_leads_somewhere(visit: Visit) -> None:
    status, page = visit.ask(f"{visit.base}/")
    assert status == 200
    links = re.findall(r'(?:src|href)="(?!https?:|data:|#)([^"]+)"', page)
    assert len(links) >= 3
    for link in links:
        path = link if link.startswith("/") else f"{visit.base}/{link.removeprefix('./')}"
        status, body = visit.ask(path)
        assert (status, "Something else" in body) == (200, False), path


def assert_uploads_pass_and_links_are_public(visit: Visit, token: str, base_url: str, folder: Path) -> None:
    signed = ("-H", f"Authorization: Bearer {token}", "-H", "Content-Type: application/json")
    bill_id = _id(visit.ask(f"{visit.base}/api/v1/bills", *signed, "-d", json.dumps(BILL)))
    record = {"filename": "large.bin", "model": "Bill", "model_id": bill_id}
    attachment = _id(visit.ask(f"{visit.base}/api/v1/attachments", *signed, "-d", json.dumps(record)))
    large = folder / "large.bin"
    large.write_bytes(b"\x00" * 3 * 2**20)  # more than nginx allows by itself

    words = (*signed[:2], "-H", "Content-Type: application/octet-stream", "--data-binary", f"@{large}")
    status, body = visit.ask(f"{visit.base}/api/v1/attachments/{attachment}/upload", *words)

    assert status == 204, body
    status, body = visit.ask(f"{visit.base}/api/v1/attachments/{attachment}", *signed)
    shown = json.loads(body)["data"]["attributes"]
    assert shown["size"] == 3 * 2**20
    assert shown["download_uri"].startswith(f"{base_url}/api/v1/")


def assert_the_visitor_is_known(visit: Visit, server: Server) -> None:
    """Whatever address they claim to come from: sign-ins are limited by it."""
    guess = json.dumps({"email": EMAIL, "password": "wrong wrong wrong"})
    claim = ("-H", f"X-Forwarded-For: {STRANGER}", "-H", f"Origin: https://{HOST}", "--json", guess)

    assert visit.ask(f"{visit.base}/api/v1/session", *claim)[0] == 422

    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert [line["address"] for line in lines if line["message"] == "sign-in refused"] == [VISITOR]


def _id(answered: tuple[int, str]) -> str:
    status, body = answered
    assert status in (200, 201), body
    return str(json.loads(body)["data"]["id"])


def _wait_for(visit: Visit) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            if visit.ask(f"{visit.base}/readyz")[0] == 200:
                return
        except subprocess.CalledProcessError:
            time.sleep(0.05)
    raise AssertionError("the proxy did not start")


@contextmanager
def proxy(example: str, behind: int, folder: Path) -> Iterator[int]:
    with kept_port() as keeper, kept_port() as other:
        port, plain = keeper.getsockname()[1], other.getsockname()[1]
    text = (EXAMPLES / example).read_text().replace(BACK, f"127.0.0.1:{behind}")
    command = _caddy(text, port, plain, folder) if example.startswith("Caddy") else _nginx(text, port, folder)
    with (folder / "proxy.log").open("w") as log:
        environment = {"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def _caddy(text: str, port: int, plain: int, folder: Path) -> list[str]:
    (folder / "Caddyfile").write_text(_CADDY % (plain, port) + text)
    return [_program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _nginx(text: str, port: int, folder: Path) -> list[str]:
    names = ["-keyout", str(folder / "tls.key"), "-out", str(folder / "tls.crt"), "-subj", f"/CN={HOST}"]
    making = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", *names]
    subprocess.run(making, capture_output=True, check=True)
    for written, used in (("listen 443", f"listen 127.0.0.1:{port}"), (f"/etc/ssl/{HOST}", f"{folder}/tls")):
        assert written in text
        text = text.replace(written, used)
    (folder / "site.conf").write_text(text)
    (folder / "nginx.conf").write_text(_NGINX.format(at=folder))
    return [_program("nginx"), "-c", str(folder / "nginx.conf")]


def _program(name: str) -> str:
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin")
    assert found, f"apt install {name}"
    return found
