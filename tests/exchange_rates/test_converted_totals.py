"""Converted totals beside the exact ones: summary, net worth and cash flow."""

from decimal import Decimal
from typing import Any

import pytest

from ..accounts.making import asset, errors, exact, made
from ..conftest import Client
from ..transactions.making import a_transaction, posted, split
from .making import a_rate

MAY = {"start": "2024-05-01", "end": "2024-05-31"}


@pytest.fixture
def travelled(me: Client) -> Client:
    """100 euros, 200 dollars and 1000 yen; 50 dollars were spent."""
    for code, amount in (("EUR", "100"), ("USD", "250"), ("JPY", "1000")):
        account = made(
            me, asset(name=code, currency_code=code, opening_balance=amount, opening_balance_date="2024-04-30")
        )
        if code == "USD":
            out = split(source_id=account, amount="50", currency_code="USD", destination_name="Hotel")
            in_ = split(destination_id=account, amount="10", currency_code="USD", source_name="Bank")
            posted(me, a_transaction("withdrawal", out, date="2024-05-02"))
            posted(me, a_transaction("deposit", in_, date="2024-05-20"))
    a_rate(me, "USD", "EUR", "2024-05-01", "0.5")
    a_rate(me, "USD", "EUR", "2024-05-10", "0.75")
    return me


def asked(client: Client, path: str, **query: Any) -> Any:
    response = client.get(path, **query)
    assert response.status_code == 200, response.text
    return exact(response)


def test_net_worth_is_converted_at_the_rate_of_each_day(travelled: Client) -> None:
    range_ = {"start": "2024-04-30", "end": "2024-05-15", "period": "day"}
    plain, found = (asked(travelled, "/chart/net_worth", **range_, **more) for more in ({}, {"convert": "1"}))

    converted = found.pop("converted")
    assert found == plain
    assert converted["currency_code"] == "EUR"
    entries = {one.pop("date"): one for one in converted["entries"]}
    assert entries["2024-04-30"] == {"amount": 100, "rate_date": None, "missing": ["USD", "JPY"]}
    assert entries["2024-05-09"] == {"amount": 200, "rate_date": "2024-05-01", "missing": ["JPY"]}
    assert entries["2024-05-15"] == {"amount": 250, "rate_date": "2024-05-10", "missing": ["JPY"]}


def test_cash_flow_is_converted_at_the_rate_of_the_last_day_of_each_part(travelled: Client) -> None:
    plain, found = (
        asked(travelled, "/chart/cash_flow", **MAY, period="month", **more) for more in ({}, {"convert": "eur"})
    )

    converted = found.pop("converted")
    assert found == plain
    assert converted["entries"] == [
        {**MAY, "spent": Decimal("37.5"), "earned": Decimal("7.5"), "rate_date": "2024-05-10", "missing": []}
    ]


def test_the_figures_of_a_summary_are_converted_and_name_what_is_missing(travelled: Client) -> None:
    plain, found = (asked(travelled, "/summary/basic", **MAY, **more) for more in ({}, {"convert": "1"}))

    added = {one["key"]: one for one in found[len(plain) :]}
    assert found[: len(plain)] == plain
    worth, spent = added["net-worth-converted-to-EUR"], added["spent-converted-to-EUR"]
    assert (worth["monetary_value"], worth["rate_date"], worth["missing"]) == (250, "2024-05-10", ["JPY"])
    assert (worth["title"], worth["value_parsed"]) == ("Net worth, converted (€)", "€ 250.00")
    assert (spent["monetary_value"], spent["missing"]) == (Decimal("-37.5"), [])


def test_an_unknown_currency_is_refused_and_nothing_asked_changes_nothing(travelled: Client) -> None:
    for path in ("/summary/basic", "/chart/net_worth", "/chart/cash_flow"):
        assert errors(travelled.get(path, **MAY, convert="XXY")).keys() == {"convert"}
        assert travelled.get(path, **MAY, convert="").content == travelled.get(path, **MAY).content
