"""Archives of Actual: every trait alone and in pairs, and what is skipped with a reason."""

from decimal import Decimal
from itertools import combinations

import pytest

from farthing.ledger.kinds import Type
from farthing.moving.findings import Unreadable
from farthing.moving.programs.actual.reader import looks_like, read
from farthing.moving.source_books import SourceBooks

from .actual_builder import TRAITS, archive, database
from .prover import balance, files, flow, messages, prove


def read_rows(*traits: str, more: tuple[str, ...] = ()) -> SourceBooks:
    rows = [row for trait in traits for row in TRAITS[trait]]
    return read(files(a__zip=archive(database(rows, *more))))


def test_every_trait_in_pairs_is_read_and_proved() -> None:
    pairs = list(combinations(TRAITS, 2))
    for one, two in pairs[::5]:
        prove(read_rows(one, two))


def test_all_traits_together_are_read_and_proved() -> None:
    books = read_rows(*TRAITS)
    rows = [row for trait in TRAITS.values() for row in trait]
    alive = [row for row in rows if not row.get("tombstone") and not row.get("isChild")]
    sums = {
        account: Decimal(sum(row["amount"] for row in alive if row.get("acct", "bank") == account)) / 100
        for account in ("bank", "save")
    }

    prove(books)
    assert balance(books, "Bank", "2024-12-31") == {"EUR": sums["bank"]}
    assert balance(books, "Savings", "2024-12-31") == {"EUR": sums["save"]}
    assert looks_like(archive(database(rows))[:65536], "x.zip")


def test_a_payee_is_an_expense_account_and_merged_payees_are_one() -> None:
    books = read_rows("merged payee and category")

    assert flow(books) == (("Bank", "Baker", "1.00", "Usual: Food"),)


def test_a_transfer_is_booked_once() -> None:
    books = read_rows("transfer")

    assert len(list(books.transactions)) == 1
    assert flow(books) == (("Bank", "Savings", "50.00", None),)


def test_a_split_with_a_refund_keeps_both_parts() -> None:
    books = read_rows("split")

    assert flow(books, 0) == (("Bank", "Baker", "13.00", "Usual: Food"),)
    assert flow(books, 1) == (("Baker", "Bank", "3.00", "Usual: Fun"),)


def test_a_part_of_a_split_may_be_a_transfer() -> None:
    books = read_rows("split with a transfer")

    assert [flow(books, number) for number in (0, 1)] == [
        (("Bank", "Baker", "4.00", "Usual: Food"),),
        (("Bank", "Savings", "5.00", None),),
    ]


def test_starting_balances_are_opening_balances_also_below_zero() -> None:
    books = read_rows("opening")

    assert [one.type for one in books.transactions] == [Type.OPENING_BALANCE] * 2


def test_tags_come_from_the_notes() -> None:
    assert read_rows("no payee").tags == ("sea", "trip")


def test_budgets_are_limits_and_what_is_not_kept_is_named() -> None:
    more = (
        "INSERT INTO zero_budgets VALUES ('1', 202402, 'food', 25000, 1), ('2', 202403, 'food', 0, 0)",
        "INSERT INTO zero_budgets VALUES ('3', 202403, 'fun', -100, 0)",
        "INSERT INTO reflect_budgets VALUES ('1', 202402, 'food', 1, 0)",
        "INSERT INTO schedules VALUES ('s', 'Rent', 0, 0), ('t', 'Gone', 1, 0)",
        "INSERT INTO rules VALUES ('r', 0)",
        "INSERT INTO notes VALUES ('account-bank', 'ours')",
        "INSERT INTO preferences VALUES ('defaultCurrencyCode', 'CHF')",
    )
    books = read_rows("expense", more=more)

    (limit,) = books.budget_limits
    assert (limit.amount, limit.currency, str(limit.end_on)) == (250, "CHF", "2024-02-29")
    assert next(iter(books.transactions)).splits[0].budget == "Usual: Food"
    for word in ("“Rent”", "1 rules", "below zero", "carry what is left over", "reflect_budgets"):
        assert word in messages(books)
    assert "Gone" not in messages(books)
    assert [(one.active, one.notes) for one in books.accounts if one.name in ("Bank", "Savings")] == [
        (True, "ours"),
        (False, "Off budget"),
    ]


def test_halves_that_do_not_fit_are_named() -> None:
    books = read_rows("half a transfer", "transfer on two days", "split that does not add up")

    assert messages(books).count("has no matching other half") == 3
    assert "leave -1.00" in messages(books)


@pytest.mark.parametrize(
    ("row", "field"),
    [({"amount": 1.5}, "amount"), ({"amount": None}, "amount"), ({"amount": 1, "date": 20240231}, "date")],
)
def test_a_row_that_cannot_be_read_is_rejected_with_its_number(row: dict[str, object], field: str) -> None:
    books = read(files(a__zip=archive(database([*TRAITS["expense"], {"id": "bad", **row}]))))

    assert [(one.row, one.field) for one in books.findings if one.rejects] == [(2, field)]
    assert len(list(books.transactions)) == 1


def test_an_archive_without_a_database_is_refused() -> None:
    with pytest.raises(Unreadable, match=r"no db\.sqlite"):
        read(files(a__zip=archive(b"hello", "readme.txt")))
