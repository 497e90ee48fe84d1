"""A font whose letters are all the same block, so that a page looks the same whatever fonts a machine has."""

import struct

_EM, _ADVANCE, _SPACE = 1000, 560, 280
_LEFT, _RIGHT, _TOP = 40, 520, 520
_ASCENT, _DESCENT = 900, -250
_BLOCK, _BLANK = 1, 2


def make_font() -> bytes:
    tables = {
        b"OS/2": _os2(), b"cmap": _cmap(), b"glyf": _glyf(), b"head": _head(), b"hhea": _hhea(), b"hmtx": _hmtx(),
        b"loca": struct.pack(">4H", 0, 0, len(_glyf()) // 2, len(_glyf()) // 2),
        b"maxp": struct.pack(">I14H", 0x10000, 3, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": struct.pack(">3H", 0, 0, 6),
        b"post": struct.pack(">IIhhI4I", 0x30000, 0, -100, 50, 1, 0, 0, 0, 0),
    }  # fmt: skip
    head = struct.pack(">I4H", 0x10000, len(tables), 128, 3, len(tables) * 16 - 128)
    directory, body, offset = b"", b"", len(head) + 16 * len(tables)
    for name, table in tables.items():
        padded = table + bytes(-len(table) % 4)
        directory += struct.pack(">4sIII", name, _checksum(padded), offset + len(body), len(table))
        body += padded
    return head + directory + body


def _checksum(table: bytes) -> int:
    return sum(struct.unpack(f">{len(table) // 4}I", table)) & 0xFFFFFFFF


def _cmap() -> bytes:
    """Format 13: many characters have one glyph."""
    groups = [(0x20, 0x20, _BLANK), (0x21, 0x9F, _BLOCK), (0xA0, 0xA0, _BLANK), (0xA1, 0xFFFD, _BLOCK)]
    table = struct.pack(">HHIII", 13, 0, 16 + 12 * len(groups), 0, len(groups))
    table += b"".join(struct.pack(">3I", *group) for group in groups)
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def _glyf() -> bytes:
    box = struct.pack(">5h", 1, _LEFT, 0, _RIGHT, _TOP) + struct.pack(">HH4B", 3, 0, 1, 1, 1, 1)
    across = struct.pack(">4h", _LEFT, 0, _RIGHT - _LEFT, 0)
    return box + across + struct.pack(">4h", 0, _TOP, 0, -_TOP)


def _head() -> bytes:
    return struct.pack(
        ">IIIIHHQQ4hHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, _EM, 0, 0, 0, 0, _RIGHT, _TOP, 0, 8, 2, 0, 0
    )


def _hhea() -> bytes:
    return struct.pack(">I3hH11hH", 0x10000, _ASCENT, _DESCENT, 0, _ADVANCE, 0, 0, _RIGHT, 1, *[0] * 7, 3)


def _hmtx() -> bytes:
    return struct.pack(">HhHhHh", _ADVANCE, 0, _ADVANCE, _LEFT, _SPACE, 0)


def _os2() -> bytes:
    sizes = struct.pack(">HhHHH", 4, _ADVANCE, 400, 5, 0) + struct.pack(">11h", *[0] * 11)
    marks = bytes(10) + bytes(16) + b"NONE" + struct.pack(">HHH", 0x40, 0x20, 0xFFFD)
    heights = struct.pack(">hhhHH", _ASCENT, _DESCENT, 0, _ASCENT, -_DESCENT) + bytes(8)
    return sizes + marks + heights + struct.pack(">hhHHH", _TOP, _TOP, 0, 0x20, 0)
