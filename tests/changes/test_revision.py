"""Can what was just done be found and undone? Its answer names the change."""

from ..recurrences import making as recurrences


def test_a_write_names_its_change(me):
    made = me.post("/api/v1/tags", {"tag": "mistake"})
    revision = made.headers["farthing-revision"]

    (change,) = me.get("/api/v1/changes", revision=revision).json()["data"]
    assert change["attributes"]["doing"] == "tags.create"
    assert me.post(f"/api/v1/changes/{change['id']}/undo", {}).status_code == 200
    assert me.get(f"/api/v1/tags/{made.json()['data']['id']}").status_code == 404


def test_a_deletion_names_its_change(me):
    tag = me.post("/api/v1/tags", {"tag": "gone"}).json()["data"]["id"]
    revision = me.delete(f"/api/v1/tags/{tag}").headers["farthing-revision"]

    (change,) = me.get("/api/v1/changes", revision=revision).json()["data"]
    assert change["attributes"]["counts"] == [{"kind": "tags", "made": 0, "changed": 0, "deleted": 1}]


def test_a_repeat_names_the_change_of_the_first(me):
    key = {"idempotency-key": "once"}
    first = me.post("/api/v1/tags", {"tag": "once"}, headers=key)
    again = me.post("/api/v1/tags", {"tag": "once"}, headers=key)

    assert again.headers["idempotent-replay"] == "true"
    assert again.headers["farthing-revision"] == first.headers["farthing-revision"]


def test_reading_names_none(me):
    assert "farthing-revision" not in me.get("/api/v1/tags").headers


def test_another_users_revision_is_not_there(me, someone_else):
    revision = int(me.post("/api/v1/tags", {"tag": "mine"}).headers["farthing-revision"])

    found = someone_else.get("/api/v1/changes", revision=revision + 1000).json()
    assert found["data"] == []
    assert found["meta"]["pagination"]["total"] == 0


def test_what_is_no_number_is_named(me):
    refused = me.get("/api/v1/changes", revision="newest")
    assert refused.status_code == 422
    assert refused.json()["errors"] == {"revision": ["The revision must be a whole number."]}


def test_a_day_of_a_recurrence_is_told(me):
    plan = recurrences.stored(me, recurrences.a_recurrence(recurrences.made(me, recurrences.asset())))
    skipped = me.put(f"/recurrences/{plan['id']}/occurrences/2024-06-01", {"skip": True})

    (change,) = me.get("/api/v1/changes", revision=skipped.headers["farthing-revision"]).json()["data"]
    assert change["attributes"]["summary"] == "Made 1 date of a recurrence"


# Names


def names_of(me, answer):
    (change,) = me.get("/changes", revision=answer.headers["farthing-revision"]).json()["data"]
    assert me.get(f"/changes/{change['id']}").json()["data"]["attributes"]["names"] == change["attributes"]["names"]
    return change["attributes"]["names"]


def test_a_change_says_what_it_was_about(me):
    made = me.post("/tags", {"tag": "holidays"})
    assert names_of(me, made) == ["holidays"]

    changed = me.put(f"/tags/{made.json()['data']['id']}", {"tag": "holiday"})
    assert names_of(me, changed) == names_of(me, made) == ["holiday"], "it is called so now"

    gone = me.delete(f"/tags/{made.json()['data']['id']}")
    assert names_of(me, gone) == names_of(me, made) == ["holiday"], "and was when it went"


def test_what_was_asked_for_is_named_and_not_what_came_along(me):
    checking = recurrences.made(me, recurrences.asset())
    spent = me.post("/transactions", spending(checking, "Bread"))
    assert names_of(me, spent) == ["Bread"], "and not the shop, which is new"

    (change,) = me.get("/changes", revision=spent.headers["farthing-revision"]).json()["data"]
    undone = me.post(f"/changes/{change['id']}/undo", {})
    assert names_of(me, undone) == ["Bread"]

    deleted = me.delete(f"/accounts/{checking}")
    assert names_of(me, deleted) == [recurrences.asset()["name"]]


def test_many_are_not_named_one_by_one(me):
    checking = recurrences.made(me, recurrences.asset())
    for what in ("Bread", "Milk", "Tea", "Jam"):
        me.post("/transactions", spending(checking, what))
    ids = [one["id"] for one in me.get("/transactions").json()["data"]]
    few = me.put("/transactions/bulk", {"ids": ids[:3], "category_name": "Food"})
    many = me.put("/transactions/bulk", {"ids": ids, "category_name": "Pantry"})

    assert sorted(names_of(me, few)) == ["Jam", "Milk", "Tea"]
    assert names_of(me, many) == []


def test_a_page_of_changes_names_each(me):
    budget = me.post("/budgets", {"name": "Fun", "active": True}).json()["data"]["id"]
    limit = {"amount": "10", "currency_code": "EUR", "start_date": "2024-05-01", "end_date": "2024-05-31"}
    me.post(f"/budgets/{budget}/limits", limit)
    me.post("/tags", {"tag": "one"})

    found = [one["attributes"]["names"] for one in me.get("/changes", limit=3).json()["data"]]
    assert found == [["one"], ["Fun"], ["Fun"]]


def spending(account_id, what):
    split = {"amount": "2.50", "currency_code": "EUR", "source_id": account_id, "destination_name": f"{what} shop"}
    return {"type": "withdrawal", "date": "2024-05-02", "description": what, "transactions": [split]}
