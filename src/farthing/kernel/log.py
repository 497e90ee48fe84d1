"""Writes log lines: readable text on a terminal, JSON otherwise, and never a secret."""

import logging
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

import msgspec

from .config import Settings

# Attributes that the logging module sets on a record (they differ between versions), and uvicorn's colours.
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_SECRET_NAME = re.compile(r"password|secret|token$|api_?key|authorization|cookie|database_url", re.IGNORECASE)
# A text that contains none of these words, in any case, cannot match _SECRET_TEXT.
_SIGNS = ("://", "bearer", "basic", "authorization", "cookie", "token", "secret", "passw", "key", "code=")
_QUOTED = r"""b?(?:".*?"|'.*?')"""
_SECRET_TEXT = re.compile(
    rf"""
    (://[^:@\s]*:)\S{{0,512}}(?=@)
    # A header in any notation: its value extends to the end of the line, for every scheme.
    | ((?:authorization|cookie)["']?\s*(?:[:=]\s*|,\s*(?=b?["'])))(?:{_QUOTED}|[^\r\n]+)
    | (\b(?:bearer|basic)(?:\s|%20|\+)+)\S+
    | ((?:token|secret|password|passwd|api[_-]?key|[?&]key|[?&]code)["']?\s*[:=]\s*)
      (?:{_QUOTED}|[^\s&;,"']+)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Fields that the message of a request line already contains; text lines omit them.
_SAID = {"farthing.request": frozenset({"method", "path", "status"})}
# Lines contain text from clients. Line breaks and escape sequences in this text must not forge or colour lines.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_COLOURS = {logging.DEBUG: "2", logging.WARNING: "33", logging.ERROR: "31", logging.CRITICAL: "31;1"}

_encode = msgspec.json.Encoder(enc_hook=str).encode


class LogLine(msgspec.Struct, frozen=True):
    at: datetime
    message: str
    extra: Mapping[str, Any]


def write_lines(logger: logging.Logger, lines: Sequence[LogLine]) -> None:
    """Works like `logger.info` for several lines, each with its own time.

    If our own handler is the only one, the lines are written directly, without log records, which is three times as
    fast.
    """
    handlers = logging.root.handlers
    if len(handlers) != 1 or not isinstance(handlers[0], FarthingHandler):
        for log_line in lines:
            logger.info(log_line.message, extra=log_line.extra)
    elif logger.isEnabledFor(logging.INFO):
        handlers[0].write_lines(logger.name, lines)


class FarthingHandler(logging.StreamHandler[Any]):
    """Writes our log lines. It is a separate class, so that configuring again replaces our handler and no other."""

    def __init__(self, stream: Any, lines: "JsonLines | TextLines") -> None:
        super().__init__(stream)
        self._lines = lines
        self.setFormatter(lines)

    def write_lines(self, name: str, lines: Sequence[LogLine]) -> None:
        try:
            texts = [
                self._lines.line(log_line.at, logging.INFO, name, log_line.message, log_line.extra)
                for log_line in lines
            ]
            self._write("\n".join(texts))
        except Exception:
            self.handleError(logging.makeLogRecord({"name": name, "msg": lines[-1].message}))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._write(self.format(record))
        except Exception:
            self.handleError(record)

    def _write(self, line: str) -> None:
        """Writes a line in one call, so that the lines of two threads do not mix."""
        self.stream.write(f"{line}\n")
        self.stream.flush()


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        extra = _read_extra(record)
        if record.exc_info:
            extra["exception"] = self.formatException(record.exc_info)
        return self.line(_read_time(record), record.levelno, record.name, record.getMessage(), extra)

    def line(self, at: datetime, level: int, name: str, message: str, extra: Mapping[str, Any]) -> str:
        head = {"time": at.isoformat(timespec="milliseconds"), "level": _level_name(level), "logger": name}
        line = _encode({**head, "message": message, **extra}).decode()
        # Nearly every line is harmless, and checking the whole line is cheaper than checking each field.
        if _is_suspicious(line) or None in extra.values() or any(map(_names_a_secret, extra)):
            line = _encode({**head, "message": _mask_secrets(message), **_hide_secrets(extra)}).decode()
        return line


class TextLines(logging.Formatter):
    def __init__(self, *, colours: bool) -> None:
        super().__init__()
        self.colours = colours

    def format(self, record: logging.LogRecord) -> str:
        line = self.line(_read_time(record), record.levelno, record.name, record.getMessage(), _read_extra(record))
        if record.exc_info:
            line = f"{line}\n{_mask_secrets(self.formatException(record.exc_info))}"
        return line

    def line(self, at: datetime, level: int, name: str, message: str, extra: Mapping[str, Any]) -> str:
        hidden = _SAID.get(name, frozenset())
        words = [_mask_secrets(message)]
        words += [f"{field}={value}" for field, value in _hide_secrets(extra).items() if field not in hidden]
        return f"{at.astimezone():%H:%M:%S} {self._level(level)} {' '.join(words).translate(_CONTROLS)}"

    def _level(self, level: int) -> str:
        name = _level_name(level).ljust(7)
        colour = _COLOURS.get(level) if self.colours else None
        return f"\x1b[{colour}m{name}\x1b[0m" if colour else name


def _read_time(record: logging.LogRecord) -> datetime:
    return datetime.fromtimestamp(record.created, UTC)


@cache
def _level_name(level: int) -> str:
    return logging.getLevelName(level).lower()


def _read_extra(record: logging.LogRecord) -> dict[str, Any]:
    """Reads what the caller passed as `extra`, such as the id of a request."""
    return {name: value for name, value in vars(record).items() if name not in _OWN}


def _hide_secrets(extra: Mapping[str, Any]) -> dict[str, Any]:
    safe = {}
    for name, value in extra.items():
        if _names_a_secret(name) and value is not None:
            safe[name] = "***"
        elif value is not None:
            safe[name] = _hide_secret(value)
    return safe


def _hide_secret(value: Any) -> Any:
    """Returns the value unchanged, or as masked text if it contains a secret."""
    if isinstance(value, int | float):
        return value
    text = str(value)
    return value if _mask_secrets(text) == text else _mask_secrets(text)


@lru_cache(maxsize=256)
def _names_a_secret(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


def _mask_secrets(text: str) -> str:
    """Masks tokens, cookies, and passwords in URLs. This is the last safeguard before text reaches a log."""
    return _SECRET_TEXT.sub(r"\1\2\3\4***", text) if _is_suspicious(text) else text


def _is_suspicious(text: str) -> bool:
    plain = text.lower()
    return any(sign in plain for sign in _SIGNS)


def configure(settings: Settings) -> None:
    """Sets up logging. Each worker process calls this itself, and it may be called more than once."""
    root = logging.getLogger()
    # Also removes the command line's NullHandler: `write_lines` checks whether ours is the only handler.
    for handler in [handler for handler in root.handlers if isinstance(handler, FarthingHandler | logging.NullHandler)]:
        root.removeHandler(handler)
    root.addHandler(_make_handler(settings))
    level = settings.log_level.upper()
    # Libraries log only warnings and errors; our own loggers and uvicorn's follow the setting.
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
    for name in ("farthing", "uvicorn"):
        logging.getLogger(name).setLevel(level)
    _route_uvicorn()


def _make_handler(settings: Settings) -> logging.Handler:
    terminal = sys.stderr.isatty()
    as_text = settings.log_format == "text" or (settings.log_format == "auto" and terminal)
    return FarthingHandler(sys.stderr, TextLines(colours=terminal) if as_text else JsonLines())


def _route_uvicorn() -> None:
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    # The logger "farthing.request" writes a better line.
    logging.getLogger("uvicorn.access").propagate = False
