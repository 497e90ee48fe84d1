"""Beancount files: every trait alone, in pairs, and as bean-check itself adds it up."""

from datetime import timedelta
from decimal import Decimal
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest

from farthing.moving.findings import Unreadable
from farthing.moving.programs.beancount.reader import looks_like, read
from farthing.moving.source_books import SourceBooks

from ...ledgers import check_beancount
from .prover import balance, files, flow, messages, prove

OPENS = "".join(
    f"2020-01-01 open {account}\n"
    for account in (
        *(
            "Assets:Bank",
            "Assets:Cash",
            "Assets:Dollars",
            "Assets:Broker",
            "Assets:Tin",
            "Assets:Box",
            "Assets:Box:One",
        ),
        *("Assets:Box:Two", "Liabilities:Visa", "Income:Salary", "Income:Gains", "Equity:Opening", "Equity:Pad"),
        *("Expenses:Food", "Expenses:Fun", "Expenses:Tax", "Expenses:Travel"),
    )
)
TRAITS = {
    "plain": """
2024-01-05 * "Baker" "Bread"
  Expenses:Food    3.10 EUR
  Assets:Cash
""",
    "tags, links, metadata": """
2024-01-06 ! "Lunch" #work ^inv-1
  receipt: "a.pdf"
  Expenses:Food    12.00 EUR ; with Ann
    place: "Rome"
  Assets:Bank     -12.00 EUR
""",
    "multi-line string": """
2024-01-07 * "Shop" "one
two"
  Expenses:Fun   1.00 EUR
  Assets:Cash
""",
    "arithmetic": """
2024-01-08 txn "Shared"
  Expenses:Food   (30.00 - 3 * 2) / 2 EUR
  Assets:Bank    -12.00 EUR
""",
    "thousands": """
2024-01-09 * "Salary"
  Assets:Bank     3,200.00 EUR
  Expenses:Tax    1,500.50 EUR
  Income:Salary  -4,700.50 EUR
""",
    "opening and balance": """
2024-01-02 * "Opening"
  Assets:Tin    100.00 EUR
  Equity:Opening
2024-01-03 balance Assets:Tin  100.00 EUR
""",
    "pad": """
2024-01-10 pad Assets:Box:One Equity:Pad
2024-01-12 * "Between"
  Assets:Box:One   -5.00 EUR
  Expenses:Fun
2024-02-01 balance Assets:Box:One  40.00 EUR
""",
    "balance of sub-accounts": """
2024-03-01 * "two"
  Assets:Box:Two    7.00 GBP
  Assets:Bank
2024-03-02 balance Assets:Box  7.00 GBP
""",
    "price": """
2024-01-14 * "Exchange"
  Assets:Dollars   10.00 USD @ 0.91234 EUR
  Assets:Bank      -9.12 EUR
""",
    "total price": """
2024-01-15 * "Hotel"
  Expenses:Travel  100.00 USD @@ 91.50 EUR
  Assets:Bank
""",
    "cost and gain": """
2024-02-01 * "Buy"
  Assets:Broker   10 AAPL {150.00 USD}
  Assets:Dollars  -1500.00 USD
2024-04-01 * "Sell"
  Assets:Broker   -4 AAPL {150.00 USD} @ 160.00 USD
  Assets:Dollars   640.00 USD
  Income:Gains
""",
    "cost of the lot": """
2024-02-02 * "Buy"
  Assets:Broker   10 GOOG {100.00 USD, 2024-02-02, "first"}
  Assets:Dollars
2024-04-02 * "Sell"
  Assets:Broker   -10 GOOG {}
  Assets:Dollars   1100.00 USD
  Income:Gains
""",
    "total cost": """
2024-02-03 * "Buy"
  Assets:Broker   3 TSLA {{333.33 USD}}
  Assets:Dollars  -333.33 USD
""",
    "refund": """
2024-01-16 * "Back"
  Expenses:Food   -2.00 EUR
  Assets:Bank
""",
    "between expenses": """
2024-01-17 * "Move"
  Expenses:Food   -2.20 EUR
  Expenses:Fun     2.20 EUR
""",
    "pushed tag": """
pushtag #trip
2024-01-18 * "Train"
  Expenses:Travel   20.00 EUR
  Liabilities:Visa
poptag #trip
""",
    "other directives": """
option "title" "Books"
2024-01-01 commodity EUR
2024-01-01 price USD 0.9 EUR
2024-01-01 event "location" "Rome"
2024-01-01 note Assets:Bank "called"
2024-01-01 query "q" "SELECT account"
2024-01-01 custom "budget" "x"
* an org heading
""",
    "closed": """
2024-01-01 open Assets:Old EUR
2024-05-01 close Assets:Old
""",
    "tolerance": """
2024-01-02 * "Opening"
  Liabilities:Visa   -10.00 CHF
  Equity:Opening
2024-01-03 balance Liabilities:Visa  -10.05 ~ 0.10 CHF
""",
}


def read_text(text: str) -> SourceBooks:
    return read(files(main__beancount=OPENS + text))


@pytest.mark.parametrize("trait", TRAITS)
def test_each_trait_alone_is_read_and_proved(trait: str) -> None:
    books = read_text(TRAITS[trait])

    prove(books)
    assert looks_like((OPENS + TRAITS[trait]).encode(), "x.txt")
    assert not [one for one in books.findings if one.rejects]
    assert "wrong" not in messages(books)
    assert "balance:" not in messages(books)


def test_traits_in_pairs_are_read_and_proved() -> None:
    for one, two in combinations(TRAITS, 2):
        prove(read_text(TRAITS[one] + TRAITS[two]))


def test_every_balance_is_one_that_bean_check_accepts(tmp_path: Path) -> None:
    text = OPENS + "".join(TRAITS.values())
    books = read_text("".join(TRAITS.values()))
    prove(books)
    names = {account.key: account.name.split(" (")[0] for account in books.accounts}
    words = {one.code: one.symbol for one in books.currencies}
    asked = [
        f"{one.on + timedelta(days=1)} balance {names[one.account]} {one.amount} ~ 0 {words[one.currency]}\n"
        for one in books.balances
        if one.account.startswith("own:") and "Box" not in one.account
    ]
    path = tmp_path / "main.beancount"

    path.write_text(text + "".join(asked))
    good = check_beancount(path)
    path.write_text(text + asked[0].replace(" ~ 0", "9 ~ 0"))
    bad = check_beancount(path)

    assert len(asked) > 30
    assert good == ""
    assert "Balance failed" in bad


def test_a_wrong_balance_is_a_finding_with_its_line() -> None:
    books = read(files(a__beancount="2024-01-01 open Assets:A\n2024-01-02 balance Assets:A 5.00 EUR\n"))

    assert messages(books) == "2: The balance is wrong: “Assets:A” holds 0.00 EUR at the start of 2024-01-02, not 5.00."


def test_includes_are_read_from_the_archive_only() -> None:
    main = 'include "sub/b.beancount"\ninclude "../etc/passwd"\ninclude "/etc/passwd"\n2024-01-01 open Assets:Cash\n'
    contents = {"m.beancount": main, "sub/b.beancount": OPENS + TRAITS["plain"] + 'include "../m.beancount"\n'}
    books = read({name: BytesIO(text.encode()) for name, text in contents.items()})

    assert balance(books, "Assets:Cash", "2024-12-31") == {"EUR": Decimal("-3.10")}
    assert messages(books).count("is included, but is not among the files") == 2
    assert "includes itself" in messages(books)


def test_the_operating_currency_and_renamed_roots_count() -> None:
    text = """option "operating_currency" "CHF"
option "name_assets" "Vermoegen"
option "name_expenses" "Ausgaben"
2024-01-01 open Vermoegen:Bar
2024-01-02 * "Kiosk"
  Ausgaben:Spass  3 CHF
  Vermoegen:Bar
"""
    books = read(files(a__bean=text))

    prove(books)
    assert flow(books) == (("Vermoegen:Bar", "Ausgaben:Spass", "3", "Ausgaben:Spass"),)


def test_a_text_without_directives_is_refused() -> None:
    with pytest.raises(Unreadable, match="no directive"):
        read(files(a__beancount="hello\n"))


@pytest.mark.parametrize("posted", [
    "  Assets:Bank  -360.00 USD\n  Assets:Broker  3.908 ACM {92.12 USD}\n",
    "  Assets:Bank  -360 USD\n  Assets:Broker  3.908 ACM {92.12 USD}\n",
    "  Assets:Broker  3.908 ACM {92.12 USD}\n  Assets:Bank  -360.00 USD\n",
    "  Assets:Broker  3.908 ACM @ 92.12 USD\n  Assets:Bank  -360.00 USD\n",
    "  Assets:Broker  1.954 ACM {92.12 USD}\n  Assets:Dollars  1.954 ACM {92.12 USD}\n  Assets:Bank  -360.00 USD\n",
    "  Assets:Broker  3.908 ACM {92.12 USD}\n  Assets:Bank  -370.00 USD\n  Expenses:Tax  10.00 USD\n",
])  # fmt: skip
def test_money_is_booked_as_it_is_posted_whatever_a_price_makes_of_it(posted):
    books = read(files(books__beancount=f'{OPENS}2024-01-05 * "Buy"\n{posted}'), currency="EUR")

    prove(books)
    assert not any("does not balance" in message for message in messages(books))
    moved = [(split.amount, split.currency) for one in books.transactions for split in one.splits]
    assert sum(amount for amount, code in moved if code == "USD") in (360, 370)
    assert all(amount == round(amount, 2) for amount, code in moved if code == "USD")
