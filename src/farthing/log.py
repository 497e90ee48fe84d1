"""How are events told? Readable lines on a terminal, one JSON object per line otherwise; never a secret."""

import logging
import re
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec

from .clock import wall_clock
from .config import Settings

# What the logging module itself puts on a record (it differs between versions), and uvicorn's colours.
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
_SECRET_NAME = re.compile(r"password|secret|token$|authorization|cookie|database_url", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"(://[^:@\s]*:)[^\s]*(?=@)|(\bbearer\s+)\S+", re.IGNORECASE)
# Fields for machines that the message of a request line tells people already.
_SAID = {"farthing.request": frozenset({"method", "path", "status"})}
# Texts of clients end up in lines: a line break or an escape sequence in them must not forge or colour anything.
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_COLOURS = {logging.DEBUG: "2", logging.WARNING: "33", logging.ERROR: "31", logging.CRITICAL: "31;1"}

# Where a record keeps its extra fields together: to pick them out of all the others takes as long as to write them.
_TOLD = "told"
_OWN |= {_TOLD}

_encode = msgspec.json.Encoder(enc_hook=str).encode
_INFO = vars(logging.makeLogRecord({"levelno": logging.INFO, "levelname": "INFO"}))


def tell(logger: logging.Logger, message: str, words: tuple[object, ...], extra: Mapping[str, Any]) -> None:
    """As `logger.info`, in a third of the time: nobody asks which line of code, thread and process it came from."""
    if not logger.isEnabledFor(logging.INFO):
        return
    record = logging.LogRecord.__new__(logging.LogRecord)
    now = wall_clock().timestamp()
    told = {"name": logger.name, "msg": message, "args": words, "created": now, "msecs": now % 1 * 1000}
    record.__dict__ = {**_INFO, **told, **extra, _TOLD: extra}
    logger.handle(record)


class OurHandler(logging.StreamHandler[Any]):
    """A class of its own, so that configuring twice replaces it and leaves the handlers of others alone."""

    def emit(self, record: logging.LogRecord) -> None:
        """As the one it comes from, in half the time: every request ends here."""
        try:
            self.stream.write(f"{self.format(record)}\n")
            self.stream.flush()
        except Exception:
            self.handleError(record)


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _without_secrets(record.getMessage()),
        }
        line.update(_extras(record))
        if record.exc_info:
            line["exception"] = _without_secrets(self.formatException(record.exc_info))
        return _encode(line).decode()


class TextLines(logging.Formatter):
    def __init__(self, *, colours: bool) -> None:
        super().__init__()
        self.colours = colours

    def format(self, record: logging.LogRecord) -> str:
        clock = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        said = _SAID.get(record.name, frozenset())
        words = [_without_secrets(record.getMessage())]
        words += [f"{name}={value}" for name, value in _extras(record) if name not in said]
        line = f"{clock} {self.level(record)} {' '.join(words).translate(_CONTROLS)}"
        if record.exc_info:
            line = f"{line}\n{_without_secrets(self.formatException(record.exc_info))}"
        return line

    def level(self, record: logging.LogRecord) -> str:
        name = record.levelname.lower().ljust(7)
        colour = _COLOURS.get(record.levelno) if self.colours else None
        return f"\x1b[{colour}m{name}\x1b[0m" if colour else name


def _extras(record: logging.LogRecord) -> Iterator[tuple[str, Any]]:
    """What the caller gave as `extra`: a request's id and the like."""
    of_record = record.__dict__
    told = of_record.get(_TOLD) or {name: value for name, value in of_record.items() if name not in _OWN}
    for name, value in told.items():
        if value is not None:
            yield name, _safe(name, value)


def _safe(name: str, value: Any) -> Any:
    if _names_a_secret(name):
        return "***"
    return _without_secrets(value) if isinstance(value, str) else value


@lru_cache(maxsize=256)
def _names_a_secret(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


def _without_secrets(text: str) -> str:
    """A last fence: passwords in addresses and bearer tokens never reach a log."""
    suspicious = "://" in text or "earer" in text or "EARER" in text
    return _SECRET_TEXT.sub(r"\1\2***", text) if suspicious else text


def configure(settings: Settings) -> None:
    """Safe to call again; each worker process calls it for itself."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, OurHandler)]:
        root.removeHandler(handler)
    root.addHandler(_handler_for(settings))
    level = settings.log_level.upper()
    # Libraries are heard when something is wrong; our own voice and the server's follow the setting.
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
    for name in ("farthing", "uvicorn"):
        logging.getLogger(name).setLevel(level)
    _route_uvicorn()


def _handler_for(settings: Settings) -> logging.Handler:
    terminal = sys.stderr.isatty()
    as_text = settings.log_format == "text" or (settings.log_format == "auto" and terminal)
    handler = OurHandler(sys.stderr)
    handler.setFormatter(TextLines(colours=terminal) if as_text else JsonLines())
    return handler


def _route_uvicorn() -> None:
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    # Our own request line says more; see the logger "farthing.request".
    logging.getLogger("uvicorn.access").propagate = False
