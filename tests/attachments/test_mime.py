"""The kind of a content is read from its bytes: real files of every kind we promise, and some that try to fool us."""

import codecs
import struct
import time
from io import BytesIO
from zipfile import ZIP_LZMA

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.books.attachments import mime

from . import samples
from .making import attached, promised, shown, uploaded

LONG_TEXT = "Überweisung über 12,50 €\n" * 40_000

KINDS = {
    "pdf": (samples.pdf(), "application/pdf"),
    "png": (samples.png(), "image/png"),
    "jpeg": (samples.jpeg(), "image/jpeg"),
    "gif": (samples.gif(), "image/gif"),
    "a jpeg of printable bytes": (b"\xff\xd8\xff\xe0JFIF picture", "image/jpeg"),
    "a gif of printable bytes": (b"GIF89a picture", "image/gif"),
    "an old gif": (b"GIF87a picture", "image/gif"),
    "bmp": (samples.bmp(), "image/bmp"),
    "webp": (samples.webp(), "image/webp"),
    "heic": (samples.heic(), "image/heic"),
    "svg": (samples.svg(), "image/svg+xml"),
    "svg without a declaration": (b"<svg/>", "image/svg+xml"),
    "svg with a prefix": (b'<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', "image/svg+xml"),
    "docx": (samples.office(samples.WORD, "word"), samples.WORD),
    "xlsx": (samples.office(samples.EXCEL, "xl"), samples.EXCEL),
    "pptx": (samples.office(samples.POWERPOINT, "ppt"), samples.POWERPOINT),
    "dotx": (samples.office(samples.TEMPLATE, "word"), samples.TEMPLATE),
    "xlsm": (samples.office(samples.WITH_MACROS, "xl"), f"{samples.WITH_MACROS}.12"),
    "ods": (samples.open_document(samples.SHEET), samples.SHEET),
    "epub": (samples.open_document(samples.EPUB), samples.EPUB),
    "doc": (samples.compound("1Table", "Data", "WordDocument"), "application/msword"),
    "xls": (samples.compound("a", "b", "c", "d", "e", "Workbook"), "application/vnd.ms-excel"),
    "ppt": (samples.compound("PowerPoint Document"), "application/vnd.ms-powerpoint"),
    "another compound file": (samples.compound("Anything"), "application/x-ole-storage"),
    "zip": (samples.zipped(("a.txt", b"text"), ("word/document.xml", b"<x/>")), "application/zip"),
    "an empty zip": (samples.zipped(), "application/zip"),
    "gzip": (samples.gzipped(), "application/gzip"),
    "text": (b"Dear Sir or Madam\n", "text/plain"),
    "a long text": (LONG_TEXT.encode(), "text/plain"),
    "text with a mark": (codecs.BOM_UTF8 + b"text", "text/plain"),
    "text in UTF-16": ("Kontoauszug\n".encode("utf-16"), "text/plain"),
    "text in Latin-1": ("Datum;Betrag;Empfänger\n2024-05-01;12,50;Bäcker\n".encode("latin-1"), "text/plain"),
    "csv": (b"date,amount\r\n2024-05-01,12.50\r\n", "text/plain"),
    "json": (b'{"amount": 12.50}', "text/plain"),
    "html": (b"<!DOCTYPE html><script>alert(1)</script><svg/>", "text/html"),
    "html without a declaration": (b"<!-- a page -->\n<HTML lang=en><body>", "text/html"),
    "text that speaks of html": (b"a <html> page", "text/plain"),
    "xml": (b'<?xml version="1.0"?><camt/>', "text/plain"),
    "text like a bitmap": (b"BMW, rate for May", "text/plain"),
    "text that speaks of pdf": (b"begins with %PDF-1.4", "text/plain"),
    "rtf": (b"{\\rtf1\\ansi text}", "application/rtf"),
    "postscript": (b"%!PS-Adobe-3.0\nshowpage\n", "application/postscript"),
    "unknown": (samples.unknown(), "application/octet-stream"),
    "zeros": (bytes(1000), "application/octet-stream"),
    "ones": (b"\xff" * 1000, "application/octet-stream"),
    "all bytes": (bytes(range(256)), "application/octet-stream"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_told_from_the_content(kind):
    content, expected = KINDS[kind]

    assert mime.of(BytesIO(content)) == expected


@pytest.mark.parametrize("kind", ["pdf", "xlsx", "csv", "unknown"])
def test_neither_name_nor_label_counts(me, kind):
    content, expected = KINDS[kind]
    attachment_id = promised(me, filename="picture.gif")["id"]

    uploaded(me, attachment_id, content, "image/gif")

    assert shown(me, attachment_id)["mime"] == expected


# What tries to fool us


def test_an_archive_that_names_itself_nonsense_is_a_zip():
    for named in (b"text/html", b"application/" + b"x" * 500, b"application/x\r\nSet-Cookie: a", b"\xff\xfe"):
        assert mime.of(BytesIO(samples.zipped(("mimetype", named)))) == "application/zip"


@pytest.mark.parametrize("cut", [4, 22, 40, -1, -10, -30])
def test_an_archive_that_is_cut_off_is_a_zip(cut):
    assert mime.of(BytesIO(samples.office(samples.WORD, "word")[:cut])) == "application/zip"


def test_an_archive_that_swells_costs_nothing():
    bomb = samples.zipped(("mimetype", bytes(50_000_000)), ("[Content_Types].xml", bytes(50_000_000)))

    began = time.perf_counter()
    assert mime.of(BytesIO(bomb)) == "application/zip"
    assert time.perf_counter() - began < 5


def test_an_archive_with_a_huge_directory_is_not_read():
    member = b"PK\x01\x02" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"a"
    directory = member * 100_000
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, len(directory), 4, 0)

    assert mime.of(BytesIO(b"PK\x03\x04" + directory + end)) == "application/zip"


@pytest.mark.parametrize("shift", [0, 1, 2, 8, 13, 65_535])
def test_a_compound_file_with_sectors_of_no_known_size_is_not_looked_into(shift):
    broken = bytearray(samples.compound("WordDocument"))
    struct.pack_into("<H", broken, 30, shift)

    assert mime.of(BytesIO(broken)) == "application/x-ole-storage"


def test_an_archive_that_is_packed_in_an_unusual_way_is_a_zip_even_when_it_is_broken():
    whole = samples.zipped(("[Content_Types].xml", b"<Types/>" * 100), method=ZIP_LZMA)
    began = whole.index(b"[Content_Types].xml") + len(b"[Content_Types].xml")

    assert mime.of(BytesIO(whole)) == "application/zip"
    assert mime.of(BytesIO(whole[: began + 9] + b"\xff" * 8 + whole[began + 17 :])) == "application/zip"


def test_a_compound_file_that_goes_in_circles_comes_to_an_end():
    whole = bytearray(samples.compound("a", "b", "c", "d"))
    struct.pack_into("<I", whole, 512 + 4, 1)  # the first sector of the directory follows itself

    assert mime.of(BytesIO(bytes(whole))) == "application/x-ole-storage"


@pytest.mark.parametrize(
    "text", [b"<", b"<!", b"<!--", b"<?xml", b"<!DOCTYPE svg [", b"<!" * 30_000, b"<svg2/>", b"< svg"]
)
def test_what_only_begins_like_a_picture_is_text(text):
    assert mime.of(BytesIO(text)) == "text/plain"


@given(st.binary(min_size=1, max_size=3000))
def test_any_bytes_are_of_some_kind(content):
    assert "/" in mime.of(BytesIO(content))


@given(st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]), st.binary(max_size=3000))
def test_any_container_is_of_some_kind(head, rest):
    assert mime.of(BytesIO(head + rest)).startswith("application/")


@given(st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_any_printable_text_is_text(text):
    kinds = ("text/plain", "text/html", "image/svg+xml", "image/gif", "application/pdf")

    assert mime.of(BytesIO(text.encode())) in kinds


def test_text_beyond_the_first_megabyte_counts_too(me):
    attachment_id = attached(me, LONG_TEXT.encode() + b"\0")

    assert shown(me, attachment_id)["mime"] == "application/octet-stream"
