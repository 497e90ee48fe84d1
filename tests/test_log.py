"""Logs: readable or JSON, with the request's id, without secrets."""

import errno
import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from farthing import config, log

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
        handler for handler in logging.getLogger().handlers if not isinstance(handler, log.OurHandler)
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
    logging.root.handlers[:] = [one for one in others if isinstance(one, log.OurHandler)]
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
    log.tell(logger, [log.Told(AT, message, extra)])
    with nobody_else_listening():
        log.tell(logger, [log.Told(AT, message, extra)])

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

        log.tell(logging.getLogger("farthing.request"), [log.Told(AT, "GET /x 200", {})])


def test_a_line_is_told_as_of_the_moment_that_it_is_about(lines):
    stream = lines()
    with nobody_else_listening():
        log.tell(logging.getLogger("farthing.request"), [log.Told(AT, "GET /x 200", {})])

    assert json.loads(stream.getvalue())["time"] == "2024-03-10T12:30:00.125+00:00"
