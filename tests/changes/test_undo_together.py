"""Undoing what later changes rest on: a preview shows all that would go, and all of it is undone as one change."""

from ..accounts.making import asset
from ..moving.import_jobs.making import a_csv, an_account, imported
from ..transactions.making import a_transaction, findings, made, posted_one, split
from .test_undo import last, refused, seen, undone


def preview(client, change):
    response = client.get(f"/changes/{change['id']}/undo")
    assert response.status_code == 200, response.text
    return response.json()["data"]


def undone_with_later(client, change):
    response = client.post(f"/changes/{change['id']}/undo?with_later=1")
    assert response.status_code == 200, response.text
    return response.json()["data"]


def test_what_rests_on_a_change_is_shown_and_undone_with_it_as_one(world, me):
    checking = made(me, asset())
    before = seen(me)
    food = me.post("/categories", {"name": "Food"}).json()["data"]["id"]
    creation = last(me)
    bread = a_transaction(
        "withdrawal", split(source_id=checking, amount="12.5", category_id=food, destination_name="Baker")
    )
    transaction = posted_one(me, bread)
    me.put(f"/categories/{food}", {"name": "Meals"})
    after = seen(me)

    shown = preview(me, creation)
    message = refused(me, creation)
    done = undone_with_later(me, creation)

    assert [each["summary"] for each in shown["changes"]] == [
        "Changed 1 category", "Made 1 account and 1 transaction", "Made 1 category"
    ]  # fmt: skip
    objects = [(each["kind"], each["name"], each["id"], each["action"]) for each in shown["objects"]]
    assert ("transactions", "a transaction", str(transaction["id"]), "deleted") in objects
    assert ("categories", "Meals", food, "deleted") in objects
    assert [(each["currency_code"], each["amount"], each["transactions"]) for each in shown["sums"]] == [
        ("EUR", 12.5, 1)
    ]
    assert shown["is_possible"]
    assert "“Meals”" in message
    assert "with_later" in message
    assert seen(me) == before
    assert findings(world, me) == []

    undone(me, done)
    assert seen(me) == after
    assert findings(world, me) == []


def test_what_an_undo_of_several_restored_can_be_undone_like_any_change(world, me):
    for name in ("One", "Two"):
        made(me, asset(name=name))
    one, two = (each["id"] for each in me.get("/accounts", type="asset").json()["data"][-2:])
    me.put(f"/accounts/{one}", asset(name="First"))
    oldest = last(me)
    me.put(f"/accounts/{two}", asset(name="Second"))
    between = last(me)
    me.put(f"/accounts/{one}", asset(name="Third"))

    undone_with_later(me, oldest)
    undone(me, between)

    names = {each["id"]: each["attributes"]["name"] for each in me.get("/accounts", type="asset").json()["data"]}
    assert (names[one], names[two]) == ("One", "Two")


def test_an_import_is_one_change_however_it_was_cut(world, me):
    account_id = an_account(me)
    rows = [f"2024-05-{1 + row % 28:02},,Shop {row},-1" for row in range(90)]  # more than are booked at once
    imported(world, me, a_csv(*rows), account_id=account_id)
    job = me.get("/import_jobs").json()["data"][0]

    changes = [each for each in me.get("/changes").json()["data"] if each["attributes"]["doing"].startswith("import")]
    (whole,) = [each for each in changes if "transactions" in {count["kind"] for count in each["attributes"]["counts"]}]
    shown = preview(me, whole)
    taken_back = undone(me, whole)

    assert whole["attributes"]["summary"].startswith("Made")
    assert "90 transactions" in whole["attributes"]["summary"]
    assert shown["import_job_id"] == str(job["id"])
    assert shown["sums"][0]["transactions"] == 90
    assert me.get("/transactions").json()["data"] == []
    assert me.get(f"/import_jobs/{job['id']}").json()["data"]["attributes"]["state"] == "undone"
    undone(me, taken_back)
    assert len(me.get("/transactions", limit=100).json()["data"]) == 90
    assert me.get(f"/import_jobs/{job['id']}").json()["data"]["attributes"]["state"] == "done"
