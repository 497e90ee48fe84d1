"""What a range comes to: the same figures that the books, the bills and the available budgets show by themselves."""

from decimal import Decimal

import pytest

from ..accounts.making import asset, errors, exact, made
from ..bills.making import a_bill, paid, stored
from ..charts.making import asked, some_books
from ..transactions.making import deposit, posted, withdrawal

MAY = {"start": "2024-05-01", "end": "2024-05-31"}


def summed(client, **query):
    response = client.get("/summary/basic", **query)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    return {one["key"]: one for one in exact(response)}


def values(client, **query):
    return {key: one["monetary_value"] for key, one in summed(client, **query).items()}


def test_an_empty_ledger_has_an_empty_summary(me):
    assert summed(me, **MAY) == {}


def test_the_summary_shows_what_was_spent_and_earned(me):
    account_id = made(me, asset(opening_balance="1000", opening_balance_date="2024-01-01"))
    posted(me, deposit(account_id, "250.75", date="2024-05-01"))
    posted(me, withdrawal(account_id, "100.5", date="2024-05-31"))
    posted(me, withdrawal(account_id, "3", date="2024-06-01"))

    assert values(me, **MAY) == {
        "balance-in-EUR": Decimal("150.25"),
        "spent-in-EUR": Decimal("-100.5"),
        "earned-in-EUR": Decimal("250.75"),
        "net-worth-in-EUR": Decimal("1250.75"),  # today is the 15th
    }


def test_each_figure_has_all_attributes(me):
    account_id = made(me, asset())
    posted(me, withdrawal(account_id, "1234.5", date="2024-05-02"))

    assert summed(me, **MAY)["balance-in-EUR"] == {
        "key": "balance-in-EUR",
        "title": "Balance (€)",
        "monetary_value": Decimal("-1234.5"),
        "currency_id": 1,
        "currency_code": "EUR",
        "currency_symbol": "€",
        "currency_decimal_places": 2,
        "value_parsed": "€ -1234.50",
        "local_icon": "balance-scale",
        "sub_title": "€ -1234.50 + € 0.00",
    }


@pytest.mark.parametrize(("start", "end"), [("2024-05-01", "2024-05-31"), ("2023-03-05", "2024-02-11")])
def test_the_summary_agrees_with_the_charts(me, start, end):
    some_books(me)
    found = values(me, start=start, end=end)
    flows = asked(me, "/chart/cash_flow", start=start, end=end, period="year")["data"]
    last = min(end, "2024-05-15")
    worth = asked(me, "/chart/net_worth", start=last, end=last)["data"]

    for line in flows:
        code = line["currency_code"]
        assert found[f"spent-in-{code}"] == -sum(one["spent"] for one in line["entries"])
        assert found[f"earned-in-{code}"] == sum(one["earned"] for one in line["entries"])
    assert [found[f"net-worth-in-{line['currency_code']}"] for line in worth] == [
        line["entries"][0]["amount"] for line in worth
    ]


def test_the_summary_shows_paid_and_unpaid_bills(me):
    account_id = made(me, asset())
    stored(me)
    weekly = a_bill(name="Milk", match="milk", amount_min="2", amount_max="4.01", repeat_freq="weekly")
    stored(me, weekly)
    stored(me, a_bill(name="Old", match="old", active=False))
    rent = paid(me, account_id, "2024-05-02", "810.25")
    dollars = withdrawal(made(me, asset(currency_code="USD")), "30", date="2024-05-03", bill_id=rent["bill_id"])
    dollars["transactions"][0]["currency_code"] = "USD"
    posted(me, dollars)

    found = values(me, **MAY)

    assert found["bills-paid-in-EUR"] == Decimal("810.25")
    assert found["bills-paid-in-USD"] == Decimal(30)
    # Mondays in May: the 6th, 13th, 20th and 27th, at the middle of 2 and 4.01, to the cent below.
    assert found["bills-unpaid-in-EUR"] == 4 * Decimal("3.00")


def test_the_summary_shows_what_is_left_to_spend(me):
    account_id = made(me, asset())
    for start, end, amount in (("2024-05-01", "2024-05-31", "170"), ("2024-05-20", "2024-06-20", "1000")):
        me.post("/available_budgets", {"currency_code": "EUR", "amount": amount, "start": start, "end": end})
    posted(me, withdrawal(account_id, "85", date="2024-05-02"))

    left = summed(me, **MAY)["left-to-spend-in-EUR"]

    assert left["monetary_value"] == 85
    assert left["sub_title"] == "€ 5.00 per day"  # 17 days, today among them


def test_what_is_left_to_spend_is_divided_by_the_days_of_the_available_budgets(me):
    me.post("/available_budgets", {"currency_code": "EUR", "amount": "170", **MAY})

    left = summed(me, start="2024-05-01", end="2024-06-30")["left-to-spend-in-EUR"]

    assert left["sub_title"] == "€ 10.00 per day"  # June has no available budget


def test_figures_of_other_users_are_left_out(me, someone_else):
    some_books(me)
    stored(me)

    assert summed(someone_else, **MAY) == {}


def test_both_days_are_needed(me):
    assert list(errors(me.get("/summary/basic"))) == ["start", "end"]
    assert list(errors(me.get("/summary/basic", start="2024-05-01"))) == ["end"]
    assert list(errors(me.get("/summary/basic", start="2024-05-02", end="2024-05-01"))) == ["start", "end"]
