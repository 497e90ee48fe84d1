"""Journals of hledger and ledger: every trait alone, in pairs, and as hledger itself adds it up."""

import csv
import shutil
import subprocess
from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import pytest

from farthing.ledger.kinds import Kind
from farthing.moving.findings import Unreadable
from farthing.moving.programs.common.text import parse_number
from farthing.moving.programs.journal.reader import looks_like, read
from farthing.moving.source_books import SourceBooks

from .journal_traits import ALONE, HLEDGER
from .prover import balance, files, flow, messages, prove

TRAITS = HLEDGER | ALONE


def read_text(text: str) -> SourceBooks:
    return read(files(main__journal=text))


@pytest.mark.parametrize("trait", TRAITS)
def test_each_trait_alone_is_read_and_proved(trait: str) -> None:
    text = TRAITS[trait] + HLEDGER["plain"]
    books = read_text(text)

    prove(books)
    assert looks_like(text.encode(), "x.txt")
    assert not [one for one in books.findings if one.rejects]


def test_traits_in_pairs_are_read_and_proved() -> None:
    for one, two in combinations(HLEDGER, 2):
        text = HLEDGER[one] + HLEDGER[two]
        if "2024" in text.replace("P 2024", ""):
            try:
                prove(read_text(text))
            except Unreadable:
                assert {one, two} <= {"comment block", "prices", "rules"}


@pytest.mark.skipif(shutil.which("hledger") is None, reason="hledger is not installed")
@pytest.mark.parametrize("trait", ["all", *ALONE])
def test_every_balance_is_the_one_that_hledger_shows(trait: str, tmp_path: Path) -> None:
    text = "".join(HLEDGER.values()) if trait == "all" else ALONE[trait]
    path = tmp_path / "main.journal"
    path.write_text(text)
    books = read_text(text)

    prove(books)
    ends = sorted({one.on for one in books.balances})
    for end in ends[:: max(1, len(ends) // 4)] + ends[-1:]:
        assert ours(books, end.isoformat()) == hledger(path, end.isoformat())


def hledger(path: Path, on: str) -> dict[str, dict[str, Decimal]]:
    """The balances of own accounts at the end of a day."""
    end = (date.fromisoformat(on) + timedelta(days=1)).isoformat()
    words = ["hledger", "-f", str(path), "bal", "--flat", "-N", "-O", "csv", "-e", end, "--layout=bare"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for account, commodity, shown in list(csv.reader(done.stdout.splitlines()))[1:]:
        amount = parse_number(shown) or Decimal(0)
        if account.split(":")[0] in ("Assets", "Liabilities", "Wallets") and amount:
            found[account][CODES.get(commodity, commodity)] += amount
    return {account: dict(amounts) for account, amounts in found.items()}


CODES = {"$": "USD", "£": "GBP", "AAPL": "AA0", "Green Apples": "GR0", "": "EUR"}


def ours(books: SourceBooks, on: str) -> dict[str, dict[str, Decimal]]:
    found: dict[str, dict[str, Decimal]] = defaultdict(dict)
    names = {account.name.split(" (")[0] for account in books.accounts if account.kind not in NOMINAL}
    for name in names:
        for code in {account.currency for account in books.accounts}:
            full = {account.name for account in books.accounts} & {name, f"{name} ({code})"}
            for one in full:
                sums = balance(books, one, on)
                found[name] |= sums
    return {name: amounts for name, amounts in found.items() if amounts and not name.startswith("Clearing")}


NOMINAL = {Kind.EXPENSE, Kind.REVENUE, Kind.INITIAL_BALANCE, Kind.RECONCILIATION}
