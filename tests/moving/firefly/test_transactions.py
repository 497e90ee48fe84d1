"""Groups of journals become transactions with types and sides that our ledger has."""

from datetime import date
from decimal import Decimal

import pytest

from farthing.ledger.details import EntryDetails
from farthing.ledger.kinds import Kind, Type

from .books import ACCOUNTS, a_group, a_journal, an_account, books_of, messages, rejections, transactions_of


@pytest.mark.parametrize(
    ("source", "destination", "expected"),
    [
        (1, 4, Type.WITHDRAWAL),
        (1, 6, Type.WITHDRAWAL),
        (3, 4, Type.WITHDRAWAL),
        (5, 1, Type.DEPOSIT),
        (6, 1, Type.DEPOSIT),
        (5, 3, Type.DEPOSIT),
        (1, 2, Type.TRANSFER),
        (1, 3, Type.TRANSFER),
        (3, 1, Type.TRANSFER),
        (7, 1, Type.OPENING_BALANCE),
        (1, 7, Type.OPENING_BALANCE),
        (8, 1, Type.RECONCILIATION),
        (1, 8, Type.RECONCILIATION),
    ],
)
def test_the_kinds_of_the_accounts_decide_the_type(source: int, destination: int, expected: Type) -> None:
    (transaction,) = transactions_of(a_group(a_journal(1, source, destination)))

    assert transaction.type == expected


def test_a_group_of_different_types_becomes_several_transactions() -> None:
    repayment, interest = a_journal(11, 1, 3, "300"), a_journal(12, 1, 4, "31.88")

    one, other = transactions_of(a_group(interest, repayment, title="Loan payment", key=70))

    assert (one.key, one.type, one.description) == ("70", Type.TRANSFER, "Journal 11")
    assert (other.key, other.type, other.notes) == ("70/12", Type.WITHDRAWAL, "Part of: Loan payment")


def test_splits_of_different_days_become_several_transactions() -> None:
    late = a_journal(12, 1, 4, date="2026-04-01")

    assert [one.on.month for one in transactions_of(a_group(a_journal(11, 1, 4), late, title="Both"))] == [3, 4]


def test_splits_come_in_the_order_in_which_they_were_entered() -> None:
    (whole,) = transactions_of(a_group(a_journal(13, 1, 4), a_journal(12, 1, 4), a_journal(11, 1, 4), title="Whole"))

    assert [one.description for one in whole.splits] == ["Journal 11", "Journal 12", "Journal 13"]


def test_a_split_whose_text_equals_the_whole_has_none_of_its_own() -> None:
    (whole,) = transactions_of(a_group(a_journal(1, 1, 4, description="Food"), a_journal(2, 1, 4), title="Food"))

    assert [one.description for one in whole.splits] == [None, "Journal 2"]


def test_what_splits_say_differently_is_kept_in_the_notes() -> None:
    first = a_journal(
        1,
        1,
        4,
        notes="mine",
        internal_reference="A",
        book_date="2026-03-06",
        tags=["x"],
        external_id="76",
        sepa_ci="C",
        latitude="52.500",
        longitude="13",
    )
    second = a_journal(2, 1, 4, internal_reference="B", book_date="2026-03-07", external_id="77", tags=["y"])

    (whole,) = transactions_of(a_group(first, second, title="Whole"))

    assert (whole.internal_reference, whole.dates, whole.tags) == ("A", {"book": date(2026, 3, 6)}, ("x", "y"))
    assert whole.details == EntryDetails(external_id="76", sepa_ci="C", latitude="52.5", longitude="13")
    assert whole.notes == (
        "Journal 1: mine\n\nJournal 2: Internal reference: B\n"
        "Journal 2: Dates: book 2026-03-07\nJournal 2: External id: 77"
    )


@pytest.mark.parametrize(
    "text", ["2026-07-01T07:00:00+00:00", "2026-07-01T23:30:00-11:00", "2026-07-01 00:00:00", "2026-07-01"]
)
def test_the_day_is_the_one_that_is_shown(text: str) -> None:
    (transaction,) = transactions_of(a_group(a_journal(1, 1, 4, date=text)))

    assert transaction.on == date(2026, 7, 1)


@pytest.mark.parametrize(
    ("text", "exact"),
    [("10.005000000000", "10.005"), ("0.00010001", "0.00010001"), ("1234567.89", "1234567.89"), ("1E+2", "100")],
)
def test_amounts_are_exact_and_without_trailing_zeros(text: str, exact: str) -> None:
    (transaction,) = transactions_of(a_group(a_journal(1, 1, 4, text)))

    assert str(transaction.splits[0].amount) == exact


def test_a_transfer_between_currencies_is_summed_in_the_currency_of_each_side() -> None:
    exchange = a_journal(1, 1, 9, "500", foreign_amount="541.25", foreign_currency_code="USD", type="transfer")

    books = books_of(a_group(exchange))

    sums = {(one.account, one.currency): one.amount for one in books.balances if one.amount}
    assert sums == {("1", "EUR"): Decimal(-500), ("9", "USD"): Decimal("541.25")}


def test_an_account_has_one_opening_balance_and_the_rest_corrects_it() -> None:
    credit = a_journal(1, 7, 3, type="liability credit")
    opening = a_journal(2, 7, 3, type="opening balance")

    other, one = transactions_of(a_group(credit), a_group(opening))  # oldest first

    assert (one.type, other.type) == (Type.RECONCILIATION, Type.OPENING_BALANCE)


def test_the_budget_and_bill_of_a_loan_payment_are_kept_in_the_notes() -> None:
    paid = a_journal(1, 1, 3, budget_name="Housing", bill_id="1", bill_name="Mortgage", category_name="Home")
    books = books_of(a_group(paid), bills=[A_BILL])

    (transaction,) = books.transactions

    assert (transaction.splits[0].budget, transaction.bill) == (None, None)
    assert transaction.splits[0].category == "Home"
    assert transaction.notes == "Budget: Housing\nBill: Mortgage"
    assert "Only withdrawals can have budgets or bills" in messages(books)


A_BILL = {
    "id": 1,
    "name": "Mortgage",
    "currency_code": "EUR",
    "amount_min": "5",
    "amount_max": "20",
    "date": "2026-01-01",
    "repeat_freq": "monthly",
}


def test_bills_are_found_by_id_or_by_name() -> None:
    by_id = a_journal(1, 1, 4, bill_id="1")
    by_name = a_journal(2, 1, 4, subscription_name="Mortgage")

    found = transactions_of(a_group(by_id), a_group(by_name), bills=[A_BILL])

    assert [one.bill for one in found] == ["1", "1"]


def test_money_from_a_payee_comes_from_a_payer_of_the_same_name() -> None:
    books = books_of(a_group(a_journal(1, 4, 1)))

    (transaction,) = books.transactions

    source = next(one for one in books.accounts if one.key == transaction.splits[0].source)
    assert (transaction.type, source.name, source.kind) == (Type.DEPOSIT, "Shop", Kind.REVENUE)
    assert "the other kind" in messages(books)


@pytest.mark.parametrize(
    ("journal", "reason"),
    [
        (a_journal(1, 4, 5), "one side must be an asset account or a liability"),
        (a_journal(1, 1, 1), "the same account"),
        (a_journal(1, 1, 4, "0.00"), "its amount is zero"),
        (a_journal(1, 1, 4, "twelve"), "amount is missing or cannot be read"),
        (a_journal(1, 1, 4, date="2026-02-30"), "date is missing or cannot be read"),
        (a_journal(1, 1, 99), "destination is missing or cannot be read"),
    ],
)
def test_what_cannot_be_booked_is_rejected_with_a_reason(journal: dict[str, str], reason: str) -> None:
    books = books_of(a_group(journal))

    assert list(books.transactions) == []
    assert reason in "\n".join(rejections(books))


def test_links_name_the_splits_that_they_connect() -> None:
    types = [{"id": 7, "name": "Gift", "inward": "is given by", "outward": "gives"}]
    links = [{"inward_id": "1", "outward_id": "3", "link_type_id": "7", "notes": "by hand"}]
    links.append({"inward_id": "2", "outward_id": "3", "link_type_id": "7"})  # of one transaction

    books = books_of(
        a_group(a_journal(1, 1, 4)),
        a_group(a_journal(2, 1, 4), a_journal(3, 1, 4), title="Both", key=9),
        link_types=types,
        transaction_links=links,
    )

    [kind], [link] = books.link_types, books.entry_links
    assert (kind.key, kind.name, kind.inward, kind.outward) == ("7", "Gift", "is given by", "gives")
    assert (link.type, link.notes) == ("7", "by hand")
    assert (link.inward.transaction, link.inward.split, link.inward.splits) == ("1", 0, 1)
    assert (link.outward.transaction, link.outward.split, link.outward.splits) == ("9", 1, 2)
    assert "links two splits of the same transaction" in messages(books)


def test_notes_that_all_splits_share_are_those_of_the_transaction() -> None:
    one, other = (a_journal(key, 1, 4, notes="Weekly") for key in (1, 2))

    assert [each.notes for each in transactions_of(a_group(one, other, title="Both"))] == ["Weekly"]


def test_a_page_that_repeats_an_object_does_not_double_it() -> None:
    group = a_group(a_journal(1, 1, 4))
    books = books_of(group, group)

    assert len(list(books.transactions)) == 1
    assert "fetch again" in messages(books)


def test_of_two_accounts_with_one_iban_the_own_one_keeps_it() -> None:
    accounts = [
        an_account(1, "Shop", "expense", iban="NL91ABNA0417164300"),
        an_account(2, "Checking", "asset", iban="NL91 ABNA 0417 1643 00"),
    ]
    books = books_of(accounts=accounts)

    assert [(one.name, one.iban is None, one.notes) for one in books.accounts] == [
        ("Checking", False, None),
        ("Shop", True, "IBAN: NL91ABNA0417164300"),
    ]
    assert "must be unique in Farthing" in messages(books)


def test_a_balance_that_firefly_reports_otherwise_is_a_finding() -> None:
    told = {"current_balance": "-9.00", "current_balance_date": "2026-03-31T23:59:59+00:00"}
    accounts = [an_account(1, "Checking", "asset", **told), *ACCOUNTS[1:]]

    assert "holds -9, but its transactions add up to -10" in messages(
        books_of(a_group(a_journal(1, 1, 4)), accounts=accounts)
    )
    later = a_journal(1, 1, 4, "9")
    after = a_journal(2, 1, 4, "1", date="2026-04-01")
    assert "add up" not in messages(books_of(a_group(later), a_group(after), accounts=accounts))
