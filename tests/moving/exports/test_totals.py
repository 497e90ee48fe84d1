"""Every format tells the same: random books, exported, hold in each account what ours hold."""

import csv
import io
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from farthing.kernel.money import Currency, Money
from farthing.ledger.entry import Entry, Split
from farthing.ledger.kinds import Kind, Type
from farthing.moving.exports import beancount, hledger
from farthing.moving.exports.ledger_text import name_accounts
from farthing.moving.exports.model import ExportFormat, ExportRequest
from farthing.moving.exports.snapshot import ExportedAccount, Snapshot, load_balances, take
from farthing.storage.blobs import DiskBlobs

from ...builders import AT, EUR, Books, somebodys_books
from ...ledgers import balances_of_hledger, check_beancount, check_hledger
from ...length import LONG
from ..archive.loading import load_archive
from .making import exported

CODES = ("EUR", "USD", "JPY", "KWD", "XBT")
KINDS = {Kind.ASSET: 6, Kind.LOAN: 2, Kind.EXPENSE: 10, Kind.REVENUE: 4}
NASTY = (
    "=cmd|' /C calc'!A0", "+49 Telecom", "-5 discount", "@home", "'=already", "Two  blanks", "a:b", "a-b", "semi;colon",
    "date:2020-99-99 [2020-13-13]", "日本", "ünï", "(virtual)", "[virtual]", "* star", "! bang", '"quoted" \\ back',
    "2024-01-01", "; comment", "x" * 255, "Ärger", "ärger", "🦆", "#tag ^link", "Name", "Name 7", "name", "…", "|pipe",
    "comma, key: value", "tab\there", "line\nbreak", "\x1bescape", "{curly}", "~tilde", "%percent", "type: A", "＝1+1",
    "＋49", "－5", "＠home",
)  # fmt: skip
Totals = Counter[tuple[str, str, str]]


def fill(books: Books, seed: int, transactions: int = 60) -> None:
    """Accounts with names that mean something in other syntaxes, money of five currencies."""
    draw = random.Random(seed)
    names = iter(draw.sample(NASTY, len(NASTY)))
    by_kind: dict[Kind, list[str]] = {kind: [next(names) for _ in range(count)] for kind, count in KINDS.items()}
    for kind, of in by_kind.items():
        for name in of:
            books.account(name, kind, draw.choice(CODES), active=draw.random() > 0.1)
    for _ in range(transactions):
        books.record(_entry(books, draw, by_kind), category=draw.choice((None, *NASTY)), tags=draw.sample(NASTY, 2))


def _entry(books: Books, draw: random.Random, by_kind: dict[Kind, list[str]]) -> Entry:
    own = by_kind[Kind.ASSET] + by_kind[Kind.LOAN]
    type_ = draw.choice((Type.WITHDRAWAL, Type.DEPOSIT, Type.TRANSFER))
    sources = by_kind[Kind.REVENUE] if type_ == Type.DEPOSIT else own
    splits = []
    for _ in range(draw.choice((1, 1, 2, 5))):
        source = draw.choice(sources)
        others = by_kind[Kind.EXPENSE] if type_ == Type.WITHDRAWAL else [name for name in own if name != source]
        splits.append(_split(books, draw, source, draw.choice(others)))
    on = date(2023, 1, 1) + timedelta(days=draw.randrange(800))
    return Entry(type_, on, draw.choice(NASTY), tuple(splits), notes=draw.choice((None, "\n".join(NASTY))))


def _split(books: Books, draw: random.Random, source: str, destination: str) -> Split:
    left, arrived = books.ids[source], books.ids[destination]
    is_exchanged = arrived.currency != left.currency or draw.random() < 0.1
    foreign = Money(_units(draw), arrived.currency) if is_exchanged else None
    return Split(left, arrived, Money(_units(draw), left.currency), foreign, draw.choice((None, *NASTY)))


def _units(draw: random.Random) -> int:
    return draw.choice((1, 3, 7, 999, 12_345, 10**15 + 1)) * draw.randrange(1, 100)


def snapshot(books: Books, db: Any, **filters: Any) -> Snapshot:
    request = ExportRequest(user_id=books.user_id, format=ExportFormat.CSV, today="2024-05-15", made_at=AT, **filters)
    return take(db, request)


def ours(books: Books) -> Totals:
    with books.database.reading() as db:
        found = snapshot(books, db)
        held = load_balances(found, None).items()
        named = {one.id: (one.name, one.kind.value) for one in found.accounts.values()}
        codes = {one.id: one.code for one in found.currencies.values()}
        return Counter({(*named[account], codes[code]): units for (account, code), units in held if account in named})


def of_splits(rows: Iterator[dict[str, Any]], currency_of: dict[tuple[str, str], Currency], places: Any) -> Totals:
    """Each side is booked in its account's currency, if one of the two amounts is in that."""
    totals: Totals = Counter()
    for row in rows:
        for side, sign in (("source", -1), ("destination", 1)):
            key = (row[side], row[f"{side}_type"])
            amount, code = row["amount"], row["currency"]
            if row["foreign_currency"] == currency_of[key].code != code:
                amount, code = row["foreign_amount"], row["foreign_currency"]
            totals[*key, code] += sign * int(Decimal(amount).scaleb(places[code]))
    return Counter({key: units for key, units in totals.items() if units})


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12 if LONG else 1))
def test_all_formats_hold_what_the_books_hold(books, seed, tmp_path):
    fill(books, seed)
    expected = ours(books)
    with books.database.reading() as db:
        found = snapshot(books, db)
        accounts = list(found.accounts.values())
        currency_of = {(one.name, one.kind.value): one.currency for one in accounts}
        places = {one.code: one.places for one in found.currencies.values()}

    def write(word: str) -> Path:
        path = tmp_path / word
        path.write_bytes(exported(books.database, books.user_id, word))
        return path

    rows = csv.DictReader(io.StringIO(write("csv").read_text(), newline=""))
    assert of_splits(map(_from_csv, rows), currency_of, places) == expected

    file = sqlite3.connect(write("sqlite"))
    sums = file.execute(
        "SELECT a.name, a.type, p.currency, SUM(p.units) AS held FROM postings p JOIN accounts a ON a.id = p.account_id"
        " GROUP BY 1, 2, 3 HAVING held <> 0"
    )
    assert {(*key, code): units for *key, code, units in sums} == expected
    file.close()

    assert _from_parquet(write("parquet"), currency_of, places) == expected
    assert check_beancount(write("beancount")) == ""
    journal = write("hledger")
    assert check_hledger(journal) == ""
    named = name_accounts(accounts, hledger.clean_name)
    told = {
        (named[one.id], code): _decimal(units, places[code])
        for one in accounts
        for (name, kind, code), units in expected.items()
        if (name, kind) == (one.name, one.kind.value)
    }
    assert {key: Decimal(text) for key, text in balances_of_hledger(journal).items()} == told


def _decimal(units: int, places: int) -> Decimal:
    return Decimal(units).scaleb(-places)


def _from_csv(row: dict[str, str]) -> dict[str, Any]:
    """All amounts of Firefly III are negative; a quote in front of a formula is taken away."""

    def text(name: str) -> str:
        return row[name][1:] if row[name].lstrip("'")[:1] in tuple("=+-@＝＋－＠\t\n\x1b") else row[name]

    foreign = row["foreign_amount"]
    return {
        "source": text("source_name"),
        "source_type": row["source_type"],
        "destination": text("destination_name"),
        "destination_type": row["destination_type"],
        "amount": row["amount"].removeprefix("-"),
        "currency": row["currency_code"],
        "foreign_amount": foreign.removeprefix("-"),
        "foreign_currency": row["foreign_currency_code"] or None,
    }


def _from_parquet(path: Path, currency_of: Any, places: Any) -> Totals:
    parquet = pytest.importorskip("pyarrow.parquet", reason="!!! pyarrow is not installed: Parquet was not tested")
    return of_splits(iter(parquet.read_table(path).to_pylist()), currency_of, places)


@pytest.mark.any_database
def test_a_range_carries_balances_forward_and_still_ends_with_ours(books, tmp_path):
    fill(books, seed=77)
    some = tuple(party.id for party in list(books.ids.values())[:3])
    ranges: list[dict[str, Any]] = [
        {"start": "2023-09-15"},
        {"end": "2024-02-29"},
        {"start": "2023-06-01", "end": "2023-06-30"},
        {"account_ids": some},
        {"account_ids": some, "start": "2024-01-01", "end": "2024-12-31"},
        {"start": "2030-01-01"},
    ]

    for filters in ranges:
        for word, check in (("hledger", check_hledger), ("beancount", check_beancount)):
            path = tmp_path / word
            path.write_bytes(exported(books.database, books.user_id, word, **filters))
            assert check(path) == "", (word, filters)


def test_a_wrong_kept_balance_is_found_by_both_programs(books, tmp_path):
    books.keep("2024-05-01 deposit Employer -> Checking 1000.00 EUR")
    books.tamper("UPDATE balances SET units = units + 1 WHERE user_id = :user_id AND units > 0")

    for word, check in (("hledger", check_hledger), ("beancount", check_beancount)):
        path = tmp_path / word
        path.write_bytes(exported(books.database, books.user_id, word))
        assert "Checking" in check(path)


def test_an_archive_of_random_books_is_equal_in_other_books(books, tmp_path):
    fill(books, seed=5)
    archive = exported(books.database, books.user_id, "json")

    with somebodys_books(books.database, "bob@farthing.example") as others:
        load_archive(books.database, DiskBlobs(tmp_path), others.user_id, io.BytesIO(archive), AT)

        assert ours(others) == ours(books)
        assert others.findings() == []


@pytest.mark.any_database
def test_transactions_come_oldest_first(books):
    fill(books, seed=3)

    rows = list(csv.DictReader(io.StringIO(exported(books.database, books.user_id, "csv").decode(), newline="")))

    assert all(one["date"][:10] <= other["date"][:10] for one, other in pairwise(rows))


@pytest.mark.parametrize("clean", [hledger.clean_name, beancount.clean_name])
def test_names_are_unique_whatever_they_become(clean):

    rest = dict.fromkeys(("role", "account_number", "iban", "bic", "notes"))
    flags = {"active": True, "include_net_worth": True, "virtual_units": 0, "currency": EUR}
    names = [*NASTY, *NASTY, "a b", "a-b", "a:b", "a b 3", ""]
    accounts = [
        ExportedAccount(id=number, kind=Kind.EXPENSE, name=name, **flags, **rest) for number, name in enumerate(names)
    ]

    assert len(set(name_accounts(accounts, clean).values())) == len(names)
