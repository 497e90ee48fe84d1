"""Suggestions follow what was done before, say so, and learn from every change at once."""

import pytest

from farthing.ledger.kinds import Type
from farthing.overviews.suggestions.model import SuggestionSubject
from farthing.overviews.suggestions.suggest import find

from ..changes.test_undo import seen, undone
from ..rules.making import a_group
from ..transactions.making import a_transaction, findings, posted_one, split
from .making import accepted, asset, bought, errors, made, name_of, suggested, suggested_for


@pytest.fixture
def checking(me):
    return made(me, asset())


def test_a_draft_gets_what_its_payee_had_before_with_the_newest_three_as_reasons(me, checking):
    client_budget = me.post("/budgets", {"name": "Daily", "active": True})
    assert client_budget.status_code == 200
    labels = {"category_name": "Food", "budget_name": "Daily", "tags": "shop"}
    earlier = [
        bought(me, checking, "Weekly shop", "Grocer", date=f"2024-05-0{day}", amount=f"{day}.50", **labels)
        for day in range(1, 6)
    ]

    [suggestion] = suggested(me, {"description": "Weekly shop", "destination_name": "grocer", "amount": "12"})

    assert name_of(suggestion["category"]) == "Food"
    assert suggestion["category"]["confidence"] > 0.9
    reasons = suggestion["category"]["because"]
    assert [reason["transaction_id"] for reason in reasons] == [one["id"] for one in earlier[:1:-1]]
    assert (reasons[0]["date"], reasons[0]["payee_name"], reasons[0]["amount"]) == ("2024-05-05", "Grocer", 5.5)
    assert name_of(suggestion["budget"]) == "Daily"
    assert [tag["name"] for tag in suggestion["tags"]] == ["shop"]
    assert (suggestion["transaction_id"], suggestion["payee"], suggestion["rule"]) == (None, None, None)


def test_nothing_is_suggested_in_new_books_but_a_name_for_the_payee(me):
    drafts = [{"description": "SHELL OIL 57442"}, {"destination_name": "Corner shop"}, {"description": "Weekly shop"}]

    [bank, plain, typed] = suggested(me, *drafts)

    assert (bank["category"], bank["budget"], bank["tags"]) == (None, None, [])
    assert (bank["payee"]["id"], bank["payee"]["name"], bank["payee"]["because"]) == (None, "Shell", [])
    assert (plain["payee"], typed["payee"]) == (None, None)


def test_a_payee_as_the_bank_writes_it_is_recognised_by_earlier_texts_or_by_its_name(me, checking):
    named = bought(me, checking, "SHELL OIL 11111", "Shell station", category_name="Car")
    bought(me, checking, "Fuel", "Aral", category_name="Car")

    [by_text, by_name] = suggested(me, {"description": "SHELL OIL 57442"}, {"destination_name": "ARAL 9921 BERLIN"})

    assert by_text["payee"]["name"] == "Shell station"
    assert [reason["transaction_id"] for reason in by_text["payee"]["because"]] == [named["id"]]
    assert name_of(by_text["category"]) == "Car"
    assert by_name["payee"]["name"] == "Aral"
    assert by_name["payee"]["id"] is not None


def test_the_words_decide_between_two_categories_of_one_payee(me, checking):
    for number in range(4):
        bought(me, checking, f"Novels {number}", "Bookshop", category_name="Books")
    bought(me, checking, "Gift voucher", "Bookshop", category_name="Presents")

    [novels, voucher] = suggested(
        me,
        {"description": "Novels 99", "destination_name": "Bookshop"},
        {"description": "Gift voucher", "destination_name": "Bookshop"},
    )

    assert (name_of(novels["category"]), name_of(voucher["category"])) == ("Books", "Presents")


def test_a_correction_counts_at_once_and_so_does_undoing_it(me, world, checking):
    earlier = bought(me, checking, "Lunch", "Canteen", category_name="Food")
    waiting = bought(me, checking, "Lunch", "Canteen")
    assert name_of(suggested_for(me, waiting)[0]["category"]) == "Food"

    changed = me.put("/transactions/bulk", {"ids": [earlier["id"]], "category_name": "Work"})
    assert changed.status_code == 200
    assert name_of(suggested_for(me, waiting)[0]["category"]) == "Work"

    [last] = me.get("/changes", limit=1).json()["data"]
    assert me.post(f"/changes/{last['id']}/undo").status_code == 200
    assert name_of(suggested_for(me, waiting)[0]["category"]) == "Food"
    assert me.delete(f"/transactions/{earlier['id']}").status_code == 204
    assert suggested_for(me, waiting)[0]["category"] is None
    assert findings(world, me) == []


def test_a_merged_category_is_suggested_in_place_of_the_old_one(me, checking):
    earlier = bought(me, checking, "Lunch", "Canteen", category_name="Eating")
    other = bought(me, checking, "Soup", "Kiosk", category_name="Food")
    waiting = bought(me, checking, "Lunch", "Canteen")

    merged = me.post(f"/categories/{earlier['category_id']}/merge", {"into_id": other["category_id"]})

    assert merged.status_code == 200, merged.text
    assert name_of(suggested_for(me, waiting)[0]["category"]) == "Food"


def test_newer_transactions_without_a_category_do_not_hide_older_ones_with_one(me, checking):
    bought(me, checking, "Fuel", "Aral", category_name="Car", date="2023-01-01")
    rows = [bought(me, checking, "Fuel", "Aral", date="2024-05-10") for _ in range(40)]

    assert name_of(suggested_for(me, rows[-1])[0]["category"]) == "Car"


def test_a_stored_transaction_gets_only_what_it_lacks(me, checking):
    for _ in range(3):
        bought(me, checking, "Fuel", "Aral", category_name="Car", tags="car")
    waiting = bought(me, checking, "Fuel", "Aral", category_name="Travel")

    [suggestion] = suggested_for(me, waiting)

    assert suggestion["transaction_id"] == waiting["id"]
    assert suggestion["category"] is None


def test_who_only_tags_gets_tags(me, checking):
    for _ in range(4):
        bought(me, checking, "Fuel", "Aral", tags="car")

    [suggestion] = suggested(me, {"description": "Fuel", "destination_name": "Aral"})

    assert [tag["name"] for tag in suggestion["tags"]] == ["car"]
    assert suggestion["category"] is None


def test_deposits_learn_from_deposits_and_get_no_budget(me, checking):
    me.post("/budgets", {"name": "Daily", "active": True})
    for _ in range(3):
        bought(me, checking, "Bonus", "Work", category_name="Meals", budget_name="Daily")

    [suggestion] = suggested(me, {"type": "deposit", "description": "Bonus", "source_name": "Work"})

    assert (suggestion["category"], suggestion["budget"]) == (None, None)


def test_a_dry_run_changes_nothing_and_then_all_sure_ones_are_accepted_as_one_change(me, world, checking):
    for _ in range(4):
        bought(me, checking, "Fuel", "Aral", category_name="Car", tags="car")
        bought(me, checking, "Bread", "Baker", category_name="Food")
    rows = [
        bought(me, checking, "Fuel", "Aral"),
        bought(me, checking, "Bread", "Baker"),
        bought(me, checking, "?", "X"),
    ]
    revision = me.get("/changes", limit=1).json()["data"][0]["id"]

    dry = accepted(me, *rows, dry_run=True)

    assert dry["meta"] == {"accepted": 2, "left_out": 1, "confidence": 0.9, "dry_run": True}
    assert me.get("/changes", limit=1).json()["data"][0]["id"] == revision
    done = accepted(me, *rows)
    assert done["data"] == dry["data"]
    assert _labels(me, rows) == [("Car", "car"), ("Food", ""), (None, "")]
    [change] = me.get("/changes", limit=1).json()["data"]
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert _labels(me, rows) == [(None, ""), (None, ""), (None, "")]
    assert findings(world, me) == []


def _labels(client, rows):
    shown = [client.get(f"/transactions/{row['id']}").json()["data"][0]["attributes"] for row in rows]
    return [(one["category_name"], one["tags"] or "") for one in shown]


def test_less_sure_suggestions_are_accepted_only_if_one_asks_for_them(me, checking):
    bought(me, checking, "Fuel", "Aral", category_name="Car")
    row = bought(me, checking, "Fuel at night", "Aral")

    assert accepted(me, row)["meta"]["accepted"] == 0
    assert accepted(me, row, confidence="0.5")["meta"]["accepted"] == 1


def test_the_third_equal_correction_offers_a_rule_that_can_be_made_as_it_is(me, checking):
    a_group(me)
    rows = [bought(me, checking, "Meal", "Canteen", category_name="Food") for _ in range(3)]
    waiting = bought(me, checking, "Meal", "Canteen")
    offers = []
    for row in rows:
        assert me.put("/transactions/bulk", {"ids": [row["id"]], "category_name": "Work"}).status_code == 200
        offers.append(suggested_for(me, waiting)[0]["rule"])

    assert offers[:2] == [None, None]
    assert offers[2]["title"] == "Canteen: Work"
    assert offers[2]["rule_triggers"] == [{"name": "to_account_is", "value": "Canteen"}]
    assert offers[2]["rule_actions"] == [{"name": "set_category", "value": "Work"}]
    assert suggested_for(me, rows[2])[0]["rule"] == offers[2]
    made_rule = me.post("/rules", offers[2])
    assert made_rule.status_code == 200, made_rule.text
    assert suggested_for(me, waiting)[0]["rule"] is None


def test_without_a_payee_the_rule_is_about_what_the_texts_begin_with(me, checking):
    rows = [bought(me, checking, f"SHELL OIL {number} BERLIN", None) for number in (11, 2222, 333)]

    me.put("/transactions/bulk", {"ids": [row["id"] for row in rows], "category_name": "Car"})

    [suggestion] = suggested(me, {"description": "SHELL OIL 57442 BERLIN"})
    assert suggestion["rule"]["title"] == "Shell: Car"
    assert suggestion["rule"]["rule_triggers"] == [{"name": "description_starts", "value": "shell oil"}]


def test_what_is_wrong_is_named_by_its_field(me):
    assert "transactions" in errors(me.post("/suggestions", {}))
    assert "transactions.1.description" in errors(
        me.post("/suggestions", {"transactions": [{"description": "x"}, {"amount": "1"}]})
    )
    assert "transactions.0.amount" in errors(
        me.post("/suggestions", {"transactions": [{"description": "x", "amount": "-1"}]})
    )
    assert "transactions" in errors(me.post("/suggestions", {"transactions": [{"description": "x"}] * 101}))
    assert "ids" in errors(me.get("/transactions/suggestions"))
    assert "ids" in errors(me.get("/transactions/suggestions", ids="999999999"))
    assert "confidence" in errors(me.put("/transactions/suggestions", {"ids": "1", "confidence": "2"}))


def test_nobody_learns_from_the_books_of_others(me, someone_else, checking):
    bought(me, checking, "Fuel", "Aral", category_name="Car")

    [suggestion] = suggested(someone_else, {"description": "Fuel", "destination_name": "Aral"})

    assert (suggestion["category"], suggestion["payee"]) == (None, None)


def test_a_deposit_of_a_shop_is_suggested_and_accepted_as_a_refund_of_its_purchase(world, me, checking):
    me.post("/budgets", {"name": "Clothes", "active": True})
    labels = {"category_name": "Shoes", "budget_name": "Clothes"}
    bought(me, checking, "Boots", "Cobbler", date="2024-05-01", amount="80", **labels)
    laces = bought(me, checking, "Laces", "Cobbler", date="2024-05-02", amount="4", category_name="Small things")
    [wages, back] = (
        posted_one(
            me, a_transaction("deposit", split(destination_id=checking, source_name=name, amount=amount), date=on)
        )
        for name, amount, on in (("Employer", "80", "2024-05-20"), ("Cobbler", "80", "2024-05-20"))
    )

    [no_refund, suggestion] = suggested_for(me, wages, back)

    assert no_refund["refund"] is None
    assert (suggestion["refund"]["purchase"]["description"], suggestion["refund"]["confidence"]) == ("Boots", 0.95)
    assert [suggestion[label]["name"] for label in ("category", "budget")] == ["Shoes", "Clothes"]
    before = seen(me)
    answer = accepted(me, wages, back)
    assert (answer["meta"]["accepted"], answer["data"][0]["transaction_id"]) == (1, back["id"])
    refund = me.get(f"/transactions/{back['id']}").json()["data"][0]["attributes"]
    assert (refund["refund"], refund["category_name"], refund["budget_name"]) == (True, "Shoes", "Clothes")
    [link] = me.get(f"/transactions/{back['id']}/links").json()["data"]
    assert (link["attributes"]["outward"], link["attributes"]["link_type_id"]) == ("refunds", 2)
    assert findings(world, me) == []
    undone(me)
    assert seen(me) == before

    accepted(me, back)
    part = split(destination_id=checking, source_name="Cobbler", amount="3")
    again = posted_one(me, a_transaction("deposit", part, date="2024-05-21"))
    purchase = suggested_for(me, again)[0]["refund"]["purchase"]
    assert purchase["transaction_id"] == laces["id"], "the boots are refunded already"


def test_a_thousand_different_payees_get_suggestions_at_once(world, me, checking):
    bought(me, checking, "Bread", "Baker 999 x", category_name="Food")
    names = [*(f"{number}aker {number} x" for number in range(999)), "Baker 999 x"]

    with world.books.reading() as db:
        subjects = [SuggestionSubject(type=Type.WITHDRAWAL, description="Bread", payee=name) for name in names]
        suggestions = find(db, me.user.id, subjects)

    assert len(suggestions) == 1000
    assert suggestions[-1].category.name == "Food"
