"""The guard for requests to addresses that users give, against real servers on this machine."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from time import monotonic

import pytest

from farthing.kernel.network.outgoing import (
    AnswerTooLarge,
    Destination,
    NotAllowed,
    RequestLimits,
    Unreachable,
    ask,
    is_allowed,
    look_up,
)

from .needs import find_program, or_skip

QUICK = RequestLimits(connect_s=2, total_s=0.3, body_bytes_max=1000)
FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"


@contextmanager
def serving(
    answer: Callable[[socket.socket], None] | bytes,
    *,
    family: int = socket.AF_INET,
    context: ssl.SSLContext | None = None,
) -> Iterator[tuple[int, list[bytes]]]:
    """A server that reads the head of each request, then says something of its own; its port, and what it heard."""
    heard: list[bytes] = []
    listener = socket.socket(family)
    listener.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
    listener.listen()

    def talk(connection: socket.socket) -> None:
        # Whoever hangs up in the middle is part of the test.
        with suppress(OSError), context.wrap_socket(connection, server_side=True) if context else connection as plain:
            head = b""
            while b"\r\n\r\n" not in head and (more := plain.recv(4096)):
                head += more
            heard.append(head)
            plain.sendall(answer) if isinstance(answer, bytes) else answer(plain)
            plain.shutdown(socket.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield listener.getsockname()[1], heard
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def at(port: int, host: str = "127.0.0.1", **more: str) -> Destination:
    return Destination(scheme=more.get("scheme", "http"), host=host, port=port, path="", addresses=("127.0.0.1",))


def body_of(to: Destination, limits: RequestLimits | None = None) -> bytes:
    with ask(to, "GET", "/", limits=limits) as answer:
        return answer.read()


ALWAYS_REFUSED = (
    *("0.0.0.0", "0.1.2.3", "100.100.100.200", "168.63.129.16", "169.254.169.254", "169.254.1.1", "192.0.0.192"),
    *("192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "::", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1"),
    *("64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1"),
    *("fe80::1", "fec0::1", "fd00:ec2::254", "ff02::1"),
)
PRIVATE = (
    *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "127.0.0.1", "127.8.8.8"),
    *("::1", "fc00::1", "fd12:3456::1"),
)
PUBLIC = (
    *("1.1.1.1", "8.8.8.8", "100.128.0.1", "172.32.0.1", "192.169.0.1", "223.255.255.255"),
    *("2606:4700::1111", "2a00:1450::1"),
)


@pytest.mark.parametrize("address", ALWAYS_REFUSED)
def test_metadata_link_local_and_wrapped_addresses_are_never_asked(address: str) -> None:
    assert not is_allowed(ip_address(address), allow_private=False)
    assert not is_allowed(ip_address(address), allow_private=True)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_need_leave(address: str) -> None:
    assert not is_allowed(ip_address(address), allow_private=False)
    assert is_allowed(ip_address(address), allow_private=True)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_asked(address: str) -> None:
    assert is_allowed(ip_address(address), allow_private=False)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0"]
)
def test_every_spelling_of_this_machine_is_refused(host: str) -> None:
    with pytest.raises(NotAllowed, match="Farthing does not connect to it"):
        look_up(f"http://{host}:80/", allow_private=False)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org",
        "file:///etc/passwd",
        "gopher://127.0.0.1",
        "example.org",
        "",
        "http://",
        "http://me:secret@127.0.0.1",
        "http://@127.0.0.1",
        "http://127.0.0.1:0",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:x",
        "http://[::1",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/\r\nHost: x",
        "http://exämple.org",
        "http://127.0.0.1/" + "a" * 3000,
    ],
)
def test_an_address_that_is_none_of_ours_is_refused_before_anything_is_asked(url: str) -> None:
    with pytest.raises(NotAllowed):
        look_up(url, allow_private=True)


def test_a_name_that_nobody_has() -> None:
    with pytest.raises(Unreachable, match=r"no server with the name nobody\.invalid"):
        look_up("http://nobody.invalid", allow_private=True)


def test_a_host_is_looked_up_once_and_never_again() -> None:
    """The name resolves to nothing; the address that was found before is used."""
    with serving(FINE) as (port, heard):
        assert body_of(at(port, "rebound.invalid")) == b"hello"

    assert f"Host: rebound.invalid:{port}\r\n".encode() in heard[0]
    assert b"Accept-Encoding: identity\r\n" in heard[0]


def test_a_name_of_this_machine_works_with_leave() -> None:
    with serving(FINE) as (port, _):
        to = look_up(f"http://localhost:{port}/some/path/", allow_private=True)
        assert to.path == "/some/path"
        assert body_of(to) == b"hello"


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_ipv6() -> None:
    with serving(FINE, family=socket.AF_INET6) as (port, heard):
        assert body_of(look_up(f"http://[::1]:{port}", allow_private=True)) == b"hello"

    assert f"Host: [::1]:{port}\r\n".encode() in heard[0]


def test_a_body_is_sent_with_its_length() -> None:
    headers = {"X-Signature": "abc"}
    with serving(FINE) as (port, heard), ask(at(port), "POST", "/hook?x=1", headers=headers, body=b"{}") as answer:
        assert (answer.status, answer.headers["content-length"]) == (200, "5")

    assert heard[0].startswith(b"POST /hook?x=1 HTTP/1.1\r\n")
    assert b"Content-Length: 2\r\n" in heard[0]


@pytest.mark.parametrize(
    ("target", "headers"),
    [("no-slash", {}), ("/a b", {}), ("/\r\nX: y", {}), ("/", {"X": "a\r\nY: b"}), ("/", {"X Y": "a"})],
)
def test_nothing_slips_a_header_in(target: str, headers: dict[str, str]) -> None:
    with pytest.raises(NotAllowed), ask(at(1), "GET", target, headers=headers):
        pass


def test_redirects_are_not_followed() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    with serving(moved) as (port, heard), ask(at(port), "GET", "/") as answer:
        assert (answer.status, answer.headers["location"]) == (302, "http://127.0.0.1:1/")

    assert len(heard) == 1


def drip(start: bytes, drop: bytes) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        connection.sendall(start)
        while not gone.wait(0.02):
            connection.sendall(drop)

    gone = threading.Event()
    return answer


@pytest.mark.parametrize(
    "answer",
    [
        drip(b"", b"H"),
        drip(b"HTTP/1.1 200 OK\r\n", b"X"),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", b"x"),
        drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["status", "header", "body", "continue"],
)
def test_a_server_that_drips_is_left_when_the_time_is_up(answer: Callable[[socket.socket], None]) -> None:
    began = monotonic()

    with serving(answer) as (port, _), pytest.raises(Unreachable, match="longer than"):
        body_of(at(port), QUICK)

    assert monotonic() - began < 3


def test_a_server_that_never_answers_is_left_when_the_time_is_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Unreachable, match="longer than"):
        body_of(at(silent.getsockname()[1]), QUICK)


@pytest.mark.parametrize(
    "start",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n" + b"x" * 1001,
        b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n" + b"x" * 1000 + b"\r\n" + b"1\r\nx\r\n" * 9000,
    ],
    ids=["told", "until the end", "in chunks"],
)
def test_an_answer_without_end_is_cut_at_its_limit(start: bytes) -> None:
    with serving(start) as (port, _), pytest.raises(AnswerTooLarge, match="larger than 1000 bytes"):
        body_of(at(port), RequestLimits(body_bytes_max=1000))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nbombs", "compressed"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", "too early|IncompleteRead"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello", "did not answer like a web server"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "did not answer like a web server"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 5000 + b"\r\n", "did not answer like a web server"),
        (b"HTTP/1.1 200 " + b"x" * 100_000, "did not answer like a web server"),
        (b"", "did not answer like a web server"),
    ],
)
def test_what_is_no_proper_answer_is_an_error_of_the_other_server(answer: bytes, sentence: str) -> None:
    with serving(answer) as (port, _), pytest.raises(Unreachable, match=sentence):
        body_of(at(port))


def test_an_error_of_the_caller_stays_the_callers() -> None:
    with serving(FINE) as (port, _), pytest.raises(OSError, match="disk full"), ask(at(port), "GET", "/"):
        raise OSError("disk full")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = or_skip(find_program("openssl"), "openssl")
    made = tmp_path_factory.mktemp("certificate") / "localhost.pem"
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    more = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(made), "-out", str(made.with_suffix(".crt"))]
    subprocess.run([program, *options.split(), *more], check=True, capture_output=True)
    made.write_bytes(made.read_bytes() + made.with_suffix(".crt").read_bytes())
    return made


def test_certificates_are_checked_against_the_host_name(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serving(FINE, context=context) as (port, _):
        with pytest.raises(Unreachable, match="certificate of localhost is not valid"):
            body_of(at(port, "localhost", scheme="https"))
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
        assert body_of(at(port, "localhost", scheme="https")) == b"hello"
        with pytest.raises(Unreachable, match=r"certificate of other\.example is not valid"):
            body_of(at(port, "other.example", scheme="https"))
        with pytest.raises(Unreachable):
            body_of(at(port, "localhost", scheme="http"))
