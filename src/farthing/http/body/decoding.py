"""Decodes a request body of any type that we accept into one dictionary of fields."""

import binascii
import codecs
import re
from decimal import Decimal
from typing import Any

import msgspec

from farthing.kernel.errors import Malformed, TooLarge, UnknownBodyType
from farthing.kernel.fields import DIGITS_MAX, UNREADABLE_NUMBER

from .brackets import nest
from .multipart import FilePart, Multipart, decode_text

DEPTH_MAX = 32
GROUPS_MAX = 100_000
EXPONENT_MAX = 30
_ACCEPTED = "application/json, application/x-www-form-urlencoded or multipart/form-data"


def decode(content_type: str | None, body: bytes, fields_max: int, text_field: str | None = None) -> dict[str, object]:
    """Decodes a body into its fields. An empty body of any type has no fields, so required fields are reported.

    `text_field` is a field whose text may also be sent as a file in a multipart body, or as the whole body with any
    `text/…` media type.
    """
    body = body.removeprefix(codecs.BOM_UTF8)
    if not body or body.isspace():
        return {}
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if media_type.endswith(("/json", "+json")) or (not media_type and body.lstrip().startswith(b"{")):
        return _decode_json(body, fields_max)
    if media_type == "application/x-www-form-urlencoded":
        return _decode_form(body, fields_max)
    if media_type == "multipart/form-data":
        return _decode_multipart(content_type or "", body, fields_max, text_field)
    if text_field and media_type.startswith("text/"):
        return {text_field: decode_text(body)}
    raise UnknownBodyType(f"Unsupported Content-Type. Send the body as {_ACCEPTED}.")


# JSON


def _read_exactly(text: str) -> Decimal:
    """Reads a number with a fraction or an exponent, without rounding. Returns UNREADABLE_NUMBER if it is too long."""
    _, has_exponent, exponent = text.lower().partition("e")
    if len(text) > DIGITS_MAX or (has_exponent and abs(int(exponent)) > EXPONENT_MAX):
        return UNREADABLE_NUMBER
    return Decimal(format(Decimal(text), "f")) if has_exponent else Decimal(text)


_decoder = msgspec.json.Decoder(float_hook=_read_exactly)


def _decode_json(body: bytes, fields_max: int) -> dict[str, object]:
    # A million empty lists fit into a body, and would block the event loop for seconds.
    if body.count(b"[") + body.count(b"{") > GROUPS_MAX:
        raise TooLarge(f"The JSON body has more than {GROUPS_MAX} lists and objects.")
    try:
        value = _read_json(body)
    except RecursionError:
        raise _too_deep() from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(_explain(body, error)) from None
    if not isinstance(value, dict):
        start = _position(body, len(body) - len(body.lstrip()))
        raise Malformed(
            f'The JSON body must be an object such as {{"name": "Savings"}}, but is another value at {start}.'
        )
    _check_shape(value, fields_max)
    return value


def _read_json(body: bytes) -> Any:
    try:
        return _decoder.decode(body)
    except msgspec.ValidationError:  # an integer of more than 4 300 digits; all other errors are plain DecodeErrors
        return _decoder.decode(_TOKEN.sub(_blank_if_long, body))


_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[0-9][0-9.eE+-]*+', re.DOTALL)


def _blank_if_long(token: re.Match[bytes]) -> bytes:
    """Replaces an overlong number by a short one and spaces, so that later errors still name the right position."""
    text = token[0]
    return b"1e999".ljust(len(text)) if len(text) > DIGITS_MAX and text.isdigit() else text


def _check_shape(value: dict[str, object], fields_max: int) -> None:
    level: list[Any] = [value]
    for _ in range(DEPTH_MAX):
        below: list[Any] = []
        for outer in level:
            if type(outer) is dict and len(outer) > fields_max:
                raise _too_many(fields_max)
            inside = outer.values() if type(outer) is dict else outer
            below += [inner for inner in inside if type(inner) is dict or type(inner) is list]
        if not below:
            return
        level = below
    raise _too_deep()


_REASON = re.compile(r"JSON is malformed: (.*) \(byte ([0-9]+)\)")
_HEX = rb"[0-9a-fA-F]{2}"
_HIGH, _LOW = rb"\\u[dD][89abAB]" + _HEX, rb"\\u[dD][c-fC-F]" + _HEX
_HALF_PAIR = re.compile(
    rb"(?<!\\)(?:\\\\)*+(%b(?!%b)|(?<!\\u[dD][89abAB][0-9a-fA-F][0-9a-fA-F])%b)" % (_HIGH, _LOW, _LOW)
)


def _explain(body: bytes, error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"The JSON body is not valid UTF-8 at {_position(body, _first_bad_byte(body))}."
    half = _HALF_PAIR.search(body)
    if half:
        escape, where = half[1].decode(), _position(body, half.start(1))
        return f"The JSON body has half of a surrogate pair, {escape}, at {where}: send the whole character."
    reason = _REASON.fullmatch(str(error))
    if reason is None:
        return f"The JSON body is malformed: it ends too early, at {_position(body, len(body))}."
    why, at = reason[1], int(reason[2])
    # Trailing characters are reported one byte late.
    return f"The JSON body is malformed at {_position(body, at - why.startswith('trailing char'))}: {why}."


def _first_bad_byte(body: bytes) -> int:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(body)


def _position(body: bytes, at: int) -> str:
    before = body[:at]
    column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
    line = before.count(b"\n") + 1
    return f"line {line}, column {column}"


def _too_deep() -> Malformed:
    return Malformed(f"The JSON body is nested deeper than {DEPTH_MAX} levels.")


def _too_many(fields_max: int) -> TooLarge:
    return TooLarge(f"The body has more than {fields_max} fields.")


# Forms


def _decode_form(body: bytes, fields_max: int) -> dict[str, object]:
    pieces = [piece for piece in body.split(b"&") if piece]
    if len(pieces) > fields_max:
        raise _too_many(fields_max)
    pairs = (piece.replace(b"+", b" ").partition(b"=") for piece in pieces)
    return nest((decode_text(_unescape(name)), decode_text(_unescape(value))) for name, _, value in pairs)


_ESCAPES = re.compile(rb"(?:%[0-9a-fA-F]{2})++")


def _unescape(raw: bytes) -> bytes:
    """Decodes percent escapes. Keeps a percent sign that begins no escape, because people do write `off=100%`."""
    return _ESCAPES.sub(lambda run: binascii.unhexlify(run[0].replace(b"%", b"")), raw) if b"%" in raw else raw


def _decode_multipart(content_type: str, body: bytes, fields_max: int, text_field: str | None) -> dict[str, object]:
    sent = bytearray()
    file = FilePart(text_field, sent.extend) if text_field else None
    form = Multipart(content_type, fields_max=fields_max, bytes_max=len(body), file=file)
    form.write(body)
    fields = form.fields()
    return (
        fields | {file.name: decode_text(bytes(sent.removeprefix(codecs.BOM_UTF8)))}
        if file and file.has_come
        else fields
    )
