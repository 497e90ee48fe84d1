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
