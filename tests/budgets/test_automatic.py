"""Budgets that repeat get one limit in each period: at once, then by the job process, whatever is undone meanwhile."""

from datetime import date, timedelta

import pytest

from farthing.jobs.budgeting import Budgeter

from ..changes.test_undo import last, undone
from ..labels.making import BUDGET, a_label, errors
from ..transactions.making import findings
from .making import a_limit
from .test_months import months, row

MONTHLY = {"auto_budget_type": "reset", "auto_budget_amount": "100", "auto_budget_period": "monthly"}


def limits(client, budget_id):
    """The periods and amounts of all limits."""
    shown = [one["attributes"] for one in client.get("/budget_limits", budget_id=budget_id, limit=500).json()["data"]]
    return [(one["start_date"], one["end_date"], one["amount"]) for one in shown]


def allot(world, client):
    """How many limits the job process makes for this user; the others share its database."""
    before = client.get("/budget_limits", limit=500).json()["meta"]["pagination"]["total"]
    Budgeter(world.books, world.time.clock()).turn()
    return client.get("/budget_limits", limit=500).json()["meta"]["pagination"]["total"] - before


def _later(world, **delta):
    world.time.now += timedelta(**delta)


def test_a_limit_is_made_at_once_and_then_in_each_month_exactly_once(world, me):
    food = a_label(me, BUDGET, "Food", **MONTHLY)

    assert limits(me, food) == [("2024-05-01", "2024-05-31", "100.00")]
    assert allot(world, me) == 0
    _later(world, days=50)
    assert [allot(world, me), allot(world, me)] == [2, 0]
    assert [start for start, *_ in limits(me, food)] == ["2024-05-01", "2024-06-01", "2024-07-01"]
    assert findings(world, me) == []


def test_an_undo_takes_the_limits_back_and_they_are_not_made_again(world, me):
    food = a_label(me, BUDGET, "Food", **MONTHLY)
    _later(world, days=31)
    allot(world, me)

    undone(me)

    assert [len(limits(me, food)), allot(world, me)] == [1, 0]
    me.put(f"/budgets/{food}", {"name": "Meals", "active": True})
    renamed = last(me)
    _later(world, days=31)
    allot(world, me)
    undone(me, renamed)
    assert [start for start, *_ in limits(me, food)] == ["2024-05-01", "2024-07-01"]
    assert allot(world, me) == 0


def test_limits_that_are_there_stay_and_a_pause_is_not_caught_up(world, me):
    food = a_label(me, BUDGET, "Food")
    a_limit(me, food, amount="7", start_date="2024-05-10", end_date="2024-05-12")
    me.put(f"/budgets/{food}", {"name": "Food", "active": True, **MONTHLY})
    assert [amount for *_, amount in limits(me, food)] == ["7.00"]

    me.put(f"/budgets/{food}", {"name": "Food", "active": False})
    _later(world, days=70)
    assert allot(world, me) == 0
    me.put(f"/budgets/{food}", {"name": "Food", "active": True})

    assert [start for start, *_ in limits(me, food)] == ["2024-05-10", "2024-07-01"]
    me.put(f"/budgets/{food}", {"name": "Food", "active": True, "auto_budget_type": "none"})
    _later(world, days=70)
    assert allot(world, me) == 0


def test_what_is_left_rolls_over(world, me):
    food = a_label(me, BUDGET, "Food", **{**MONTHLY, "auto_budget_type": "rollover"})
    shown = me.get(f"/budgets/{food}").json()["data"]["attributes"]
    assert [shown["carry"], shown["auto_budget_type"]] == ["yes", "rollover"]
    _later(world, days=31)
    allot(world, me)

    assert row(months(me, start="2024-05-01", months=2)) == [(100, 0, 0, 100), (100, 100, 0, 200)]
    me.put(f"/budgets/{food}", {"name": "Food", "active": True, **MONTHLY})
    shown = me.get(f"/budgets/{food}").json()["data"]["attributes"]
    assert [shown["carry"], shown["auto_budget_type"], shown["auto_budget_amount"]] == ["no", "reset", "100.00"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("period", "start", "end"),
    [("daily", "2024-05-15", "2024-05-15"), ("weekly", "2024-05-13", "2024-05-19"),
     ("quarterly", "2024-04-01", "2024-06-30"), ("half-year", "2024-01-01", "2024-06-30"),
     ("yearly", "2024-01-01", "2024-12-31")],
)  # fmt: skip
def test_periods_follow_the_calendar(me, period, start, end):
    food = a_label(me, BUDGET, "Food", **{**MONTHLY, "auto_budget_period": period})

    assert limits(me, food) == [(start, end, "100.00")]
    assert date.fromisoformat(start) <= date(2024, 5, 15) <= date.fromisoformat(end)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("sent", "wrong"),
    [({"auto_budget_type": "reset"}, ["auto_budget_amount", "auto_budget_period"]),
     ({"auto_budget_amount": "5"}, ["auto_budget_type", "auto_budget_period"]),
     ({**MONTHLY, "auto_budget_amount": "0.001"}, ["auto_budget_amount"]),
     ({**MONTHLY, "auto_budget_currency_code": "XYZ"}, ["auto_budget_currency_code"]),
     ({**MONTHLY, "auto_budget_type": "rollover", "carry": "no"}, ["carry"]),
     ({**MONTHLY, "carry": "yes"}, ["carry"])],
)  # fmt: skip
def test_what_does_not_make_sense_is_refused(me, sent, wrong):
    assert list(errors(me.post("/budgets", {"name": "Food", "active": True, **sent}))) == wrong
