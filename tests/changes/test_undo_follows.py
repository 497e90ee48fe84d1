"""Undo keeps the rules of every other way: what depends on what comes back follows it, or nothing comes back."""

from datetime import UTC, datetime

import pytest

from ..accounts.making import asset
from ..bills import making as bills
from ..currencies.making import made as a_currency
from ..piggy_banks.making import an_account, saving
from ..recurrences import making as recurrences
from ..recurrences.making import a_recurrence, a_repetition, a_split, fired
from ..rules import making as rules
from ..transactions.making import findings, listed, made, posted_one, transfer, withdrawal
from ..users.people import an_owner
from .test_undo import last, refused, undone

DAILY = [a_repetition("daily", "")]


@pytest.fixture
def checking(me):
    return made(me, asset())


def on(world, month, day):
    world.time.now = datetime(2024, month, day, 12, tzinfo=UTC)


def planned(me, checking, **fields):
    return recurrences.stored(me, a_recurrence(checking, **fields))["id"]


def changed(me, path, body):
    response = me.put(path, body)
    assert response.status_code == 200, response.text
    return last(me)


def days(me):
    return sorted(one["attributes"]["date"] for one in listed(me))


def shown(me, path):
    return me.get(path).json()["data"]["attributes"]


# Recurrences


def test_a_firing_is_a_change_of_its_own(world, me, checking):
    plan = planned(me, checking)
    on(world, 6, 2)
    edit = changed(me, f"/recurrences/{plan}", a_recurrence(checking, title="Sport"))

    [_, firing, *_] = me.get("/changes", limit=3).json()["data"]
    assert (firing["attributes"]["doing"], firing["attributes"]["by_id"]) == ("recurrences.fire", None)
    assert edit["attributes"]["doing"] == "recurrences.change"
    again = undone(me, edit)
    assert (days(me), shown(me, f"/recurrences/{plan}")["title"]) == (["2024-06-01"], "Gym")
    undone(me, again)
    assert (days(me), fired(me, "2024-06-02")) == (["2024-06-01"], [])
    undone(me, firing)
    assert (days(me), findings(world, me)) == ([], [])


def test_what_is_due_fires_before_an_undo_changes_its_plan(world, me, checking):
    plan = planned(me, checking)
    edit = changed(me, f"/recurrences/{plan}", a_recurrence(checking, repetitions=[a_repetition(moment="20")]))
    on(world, 6, 21)

    undone(me, edit)

    assert (days(me), findings(world, me)) == (["2024-06-20"], [])
    assert fired(me, "2024-07-25") == ["2024-07-01"]


def test_the_undo_of_a_pause_goes_on_from_today(world, me, checking):
    plan = planned(me, checking, first_date="2024-05-16", repetitions=DAILY)
    body = a_recurrence(checking, first_date="2024-05-16", repetitions=DAILY)
    pause = changed(me, f"/recurrences/{plan}", body | {"active": False})
    on(world, 5, 23)

    undone(me, pause)

    assert fired(me, "2024-05-23") == ["2024-05-23"]
    assert findings(world, me) == []


def test_what_comes_back_goes_on_from_today(world, me, checking):
    plan = planned(me, checking, first_date="2024-05-16", repetitions=DAILY)
    me.delete(f"/recurrences/{plan}")
    on(world, 5, 23)

    undone(me)

    assert fired(me, "2024-05-23") == ["2024-05-23"]
    assert findings(world, me) == []


def test_a_day_moved_into_a_pause_does_not_fire_when_an_undo_ends_it(world, me, checking):
    plan = planned(me, checking)
    pause = changed(me, f"/recurrences/{plan}", a_recurrence(checking, active=False))
    me.put(f"/recurrences/{plan}/occurrences/2024-06-01", {"date": "2024-05-20"})
    on(world, 5, 23)

    undone(me, pause)

    assert (fired(me, "2024-06-30"), findings(world, me)) == ([], [])


def test_what_could_not_fire_is_caught_up_when_a_change_mends_it(world, me, checking):
    huge = a_split(checking, amount="92233720368547758.07")
    plan = planned(me, checking, first_date="2024-05-16", repetitions=DAILY, transactions=[huge, huge])
    on(world, 5, 18)
    assert me.post(f"/recurrences/{plan}/trigger").status_code == 422
    on(world, 5, 19)

    changed(me, f"/recurrences/{plan}", a_recurrence(checking, first_date="2024-05-16", repetitions=DAILY))

    assert fired(me, "2024-05-19") == ["2024-05-16", "2024-05-17", "2024-05-18", "2024-05-19"]
    assert findings(world, me) == []


def test_the_days_of_recurrences_follow_the_bank_holidays_back(world, me, checking):
    me.put("/preferences/holidayCountry", {"data": "NL"})
    christmas = a_repetition("yearly", "2024-12-25", weekend=4) | {"holidays": True}
    planned(me, checking, repetitions=[christmas])
    moving = changed(me, "/preferences/holidayCountry", {"data": "none"})

    again = undone(me, moving)
    assert (findings(world, me), fired(me, "2024-12-26")) == ([], [])
    undone(me, again)
    assert (findings(world, me), fired(me, "2024-12-26")) == ([], ["2024-12-25"])


# Names


@pytest.mark.parametrize(
    ("path", "field", "action"),
    [
        ("/tags", "tag", "add_tag"),
        ("/categories", "name", "set_category"),
        ("/budgets", "name", "set_budget"),
        ("/bills", "name", "link_to_bill"),
        ("/accounts", "name", "set_source_account"),
    ],
)
def test_what_was_made_since_keeps_naming_what_gets_its_old_name_back(world, me, path, field, action):
    bodies = {"/bills": bills.a_bill(), "/accounts": asset()}
    body = bodies.get(path, {"active": True})
    thing = me.post(path, {**body, field: "Old"}).json()["data"]["id"]
    renaming = changed(me, f"{path}/{thing}", {**body, field: "New"})
    rule = rules.stored(me, rules.a_rule(actions=[(action, "New")]))["id"]

    again = undone(me, renaming)
    assert shown(me, f"/rules/{rule}")["actions"][0]["value"] == "Old"
    undone(me, again)
    assert shown(me, f"/rules/{rule}")["actions"][0]["value"] == "New"
    assert findings(world, me) == []


def test_a_recurrence_made_since_gives_the_tag_that_gets_its_old_name_back(me, checking):
    me.post("/tags", {"tag": "Old"})
    renaming = changed(me, "/tags/Old", {"tag": "New"})
    planned(me, checking, tags=["New"])

    undone(me, renaming)

    fired(me, "2024-06-01")
    assert [one["attributes"]["tag"] for one in me.get("/tags").json()["data"]] == ["Old"]


def test_a_rule_does_not_come_back_without_the_budget_that_it_names(me):
    me.post("/budgets", {"name": "Daily", "active": True})
    rule = rules.stored(me, rules.a_rule(actions=[("set_budget", "Daily")]))["id"]
    me.delete(f"/rules/{rule}")
    deletion = last(me)
    me.delete(f"/budgets/{me.get('/budgets').json()['data'][0]['id']}")

    assert "“Daily”, which no longer exists" in refused(me, deletion)


def test_no_more_rules_come_back_than_anybody_may_have(me, monkeypatch):
    first = rules.stored(me, rules.a_rule())["id"]
    me.delete(f"/rules/{first}")
    deletion = last(me)
    rules.stored(me, rules.a_rule(title="Another"))
    monkeypatch.setattr("farthing.books.lifecycle.rules.RULES_MAX", 1)

    assert "more than 1 rules" in refused(me, deletion)


def test_categories_are_never_three_deep(me):
    top, middle, below = (me.post("/categories", {"name": name}).json()["data"]["id"] for name in "abc")
    me.put(f"/categories/{middle}", {"name": "b", "parent_id": top})
    moving = changed(me, f"/categories/{middle}", {"name": "b", "parent_id": None})
    me.put(f"/categories/{below}", {"name": "c", "parent_id": middle})

    assert "sub-category" in refused(me, moving)


# Money


def test_a_piggy_bank_that_goes_back_leaves_what_does_not_touch_its_account(world, me, checking):
    savings, other = made(me, asset(name="Savings")), made(me, asset(name="Other"))
    pot = saving(me, savings)
    moving = changed(me, f"/piggy_banks/{pot}", {"name": "Bicycle", "account_id": other, "target_amount": "600"})
    into = [a_split(checking, destination_id=other, destination_name=None)]
    plan = planned(me, checking, type="transfer", piggy_bank_id=pot, transactions=into)

    undone(me, moving)

    assert me.get(f"/recurrences/{plan}").json()["data"]["meta"] == []
    assert fired(me, "2024-06-01") == ["2024-06-01"]
    assert findings(world, me) == []


def test_what_comes_back_leaves_a_piggy_bank_that_was_moved_since(world, me, checking):
    savings, other = made(me, asset(name="Savings")), an_account(me, "Other")
    pot = saving(me, savings, target_amount="20")
    posted_one(me, transfer(checking, savings, "20", piggy_bank_id=pot))
    beyond = posted_one(me, transfer(checking, savings, "5", piggy_bank_id=pot))
    me.delete(f"/transactions/{beyond['id']}")
    deletion = last(me)
    changed(me, f"/piggy_banks/{pot}", {"name": "Bicycle", "account_id": other, "target_amount": "20"})

    undone(me, deletion)

    with world.books.reading() as db:
        assert db.all("SELECT 1 FROM entries WHERE piggy_bank_id = :id", id=int(pot)) == []
    assert findings(world, me) == []


def test_a_bill_that_comes_back_claims_what_was_paid_meanwhile(world, me, checking):
    bill = bills.stored(me)
    bills.paid(me, checking)
    me.delete(f"/bills/{bill['id']}")
    deletion = last(me)
    bills.paid(me, checking, on="2024-05-02")

    undone(me, deletion)

    assert bills.linked(me, bill) == ["2024-05-02", "2024-05-01"]
    assert findings(world, me) == []


def test_a_payment_that_comes_back_is_claimed_by_a_bill_that_was_made_meanwhile(world, me, checking):
    me.delete(f"/transactions/{bills.paid(me, checking)['id']}")
    deletion = last(me)
    bill = bills.stored(me)

    undone(me, deletion)

    assert bills.linked(me, bill) == ["2024-05-01"]


# Again


@pytest.mark.parametrize("path", ["/categories", "/budgets"])
def test_a_deletion_that_was_undone_is_done_again_although_a_recurrence_used_it(world, me, checking, path):
    label = me.post(path, {"name": "Sport", "active": True}).json()["data"]["id"]
    field = {"/categories": "category_name", "/budgets": "budget_name"}[path]
    planned(me, checking, transactions=[a_split(checking, **{field: "Sport"})])
    me.delete(f"{path}/{label}")

    undone(me)
    undone(me)

    assert me.get(f"{path}/{label}").status_code == 404
    assert findings(world, me) == []


def test_merges_that_were_undone_are_done_again_although_a_recurrence_used_them(world, me, checking):
    one, two = (me.post("/categories", {"name": name}).json()["data"]["id"] for name in ("Sport", "Gym"))
    shops = [posted_one(me, withdrawal(checking, "1") | {"transactions": [
        a_split(checking, destination_name=name)]})["destination_id"] for name in ("Gym Ltd", "Club")]  # fmt: skip
    planned(me, checking, transactions=[a_split(checking, category_name="Sport")])
    merges = [(f"/categories/{one}", {"into_id": two}), (f"/accounts/{shops[0]}", {"into_id": shops[1]})]
    for path, into in merges:
        assert me.post(f"{path}/merge", into).status_code == 200
        undone(me)
        undone(me)
        assert me.get(path).status_code == 404

    assert findings(world, me) == []


# The rest


def test_a_currency_that_was_deleted_is_not_preferred_again(world, me):
    owner = an_owner(world)
    code = a_currency(owner)["attributes"]["code"]
    me.put("/preferences/currencyPreference", {"data": code})
    leaving = changed(me, "/preferences/currencyPreference", {"data": "EUR"})
    assert owner.delete(f"/currencies/{code}").status_code == 204

    assert "no longer exists" in refused(me, leaving)
    assert shown(me, "/preferences/currencyPreference")["data"] == "EUR"


def test_no_two_have_the_same_place_after_an_undo(world, me, checking):
    pots = [saving(me, checking, name=name) for name in "abc"]
    ids = [rules.stored(me, rules.a_rule(title=title))["id"] for title in "abc"]
    groups = [me.get("/rule_groups").json()["data"][0]["id"], *(rules.a_group(me, title) for title in "ab")]
    made_first = [
        next(one for one in me.get("/changes", kind=kind, object_id=number).json()["data"][::-1])
        for kind, number in (("piggy_banks", pots[1]), ("rules", ids[1]), ("rule_groups", groups[1]))
    ]

    for change in made_first:
        undone(me, change)
    for path in ("/piggy_banks", "/rules", "/rule_groups"):
        assert [one["attributes"]["order"] for one in me.get(path).json()["data"]] == [1, 2]

    for change in made_first:
        undone(me, {"id": me.get(f"/changes/{change['id']}").json()["data"]["attributes"]["undone_by"]})
    for path in ("/piggy_banks", "/rules", "/rule_groups"):
        assert [one["attributes"]["order"] for one in me.get(path).json()["data"]] == [1, 2, 3]
