"""Undoing: exactly as it was, with the old ids, and everything that is kept beside it; or nothing, and why."""

import pytest

from ..accounts.making import asset
from ..attachments.making import attached, download
from ..bills.making import a_bill, paid, stored
from ..budgets.making import a_limit
from ..piggy_banks.making import saving
from ..recurrences import making as recurrences
from ..rules import making as rules
from ..transactions.making import (
    a_transaction,
    balance,
    findings,
    made,
    posted,
    posted_one,
    split,
    transfer,
    withdrawal,
)


def last(client, **query):
    return client.get("/changes", limit=1, **query).json()["data"][0]


def undone(client, change=None):
    response = client.post(f"/changes/{(change or last(client))['id']}/undo")
    assert response.status_code == 200, response.text
    return response.json()["data"]


def refused(client, change):
    response = client.post(f"/changes/{change['id']}/undo")
    assert response.status_code == 409, response.text
    return response.json()["message"]


# What people see of their books, the moments of changing apart.
PATHS = (
    "/accounts", "/transactions", "/bills", "/budgets", "/budget_limits", "/categories", "/tags", "/piggy_banks",
    "/recurrences", "/rules", "/rule_groups", "/attachments", "/available_budgets", "/preferences",
)  # fmt: skip


def seen(client):
    return {path: client.get(path, limit=1000, start="2020-01-01", end="2030-01-01").json()["data"] for path in PATHS}


@pytest.fixture
def house(me):
    """A little of everything that hangs together; the ids of what is in it."""
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    bill = stored(me, a_bill())
    rent = paid(me, checking)
    receipt = attached(me, b"a receipt", model="TransactionJournal", model_id=rent["journal_id"])
    halves = [
        split(
            source_id=checking, description=text, category_name="Food", budget_name="Daily", destination_name="Grocer"
        )
        for text in ("Bread", "Butter")
    ]
    posted(me, a_transaction("withdrawal", *halves, tags=["weekend", "cheap"]))
    posted_one(me, transfer(checking, savings, "100"))
    a_limit(me, me.get("/budgets").json()["data"][0]["id"])
    return {
        "checking": checking,
        "savings": savings,
        "bill": bill["id"],
        "rent": rent["id"],
        "receipt": receipt,
        "plan": recurrences.stored(me, recurrences.a_recurrence(checking, tags=["gym"]))["id"],
        "rule": rules.stored(me, rules.a_rule())["id"],
    }


def _first(me, path):
    return f"{path}/{me.get(path).json()['data'][0]['id']}"


def _tagged(me):
    return next(
        f"/transactions/{one['id']}" for one in me.get("/transactions").json()["data"] if one["attributes"]["tags"]
    )


def _two(checking):
    return [split(source_id=checking, description=text, destination_name="X") for text in ("one", "two")]


def _rent(house):
    return f"/transactions/{house['rent']}"


def _checking(house):
    return f"/accounts/{house['checking']}"


_OPENING = {"opening_balance": "50", "opening_balance_date": "2024-01-01"}
ACTS = {
    "delete an account with everything": lambda me, at: me.delete(_checking(at)),
    "rename an account": lambda me, at: me.put(_checking(at), asset(name="Renamed")),
    "delete a transaction": lambda me, at: me.delete(_rent(at)),
    "change a transaction": lambda me, at: me.put(_rent(at), withdrawal(at["checking"], "9.99", tags=["new"])),
    "give a transaction another split": lambda me, at: me.put(
        _rent(at), a_transaction("withdrawal", *_two(at["checking"]), tags=["cheap", "dear"])
    ),
    "take a split from a transaction": lambda me, at: me.put(_tagged(me), withdrawal(at["checking"], "3")),
    "delete a bill": lambda me, at: me.delete(f"/bills/{at['bill']}"),
    "delete a category": lambda me, _: me.delete(_first(me, "/categories")),
    "delete a budget": lambda me, _: me.delete(_first(me, "/budgets")),
    "delete a tag": lambda me, _: me.delete("/tags/weekend"),
    "rename a tag": lambda me, _: me.put("/tags/weekend", {"tag": "Saturday"}),
    "book something new": lambda me, at: me.post(
        "/transactions", withdrawal(at["checking"], "5", description="Never seen", tags=["first"])
    ),
    "open an account": lambda me, _: me.post("/accounts", asset(name="Another", **_OPENING)),
    "change an opening balance": lambda me, at: me.put(_checking(at), asset(**_OPENING)),
    "delete an attachment": lambda me, at: me.delete(f"/attachments/{at['receipt']}"),
    "delete a recurrence": lambda me, at: me.delete(f"/recurrences/{at['plan']}"),
    "change a recurrence": lambda me, at: me.put(
        f"/recurrences/{at['plan']}",
        recurrences.a_recurrence(
            at["checking"], repetitions=[recurrences.a_repetition(moment="7"), recurrences.a_repetition("daily", "")]
        ),
    ),
    "skip a day": lambda me, at: me.put(f"/recurrences/{at['plan']}/occurrences/2024-06-01", {"skip": True}),
    "delete a rule": lambda me, at: me.delete(f"/rules/{at['rule']}"),
    "delete a rule group": lambda me, _: me.delete(_first(me, "/rule_groups")),
    "change a rule": lambda me, at: me.put(
        f"/rules/{at['rule']}", rules.a_rule(actions=[("set_category", "Other"), ("add_tag", "ruled")])
    ),
    "make a recurrence": lambda me, at: me.post("/recurrences", recurrences.a_recurrence(at["savings"], title="Two")),
    "change the currency of an account": lambda me, at: me.put(_checking(at), asset(currency_code="USD")),
    "set a preference": lambda me, _: me.put("/preferences/listPageSize", {"data": 20}),
}


@pytest.mark.parametrize("what", ACTS)
def test_everything_is_as_it_was_and_can_be_done_again(world, me, house, what):
    before = seen(me)
    assert ACTS[what](me, house).status_code in (200, 204)
    after = seen(me)
    assert before != after

    back = undone(me)
    assert seen(me) == before
    assert findings(world, me) == []

    undone(me, back)
    assert seen(me) == after
    assert findings(world, me) == []


def test_what_was_fired_stays_fired(world, me, house):
    [fired] = me.post(f"/recurrences/{house['plan']}/trigger?date=2024-06-01").json()["data"]
    undone(me)

    assert me.get(f"/transactions/{fired['id']}").status_code == 404
    assert findings(world, me) == []

    assert me.post(f"/recurrences/{house['plan']}/trigger?date=2024-06-01").status_code == 204


def test_restored_rules_run_again(me, house):
    me.delete(f"/rules/{house['rule']}")
    undone(me)

    booked = posted_one(me, withdrawal(house["checking"], "5", description="groceries"))
    assert booked["category_name"] == "Food"


def test_a_restored_attachment_has_its_content(me, house):
    me.delete(f"/accounts/{house['checking']}")
    undone(me)

    assert download(me, house["receipt"]).content == b"a receipt"


def test_what_was_changed_since_is_told_and_nothing_is_done(world, me, house):
    path = f"/accounts/{house['savings']}"
    me.put(path, asset(name="One"))
    first = last(me)
    me.put(path, asset(name="Two"))
    second = last(me)

    message = refused(me, first)

    assert f"account “Two” by change {second['id']}" in message
    assert me.get(path).json()["data"]["attributes"]["name"] == "Two"
    assert last(me)["id"] == second["id"]


def test_changes_are_undone_one_after_the_other(me, house):
    path = f"/accounts/{house['savings']}"
    for name in ("One", "Two"):
        me.put(path, asset(name=name))
    second, first = me.get("/changes", limit=2).json()["data"]

    undone(me, second)
    undone(me, first)

    assert me.get(path).json()["data"]["attributes"]["name"] == "Savings"


def test_what_was_undone_is_not_undone_twice_unless_it_was_done_again(me):
    me.post("/tags", {"tag": "holiday"})
    change = last(me)
    back = undone(me, change)

    assert "already undone" in refused(me, change)
    assert back["attributes"]["undoes"] == change["id"]
    assert me.get(f"/changes/{change['id']}").json()["data"]["attributes"]["undone_by"] == back["id"]

    undone(me, back)
    assert me.get("/tags/holiday").status_code == 200
    undone(me, change)
    assert me.get("/tags/holiday").status_code == 404


def test_what_is_used_by_now_is_not_taken_away(me, house):
    opened = me.post("/accounts", asset(name="Another")).json()["data"]["id"]
    change = last(me)
    booked = posted_one(me, withdrawal(opened, "5"))

    assert "now used by: transaction " in refused(me, change)
    assert balance(me, opened) == "-5"

    me.delete(f"/transactions/{booked['id']}")
    undone(me, change)
    assert me.get(f"/accounts/{opened}").status_code == 404


def test_a_name_that_is_taken_by_now_stands_in_the_way(world, me, house):
    me.delete("/tags/weekend")
    change = last(me)
    me.post("/tags", {"tag": "Weekend"})

    assert "weekend" in refused(me, change)
    assert findings(world, me) == []


def test_a_piggy_bank_gets_its_money_back(world, me, house):
    piggy = saving(me, house["savings"])
    body = transfer(house["checking"], house["savings"], "40") | {"piggy_bank_id": piggy}
    me.post("/transactions", body)
    before = seen(me)
    me.delete(f"/piggy_banks/{piggy}")

    undone(me)

    assert seen(me) == before
    assert findings(world, me) == []


def test_one_of_another_user_is_not_there(me, someone_else):
    me.post("/tags", {"tag": "mine"})
    change = last(me)

    assert someone_else.get(f"/changes/{change['id']}").status_code == 404
    assert someone_else.post(f"/changes/{change['id']}/undo").status_code == 404


class TestList:
    def test_it_tells_what_was_done(self, me, house):
        me.delete(f"/accounts/{house['checking']}")
        attributes = last(me)["attributes"]

        assert attributes["doing"] == "accounts.remove"
        assert attributes["summary"] == "Deleted 1 account, 3 transactions, 1 recurrence and 1 attachment"
        assert {"kind": "transactions", "made": 0, "changed": 0, "deleted": 3} in attributes["counts"]
        assert attributes["token_id"] is not None

    def test_pages(self, me):
        for number in range(5):
            me.post("/tags", {"tag": f"tag {number}"})
        pages = [me.get("/changes", limit=2, page=page).json() for page in (1, 2, 3, 4)]

        assert pages[0]["meta"]["pagination"]["total"] == 6  # being found was the first
        assert [one["attributes"]["revision"] for page in pages for one in page["data"]] == [6, 5, 4, 3, 2, 1]

    def test_of_a_kind_and_of_one_object(self, me, house):
        me.put(f"/transactions/{house['rent']}", withdrawal(house["checking"], "7"))
        of_one = me.get("/changes", kind="transactions", object_id=house["rent"]).json()["data"]
        of_kind = me.get("/changes", kind="transactions").json()

        assert [one["attributes"]["doing"] for one in of_one] == ["transactions.change", "transactions.create"]
        assert of_kind["meta"]["pagination"]["total"] == len(of_kind["data"]) >= 4

    @pytest.mark.parametrize(
        ("query", "field"), [({"kind": "x"}, "kind"), ({"kind": "tags", "object_id": "x"}, "object_id")]
    )
    def test_nonsense(self, me, query, field):
        response = me.get("/changes", **query)

        assert response.status_code == 422
        assert list(response.json()["errors"]) == [field]

    def test_before_is_shown(self, me):
        tag_id = me.post("/tags", {"tag": "old"}).json()["data"]["id"]
        me.put(f"/tags/{tag_id}", {"tag": "new"})

        [touched] = me.get(f"/changes/{last(me)['id']}").json()["data"]["attributes"]["objects"]

        assert (touched["kind"], touched["id"], touched["action"], touched["name"]) == (
            "tags",
            tag_id,
            "changed",
            "old",
        )
        assert touched["before"]["name"] == "old"
        assert "user_id" not in touched["before"]
