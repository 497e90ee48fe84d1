"""Nonsense is refused with a 4xx and a sentence that helps; nothing is stored, and nothing is ever a 5xx.

Everything is sent twice: to the app itself, and over a real connection to a real server on the same books.
"""

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from ..accounts.making import asset, expense, liability, made
from ..cli.conftest import Server, Terminal
from ..proof.test_at_once import the_clock

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=XX"


@dataclass(frozen=True)
class Answered:
    status: int
    text: str

    @property
    def said(self) -> str:
        """Every sentence of the answer."""
        body = json.loads(self.text)
        return (
            " ".join(sentence for of_field in body.get("errors", {}).values() for sentence in of_field)
            or body["message"]
        )


@pytest.fixture(scope="module")
def server(shared_world, shared_database_url, tmp_path_factory) -> Iterator[Server]:
    """At the moment of the shared world: else its job process would fire years of what other tests planned."""
    folder = tmp_path_factory.mktemp("server")
    settings = the_clock(folder) | {"FARTHING_LOG_LEVEL": "info"}
    with Terminal(folder, shared_database_url).serving(**settings) as running:
        yield running


def over_the_wire(server, token, method, path, content_type, body, **headers) -> Answered:
    headers |= {"Authorization": f"Bearer {token}", **({"Content-Type": content_type} if content_type else {})}
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as line:
        line.request(method, f"/api/v1{path}", body, headers, encode_chunked="Transfer-Encoding" in headers)
        response = line.getresponse()
        return Answered(response.status, response.read().decode())


@pytest.fixture(params=["app", pytest.param("server", marks=pytest.mark.any_database)])
def ask(request, me) -> Callable[..., Answered]:
    if request.param == "server":
        server = request.getfixturevalue("server")
        return lambda *words: over_the_wire(server, me.token, *words)

    def in_process(method, path, content_type, body):
        headers = {"Content-Type": content_type} if content_type else {}
        response = me.request(method, path, headers=headers, content=body)
        return Answered(response.status_code, response.text)

    return in_process


def sent(body, **changed):
    return json.dumps({**body, **changed}).encode()


def raw(body, name, value):
    """The JSON of a body with one value written by hand."""
    return json.dumps({**body, name: "@@"}).replace('"@@"', value).encode()


def form(body, **changed):
    fields = {name: int(value) if isinstance(value, bool) else value for name, value in {**body, **changed}.items()}
    return urlencode(fields).encode()


def part(name, value):
    return b'--XX\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (name, value)


OPENED = asset(opening_balance_date="2024-01-01")
BAD = {
    # Bodies that cannot be read
    "broken JSON": (400, JSON, b'{\n  "name": "x",,\n}', "line 2, column 15"),
    "half a JSON": (400, JSON, b'{"name": "x"', "line 1, column 13"),
    "a list": (400, JSON, b"[1, 2]", "must be an object"),
    "a word": (400, JSON, b'"name"', "must be an object"),
    "null": (400, JSON, b"null", "must be an object"),
    "not UTF-8": (400, JSON, b'{"name": "\xff"}', "not valid UTF-8"),
    "UTF-16": (400, JSON, '{"name": "x"}'.encode("utf-16"), "is malformed"),
    "NaN": (400, JSON, b'{"virtual_balance": NaN}', "is malformed"),
    "an unknown encoding": (415, "text/plain", b"name=x", "application/json"),
    "no encoding": (415, None, b"name=x", "application/json"),
    "a form that is not UTF-8": (400, FORM, b"name=%ff", "not valid UTF-8"),
    "multipart without boundary": (400, "multipart/form-data", b"--XX", "boundary"),
    "multipart that ends early": (400, MULTIPART, b"--XX\r\nContent", "ends before"),
    # Too much of it
    "100 000 nested brackets": (400, JSON, b"[" * 100_000, "deeper than 32"),
    "100 000 nested groups": (400, JSON, b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "deeper than 32"),
    "100 000 nested brackets in a form": (422, FORM, b"name" + b"[x]" * 100_000 + b"=1", "at most 10 levels"),
    "10 000 form keys": (413, FORM, "&".join(f"k{n}=1" for n in range(10_000)).encode(), "more than 2000"),
    "10 000 keys in JSON": (413, JSON, json.dumps({f"k{n}": 1 for n in range(10_000)}).encode(), "more than 2000"),
    "10 000 parts": (413, MULTIPART, part(b"k", b"1") * 10_000 + b"--XX--\r\n", "more than 2000"),
    "a huge index": (422, FORM, form(expense()) + b"&name[9999999999]=x", "index"),
    "a value and a group": (422, FORM, form(expense()) + b"&name[x]=y", "both as a value and as a group"),
    "a body just over the limit": (413, JSON, sent(expense(), x="x" * 2 * 1024**2), "larger than 2097152 bytes"),
    # Characters that are none
    "NUL in JSON": (422, JSON, sent(expense(), name="a\0b"), "NUL"),
    "NUL in a form": (422, FORM, form(expense(), name="a\0b"), "NUL"),
    "NUL in multipart": (422, MULTIPART, part(b"name", b"a\0b") + b"--XX--\r\n", "NUL"),
    "NUL in notes": (422, JSON, sent(expense(), notes="\0"), "NUL"),
    "NUL in an account number": (422, JSON, sent(expense(), account_number="1\0"), "NUL"),
    "a lone surrogate": (400, JSON, raw(expense(), "name", '"\\ud800"'), "surrogate"),
    "a lone low surrogate": (400, JSON, raw(expense(), "notes", '"x\\udc00y"'), "surrogate"),
    "a surrogate in a form": (400, FORM, b"name=%ed%a0%80", "not valid UTF-8"),
    # Amounts
    "too many decimals": (422, JSON, sent(OPENED, opening_balance="1.001"), "at most 2 decimal places in EUR"),
    "too many decimals as number": (422, JSON, raw(OPENED, "opening_balance", "1.001"), "at most 2 decimal places"),
    "beyond 64 bits": (422, JSON, sent(OPENED, opening_balance="92233720368547758.08"), "92233720368547758.07"),
    "far beyond 64 bits": (422, JSON, raw(OPENED, "opening_balance", "9" * 50), "92233720368547758.07"),
    "a number of 5 000 digits": (422, JSON, raw(OPENED, "opening_balance", "9" * 5000), "at most 100 digits"),
    "text of 5 000 digits": (422, JSON, sent(OPENED, opening_balance="9" * 5000), "at most 100 digits"),
    "a huge exponent": (422, JSON, raw(OPENED, "opening_balance", "1e999999999"), "exponent"),
    "a tiny exponent": (422, JSON, raw(OPENED, "opening_balance", "1e-999999999"), "exponent"),
    "an exponent in text": (422, JSON, sent(OPENED, opening_balance="1e3"), "like 1234.56"),
    "a decimal comma": (422, FORM, form(OPENED, opening_balance="1,50"), "like 1234.56"),
    "digits of another script": (422, JSON, sent(OPENED, opening_balance="١٢"), "like 1234.56"),
    # Days, currencies, banks
    "29 February in a wrong year": (422, JSON, sent(liability(), liability_start_date="2023-02-29"), "no such day"),
    "29 February 1900": (422, FORM, form(liability(), liability_start_date="1900-02-29"), "no such day"),
    "the year 999": (422, JSON, sent(liability(), liability_start_date="0999-01-01"), "between 1000 and 9998"),
    "the year 9999": (422, JSON, sent(liability(), liability_start_date="9999-01-01"), "between 1000 and 9998"),
    "an unknown currency": (422, JSON, sent(expense(), currency_code="XXQ"), "no such currency"),
    "a currency id beyond 64 bits": (422, JSON, raw(expense(), "currency_id", "9" * 30), "invalid"),
    "an IBAN with one wrong digit": (422, JSON, sent(expense(), iban="NL02ABNA0123456788"), "each digit"),
    "a name of 256 letters": (422, JSON, sent(expense(), name="n" * 256), "greater than 255 characters"),
    "groups where words belong": (422, JSON, sent(expense(), name={"a": [1]}, active=[], bic={"x": 1}), "must be text"),
    "a list in a form where words belong": (422, FORM, form(expense()) + b"&notes[0]=x", "must be text"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_nonsense_in_a_body_is_refused_with_a_sentence_that_helps(ask, me, case):
    status, content_type, body, helps = BAD[case]
    account_id = made(me, asset())
    before = me.get("/accounts").json()

    for method, path in (("POST", "/accounts"), ("PUT", f"/accounts/{account_id}")):
        answered = ask(method, path, content_type, body)
        assert 400 <= answered.status < 500, answered.text
        if method == "POST":
            assert (answered.status, helps in answered.said) == (status, True), answered.text

    assert me.get("/accounts").json() == before


@pytest.mark.any_database
@pytest.mark.parametrize(
    "word", ["abc", "1x", "-1", "1.0", "0", "9" * 30, "%00", "%ff", "%ed%a0%80", quote("١"), "%2e%2e", "~"]
)
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_an_id_that_is_no_number_is_not_found(ask, method, word):
    answered = ask(method, f"/accounts/{word}", JSON, b"{}")

    assert (answered.status, answered.said) == (404, "Resource not found")


@pytest.mark.parametrize(
    "query", ["page=-1", "page=abc", "page=1e9", "limit=-5", "type=%00", "include=%ff", "x" * 5000]
)
def test_odd_queries_that_mean_nothing_are_answered_as_if_they_were_not_there(ask, query):
    assert ask("GET", f"/accounts?{query}", None, None).status == 200


# What only a real connection can show


@pytest.mark.any_database
@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Length": "104857600"},
        {"Content-Length": "104857600", "Connection": "close"},
        {"Transfer-Encoding": "chunked"},
    ],
    ids=str,
)
def test_a_body_of_100_mb_gets_its_413_and_is_not_kept(server, me, headers):
    pieces = (b"x" * 2**20 for _ in range(100))

    answered = over_the_wire(server, me.token, "POST", "/accounts", JSON, pieces, **headers)

    assert (answered.status, answered.said) == (413, "The body may not be larger than 2097152 bytes.")
    assert memory_mb(server) < 200


@pytest.mark.any_database
@pytest.mark.parametrize("path", ["/accounts", "/session", "/attachments"])
def test_a_stranger_hears_why_but_is_not_listened_to_for_ever(server, path):
    pieces = [b"x" * 2**20] * 20
    length = str(len(pieces) * 2**20)
    heard = over_the_wire(server, "nobody", "POST", path, MULTIPART, pieces, **{"Content-Length": length})
    assert heard.status == (413 if path == "/session" else 401)

    head = f"POST /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall(f"{head}Content-Length: {2**30}\r\n\r\n".encode())
        assert taken_mb(line) < 200


def taken_mb(line):
    """Until it is cut."""
    taken = 0
    with suppress(ConnectionError):
        while taken < 2**10:
            line.sendall(b"x" * 2**20)
            taken += 1
    return taken


def memory_mb(server):
    status = Path(f"/proc/{server.process.pid}/status")
    if not status.exists():
        return 0
    return next(int(words.split()[1]) for words in status.read_text().splitlines() if words.startswith("VmHWM")) // 1024


def said_raw(server, data):
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall(data)
        return line.recv(4096)


@pytest.mark.any_database
def test_a_sender_that_asks_first_is_told_before_it_sends(server, me):
    head = f"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {me.token}\r\n"

    answer = said_raw(server, f"{head}Expect: 100-continue\r\nContent-Length: 104857600\r\n\r\n".encode())

    assert answer.startswith(b"HTTP/1.1 413")


@pytest.mark.any_database
def test_a_body_that_breaks_off_is_not_taken_for_the_whole(server, me):
    """A form that is cut off may still read like a form."""
    whole = form(expense(name="Cut off"))
    head = f"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORM}\r\n"
    head += f"Authorization: Bearer {me.token}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall(f"{head}Content-Length: {len(whole) + 10}\r\n\r\n".encode() + whole)

    until_logged(server, "POST /api/v1/accounts 400")
    assert me.get("/accounts").json()["meta"]["pagination"]["total"] == 1


def until_logged(server, words):
    deadline = time.monotonic() + 30
    while words not in server.log.read_text():
        assert time.monotonic() < deadline, server.log.read_text()
        time.sleep(0.02)


@pytest.mark.any_database
@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"get /api/v1/accounts HTTP/1.1\r\n\r\n",
        b"GET /api/v1/accounts/\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /api/v1/accounts?" + b"a=1&" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ],
    ids=range(8),
)
def test_what_is_hardly_http_is_refused_and_the_server_lives(server, data):
    assert said_raw(server, data).startswith(b"HTTP/1.1 4")
    assert said_raw(server, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.any_database
def test_after_all_this_the_log_tells_of_no_error(server):
    assert '"level":"error"' not in server.log.read_text()
