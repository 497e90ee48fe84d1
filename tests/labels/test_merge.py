"""Merging: one category, tag or payee gets all that another has; sums stay right, and undo brings it back."""

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..changes.test_undo import last, seen, undone
from ..length import examples
from ..recurrences import making as recurrences
from ..rules import making as rules
from ..transactions.making import a_transaction, deposit, expense, findings, posted, revenue, split
from .making import CATEGORY, TAG, Kind, a_label, amounts, asset, attributes, errors, made, named, recorded, withdrawn

each_kind = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=lambda kind: kind.path)


def merged(client, path, from_id, into_id):
    response = client.post(f"{path}/{from_id}/merge", {"into_id": into_id})
    assert response.status_code == 200, response.text
    return response.json()["data"]


def payee(client, name, kind="expense"):
    found = client.get("/accounts", type=kind, limit=1000).json()["data"]
    return next(one for one in found if one["attributes"]["name"] == name)


@each_kind
def test_the_other_gets_all_transactions_and_undo_gives_them_back(world, me, kind: Kind):
    checking = made(me, asset())
    recorded(
        me,
        kind.on(withdrawn(checking, "1"), "Food"),
        kind.on(withdrawn(checking, "2", on="2024-04-10"), "Meals"),
        kind.on(deposit(checking, "4"), "Meals"),
    )
    food, meals = named(me, kind, "Food")["id"], named(me, kind, "Meals")["id"]
    before = seen(me)

    thing = merged(me, f"/{kind.path}", meals, food)

    assert thing["id"] == food
    found = attributes(me, kind, food)
    assert (amounts(found["spent"]), amounts(found["earned"])) == ({"EUR": "3"}, {"EUR": "4"})
    assert found["transactions_count"] == 3
    assert me.get(f"/{kind.path}/{meals}").status_code == 404
    assert findings(world, me) == []
    assert last(me)["attributes"]["summary"].startswith(f"Merged 1 {'tag' if kind is TAG else 'category'}")
    undone(me)
    assert seen(me) == before
    assert findings(world, me) == []


def test_an_entry_with_both_tags_counts_once(world, me):
    checking = made(me, asset())
    recorded(me, {**withdrawn(checking, "5"), "tags": "one, two"}, {**withdrawn(checking, "7"), "tags": "one"})
    one, two = named(me, TAG, "one")["id"], named(me, TAG, "two")["id"]
    before = seen(me)

    merged(me, "/tags", one, two)

    found = attributes(me, TAG, two)
    assert (amounts(found["spent"]), found["transactions_count"]) == ({"EUR": "12"}, 2)
    assert findings(world, me) == []
    undone(me)
    assert seen(me) == before
    assert findings(world, me) == []


def test_rules_recurrences_and_sub_categories_follow(me):
    food, meals = a_label(me, CATEGORY, "Food"), a_label(me, CATEGORY, "Meals")
    bread = a_label(me, CATEGORY, "Bread", parent_id=food)
    rule = rules.stored(me, rules.a_rule())["id"]
    checking = made(me, asset())
    one = recurrences.a_split(checking, category_id=food)
    plan = recurrences.stored(me, recurrences.a_recurrence(checking, transactions=[one]))["id"]

    merged(me, "/categories", food, meals)

    for path in (f"/rules/{rule}", f"/recurrences/{plan}"):
        assert '"Meals"' in me.get(path).text
        assert '"Food"' not in me.get(path).text
    assert attributes(me, CATEGORY, bread)["parent_id"] == int(meals)


def test_what_it_is_merged_into_must_fit(me, someone_else):
    food, car = a_label(me, CATEGORY, "Food"), a_label(me, CATEGORY, "Car")
    a_label(me, CATEGORY, "Bread", parent_id=food)
    fuel = a_label(me, CATEGORY, "Fuel", parent_id=car)
    strange = a_label(someone_else, CATEGORY, "Strange")

    for into, words in (
        (None, "field is required"),
        (food, "another category"),
        (strange, "there is no such category"),
        (fuel, "cannot be merged into the sub-category “Fuel”"),
    ):
        [sentence] = errors(me.post(f"/categories/{food}/merge", {"into_id": into}))["into_id"]
        assert words in sentence
    assert me.post(f"/categories/{strange}/merge", {"into_id": food}).status_code == 404


def test_a_payee_gets_what_was_paid_to_another(world, me):
    checking = made(me, asset())
    for amount, name in (("1", "Shop"), ("2", "SHOP 42"), ("4", "SHOP 42")):
        one = split(source_id=checking, amount=amount, destination_name=name)
        posted(me, a_transaction("withdrawal", one, date="2024-05-01"))
    shop, other = payee(me, "Shop")["id"], payee(me, "SHOP 42")["id"]
    rule = rules.stored(me, rules.a_rule(triggers=[("to_account_is", "SHOP 42")]))["id"]
    one = recurrences.a_split(checking, destination_name="SHOP 42")
    recurrences.stored(me, recurrences.a_recurrence(checking, transactions=[one]))
    before = seen(me)

    thing = merged(me, "/accounts", other, shop)

    assert (thing["id"], thing["attributes"]["current_balance"]) == (shop, 7)
    assert me.get(f"/accounts/{other}").status_code == 404
    assert me.get(f"/accounts/{shop}/transactions").json()["meta"]["pagination"]["total"] == 3
    assert '"Shop"' in me.get(f"/rules/{rule}").text
    assert "SHOP 42" not in me.get("/recurrences").text
    assert findings(world, me) == []
    undone(me)
    assert seen(me) == before
    assert findings(world, me) == []


def test_only_payees_of_one_type_are_merged_and_only_if_amounts_stay(me):
    checking, grocer, work = made(me, asset()), made(me, expense()), made(me, revenue())
    dollars = made(me, expense(name="Abroad", currency_code="USD"))
    two = split(source_id=checking, destination_id=grocer, foreign_amount="7", foreign_currency_code="USD")
    posted(me, a_transaction("withdrawal", two))

    def refusal(account_id, into_id):
        return errors(me.post(f"/accounts/{account_id}/merge", {"into_id": into_id}))

    assert list(refusal(checking, grocer)) == ["id"]
    assert list(refusal(grocer, work)) == ["into_id"]
    assert "would change some booked amounts" in refusal(grocer, dollars)["into_id"][0]
    merged(me, "/accounts", dollars, grocer)


_one = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["withdrawal", "deposit"]),
        "units": st.integers(1, 99999),
        "day": st.integers(0, 60),
        "category": st.sampled_from([None, "a", "b"]),
        "tags": st.sets(st.sampled_from(["a", "b"])),
        "payee": st.sampled_from(["a", "b"]),
    }
)


def _body(one, account_id):
    own, other = ("source", "destination") if one["type"] == "withdrawal" else ("destination", "source")
    sides = {f"{own}_id": account_id, f"{other}_name": one["payee"]}
    on = (date(2024, 1, 20) + timedelta(days=one["day"])).isoformat()
    only = split(amount=f"{one['units'] / 100:.2f}", category_name=one["category"], **sides)
    return a_transaction(one["type"], only, date=on, tags=sorted(one["tags"]))


@settings(
    max_examples=examples(18),
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(chosen=st.lists(_one, min_size=1, max_size=15))
def test_kept_sums_stay_right_whatever_is_merged_and_undone(world, chosen):
    me = world.someone()
    checking = made(me, asset())
    for name in ("a", "b"):
        a_label(me, CATEGORY, name)
        a_label(me, TAG, name)
        made(me, expense(name=name))
        made(me, revenue(name=name))
    posted_ = me.post("/transactions/bulk", {"transactions": [_body(one, checking) for one in chosen]})
    assert posted_.status_code == 200, posted_.text
    before = seen(me)

    for path, ids in (
        ("/categories", [named(me, CATEGORY, name)["id"] for name in "ab"]),
        ("/tags", [named(me, TAG, name)["id"] for name in "ab"]),
        ("/accounts", [payee(me, name)["id"] for name in "ab"]),
        ("/accounts", [payee(me, name, "revenue")["id"] for name in "ab"]),
    ):
        merged(me, path, *ids)
        assert findings(world, me) == []
        undone(me)
        assert findings(world, me) == []
        assert seen(me) == before
