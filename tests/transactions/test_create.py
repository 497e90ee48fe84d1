"""What does recording a transaction answer, and what does it do to the books?"""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from .making import (
    a_transaction,
    account_named,
    asset,
    balance,
    cash_id,
    deposit,
    errors,
    exact,
    expense,
    findings,
    liability,
    listed,
    made,
    posted,
    posted_one,
    refused,
    split,
    transfer,
    withdrawal,
)

EVERYTHING = {
    "notes": "with *notes*",
    "tags": "Home, food",
    "internal_reference": "R-77",
    "interest_date": "2024-05-11",
    "book_date": "2024-05-12",
    "process_date": "2024-05-13",
    "due_date": "2024-05-14",
    "payment_date": "2024-05-15",
    "invoice_date": "2024-05-16",
}


def test_every_field_is_kept_and_shown(me):
    checking = made(me, asset(iban="NL02ABNA0870809585"))
    body = a_transaction(
        "withdrawal",
        split(
            source_id=checking,
            destination_name="Grocer",
            amount="12.5",
            foreign_amount=14,
            foreign_currency_code="usd",
            category_name="Food",
            budget_name="Household",
            description="Bread",
            reconciled=1,
        ),
        description="Groceries",
        **EVERYTHING,
    )

    [one] = posted(me, body)

    grocer = account_named(me, "Grocer", "expense")[0]
    seen = one["attributes"]
    assert {name: seen[name] for name in EVERYTHING} == {**EVERYTHING, "tags": "Home,food"}
    expected = {
        "created_at": "2024-05-15T12:00:00+00:00",
        "updated_at": "2024-05-15T12:00:00+00:00",
        "description": "Bread (Groceries)",
        "transaction_description": "Bread",
        "journal_description": "Groceries",
        "date": "2024-05-10",
        "type": "Withdrawal",
        "identifier": 0,
        "journal_id": seen["journal_id"],
        "reconciled": True,
        "amount": Decimal("-12.5"),
        "currency_id": 1,
        "currency_code": "EUR",
        "currency_symbol": "€",
        "currency_dp": 2,
        "foreign_amount": -14,
        "foreign_currency_id": 7,
        "foreign_currency_code": "USD",
        "foreign_currency_symbol": "$",
        "foreign_currency_dp": 2,
        "bill_id": None,
        "bill_name": None,
        "category_id": seen["category_id"],
        "category_name": "Food",
        "budget_id": seen["budget_id"],
        "budget_name": "Household",
        "source_id": int(checking),
        "source_name": "Checking",
        "source_iban": "NL02ABNA0870809585",
        "source_type": "Asset account",
        "destination_id": int(grocer["id"]),
        "destination_name": "Grocer",
        "destination_iban": None,
        "destination_type": "Expense account",
    }
    assert {name: seen[name] for name in expected} == expected
    assert one["type"] == "transactions"
    assert one["links"]["self"] == f"http://farthing.example/api/v1/transactions/{one['id']}"
    assert one["links"]["0"] == {"rel": "self", "uri": f"/transactions/{one['id']}"}


def test_what_is_left_out_is_null(me):
    seen = posted_one(me, withdrawal(made(me, asset())))

    optional = [*EVERYTHING, "transaction_description", "category_id", "budget_id", "foreign_amount", "bill_id"]
    assert [seen[name] for name in optional] == [None] * len(optional)
    assert seen["reconciled"] is False
    assert seen["description"] == seen["journal_description"] == "a transaction"


def test_create_show_and_list_say_the_same(me):
    [one] = posted(me, withdrawal(made(me, asset()), tags="a,b"))

    assert exact(me.get(f"/transactions/{one['id']}"))["data"] == [one]
    assert listed(me) == [one]


def test_each_split_is_an_object_of_its_own_and_shows_the_whole(me):
    checking = made(me, asset())
    bread = split(source_id=checking, destination_name="Baker", amount=2, description="Bread")
    milk = split(source_id=checking, destination_name="Dairy", amount="1.25", description="Milk")

    both = posted(me, a_transaction("withdrawal", bread, milk, description="Market"))

    seen = [one["attributes"] for one in both]
    assert [one["description"] for one in seen] == ["Bread (Market)", "Milk (Market)"]
    assert [one["identifier"] for one in seen] == [0, 1]
    assert seen[0]["journal_id"] == seen[1]["journal_id"]
    assert both[0]["id"] != both[1]["id"]
    assert exact(me.get(f"/transactions/{both[1]['id']}"))["data"] == both
    assert balance(me, checking) == "-3.25"


def test_withdrawals_are_negative_deposits_and_transfers_positive(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    for body in (withdrawal(checking), deposit(checking), transfer(checking, savings)):
        posted(me, body)

    amounts = {one["attributes"]["type"]: str(one["attributes"]["amount"]) for one in listed(me)}

    assert amounts == {"Withdrawal": "-12.5", "Deposit": "12.5", "Transfer": "12.5"}


def test_an_account_sees_transfers_from_its_own_side(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    posted(me, transfer(checking, savings))

    for account_id, amount in ((checking, "-12.5"), (savings, "12.5")):
        [line] = listed(me, f"/accounts/{account_id}/transactions")
        assert str(line["attributes"]["amount"]) == amount
        assert (line["attributes"]["source_name"], line["attributes"]["destination_name"]) == ("Checking", "Savings")


@pytest.mark.parametrize(
    ("make", "own", "other"),
    [
        (lambda own, other: withdrawal(own), "-12.5", None),
        (lambda own, other: deposit(own), "12.5", None),
        (lambda own, other: transfer(own, other), "-12.5", "12.5"),
    ],
)
def test_the_balances_of_both_sides_follow(world, me, make, own, other):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))

    posted(me, make(checking, savings))

    assert balance(me, checking) == own
    assert balance(me, savings) == (other or "0")
    assert findings(world, me) == []


def test_a_liability_can_be_paid_off_and_spent_from(me):
    checking, loan = made(me, asset()), made(me, liability(liability_amount="1000"))

    posted(me, transfer(checking, loan, "200"))
    posted(me, withdrawal(loan, "50"))
    posted(me, deposit(loan, "10"))

    assert balance(me, loan) == "-840"


def test_the_other_side_is_cash_when_nobody_names_it(me):
    checking, cash = made(me, asset()), cash_id(me)

    spent = posted_one(me, a_transaction("withdrawal", split(source_id=checking)))
    earned = posted_one(me, a_transaction("deposit", split(destination_id=checking)))

    assert (spent["destination_id"], earned["source_id"]) == (int(cash), int(cash))
    assert balance(me, cash) == "0"


def test_the_future_counts_only_when_it_comes(world, me):
    checking = made(me, asset())
    posted(me, deposit(checking, date="2024-05-16"))
    assert balance(me, checking) == "0"

    world.time.now = datetime(2024, 5, 16, 0, 0, tzinfo=UTC)

    assert balance(me, checking) == "12.5"


@pytest.mark.parametrize("day", ["1000-01-01", "1582-10-10", "2024-02-29", "9998-12-31"])
def test_days_far_away_are_kept(world, me, day):
    checking = made(me, asset())

    assert posted_one(me, deposit(checking, date=day))["date"] == day

    assert balance(me, checking, date=day) == "12.5"
    assert len(listed(me, start=day, end=day)) == 1
    assert findings(world, me) == []


@pytest.mark.parametrize("sent", ["2024-05-10T23:30:00-08:00", "2024-05-10 01:00", " 2024-05-10 "])
def test_of_a_date_time_the_day_that_is_written_counts(me, sent):
    assert posted_one(me, deposit(made(me, asset()), date=sent))["date"] == "2024-05-10"


@pytest.mark.parametrize(
    ("sent", "seen"),
    [("0.01", "-0.01"), (1e3, "-1000"), ("0012.500", "-12.5"), (" 7 ", "-7"), ("92233720368547758.07",) * 2],
)
def test_amounts_are_kept_to_the_last_digit(me, sent, seen):
    amount = posted_one(me, withdrawal(made(me, asset()), sent))["amount"]

    assert format(amount, "") == "-" + seen.removeprefix("-")


@pytest.mark.parametrize(
    "text", ["Ärger 🍞 mit 'Anführung' \"\" \\ %", "日本語", "e\u0301", "a\u200db", "<b>&amp;</b>"]
)
def test_text_comes_back_as_it_was_sent(me, text):
    body = a_transaction(
        "withdrawal",
        split(source_id=made(me, asset()), destination_name=text, category_name=text, description=f"{text}!"),
        description=text,
        notes=text,
        internal_reference=text,
        tags=[text],
    )

    seen = posted_one(me, body)

    named = ("notes", "internal_reference", "journal_description", "destination_name", "category_name", "tags")
    assert {seen[name] for name in named} == {text}
    assert seen["transaction_description"] == f"{text}!"


def test_a_balance_stays_within_64_bits(world, me):
    checking = made(me, asset())
    posted(me, deposit(checking, "92233720368547758.07"))

    assert list(refused(me, deposit(checking, "0.01"))) == ["transactions.0.amount"]
    form = {
        "type": "deposit", "date": "2024-05-10", "description": "too much",
        "transactions[7][destination_id]": checking, "transactions[7][amount]": "0.01",
        "transactions[7][currency_code]": "EUR",
    }  # fmt: skip
    assert list(errors(me.request("POST", "/transactions", data=form))) == ["transactions.7.amount"]
    assert balance(me, checking) == "92233720368547758.07"
    assert len(listed(me)) == 1
    assert findings(world, me) == []


def test_a_sum_of_splits_stays_within_64_bits(me):
    half = split(source_id=made(me, asset()), amount="90000000000000000", description="half")

    problems = refused(me, a_transaction("withdrawal", half, {**half, "description": "other half"}))

    assert list(problems) == ["transactions.0.amount"]
    assert account_named(me, "Grocer") == []


def test_a_refused_transaction_leaves_nothing_behind(me):
    checking = made(me, asset())
    body = withdrawal(checking, tags="new", date="2024-02-30")
    body["transactions"][0] |= {"category_name": "New", "destination_name": "New shop"}

    assert list(refused(me, body)) == ["date"]

    assert account_named(me, "New shop") == []
    assert listed(me) == []


def test_deleting_an_account_takes_its_transactions_along(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    posted(me, transfer(checking, savings))
    [kept] = posted(me, withdrawal(savings, "1"))

    me.delete(f"/accounts/{checking}")

    assert [one["id"] for one in listed(me)] == [kept["id"]]
    assert balance(me, savings) == "-1"


def test_an_expense_account_of_ones_own_making_is_used(me):
    checking, grocer = made(me, asset()), made(me, expense(name="Grocer"))

    assert posted_one(me, withdrawal(checking))["destination_id"] == int(grocer)
    assert balance(me, grocer) == "12.5"


def test_a_transaction_has_at_most_five_hundred_splits(me):
    checking = made(me, asset())
    splits = [split(source_id=checking, description=f"part {number}") for number in range(501)]

    assert posted(me, a_transaction("withdrawal", *splits[:500]))
    assert refused(me, a_transaction("withdrawal", *splits)) == {
        "transactions": ["The transactions may not have more than 500 items."]
    }
