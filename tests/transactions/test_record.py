"""Whatever is recorded, changed and taken away, the kept sums are what plain Python makes of the entries."""

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from farthing.books.accounts import store as accounts
from farthing.books.bookkeeping import record
from farthing.kernel.errors import Invalid
from farthing.kernel.money import UNITS_MAX, Money
from farthing.ledger.balance import Effect
from farthing.ledger.entry import LABELS, Entry, Split
from farthing.ledger.kinds import Kind, Type
from farthing.storage.schema import TABLES

from ..builders import AT, EUR, JPY, USD, Books, balance_on, somebodys_books
from ..ledger.reckoned import assert_kept_sums_are_right, revision
from ..length import LONG

EXAMPLES = 400 if LONG else 12
FIRST, LAST = date(2023, 11, 1), date(2024, 3, 31)
CURRENCIES = (EUR, USD, JPY)
ACCOUNTS = {
    "Checking": (Kind.ASSET, "EUR"), "Savings": (Kind.ASSET, "EUR"), "Dollars": (Kind.ASSET, "USD"),
    "Groceries": (Kind.EXPENSE, "USD"), "Yen": (Kind.ASSET, "JPY"), "Loan": (Kind.LOAN, "JPY"),
}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """What somebody does; `place` picks one of the entries there are."""

    what: str
    place: int
    type: Type
    on: date
    splits: tuple[tuple[int, int, Money, Money | None, bool, int], ...]
    tags: frozenset[int]


amounts = st.builds(Money, st.integers(1, 10**6), st.sampled_from(CURRENCIES))
some_splits = st.lists(
    st.tuples(st.integers(0, 5), st.integers(1, 5), amounts, st.none() | amounts, st.booleans(), st.integers(0, 2)),
    min_size=1,
    max_size=3,
).map(tuple)
steps = st.builds(
    Step,
    what=st.sampled_from(["record", "record", "rewrite", "erase", "reconcile"]),
    place=st.integers(0, 100),
    type=st.sampled_from([Type.WITHDRAWAL, Type.DEPOSIT, Type.TRANSFER]),
    on=st.dates(FIRST, LAST),
    splits=some_splits,
    tags=st.frozensets(st.integers(0, 2)),
)


@given(st.lists(steps, min_size=5, max_size=30), st.lists(st.dates(FIRST, LAST), min_size=3, max_size=3))
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_the_books_equal_the_plain_reference_after_anything(quiet_database, steps, days):
    with somebodys_books(quiet_database) as books:
        for name, (kind, code) in ACCOUNTS.items():
            books.account(name, kind, code)
        labels = Labels(*([books.label(kind, name) for name in ("A", "B", "C")] for kind in LABELS))
        writes = sum(did(books, step, labels) for step in steps)

        assert_kept_sums_are_right(books)
        reference = books.reference()
        for day in days:
            assert balances_on(books, day) == reference_balances_on(books, reference, day)
        assert revision(books) == 1 + len(ACCOUNTS) + 9 + writes
        assert books.findings() == []


class Labels(NamedTuple):
    categories: list[int]
    budgets: list[int]
    tags: list[int]


def did(books: Books, step: Step, labels: Labels) -> bool:
    """Does the step, if there is something to do it to."""
    if step.what == "record":
        books.record(entry_of(books, step, labels))
        return True
    if not books.entries:
        return False
    entry_id = sorted(books.entries)[step.place % len(books.entries)]
    if step.what == "rewrite":
        books.rewrite(entry_id, entry_of(books, step, labels))
    elif step.what == "erase":
        books.erase(entry_id)
    else:
        books.reconcile(entry_id)
    return True


def entry_of(books: Books, step: Step, labels: Labels) -> Entry:
    parties = list(books.ids.values())
    splits = (
        Split(
            parties[source],
            parties[(source + offset) % 6],
            amount,
            foreign,
            reconciled=reconciled,
            category_id=labels.categories[label],
            budget_id=labels.budgets[label] if label else None,
        )
        for source, offset, amount, foreign, reconciled, label in step.splits
    )
    tag_ids = tuple(labels.tags[tag] for tag in sorted(step.tags))
    return Entry(step.type, step.on, f"{step.what} {step.place}", tuple(splits), tag_ids=tag_ids)


def balances_on(books: Books, day: date) -> dict[int, int]:
    ids = [party.id for party in books.ids.values()]
    with books.database.reading() as db:
        later = accounts.sum_booked_after(db, books.user_id, ids, day)
        found = (accounts.get(db, books.user_id, account_id) for account_id in ids)
        return {account.id: account.total_units - later[account.id] for account in found if account}


def reference_balances_on(books: Books, reference: Effect, day: date) -> dict[int, int]:
    return {party.id: balance_on(reference.units, party.id, party.currency.id, day) for party in books.ids.values()}


def test_a_story_of_a_month(books):
    books.keep(
        """
        account Dollars asset USD
        2024-05-01 deposit    Employer -> Checking  1000.00 EUR
        2024-05-02 withdrawal Checking -> Groceries   12.50 EUR
                   and        Checking -> Bakery       2.00 EUR
        2024-05-03 transfer   Checking -> Dollars     10.00 EUR (11.00 USD)
        """
    )

    assert books.balance("Checking", on="2024-04-30") == "0.00 EUR"
    assert books.balance("Checking", on="2024-05-01") == "1000.00 EUR"
    assert books.balance("Checking", on="2024-05-02") == "985.50 EUR"
    assert books.balance("Checking") == "975.50 EUR"
    assert books.balance("Dollars") == "11.00 USD"
    assert books.balance("Groceries") == "12.50 EUR"
    assert books.balance("Employer") == "-1000.00 EUR"


def test_an_entry_moved_into_the_past_moves_every_balance_since(books):
    (entry_id,) = books.keep("2024-05-02 withdrawal Checking -> Groceries 12.50 EUR")

    books.rewrite(entry_id, "2023-12-31 withdrawal Checking -> Groceries 12.50 EUR")

    assert books.balance("Checking", on="2023-12-30") == "0.00 EUR"
    assert books.balance("Checking", on="2023-12-31") == "-12.50 EUR"
    assert books.balance("Checking", on="2024-05-02") == "-12.50 EUR"


def test_splits_that_stay_keep_their_ids_and_new_ones_never_get_an_old_one(books):
    entry_id = books.record("2024-05-02 withdrawal Checking -> A 1 EUR\nChecking -> B 2 EUR")
    first, second = split_ids(books, entry_id)

    books.rewrite(entry_id, "2024-05-02 withdrawal Checking -> A 3 EUR")
    books.rewrite(entry_id, "2024-05-02 withdrawal Checking -> A 3 EUR\nChecking -> B 2 EUR")

    kept_id, new_id = split_ids(books, entry_id)
    assert kept_id == first
    assert new_id > second


def split_ids(books: Books, entry_id: int) -> list[int]:
    with books.database.reading() as db:
        rows = db.all("SELECT id FROM splits WHERE entry_id = :id ORDER BY position", id=entry_id)
    return [split_id for (split_id,) in rows]


HUGE = Money(UNITS_MAX, EUR)


def huge(books: Books, source: str, destination: str, amount: Money = HUGE, on: str = "2024-05-01") -> Entry:
    return Entry(
        Type.TRANSFER, date.fromisoformat(on), "huge", (Split(books.ids[source], books.ids[destination], amount),)
    )


@pytest.fixture
def rich(books: Books) -> Books:
    for name in ("A", "B", "C"):
        books.account(name)
    books.record(huge(books, "A", "B"))
    return books


OVERFLOWING = {
    "one unit more than the destination holds": ("C", "B", Money(1, EUR)),
    "two units less than the source holds": ("A", "C", Money(2, EUR)),
    "as much again": ("A", "B", HUGE),
}


@pytest.mark.parametrize("what", OVERFLOWING)
def test_a_balance_past_64_bits_is_refused_and_nothing_changes(rich, what):
    before = everything(rich)

    with pytest.raises(Invalid) as caught, rich.writing() as db:
        record.record(db, rich.user_id, huge(rich, *OVERFLOWING[what]), AT, amount_field="transactions.0.amount")

    (problem,) = caught.value.problems
    assert problem.field == "transactions.0.amount"
    assert problem.message == "This would make the balance of an account too large to store."
    assert everything(rich) == before
    assert rich.findings() == []


def test_the_smallest_64_bit_number_can_still_be_held(rich):
    rich.record(huge(rich, "A", "C", Money(1, EUR)))

    assert rich.balance("A") == "-92233720368547758.08 EUR"
    assert rich.findings() == []


def test_splits_that_leave_64_bits_only_together_are_refused(rich):
    half = Money(UNITS_MAX // 2 + 1, EUR)
    split = Split(rich.ids["C"], rich.ids["A"], half)
    entry = Entry(Type.TRANSFER, date(2020, 1, 1), "halves", (split, split))
    before = everything(rich)

    with pytest.raises(Invalid):
        rich.record(entry)

    assert everything(rich) == before


def test_an_edit_and_a_removal_that_overflow_are_refused_too(rich):
    balancing = rich.record(huge(rich, "B", "C"))
    rich.record(huge(rich, "C", "B"))
    entry_id = rich.record(huge(rich, "B", "C", Money(5, EUR)))
    before = everything(rich)

    with pytest.raises(Invalid) as caught:
        rich.rewrite(entry_id, huge(rich, "A", "B", Money(5, EUR)))
    assert caught.value.problems[0].field == "amount"
    with pytest.raises(Invalid) as caught:
        rich.erase(balancing)
    assert caught.value.problems[0].field == "id"

    assert everything(rich) == before
    assert rich.findings() == []


def everything(books: Books) -> dict[str, list[tuple[object, ...]]]:
    """All rows of the user in every table; the revision too is as it was."""
    with books.database.reading() as db:
        found = {
            table: sorted(db.all(f"SELECT * FROM {table} WHERE user_id = :id", id=books.user_id), key=repr)
            for table, columns in TABLES.items()
            if "user_id" in columns
        }
        found["users"] = db.all("SELECT * FROM users WHERE id = :id", id=books.user_id)
    return found


def test_an_account_that_changes_its_currency_is_booked_with_the_other_amount(books):
    books.keep(
        """
        account Dollars asset USD
        2024-05-03 transfer   Checking -> Dollars   10.00 EUR (11.00 USD)
        2024-05-04 withdrawal Dollars  -> Groceries  2.00 EUR
        2024-05-05 withdrawal Checking -> Groceries  5.00 EUR (6.00 USD)
        """
    )
    assert (books.balance("Checking"), books.balance("Dollars")) == ("-15.00 EUR", "11.00 USD")

    books.change_currency("Dollars", "EUR")
    assert (books.balance("Checking"), books.balance("Dollars")) == ("-15.00 EUR", "8.00 EUR")
    assert books.findings() == []

    books.change_currency("Checking", "USD")
    assert (books.balance("Checking"), books.balance("Dollars")) == ("-17.00 USD", "8.00 EUR")
    assert books.findings() == []

    books.change_currency("Checking", "EUR")
    books.change_currency("Dollars", "USD")
    assert (books.balance("Checking"), books.balance("Dollars")) == ("-15.00 EUR", "11.00 USD")
    assert_kept_sums_are_right(books)
    assert books.findings() == []
