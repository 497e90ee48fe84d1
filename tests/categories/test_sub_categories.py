"""A category may stand under another, one level deep, and bring a budget along."""

import pytest

from ..changes.test_undo import seen, undone
from ..labels.making import BUDGET, CATEGORY, a_label, amounts, asset, attributes, errors, made, named, recorded
from ..labels.making import withdrawn as spent
from ..recurrences import making as recurrences
from ..rules import making as rules
from ..transactions.making import deposit, listed, posted_one


def test_a_category_stands_under_another_and_counts_alone(me):
    food = a_label(me, CATEGORY, "Food")
    bread = a_label(me, CATEGORY, "Bread", parent_id=food)
    recorded(me, CATEGORY.on(spent(made(me, asset()), "4"), "Bread"))

    assert attributes(me, CATEGORY, bread)["parent_id"] == int(food)
    assert attributes(me, CATEGORY, food)["spent"] == []
    assert amounts(attributes(me, CATEGORY, bread)["spent"]) == {"EUR": "4"}


def test_a_change_that_leaves_the_ids_out_keeps_them_and_null_empties_them(me):
    food, daily = a_label(me, CATEGORY, "Food"), a_label(me, BUDGET, "Daily")
    bread = a_label(me, CATEGORY, "Bread", parent_id=food, budget_id=daily)

    me.put(f"/categories/{bread}", {"name": "Rolls"})
    kept = attributes(me, CATEGORY, bread)
    me.put(f"/categories/{bread}", {"name": "Rolls", "parent_id": None, "budget_id": None})
    emptied = attributes(me, CATEGORY, bread)

    assert (kept["parent_id"], kept["budget_id"]) == (int(food), int(daily))
    assert (emptied["parent_id"], emptied["budget_id"]) == (None, None)


def test_there_is_one_level_and_what_is_named_must_be_there(me, someone_else):
    food, car = a_label(me, CATEGORY, "Food"), a_label(me, CATEGORY, "Car")
    bread = a_label(me, CATEGORY, "Bread", parent_id=food)
    strange = a_label(someone_else, CATEGORY, "Strange"), a_label(someone_else, BUDGET, "Strange")

    def parent_error(category_id, parent_id):
        [sentence] = errors(me.put(f"/categories/{category_id}", {"name": "New", "parent_id": parent_id}))["parent_id"]
        return sentence

    assert parent_error(food, food) == "The parent id is invalid: a category cannot be its own parent."
    assert "“Bread” is a sub-category" in parent_error(car, bread)
    assert "this category has sub-categories" in parent_error(food, car)
    assert "there is no such category" in parent_error(car, strange[0])
    wrong = errors(me.post("/categories", {"parent_id": 999999, "budget_id": strange[1]}))
    assert sorted(wrong) == ["budget_id", "name", "parent_id"]


def test_deleting_a_parent_or_a_budget_frees_the_categories_and_undo_brings_all_back(me):
    food, daily = a_label(me, CATEGORY, "Food"), a_label(me, BUDGET, "Daily")
    bread = a_label(me, CATEGORY, "Bread", parent_id=food, budget_id=daily)
    before = seen(me)

    for path, column in ((f"/categories/{food}", "parent_id"), (f"/budgets/{daily}", "budget_id")):
        assert me.delete(path).status_code == 204
        assert attributes(me, CATEGORY, bread)[column] is None
        undone(me)
        assert seen(me) == before


def test_a_new_category_with_sub_categories_is_not_undone(me):
    food = a_label(me, CATEGORY, "Food")
    change = me.get("/changes", limit=1).json()["data"][0]
    a_label(me, CATEGORY, "Bread", parent_id=food)

    answer = me.post(f"/changes/{change['id']}/undo")

    assert (answer.status_code, "“Bread”" in answer.json()["message"]) == (409, True)


@pytest.fixture
def fed(me):
    """Food comes with the budget Daily; the ids of an account, the category and the budget."""
    daily = a_label(me, BUDGET, "Daily")
    return made(me, asset()), a_label(me, CATEGORY, "Food", budget_id=daily), daily


def _budgets(me):
    return [one["attributes"]["budget_name"] for one in listed(me)]


def test_a_withdrawal_gets_the_budget_of_its_category_unless_it_names_one(me, fed):
    checking, food, _ = fed
    a_label(me, CATEGORY, "Other")

    recorded(me, CATEGORY.on(spent(checking, on="2024-05-01"), "Food"))
    recorded(me, BUDGET.on(CATEGORY.on(spent(checking, on="2024-05-02"), "Food"), "Treats"))
    recorded(me, CATEGORY.on(spent(checking, on="2024-05-03"), "Other"))
    posted_one(me, CATEGORY.on(deposit(checking, date="2024-05-04"), "Food"))
    rules.stored(me, rules.a_rule())
    recorded(me, {**spent(checking, on="2024-05-05"), "description": "groceries"})
    recurring = recurrences.a_recurrence(checking, transactions=[recurrences.a_split(checking, category_id=food)])
    recurrences.fired(me, "2024-06-01", recurrences.stored(me, recurring)["id"])

    assert _budgets(me) == ["Daily", "Daily", None, None, "Treats", "Daily"]


def test_a_changed_withdrawal_gets_it_only_with_another_category(me, fed):
    checking, _, _ = fed
    [split_id] = recorded(me, CATEGORY.on(spent(checking), "Food"))

    me.put(f"/transactions/{split_id}", CATEGORY.on(spent(checking), "Food"))
    assert _budgets(me) == [None]

    me.put(f"/transactions/{split_id}", CATEGORY.on(spent(checking), None))
    me.put(f"/transactions/{split_id}", CATEGORY.on(spent(checking), "Food"))
    assert _budgets(me) == ["Daily"]


def test_many_that_get_a_category_at_once_get_its_budget_where_they_have_none(world, me, fed):
    checking, _, _ = fed
    ids = [
        *recorded(me, spent(checking, on="2024-05-01")),
        *recorded(me, BUDGET.on(spent(checking, on="2024-05-02"), "Treats")),
        posted_one(me, deposit(checking, date="2024-05-03"))["id"],
    ]
    before = seen(me)

    answer = me.put("/transactions/bulk", {"ids": ids, "category_name": "Food"})

    assert answer.status_code == 200, answer.text
    assert _budgets(me) == [None, "Treats", "Daily"]
    assert named(me, CATEGORY, "Food")["transactions_count"] == 3
    undone(me)
    assert seen(me) == before
