"""Files that want to do harm, or have come to some: refused with a sentence, within bounded time and memory."""

import io
import json
import random
import tracemalloc
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.programs.firefly.read import read
from tests.length import examples

from .books import ACCOUNTS, a_csv, a_group, a_journal, a_row, an_archive, books_of, sample_api
from .fuzz import examine

ROUNDS = 900


def a_zip(files: dict[str, bytes], method: int = ZIP_DEFLATED) -> io.BytesIO:
    archive = io.BytesIO()
    with ZipFile(archive, "w", method) as into:
        for name, content in files.items():
            into.writestr(name, content)
    return archive


def unreadable(file: io.BytesIO, name: str = "a.zip") -> str:
    with pytest.raises(Unreadable) as caught:
        list(read({name: file}).transactions)
    return str(caught.value)


def test_books_that_are_damaged_anywhere_are_read_with_findings_or_refused() -> None:
    """A few ways in every run; `make fuzz` tries many more."""
    first = random.Random(23).randrange(10**6)

    assert {examine(seed) for seed in range(first, first + examples(ROUNDS))} == {True, False}


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = a_zip({"api/accounts/page-1.json": b" " * 30 * 2**20, "api/transactions/page-1.json": b" " * 30 * 2**20})
    tracemalloc.start()

    assert "times its size" in unreadable(bomb)

    assert tracemalloc.get_traced_memory()[1] < 5 * 2**20
    tracemalloc.stop()


def test_a_zip_with_endless_contents_is_refused() -> None:
    tail = bytearray(sample_api().getvalue())
    at = tail.rindex(b"PK\x05\x06")
    tail[at + 12 : at + 16] = (2**30).to_bytes(4, "little")

    assert "too many files" in unreadable(io.BytesIO(bytes(tail)))


@pytest.mark.parametrize("method", [ZIP_LZMA])
def test_only_plain_compression_is_unpacked(method: int) -> None:
    assert "uses an unsupported compression" in unreadable(a_zip({"api/accounts/page-1.json": b"{}"}, method))


def test_a_zip_that_is_cut_off_is_refused() -> None:
    whole = sample_api().getvalue()

    for length in range(4, len(whole), len(whole) // 20):
        assert "is a damaged zip archive" in unreadable(io.BytesIO(whole[:length]))


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b"[]",
        b'{"data": {}}',
        b'{"data": ' + b"[" * 5000,
        b'"\xff"',
        b"\x00",
    ],
)
def test_a_page_that_is_no_list_is_refused(page: bytes) -> None:
    fine = json.dumps({"data": []}).encode()

    assert "page-1.json" in unreadable(a_zip({"api/accounts/page-1.json": page, "api/transactions/page-1.json": fine}))


def test_an_archive_without_transactions_is_refused() -> None:
    assert "no pages of transactions" in unreadable(a_zip({"api/accounts/page-1.json": b'{"data":[]}'}))


def test_a_page_that_is_missing_is_named() -> None:
    archive = an_archive()
    with ZipFile(archive, "a") as more:
        more.writestr("api/transactions/page-3.json", '{"data": []}')

    assert "Pages of the list transactions are missing" in " ".join(
        one.message for one in read({"a": archive}).findings
    )


def test_a_line_without_end_is_refused() -> None:
    line = a_csv(a_row(1)).getvalue() + b"x" * 6 * 2**20

    assert "a line of more than 4 million characters" in unreadable(io.BytesIO(line), "a.csv")


def test_a_million_columns_are_refused() -> None:
    assert "columns" in unreadable(io.BytesIO(b"journal_id,source_name" + b",x" * 1_000_000 + b"\n"), "a.csv")


def test_a_field_without_end_is_refused() -> None:
    endless = a_csv(a_row(1)).getvalue() + b'1,"' + b"x\n" * 200_000

    assert "is not CSV from line" in unreadable(io.BytesIO(endless), "a.csv")


def test_two_files_of_one_name_are_refused() -> None:
    zipped = a_zip({"a.csv": a_csv(a_row(1)).getvalue()})

    with pytest.raises(Unreadable, match="two files named"):
        read({"a.csv": a_csv(a_row(1)), "b.zip": zipped})


def test_days_at_both_ends_of_time_do_not_fill_the_memory() -> None:
    """120 000 months for each of many accounts: only those in which one moved are told."""
    groups = [a_group(a_journal(key, 1, 4, date=day)) for key, day in enumerate(("0001-01-01", "9999-12-31"), 1)]
    accounts = [*ACCOUNTS, *({"id": key, "name": str(key), "type": "expense"} for key in range(10, 30))]

    books = books_of(*groups, accounts=[{**one, "currency_code": "EUR"} for one in accounts])

    assert len(books.balances) < 100
    assert {one.amount for one in books.balances if one.account == "4"} == {10, 20}


def test_nul_characters_do_not_come_through() -> None:
    (transaction,) = books_of(a_group(a_journal(1, 1, 4, description="a\x00b", notes="\x00"))).transactions

    assert (transaction.description, transaction.notes) == ("ab", None)


def test_transactions_are_never_held_all_at_once() -> None:
    file = a_csv(*(a_row(key, notes="x" * 3000) for key in range(1, 2001)))
    tracemalloc.start()

    assert sum(1 for _ in read({"a.csv": file}).transactions) == 2000

    assert tracemalloc.get_traced_memory()[1] < 3 * 2**20  # the file has six
    tracemalloc.stop()
