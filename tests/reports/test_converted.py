"""Reports in one currency: each part at the rate of its last day; what has no rate stays as it is, and is named."""

import csv
from typing import Any

import pytest

from ..accounts.making import asset, errors, exact, made
from ..conftest import Client
from ..exchange_rates.making import a_rate
from ..transactions.making import a_transaction, posted, split

DAYS = {"start": "2024-04-01", "end": "2024-05-31", "period": "month"}


@pytest.fixture
def travelled(me: Client) -> Client:
    """Spent: 10 euros in April, 20 dollars in each month, 300 yen in May; earned: 5 dollars in May."""
    own = {
        code: made(me, asset(name=code, currency_code=code, opening_balance="1000", opening_balance_date="2024-03-01"))
        for code in ("EUR", "USD", "JPY")
    }
    for code, amount, on, what in (
        ("EUR", "10", "2024-04-02", "Food"), ("USD", "20", "2024-04-03", "Food"), ("USD", "20", "2024-05-03", "Fun"),
        ("JPY", "300", "2024-05-04", "Fun"),
    ):  # fmt: skip
        out = split(source_id=own[code], amount=amount, currency_code=code, destination_name="Shop", category_name=what)
        posted(me, a_transaction("withdrawal", out, date=on))
    in_ = split(destination_id=own["USD"], amount="5", currency_code="USD", source_name="Bank")
    posted(me, a_transaction("deposit", in_, date="2024-05-05"))
    a_rate(me, "USD", "EUR", "2024-03-01", "0.5")
    a_rate(me, "USD", "EUR", "2024-05-10", "0.75")
    return me


def asked(client: Client, name: str, **query: Any) -> Any:
    response = client.get(f"/reports/{name}", convert="1", **query)
    assert response.status_code == 200, response.text
    return exact(response)


def test_a_breakdown_names_the_days_of_its_rates_and_adds_up(travelled: Client) -> None:
    found = asked(travelled, "breakdown", by="category", **DAYS)

    rows = {row["name"]: {one["currency_code"]: one["parts"] for one in row["amounts"]} for row in found["data"]}
    assert rows == {"Food": {"EUR": [20, 0]}, "Fun": {"EUR": [0, 15], "JPY": [0, 300]}}
    assert {one["currency_code"]: one["parts"] for one in found["totals"]} == {"EUR": [20, 15], "JPY": [0, 300]}
    assert found["meta"]["converted"] == {
        "currency_id": 1, "currency_code": "EUR", "rates": [{"currency_code": "USD", "date": "2024-03-01"}],
        "missing": ["JPY"],
    }  # fmt: skip


def test_all_other_reports_are_converted_too(travelled: Client) -> None:
    days = {"start": DAYS["start"], "end": DAYS["end"]}
    income, *_ = asked(travelled, "income_expense", **DAYS)["data"]
    assert (income["total"]["income"], income["total"]["expense"]) == (3.75, 35)
    worth, yen = asked(travelled, "net_worth", **DAYS)["data"]
    assert (worth["total"], yen["currency_code"]) == ([990 + 490, 990 + 965 * 3 / 4], "JPY")
    flow, *_ = asked(travelled, "cash_flow", **days)["data"]
    assert flow["nodes"][0]["amount"] == 10 + 40 * 3 / 4
    totals, *_ = asked(travelled, "totals", **days)["data"]
    assert (totals["out"], totals["in"]) == (40, 3.75)
    [without] = asked(travelled, "budgets", **DAYS)["data"]
    assert without["amounts"][0]["total"]["spent"] == 35


def test_a_currency_without_a_rate_in_a_compared_range_is_converted_in_neither(travelled: Client) -> None:
    in_may = {"start": "2024-05-01", "end": "2024-05-31", "compare": "year_ago"}
    before = split(source_id=made(travelled, asset(name="Old", currency_code="USD")), amount="7", currency_code="USD")
    posted(travelled, a_transaction("withdrawal", {**before, "destination_name": "Shop"}, date="2023-05-03"))

    found = asked(travelled, "breakdown", by="payee", **in_may)
    figures = {one["currency_code"]: (one["total"], one["compared"]["year_ago"]["total"]) for one in found["totals"]}
    income = {one["currency_code"]: one for one in asked(travelled, "income_expense", **in_may)["data"]}

    assert figures == {"USD": (20, 7), "JPY": (300, 0)}
    assert (found["meta"]["converted"]["rates"], found["meta"]["converted"]["missing"]) == ([], ["USD", "JPY"])
    assert (income["USD"]["total"]["expense"], income["USD"]["total"]["income"]) == (20, 5)


def test_a_table_names_the_rates_too(travelled: Client) -> None:
    found = list(csv.DictReader(travelled.get("/reports/totals", convert="1", format="csv").text.splitlines()))

    assert {(one["rates"], one["not_converted"]) for one in found} == {("USD 2024-05-10", "JPY")}
    plain = travelled.get("/reports/totals", format="csv").text.splitlines()[0]
    assert "rates" not in plain


def test_the_net_worth_before_the_range_is_converted_at_its_own_day_or_left_out(travelled: Client) -> None:
    worth, yen = asked(travelled, "net_worth", start="2024-05-01", end="2024-05-31")["data"]
    assert (worth["opening"], yen["opening"]) == (990 + 980 * 0.5, 1000)
    worth, _ = asked(travelled, "net_worth", start="2024-03-01", end="2024-05-31")["data"]
    assert (worth["opening"], worth["total"][0]) == (0, 1500)
    made(travelled, asset(name="Older", currency_code="USD", opening_balance="1", opening_balance_date="2024-01-01"))
    worth, _ = asked(travelled, "net_worth", start="2024-03-01", end="2024-05-31")["data"]
    assert (worth["opening"], worth["total"][0]) == (None, 1500.5)


def test_without_a_rate_nothing_changes_and_an_unknown_currency_is_refused(travelled: Client) -> None:
    found = asked(travelled, "breakdown", by="category", start="2024-02-01", end="2024-02-29")
    assert (found["data"], found["meta"]["converted"]["missing"]) == ([], [])
    assert "convert" in errors(travelled.get("/reports/totals", convert="XYZ"))
