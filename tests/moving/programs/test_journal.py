"""Journals of hledger and ledger: every trait alone, in pairs, and as hledger itself adds it up."""

import csv
import subprocess
import time
from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest

from farthing.ledger.kinds import Kind
from farthing.moving.findings import Unreadable
from farthing.moving.programs.common.text import parse_number
from farthing.moving.programs.journal.reader import looks_like, read
from farthing.moving.source_books import SourceBooks

from ...needs import find_program, or_skip
from .journal_traits import ALONE, HLEDGER
from .prover import balance, book, files, flow, messages, prove

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


@pytest.mark.parametrize("trait", ["all", *ALONE])
def test_every_balance_is_the_one_that_hledger_shows(trait: str, tmp_path: Path) -> None:
    text = "".join(HLEDGER.values()) if trait == "all" else ALONE[trait]
    path = tmp_path / "main.journal"
    path.write_text(text)
    books = read_text(text)

    prove(books)
    ends = sorted({one.on for one in books.balances})
    for end in ends[-8:]:
        assert ours(books, end.isoformat()) == hledger(path, end.isoformat())


def hledger(path: Path, on: str) -> dict[str, dict[str, Decimal]]:
    """The balances of own accounts at the end of a day."""
    end = (date.fromisoformat(on) + timedelta(days=1)).isoformat()
    words = [
        or_skip(find_program("hledger"), "hledger"),
        "-f",
        str(path),
        "bal",
        "--flat",
        "-N",
        "-O",
        "csv",
        "-e",
        end,
        "--layout=bare",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for account, commodity, shown in list(csv.reader(done.stdout.splitlines()))[1:]:
        amount = parse_number(shown) or Decimal(0)
        if account.split(":")[0] in ("Assets", "Liabilities", "Wallets") and amount:
            found[account][CODES.get(commodity, commodity)] += amount
    return {account: dict(amounts) for account, amounts in found.items()}


CODES = {"$": "USD", "£": "GBP", "AAPL": "AA0", "Green Apples": "GR0", "": "EUR"}


def ours(books: SourceBooks, on: str) -> dict[str, dict[str, Decimal]]:
    """What the transactions add up to on own accounts, with the accounts of several currencies put together again."""
    found: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    names = {account.key: account.name for account in books.accounts if account.kind not in NOMINAL}
    for (key, currency), moves in book(books).items():
        if key in names and not key.startswith(("clearing", "own:Transfers in transit")):
            total = sum((amount for day, amount in moves if day.isoformat() <= on), Decimal(0))
            found[names[key].split(" (")[0]][currency] += total
    shown = {name: {code: amount for code, amount in sums.items() if amount} for name, sums in found.items()}
    return {name: sums for name, sums in shown.items() if sums}


NOMINAL = {Kind.EXPENSE, Kind.REVENUE, Kind.INITIAL_BALANCE, Kind.RECONCILIATION}


def test_a_wrong_assertion_is_a_finding_with_its_line_and_the_entry_stays() -> None:
    books = read_text("2024-01-01 a\n    Assets:A   5 EUR = 6 EUR\n    Income:X\n")

    prove(books)
    assert "2: The balance assertion is wrong: “Assets:A” holds 5 EUR here, not 6." in messages(books)


def test_assertions_follow_the_days_not_the_lines() -> None:
    late = "2024-02-01 b\n    Assets:A   1 EUR = 6 EUR\n    Income:X\n"
    early = "2024-01-01 a\n    Assets:A   5 EUR = 5 EUR\n    Income:X\n"

    assert "wrong" not in messages(read_text(late + "\n" + early))


@pytest.mark.parametrize(
    ("entry", "row", "field"),
    [
        ("2024-02-30 x\n    Assets:A  1 EUR\n    Income:X\n", 1, "date"),
        ("2024-01-01 x\n    Assets:A  (1 + 2) EUR\n    Income:X\n", 2, "amount"),
        ("2024-01-01 x\n    Assets:A\n    Income:X\n", 1, "amount"),
        ("12/31 x\n    Assets:A  1 EUR\n    Income:X\n", 1, "date"),
    ],
)
def test_an_entry_that_cannot_be_read_is_rejected_as_a_whole(entry: str, row: int, field: str) -> None:
    books = read_text(entry + HLEDGER["plain"])

    prove(books)
    assert [(one.row, one.field) for one in books.findings if one.rejects] == [(row, field)]
    assert len(list(books.transactions)) == 1


def test_lots_balance_as_in_ledger() -> None:
    text = """2024-01-01 Buy
    Assets:Broker    10 AAPL {$50.00}
    Assets:Cash     $-500.00
2024-02-01 Sell
    Assets:Broker   -10 AAPL {$50.00} [2024-01-01] @@ $750.00
    Assets:Cash      $750.00
    Income:Gains    $-250.00
"""
    books = read_text(text)

    prove(books)
    assert balance(books, "Assets:Cash", "2024-12-31") == {"USD": Decimal("250.00")}
    assert "does not balance" not in messages(books)


def test_what_the_records_cannot_hold_is_a_finding() -> None:
    text = "".join(HLEDGER.values()) + "\nalias /x/ = y\npython\n= expenses:food\n    (budget)  *-1\n"
    said = messages(read_text(text))

    for word in ("market prices", "periodic rule", "automated rule", "alias “/x/", "“python”", "carry a price", "!"):
        assert word in said
    assert "“close” of 2024-12-31 is not imported" in said
    assert "“Expenses:Food”" in said


def test_tags_codes_and_notes_are_kept() -> None:
    books = read_text(HLEDGER["tags and comments"] + HLEDGER["slashes, status and code"] + HLEDGER["second date"])
    grocer, card, doctor = sorted(books.transactions, key=lambda one: one.on)

    assert doctor.tags == ("health", "for:Ann", "receipt:yes")
    assert doctor.notes
    assert "a note of the entry" in doctor.notes
    assert (grocer.internal_reference, grocer.description) == ("A12", "Grocer | weekly")
    assert grocer.splits[0].reconciled
    assert str(card.dates["book"]) == "2024-02-02"
    assert flow(books, 0)[0][3] == "Expenses:Food"


def test_includes_stay_inside_the_archive() -> None:
    plain = HLEDGER["plain"]
    contents = {
        "main.journal": f"include sub/*.journal\ninclude ../x\ninclude ~/x\ninclude /etc/passwd\n{plain}",
        "sub/a.journal": f"{plain}include b.journal\n",
        "sub/b.journal": f"{plain}include ../main.journal\n",
    }
    books = read({name: BytesIO(text.encode()) for name, text in contents.items()})

    prove(books)
    assert balance(books, "Assets:Cash", "2024-12-31") == {"EUR": Decimal("-12.40")}
    assert messages(books).count("not among the files") == 3
    assert messages(books).count("includes itself") == 2


def test_the_work_that_includes_make_is_counted_before_it_is_done() -> None:
    """Each of four hundred files names all of them, twenty times."""
    flood = {f"{number}.journal": "include *.journal\n" * 20 for number in range(400)}
    patterns = {"0.journal": "".join(f"include {number}*\n" for number in range(20_000))}
    long = {"0.journal": "include x*.journal\n" * 5000, "x.journal": f"; {'a' * 90_000}\n"}

    for contents, why in (
        (flood, "compared with patterns"),
        (patterns, "compared with patterns"),
        (long, "million letters"),
    ):
        with pytest.raises(Unreadable, match=why):
            read({name: BytesIO(text.encode()) for name, text in contents.items()})


def test_a_flood_of_includes_is_refused() -> None:
    contents = {f"{number}.journal": f"include {number + 1}.journal\n" * 50 for number in range(12)}
    contents["12.journal"] = HLEDGER["plain"]

    with pytest.raises(Unreadable, match="files are included"):
        read({name: BytesIO(text.encode()) for name, text in contents.items()})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no transaction"),
        ("; only a comment\n", "no transaction"),
        ("2024-01-01 x\n    Assets:A  " + "9" * 200_000, "letters"),
        ("a\0b", "NUL"),
    ],
)
def test_what_is_no_journal_is_refused(text: str, word: str) -> None:
    with pytest.raises(Unreadable, match=word):
        read_text(text)


def test_an_entry_with_many_postings_of_any_kind_is_read_in_a_moment() -> None:
    kinds = (
        "Assets:A{0}  -3 EUR",
        "Assets:S{0}  2 AAPL @ 1 EUR",
        "Expenses:E{0}  1 USD @@ 1 EUR",
        "Equity:Q{0}  7 GBP",
    )
    lines = [f"    {kinds[number % 4].format(number)}\n" for number in range(9_000)]
    started = time.process_time()
    prove(read_text("2024-01-01 x\n" + "".join(lines)))

    assert time.process_time() - started < 10


def test_an_entry_with_too_many_postings_is_rejected_in_linear_time() -> None:
    many = "2024-01-01 x\n" + "    Assets:A  1 EUR\n" * 30_000 + "    Income:X\n"
    books = read_text(many + HLEDGER["plain"])

    assert len(list(books.transactions)) == 1
    assert any(one.rejects for one in books.findings)
