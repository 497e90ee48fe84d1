"""Rules and their groups in version 6: their shapes, partial changes, and what the first version sees of them."""

import pytest

from ..conftest import Client
from ..transactions.making import asset, made, posted_one, withdrawal
from .making import undone
from .test_basics import data

_PART = {"id", "created_at", "updated_at", "type", "value", "order", "active", "stop_processing"}


def a_group(client: Client, title: str = "Daily life") -> str:
    return str(data(client.v6.post("/rule-groups", {"title": title}))["id"])


def a_rule(client: Client, group_id: str | None = None, **fields):
    body = {
        "title": "Groceries",
        "rule_group_id": group_id or a_group(client),
        "trigger": "store-journal",
        "triggers": [{"type": "description_contains", "value": "bread"}],
        "actions": [{"type": "set_category", "value": "Food"}],
        **fields,
    }
    return data(client.v6.post("/rules", body))


def category(client: Client, transaction_id) -> str | None:
    [line] = data(client.get(f"/transactions/{transaction_id}"))
    return line["attributes"]["category_name"]


def test_a_rule_has_all_its_fields_as_they_are_described(me):
    group_id = a_group(me)

    rule = a_rule(me, group_id)

    shown = rule["attributes"]
    assert (rule["type"], rule["links"]["self"]) == ("rules", f"http://farthing.example/v6/api/v1/rules/{rule['id']}")
    assert shown["rule_group_id"] == group_id
    assert shown["rule_group_title"] == "Daily life"
    assert (shown["description"], shown["order"], shown["trigger"]) == ("", 1, "store-journal")
    assert (shown["active"], shown["strict"], shown["stop_processing"]) == (True, True, False)
    (trigger,), (action,) = shown["triggers"], shown["actions"]
    assert trigger.keys() == _PART | {"prohibited"}
    assert action.keys() == _PART
    assert (trigger["type"], trigger["value"], trigger["order"]) == ("description_contains", "bread", 1)
    listed = me.v6.get(f"/rule-groups/{group_id}/rules").json()
    assert (listed["data"], listed["meta"]["pagination"]["total"]) == ([rule], 1)
    assert "self" in listed["links"]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({"type": "notes_contains", "value": "x"}, ("notes_contains", "x", False)),
        ({"type": "source_account_is", "value": "Bank"}, ("source_account_is", "Bank", False)),
        ({"type": "from_account_is", "value": "Bank"}, ("from_account_is", "Bank", False)),
        ({"type": "amount_is", "value": "3"}, ("amount_is", "3", False)),
        ({"type": "has_any_tag", "value": "true"}, ("has_any_tag", "true", False)),
        ({"type": "has_any_tag", "value": False}, ("has_no_tag", "true", False)),
        ({"type": "has_attachments", "value": "true"}, ("has_attachments", "true", False)),
        ({"type": "amount_more", "value": 12.5, "prohibited": True}, ("amount_more", "12.5", True)),
    ],
)
def test_triggers_are_read_under_all_their_names(me, sent, shown):
    (trigger,) = a_rule(me, triggers=[sent])["attributes"]["triggers"]

    assert (trigger["type"], trigger["value"], trigger["prohibited"]) == shown


def test_triggers_and_actions_keep_their_ids_and_names_when_only_the_event_changes(me):
    actions = [{"type": "clear_category"}, {"type": "set_category", "value": "Food"}]
    rule = a_rule(me, triggers=[{"type": "destination_account_ends", "value": "shop"}], actions=actions)
    before = rule["attributes"]
    assert [action["value"] for action in before["actions"]] == ["", "Food"]

    after = data(me.v6.put(f"/rules/{rule['id']}", {"trigger": "update-journal"}))["attributes"]

    assert (after["trigger"], after["triggers"], after["actions"]) == (
        "update-journal", before["triggers"], before["actions"]
    )  # fmt: skip
    assert after["triggers"][0]["type"] == "destination_account_ends"
    old = me.get(f"/rules/{rule['id']}", include="rule_triggers").json()["included"]
    named = [
        (part["attributes"]["name"], part["attributes"]["value"]) for part in old if part["type"] == "rule_triggers"
    ]
    assert named == [("user_action", "update-journal"), ("to_account_ends", "shop")]
    undone(me)
    assert data(me.v6.get(f"/rules/{rule['id']}"))["attributes"]["triggers"] == before["triggers"]


def test_a_put_changes_only_what_it_names_and_can_be_undone(me):
    group_id = a_group(me)
    a_rule(me, group_id, title="First")
    actions = [{"type": "add_tag", "value": "b", "order": 2}, {"type": "clear_notes", "order": 1, "active": False}]
    before = a_rule(me, group_id, description="Why", strict=False, actions=actions)
    assert [action["type"] for action in before["attributes"]["actions"]] == ["clear_notes", "add_tag"]

    changed = data(me.v6.put(f"/rules/{before['id']}", {"description": "", "trigger": "manual-activation"}))

    assert changed["attributes"]["description"] == ""
    assert changed["attributes"]["trigger"] == "manual-activation"
    different = {name for name, value in changed["attributes"].items() if before["attributes"][name] != value}
    assert different <= {"description", "trigger", "updated_at"}
    assert changed["attributes"]["actions"] == before["attributes"]["actions"], "they keep their ids"
    old = data(me.get(f"/rules/{before['id']}"))["attributes"]
    assert (old["manual"], old["strict"], old["actions"][0]["active"]) == (True, False, False)
    undone = me.post(f"/changes/{me.get('/changes').json()['data'][0]['id']}/undo")
    assert undone.status_code == 200, undone.text
    again = data(me.v6.get(f"/rules/{before['id']}"))["attributes"]
    assert (again["description"], again["trigger"]) == ("Why", "store-journal")


def test_what_is_wrong_is_named_where_it_was_sent(me):
    group_id = a_group(me)
    body = {"title": "X", "rule_group_id": group_id, "trigger": "store-journal"}

    def errors(**more):
        answer = me.v6.post("/rules", {**body, **more})
        assert answer.status_code == 422, answer.text
        return answer.json()["errors"]

    assert errors().keys() == {"triggers", "actions"}
    trigger, action = {"type": "no_notes"}, {"type": "delete_transaction", "value": "true"}
    refused = errors(triggers=[trigger], actions=[action])
    assert "neither delete" in refused["actions.0.type"][0]
    named = errors(triggers=[{"type": "currency_is", "value": "QQQ"}], actions=[{"type": "set_budget"}])
    assert named.keys() == {"triggers.0.value", "actions.0.value"}
    assert errors(trigger="sometimes", triggers=[trigger], actions=[action]).keys() == {"trigger", "actions.0.type"}
    assert me.v6.put(f"/rules/{a_rule(me, group_id)['id']}", {"triggers": []}).json()["errors"].keys() == {"triggers"}


def test_prohibited_triggers_and_parts_that_are_switched_off(me):
    bank = made(me, asset())
    triggers = [
        {"type": "description_contains", "value": "bread"},
        {"type": "description_contains", "value": "stale", "prohibited": True},
        {"type": "description_contains", "value": "never", "active": False},
    ]
    actions = [{"type": "set_category", "value": "Food"}, {"type": "set_category", "value": "Off", "active": False}]
    a_rule(me, triggers=triggers, actions=actions)

    fresh = posted_one(me, withdrawal(bank, "3", description="Bread"))
    stale = posted_one(me, withdrawal(bank, "3", description="Stale bread"))

    assert (category(me, fresh["id"]), category(me, stale["id"])) == ("Food", None)


@pytest.mark.parametrize("path", ["rules", "rule-groups"])
def test_a_rule_for_hand_runs_only_when_it_is_applied(me, path):
    bank, group_id = made(me, asset()), a_group(me)
    rule = a_rule(me, group_id, trigger="manual-activation")
    bought = posted_one(me, withdrawal(bank, "3", description="Bread", date="2024-05-14"))
    assert category(me, bought["id"]) is None
    subject_id = rule["id"] if path == "rules" else group_id

    none = me.v6.post(f"/{path}/{subject_id}/trigger?start=2024-01-01&end=2024-01-31", {})
    assert category(me, bought["id"]) is None
    applied = me.v6.post(f"/{path}/{subject_id}/trigger?start=2024-01-01&end=2024-12-31&accounts[]={bank}", {})

    assert (none.status_code, applied.status_code, applied.content) == (204, 204, b"")
    assert category(me, bought["id"]) == "Food"
    assert me.v6.post(f"/{path}/{subject_id}/trigger?accounts=999", {}).json()["errors"].keys() == {"accounts"}


def test_groups_are_created_changed_in_part_and_deleted(me):
    first, second = a_group(me, "First"), a_group(me, "Second")
    shown = data(me.v6.get(f"/rule-groups/{first}"))
    assert shown["type"] == "rule_groups"
    assert (shown["attributes"]["description"], shown["attributes"]["active"]) == (None, True)

    moved = data(me.v6.put(f"/rule-groups/{second}", {"order": 1, "active": False}))

    assert (moved["attributes"]["title"], moved["attributes"]["order"]) == ("Second", 1)
    assert [group["id"] for group in me.v6.get("/rule-groups").json()["data"]] == [second, first]
    assert data(me.get(f"/rule_groups/{second}"))["attributes"]["active"] is False
    assert me.v6.put(f"/rule-groups/{second}", {"title": ""}).json()["errors"].keys() == {"title"}
    assert me.v6.delete(f"/rule-groups/{second}").status_code == 204
    assert me.v6.get(f"/rule-groups/{second}").status_code == 404


def test_a_test_lists_what_the_rules_match_as_groups(me):
    bank, group_id = made(me, asset()), a_group(me)
    rule = a_rule(me, group_id)
    bread = [posted_one(me, withdrawal(bank, "3", description=f"Bread {n}", date=f"2024-05-1{n}")) for n in range(3)]
    posted_one(me, withdrawal(bank, "3", description="Milk", date="2024-05-14"))

    for path in (f"/rules/{rule['id']}/test", f"/rule-groups/{group_id}/test"):
        answer = me.v6.get(path, limit=2).json()
        assert [thing["id"] for thing in answer["data"]] == [str(each["journal_id"]) for each in bread[:0:-1]]
        assert answer["data"][0]["attributes"]["transactions"][0]["description"] == "Bread 2"
        assert answer["meta"]["pagination"]["total"] == 3
        assert len(me.v6.get(path, triggered_limit=1).json()["data"]) == 1
        assert me.v6.get(path, search_limit=1).json()["data"] == []
