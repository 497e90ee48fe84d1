"""One pass over the splits says which stored sums need a closer look: none in honest books, and the right one else."""

import pytest
from msgspec.structs import replace

from farthing.books.labels import store as labels
from farthing.care.doctor import agreement
from farthing.care.doctor.checks.rules import load_people
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


def find_drifted(books: Books) -> set[str]:
    with books.database.reading() as db:
        [person] = load_people(db, books.user_id)
        return set(agreement.find_drifted(db, person))


def test_honest_books_need_no_closer_look(told):
    assert find_drifted(told) == set()


@pytest.mark.parametrize("grain", ["day", "month", "all"])
@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("balances", "units"),
        ("balances", "reconciled"),
        ("net_worth", "units"),
        ("flows", "units"),
        *((table, column) for table in sorted(agreement.SUMS) if "_of_" in table for column in ("units", "splits")),
    ],
)
def test_a_stored_sum_that_is_wrong_needs_one(told, table, column, grain):
    told.tamper(f"UPDATE {table} SET {column} = {column} + 1 WHERE user_id = :user_id AND grain = '{grain}'")

    assert find_drifted(told) == {table}


def test_errors_that_cancel_each_other_out_are_found(told):
    """A plain sum would be right."""
    accounts = [told.ids[name].id for name in ("Checking", "Groceries", "Bakery")]
    for account_id, change in zip(accounts, (1, -2, 1), strict=True):
        of_account = "user_id = :user_id AND account_id = :id AND grain = 'all'"
        told.tamper(f"UPDATE balances SET units = units + :change WHERE {of_account}", change=change, id=account_id)

    assert find_drifted(told) == {"balances"}


@pytest.mark.parametrize("table", sorted(agreement.SUMS))
def test_a_missing_row_is_found(told, table):
    count = told.tamper(f"DELETE FROM {table} WHERE user_id = :user_id AND grain = 'month'")

    assert count
    assert find_drifted(told) == {table}


def test_a_split_changed_behind_our_back_is_in_every_sum(told):
    sql = "UPDATE splits SET units = units + 1 WHERE user_id = :user_id AND category_id IS NOT NULL AND refund = 0"

    assert told.tamper(sql) == 2

    assert find_drifted(told) == agreement.SUMS


def test_books_without_an_exchange_account_are_looked_at(told):
    told.tamper("UPDATE accounts SET kind = 'Asset account' WHERE kind = 'Exchange account' AND user_id = :user_id")

    assert "balances" in find_drifted(told)
