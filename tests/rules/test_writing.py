"""Rules at work: whenever a transaction is made or changed, and before anything else looks at it."""

import logging
from typing import Any

import pytest

from farthing.books.rules import apply

from ..bills.making import a_bill
from ..bills.making import stored as stored_bill
from ..conftest import Client, World
from ..recurrences.making import a_recurrence, fired
from ..recurrences.making import stored as stored_recurrence
from ..transactions.making import (
    a_transaction,
    account_named,
    asset,
    balance,
    deposit,
    findings,
    listed,
    made,
    posted,
    posted_one,
    split,
    transfer,
    withdrawal,
)
from .making import a_group, a_rule, stored


def groceries(source_id: str, **fields: Any) -> dict[str, Any]:
    return withdrawal(source_id, **{"description": "Groceries", **fields})


def changed(client: Client, transaction: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    response = client.put(f"/transactions/{transaction['id']}", body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["data"][0]["attributes"]
    return found


def test_rules_change_a_new_transaction(me: Client, checking: str, savings: str, world: World) -> None:
    me.post("/budgets", {"name": "Daily", "active": True})
    stored(me, a_rule(actions=[
        ("set_category", "Food"), ("set_budget", "daily"), ("add_tag", "weekly"), ("append_description", "of May"),
        ("set_notes", "by rule"), ("set_source_account", "savings"), ("set_destination_account", "Corner shop"),
    ]))  # fmt: skip

    shown = posted_one(me, groceries(checking, amount="20"))

    assert (shown["category_name"], shown["budget_name"], shown["tags"]) == ("Food", "Daily", "weekly")
    assert (shown["description"], shown["notes"]) == ("Groceries of May", "by rule")
    assert (shown["source_name"], shown["destination_name"]) == ("Savings", "Corner shop")
    assert (balance(me, checking), balance(me, savings)) == ("0", "-20")
    assert account_named(me, "Grocer") == [], "what nobody needs is not made"
    assert len(account_named(me, "Corner shop")) == 1
    assert findings(world, me) == []


def test_transactions_that_do_not_match_are_left_alone(me: Client, checking: str) -> None:
    stored(me, a_rule())

    assert posted_one(me, withdrawal(checking, description="Bread"))["category_name"] is None


def test_rules_reuse_what_they_created(me: Client, checking: str, world: World) -> None:
    stored(me, a_rule(actions=[("set_category", "FOOD"), ("add_tag", "Weekly"), ("set_destination_account", "GROCER")]))

    first = posted_one(me, groceries(checking))
    second = posted_one(me, groceries(checking, tags="weekly"))

    assert (first["category_name"], first["tags"]) == (second["category_name"], second["tags"]) == ("FOOD", "Weekly")
    assert len(account_named(me, "GROCER")) == 1
    assert findings(world, me) == []


def test_a_bill_sees_what_the_rules_made(me: Client, checking: str) -> None:
    bill = stored_bill(me, a_bill(match="home"))
    stored(me, a_rule(triggers=[("amount_exactly", "800")], actions=[("set_description", "Rent of our home")]))

    assert posted_one(me, withdrawal(checking, "800"))["bill_id"] == int(bill["id"])


def test_a_rule_links_to_a_bill_even_if_the_bill_does_not_match(me: Client, checking: str, world: World) -> None:
    bill = stored_bill(me, a_bill())
    other = stored_bill(me, a_bill(name="Other", match="groceries", amount_min="1", amount_max="50"))
    stored(me, a_rule(actions=[("link_to_bill", "Rent")]))

    shown = posted_one(me, groceries(checking))
    assert shown["bill_id"] == int(bill["id"])
    assert changed(me, shown, groceries(checking, notes="later"))["bill_id"] == int(bill["id"]), "and it stays"
    chosen = posted_one(me, groceries(checking, bill_id=other["id"]))
    assert chosen["bill_id"] == int(other["id"]), "but not over what was chosen by hand"
    assert posted_one(me, deposit(checking, description="Groceries"))["bill_id"] is None
    assert findings(world, me) == []


def test_an_update_runs_its_own_rules(me: Client, checking: str, world: World) -> None:
    group_id = a_group(me)
    stored(me, a_rule(group_id, title="store", actions=[("add_tag", "made")]))
    stored(me, a_rule(group_id, title="update", trigger="update-journal", actions=[("add_tag", "changed")]))

    shown = posted_one(me, groceries(checking))
    assert shown["tags"] == "made"
    after = changed(me, shown, groceries(checking, amount="30", tags="made"))
    assert after["tags"] == "made,changed"
    assert balance(me, checking) == "-30"
    assert findings(world, me) == []


def test_an_update_moves_money_where_the_rules_say(me: Client, checking: str, savings: str, world: World) -> None:
    shown = posted_one(me, groceries(checking, amount="20"))
    stored(me, a_rule(trigger="update-journal", actions=[("set_source_account", "Savings")]))

    assert changed(me, shown, groceries(checking, amount="20"))["source_name"] == "Savings"
    assert (balance(me, checking), balance(me, savings)) == ("0", "-20")
    assert findings(world, me) == []


def test_attachments_count_when_a_transaction_is_changed(me: Client, checking: str) -> None:
    stored(me, a_rule(trigger="update-journal", triggers=["has_attachments"], actions=[("add_tag", "filed")]))
    shown = posted_one(me, groceries(checking))
    assert changed(me, shown, groceries(checking))["tags"] is None

    body = {"filename": "a.txt", "model": "TransactionJournal", "model_id": shown["journal_id"]}
    attached = me.post("/attachments", body).json()["data"]["id"]
    assert changed(me, shown, groceries(checking))["tags"] is None, "still without content"
    me.request("POST", f"/attachments/{attached}/upload", content=b"a text")

    assert changed(me, shown, groceries(checking))["tags"] == "filed"


def test_a_bill_undone_by_hand_stays_undone(me: Client, checking: str) -> None:
    bill = stored_bill(me, a_bill())
    stored(me, a_rule(trigger="update-journal", actions=[("link_to_bill", "Rent")]))
    shown = posted_one(me, groceries(checking))

    assert changed(me, shown, groceries(checking))["bill_id"] == int(bill["id"])
    assert changed(me, shown, groceries(checking, bill_id=""))["bill_id"] is None
    assert changed(me, shown, groceries(checking))["bill_id"] is None


def test_rules_run_on_bulk_requests(me: Client, checking: str, world: World) -> None:
    stored(me, a_rule(actions=[("set_category", "Food"), ("set_destination_account", "Shop"), ("add_tag", "x")]))
    many = [groceries(checking, date=f"2024-05-{number + 1:02}") for number in range(5)]
    wrong = withdrawal("999999999", description="Groceries")

    response = me.post("/transactions/bulk", {"transactions": [*many, wrong], "partial": True})

    shown = [one["data"][0]["attributes"] for one in response.json()["data"] if one["status"] == 200]
    assert {(one["category_name"], one["destination_name"], one["tags"]) for one in shown} == {("Food", "Shop", "x")}
    assert len(account_named(me, "Shop")) == 1
    assert balance(me, checking) == "-62.5"
    assert findings(world, me) == []


def test_a_split_transaction_is_one_transaction_to_a_rule(me: Client, checking: str) -> None:
    stored(me, a_rule(triggers=[("description_is", "milk"), ("amount_exactly", "15")]))
    bread, milk = (
        split(source_id=checking, destination_name="Grocer", description=text, amount=amount)
        for text, amount in (("Bread", "10"), ("Milk", "5"))
    )

    shown = posted(me, a_transaction("withdrawal", bread, milk))

    assert [one["attributes"]["category_name"] for one in shown] == ["Food", "Food"]


@pytest.mark.parametrize(
    ("apply_rules", "category", "bill"), [(True, "Sport", "Rent"), (False, None, None), ("1", "Sport", "Rent")]
)
def test_rules_run_on_a_recurrence_only_if_it_says_so(
    me: Client, checking: str, world: World, apply_rules: Any, category: Any, bill: Any
) -> None:
    stored_bill(me, a_bill())
    actions = [("set_category", "Sport"), ("add_tag", "fit"), ("set_notes", "n"), ("link_to_bill", "Rent")]
    stored(me, a_rule(triggers=[("to_account_is", "gym ltd"), ("tag_is", "monthly")], actions=actions))
    made_by = stored_recurrence(me, a_recurrence(checking, apply_rules=apply_rules, tags="monthly"))

    assert fired(me, "2024-07-01", made_by["id"]) == ["2024-06-01", "2024-07-01"]

    shown = [one["attributes"] for one in listed(me)]
    assert [one["category_name"] for one in shown] == [category] * 2
    assert [one["tags"] for one in shown] == ["monthly,fit" if category else "monthly"] * 2
    assert [one["bill_name"] for one in shown] == [bill] * 2
    assert [one["recurrence_id"] for one in shown] == [int(made_by["id"])] * 2
    assert balance(me, checking, date="2024-12-31") == "-50.9"
    assert findings(world, me) == []


def test_a_recurrence_that_no_rule_matches_is_booked_as_it_is(me: Client, checking: str, world: World) -> None:
    stored(me, a_rule())
    stored_recurrence(me, a_recurrence(checking))

    assert fired(me, "2024-06-01") == ["2024-06-01"]
    assert findings(world, me) == []


def test_an_action_that_does_not_apply_does_not_prevent_the_write(
    me: Client, checking: str, savings: str, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    stored(me, a_rule(actions=[("set_source_account", "Savings"), ("set_category", "Food")]))
    me.delete(f"/accounts/{savings}")

    with caplog.at_level(logging.WARNING, logger="farthing.rules"):
        shown = posted_one(me, groceries(checking))

    assert (shown["source_name"], shown["category_name"]) == ("Checking", "Food")
    assert "the rule “Groceries are food” could not set the source account to 'Savings'" in caplog.text
    assert findings(world, me) == []


def test_a_budget_or_bill_that_was_deleted_is_left_out(me: Client, checking: str) -> None:
    budget = me.post("/budgets", {"name": "Daily", "active": True}).json()["data"]["id"]
    bill = stored_bill(me, a_bill())
    stored(me, a_rule(actions=[("set_budget", "Daily"), ("link_to_bill", "Rent"), ("add_tag", "x")]))
    me.delete(f"/budgets/{budget}")
    me.delete(f"/bills/{bill['id']}")

    shown = posted_one(me, groceries(checking))

    assert (shown["budget_id"], shown["bill_id"], shown["tags"]) == (None, None, "x")


def test_a_transfer_to_a_piggy_bank_stays_on_its_account(me: Client, checking: str, savings: str, world: World) -> None:
    made(me, asset(name="Vault"))
    piggy = me.post("/piggy_banks", {"name": "Bicycle", "account_id": savings, "target_amount": "600"}).json()["data"]
    stored(me, a_rule(triggers=["no_notes"], actions=[("set_destination_account", "Vault")]))

    kept = posted_one(me, transfer(checking, savings, piggy_bank_id=piggy["id"]))
    moved = posted_one(me, transfer(checking, savings))

    assert (kept["destination_name"], moved["destination_name"]) == ("Savings", "Vault")
    assert findings(world, me) == []


@pytest.mark.parametrize("off", ["rule", "group"])
def test_inactive_rules_and_groups_do_not_run(me: Client, checking: str, off: str) -> None:
    group_id = a_group(me, active=off != "group")
    rule = stored(me, a_rule(group_id, active=off != "rule"))

    assert posted_one(me, groceries(checking))["category_name"] is None
    me.put(f"/rule_groups/{group_id}", {"title": "Daily life", "active": True})
    me.put(f"/rules/{rule['id']}", a_rule(group_id))
    assert posted_one(me, groceries(checking))["category_name"] == "Food", "and at once when it is again"


def test_rules_run_in_the_order_of_groups_and_within_them(me: Client, checking: str) -> None:
    late, early = a_group(me, "late"), a_group(me, "early")
    stored(me, a_rule(late, title="a", actions=[("append_description", "third")]))
    stored(me, a_rule(early, title="b", actions=[("append_description", "second")], stop_processing=True))
    stored(me, a_rule(early, title="c", actions=[("append_description", "first")], order=1))
    stored(me, a_rule(early, title="d", actions=[("append_description", "never")]))

    assert posted_one(me, groceries(checking))["description"] == "Groceries third first second"
    me.put(f"/rule_groups/{early}", {"title": "early", "active": True, "order": 1})
    assert posted_one(me, groceries(checking))["description"] == "Groceries first second third"


def test_changed_rules_apply_to_the_next_transaction(me: Client, checking: str) -> None:
    rule = stored(me, a_rule())
    assert posted_one(me, groceries(checking))["category_name"] == "Food"
    me.put(f"/rules/{rule['id']}", a_rule(actions=[("set_category", "Drink")]))
    assert posted_one(me, groceries(checking))["category_name"] == "Drink"
    drink = next(one["id"] for one in listed(me, "/categories") if one["attributes"]["name"] == "Drink")
    me.put(f"/categories/{drink}", {"name": "Tea"})
    assert posted_one(me, groceries(checking))["category_name"] == "Tea"
    me.delete(f"/rules/{rule['id']}")
    assert posted_one(me, groceries(checking))["category_name"] is None


def test_another_server_notices_changed_rules(me: Client, checking: str, world: World) -> None:
    """A server keeps rules with their version: those of an older version are never used again."""
    rule = stored(me, a_rule())
    posted_one(me, groceries(checking))
    cached = apply._cache[me.user.id]

    apply._cache.clear()  # the change comes in at another server
    me.put(f"/rules/{rule['id']}", a_rule(actions=[("set_category", "Drink")]))
    apply._cache[me.user.id] = cached

    assert posted_one(me, groceries(checking))["category_name"] == "Drink"
    with world.books.reading() as db:
        version = db.value("SELECT rules_version FROM users WHERE id = :id", id=me.user.id)
    assert version != cached[0]


def test_a_user_without_rules_needs_no_query_for_rules(
    me: Client, checking: str, world: World, monkeypatch: Any
) -> None:
    rule = stored(me, a_rule())
    me.delete(f"/rules/{rule['id']}")
    monkeypatch.setattr(apply.store, "find_running", lambda *_: pytest.fail("asked for rules"))

    posted_one(me, groceries(checking))

    with world.books.reading() as db:
        assert db.value("SELECT rules_version FROM users WHERE id = :id", id=me.user.id) == 0


def test_rules_do_not_run_on_opening_balances(me: Client, world: World) -> None:
    stored(me, a_rule(triggers=[("amount_more", "0")], actions=[("set_description", "x")]))

    made(me, asset(name="New", opening_balance="5", opening_balance_date="2024-01-01"))

    assert [one["attributes"]["description"] for one in listed(me, type="all")] == ["Initial balance of New"]
