"""What did the caller send? The bytes of a body, in any encoding we speak, become one dictionary of fields."""

import binascii
import codecs
import logging
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from ..errors import Malformed, TooLarge, UnknownBodyType
from ..fields import DIGITS_MAX, UNREADABLE_NUMBER
from .brackets import nest

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

DEPTH_MAX = 32
EXPONENT_MAX = 30
# Its warnings repeat what we answer anyway, and would let a stranger fill the log.
logging.getLogger(MultipartParser.__module__).setLevel(logging.ERROR)
_SPOKEN = "application/json, application/x-www-form-urlencoded or multipart/form-data"


def decode(content_type: str | None, body: bytes, *, fields_max: int) -> dict[str, object]:
    """An empty body, whatever its type, is an empty object: so the required fields are reported."""
    body = body.removeprefix(codecs.BOM_UTF8)
    if not body or body.isspace():
        return {}
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if media_type.endswith(("/json", "+json")) or (not media_type and body.lstrip().startswith(b"{")):
        return _json(body, fields_max)
    if media_type == "application/x-www-form-urlencoded":
        return _form(body, fields_max)
    if media_type == "multipart/form-data":
        return _multipart(content_type or "", body, fields_max)
    raise UnknownBodyType(f"Send the body as {_SPOKEN}, and say so in its Content-Type.")


# JSON


def _exact(text: str) -> Decimal:
    """A number with a fraction or an exponent, digit by digit; beyond the limits it is kept as unreadable."""
    _, marked, exponent = text.lower().partition("e")
    if len(text) > DIGITS_MAX or (marked and abs(int(exponent)) > EXPONENT_MAX):
        return UNREADABLE_NUMBER
    return Decimal(format(Decimal(text), "f")) if marked else Decimal(text)


_decoder = msgspec.json.Decoder(float_hook=_exact)


def _json(body: bytes, fields_max: int) -> dict[str, object]:
    try:
        value = _read_json(body)
    except RecursionError:
        raise _too_deep() from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(_why(body, error)) from None
    if not isinstance(value, dict):
        start = _place(body, len(body) - len(body.lstrip()))
        raise Malformed(f'The JSON body must be an object, such as {{"name": "Savings"}}, from {start} on.')
    _check_shape(value, fields_max)
    return value


def _read_json(body: bytes) -> Any:
    try:
        return _decoder.decode(body)
    except msgspec.ValidationError:  # an integer of more than 4 300 digits; everything else is a plain DecodeError
        return _decoder.decode(_TOKEN.sub(_unreadable_if_long, body))


_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[0-9][0-9.eE+-]*+', re.DOTALL)


def _unreadable_if_long(token: re.Match[bytes]) -> bytes:
    """Of the same length, so that a later error still names the right place."""
    text = token[0]
    return b"1e999".ljust(len(text)) if len(text) > DIGITS_MAX and text.isdigit() else text


def _check_shape(value: dict[str, object], fields_max: int) -> None:
    level: list[Any] = [value]
    for _ in range(DEPTH_MAX):
        if any(len(outer) > fields_max for outer in level if type(outer) is dict):
            raise _too_many(fields_max)
        inside = (outer.values() if type(outer) is dict else outer for outer in level)
        level = [inner for values in inside for inner in values if type(inner) is dict or type(inner) is list]
        if not level:
            return
    raise _too_deep()


_REASON = re.compile(r"JSON is malformed: (.*) \(byte ([0-9]+)\)")
_HEX = rb"[0-9a-fA-F]{2}"
_HIGH, _LOW = rb"\\u[dD][89abAB]" + _HEX, rb"\\u[dD][c-fC-F]" + _HEX
_HALF_PAIR = re.compile(
    rb"(?<!\\)(?:\\\\)*+(%b(?!%b)|(?<!\\u[dD][89abAB][0-9a-fA-F][0-9a-fA-F])%b)" % (_HIGH, _LOW, _LOW)
)


def _why(body: bytes, error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"The JSON body is not valid UTF-8 at {_place(body, _first_bad_byte(body))}."
    half = _HALF_PAIR.search(body)
    if half:
        escape, where = half[1].decode(), _place(body, half.start(1))
        return f"The JSON body has half of a surrogate pair, {escape}, at {where}: send the whole character."
    reason = _REASON.fullmatch(str(error))
    if reason is None:
        return f"The JSON body does not parse: it ends too early, at {_place(body, len(body))}."
    why, at = reason[1], int(reason[2])
    # Trailing characters are reported one byte late.
    return f"The JSON body does not parse at {_place(body, at - why.startswith('trailing char'))}: {why}."


def _first_bad_byte(body: bytes) -> int:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(body)


def _place(body: bytes, at: int) -> str:
    before = body[:at]
    column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
    line = before.count(b"\n") + 1
    return f"line {line}, column {column}"


def _too_deep() -> Malformed:
    return Malformed(f"The JSON body is nested deeper than {DEPTH_MAX} levels.")


def _too_many(fields_max: int) -> TooLarge:
    return TooLarge(f"The body has more than {fields_max} fields.")


# Forms


def _form(body: bytes, fields_max: int) -> dict[str, object]:
    pieces = [piece for piece in body.split(b"&") if piece]
    if len(pieces) > fields_max:
        raise _too_many(fields_max)
    pairs = (piece.replace(b"+", b" ").partition(b"=") for piece in pieces)
    return nest((_decoded(_unescaped(name)), _decoded(_unescaped(value))) for name, _, value in pairs)


_ESCAPES = re.compile(rb"(?:%[0-9a-fA-F]{2})++")


def _unescaped(raw: bytes) -> bytes:
    """A percent sign that begins no escape stays: people do write `off=100%`."""
    return _ESCAPES.sub(lambda run: binascii.unhexlify(run[0].replace(b"%", b"")), raw) if b"%" in raw else raw


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise Malformed("The form has a name or a value that is not valid UTF-8.") from None


class _Parts:
    """What the multipart parser calls back with, gathered into pairs of name and value; files are left out."""

    def __init__(self, fields_max: int) -> None:
        self.fields_max = fields_max
        self.pairs: list[tuple[str, str]] = []
        self.count = 0
        self.ended = False
        self.options: dict[bytes, bytes] = {}
        self.data = bytearray()

    def on_part_begin(self) -> None:
        self.count += 1
        if self.count > self.fields_max:
            raise _too_many(self.fields_max)
        self.options, self.data = {}, bytearray()

    def on_header_begin(self) -> None:
        self.header, self.header_value = b"", b""

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self.header += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self.header_value += data[start:end]

    def on_header_end(self) -> None:
        if self.header.lower() == b"content-disposition":
            _, self.options = parse_options_header(self.header_value)

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        self.data += data[start:end]

    def on_part_end(self) -> None:
        if b"filename" in self.options:
            return
        if b"name" not in self.options:
            raise Malformed("A part of the multipart body has no name.")
        self.pairs.append((_decoded(self.options[b"name"]), _decoded(bytes(self.data))))

    def on_end(self) -> None:
        self.ended = True

    def callbacks(self) -> "MultipartCallbacks":
        return {
            "on_part_begin": self.on_part_begin,
            "on_header_begin": self.on_header_begin,
            "on_header_field": self.on_header_field,
            "on_header_value": self.on_header_value,
            "on_header_end": self.on_header_end,
            "on_part_data": self.on_part_data,
            "on_part_end": self.on_part_end,
            "on_end": self.on_end,
        }


def _multipart(content_type: str, body: bytes, fields_max: int) -> dict[str, object]:
    _, options = parse_options_header(content_type.encode("latin-1", "replace"))
    boundary = options.get(b"boundary")
    if not boundary:
        raise Malformed("A multipart body needs its boundary in the Content-Type.")
    parts = _Parts(fields_max)
    try:
        MultipartParser(boundary, parts.callbacks()).write(body)
    except FormParserError as error:
        raise Malformed(f"The multipart body cannot be read from byte {getattr(error, 'offset', 0)} on.") from None
    if not parts.ended:
        raise Malformed("The multipart body ends before its closing boundary.")
    return nest(parts.pairs)
