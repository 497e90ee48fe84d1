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
