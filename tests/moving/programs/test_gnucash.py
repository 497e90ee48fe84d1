"""GnuCash books, from SQLite and XML: every trait alone and in pairs, and what is skipped with a reason."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

import pytest

from farthing.ledger.kinds import Kind, Type
from farthing.moving.findings import Unreadable
from farthing.moving.programs.gnucash.reader import looks_like, read
from farthing.moving.source_books import SourceBooks

from .gnucash_builder import SCHEMA, TRAITS, sqlite, xml
from .prover import balance, files, flow, messages, prove


def told(books: SourceBooks) -> object:
    return list(books.transactions), books.accounts, books.balances, books.currencies, books.categories


@pytest.mark.parametrize("trait", TRAITS)
def test_each_trait_alone_is_read_and_proved(trait: str) -> None:
    books = read(files(b__gnucash=xml(TRAITS[trait])))

    prove(books)
    assert not [one for one in books.findings if one.rejects]


def test_traits_in_pairs_are_read_and_proved() -> None:
    for one, two in combinations(TRAITS, 2):
        prove(read(files(b__gnucash=xml(TRAITS[one] + TRAITS[two]))))


def test_sqlite_plain_xml_and_gzipped_xml_tell_the_same() -> None:
    entries = [entry for trait in TRAITS.values() for entry in trait]
    contents = (xml(entries), xml(entries, packed=True), sqlite(entries))
    books = [read(files(b__gnucash=content)) for content in contents]

    prove(books[2])
    assert told(books[0]) == told(books[1])
    assert list(books[0].transactions) == list(books[2].transactions)
    assert books[0].balances == books[2].balances
    assert all(looks_like(content[:65536], "download.bin") for content in contents)
    assert balance(books[2], "Assets:Bank", "2024-12-31") == {"EUR": Decimal("4186.87")}
    assert balance(books[2], "Assets:IBM", "2024-12-31") == {"IB0": Decimal("3.0")}
    assert "Baker & Söhne <1>" in {one.description for one in books[2].transactions}


def test_an_opening_balance_comes_from_equity_and_the_second_is_a_reconciliation() -> None:
    again = [("2024-02-01", "Found", "EUR", [("bank", "100"), ("opening", "-100")])]
    books = read(files(b__gnucash=xml([*TRAITS["opening"], *again])))

    assert [one.type for one in books.transactions] == [Type.OPENING_BALANCE, Type.RECONCILIATION]


def test_trading_accounts_become_one_transfer_with_a_foreign_amount() -> None:
    books = read(files(b__gnucash=xml(TRAITS["trading accounts"])))

    (one,) = books.transactions
    assert flow(books) == (("Assets:Bank", "Assets:Dollars", "9.00", None),)
    assert (one.splits[0].foreign_amount, one.splits[0].foreign_currency) == (10, "USD")


def test_kinds_follow_the_types_and_placeholders_are_names_only() -> None:
    books = read(files(b__gnucash=xml(TRAITS["card"])))
    kinds = {account.name: account.kind for account in books.accounts}

    assert kinds["Card"] == Kind.CREDIT_CARD
    assert kinds["Expenses:Food"] == Kind.EXPENSE
    assert "Expenses" not in kinds
    assert "placeholder" in messages(books)


def test_budgets_are_limits_and_schedules_and_prices_are_findings() -> None:
    more = (
        "INSERT INTO budgets VALUES ('g', 'Year')",
        "INSERT INTO recurrences VALUES ('g', 1, 'month', '20240101')",
        "INSERT INTO budget_amounts VALUES ('g', 'food', 13, 25000, 100), ('g', 'salary', 0, -1, 1)",
        "INSERT INTO schedxactions VALUES ('x', 'Rent')",
        "INSERT INTO prices VALUES ('p')",
    )
    books = read(files(b__gnucash=sqlite(TRAITS["expense"], *more)))

    (limit,) = books.budget_limits
    assert (limit.amount, str(limit.start_on), str(limit.end_on)) == (250, "2025-02-01", "2025-02-28")
    assert next(iter(books.transactions)).splits[0].budget == "Expenses:Food"
    for word in ("“Rent”", "1 prices", "1 amounts of the budget"):
        assert word in messages(books)


BUDGET = """<gnc:budget version='2.0.0'><bgt:name>Year</bgt:name><bgt:recurrence><recurrence:mult>1</recurrence:mult>
<recurrence:period_type>month</recurrence:period_type><recurrence:start><gdate>{start}</gdate></recurrence:start>
</bgt:recurrence><bgt:slots><slot><slot:key>food</slot:key><slot:value type='frame'><slot><slot:key>{period}</slot:key>
<slot:value type='numeric'>25000/100</slot:value></slot></slot:value></slot></bgt:slots></gnc:budget>"""


def with_budget(start: str, period: str) -> Iterator[bytes]:
    yield xml(TRAITS["expense"], more=BUDGET.format(start=start, period=period))
    yield sqlite(
        TRAITS["expense"],
        "INSERT INTO budgets VALUES ('g', 'Year')",
        f"INSERT INTO recurrences VALUES ('g', 1, 'month', '{start.replace('-', '')}')",
        f"INSERT INTO budget_amounts VALUES ('g', 'food', {period}, 25000, 100)",
    )


@pytest.mark.parametrize("period", ["-1", "-9999"])
def test_a_budget_with_a_negative_period_is_refused_with_a_sentence(period: str) -> None:
    for content in with_budget("2024-01-01", period):
        with pytest.raises(Unreadable, match=f"“Year” has an amount in period {period}"):
            read(files(b__gnucash=content))


def test_periods_behind_the_last_day_of_all_are_left_out() -> None:
    for content in with_budget("9998-06-01", "7"):
        books = read(files(b__gnucash=content))
        assert (books.budget_limits, "1 amounts of the budget" in messages(books)) == ((), True)


def test_templates_of_scheduled_transactions_are_not_booked() -> None:
    template = xml(TRAITS["card"]).decode().split("<gnc:transaction", 1)[1].rsplit("</gnc:book>", 1)[0]
    more = f"<gnc:template-transactions><gnc:transaction{template}</gnc:template-transactions>"
    more += "<gnc:schedxaction version='2.0.0'><sx:name>Rent</sx:name></gnc:schedxaction>"
    books = read(files(b__gnucash=xml(TRAITS["expense"], more=more)))

    assert len(list(books.transactions)) == 1
    assert "“Rent”" in messages(books)


def test_templates_in_sqlite_are_not_booked_either() -> None:
    more = (
        "INSERT INTO accounts VALUES ('template', 'Template Root', 'ROOT', NULL, NULL, '', '', 0, 0)",
        "INSERT INTO accounts VALUES ('sx', 'x', 'BANK', 'EUR', 'template', '', '', 0, 0)",
        "INSERT INTO transactions VALUES ('tx', 'EUR', '', '2024-01-01 10:59:00', 'Template')",
        "INSERT INTO splits VALUES ('s', 'tx', 'sx', '', '', 'n', 0, 1, 0, 1)",
    )
    books = read(files(b__gnucash=sqlite(TRAITS["expense"], *more)))

    assert len(list(books.transactions)) == 1
    assert not [one for one in books.findings if one.rejects]


def test_a_fraction_without_end_rejects_its_transaction() -> None:
    books = read(files(b__gnucash=xml([("2024-01-01", "Third", "EUR", [("ibm", "100", "1/3"), ("bank", "-100")])])))

    assert list(books.transactions) == []
    assert [one.rejects for one in books.findings if "fraction" in one.message] == [True]


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><gnc-v2><gnc:book/></gnc-v2>", "document type"),
        (b"<gnc-v2>" + b"<a>" * 100, "nested"),
        (b"<html></html>", "not a GnuCash book"),
        (b"<gnc-v2><gnc:book>", "not complete or not XML"),
        (sqlite([], schema=SCHEMA)[:5000], "not a SQLite file"),
        (sqlite([], "ALTER TABLE splits RENAME TO splats"), "no table splits"),
    ],
)
def test_what_is_no_book_is_refused_with_a_sentence(content: bytes, word: str) -> None:
    with pytest.raises(Unreadable, match=word):
        read(files(b__gnucash=content))


def test_accounts_in_a_circle_are_refused() -> None:
    content = sqlite(TRAITS["expense"], "UPDATE accounts SET parent_guid = 'food' WHERE guid = 'expenses'")

    with pytest.raises(Unreadable, match="circle"):
        read(files(b__gnucash=content))
