"""Damaged tables: whatever is cut, doubled or replaced, reading ends in rows, findings or one sentence."""

from io import BytesIO
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.moving.findings import Finding, Unreadable
from farthing.moving.formats.csv.detect import detect, looks_like
from farthing.moving.formats.csv.layout import check_fields
from farthing.moving.formats.csv.read import read
from farthing.moving.statements import StatementRow

from ...length import LONG

SAMPLES = [path.read_bytes() for path in sorted((Path(__file__).parent / "files").iterdir())]
SCRAPS = [b'"', b"'", b";", b",", b"\t", b"\n", b"\r", b"\0", b"-", b"(", b"\xff\xfe", b"\xef\xbb\xbf", b"\x81", b"'="]
SCRAPS += ["−1.234,56".encode(), b"1e9", b"31.12.9999", b"0000-00-00", b"99/99/9999", b"NaN", "\u202e".encode()]

EXAMPLES = 4_000 if LONG else 150

damages = st.lists(
    st.tuples(st.integers(0, 5000), st.integers(0, 40), st.sampled_from(SCRAPS) | st.binary(max_size=6)), max_size=8
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
mappings = st.dictionaries(
    st.sampled_from(["encoding", "delimiter", "quote", "decimal", "thousands", "date_order", "header", "preamble"])
    | st.sampled_from(["footer", "invert", "x"]),
    json_values | st.sampled_from([",", ";", ".", "utf-16", "latin-1", "dmy", "'", 3]),
    max_size=4,
)


def damage(content: bytes, steps: list[tuple[int, int, bytes]]) -> bytes:
    for place, length, scrap in steps:
        at = place % (len(content) + 1)
        content = content[:at] + scrap + content[at + length :]
    return content


def check(content: bytes, mapping: object = None) -> None:
    looks_like(content, "file.csv")
    try:
        parts = list(read(BytesIO(content), detect(BytesIO(content), mapping).layout))
    except Unreadable:
        return
    for part in parts:
        if isinstance(part, StatementRow):
            assert part.amount.is_finite()
            assert part.amount != 0
            assert "\0" not in part.description
        elif isinstance(part, Finding):
            assert part.message


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sampled_from(SAMPLES), damages)
def test_fuzz_damaged_tables(content: bytes, steps: list[tuple[int, int, bytes]]) -> None:
    check(damage(content, steps))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sampled_from(SAMPLES), st.integers(0, 3000))
def test_fuzz_tables_cut_anywhere(content: bytes, length: int) -> None:
    check(content[:length])


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.binary(max_size=400) | st.text(alphabet="0123456789.,;-/'\"\n\t aé€", max_size=400).map(str.encode))
def test_fuzz_any_bytes(content: bytes) -> None:
    check(content)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.sampled_from(SAMPLES), mappings)
def test_fuzz_mappings(content: bytes, mapping: dict[str, object]) -> None:
    check_fields(mapping)
    check(content, mapping)
