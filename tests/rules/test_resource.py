"""Rules and their groups as objects: made, seen, changed, ordered, deleted; and what is refused."""

from typing import Any

import pytest

from farthing.books.lifecycle import rules as lifecycle
from farthing.books.rules.model import ACTIONS, TRIGGERS
from farthing.identity import users

from ..bills.making import a_bill
from ..bills.making import stored as stored_bill
from ..conftest import Client, World
from ..transactions.making import count_rows, findings
from .making import a_group, a_rule, asset, errors, made, part, parts, refused, stored


def titles(client: Client, path: str = "/rules") -> list[str]:
    return [one["attributes"]["title"] for one in client.get(path).json()["data"]]


def orders(client: Client, path: str) -> list[tuple[str, int]]:
    shown = [one["attributes"] for one in client.get(path).json()["data"]]
    return [(one["title"], one["order"]) for one in shown]


def test_a_rule_is_shown_as_it_was_created(me: Client) -> None:
    group_id = a_group(me)
    body = a_rule(
        group_id,
        [("description_contains", "Shop"), part("amount_more", 10.5, stop_processing=True), "has_no_tag"],
        [("set_category", "Food"), part("clear_notes", stop_processing="1")],
        description="Where the money goes", strict=False, stop_processing=1,
    )  # fmt: skip

    thing = stored(me, body)

    assert thing == me.get(f"/rules/{thing['id']}").json()["data"]
    assert thing["type"] == "rules"
    assert thing["links"]["0"] == {"rel": "self", "uri": f"/rules/{thing['id']}"}
    shown = thing["attributes"]
    assert (shown["title"], shown["text"], shown["trigger"]) == (body["title"], "Where the money goes", "store-journal")
    assert (shown["order"], shown["active"], shown["strict"], shown["stop_processing"]) == (1, True, False, True)
    assert (shown["rule_group_id"], shown["running"]) == (int(group_id), False)
    assert [(one["type"], one["value"], one["stop_processing"]) for one in shown["triggers"]] == [
        ("description_contains", "Shop", False),
        ("amount_more", "10.5", True),
        ("has_no_tag", None, False),
    ]
    assert [(one["type"], one["value"], one["stop_processing"]) for one in shown["actions"]] == [
        ("set_category", "Food", False),
        ("clear_notes", None, True),
    ]


def test_its_group_triggers_and_actions_can_be_included(me: Client) -> None:
    document = me.get(f"/rules/{stored(me, a_rule())['id']}", include="user").json()

    related = document["data"]["relationships"]
    assert related["rule_group"]["data"]["type"] == "rule_groups"
    assert related["user"]["data"] == {"type": "users", "id": str(me.user.id)}
    assert [len(related[name]["data"]) for name in ("rule_triggers", "rule_actions")] == [2, 1]
    included = {(one["type"], one["id"]): one["attributes"] for one in document["included"]}
    triggers = [included[one["type"], one["id"]] for one in related["rule_triggers"]["data"]]
    assert [(one["name"], one["value"]) for one in triggers] == [
        ("user_action", "store-journal"),
        ("description_contains", "groceries"),
    ]
    [action] = [included[one["type"], one["id"]] for one in related["rule_actions"]["data"]]
    assert (action["name"], action["value"], action["order"]) == ("set_category", "Food", 1)


def test_lists_can_include_them_too(me: Client) -> None:
    stored(me, a_rule())

    document = me.get("/rules").json()

    assert {one["type"] for one in document["included"]} == {"rule_groups", "rule_triggers", "rule_actions"}
    assert {one["type"] for one in me.get("/rule_groups").json()["included"]} == {"users"}


def test_a_rule_sent_back_as_shown_stays_the_same(me: Client) -> None:
    thing = stored(me, a_rule(description="x", stop_processing=True))

    response = me.put(f"/rules/{thing['id']}", thing["attributes"])

    assert response.status_code == 200, response.text
    after = response.json()["data"]["attributes"]
    for name in ("title", "text", "trigger", "order", "active", "strict", "stop_processing", "rule_group_id"):
        assert after[name] == thing["attributes"][name]
    assert [(one["type"], one["value"]) for one in after["triggers"]] == [("description_contains", "groceries")]


def test_the_event_may_be_sent_among_the_triggers(me: Client) -> None:
    a_group(me)
    body = a_rule(triggers=[("user_action", "update-journal"), ("has_any_tag")])
    del body["trigger"]

    assert stored(me, body)["attributes"]["trigger"] == "update-journal"
    same = a_rule(title="b", trigger="update-journal", triggers=[("user_action", "update-journal"), "no_notes"])
    assert len(stored(me, same)["attributes"]["triggers"]) == 1
    other = a_rule(title="c", triggers=[("user_action", "update-journal"), "no_notes"])
    assert refused(me, other).keys() == {"rule_triggers.0.value"}


def test_a_change_replaces_everything(me: Client) -> None:
    thing = stored(me, a_rule(description="x"))
    other_group = a_group(me, "Other")

    body = a_rule(other_group, ["no_notes"], [("set_notes", "n")], title="New", trigger="update-journal", active=False)
    shown = me.put(f"/rules/{thing['id']}", body).json()["data"]["attributes"]

    assert (shown["title"], shown["text"], shown["active"]) == ("New", None, False)
    assert (shown["trigger"], shown["rule_group_id"]) == ("update-journal", int(other_group))
    assert [one["type"] for one in shown["triggers"] + shown["actions"]] == ["no_notes", "set_notes"]


def test_deleting_a_rule_deletes_its_triggers_and_actions(me: Client, world: World) -> None:
    thing = stored(me, a_rule())

    assert me.delete(f"/rules/{thing['id']}").status_code == 204

    assert me.get(f"/rules/{thing['id']}").status_code == 404
    assert [count_rows(world, me, table) for table in ("rules", "rule_triggers", "rule_actions")] == [0, 0, 0]
    assert findings(world, me) == []


def test_a_group_is_created_changed_and_deleted_with_its_rules(me: Client, world: World) -> None:
    group_id = a_group(me, "Bank", description="What the bank writes")
    stored(me, a_rule(group_id))
    stored(me, a_rule(a_group(me, "Kept"), title="Kept"))

    shown = me.put(f"/rule_groups/{group_id}", {"title": "The bank", "active": "0"}).json()["data"]["attributes"]
    assert (shown["title"], shown["text"], shown["order"], shown["active"]) == ("The bank", None, 1, False)
    assert titles(me, f"/rule_groups/{group_id}/rules") == ["Groceries are food"]
    assert titles(me, f"/rule-groups/{group_id}/rules/") == ["Groceries are food"]

    assert me.delete(f"/rule_groups/{group_id}").status_code == 204
    assert titles(me) == ["Kept"]
    assert orders(me, "/rule_groups") == [("Kept", 1)]
    assert count_rows(world, me, "rule_actions") == 1
    assert findings(world, me) == []


def test_rules_are_listed_by_the_order_of_groups_and_within_them(me: Client) -> None:
    late, early = a_group(me, "late"), a_group(me, "early", order=1)
    for group_id, title in ((late, "d"), (early, "a"), (late, "e"), (early, "b")):
        stored(me, a_rule(group_id, title=title))
    stored(me, a_rule(late, title="c", order=1))

    assert titles(me) == ["a", "b", "c", "d", "e"]
    assert orders(me, f"/rule_groups/{late}/rules") == [("c", 1), ("d", 2), ("e", 3)]
    assert me.get("/rules", limit=2, page=2).json()["meta"]["pagination"]["total"] == 5


def test_a_rule_moves_within_its_group_and_to_another(me: Client) -> None:
    one, two = a_group(me, "one"), a_group(me, "two")
    ids = {title: stored(me, a_rule(one, title=title))["id"] for title in "abc"}
    stored(me, a_rule(two, title="x"))

    me.put(f"/rules/{ids['c']}", a_rule(one, title="c", order=1))
    assert orders(me, f"/rule_groups/{one}/rules") == [("c", 1), ("a", 2), ("b", 3)]
    me.put(f"/rules/{ids['c']}", a_rule(two, title="c"))
    assert orders(me, f"/rule_groups/{one}/rules") == [("a", 1), ("b", 2)]
    assert orders(me, f"/rule_groups/{two}/rules") == [("x", 1), ("c", 2)]
    me.delete(f"/rules/{ids['a']}")
    assert orders(me, f"/rule_groups/{one}/rules") == [("b", 1)]


def test_all_missing_fields_are_reported_at_once(me: Client) -> None:
    assert refused(me, {}).keys() == {
        "title", "rule_group_id", "rule_group_title", "trigger", "rule_triggers", "rule_actions", "strict",
        "stop_processing", "active",
    }  # fmt: skip
    assert errors(me.post("/rule_groups", {})).keys() == {"title", "active"}


def test_titles_are_unique_ignoring_case(me: Client, someone_else: Client) -> None:
    group_id = a_group(me)
    thing = stored(me, a_rule(group_id))

    assert refused(me, a_rule(group_id, title="GROCERIES are food")).keys() == {"title"}
    assert me.put(f"/rules/{thing['id']}", a_rule(group_id, title="groceries ARE food")).status_code == 200
    assert errors(me.post("/rule_groups", {"title": "daily LIFE", "active": True})).keys() == {"title"}
    assert me.put(f"/rule_groups/{group_id}", {"title": "DAILY life", "active": True}).status_code == 200
    stored(someone_else, a_rule())


def test_the_group_must_belong_to_the_caller(me: Client, someone_else: Client) -> None:
    theirs = a_group(someone_else)

    assert refused(me, a_rule(theirs)).keys() == {"rule_group_id"}
    assert refused(me, a_rule(rule_group_title="nowhere")).keys() == {"rule_group_title"}


WRONG_TRIGGERS = [
    (part("nonsense", "x"), "name"),
    ({"value": "x"}, "name"),
    (part("description_is"), "value"),
    (part("description_is", "  "), "value"),
    (part("amount_more", "much"), "value"),
    (part("amount_less", "1,50"), "value"),
    (part("amount_exactly", "-5"), "value"),
    (part("amount_less", "0"), "value"),
    (part("transaction_type", "opening balance"), "value"),
    (part("currency_is", "XXQ"), "value"),
    (part("category_is", "x" * 256), "value"),
    (part("has_attachments", "0"), "value"),
    (part("has_attachments", "some"), "value"),
    (part("user_action", "delete-journal"), "value"),
    (part("no_notes", stop_processing="perhaps"), "stop_processing"),
]
WRONG_ACTIONS = [
    (part("nonsense", "x"), "name"),
    (part("set_category"), "value"),
    (part("set_category", "x" * 256), "value"),
    (part("set_budget", "There is none"), "value"),
    (part("link_to_bill", "There is none"), "value"),
    (part("add_tag", "one, two"), "value"),
    (part("remove_tag", ""), "value"),
    (part("set_description", "x" * 1025), "value"),
    (part("append_notes"), "value"),
    (part("set_source_account"), "value"),
]


@pytest.mark.any_database
@pytest.mark.parametrize(("wrong", "field"), WRONG_TRIGGERS)
def test_a_wrong_trigger_is_refused_under_its_index(me: Client, wrong: dict[str, Any], field: str) -> None:
    a_group(me)

    told = refused(me, a_rule(triggers=["has_no_tag", wrong]))

    assert told.keys() == {f"rule_triggers.1.{field}"}


@pytest.mark.parametrize(("wrong", "field"), WRONG_ACTIONS)
def test_a_wrong_action_is_refused_under_its_index(me: Client, wrong: dict[str, Any], field: str) -> None:
    a_group(me)

    told = refused(me, a_rule(actions=["clear_notes", wrong]))

    assert told.keys() == {f"rule_actions.1.{field}"}


def test_all_problems_are_reported_at_once_under_the_indexes_that_were_sent(me: Client) -> None:
    a_group(me)
    body = a_rule(title="", strict="maybe") | {
        "rule_triggers": {"3": part("amount_more", "x"), "7": part("what")},
        "rule_actions": {"2": part("set_budget", "y")},
    }

    assert refused(me, body).keys() == {
        "title", "strict", "rule_triggers.3.value", "rule_triggers.7.name", "rule_actions.2.value",
    }  # fmt: skip


def test_newer_field_names_for_triggers_and_actions_are_accepted(me: Client) -> None:
    a_group(me)
    body = a_rule() | {
        "triggers": [{"type": "no_notes"}],
        "actions": [{"type": "set_notes", "value": "n"}],
        "rule_triggers": None,
        "rule_actions": [],
    }

    shown = stored(me, body)["attributes"]

    assert [one["type"] for one in shown["triggers"] + shown["actions"]] == ["no_notes", "set_notes"]
    wrong = body | {"title": "b", "triggers": [{"type": "amount_more", "value": "x"}], "actions": [{"type": "?"}]}
    assert refused(me, wrong).keys() == {"triggers.0.value", "actions.0.type"}


def test_a_form_is_accepted(me: Client) -> None:
    a_group(me)
    form = {
        "title": "Form", "rule_group_title": "daily life", "trigger": "store-journal", "strict": "1",
        "stop_processing": "0", "active": "1", "rule_triggers[0][name]": "amount_more",
        "rule_triggers[0][value]": "5", "rule_actions[4][name]": "clear_budget",
    }  # fmt: skip

    response = me.request("POST", "/rules", data=form)

    assert response.status_code == 200, response.text


def test_every_trigger_and_action_can_be_stored(me: Client) -> None:
    a_group(me)
    me.post("/budgets", {"name": "Daily", "active": True})
    stored_bill(me, a_bill())
    values = {
        "amount": "5", "count": "2", "type": "Deposit", "currency": "usd", "budget": "daily", "bill": "rent",
        "moment": "store-journal",
    }  # fmt: skip

    body = a_rule() | {
        "rule_triggers": [part(name, values.get(spec.takes, "words")) for name, spec in TRIGGERS.items()],
        "rule_actions": [part(name, values.get(spec.takes, "words")) for name, spec in ACTIONS.items()],
    }

    shown = stored(me, body)["attributes"]
    assert len(shown["triggers"]) == len(TRIGGERS) - 1
    assert len(shown["actions"]) == len(ACTIONS)


def test_the_number_of_rules_is_limited(me: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    a_group(me)
    assert refused(me, a_rule(triggers=parts(*["no_notes"] * 101))).keys() == {"rule_triggers"}
    monkeypatch.setattr(lifecycle, "RULES_MAX", 1)
    stored(me, a_rule())

    assert refused(me, a_rule(title="b")).keys() == {"title"}


def value_of(client: Client, rule: dict[str, Any], kind: str) -> list[Any]:
    return [one["value"] for one in client.get(f"/rules/{rule['id']}").json()["data"]["attributes"][kind]]


def test_rules_are_updated_when_something_they_name_is_renamed(me: Client) -> None:
    budget = me.post("/budgets", {"name": "Daily", "active": True}).json()["data"]["id"]
    category = me.post("/categories", {"name": "Food"}).json()["data"]["id"]
    tag = me.post("/tags", {"tag": "weekly"}).json()["data"]["id"]
    bill = stored_bill(me, a_bill())
    rule = stored(me, a_rule(
        triggers=[("category_is", "FOOD"), ("budget_is", "daily"), ("tag_is", "weekly"), ("description_is", "food")],
        actions=[("set_category", "food"), ("set_budget", "Daily"), ("add_tag", "Weekly"), ("link_to_bill", "rent")],
    ))  # fmt: skip

    me.put(f"/categories/{category}", {"name": "Eating"})
    me.put(f"/budgets/{budget}", {"name": "Everyday", "active": True})
    me.put(f"/tags/{tag}", {"tag": "often"})
    me.put(f"/bills/{bill['id']}", a_bill(name="Home"))

    assert value_of(me, rule, "triggers") == ["Eating", "Everyday", "often", "food"]
    assert value_of(me, rule, "actions") == ["Eating", "Everyday", "often", "Home"]


def test_rules_are_updated_when_an_account_is_renamed_unless_the_name_is_ambiguous(me: Client) -> None:
    account = made(me, asset())
    rule = stored(me, a_rule(triggers=[("from_account_is", "checking")], actions=[("set_source_account", "Checking")]))

    me.put(f"/accounts/{account}", asset(name="Main"))
    assert value_of(me, rule, "triggers") + value_of(me, rule, "actions") == ["Main", "Main"]
    made(me, asset(name="main"))
    me.put(f"/accounts/{account}", asset(name="First"))
    assert value_of(me, rule, "actions") == ["Main"]


def test_a_bill_lists_the_rules_that_link_to_it(me: Client) -> None:
    bill, other = stored_bill(me, a_bill()), stored_bill(me, a_bill(name="Other", match="other"))
    stored(me, a_rule())
    rule = stored(me, a_rule(title="Links", actions=[("link_to_bill", "RENT")]))

    assert titles(me, f"/bills/{bill['id']}/rules") == ["Links"]
    assert titles(me, f"/bills/{other['id']}/rules") == []
    answer = me.get("/bills", include="rules").json()
    seen = answer["data"]
    assert answer["included"][0] == me.get(f"/rules/{rule['id']}").json()["data"]
    assert {one["type"] for one in answer["included"]} == {"rules", "rule_groups", "rule_triggers", "rule_actions"}
    assert [[one["id"] for one in bill["relationships"]["rules"]["data"]] for bill in seen] == [[rule["id"]], []]


def test_rules_are_deleted_with_their_user(me: Client, world: World) -> None:
    stored(me, a_rule())

    with world.books.writing() as db:
        users.remove(db, me.user.id)

    tables = ("rules", "rule_groups", "rule_triggers", "rule_actions")
    assert [count_rows(world, me, table) for table in tables] == [0, 0, 0, 0]
