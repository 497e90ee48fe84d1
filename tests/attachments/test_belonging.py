"""Files follow what they belong to: listed with it, counted by it, gone with it."""

from ..transactions.making import withdrawal
from .making import a_bill, a_transaction, asset, attached, files, listed, made, promised, shown


def counted(client, bill_id):
    return client.get(f"/bills/{bill_id}").json()["data"]["attributes"]["attachments_count"]


def test_a_bill_counts_and_lists_its_attachments(me):
    bill_id, other = a_bill(me), a_bill(me)
    here = {"model": "Bill", "model_id": bill_id}
    ids = [attached(me, **here), attached(me, **here)]
    promised(me, **here)
    attached(me, model="Bill", model_id=other)
    attached(me, model="Transaction", model_id=a_transaction(me)["journal_id"])

    answer = me.get(f"/bills/{bill_id}/attachments", limit=1).json()

    assert [one["id"] for one in answer["data"]] == ids[:1]
    assert answer["meta"]["pagination"]["total"] == 2
    assert [one["type"] for one in answer["included"]] == ["users"]
    assert answer["links"]["next"].endswith(f"/api/v1/bills/{bill_id}/attachments?limit=1&page=2")
    assert (counted(me, bill_id), counted(me, other)) == (2, 1)


def test_a_list_of_bills_counts_for_each(me):
    bills = [a_bill(me) for _ in range(3)]
    for bill_id in (bills[0], bills[0], bills[2]):
        attached(me, model="Bill", model_id=bill_id)

    counts = {one["id"]: one["attributes"]["attachments_count"] for one in me.get("/bills").json()["data"]}

    assert counts == {bills[0]: 2, bills[1]: 0, bills[2]: 1}


def test_bills_bring_their_attachments_along_not_paged(me):
    bill_id, other = a_bill(me), a_bill(me)
    ids = [attached(me, model="Bill", model_id=bill_id) for _ in range(3)]
    promised(me, model="Bill", model_id=bill_id)

    one = me.get(f"/bills/{bill_id}", include="attachments", limit=1).json()
    several = me.get("/bills", include="attachments").json()

    for answer, thing in ((one, one["data"]), (several, several["data"][0])):
        assert [reference["id"] for reference in thing["relationships"]["attachments"]["data"]] == ids
        brought = [("attachments", name) for name in ids] + [("users", str(me.user.id))]
        assert [(found["type"], found["id"]) for found in answer["included"]] == brought
    assert several["data"][1]["id"] == other
    assert several["data"][1]["relationships"]["attachments"]["data"] == []
    assert one["included"][0] == me.get(f"/attachments/{ids[0]}").json()["data"]


def test_attachments_that_come_along_bring_their_user_and_their_notes(me):
    bill_id = a_bill(me)
    noted = attached(me, model="Bill", model_id=bill_id, notes="from the *scanner*")
    bare = attached(me, model="Bill", model_id=bill_id)

    for include in ("attachments", "attachments.notes", "attachments.nonsense,attachments"):
        answer = me.get(f"/bills/{bill_id}", include=include).json()
        assert [(one["type"], one["id"]) for one in answer["included"]] == [
            ("attachments", noted), ("attachments", bare), ("users", str(me.user.id)), ("notes", noted)
        ]  # fmt: skip
        assert answer["included"][0]["relationships"]["notes"]["data"] == [{"type": "notes", "id": noted}]
        assert answer["included"][1]["relationships"]["notes"]["data"] == []
        assert list(answer["data"]["relationships"]) == ["attachments"]


def test_a_transaction_lists_its_attachments_under_each_of_its_splits(me):
    transaction = a_transaction(me)
    attachment_id = attached(me, model="TransactionJournal", model_id=transaction["journal_id"])
    promised(me, model="TransactionJournal", model_id=transaction["journal_id"])
    splits = me.get(f"/transactions/{transaction['id']}", include="attachments").json()

    assert len(splits["data"]) == 2
    for one in splits["data"]:
        assert listed(me, f"/transactions/{one['id']}/attachments") == [attachment_id]
        assert one["relationships"]["attachments"]["data"] == [{"type": "attachments", "id": attachment_id}]
    brought = [("attachments", attachment_id), ("users", str(me.user.id))]
    for answer in (splits, me.get("/transactions", include="attachments").json()):
        assert [(one["type"], one["id"]) for one in answer["included"]] == brought


def test_what_is_somebody_elses_has_no_list(me, someone_else):
    for path in (f"/bills/{a_bill(me)}/attachments", f"/transactions/{a_transaction(me)['id']}/attachments"):
        assert someone_else.get(path).status_code == 404


def test_a_moved_attachment_is_counted_where_it_is(me):
    first, second = a_bill(me), a_bill(me)
    attachment_id = attached(me, model="Bill", model_id=first)

    me.put(f"/attachments/{attachment_id}", {"model": "Bill", "model_id": second})

    assert (counted(me, first), counted(me, second)) == (0, 1)
    me.put(f"/attachments/{attachment_id}", {"model": "Transaction", "model_id": a_transaction(me)["journal_id"]})
    assert (counted(me, second), shown(me, attachment_id)["attachable_type"].rpartition("\\")[2]) == (
        0,
        "TransactionJournal",
    )


# What goes, takes its files along


def removals(world, client):
    with world.books.reading() as db:
        rows = db.all(
            """
            SELECT object_id, before FROM changes
            WHERE user_id = :id AND kind = 'attachments' AND action = 'removed' ORDER BY id
            """,
            id=client.user.id,
        )
    return {str(object_id): before for object_id, before in rows}


def test_a_bill_takes_its_attachments_along(world, me):
    bill_id = a_bill(me)
    here = {"model": "Bill", "model_id": bill_id}
    gone = [attached(me, **here), promised(me, **here)["id"]]
    stays = attached(me)

    assert me.delete(f"/bills/{bill_id}").status_code == 204

    assert listed(me) == [stays]
    assert me.get(f"/attachments/{gone[0]}").status_code == 404
    assert me.put(f"/attachments/{gone[1]}", {}).status_code == 404
    assert sorted(removals(world, me)) == sorted(gone)
    assert '"filename"' in removals(world, me)[gone[0]]
    assert len(files(world, me)) == 1


def test_a_transaction_takes_its_attachments_along(world, me):
    transaction = a_transaction(me)
    gone = attached(me, model="Transaction", model_id=transaction["journal_id"])

    assert me.delete(f"/transactions/{transaction['id']}").status_code == 204

    assert me.get(f"/attachments/{gone}").status_code == 404
    assert list(removals(world, me)) == [gone]


def test_an_account_takes_those_of_its_transactions_along(world, me):
    account_id = made(me, asset())
    paid = me.post("/transactions", withdrawal(account_id)).json()["data"][0]["attributes"]["journal_id"]
    gone = attached(me, model="Transaction", model_id=paid)
    stays = attached(me, model="Transaction", model_id=a_transaction(me)["journal_id"])

    assert me.delete(f"/accounts/{account_id}").status_code == 204

    assert listed(me) == [stays]
    assert list(removals(world, me)) == [gone]


def test_a_changed_transaction_keeps_its_attachments(me):
    account_id = made(me, asset())
    made_of = me.post("/transactions", withdrawal(account_id)).json()["data"][0]
    attachment_id = attached(me, model="Transaction", model_id=made_of["attributes"]["journal_id"])

    assert me.put(f"/transactions/{made_of['id']}", withdrawal(account_id, "99")).status_code == 200

    assert listed(me, f"/transactions/{made_of['id']}/attachments") == [attachment_id]


def test_a_user_can_go_with_all_attachments(new_world):
    owner, other = new_world.someone(), new_world.someone()
    attached(other)
    attached(other, model="Transaction", model_id=a_transaction(other)["journal_id"])

    assert owner.delete(f"/users/{other.user.id}").status_code == 204
    with new_world.books.reading() as db:
        assert db.value("SELECT COUNT(*) FROM attachments") == 0
