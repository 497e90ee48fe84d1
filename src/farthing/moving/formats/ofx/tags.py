"""Splits OFX into tags. Accepts SGML with or without closing tags, XML, and the mixtures of both that banks write."""

import re
from collections.abc import Iterator
from html import unescape
from typing import TextIO

from msgspec import Struct

from ...findings import Unreadable

# Longer than any value of OFX.
VALUE_CHARS_MAX = 100_000
_CHUNK_CHARS = 2**16
# The least average distance between brackets. Text with more brackets takes long to read and cannot be OFX.
_LETTERS_MIN, _DECLARED_LETTERS_MIN = 5, 20
_TAG = re.compile(r"(/?)([A-Za-z0-9_.:]{1,80})[^>]*>")
# The only entities in OFX: those of XML, numeric ones, and `&nbsp;`, which banks have adopted from HTML.
_ENTITY = re.compile(r"&(amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")


class OfxTag(Struct):
    """Holds a tag. `value` is the text up to the next tag; text after a closing tag is ignored."""

    name: str
    value: str
    closes: bool


def split_tags(text: TextIO) -> Iterator[OfxTag]:
    pieces = _split_pieces(text)
    next(pieces, "")  # the header is the text before the first tag
    for piece in pieces:
        tag = _TAG.match(piece)
        if tag and piece[tag.end() - 2] != "/":
            name = tag[2].rpartition(":")[2].upper()
            value = "" if tag[1] else _unescape(piece[tag.end() :])
            yield OfxTag(name=name, value=value, closes=bool(tag[1]))


def _split_pieces(text: TextIO) -> Iterator[str]:
    """Yields the text from each `<` to the next one, with CDATA sections replaced by their text."""
    rest = ""
    while chunk := text.read(_CHUNK_CHARS):
        if max(chunk.count("<") * _LETTERS_MIN, chunk.count("<!") * _DECLARED_LETTERS_MIN) > _CHUNK_CHARS:
            raise Unreadable("The file holds almost nothing but brackets. Is this an OFX file?")
        resolved, incomplete = _resolve_declarations(rest + chunk)
        *pieces, last = resolved.split("<")
        yield from pieces
        rest = last + incomplete
        if len(rest) > VALUE_CHARS_MAX:
            raise Unreadable(f"A value is longer than {VALUE_CHARS_MAX} characters. Is this an OFX file?")
    yield rest


def _resolve_declarations(text: str) -> tuple[str, str]:
    """Drops comments and unwraps CDATA. An incomplete comment or CDATA section at the end is returned separately."""
    parts, at = [], 0
    while (start := text.find("<!", at)) >= 0:
        parts.append(text[at:start])
        value, at = _resolve(text, start)
        if at < 0:
            return "".join(parts), text[start:]
        parts.append(value)
    end = len(text) - text.endswith("<")
    return "".join(parts) + text[at:end], text[end:]


def _resolve(text: str, start: int) -> tuple[str, int]:
    """Returns the text that replaces a declaration, and the index of its end, or -1 if it is incomplete."""
    if text.startswith("<![CDATA[", start):
        end = text.find("]]>", start)
        return text[start + 9 : end].replace("&", "&amp;").replace("<", "&lt;"), end + 3 if end >= 0 else -1
    if text.startswith("<!--", start):
        end = text.find("-->", start + 4)
        return "", end + 3 if end >= 0 else -1
    if text.startswith("<!ENTITY", start):
        raise Unreadable("The file declares entities; OFX has none.")
    # Either too short to be recognized yet, or a document type, which is not needed.
    return "", -1 if len(text) - start < len("<![CDATA[") else start + 2


def _unescape(value: str) -> str:
    value = value.strip()
    return _ENTITY.sub(lambda match: unescape(match[0]), value).strip() if "&" in value else value
