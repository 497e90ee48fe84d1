"""Draws the demo's invoices as PDF and its receipts as PNG. The same move always produces the same bytes."""

import struct
import zlib
from hashlib import blake2b
from itertools import accumulate

from farthing.kernel.money import as_text

from .scene import Move

_WIDTH, _HEIGHT, _LINE = 240, 360, 18
_PAPER, _INK, _EDGE = 250, 90, 200


def invoice(move: Move) -> bytes:
    about = [f"Invoice {move.reference}", str(move.invoiced_on), "", move.about]
    return _pdf([str(move.destination), "", *about, "", f"{as_text(move.cents, 2)} {move.currency}", "With thanks."])


def lease() -> bytes:
    return _pdf(["Lease", "", "Between Harbour Street Lettings", "and Aoife and Tom Kelleher."])


def _pdf(lines: list[str]) -> bytes:
    """Makes a PDF file with one page of plain text."""
    escapes = str.maketrans({letter: f"\\{letter}" for letter in "\\()"})
    text = "".join(f"({line.translate(escapes)}) Tj T*\n" for line in lines)
    content = f"BT /F1 14 Tf 20 TL 60 780 Td\n{text}ET\n".encode("latin-1", "replace")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources 6 0 R /Contents 4 0 R >>",
        b"<< /Length %d >>\nstream\n%sendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    return _with_table(objects)


def _with_table(objects: list[bytes]) -> bytes:
    """Makes a PDF file of the objects, with the cross-reference table that lists their offsets."""
    parts = [b"%PDF-1.4\n", *(b"%d 0 obj\n%s\nendobj\n" % item for item in enumerate(objects, start=1))]
    *offsets, end = accumulate(map(len, parts))
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % len(parts)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(parts), end)
    return b"".join([*parts, head, table, trailer])


def receipt(move: Move) -> bytes:
    """Draws a till receipt that looks like an unreadable photo: bars of varying length, and a total at the bottom."""
    lengths = blake2b(f"{move.on} {move.about} {move.cents}".encode(), digest_size=32).digest()
    rows = [_row(at, lengths) for at in range(_HEIGHT)]
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    header = struct.pack(">IIBBBBB", _WIDTH, _HEIGHT, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _row(at: int, lengths: bytes) -> bytes:
    line, within = divmod(at, _LINE)
    last = _HEIGHT // _LINE - 2
    if within > 6 or not 1 <= line <= last:
        return bytes([_EDGE]) + bytes([_PAPER]) * (_WIDTH - 2) + bytes([_EDGE])
    name = 40 + lengths[line % 32] * 80 // 255
    price = 60 if line == last else 24
    ink = 20 if line == last else _INK
    row = bytearray([_PAPER]) * _WIDTH
    row[20 : 20 + name] = bytes([ink]) * name
    row[_WIDTH - 20 - price : _WIDTH - 20] = bytes([ink]) * price
    row[0] = row[-1] = _EDGE
    return bytes(row)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
