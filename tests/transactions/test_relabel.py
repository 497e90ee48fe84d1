"""Many transactions get other labels: all or none, as one change, and every kept sum follows."""

import pytest

from ..labels.making import BUDGET, CATEGORY, TAG, a_label, amounts, named
from ..transactions.making import (
    a_transaction,
    asset,
    deposit,
    errors,
    findings,
    made,
    posted,
    posted_one,
    split,
    transfer,
    withdrawal,
)  # fmt: skip


def relabelled(client, ids, **fields):
    response = client.put("/transactions/bulk", {"ids": ids, **fields})
    assert response.status_code == 200, response.text
    return [one["attributes"] for one in response.json()["data"]]


def refused(client, ids, **fields):
    return errors(client.put("/transactions/bulk", {"ids": ids, **fields}))


def now(client, split_id):
    shown = client.get(f"/transactions/{split_id}").json()["data"]
    return next(one["attributes"] for one in shown if one["id"] == split_id)


@pytest.fixture
def account_id(me):
    return made(me, asset())


def test_category_budget_and_tags_at_once(world, me, account_id):
    ids = [posted_one(me, withdrawal(account_id, "10", date=f"2024-05-0{day}"))["id"] for day in (1, 2, 3)]
    food, home = a_label(me, CATEGORY, "Food"), a_label(me, BUDGET, "Home")

    shown = relabelled(me, ids[:2], category_id=food, budget_name="HOME", tags="sea,sun")

    assert [(one["category_name"], one["budget_name"], one["tags"]) for one in shown] == [
        ("Food", "Home", "sea,sun")
    ] * 2
    assert now(me, ids[2])["category_id"] is None
    assert amounts(named(me, CATEGORY, "Food")["spent"]) == {"EUR": "20"}
    assert amounts(named(me, BUDGET, "Home")["spent"]) == {"EUR": "20"}
    assert (named(me, TAG, "sun")["transactions_count"], named(me, BUDGET, "Home")["id"]) == (2, home)
    assert findings(world, me) == []


def test_what_is_left_out_stays_and_what_is_empty_goes(world, me, account_id):
    one = split(source_id=account_id, category_name="Food", budget_name="Home")
    split_id = posted(me, a_transaction("withdrawal", one, tags="sea"))[0]["id"]

    relabelled(me, [split_id], category_name="Car")
    assert [now(me, split_id)[name] for name in ("category_name", "budget_name", "tags")] == ["Car", "Home", "sea"]

    relabelled(me, [split_id], category_id=None, budget_name="")
    assert [now(me, split_id)[name] for name in ("category_name", "budget_name", "tags")] == [None, None, "sea"]

    relabelled(me, [split_id], tags=[])
    assert now(me, split_id)["tags"] is None
    assert named(me, CATEGORY, "Food")["spent"] == named(me, CATEGORY, "Car")["spent"] == []
    assert findings(world, me) == []


def test_tags_that_come_and_tags_that_go(world, me, account_id):
    ids = [posted_one(me, withdrawal(account_id, tags=tags))["id"] for tags in ("a,b", "b", None)]

    relabelled(me, ids, add_tags="C,b", remove_tags=["A", "nobody has it"])

    assert [now(me, one)["tags"] for one in ids] == ["b,C", "b,C", "C,b"]
    assert named(me, TAG, "a")["transactions_count"] == 0
    assert named(me, TAG, "b")["transactions_count"] == 3
    assert findings(world, me) == []


def test_labels_are_of_the_split_that_was_named_and_tags_of_the_whole(world, me, account_id):
    halves = [split(source_id=account_id, description=text, amount="5") for text in ("half", "other")]
    first, second = (one["id"] for one in posted(me, a_transaction("withdrawal", *halves)))

    shown = relabelled(me, [second], category_name="Food", add_tags="sea")

    assert [(one["category_name"], one["tags"]) for one in shown] == [(None, "sea"), ("Food", "sea")]
    assert now(me, first)["category_id"] is None
    assert amounts(named(me, CATEGORY, "Food")["spent"]) == {"EUR": "5"}
    assert findings(world, me) == []


def test_it_is_undone_as_one_change(world, me, account_id):
    body = {"tags": "a", "transactions": [split(source_id=account_id, category_name="Food")]}
    ids = [posted_one(me, withdrawal(account_id, **body))["id"] for _ in range(3)]
    before = [now(me, one) for one in ids]
    relabelled(me, ids, category_name="New", add_tags="b", remove_tags="a")

    change = me.get("/changes", limit=1).json()["data"][0]
    assert change["attributes"]["summary"] == "Made 1 category and 1 tag; changed 3 transactions"
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200

    assert [now(me, one) for one in ids] == before
    assert [one["attributes"]["name"] for one in me.get("/categories").json()["data"]] == ["Food"]
    assert findings(world, me) == []


def test_all_or_nothing(me, someone_else, account_id):
    mine = posted_one(me, withdrawal(account_id))["id"]
    theirs = posted_one(someone_else, withdrawal(made(someone_else, asset())))["id"]
    revision = me.get("/changes", limit=1).json()["data"][0]["id"]

    assert refused(me, [mine, theirs, "x"], category_name="Food") == {
        "ids.1": ["The selected ids.1 is invalid: there is no such transaction."],
        "ids.2": ["The ids.2 must be a number, written like 1234.56."],
    }
    assert now(me, mine)["category_id"] is None
    assert now(someone_else, theirs)["category_id"] is None
    assert me.get("/changes", limit=1).json()["data"][0]["id"] == revision


def test_what_has_no_budget_and_what_is_not_changed_here(me):
    opened = made(me, asset(name="Opened", opening_balance="5", opening_balance_date="2024-01-01"))
    opening = me.get("/transactions", type="opening_balance").json()["data"][0]["id"]
    earned = posted_one(me, deposit(opened))["id"]
    moved = posted_one(me, transfer(opened, made(me, asset(name="Other"))))["id"]

    assert list(refused(me, [earned, moved, opening], budget_name="Home")) == ["ids.0", "ids.1", "ids.2"]
    assert list(refused(me, [opening], category_name="Food")) == ["ids.0"]
    assert [one["category_name"] for one in relabelled(me, [earned, moved], category_name="Pay")] == ["Pay"] * 2
    assert relabelled(me, [earned], budget_id="")[0]["budget_id"] is None


@pytest.mark.parametrize(
    ("fields", "keys"),
    [
        ({}, ["ids"]),
        ({"category_id": 999_999_999}, ["category_id"]),
        ({"category_id": "x", "budget_id": "y"}, ["category_id", "budget_id"]),
        ({"tags": "a", "add_tags": "b"}, ["tags", "add_tags"]),
        ({"add_tags": "x" * 256}, ["add_tags"]),
        ({"add_tags": ""}, ["ids"]),
    ],
)
def test_what_cannot_be_given(me, account_id, fields, keys):
    split_id = posted_one(me, withdrawal(account_id))["id"]

    assert sorted(refused(me, [split_id], **fields)) == sorted(keys)


@pytest.mark.any_database
@pytest.mark.parametrize("ids", [None, [], "", "0", list(range(1, 1002))])
def test_ids_are_needed_up_to_a_thousand(me, ids):
    assert [key.split(".")[0] for key in refused(me, ids, category_name="Food")] == ["ids"]


def test_ids_as_a_comma_list_in_a_form(me, account_id):
    ids = [posted_one(me, withdrawal(account_id))["id"] for _ in range(2)]

    response = me.request("PUT", "/transactions/bulk", data={"ids": ",".join(ids), "category_name": "Food"})

    assert [one["attributes"]["category_name"] for one in response.json()["data"]] == ["Food"] * 2


def test_rules_for_changed_transactions_run_as_they_do_for_one(world, me, account_id):
    group = me.post("/rule_groups", {"title": "Labels", "active": True}).json()["data"]["id"]
    rule = {
        "title": "Tag food", "rule_group_id": group, "trigger": "update-journal", "strict": True, "active": True,
        "stop_processing": False, "rule_triggers": [{"name": "category_is", "value": "Food"}],
        "rule_actions": [{"name": "add_tag", "value": "eaten"}],
    }  # fmt: skip
    assert me.post("/rules", rule).status_code == 200
    ids = [posted_one(me, withdrawal(account_id))["id"] for _ in range(2)]
    before = [now(me, one) for one in ids]

    assert [one["tags"] for one in relabelled(me, ids, category_name="Food")] == ["eaten", "eaten"]
    assert findings(world, me) == []

    change = me.get("/changes", limit=1).json()["data"][0]["id"]
    assert me.post(f"/changes/{change}/undo").status_code == 200
    assert [now(me, one) for one in ids] == before
    assert findings(world, me) == []


def test_if_match_holds_while_nothing_at_all_has_changed(me, account_id):
    split_id = posted_one(me, withdrawal(account_id))["id"]
    tag = me.get("/transactions").headers["etag"]
    body = {"ids": [split_id], "category_name": "Food"}

    assert me.put("/transactions/bulk", body, headers={"If-Match": tag}).status_code == 200
    assert me.put("/transactions/bulk", body, headers={"If-Match": tag}).status_code == 412
    assert me.put("/transactions/bulk", body, headers={"If-Match": "*"}).status_code == 200


def test_many_at_once(world, me, account_id):
    bodies = [withdrawal(account_id, description=f"number {number}") for number in range(60)]
    response = me.post("/transactions/bulk", {"transactions": bodies}).json()["data"]
    ids = [one["data"][0]["id"] for one in response]

    shown = relabelled(me, ids, category_name="Food", budget_name="Home", tags="a,b")

    assert len(shown) == 60
    assert amounts(named(me, CATEGORY, "Food")["spent"]) == {"EUR": "750"}
    assert findings(world, me) == []
