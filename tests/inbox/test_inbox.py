"""The inbox lists what waits, grouped by payee, until somebody has looked at it."""

from datetime import timedelta

import pytest

from ..moving.import_jobs.making import a_csv, an_account, imported
from ..suggestions.making import accepted, asset, bought, errors, made
from ..transactions.making import deposit, findings, posted_one, transfer


@pytest.fixture
def checking(me):
    return made(me, asset())


def inbox(client, **query):
    response = client.get("/inbox", **query)
    assert response.status_code == 200, response.text
    return response.json()


def groups(client, **query):
    return [(group["payee_name"], group["count"]) for group in inbox(client, **query)["data"]]


def test_transactions_without_a_category_wait_grouped_by_payee_the_largest_group_first(me, checking):
    for number in range(3):
        bought(me, checking, f"Soap {number}", "Chemist", date=f"2024-05-0{number + 1}")
    bought(me, checking, "Bread", "Baker")
    bought(me, checking, "Cake", "Baker", category_name="Food")
    posted_one(me, deposit(checking))
    posted_one(me, transfer(checking, made(me, asset())))

    shown = inbox(me)

    assert [(group["payee_name"], group["count"], group["type"]) for group in shown["data"]] == [
        ("Chemist", 3, "Withdrawal"), ("Work", 1, "Deposit"), ("Baker", 1, "Withdrawal"),
    ]  # fmt: skip
    assert shown["meta"] == {"without_category": 5, "without_budget": None, "imported": 0, "waiting": 5, "more": False}
    first = shown["data"][0]["transactions"][0]
    assert (first["date"], first["description"], first["reasons"]) == ("2024-05-03", "Soap 2", ["without_category"])
    assert (first["amount"], first["account_id"], first["category_name"]) == (12.5, checking, None)
    assert inbox(me, counts_only="1") == {"data": [], "meta": shown["meta"]}


def test_rows_without_a_payee_are_grouped_by_the_name_in_their_text(me, checking):
    bought(me, checking, "SHELL OIL 57442", None)
    bought(me, checking, "SHELL OIL 1234", None)

    [group] = inbox(me)["data"]

    assert (group["payee_id"], group["payee_name"], group["count"]) == (None, "Shell", 2)


def test_those_without_a_budget_wait_only_by_choice(me, checking):
    me.post("/budgets", {"name": "Daily", "active": True})
    bought(me, checking, "Bread", "Baker", category_name="Food")
    bought(me, checking, "Cake", "Baker", category_name="Food", budget_name="Daily")

    assert groups(me) == []
    shown = inbox(me, reasons="without_budget")
    assert [(group["payee_name"], group["count"]) for group in shown["data"]] == [("Baker", 1)]
    assert shown["meta"] == {
        "without_category": None,
        "without_budget": 1,
        "imported": None,
        "waiting": 1,
        "more": False,
    }
    assert "reasons" in errors(me.get("/inbox", reasons="mood"))


@pytest.fixture
def brought(world, me):
    rows = ("2024-05-01,Baker,Bread,-2.50", "2024-05-02,Baker,Cake,-9.00", "2024-05-03,Aral,Fuel,-40.00")
    imported(world, me, a_csv(*rows), account_id=an_account(me, "Imported into"))
    before = world.time.now
    world.time.now += timedelta(hours=1)
    yield [one["transactions"] for one in inbox(me, reasons="imported")["data"]]
    world.time.now = before


def test_imported_rows_wait_until_they_are_changed_or_somebody_says_that_they_are_right(world, me, brought):
    [[cake, bread], [fuel]] = brought
    assert fuel["reasons"] == ["imported"]
    assert inbox(me)["data"][0]["transactions"][0]["reasons"] == ["without_category", "imported"]

    me.put("/transactions/bulk", {"ids": [bread["transaction_id"]], "category_name": "Food"})
    seen = me.put("/inbox", {"ids": fuel["transaction_id"]})

    assert seen.json()["data"] == {"looked_at": 1}
    left = inbox(me, reasons="imported")
    assert [one["transaction_id"] for group in left["data"] for one in group["transactions"]] == [
        cake["transaction_id"]
    ]
    assert left["meta"]["imported"] == 1
    [change] = me.get("/changes", limit=1).json()["data"]
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert inbox(me, reasons="imported")["meta"]["imported"] == 2
    assert findings(world, me) == []


def test_accepting_a_suggestion_is_looking_at_it(me, brought):
    [[cake, bread], _] = brought
    me.put("/transactions/bulk", {"ids": [bread["transaction_id"]], "category_name": "Food"})

    accepted(me, {"id": cake["transaction_id"]}, confidence="0.3")

    assert groups(me) == [("Aral", 1)]


def test_undoing_an_import_empties_the_inbox(world, me, brought):
    assert len(brought) == 2
    [job] = me.get("/import_jobs").json()["data"]

    undone = me.post(f"/import_jobs/{job['id']}/undo")

    assert undone.status_code == 200, undone.text
    assert inbox(me)["data"] == []
    assert inbox(me)["meta"] == {
        "without_category": 0,
        "without_budget": None,
        "imported": 0,
        "waiting": 0,
        "more": False,
    }
    assert findings(world, me) == []


def test_what_is_wrong_is_named_by_its_field(me):
    assert "ids" in errors(me.put("/inbox", {}))
    assert "ids" in errors(me.put("/inbox", {"ids": "999999999"}))
    assert "ids" in errors(me.put("/inbox", {"ids": ["1"] * 1001}))
