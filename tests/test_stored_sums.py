"""Doctor finds every stored sum that is wrong, and the views say what the ledger says."""

from collections import Counter

import pytest
from msgspec.structs import replace

from farthing.books.bookkeeping import record
from farthing.books.labels import store as labels
from farthing.ledger.entry import book_splits, postings
from farthing.ledger.kinds import Kind, Type

from .builders import AT, Books

STORY = """
account Dollars asset USD
2024-01-31 deposit    Employer -> Checking  2000.00 EUR
2024-02-01 withdrawal Checking -> Groceries   12.50 EUR
           and        Checking -> Bakery       2.00 EUR
2024-05-03 transfer   Checking -> Dollars     10.00 EUR (11.00 USD)
2024-05-04 withdrawal Dollars -> Diner         3.00 USD (2.80 EUR)
"""


@pytest.fixture
def told(books: Books) -> Books:
    """Everything that is summed: exchanges, openings, labels, a refund, and something reconciled."""
    books.keep(STORY)
    books.opened("House", "-200000", "2020-01-01", Kind.MORTGAGE)
    bought = books.record("2024-05-04 withdrawal Checking -> Groceries 1 EUR", category="Food", tags=["weekly"])
    [split] = books.entries[bought].splits
    with books.writing() as db:
        budget_id = labels.add(db, books.user_id, "budgets", "Home", AT)
    spent = replace(split, budget_id=budget_id, category_id=_category_of(books))
    back = replace(spent, source=split.destination, destination=split.source, refund=True)
    books.record(replace(books.entries[bought], splits=(spent,)))
    books.record(replace(books.entries[bought], type=Type.DEPOSIT, splits=(back,)))
    books.reconcile(bought)
    return books


def _category_of(books: Books) -> int:
    with books.database.reading() as db:
        return int(db.value("SELECT MIN(id) FROM categories WHERE user_id = :id", id=books.user_id))


RULES = {
    "balances": {"balance", "reconciled", "zero sum"},
    "net_worth": {"net worth"},
    "flows": {"flow"},
    "sums_of_accounts": {"account"},
    "sums_of_categories": {"label"},
    "sums_of_budgets": {"label"},
    "sums_of_tags": {"label"},
}
SUMS = [
    ("balances", "reconciled"),
    *((table, "units") for table in RULES),
    *((table, column) for table in RULES if "_of_" in table for column in ("splits", "entries")),
]


def test_honest_books_have_no_findings(told):
    assert told.findings() == []


@pytest.mark.parametrize(("table", "column"), SUMS)
def test_a_stored_sum_that_is_wrong_is_found_in_each_of_its_periods(told, table, column):
    count = told.tamper(f"UPDATE {table} SET {column} = {column} + 1 WHERE user_id = :user_id")

    found = [finding for finding in told.findings() if finding.rule != "zero sum"]
    assert count == len(found)
    assert {finding.rule for finding in found} <= RULES[table]
    assert {len(finding.period or "") for finding in found} == {len(""), len("2024-05"), len("2024-05-03")}


def test_errors_that_cancel_each_other_out_are_found(told):
    """A plain sum would be right."""
    accounts = [told.ids[name].id for name in ("Checking", "Groceries", "Bakery")]
    for account_id, change in zip(accounts, (1, -2, 1), strict=True):
        of_account = "user_id = :user_id AND account_id = :id AND grain = 'all'"
        told.tamper(f"UPDATE balances SET units = units + :change WHERE {of_account}", change=change, id=account_id)

    assert [finding.account_id for finding in told.findings()] == sorted(accounts)


@pytest.mark.parametrize("table", RULES)
def test_a_missing_row_is_found(told, table):
    assert told.tamper(f"DELETE FROM {table} WHERE user_id = :user_id AND grain = 'month'")

    assert {finding.rule for finding in told.findings()} & RULES[table]


def test_the_views_post_what_the_ledger_posts(told):
    expected = Counter(
        (entry_id, split.on, posting.account_id, posting.currency_id, posting.units, int(split.settled))
        for entry_id, entry in told.entries.items()
        for split in book_splits(entry)
        for posting in postings(split, told.exchange_id())
    )

    with told.database.reading() as db:
        rows = db.all(
            """
            SELECT entry_id, on_day, account_id, currency_id, units, settled FROM postings
            WHERE user_id = :id AND entry_id IN :entries
            """,
            id=told.user_id,
            entries=list(told.entries),
        )

    assert Counter(rows) == expected
    assert any(account_id == told.exchange_id() for _, _, account_id, *_ in expected)


@pytest.mark.parametrize("view", ["booked_splits", "postings"])
def test_the_views_read_only_the_splits_of_their_user(told, view):
    """The condition on the user reaches every part of the view, and an index there."""
    sql = f"SELECT COUNT(*) FROM {view} WHERE user_id = :id AND entry_id IN :ids"
    given = {"id": told.user_id, "ids": [1, 2]}
    with told.database.reading() as db:
        if db.dialect == "sqlite":
            plan = [row[3] for row in db.all(f"EXPLAIN QUERY PLAN {sql}", **given)]
            of_splits = [step for step in plan if "splits" in step]
            right = [step for step in of_splits if "(user_id=? AND entry_id=?)" in step]
        else:
            db.run("SET LOCAL enable_seqscan = off")
            plan = [row[0].strip() for row in db.all(f"EXPLAIN {sql}", **given)]
            of_splits = [step for step in plan if " splits" in step]
            right = [step for step in plan if step.startswith("Index Cond: ((user_id =") and "entry_id" in step]

    assert len(right) == len(of_splits) == (1 if view == "booked_splits" else 4), plan


@pytest.mark.parametrize("into", ["Food", "Home"])
def test_a_transaction_of_two_merged_categories_counts_once_in_the_currency_of_its_first_split(books: Books, into):
    [entry_id] = books.keep(
        """
        account Dollars asset USD
        2024-05-01 withdrawal Checking -> Groceries 1.00 EUR
                   and        Checking -> Bakery    2.00 EUR
                   and        Dollars -> Diner      3.00 USD
                   and        Dollars -> Bar        4.00 USD
        """
    )
    ids = {name: books.label("categories", name) for name in ("Food", "Home")}
    labelled = zip(books.entries[entry_id].splits, (None, "Food", "Home", "Food"), strict=True)
    splits = tuple(replace(split, category_id=ids.get(name)) for split, name in labelled)
    books.rewrite(entry_id, replace(books.entries[entry_id], splits=splits))
    assert books.findings() == []
    [merged] = {"Food", "Home"} - {into}

    with books.writing() as db:
        record.move_label(db, books.user_id, "categories", ids[merged], into_id=ids[into])
        labels.remove(db, books.user_id, "categories", ids[merged])

    assert books.findings() == []
