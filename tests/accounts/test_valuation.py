"""Property, vehicles and investments are worth what their owner says, from that day on."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random

import pytest

from ..changes.test_undo import last, undone
from ..transactions.making import findings, made, posted_one, transfer
from .making import asset

FIRST = date(2024, 1, 1)


def valued(client, account_id, on, amount):
    response = client.post(f"/accounts/{account_id}/valuation", {"date": str(on), "amount": amount})
    assert response.status_code == 200, response.text
    return response.json()["data"]


def values(client, account_id):
    found = client.get(f"/accounts/{account_id}/valuation").json()["data"]
    return [(each["date"], each["amount"], each["change"]) for each in found]


def balance_on(client, account_id, on):
    return client.get(f"/accounts/{account_id}", date=str(on)).json()["data"]["attributes"]["current_balance"]


def test_a_value_holds_from_its_day_on_and_can_be_undone(world, me):
    flat = made(me, asset(name="Flat", account_role="propertyAsset"))

    shown = valued(me, flat, "2024-03-31", "300000")
    valued(me, flat, "2024-09-30", "310000.5")
    valued(me, flat, "2024-06-30", "290000")

    assert (shown["amount"], shown["change"], shown["currency_code"]) == (300000, 300000, "EUR")
    assert values(me, flat) == [
        ("2024-09-30", 310000.5, 20000.5), ("2024-06-30", 290000, -10000), ("2024-03-31", 300000, 300000)
    ]  # fmt: skip
    days = ("2024-03-30", "2024-03-31", "2024-06-30", "2024-09-29", "2024-12-31")
    assert [balance_on(me, flat, day) for day in days] == [0, 300000, 290000, 290000, 310000.5]
    undone(me, last(me))
    assert values(me, flat) == [("2024-09-30", 310000.5, 10000.5), ("2024-03-31", 300000, 300000)]
    assert me.delete(f"/accounts/{flat}/valuation?date=2024-03-31").status_code == 204
    assert me.delete(f"/accounts/{flat}/valuation?date=2024-03-31").status_code == 404
    assert values(me, flat) == [("2024-09-30", 310000.5, 310000.5)]
    assert findings(world, me) == []


def test_at_any_day_net_worth_is_the_sum_of_the_last_values(world, me):
    chance, stated = Random(7), {}
    for name, role in (("Flat", "propertyAsset"), ("Car", "vehicleAsset"), ("Fund", "investmentAsset")):
        stated[made(me, asset(name=name, account_role=role))] = {}
    for _ in range(40):
        account_id, day = chance.choice([*stated]), FIRST + timedelta(chance.randrange(120))
        if day in stated[account_id] and chance.random() < 0.5:
            del stated[account_id][day]
            assert me.delete(f"/accounts/{account_id}/valuation?date={day}").status_code == 204
        else:
            stated[account_id][day] = Decimal(chance.randrange(1, 10**8)) / 100
            valued(me, account_id, day, str(stated[account_id][day]))

    last_on = FIRST + timedelta(120)
    report = me.get("/chart/net_worth", start=str(FIRST), end=str(last_on), period="day").json()
    totals = {each["date"]: Decimal(str(each["amount"])) for each in report["data"][0]["entries"]}

    days = [FIRST + timedelta(at) for at in range(121)]
    assert totals == {str(day): sum(value_on(of, day) for of in stated.values()) for day in days}
    assert findings(world, me) == []


def value_on(values_by_day, day):
    return max(((on, value) for on, value in values_by_day.items() if on <= day), default=(day, 0))[1]


def test_what_is_paid_in_after_a_value_adds_to_it_until_the_next(me):
    checking, fund = made(me, asset()), made(me, asset(name="Fund", account_role="investmentAsset"))
    valued(me, fund, "2024-01-31", "1000")
    posted_one(me, transfer(checking, fund, "500", date="2024-02-10"))
    valued(me, fund, "2024-02-29", "1480")

    assert [balance_on(me, fund, day) for day in ("2024-02-09", "2024-02-10", "2024-02-29")] == [1000, 1500, 1480]
    assert values(me, fund)[0] == ("2024-02-29", 1480, -20)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"date", "amount"}),
        ({"date": "2024-02-30", "amount": "much"}, {"date", "amount"}),
        ({"date": "2023-12-31", "amount": "1"}, {"date"}),
        ({"date": "2024-02-01", "amount": "1.234"}, {"amount"}),
    ],
)
def test_each_wrong_field_is_named(me, body, fields):
    opened = {"opening_balance": "5", "opening_balance_date": "2024-01-01"}
    flat = made(me, asset(name="Flat", account_role="propertyAsset", **opened))
    response = me.post(f"/accounts/{flat}/valuation", body)
    assert (response.status_code, set(response.json()["errors"])) == (422, fields)


def test_other_accounts_are_not_valued(me):
    response = me.post(f"/accounts/{made(me, asset())}/valuation", {"date": "2024-02-01", "amount": "1"})
    assert (response.status_code, set(response.json()["errors"])) == (422, {"id"})
