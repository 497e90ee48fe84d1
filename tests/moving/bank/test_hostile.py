"""Files that are broken, cut off or malicious end in a sentence, in bounded time and memory, whatever is in them."""

import io
import random
import tracemalloc
import zipfile
from contextlib import suppress
from decimal import Decimal
from types import ModuleType
from typing import BinaryIO, cast

import pytest

from farthing.moving.findings import Finding, Unreadable
from farthing.moving.formats.camt import reader as camt
from farthing.moving.formats.mt940 import reader as mt940
from farthing.moving.formats.ofx import reader as ofx
from farthing.moving.formats.qif import reader as qif
from farthing.moving.formats.statement_check import check
from farthing.moving.formats.xml_elements import SKIPPED_MAX
from farthing.moving.statements import StatementEnd, StatementRow, StatementStart
from farthing.moving.zip_files import ZipLimits

from ...length import LONG
from .test_files import EXPECTED, FILES, READERS
from .test_traits import CAMT, MT940, OFX

MEMORY_MAX = 100 * 2**20


def examine(reader: ModuleType, content: bytes) -> None:
    """Reads it; everything but parts and `Unreadable` is an error. Rows must be what they promise."""
    reader.looks_like(content[: 2**16], "file")
    with suppress(Unreadable):
        for part in check(reader.read(io.BytesIO(content))):
            assert isinstance(part, StatementStart | StatementRow | StatementEnd | Finding)
            if isinstance(part, StatementRow):
                assert isinstance(part.amount, Decimal)
                assert part.amount
                assert part.amount.is_finite()
                assert not part.splits or sum(split.amount for split in part.splits) == part.amount
            if isinstance(part, Finding):
                assert len(part.message) < 500, part.message


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_may_be_cut_off_at_any_byte(name: str) -> None:
    content = (FILES / name).read_bytes()
    step = 1 if LONG else max(1, len(content) // 150)
    for length in range(0, len(content), step):
        examine(READERS[EXPECTED[name][0]], content[:length])


@pytest.mark.parametrize("name", EXPECTED)
def test_fuzz_no_change_of_a_file_breaks_its_reader(name: str) -> None:
    content, chance = (FILES / name).read_bytes(), random.Random(name)
    for _ in range(5_000 if LONG else 100):
        examine(READERS[EXPECTED[name][0]], mutate(content, chance))


def mutate(content: bytes, chance: random.Random) -> bytes:
    """A few changes: bytes flipped, pieces doubled, dropped, moved, or replaced by what parsers stumble over."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(changed) + 1)
        end = min(len(changed), at + chance.choice((1, 1, 2, 8, 60)))
        kind = chance.randrange(5)
        if kind == 0 and at < len(changed):
            changed[at] = chance.randrange(256)
        elif kind == 1:
            del changed[at:end]
        elif kind == 2:
            changed[at:at] = changed[at:end] * chance.choice((1, 2, 50))
        elif kind == 3:
            changed[at:at] = chance.choice(_STUMBLING_BLOCKS)
        else:
            other = chance.randrange(len(changed) + 1)
            changed[other:other] = changed[at:end]
    return bytes(changed)


_STUMBLING_BLOCKS = [b"<", b">", b"&", b"\x00", b"\xff", b"^", b"\n", b"\r", b"!Type:Bank\n", b":61:", b":86:", b"-\n"]
_STUMBLING_BLOCKS += [b"99999999999999999999999", b"NaN", b"1e999999", b"-", b",", b".", b"\xe2\x80\xae", "é".encode()]
_STUMBLING_BLOCKS += [
    b"<STMTTRN>",
    b"</STMTTRN>",
    b"<![CDATA[",
    b"<!--",
    b"<Ntry>",
    b"</Ntry>",
    b"?20",
    b"/NAME/",
    b"{4:",
]
_STUMBLING_BLOCKS += [
    b"20240230",
    b"0000-00-00",
    b"D2/30'24\n",
    b"S[X]\n$1\n",
    b"%50\n",
    b"\x1a",
    b"\xef\xbb\xbf",
    b"'",
]


@pytest.mark.parametrize("reader", [ofx, qif, camt, mt940])
@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\x00", b"PK\x03\x04", b"PK\x03\x04" + b"x" * 100, b"<", b"\xff\xfe", b"hello"]
)
def test_what_is_no_bank_file_is_refused(reader: ModuleType, content: bytes) -> None:
    assert not reader.looks_like(content, "x")
    with pytest.raises(Unreadable):
        list(reader.read(io.BytesIO(content)))


@pytest.mark.parametrize("element", ["<a/>", "<Stmt/>", "<Stmt><a/></Stmt>", "<GrpHdr/>"])
def test_elements_that_nobody_reads_are_counted(element: str) -> None:
    content = f"<Document>{element * (SKIPPED_MAX + 1)}</Document>".encode()

    with pytest.raises(Unreadable, match="not known"):
        list(camt.read(io.BytesIO(content)))


_LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'


@pytest.mark.parametrize(
    ("reader", "content"),
    [
        (camt, CAMT.replace("?>", "?>" + _LAUGHS, 1).replace("Müller", "&c;")),
        (camt, CAMT.replace("?>", '?><!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">', 1)),
        (camt, CAMT.replace("Müller", "&c;")),
        (ofx, OFX.replace("<OFX>", _LAUGHS + "<OFX>")),
    ],
)
def test_entities_are_refused(reader: ModuleType, content: str) -> None:
    with pytest.raises(Unreadable):
        list(reader.read(io.BytesIO(content.encode())))


class Endless(io.RawIOBase):
    """A head, and then the same again and again, up to a size that would be felt; nothing of it is kept."""

    def __init__(self, head: bytes, again: bytes, size: int) -> None:
        self.head, self.again, self.size = head, again * (2**16 // len(again)), size
        self.at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, at: int, whence: int = 0) -> int:
        self.at = at if whence == 0 else self.size
        return self.at

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        if self.at < len(self.head):
            data = self.head[self.at : self.at + len(buffer)]
        else:
            data = self.again[(self.at - len(self.head)) % len(self.again) :][: max(0, self.size - self.at)]
        data = data[: len(buffer)]
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


HOSTILE = {
    "one long line of OFX": (ofx, OFX.split("Müller")[0], "x"),
    "a tag without end": (ofx, "<OFX><", "x"),
    "a comment without end": (ofx, "<OFX><!--", "<x"),
    "nested OFX": (ofx, "<OFX>", "<PAYEE><BAL>"),
    "values without end": (ofx, "<OFX><STMTTRN>", "<MEMO>abc"),
    "one long line of QIF": (qif, "!Type:Bank\nP", "x"),
    "a record without end": (qif, "!Type:Bank\n", "Mabc\n"),
    "a record with many splits": (qif, "!Type:Bank\n", "SX\n$1\n"),
    "a record of long lines": (qif, "!Type:Bank\n", f"M{'x' * 9000}\n"),
    "a day of spaces": (qif, "!Type:Bank\nD1/1", " "),
    "one long line of MT940": (mt940, MT940[:60], "x"),
    "a field without end": (mt940, ":20:1\n:25:2\n:86:", "x\n"),
    "a field of long lines": (mt940, ":20:1\n:25:2\n:86:", f"{'x' * 9000}\n"),
    "nested XML": (camt, "<Document>", "<a>"),
    "nested in an entry": (camt, CAMT.split("<Amt", 3)[0] + "<Ntry>", "<a>"),
    "a text without end": (camt, CAMT.split("Müller")[0], "x"),
    "an attribute without end": (camt, '<Document x="', "y"),
    "a comment without end in XML": (camt, "<Document><!--", "y"),
    "many elements in one entry": (camt, "<Document><Stmt><Ntry>", "<a/><b/>"),
    "many balances": (camt, "<Document><Stmt>", "<Bal><Amt>1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_fifty_megabytes_of_one_thing_stay_in_bounded_memory(name: str) -> None:
    reader, head, again = HOSTILE[name]
    size = 50_000_000 if LONG or len(again) == 1 else 150_000
    file = cast(BinaryIO, io.BufferedReader(Endless(head.encode(), again.encode(), size)))
    tracemalloc.start()
    try:
        with suppress(Unreadable):
            for _ in check(reader.read(file)):
                pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < MEMORY_MAX, f"{peak / 2**20:.0f} MB"


def test_a_zip_of_statements_is_read_by_name_and_a_bomb_is_not() -> None:
    content = (FILES / "fi-tili-camt053-v8.xml").read_bytes()
    packed = _zip({"b.xml": content, "a.xml": CAMT.encode(), "__MACOSX/._a.xml": b"x", "readme.txt": b"hello"})

    rows = [part for part in camt.read(io.BytesIO(packed)) if isinstance(part, StatementRow)]

    assert camt.looks_like(packed[: 2**16], "x.zip")
    assert [row.payee for row in rows] == ["Müller", "Café & Co", "Müller", "Sähkö Oy", "Työnantaja Oy"]
    for length in range(0, len(packed), 7):
        examine(camt, packed[:length])
    bomb = _zip({"a.xml": b"<Document>" + b" " * 3_000_000})
    with pytest.raises(Unreadable, match="unpacks to more than"):
        list(camt.read(io.BytesIO(bomb), limits=ZipLimits(files=10, unpacked_bytes=2_000_000)))


def _zip(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def test_other_archives_and_xml_files_are_not_claimed() -> None:
    office = _zip({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"})

    for reader in READERS.values():
        assert not reader.looks_like(office, "book.xlsx")
        assert not reader.looks_like(b"<?xml version='1.0'?><gnc-v2></gnc-v2>", "books.gnucash")
        assert not reader.looks_like(b"Date,Description,Amount\n2024-01-31,!Type:Bank,-12.50\n", "a.csv")
        assert not reader.looks_like(b"2024-01-31 * Shop\n  Expenses:Food  12.50 EUR\n  Assets:Bank\n", "a.journal")
