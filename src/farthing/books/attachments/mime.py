"""Finds the media type of a file from its bytes alone. Ignores the filename and the type that the client declared."""

import codecs
import struct
from typing import BinaryIO

from .containers import in_compound_file, in_zip

UNKNOWN = "application/octet-stream"
TEXT = "text/plain"
_PIECE_BYTES = 256 * 1024
_HEAD_BYTES = 1024
_MARKUP_BYTES = 64 * 1024
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1b"))
# The least share of ASCII in text of an old encoding. Other files may look like such text by coincidence.
_ASCII_SHARE_MIN = 0.75
# puremagic's confidence in a match of at least three bytes. In binary data, such a match is rarely a coincidence.
_CONFIDENCE_MIN = 0.3
_USUAL_NAMES = {"application/x-gzip": "application/gzip"}
# A picture may happen to contain only bytes that are valid in text, but no text begins with these bytes.
_PLAIN_PICTURES = {b"\xff\xd8\xff": "image/jpeg", b"GIF87a": "image/gif", b"GIF89a": "image/gif"}
_ROOTS = {b"svg": "image/svg+xml", b"html": "text/html"}
_PHOTOS = {b"heic": "image/heic", b"heix": "image/heic", b"hevc": "image/heic-sequence", b"hevx": "image/heic-sequence"}


def of(file: BinaryIO) -> str:
    """Finds the media type of a file.

    Looks into containers first, then recognizes text, and tries magic numbers last, because they would misjudge text.
    """
    file.seek(0)
    head = file.read(_HEAD_BYTES)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return in_zip(file)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return in_compound_file(file)
    if head.lstrip().startswith(b"%PDF-"):
        return "application/pdf"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return TEXT if _decodes(file, "utf-16") else UNKNOWN
    for began, picture in _PLAIN_PICTURES.items():
        if head.startswith(began):
            return picture
    if _is_clean(file):
        return _text(file, head)
    # Other bytes may precede the marker of a PDF. Texts, which may mention the marker, have been recognized already.
    return "application/pdf" if b"%PDF-" in head else _by_magic_number(file, head)


def _text(file: BinaryIO, head: bytes) -> str:
    file.seek(0)
    if head.startswith(b"{\\rtf"):
        return "application/rtf"
    if head.startswith(b"%!PS"):
        return "application/postscript"
    if _decodes(file, "utf-8"):
        file.seek(0)
        return _markup(file.read(_MARKUP_BYTES)) or TEXT
    return TEXT if _share_of_ascii(file) >= _ASCII_SHARE_MIN else _by_magic_number(file, head)


def _is_clean(file: BinaryIO) -> bool:
    """Tells whether the file contains only bytes that may occur in text."""
    file.seek(0)
    while piece := file.read(_PIECE_BYTES):
        if len(piece.translate(None, _CONTROLS)) != len(piece):
            return False
    return True


def _decodes(file: BinaryIO, encoding: str) -> bool:
    file.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while piece := file.read(_PIECE_BYTES):
            if "\0" in decoder.decode(piece):
                return False
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _share_of_ascii(file: BinaryIO) -> float:
    file.seek(0)
    piece = file.read(_PIECE_BYTES)
    return len(piece.translate(None, bytes(range(128, 256)))) / max(len(piece), 1)


def _markup(text: bytes) -> str | None:
    """Returns the media type of the root element, if it is known.

    Skips declarations and comments before the root element.
    """
    rest = text.removeprefix(codecs.BOM_UTF8).lstrip()
    while rest.startswith((b"<?", b"<!")):
        if rest[:14].lower() == b"<!doctype html":
            return "text/html"
        rest = rest[_end_of_aside(rest) :].lstrip()
    name = rest[:_HEAD_BYTES].replace(b">", b" ").replace(b"/", b" ").split(maxsplit=1)[:1]
    if not name or not name[0].startswith(b"<"):
        return None
    return _ROOTS.get(name[0][1:].rpartition(b":")[2].lower())


def _end_of_aside(text: bytes) -> int:
    if text.startswith(b"<!--"):
        closing = b"-->"
    elif text.startswith(b"<?"):
        closing = b"?>"
    else:
        closing = b"]>" if b"[" in text[: text.find(b">") + 1] else b">"
    at = text.find(closing)
    return len(text) if at < 0 else at + len(closing)


def _by_magic_number(file: BinaryIO, head: bytes) -> str:
    import puremagic  # imported late, because reading its table takes a while

    if head[4:8] == b"ftyp" and head[8:12] in _PHOTOS:
        return _PHOTOS[head[8:12]]
    if head.startswith(b"BM") and head[6:10] == bytes(4):
        return "image/bmp"
    file.seek(0)
    try:
        matches = puremagic.magic_stream(file)
    except (puremagic.PureError, ValueError, struct.error):
        return UNKNOWN
    for match in matches:
        is_binary = match.mime_type and not match.mime_type.startswith("text/")  # text was recognized before
        if is_binary and match.confidence >= _CONFIDENCE_MIN:
            return str(_USUAL_NAMES.get(match.mime_type, match.mime_type))
    return UNKNOWN
