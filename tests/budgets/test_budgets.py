"""Budgets: what all labels do, tests/labels holds; this is what is theirs alone."""

from ..labels.making import BUDGET, a_label, asset, errors, made, recorded, withdrawn
from ..transactions.making import count_rows
from .making import a_limit


def test_every_attribute_is_shown(me):
    shown = me.post("/budgets", {"name": "Household", "active": "0"}).json()["data"]["attributes"]

    assert shown == {
        "updated_at": "2024-05-15T12:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "name": "Household",
        "active": False,
        "spent": [],
        "transactions_count": 0,
        "carry": "no",
        "auto_budget_type": "none",
        "auto_budget_amount": None,
        "auto_budget_period": None,
        "auto_budget_currency_id": None,
        "auto_budget_currency_code": None,
        "notes": None,
        "order": 1,
    }


def test_the_active_field_is_required(me):
    assert errors(me.post("/budgets", {"name": "Household"})) == {"active": ["The active field is required."]}
    assert errors(me.post("/budgets", {"active": "maybe"})) == {
        "active": ["The active field must be true or false."],
        "name": ["The name field is required."],
    }


def test_a_budget_can_be_deactivated_and_activated(me):
    budget = a_label(me, BUDGET)

    for active in (False, True):
        me.put(f"/budgets/{budget}", {"name": "Food", "active": active})
        assert me.get(f"/budgets/{budget}").json()["data"]["attributes"]["active"] is active


def test_a_budget_created_by_its_name_is_active(me):
    recorded(me, BUDGET.on(withdrawn(made(me, asset())), "Household"))

    assert me.get("/budgets").json()["data"][0]["attributes"]["active"] is True


def test_deleting_a_budget_deletes_its_limits(world, me):
    food, rent = a_label(me, BUDGET), a_label(me, BUDGET, "Rent")
    gone, kept = a_limit(me, food), a_limit(me, rent)

    assert me.delete(f"/budgets/{food}").status_code == 204

    assert me.get(f"/budget_limits/{gone}").status_code == 404
    assert me.get(f"/budget_limits/{kept}").status_code == 200
    assert count_rows(world, me, "budget_limits") == 1
