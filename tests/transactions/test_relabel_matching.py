"""All transactions that match a filter get other labels, however many pages they fill."""

import pytest

from farthing.ledger.kinds import Type
from farthing.overviews.search.find import find_all
from farthing.overviews.search.narrowing import SearchFilter

from ..labels.making import CATEGORY, amounts, named
from .making import a_transaction, asset, deposit, errors, findings, listed, made, posted, posted_one, split, withdrawal


@pytest.fixture
def account_id(me):
    return made(me, asset(opening_balance="100", opening_balance_date="2024-01-01"))


def relabelled(client, filters, **fields):
    response = client.put("/transactions/matching", fields, params=filters)
    assert response.status_code == 200, response.text
    data = response.json()["data"]
    assert (data.pop("in_background"), data.pop("run_id")) == (False, None)
    return data


def refused(client, filters, **fields):
    return errors(client.put("/transactions/matching", fields, params=filters))


def test_all_that_match_change_together_and_are_undone_together(world, me, account_id):
    for day in range(1, 6):
        posted(me, withdrawal(account_id, "10", date=f"2024-05-0{day}", description=f"Bakery {day}"))
    posted(me, withdrawal(account_id, "10", description="Rent"))

    assert relabelled(me, {"query": "bakery"}, category_name="Food", add_tags="daily") == {"changed": 5, "left_out": 0}
    assert amounts(named(me, CATEGORY, "Food")["spent"]) == {"EUR": "50"}
    assert findings(world, me) == []

    [latest, *_] = me.get("/changes").json()["data"]
    assert me.post(f"/changes/{latest['id']}/undo", {}).status_code == 200
    assert {one["attributes"]["category_name"] for one in listed(me)} == {None}
    assert findings(world, me) == []


def test_only_the_splits_that_match_change(me, account_id):
    splits = [
        split(source_id=account_id, description=text, category_name=text, amount=amount)
        for text, amount in (("Bread", "10"), ("Shoes", "50"))
    ]
    shown = posted(me, a_transaction("withdrawal", *splits))
    bread = shown[0]["attributes"]["category_id"]

    assert relabelled(me, {"category_id": bread}, category_name="Food") == {"changed": 1, "left_out": 0}
    dear = {"amount_min": "40", "amount_max": "60"}
    assert relabelled(me, dear, budget_name="Clothes") == {"changed": 1, "left_out": 0}

    now = [one["attributes"] for one in me.get(f"/transactions/{shown[0]['id']}").json()["data"]]
    assert [(one["category_name"], one["budget_name"]) for one in now] == [("Food", None), ("Shoes", "Clothes")]


def test_what_cannot_have_the_label_is_left_out_and_counted(me, account_id):
    posted_one(me, withdrawal(account_id))
    posted_one(me, deposit(account_id))
    filters = {"account_id": account_id}

    assert relabelled(me, filters, category_name="Any") == {"changed": 2, "left_out": 1}
    assert relabelled(me, filters, budget_name="Home") == {"changed": 1, "left_out": 2}
    assert relabelled(me, {"query": "nothing"}, category_name="Any") == {"changed": 0, "left_out": 0}
    days = {"start": "2024-05-01", "end": "2024-05-31"}
    assert relabelled(me, days, tags="may") == {"changed": 2, "left_out": 0}


def test_too_many_are_noticed_without_reading_all_of_them(world, me, account_id):
    for day in range(1, 5):
        posted_one(me, withdrawal(account_id, date=f"2024-05-0{day}"))
    filters = SearchFilter(types=frozenset({Type.WITHDRAWAL}))

    with world.books.reading() as db:
        found = [find_all(db, me.user.id, [], filters, looked_at_max=most) for most in (2, 4)]

    assert (found[0], len(found[1] or [])) == (None, 4)


def test_it_needs_a_filter_and_something_to_change(me, account_id):
    assert list(refused(me, {}, category_name="Food")) == ["query"]
    assert list(refused(me, {"account_id": account_id})) == ["category_name"]
    assert list(refused(me, {"account_id": account_id}, category_id=999)) == ["category_id"]
    assert list(refused(me, {"account_id": "x"}, category_name="Food")) == ["account_id"]
