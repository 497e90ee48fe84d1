"""How text files are decoded: the user's choice, marks, strict UTF-8, UTF-16, else windows-1252."""

import codecs
import io

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.formats.text import decode, lines

TEXT = "Datum;Betrag\r\nMüller;1,50 €\r\n"


@pytest.mark.parametrize(
    ("content", "chosen", "name"),
    [
        (b"Date,Amount\n", None, "UTF-8"),
        (TEXT.encode(), None, "UTF-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), None, "UTF-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8-sig", "UTF-8"),
        (TEXT.encode("windows-1252"), None, "windows-1252"),
        (TEXT.encode("utf-16"), None, "UTF-16-LE"),
        (TEXT.encode("utf-16"), "UTF-16", "UTF-16-LE"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), None, "UTF-16-BE"),
        (TEXT.encode("utf-16-le"), None, "UTF-16-LE"),
        (TEXT.encode("utf-16-be"), None, "UTF-16-BE"),
        ("Müller".encode("cp850"), "cp850", "cp850"),
        (b"", None, "UTF-8"),
    ],
)
def test_the_encoding_is_found_or_as_chosen(content: bytes, chosen: str | None, name: str) -> None:
    text, used = decode(io.BytesIO(content), chosen)

    assert used == name
    read = text.read()
    assert read in (TEXT, "Date,Amount\n", "Müller", "")
    assert decode(io.BytesIO(content), used)[0].read() == read


def test_a_byte_that_is_not_utf_8_is_found_however_late_it_comes() -> None:
    text, used = decode(io.BytesIO(b"plain\n" * 100_000 + "Müller".encode("windows-1252")))

    assert used == "windows-1252"
    assert text.read().endswith("Müller")


@pytest.mark.parametrize(
    ("content", "chosen", "said"),
    [
        (b"one\ntwo\nth\x00ree", None, "Line 3 contains the control character U+0000"),
        (b"\x07", None, "U+0007"),
        (TEXT.encode("utf-16")[:-1], None, "not valid UTF-16-LE text"),
        ("\ud800".encode("utf-16", "surrogatepass"), None, "not valid UTF-16-LE text"),
        ("Müller".encode("cp850"), None, "not valid UTF-8 or windows-1252 text. Choose"),
        ("Müller".encode("windows-1252"), "utf-8", "not valid UTF-8 text"),
        (b"abc", "punycode", "“punycode” is not a supported encoding"),
        (b"abc", "rot13", "is not a supported encoding"),
        (b"abc", "no\x00such", "is not a supported encoding"),
    ],
)
def test_what_is_no_text_is_refused_with_a_sentence(content: bytes, chosen: str | None, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        decode(io.BytesIO(content), chosen)

    assert said in str(refused.value)


def test_lines_end_as_on_any_system_and_the_file_stays_open() -> None:
    file = io.BytesIO(b"a\r\nb\rc\n\nd\x0b\n\x1a")

    assert list(lines(decode(file)[0])) == [(1, "a"), (2, "b"), (3, "c"), (4, ""), (5, "d\x0b")]
    assert not file.closed


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(Unreadable, match="Line 2 is longer than 10 characters"):
        list(lines(decode(io.BytesIO(b"a\n" + b"x" * 11))[0], longest=10))
