"""Real files of many kinds, made here: small, but such that the programs they are for would open them."""

import gzip
import struct
import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
POWERPOINT = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
TEMPLATE = "application/vnd.openxmlformats-officedocument.wordprocessingml.template"
WITH_MACROS = "application/vnd.ms-excel.sheet.macroEnabled"
SHEET = "application/vnd.oasis.opendocument.spreadsheet"
EPUB = "application/epub+zip"


def pdf() -> bytes:
    """One empty page, with a table of its objects that is right."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>",
    ]
    whole, places = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return whole + (
        b"xref\n0 4\n0000000000 65535 f \n" + table + b"trailer << /Size 4 /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % len(whole)
    )


def png() -> bytes:
    """One red dot."""
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"\0\xff\0\0")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def jpeg() -> bytes:
    """The markers of a baseline picture of one dot."""
    segments = (
        (0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"),
        (0xDB, b"\0" + b"\1" * 64),
        (0xC0, b"\x08\0\1\0\1\1\1\x11\0"),
        (0xC4, b"\0" + b"\1" + b"\0" * 15 + b"\0"),
        (0xDA, b"\1\1\0\0\x3f\0"),
    )
    return (
        b"\xff\xd8"
        + b"".join(b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data for marker, data in segments)
        + b"\x7f\xff\xd9"
    )


def gif() -> bytes:
    return b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"


def bmp() -> bytes:
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0) + b"\0\0\xff\0"


def webp() -> bytes:
    return b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"


def heic() -> bytes:
    return struct.pack(">I", 24) + b"ftypheic\0\0\0\0mif1heic" + struct.pack(">I", 8) + b"free"


def svg() -> bytes:
    return (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- a dot -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG" "x.dtd">\n'
        b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1"/></svg>\n'
    )


def zipped(*members: tuple[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    whole = BytesIO()
    with ZipFile(whole, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return whole.getvalue()


def office(main: str, folder: str) -> bytes:
    """As much of an Office file as tells it from others."""
    types = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{folder}/main.xml" ContentType="{main}.main+xml"/></Types>'
    )
    return zipped(
        ("[Content_Types].xml", types.encode()), ("_rels/.rels", b"<Relationships/>"), (f"{folder}/main.xml", b"<x/>")
    )


def open_document(media_type: str) -> bytes:
    """The member that names the kind comes first, and is not compressed."""
    whole = BytesIO()
    with ZipFile(whole, "w") as archive:
        archive.writestr("mimetype", media_type, ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", "<manifest/>", ZIP_DEFLATED)
    return whole.getvalue()


def compound(*streams: str) -> bytes:
    """A file of the old office formats: a header, a table of sectors, and a directory of as many as it takes."""
    entries = [_entry("Root Entry", 5), *(_entry(name, 2) for name in streams)]
    entries += [bytes(128)] * (-len(entries) % 4)
    sectors = len(entries) // 4
    chain = [0xFFFFFFFD, *range(2, sectors + 1), 0xFFFFFFFE]
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(512, b"\xff")
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    header += bytes(6) + struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header += struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)
    return header + table + b"".join(entries)


def _entry(name: str, kind: int) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0"
    return text.ljust(64, b"\0") + struct.pack("<HBB", len(text), kind, 1) + b"\xff" * 12 + bytes(48)


def gzipped() -> bytes:
    return gzip.compress(b"something", mtime=0)


def unknown() -> bytes:
    """No kind of file that anybody knows."""
    return bytes((number * 37 + 11) % 256 for number in range(5000))
