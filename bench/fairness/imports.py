"""Uploads and imports files, as the other user does, and as an attacker would."""

import time
from collections.abc import Mapping
from io import BytesIO
from itertools import count
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec

from ..driver import Endpoint, ask, body_of, head_of

_BOUNDARY = "one-boundary-for-all"
_LOOK_EVERY_S = 0.05
_NUMBERS = count(1)
_ENTRY = b"2024-01-01 Baker\n  assets:cash  1 EUR\n  expenses:bread\n"
# A journal that takes some 20 seconds of processor time to read, and one that names each of its files by patterns.
JOURNAL = _ENTRY * 60_000
PATTERNS = b"".join(b"include **/*%d*.journal\n" % number for number in range(2000))
CAMT = (
    b'<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>'
    + b"<Othr><Id>1</Id></Othr>" * 300_000
    + b"</Stmt></BkToCstmrStmt></Document>"
)


def upload(endpoint: Endpoint, name: str, content: bytes, account_id: int | None = None) -> bytes:
    """A request that makes an import job of a file."""
    field = f'\r\nContent-Disposition: form-data; name="account_id"\r\n\r\n{account_id}\r\n--{_BOUNDARY}'
    start = f"--{_BOUNDARY}{field if account_id else ''}"
    start += f'\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = start.encode() + content + f"\r\n--{_BOUNDARY}--\r\n".encode()
    request = endpoint.request("POST", "/api/v1/import_jobs", body)
    of_form = f"content-type: multipart/form-data; boundary={_BOUNDARY}\r\n".encode()
    return request.replace(b"content-type: application/json\r\n", of_form, 1)


def make_zip(files: Mapping[str, bytes]) -> bytes:
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as zipped:
        for name, content in files.items():
            zipped.writestr(name, content)
    return archive.getvalue()


def create(endpoint: Endpoint, name: str, content: bytes) -> str:
    """Uploads a file, and returns the id of its job."""
    return _read_id(ask(endpoint, upload(endpoint, name, content)))


def begin(endpoint: Endpoint, name: str, content: bytes) -> str:
    """Starts an import, and returns the id of its job."""
    job_id = create(endpoint, name, content)
    _expect_success(ask(endpoint, endpoint.request("POST", f"/api/v1/import_jobs/{job_id}/run", b"{}")))
    return job_id


def import_one_row(endpoint: Endpoint, account_id: int) -> None:
    """Uploads a file of one row, runs the import, and waits for its end."""
    number = next(_NUMBERS)
    content = f"Date;Payee;Amount;Text\n2024-05-01;Baker;-{number}.25;Bread {number}\n".encode()
    job_id = _read_id(ask(endpoint, upload(endpoint, "one.csv", content, account_id)))
    _expect_success(ask(endpoint, endpoint.request("POST", f"/api/v1/import_jobs/{job_id}/run", b"{}")))
    while (state := _read_state(endpoint, job_id)) == "running":
        time.sleep(_LOOK_EVERY_S)
    assert state == "done", state


def _read_state(endpoint: Endpoint, job_id: str) -> str:
    answer = ask(endpoint, endpoint.request("GET", f"/api/v1/import_jobs/{job_id}"))
    return str(msgspec.json.decode(body_of(answer))["data"]["attributes"]["state"])


def _read_id(answer: bytes) -> str:
    _expect_success(answer)
    return str(msgspec.json.decode(body_of(answer))["data"]["id"])


def _expect_success(answer: bytes) -> None:
    assert head_of(answer).startswith(b"HTTP/1.1 200"), answer.decode(errors="replace")[:1000]
