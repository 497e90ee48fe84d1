"""Files that nobody's bank wrote: they end in a sentence, in bounded time and memory, never in another exception."""

import csv
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from multiprocessing import get_context
from time import process_time

import pytest

from farthing.moving.findings import Finding, Unreadable
from farthing.moving.formats.csv.detect import detect, looks_like
from farthing.moving.formats.csv.layout import CsvLayout
from farthing.moving.formats.csv.read import read
from farthing.moving.formats.csv.table import FIELD_CHARS_MAX

LAYOUT = CsvLayout(columns={"date": 0, "amount": 1, "description": 2}, header=False)
GOOD = b"2026-01-31,5,fine\n"

HOSTILE = {
    "a million columns": GOOD + b"," * 1_000_000 + b"\n",
    "many columns in every row": (b"2026-01-31,5," + b"x," * 2000 + b"\n") * 50,
    "one endless line": b"x" * 5_000_000,
    "an endless line after good ones": GOOD * 10 + b"x" * 5_000_000,
    "an endless cell in quotes": GOOD + b'2026-01-31,5,"' + b"x\n" * 500_000,
    "a quote opened in every line": b'2026-01-31,5,"open\n' * 5000,
    "quotes only": b'"' * 100_000,
    "zeros": b"\0" * 100_000,
    "a zero among the rows": GOOD * 10 + b"2026-01-31,5,a\0b\n" + GOOD,
    "half a UTF-16 letter": "2026-01-31,5,fine\n".encode("utf-16") + b"x",
    "a lone surrogate": b"\xff\xfe" + GOOD.decode().encode("utf-16-le") + b"\x00\xd8\n\x00",
    "UTF-8 cut in a letter": GOOD * 10 + b"2026-01-31,5,\xc3",
    "bytes that no code page has": GOOD * 10 + b"2026-01-31,5,\x81\x8d\n",
    "empty lines": b"\n" * 300_000,
    "delimiters only": b",;,;\n" * 10_000,
    "long numbers": b"2026-01-31," + b"9" * 100_000 + b",a\n",
    "long dates": b"2" * 100_000 + b",5,a\n",
    "deep grouping": b"2026-01-31," + b"1.111" * 12_000 + b",a\n",
    "exponents": b"2026-01-31,1e999999999,a\n" * 100,
    "a zip": b"PK\x03\x04" + bytes(range(256)) * 100,
    "nothing": b"",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_in_a_sentence_and_soon(name: str) -> None:
    began = process_time()

    outcomes = [outcome_of(lambda: read_all(LAYOUT, name)), outcome_of(lambda: read_as_detected(name))]

    assert "" not in outcomes
    assert process_time() - began < 5
    looks_like(HOSTILE[name][:65_536], "file.csv")


def read_all(layout: CsvLayout, name: str) -> int:
    return sum(1 for _ in read(BytesIO(HOSTILE[name]), layout))


def read_as_detected(name: str) -> int:
    return read_all(detect(BytesIO(HOSTILE[name])).layout, name)


def outcome_of(action: object) -> int | str:
    assert callable(action)
    try:
        return int(action())
    except Unreadable as error:
        return str(error)


def test_a_file_of_bad_rows_alone_is_given_up() -> None:
    with pytest.raises(Unreadable, match="More than 10000 rows cannot be read"):
        for _ in read(BytesIO(b"no,date,here\n" * 20_000), LAYOUT):
            pass


def test_a_row_of_too_many_columns_is_rejected_and_the_next_is_read() -> None:
    content = b"date,amount,text\n2026-01-31,5," + b"x," * 2000 + b"\n" + GOOD

    parts = list(read(BytesIO(content), CsvLayout(columns={"date": "date", "amount": "amount"})))

    assert [(part.row, part.rejects) for part in parts if isinstance(part, Finding)] == [(2, True)]
    assert len(parts) == 4


def test_the_csv_module_has_the_limit_that_the_manual_states() -> None:
    assert csv.field_size_limit() == FIELD_CHARS_MAX


def test_memory_does_not_grow_with_the_file() -> None:
    """In a process of its own: in that of all tests others take memory meanwhile, and garbage is rarely looked for."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        peaks = [alone.submit(peak_of, rows).result() for rows in (2_000, 12_000)]

    assert peaks[1] < peaks[0] + 300_000


def peak_of(rows: int) -> int:
    file = BytesIO(b"".join(f"2026-01-{n % 28 + 1:02},{n}.5,text {n}\n".encode() for n in range(rows)))
    tracemalloc.start()
    for _ in read(file, LAYOUT):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_lines_that_look_like_ibans_cost_no_time() -> None:
    lines = "\n".join("AA00" * 240 + "_" for _ in range(100))
    began = process_time()

    detect(BytesIO(f"{lines}\nDatum;Text;Betrag\n31.01.2026;a;5,00\n".encode()))

    assert process_time() - began < 2
