"""Compression: answers above 1 kB, by `Accept-Encoding`, and never where a secret is in them."""

import gzip
import json
import sys
from collections.abc import Iterator

import pytest

from farthing.http.answer.encoding import BYTES_MIN, choose_encoding

from ..cli.conftest import EMAIL, Terminal, settle
from .test_connections import connect, read_answer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

READERS = {"zstd": zstd.decompress, "gzip": gzip.decompress}
OFFERED = ("zstd", "gzip")


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("", ""),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("GZIP;Q=1.0", "gzip"),
        ("zstd;q=0.5, gzip;q=0.8", "gzip"),
        ("zstd;q=0, gzip", "gzip"),
        ("zstd;q=0, *", "gzip"),
        ("*", "zstd"),
        ("*;q=0", ""),
        ("identity", ""),
        ("identity, gzip;q=0.5", ""),
        ("identity;q=0.5, gzip;q=0.5", "gzip"),
        ("gzip;q=0, zstd;q=0.0", ""),
        ("br, deflate", ""),
        ("gzip;q=one, zstd;level=3", ""),
        ("gzip;q=2, gzip;q=nan", ""),
        (",;,=;q", ""),
    ],
)
def test_the_client_chooses(accepted, chosen):
    assert choose_encoding(accepted.encode(), OFFERED) == chosen


class Wire:
    """One connection of somebody with a token; answers come as they were sent."""

    def __init__(self, port: int, token: str) -> None:
        self.line, self._token = connect(port), token

    def ask(self, path: str, *headers: str, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {self._token}", *headers]
        self.line.sendall("\r\n".join([*lines, "", ""]).encode())
        head, _, body = read_answer(self.line, without_body=method == "HEAD").partition(b"\r\n\r\n")
        status, *told = head.decode().split("\r\n")
        return (
            int(status.split()[1]),
            {name.lower(): text for name, _, text in (one.partition(": ") for one in told)},
            body,
        )


LONG, SHORT, SECRET = "/api/v1/currencies", "/api/v1/about", "/api/v1/tokens"


@pytest.fixture(scope="module")
def wire(tmp_path_factory) -> Iterator[Wire]:
    terminal = settle(Terminal(tmp_path_factory.mktemp("encoding")))
    for number in range(8):
        token = terminal.says("token", "create", EMAIL, "--name", f"number {number}").strip()
    with terminal.serving(FARTHING_LOG_LEVEL="warning") as running:
        wire = Wire(running.port, token)
        yield wire
        wire.line.close()


@pytest.mark.parametrize("encoding", OFFERED)
def test_a_long_answer_is_compressed_and_keeps_its_tag(wire, encoding):
    _, plain, whole = wire.ask(LONG)
    _, told, sent = wire.ask(LONG, f"Accept-Encoding: {encoding}")

    assert len(whole) > BYTES_MIN
    assert len(sent) < len(whole) / 4
    assert READERS[encoding](sent) == whole
    assert told["content-encoding"] == encoding
    assert told["content-length"] == str(len(sent))
    assert told["etag"] == plain["etag"]
    assert told["vary"] == plain["vary"] == "Accept-Encoding"
    assert "content-encoding" not in plain

    assert wire.ask(LONG, f"Accept-Encoding: {encoding}", method="HEAD")[1]["content-length"] == str(len(sent))
    status, unchanged, nothing = wire.ask(LONG, f"Accept-Encoding: {encoding}", f"If-None-Match: {plain['etag']}")
    assert (status, nothing, unchanged["etag"], unchanged["vary"]) == (304, b"", plain["etag"], "Accept-Encoding")


@pytest.mark.parametrize("asked", ["", "Accept-Encoding: identity", "Accept-Encoding: gzip;q=0, br"])
def test_who_accepts_nothing_gets_the_same_bytes_as_ever(wire, asked):
    _, told, sent = wire.ask(LONG, *filter(None, [asked]))

    assert json.loads(sent)["data"]
    assert (told["content-length"], "content-encoding" in told) == (str(len(sent)), False)


def test_short_answers_and_secrets_are_left_as_they_are(wire):
    """The length of a compressed secret beside something of the caller's choice would tell what they have in common."""
    for path in (SHORT, SECRET):
        _, told, sent = wire.ask(path, "Accept-Encoding: zstd, gzip")

        assert json.loads(sent)
        assert not {"content-encoding", "vary"} & told.keys()
    assert len(sent) > BYTES_MIN, "a list of tokens is long enough"
    _, told, sent = wire.ask(LONG, "Accept-Encoding: zstd", "Sec-Fetch-Site: cross-site")
    assert "content-encoding" not in told, "a page of somebody else's has sent the browser here"


def test_the_openapi_document_is_compressed(wire):
    _, told, sent = wire.ask("/api/openapi.json", "Accept-Encoding: gzip")

    assert json.loads(gzip.decompress(sent))["openapi"]
    assert told["content-encoding"] == "gzip"
