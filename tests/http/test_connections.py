"""No client can stall the server with what it sends, does not send, or does not read. All over real sockets."""

import asyncio
import gc
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from farthing.http.request.proxies import Proxies
from farthing.http.server.connection import ConnectionFactory
from farthing.http.server.open_connections import ConnectionLimits, fit_limits

from ..cli.conftest import PATIENCE_SECONDS, Server, Terminal, settle

HEAD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
MIB = 2**20


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with Terminal(tmp_path_factory.mktemp("server")).serving(FARTHING_LOG_LEVEL="warning") as running:
        yield running


def connect(port: int, *, address: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS, source_address=(address, 0))


def read_to_end(line: socket.socket) -> bytes:
    """Until the server hangs up."""
    received = b""
    with suppress(ConnectionError):
        while piece := line.recv(2**16):
            received += piece
    return received


def read_answer(line: socket.socket, *, without_body: bool = False) -> bytes:
    """One answer, on a connection that stays open; that to a HEAD is without the body that it tells of."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = line.recv(2**16)
        assert piece, received
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [int(text) for name, _, text in map(_split, head.split(b"\r\n")) if name.lower() == b"content-length"]
    length = 0 if without_body else sum(lengths)
    while len(body) < length:
        body += line.recv(2**16)
    return head + b"\r\n\r\n" + body


def _split(text: bytes) -> tuple[bytes, bytes, bytes]:
    return text.partition(b":")


def ask(port: int, request: bytes = HEAD + b"\r\n") -> bytes:
    with connect(port) as line:
        line.sendall(request)
        return read_answer(line)


def send_all_it_takes(line: socket.socket, piece: bytes, bytes_max: int) -> None:
    with suppress(ConnectionError):
        for _ in range(bytes_max // len(piece)):
            line.sendall(piece)


def memory_mb(server: Server) -> int:
    status = Path(f"/proc/{server.process.pid}/status")
    if not status.exists():
        pytest.skip("only Linux tells how much memory a process has used")
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) // 1024


# Heads


def test_a_head_is_cut_at_its_limit_and_the_client_hears_why(server):
    short, long = (HEAD + b"X: " + b"x" * (size - len(HEAD) - 7) + b"\r\n\r\n" for size in (2**16 - 1, 2**16 + 1))

    assert ask(server.port, short).startswith(b"HTTP/1.1 200")
    with connect(server.port) as line:
        line.sendall(long)
        head, _, body = read_to_end(line).partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 431 Request Header Fields Too Large")
    assert b"connection: close" in head
    assert b"x-request-id: " in head
    assert json.loads(body) == {
        "message": "The headers may not be larger than 65536 bytes.",
        "exception": "RequestHeaderFieldsTooLargeHttpException",
    }


def test_a_hundred_headers_are_enough(server):
    hundred = HEAD + b"".join(b"X-%d: x\r\n" % number for number in range(99))

    assert ask(server.port, hundred + b"\r\n").startswith(b"HTTP/1.1 200")
    assert ask(server.port, hundred + b"X: x\r\n\r\n").startswith(b"HTTP/1.1 431")


CHUNKED = b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("beginning", "piece"),
    [
        (HEAD + b"X: ", b"x"),
        (HEAD, b"a:b\r\n"),
        (b"GET /", b"x"),
        (b"", b"\r\n"),
        (CHUNKED + b"1;", b"x"),
        (CHUNKED + b"0\r\nX: ", b"x"),
        (CHUNKED + b"0\r\n", b"a:b\r\n"),
    ],
    ids=["value", "headers", "address", "blank lines", "chunk extension", "trailer", "trailers"],
)
def test_what_has_no_end_is_refused_at_once(server, beginning, piece):
    """200 MiB of one header took the parser two minutes, in which nobody else was answered."""
    with connect(server.port) as line:
        line.sendall(beginning)
        send_all_it_takes(line, piece * (MIB // len(piece)), 200 * MIB)
        began = time.monotonic()
        assert ask(server.port).startswith(b"HTTP/1.1 200")
        assert time.monotonic() - began < 5

        assert read_to_end(line).startswith(b"HTTP/1.1 431")
    assert memory_mb(server) < 200


def test_a_content_type_is_short_or_not_read(server):
    head = b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Type: "

    answer = ask(server.port, head + b"multipart/form-data" + b";" * 60_000 + b"\r\n\r\nx")

    assert answer.startswith(b"HTTP/1.1 415")
    assert b"The Content-Type may not be longer than 1024 bytes." in answer


def test_a_trailer_is_no_header(server):
    trailing = CHUNKED + b"0\r\nHost: other.example\r\nX-Request-Id: from-the-trailer\r\n\r\n"

    assert b"from-the-trailer" not in ask(server.port, trailing)


def test_what_follows_a_request_in_one_piece_is_answered_after_it(server):
    body = b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    post = b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\n" + body
    with connect(server.port) as line:
        line.sendall(post + HEAD + b"\r\n" + post + HEAD + b"\r\n" + b"nonsense\r\n\r\n")
        received = read_to_end(line)

    assert [one[:3] for one in received.split(b"HTTP/1.1 ")[1:]] == [b"422", b"200", b"422", b"200"]


@pytest.mark.parametrize(
    ("head", "status", "why"),
    [
        (b"GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505, "HTTP/1.1, not HTTP/2.0"),
        (CHUNKED.replace(b"chunked", b"gzip, chunked"), 501, "The only supported Transfer-Encoding is chunked"),
        (CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n"), 415, "without Content-Encoding"),
    ],
    ids=["version", "transfer", "content"],
)
def test_what_is_not_spoken_here_is_refused_with_a_sentence(server, head, status, why):
    answer = ask(server.port, head)

    assert answer.startswith(b"HTTP/1.1 %d" % status)
    assert why.encode() in answer


def test_an_encoding_that_changes_nothing_is_taken(server):
    plain = CHUNKED.replace(b"chunked", b"Chunked\r\nContent-Encoding: utf-8\r\nContent-Type: application/json")

    assert ask(server.port, plain + b"2\r\n{}\r\n0\r\n\r\n").startswith(b"HTTP/1.1 422")


# Connections, with limits that are quick to reach


@contextmanager
def serving(proxies: Proxies | None = None, **limits: float) -> Iterator["QuickServer"]:
    app = QuickServer()
    factory = ConnectionFactory(ConnectionLimits(**({"look_every_s": 0.02} | limits)), proxies or Proxies(()))
    config = uvicorn.Config(app, port=0, http=factory, ws="none", loop="asyncio", lifespan="off", log_config=None)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        wait_until(lambda: running.started)
        app.port = running.servers[0].sockets[0].getsockname()[1]
        app.loop = running.servers[0].get_loop()
        app.connections = running.server_state.connections
        yield app
    finally:
        app.loop.call_soon_threadsafe(app.may_answer.set)
        running.should_exit = True
        thread.join()


class QuickServer:
    """Says ok; at /slow only when it may, at /body once all of it has come, at /large so much that it does not fit into
    the line, at /count how many requests are in memory; at /listen nothing more until either side ends it."""

    def __init__(self) -> None:
        self.port = 0
        self.loop: asyncio.AbstractEventLoop
        self.connections: set[object] = set()
        self.may_answer = asyncio.Event()
        self.slow = 0
        self.bodies = 0
        self.gone = 0

    async def __call__(self, scope, receive, send) -> None:
        if scope["path"] == "/slow":
            self.slow += 1
            await self.may_answer.wait()
        if scope["path"] == "/listen":
            await self.listen(scope["extensions"]["farthing.connection"], send)
            return
        if scope["path"] == "/body":
            self.bodies += 1
            while (await receive()).get("more_body"):
                pass
        body = b"x" * 64 * MIB if scope["path"] == "/large" else b"ok"
        if scope["path"] == "/count":
            gc.collect()
            body = str(sum(type(one) is RequestResponseCycle for one in gc.get_objects())).encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def listen(self, connection, send) -> None:
        ended = asyncio.get_running_loop().create_future()
        status = 200 if connection.listen(lambda stopping: ended.done() or ended.set_result(stopping)) else 503
        await send({"type": "http.response.start", "status": status, "headers": []})
        if status == 200:
            await send({"type": "http.response.body", "body": b"hello", "more_body": True})
            self.gone += not await ended
        await send({"type": "http.response.body", "body": b"goodbye"})


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def is_cut(line: socket.socket) -> bool:
    """Has the server hung up?"""
    line.setblocking(False)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    finally:
        line.settimeout(PATIENCE_SECONDS)


def test_who_listens_takes_no_place_of_others_and_is_told_when_the_server_stops():
    listen = HEAD.replace(b"/livez", b"/listen") + b"\r\n"

    def begin(port: int) -> socket.socket:
        line = lines.enter_context(connect(port))
        line.sendall(listen)
        received = b""
        while not received.endswith(b"hello\r\n"):
            received += line.recv(2**16)
        return line

    with ExitStack() as lines:
        with serving(connections_max=3, spare_connections=1, listeners_max=4) as server:
            listening = [begin(server.port) for _ in range(4)]
            with connect(server.port) as fifth:
                fifth.sendall(listen)
                assert fifth.recv(2**16).startswith(b"HTTP/1.1 503")
            idle = [lines.enter_context(connect(server.port)) for _ in range(2)]
            for line in idle:
                line.sendall(HEAD.replace(b"/livez", b"/slow") + b"\r\n")
            wait_until(lambda: server.slow == 2)
            server.loop.call_soon_threadsafe(server.may_answer.set)
            assert [read_answer(line).endswith(b"ok") for line in idle] == [True, True]

            listening.pop().close()
            wait_until(lambda: server.gone == 1)
            listening.append(begin(server.port))

        assert [b"goodbye" in read_to_end(line) for line in listening] == 4 * [True]


def test_requests_that_are_sent_ahead_wait_outside():
    """Each would take kilobytes of memory while it waits. They are answered in order, and all of them."""
    many = 2000
    with serving() as server, connect(server.port) as line:
        sent = (HEAD + b"\r\n") * many + HEAD.replace(b"livez", b"count") + b"\r\n" + (HEAD + b"\r\n") * many
        sending = threading.Thread(target=line.sendall, args=(sent + HEAD + b"Connection: close\r\n\r\n",))
        sending.start()
        answers = [one.rpartition(b"\r\n")[2] for one in read_to_end(line).split(b"HTTP/1.1 200 OK")[1:]]
        sending.join()

    assert len(answers) == 2 * many + 2
    assert int(answers.pop(many)) <= 3
    assert set(answers) == {b"ok"}


@pytest.mark.parametrize(
    "sent", [b"", b"GET", HEAD, HEAD + b"\r\n" + HEAD], ids=["nothing", "a word", "half", "second"]
)
def test_whoever_does_not_finish_a_head_is_cut(sent):
    with serving(head_s=0.2) as server, connect(server.port) as line:
        line.sendall(sent)
        if b"\r\n\r\n" in sent:
            read_answer(line)

        assert read_to_end(line) == b""


def test_a_head_that_comes_drop_by_drop_is_cut():
    with serving(head_s=0.3) as server, connect(server.port) as line:
        with suppress(ConnectionError):
            for number in range(PATIENCE_SECONDS * 50):
                line.sendall((HEAD + b"X: " + b"x" * 10_000)[number : number + 1])
                if is_cut(line):
                    break
                time.sleep(0.02)
        assert is_cut(line)


def test_who_is_being_answered_is_not_cut():
    with serving(head_s=0.05, keep_alive_s=0.05) as server, connect(server.port) as line:
        line.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.slow)
        with connect(server.port) as other:
            assert read_to_end(other) == b"", "by now the first would be cut as well"

        server.loop.call_soon_threadsafe(server.may_answer.set)

        assert read_answer(line).endswith(b"ok")
        assert read_to_end(line) == b"", "idle for long enough"


def test_an_idle_connection_is_cut_even_if_the_rest_of_a_body_trickles():
    with serving(keep_alive_s=0.2) as server, connect(server.port) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
        read_answer(line)
        with suppress(ConnectionError):
            while not is_cut(line):
                line.sendall(b"x")
                time.sleep(0.02)
        assert is_cut(line)


def test_who_does_not_read_the_answer_is_cut():
    with serving(keep_alive_s=0.1, unread_s=0.2) as server, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", server.port))
        line.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.connections)

        wait_until(lambda: not server.connections)

        assert len(read_to_end(line)) < 64 * MIB


def test_idle_connections_make_room_first_those_that_never_asked():
    with serving(connections_max=4, spare_connections=1) as server, ExitStack() as lines:
        used, silent, also_silent, also_used = (lines.enter_context(connect(server.port)) for _ in range(4))
        for line in (used, also_used):
            line.sendall(HEAD + b"\r\n")
            read_answer(line)

        cut = []
        for victim in (silent, also_silent, used):
            line = lines.enter_context(connect(server.port))
            line.sendall(HEAD + b"\r\n")
            read_answer(line)
            cut.append(victim)
            wait_until(lambda: is_cut(cut[-1]))
            assert not is_cut(also_used)


def test_when_all_are_busy_others_hear_so_and_health_checks_are_answered():
    with serving(connections_max=4, spare_connections=2) as server, ExitStack() as lines:
        busy = [lines.enter_context(connect(server.port)) for _ in range(2)]
        for line in busy:
            line.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.slow == 2)

        for _ in range(20):
            lines.enter_context(connect(server.port))
        refused = ask(server.port, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")

        assert refused.startswith(b"HTTP/1.1 503")
        assert b"\r\nretry-after: 5\r\n" in refused
        for path in (b"/livez", b"/readyz", b"/books/health?verbose"):
            assert ask(server.port, b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % path).startswith(b"HTTP/1.1 200")
        server.loop.call_soon_threadsafe(server.may_answer.set)
        assert all(read_answer(line).endswith(b"ok") for line in busy)


SLOW_BODY = b"POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{"
ANSWERED = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def send_slowly(lines: ExitStack, server: "QuickServer", *addresses: str) -> list[socket.socket]:
    """One after the other, each the beginning of a body."""
    slow = []
    for address in addresses:
        slow.append(lines.enter_context(connect(server.port, address=address)))
        before = server.bodies
        slow[-1].sendall(SLOW_BODY)
        wait_until(lambda before=before: server.bodies > before)
    return slow


def test_whoever_is_still_sending_a_body_gives_way_the_longest_silent_first():
    with serving(connections_max=4, spare_connections=1) as server, ExitStack() as lines:
        first, second, third = send_slowly(lines, server, *["127.0.0.1"] * 3)
        first.sendall(b"x" * 999_999)
        assert read_answer(first).endswith(b"ok")
        first.sendall(SLOW_BODY)
        wait_until(lambda: server.bodies == 4)

        assert ask(server.port, ANSWERED).startswith(b"HTTP/1.1 200")

        assert read_answer(second).startswith(b"HTTP/1.1 503")
        assert not is_cut(first)
        assert not is_cut(third)


def test_those_of_the_address_with_the_most_connections_give_way_first():
    with serving(connections_max=5, spare_connections=1) as server, ExitStack() as lines:
        alone, *many = send_slowly(lines, server, "127.0.0.2", *["127.0.0.1"] * 3)

        for _ in range(3):
            with connect(server.port, address="127.0.0.3") as other:
                other.sendall(ANSWERED)
                assert read_answer(other).startswith(b"HTTP/1.1 200")
            send_slowly(lines, server, "127.0.0.1")

        assert all(read_to_end(line).startswith(b"HTTP/1.1 503") for line in many)
        assert not is_cut(alone)


def test_a_crowd_that_is_idle_makes_room_before_others_do():
    with serving(connections_max=4, spare_connections=1) as server, ExitStack() as lines:
        alone = lines.enter_context(connect(server.port, address="127.0.0.2"))
        alone.sendall(ANSWERED)
        read_answer(alone)

        for _ in range(10):
            line = lines.enter_context(connect(server.port))
            line.sendall(ANSWERED)
            read_answer(line)

        assert not is_cut(alone)


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_an_answer_before_the_end_of_a_body_can_be_read_after_it(version):
    """Some clients send all of it first, and must not find the line cut then."""
    head = b"POST / HTTP/%b\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
    with serving() as server, connect(server.port) as line:
        line.sendall(head % (version, 20 * MIB))
        for _ in range(20):
            line.sendall(b"x" * MIB)

        assert read_to_end(line).endswith(b"ok")


def test_whoever_sends_on_after_the_answer_is_cut_when_little_comes():
    with serving(linger_s=0.2) as server, connect(server.port) as line:
        wait_until(lambda: server.connections)
        line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n")
        read_answer(line)
        while server.connections:
            with suppress(ConnectionError):
                line.sendall(b"x")
            time.sleep(0.02)


def test_a_refusal_is_logged_with_the_address_that_a_trusted_proxy_names(caplog):
    caplog.set_level("INFO", "farthing.request")
    too_many = HEAD + b"X-Forwarded-For: 203.0.113.7\r\n" + b"X: x\r\n" * 100 + b"\r\n"
    for proxies in (Proxies(()), Proxies(("127.0.0.1",))):
        with serving(proxies) as server:
            assert ask(server.port, too_many).startswith(b"HTTP/1.1 431")

    assert [one.address for one in caplog.records if one.name == "farthing.request"] == ["127.0.0.1", "203.0.113.7"]


def test_a_full_house_is_logged_when_it_begins_and_when_it_is_over(caplog, monkeypatch):
    monkeypatch.setattr("farthing.http.server.open_connections._CALM_S", 0.2)
    with serving(connections_max=4, spare_connections=2) as server, ExitStack() as lines:
        for address in ("127.0.0.1", "127.0.0.2", "127.0.0.2"):
            line = lines.enter_context(connect(server.port, address=address))
            line.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: server.slow == 2)
        ask(server.port, ANSWERED)
        ask(server.port, ANSWERED)
        wait_until(lambda: len(warnings(caplog)) == 2)

    began, ended = warnings(caplog)
    assert began.startswith("all 3 connections are in use, 2 of them by 127.0.0.2; ")
    assert ended == "there are free connections again; 3 requests were refused"


def warnings(caplog) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.name == "farthing.connections"]


# Descriptors


@pytest.mark.parametrize(("descriptors", "reserved"), [(20, 74), (128, 74), (256, 74), (1024, 74), (10**6, 1064)])
def test_connections_fit_into_the_descriptors(descriptors, reserved):
    limits = fit_limits(descriptors, reserved, ConnectionLimits())

    assert 8 <= limits.connections_max <= 1000
    assert 0 < limits.spare_connections < limits.connections_max
    if descriptors > 200:
        assert 2 * limits.connections_max + 3 * limits.accepts_max + reserved <= descriptors


@pytest.mark.parametrize("workers", ["1", "2"])
def test_idle_connections_beyond_the_limit_of_the_system_keep_nobody_out(tmp_path, workers):
    owned = settle(Terminal(tmp_path))
    token = owned.says("token", "create", "ann@example.org").strip()
    asking = f"GET /api/v1/about/user HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    with replace(owned, descriptors=256).serving("--workers", workers) as server, ExitStack() as lines:
        for number in range(320):
            line = lines.enter_context(connect(server.port))
            if number % 3:
                line.sendall(HEAD[: number % 40])
            if number % 50 == 0:
                assert ask(server.port).startswith(b"HTTP/1.1 200")
                assert ask(server.port, asking).startswith(b"HTTP/1.1 200")

        assert ask(server.port, HEAD.replace(b"livez", b"readyz") + b"\r\n").startswith(b"HTTP/1.1 200")
        assert '"level":"error"' not in server.log.read_text()
        assert server.stop() == 0
