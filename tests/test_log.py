"""Logs: readable or JSON, with the request's id, without secrets."""

import errno
import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

import pytest

from farthing.kernel import config, log

AT = datetime(2024, 3, 10, 12, 30, 0, 125_000, tzinfo=UTC)


@pytest.fixture
def lines(monkeypatch):
    """Configures logging onto a text that the test can read, and undoes it afterwards."""
    loggers = [logging.getLogger(name) for name in ("", "farthing", "uvicorn")]
    levels = [logger.level for logger in loggers]
    stream = io.StringIO()

    def written(**given: str) -> io.StringIO:
        monkeypatch.setattr("sys.stderr", stream)
        log.configure(config.load({f"FARTHING_{name.upper()}": text for name, text in given.items()}, Path("none")))
        return stream

    yield written
    logging.getLogger().handlers[:] = [
        handler for handler in logging.getLogger().handlers if not isinstance(handler, log.FarthingHandler)
    ]
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def test_away_from_a_terminal_a_line_is_one_json_object_with_the_extra_fields(lines):
    stream = lines()

    logging.getLogger("farthing.request").info("GET %s", "/x", extra={"request_id": "r1", "status": 200})

    line = json.loads(stream.getvalue())
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "farthing.request",
        "message": "GET /x",
        "request_id": "r1",
        "status": 200,
    }


def test_as_text_a_line_can_be_read_and_cannot_be_forged(lines):
    stream = lines(log_format="text")

    logging.getLogger("farthing").warning("odd", extra={"path": "/x\n12:00:00 info fine\x1b[31m"})

    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().endswith("warning odd path=/x\\x0a12:00:00 info fine\\x1b[31m\n")


def test_as_text_a_request_line_says_nothing_twice(lines):
    stream = lines(log_format="text")

    facts = {"request_id": "r1", "method": "GET", "path": "/x", "status": 200, "ms": 1.5, "user_id": None}
    logging.getLogger("farthing.request").info("GET /x 200", extra=facts)

    assert stream.getvalue().endswith(" info    GET /x 200 request_id=r1 ms=1.5\n")


def test_secrets_stay_out_of_messages_extras_and_tracebacks(lines):
    stream = lines()

    try:
        raise RuntimeError("no answer from postgresql://me:hunter2@db/money")
    except RuntimeError:
        logging.getLogger("farthing").exception(
            "sent Authorization: Bearer hunter2 to postgresql://me:hunter2@db",
            extra={"password": "hunter2", "access_token": "hunter2", "address": "https://me:hunter2@x"},
        )

    assert "no answer from postgresql://me:***@db" in stream.getvalue()
    assert "hunter2" not in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize(
    "told",
    [
        "Authorization: bEaReR hunter2",
        "bEaReR hunter2",
        "GET /api/v1/bEaReR%20hunter2",
        "Authorization: Basic hunter2",
        "BASIC hunter2",
        "Proxy-Authorization: bAsIc hunter2",
        "HTTP_AUTHORIZATION=Unheard-Of hunter2",
        "authorization: hunter2",
        "AUTHORIZATION: Unheard-Of a=1, hunter2",
        'Authorization: Digest username="me", response="hunter2"',
        "{'Authorization': 'Unheard-Of hunter2', 'Host': 'x'}",
        "[(b'authorization', b'Unheard-Of hunter2'), (b'host', b'x')]",
        "Cookie: farthing_session=1; other=hunter2",
        "sEt-cOoKiE: farthing_session=hunter2; Path=/",
        "X-CSRF-Token: hunter2",
        "X-Api-Key: hunter2",
        "GET /x?a=1&access_token=hunter2",
        "GET /x?ToKeN=hunter2&a=1",
        "GET /x?api_key=hunter2",
        "GET /x?key=hunter2",
        "https://farthing.example/#/sign-in?code=hunter2",
        '{"password": "hunter2 and more of hunter2"}',
        "https://me:hunter2@x",
    ],
)
def test_no_way_to_write_a_secret_gets_past(lines, form, told):
    stream = lines(log_format=form)
    logger = logging.getLogger("farthing")

    logger.info("sent %s", told)
    logger.info("odd", extra={"what": told, "list": [told], "headers": {"one": told}})
    with nobody_else_listening():
        log.write_lines(logger, [log.LogLine(AT, told, {"path": told})])

    assert "hunter2" not in stream.getvalue()
    assert stream.getvalue().count("***") >= 5


def test_a_long_path_of_a_client_does_not_hold_the_log_up(lines):
    stream = lines()
    began = process_time()

    logging.getLogger("farthing").info("GET %s", "://:" * 16_000)

    assert stream.getvalue().endswith("}\n")
    assert process_time() - began < 5, "it took a minute while each address was looked through to the end"


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize(
    "told",
    [
        "POST /api/v1/tokens 200",
        "token 12 was revoked by token_id=4",
        "GET /x?currency_code=EUR&keys=3",
        "http://farthing.example:8000/api",
        "the session cookie, which had expired, was taken away",
    ],
)
def test_what_is_no_secret_is_told_in_full(lines, form, told):
    stream = lines(log_format=form)

    logging.getLogger("farthing").info(told)

    assert told in stream.getvalue()


def test_the_level_governs_our_voice_and_libraries_speak_only_when_something_is_wrong(lines):
    stream = lines(log_level="debug")

    logging.getLogger("farthing").debug("ours")
    logging.getLogger("uvicorn.error").info("server")
    logging.getLogger("uvicorn.access").info("never")
    logging.getLogger("somebody").info("chatter")
    logging.getLogger("somebody").warning("trouble")

    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == ["ours", "server", "trouble"]


def test_configuring_twice_does_not_write_twice(lines):
    lines()
    stream = lines()

    logging.getLogger("farthing").info("once")

    assert len(stream.getvalue().splitlines()) == 1


def test_the_silent_handler_of_the_command_line_goes_when_ours_comes(lines):
    """Else every request line would go the long way."""
    logging.root.addHandler(logging.NullHandler())

    lines()

    assert not [one for one in logging.root.handlers if isinstance(one, logging.NullHandler)]


@contextmanager
def nobody_else_listening() -> Iterator[None]:
    others = logging.root.handlers[:]
    logging.root.handlers[:] = [one for one in others if isinstance(one, log.FarthingHandler)]
    try:
        yield
    finally:
        logging.root.handlers[:] = others


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("level", ["info", "warning"])
def test_what_is_told_is_written_as_what_is_logged(lines, form, level):
    """Also where the line goes straight to its file, because nobody else listens."""
    stream, logger = lines(log_format=form, log_level=level), logging.getLogger("farthing.request")
    message, extra = "GET /x 200", {"status": 200, "user_id": None, "password": "hush", "url": "http://me:pw@x"}

    logger.info(message, extra=extra)
    log.write_lines(logger, [log.LogLine(AT, message, extra)])
    with nobody_else_listening():
        log.write_lines(logger, [log.LogLine(AT, message, extra)])

    told = [_without_time(line, form) for line in stream.getvalue().splitlines()]
    assert len(told) == (3 if level == "info" else 0)
    assert len(set(told)) <= 1
    assert "hush" not in stream.getvalue()
    assert "pw" not in stream.getvalue()


def _without_time(line: str, form: str) -> str:
    return json.dumps({**json.loads(line), "time": ""}) if form == "json" else line[len("12:00:00") :]


class FullDisk(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_no_request_fails_because_its_line_cannot_be_written(lines, monkeypatch):
    lines()
    with nobody_else_listening():
        logging.root.handlers[0].setStream(FullDisk())
        monkeypatch.setattr("sys.stderr", FullDisk())

        log.write_lines(logging.getLogger("farthing.request"), [log.LogLine(AT, "GET /x 200", {})])


def test_a_line_is_told_as_of_the_moment_that_it_is_about(lines):
    stream = lines()
    with nobody_else_listening():
        log.write_lines(logging.getLogger("farthing.request"), [log.LogLine(AT, "GET /x 200", {})])

    assert json.loads(stream.getvalue())["time"] == "2024-03-10T12:30:00.125+00:00"
