"""What becomes of a row is decided stage by stage, by functions that know no database and change nothing they get."""

from datetime import date
from decimal import Decimal

import pytest

from farthing.books.transactions.model import KnownAccount
from farthing.kernel.money import Currency, Money
from farthing.ledger.kinds import Kind, Type
from farthing.moving.rows import matching, verdicts
from farthing.moving.rows.imported_rows import ImportedRow
from farthing.moving.rows.near_transactions import NearEntry
from farthing.moving.rows.options import DeletedRows, ImportOptions, LinkRows
from farthing.moving.rows.own_accounts import OwnAccounts
from farthing.moving.rows.settle import SettledRow
from farthing.moving.rows.verdicts import Duplicate, Linked, New, Paired, Skipped
from farthing.moving.statements import StatementRow

EUR = Currency(id=1, code="EUR", name="Euro", symbol="€", places=2)
CHECKING, SAVINGS = (
    KnownAccount(id=number, kind=Kind.ASSET, name=name, active=True, currency=EUR, iban=None)
    for number, name in ((1, "Checking"), (2, "Savings"))
)
OWN = OwnAccounts(
    by_id={1: CHECKING, 2: SAVINGS}, by_iban={}, by_number={}, by_name={"checking": CHECKING, "savings": SAVINGS}
)
DAY = date(2024, 5, 1)


def a_row(number=1, *, account=CHECKING, units=-100, key="k", text="Grocer"):
    row = StatementRow(row=number, on=DAY, amount=Decimal(units) / 100, description=text)
    return SettledRow(
        row=row,
        account=account,
        money=Money(units=abs(units), currency=EUR),
        foreign=None,
        outgoing=units < 0,
        key=f"{key}{number}",
    )


def an_entry(entry_id=7, **fields):
    usual = {
        "entry_id": entry_id, "split_id": entry_id * 10, "type": Type.WITHDRAWAL, "on": DAY, "units": 100,
        "currency_id": 1, "foreign_units": None, "foreign_currency_id": None, "reconciled": False, "source_id": 1,
        "destination_id": 9, "text": "Grocer", "source_name": "Checking", "destination_name": "Grocer",
    }  # fmt: skip
    return NearEntry(**(usual | fields))


def decided(settled, near=(), imported=None, **options):
    chosen = ImportOptions(**options)
    rows = matching.find_duplicates(settled, imported or {}, chosen)
    return matching.decide(rows, OWN, near, chosen, None)


@pytest.mark.parametrize(("is_there", "deleted", "outcome", "entry_id"), [
    (True, DeletedRows.SKIP, "duplicate", 7), (True, DeletedRows.AGAIN, "duplicate", 7),
    (False, DeletedRows.SKIP, "duplicate", None), (False, DeletedRows.AGAIN, "new", None),
])  # fmt: skip
def test_a_row_that_was_imported_before_is_a_duplicate_unless_its_deleted_one_is_wanted_again(
    is_there, deleted, outcome, entry_id
):
    before = {(1, "k1"): [ImportedRow(on=DAY, entry_id=7, is_there=is_there)]}

    [row] = decided([a_row()], imported=before, deleted=deleted)

    assert (row.verdict.outcome, verdicts.find_entry_id(row.verdict)) == (outcome, entry_id)
    assert row.was_deleted is not is_there


@pytest.mark.parametrize(("decision", "link", "verdict"), [
    (None, LinkRows.OFFER, New), (None, LinkRows.SURE, Linked), ("link", LinkRows.OFFER, Linked),
    ("link:70", LinkRows.OFFER, Linked), ("link:71", LinkRows.OFFER, Skipped), ("new", LinkRows.SURE, New),
    ("skip", LinkRows.SURE, Skipped), ("nonsense", LinkRows.OFFER, New),
])  # fmt: skip
def test_a_typed_transaction_is_offered_linked_or_left_alone_as_the_user_decides(decision, link, verdict):
    rows = {"1": decision} if decision else {}

    [row] = decided([a_row()], [an_entry()], rows=rows, link=link)

    assert [found.entry.entry_id for found in row.offers] == [7]
    assert isinstance(row.verdict, verdict)
    assert verdicts.find_entry_id(row.verdict) == (7 if verdict is Linked else None)


def test_two_rows_that_fit_one_transaction_are_not_sure():
    rows = decided([a_row(1), a_row(2)], [an_entry()], link=LinkRows.SURE)

    assert [type(row.verdict) for row in rows] == [New, New]


def test_the_other_half_of_an_imported_row_makes_it_a_transfer():
    half = an_entry(imported_for=frozenset({1}), destination_name="(no name)", destination_id=9)

    [row] = decided([a_row(account=SAVINGS, units=100, text="transfer")], [half])

    assert row.verdict == Paired(
        of=7,
        becomes_transfer=True,
        why="It is the other half of a row that was imported for “Checking”: together, they are a transfer.",
    )


def test_two_new_rows_of_two_accounts_become_one_transfer():
    first, second = decided([a_row(1), a_row(2, account=SAVINGS, units=100)])
    alone = decided([a_row(1), a_row(2, account=SAVINGS, units=100)], rows={"1": "new"})

    assert isinstance(first.verdict, New)
    assert first.verdict.transfer_to == SAVINGS
    assert (second.verdict.outcome, second.verdict.partner, second.verdict.partner_row) == ("paired", 0, 1)
    assert [row.verdict.outcome for row in alone] == ["new", "new"]


def test_stages_leave_what_they_get_as_it_was():
    rows = matching.find_duplicates([a_row(1), a_row(1)], {}, ImportOptions())
    before = list(rows)

    matching.decide(rows, OWN, [an_entry()], ImportOptions(rows={"1": "skip"}), None)

    assert rows == before
    assert [type(row.verdict) for row in rows] == [New, Duplicate]
    with pytest.raises(AttributeError):
        rows[0].verdict = None
