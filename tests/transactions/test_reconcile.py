"""Does an account agree with the statement of the bank? Marks, differences, and what is booked when asked."""

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
    revenue,
    shown,
    split,
    transfer,
    withdrawal,
)

DAY = "2024-05-15"


def reconcile(client, account_id, statement_balance, *ids, on=DAY, **fields):
    body = {"date": on, "statement_balance": statement_balance, "transactions": list(ids), **fields}
    return client.post(f"/accounts/{account_id}/reconcile", body)


def reconciled(client, account_id, statement_balance, *ids, **fields):
    response = reconcile(client, account_id, statement_balance, *ids, **fields)
    assert response.status_code == 200, response.text
    return exact(response)["data"]


def figures(answer):
    names = ("balance", "reconciled_balance", "statement_balance", "difference")
    return [format(answer[name], "") for name in names]


@pytest.fixture
def month(me):
    """An account that began with 100, and three transactions of May."""
    account_id = made(me, asset(opening_balance=100, opening_balance_date="2024-05-01", virtual_balance=1000))
    salary = posted_one(me, deposit(account_id, "2000", date="2024-05-02"))["id"]
    rent = posted_one(me, withdrawal(account_id, "800.50", date="2024-05-03"))["id"]
    bread = posted_one(me, withdrawal(account_id, "3.25", date="2024-05-15"))["id"]
    return account_id, salary, rent, bread


def test_a_statement_that_agrees(world, me, month):
    account_id, *ids = month

    answer = reconciled(me, account_id, "1296.25", *ids)

    assert answer == {
        "account_id": int(account_id),
        "date": DAY,
        "currency_id": 1,
        "currency_code": "EUR",
        "currency_symbol": "€",
        "currency_dp": 2,
        "balance": Decimal("1296.25"),
        "reconciled_balance": Decimal("1296.25"),
        "statement_balance": Decimal("1296.25"),
        "difference": 0,
        "marked": ids,
        "booked": None,
    }
    assert [one["attributes"]["reconciled"] for one in listed(me)] == [True, True, True]
    assert findings(world, me) == []


def test_what_is_not_marked_is_what_differs(me, month):
    account_id, salary, rent, bread = month

    assert figures(reconciled(me, account_id, "1296.25", salary, rent)) == ["1296.25", "1299.5", "1296.25", "-3.25"]
    assert figures(reconciled(me, account_id, "1296.25", bread)) == ["1296.25", "1296.25", "1296.25", "0"]


def test_the_opening_balance_counts_without_being_marked(me, month):
    account_id, *_ = month

    assert figures(reconciled(me, account_id, 100)) == ["1296.25", "100", "100", "0"]


def test_only_what_is_dated_up_to_the_day_counts(me, month):
    account_id, salary, rent, bread = month
    reconciled(me, account_id, 0, salary, rent, bread)

    assert figures(reconciled(me, account_id, 0, on="2024-04-30")) == ["0", "0", "0", "0"]
    assert figures(reconciled(me, account_id, 0, on="2024-05-02")) == ["2100", "2100", "0", "-2100"]
    assert figures(reconciled(me, account_id, 0, on="2024-05-14")) == ["1299.5", "1299.5", "0", "-1299.5"]
    assert figures(reconciled(me, account_id, 0, on="2024-06-30")) == ["1296.25", "1296.25", "0", "-1296.25"]


def test_where_a_comparison_begins_is_asked_without_changing_anything(me, month):
    account_id, salary, *_ = month
    reconciled(me, account_id, 0, salary)

    begun = exact(me.get(f"/accounts/{account_id}/reconcile", date="2024-05-14"))["data"]

    assert (begun["date"], begun["currency_code"]) == ("2024-05-14", "EUR")
    assert (begun["balance"], begun["reconciled_balance"]) == (Decimal("1299.5"), 2100)
    assert [one["attributes"]["reconciled"] for one in listed(me)] == [False, False, True]


def test_where_a_comparison_begins_is_today_unless_asked_otherwise(me, month):
    account_id, *_ = month

    assert exact(me.get(f"/accounts/{account_id}/reconcile"))["data"]["balance"] == Decimal("1296.25")
    assert list(errors(me.get(f"/accounts/{account_id}/reconcile", date="never"))) == ["date"]
    assert list(errors(me.get(f"/accounts/{made(me, expense())}/reconcile"))) == ["id"]


def test_a_difference_is_booked_when_asked(world, me, month):
    account_id, *ids = month

    answer = reconciled(me, account_id, "1290", *ids, book_difference=True)

    assert figures(answer) == ["1290", "1290", "1290", "0"]
    booked = answer["booked"]["attributes"]
    assert (booked["type"], str(booked["amount"]), booked["date"]) == ("Reconciliation", "-6.25", DAY)
    assert (booked["description"], booked["reconciled"]) == ("Reconciliation of Checking", True)
    assert (booked["source_id"], booked["destination_type"]) == (int(account_id), "Reconciliation account")
    assert listed(me, type="reconciliation")[0]["id"] == answer["booked"]["id"]
    assert balance(me, account_id) == "2290", "the virtual balance is no part of a statement"
    assert findings(world, me) == []


def test_more_on_the_statement_than_in_the_books_flows_in(me, month):
    account_id, *ids = month

    booked = reconciled(me, account_id, "1300", *ids, book_difference=1)["booked"]["attributes"]

    assert (booked["destination_id"], str(booked["amount"])) == (int(account_id), "3.75")


def test_nothing_is_booked_when_nothing_differs(me, month):
    account_id, *ids = month

    assert reconciled(me, account_id, "1296.25", *ids, book_difference=True)["booked"] is None
    assert account_named(me, "Checking (reconciliation)") == []


def test_the_helper_is_made_once_and_follows_its_account(me, month):
    account_id, *_ = month
    for amount in (10, 20):
        reconciled(me, account_id, amount, book_difference=True)

    [helper] = account_named(me, "Checking (reconciliation)", "hidden")
    assert (helper["attributes"]["type"], helper["attributes"]["current_balance"]) == ("Reconciliation account", 80)

    me.put(f"/accounts/{account_id}", asset(name="Main"))
    assert account_named(me, "Main (reconciliation)", "hidden")[0]["id"] == helper["id"]

    me.delete(f"/accounts/{account_id}")
    assert listed(me, "/accounts", type="hidden") == []


def test_a_reconciliation_may_be_deleted_but_not_changed(world, me, month):
    account_id, *ids = month
    booked = reconciled(me, account_id, "1290", *ids, book_difference=True)["booked"]["id"]

    problems = errors(me.put(f"/transactions/{booked}", {}))
    assert problems == {"type": ["A reconciliation cannot be changed: delete it, and reconcile the account again."]}
    assert me.delete(f"/transactions/{booked}").status_code == 204

    assert figures(reconciled(me, account_id, "1290")) == ["1296.25", "1296.25", "1290", "-6.25"]
    assert findings(world, me) == []


def test_the_reconciled_balance_follows_changes_and_deletions(world, me, month):
    account_id, salary, rent, bread = month
    reconciled(me, account_id, 0, salary, rent, bread)

    body = withdrawal(account_id, "900", date="2024-05-04")
    body["transactions"][0]["reconciled"] = True
    me.put(f"/transactions/{rent}", body)
    me.put(f"/transactions/{salary}", deposit(account_id, "2000", date="2024-05-02"))
    me.delete(f"/transactions/{bread}")

    assert figures(reconciled(me, account_id, 0)) == ["1200", "-800", "0", "800"]
    assert findings(world, me) == []


def test_transactions_may_be_recorded_as_reconciled(me):
    account_id = made(me, asset())
    body = deposit(account_id, "5")
    body["transactions"][0]["reconciled"] = True
    posted(me, body)

    assert figures(reconciled(me, account_id, 5)) == ["5", "5", "5", "0"]


def test_doctor_notices_when_the_reconciled_part_drifts(world, me, month):
    account_id, salary, *_ = month
    reconciled(me, account_id, 0, salary)
    drift(world, me, 1)

    found = findings(world, me)

    assert "reconciled" in found[0]
    assert "2100.01 EUR, but the transactions add up to 2100.00 EUR" in found[0]
    drift(world, me, -1)
    assert findings(world, me) == []


def drift(world, client, units):
    """On the one account with an opening balance, as no honest program writes it."""
    with world.books.writing() as db:
        db.run(
            """
            UPDATE balances SET reconciled = reconciled + :units WHERE user_id = :id AND period = '' AND account_id = (
                SELECT opening_account_id FROM entries WHERE user_id = :id AND opening_account_id IS NOT NULL)
            """,
            id=client.user.id,
            units=units,
        )


def test_a_split_is_marked_on_its_own(me):
    account_id = made(me, asset())
    splits = [split(source_id=account_id, amount=amount, description=f"no. {amount}") for amount in (1, 2, 4)]
    both = posted(me, a_transaction("withdrawal", *splits))

    answer = reconciled(me, account_id, -6, both[1]["id"], both[2]["id"])

    assert figures(answer) == ["-7", "-6", "-6", "0"]
    assert [one["attributes"]["reconciled"] for one in listed(me)] == [False, True, True]


def test_a_transfer_counts_on_both_of_its_accounts(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    one = posted_one(me, transfer(checking, savings, "7"))["id"]

    assert figures(reconciled(me, checking, -7, one)) == ["-7", "-7", "-7", "0"]
    assert figures(reconciled(me, savings, 7)) == ["7", "7", "7", "0"]


@pytest.mark.parametrize("kind", ["loan", "debt", "mortgage", "credit card"])
def test_liabilities_are_reconciled_too_and_what_is_owed_is_negative(world, me, kind):
    loan = made(me, liability(liability_type=kind, liability_amount=1000))
    paid = posted_one(me, transfer(made(me, asset()), loan, "200"))["id"]

    assert figures(reconciled(me, loan, -800, paid)) == ["-800", "-800", "-800", "0"]
    assert figures(reconciled(me, loan, "-812.50", book_difference=True)) == ["-812.5", "-812.5", "-812.5", "0"]
    assert findings(world, me) == []


def test_each_side_counts_in_the_currency_of_its_account(world, me):
    euros, yen = made(me, asset()), made(me, asset(name="Yen", currency_code="JPY"))
    body = a_transaction("transfer", split(
        source_id=euros, destination_id=yen, amount=10, foreign_amount=1600, foreign_currency_code="JPY"
    ))  # fmt: skip
    one = posted_one(me, body)["id"]
    other_currency = transfer(euros, yen, "3") | {"description": "euros on a yen account"}
    posted(me, other_currency)

    assert figures(reconciled(me, yen, 1600, one)) == ["1600", "1600", "1600", "0"]
    assert figures(reconciled(me, euros, -10)) == ["-13", "-10", "-10", "0"]
    assert findings(world, me) == []


def test_marking_twice_is_harmless_and_leaves_no_second_trace(world, me, month):
    account_id, salary, rent, _ = month
    reconciled(me, account_id, 0, salary)
    traces = changes_of(world, me)

    answer = reconciled(me, account_id, 0, salary, salary, f" {salary} ", rent)

    assert answer["marked"] == [salary, rent]
    assert changes_of(world, me) == [*traces, ("splits", "changed"), ("entries", "changed")]
    assert figures(reconciled(me, account_id, 0, salary)) == ["1296.25", "1299.5", "0", "-1299.5"]
    assert findings(world, me) == []


def changes_of(world, client):
    with world.books.reading() as db:
        rows = db.all(
            "SELECT kind, action FROM changes WHERE user_id = :id AND action = 'changed' ORDER BY id",
            id=client.user.id,
        )
    return [tuple(row) for row in rows]


def test_marking_is_a_change_of_the_transaction(world, me, month):
    account_id, salary, *_ = month
    world.time.now = datetime(2024, 5, 15, 13, 0, tzinfo=UTC)

    reconciled(me, account_id, 0, salary)

    [one] = exact(me.get(f"/transactions/{salary}"))["data"]
    assert one["attributes"]["updated_at"] == "2024-05-15T13:00:00+00:00"
    with world.books.reading() as db:
        before = db.value(
            "SELECT before FROM changes WHERE user_id = :id AND kind = 'splits' AND object_id = :split_id",
            id=me.user.id,
            split_id=int(salary),
        )
    assert '"reconciled":0' in before.replace(" ", "")


class TestWhatIsSent:
    def test_an_empty_body_says_what_is_needed(self, me, month):
        assert errors(me.post(f"/accounts/{month[0]}/reconcile")) == {
            "date": ["The date field is required."],
            "statement_balance": ["The statement balance field is required."],
        }

    @pytest.mark.parametrize("how", ["list", "numbers", "commas", "form", "brackets", "one"])
    def test_ids_come_in_any_shape(self, me, month, how):
        account_id, salary, rent, _ = month
        path, body = f"/accounts/{account_id}/reconcile", {"date": DAY, "statement_balance": "0"}
        options = {
            "list": {"json": body | {"transactions": [salary, rent]}},
            "numbers": {"json": body | {"transactions": [int(salary), int(rent)]}},
            "commas": {"json": body | {"transactions": f"{salary}, {rent},"}},
            "form": {"data": body | {"transactions": f"{salary},{rent}"}},
            "brackets": {"data": body | {"transactions[]": [salary, rent]}},
            "one": {"json": body | {"transactions": int(rent)}},
        }[how]

        response = me.request("POST", path, **options)

        assert response.status_code == 200, response.text
        assert response.json()["data"]["marked"] == ([rent] if how == "one" else [salary, rent])

    @pytest.mark.parametrize("nothing", [None, [], "", ",", "absent"])
    def test_there_may_be_none(self, me, month, nothing):
        body = {"date": DAY, "statement_balance": 100, "transactions": nothing}
        if nothing == "absent":
            del body["transactions"]

        assert me.post(f"/accounts/{month[0]}/reconcile", body).json()["data"]["marked"] == []

    def test_every_wrong_field_is_told_at_once(self, me, month):
        problems = errors(
            reconcile(me, month[0], "1.005", "x", 999_999_999, on="2024-02-30", book_difference="perhaps")
        )

        assert sorted(problems) == [
            "book_difference", "date", "statement_balance", "transactions.0", "transactions.1",
        ]  # fmt: skip

    def test_unknown_ids_and_those_of_other_accounts_and_users_are_refused(self, world, me, someone_else, month):
        account_id, salary, *_ = month
        savings = made(me, asset(name="Savings"))
        elsewhere = posted_one(me, deposit(savings))["id"]
        theirs = posted_one(someone_else, deposit(made(someone_else, asset())))["id"]

        problems = errors(reconcile(me, account_id, 0, salary, elsewhere, theirs, 999_999_999))

        keys = ["transactions.1", "transactions.2", "transactions.3"]
        assert problems == {
            key: [f"The selected {key} is invalid: this account has no such transaction."] for key in keys
        }
        assert not any(one["attributes"]["reconciled"] for one in listed(me)), "nothing is marked"

    def test_keys_show_the_index_as_it_was_sent(self, me, month):
        body = {"date": DAY, "statement_balance": 0, "transactions[8]": month[1], "transactions[5]": "999999999"}

        response = me.request("POST", f"/accounts/{month[0]}/reconcile", data=body)

        assert list(errors(response)) == ["transactions.5"]

    def test_what_comes_after_the_statement_is_refused(self, me, month):
        account_id, salary, rent, _ = month

        problems = errors(reconcile(me, account_id, 0, salary, rent, on="2024-05-02"))

        assert problems == {
            "transactions.1": ["The selected transactions.1 is invalid: its date, 2024-05-03, is after the statement."]
        }

    @pytest.mark.parametrize("make", [expense, revenue, None])
    def test_only_assets_and_liabilities_are_reconciled(self, me, make):
        account_id = made(me, make()) if make else cash_id(me)

        assert errors(reconcile(me, account_id, 0)) == {
            "id": ["Only asset accounts and liabilities can be reconciled."]
        }

    def test_an_account_of_somebody_else_is_not_there(self, me, someone_else, month):
        assert reconcile(someone_else, month[0], 0).status_code == 404
        assert someone_else.post(f"/accounts/{month[0]}/reconcile", {}).status_code == 404

    @pytest.mark.parametrize("amount", ["-1500.25", 0, "92233720368547758.07", "-92233720368547758.07"])
    def test_statements_may_say_anything_that_64_bits_hold(self, me, amount):
        account_id = made(me, asset())

        answer = reconciled(me, account_id, amount, book_difference=True)

        assert answer["statement_balance"] == answer["balance"] == Decimal(str(amount))
        assert shown(me, account_id)["current_balance"] == Decimal(str(amount))

    def test_a_difference_beyond_64_bits_is_told_but_not_booked(self, me):
        account_id = made(me, asset(opening_balance="-92233720368547758.07", opening_balance_date="2024-01-01"))
        most = "92233720368547758.07"

        assert figures(reconciled(me, account_id, most))[-1] == "184467440737095516.14"
        assert list(errors(reconcile(me, account_id, most, book_difference=True))) == ["statement_balance"]
        assert account_named(me, "Checking (reconciliation)") == []
