"""Money moves from one budget to another in one change, and none of it is lost."""

import pytest

from ..changes.test_undo import last, seen, undone
from ..labels.making import BUDGET, a_label, errors
from .making import a_limit
from .test_months import limited, months, row


def moved(client, **body):
    return client.post("/budgets/move_money", {"month": "2024-05", **body})


def test_money_moves_between_limits_and_to_what_is_not_budgeted(me):
    food, fun = a_label(me, BUDGET, "Food"), a_label(me, BUDGET, "Fun")
    limited(me, food, "2024-05", "100.50")
    before, change = seen(me), last(me)

    assert moved(me, **{"from": food, "to": fun, "amount": "40.25"}).json()["data"] == {
        "from_limit": 60.25,
        "to_limit": 40.25,
    }
    assert last(me)["attributes"]["undoes"] is None
    undone(me)
    assert (seen(me), last(me)["id"] != change["id"]) == (before, True)

    assert moved(me, **{"from": food, "to": fun, "amount": "100.5"}).json()["data"]["from_limit"] == 0
    assert moved(me, to=food, amount="7").json()["data"] == {"from_limit": None, "to_limit": 7}
    assert moved(me, **{"from": fun, "amount": "0.5"}).json()["data"] == {"from_limit": 100, "to_limit": None}
    found = months(me, start="2024-05-01", months=1)
    assert [row(found, name)[0][0] for name in ("Food", "Fun")] == [7, 100]


def test_a_move_that_cannot_be_made_names_why_and_changes_nothing(me, someone_else):
    food, fun = a_label(me, BUDGET, "Food"), a_label(me, BUDGET, "Fun")
    limited(me, food, "2024-05", "100")
    a_limit(me, fun, amount="5", start_date="2024-05-10", end_date="2024-06-20")
    other = a_label(someone_else, BUDGET, "Food")
    before = seen(me)

    for body, wrong in (
        ({}, ["amount", "month", "to"]),
        ({"from": food, "to": food, "amount": "1", "month": "2024-05"}, ["to"]),
        ({"from": food, "to": other, "amount": "1", "month": "2024-05"}, ["to"]),
        ({"from": food, "amount": "100.01", "month": "2024-05"}, ["amount"]),
        ({"from": food, "to": fun, "amount": "1", "month": "2024-05"}, ["to"]),
        ({"from": food, "amount": "1", "month": "2024-05", "currency_code": "USD"}, ["amount"]),
        ({"to": food, "amount": "0.001", "month": "May"}, ["amount", "month"]),
    ):
        assert sorted(errors(me.post("/budgets/move_money", body))) == wrong
    assert seen(me) == before


@pytest.mark.any_database
def test_no_limit_overflows(me):
    food = a_label(me, BUDGET, "Food")
    most = "90000000000000000"
    assert moved(me, to=food, amount=most).status_code == 200
    assert list(errors(moved(me, to=food, amount=most))) == ["amount"]


def test_money_carried_over_moves_and_every_figure_follows(me):
    food, fun = a_label(me, BUDGET, "Food", carry="yes"), a_label(me, BUDGET, "Fun")
    for budget, month, amount in ((food, "2024-04", "100"), (food, "2024-05", "30"), (fun, "2024-05", "5")):
        limited(me, budget, month, amount)
    me.post("/available_budgets", {"amount": "200", "start_date": "2024-05-01", "end_date": "2024-05-31"})
    before, pool = seen(me), _totals(me)

    assert errors(moved(me, **{"from": food, "amount": "130.01"}))["amount"] == [
        "The amount must be at most EUR 130.00, the budget's limit in this month and what it carried over."
    ]
    assert moved(me, **{"from": food, "to": fun, "amount": "70"}).json()["data"] == {"from_limit": 0, "to_limit": 75}

    month = _month(me, "Food", 0)
    assert [month[name] for name in ("limit", "carried", "released", "left")] == [0, 60, 40, 60]
    assert _month(me, "Food", 1)["carried"] == 60
    assert _totals(me) == pool
    undone(me)
    assert seen(me) == before


def test_money_given_back_is_carried_over_again(me):
    food, fun = a_label(me, BUDGET, "Food", carry="yes"), a_label(me, BUDGET, "Fun")
    limited(me, food, "2024-04", "100")
    moved(me, **{"from": food, "to": fun, "amount": "60"})

    assert moved(me, **{"from": fun, "to": food, "amount": "60"}).json()["data"] == {"from_limit": 0, "to_limit": 0}

    month = _month(me, "Food", 0)
    assert [month[name] for name in ("limit", "carried", "released")] == [0, 100, 0]
    assert moved(me, **{"from": food, "amount": "40"}).status_code == 200
    assert (_month(me, "Food", 1)["carried"], _totals(me)[0]) == (60, 60)
    quarter = me.get("/reports/budgets", start="2024-04-01", end="2024-06-30", period="quarter").json()["data"][0]
    assert [quarter["amounts"][0][part]["left"] for part in ("total",)] == [60]
    assert me.delete(f"/budgets/{food}").status_code == 204


def _month(client, name, index):
    [budget] = [one for one in months(client, start="2024-05-01", months=2)["budgets"] if one["name"] == name]
    return budget["months"][index]


def _totals(client):
    """Returns what is left, and what can still be budgeted; the page and the overview agree on both."""
    total = months(client, start="2024-05-01", months=1)["totals"][0]
    [left] = client.get("/budgets/left_to_spend", start="2024-05-01", end="2024-05-31").json()["data"]
    assert left["left"] == total["left_to_spend"]
    if left["to_budget"] is not None:
        assert left["to_budget"] == total["to_budget"]
    return left["left"], total["to_budget"]
