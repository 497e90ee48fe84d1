"""Everything that matches a filter is changed or deleted, however much it is: many by a job, as one change."""

import pytest

from farthing.jobs.worker import Worker
from farthing.overviews.matching import run

from ..changes.test_undo import undone
from ..labels.making import BUDGET, CATEGORY, a_label
from ..rules.making import a_rule, stored
from .making import asset, errors, findings, listed, made, posted, posted_one, withdrawal

BAKERY = {"query": "bakery"}


@pytest.fixture
def account_id(me):
    return made(me, asset(opening_balance="100", opening_balance_date="2024-01-01"))


@pytest.fixture
def few(monkeypatch):
    """Small numbers, so that a handful of transactions are many, and take several units of work."""
    monkeypatch.setattr("farthing.api.v1.transactions.wire.BULK_MAX", 3)
    for name, number in {"FOUND_AT_ONCE": 4, "BATCH": 1, "HELD_S_MAX": 0}.items():
        monkeypatch.setattr(run, name, number)
    monkeypatch.setattr("farthing.overviews.search.find._BATCH", 2)


def bake(client, account_id, count=8):
    return [
        posted_one(client, withdrawal(account_id, "10", date=f"2024-05-0{1 + one // 3}", description=f"Bakery {one}"))
        for one in range(count)
    ]


def begun(client, answer):
    assert answer.status_code == 202, answer.text
    data = answer.json()["data"]
    assert data["in_background"]
    assert answer.headers["location"].endswith(f"/transactions/matching/{data['run_id']}")
    assert answer.headers["farthing-revision"] == data["run_id"]
    return data["run_id"]


def progress(client, run_id):
    response = client.get(f"/transactions/matching/{run_id}")
    assert response.status_code == 200, response.text
    return response.json()["data"]["attributes"]


def a_worker(world):
    return Worker(world.books, world.time.clock())


def labels(client):
    shown = [one["attributes"] for one in listed(client) if one["attributes"]["description"].startswith("Bakery")]
    return [(one["category_name"], one["budget_name"], sorted((one["tags"] or "").split(","))) for one in shown]


def change_of(client, revision):
    [change] = client.get("/changes", revision=revision).json()["data"]
    return change


def changes_of(client, limit):
    """What was done, in all pages, the newest first."""
    first = client.get("/changes", limit=limit).json()
    pages = [client.get("/changes", limit=limit, page=one) for one in range(1, 99)]
    shown = [one["attributes"]["doing"] for page in pages for one in page.json()["data"]]
    assert first["meta"]["pagination"]["total"] == len(shown)
    return shown


def test_what_changed_nothing_is_no_change_to_people(world, me, account_id, few):
    """Neither the parts of a run, which is one change, nor any that found nothing to do."""
    bake(me, account_id)
    rule = stored(me, a_rule(triggers=[("description_contains", "Bakery")], actions=[("add_tag", "new")]))
    before = changes_of(me, 50)
    run = {"start": "2024-01-01", "end": "2024-12-31"}

    def trigger(**query):
        assert me.request("POST", f"/rules/{rule['id']}/trigger", params=run | query).status_code < 300

    begun(me, me.put("/transactions/matching", {"add_tags": "new"}, params=BAKERY))
    a_worker(world).work_off()
    me.post("/transactions/bulk", {"transactions": [withdrawal(account_id)], "dry_run": True})
    trigger(dry_run=1)
    trigger()
    assert me.post("/recurrences/trigger").status_code == 204
    posted_one(me, withdrawal(account_id, description="Rent"))

    for limit in (3, 7, 50):
        assert changes_of(me, limit) == ["transactions.create", "transactions.change_matching", *before]


def test_many_are_changed_by_a_job_and_undone_at_once(world, me, account_id, few):
    bake(me, account_id)
    posted_one(me, withdrawal(account_id, description="Rent"))
    a_label(me, CATEGORY, "Food", budget_id=a_label(me, BUDGET, "Daily"))
    before = labels(me)
    body = {"category_name": "Food", "add_tags": "daily,new"}

    run_id = begun(me, me.put("/transactions/matching", body, params=BAKERY))
    worker = a_worker(world)
    assert worker.turn()
    half = progress(me, run_id)
    worker.work_off()

    assert (half["done"], half["finished"], half["searched_from"]) == (1, False, "2024-05-01")
    assert progress(me, run_id) == {
        "deletes": False, "expected": None, "done": 8, "left_out": 0, "searched_from": "2024-05-01",
        "finished": True, "failure": None, "revision": int(run_id),
    }  # fmt: skip
    assert labels(me) == [("Food", "Daily", ["daily", "new"])] * 8
    assert change_of(me, run_id)["attributes"]["summary"].endswith("changed 8 transactions")
    assert findings(world, me) == []

    undone(me, change_of(me, run_id))
    assert labels(me) == before
    assert findings(world, me) == []


def test_many_are_deleted_by_a_job_if_they_are_as_many_as_expected(world, me, account_id, few):
    bake(me, account_id)
    kept = listed(me)
    count = me.get("/transactions/matching", **BAKERY).json()["data"]["matching"]

    wrong = me.delete("/transactions/matching", params={"expected": count - 1, **BAKERY})
    run_id = begun(me, me.delete("/transactions/matching", params={"expected": count, **BAKERY}))
    a_worker(world).work_off()

    assert (wrong.status_code, count) == (409, 8)
    assert wrong.json()["message"].startswith("8 transactions match, not 7.")
    assert (progress(me, run_id)["done"], progress(me, run_id)["expected"]) == (8, 8)
    assert listed(me) == []
    assert findings(world, me) == []
    undone(me, change_of(me, run_id))
    assert listed(me) == kept
    assert findings(world, me) == []


def test_few_are_deleted_at_once(world, me, account_id):
    bake(me, account_id, count=2)

    done = me.delete("/transactions/matching", params={"expected": 2, **BAKERY})

    assert (done.status_code, done.json()["data"]["deleted"]) == (200, 2)
    assert me.get("/transactions/matching", **BAKERY).json()["data"]["matching"] == 0
    undone(me, change_of(me, done.headers["farthing-revision"]))
    assert me.get("/transactions/matching", **BAKERY).json()["data"]["matching"] == 2


def test_what_somebody_changes_meanwhile_is_left_alone(world, me, account_id, few):
    """Also what is new, and a form that was opened before its transaction was changed is not saved over that."""
    made_here = bake(me, account_id)
    run_id = begun(me, me.put("/transactions/matching", {"category_name": "Food"}, params=BAKERY))
    newest, oldest = made_here[-1], made_here[0]
    opened = me.get(f"/transactions/{newest['id']}").headers["etag"]
    me.put(f"/transactions/{oldest['id']}", withdrawal(account_id, "11", date="2024-05-01", description="Bakery mine"))
    posted_one(me, withdrawal(account_id, "12", date="2024-05-01", description="Bakery new"))
    a_worker(world).work_off()

    assert (progress(me, run_id)["done"], progress(me, run_id)["left_out"]) == (7, 2)
    assert [one[0] for one in labels(me)].count("Food") == 7
    body = withdrawal(account_id, "13", description="Bakery late")
    late = me.put(f"/transactions/{newest['id']}", body, headers={"if-match": opened})
    assert late.status_code == 412
    now = me.get(f"/transactions/{newest['id']}").headers["etag"]
    assert me.put(f"/transactions/{newest['id']}", body, headers={"if-match": now}).status_code == 200


def test_a_run_stops_when_it_is_undone_or_its_label_is_deleted(world, me, account_id, few):
    bake(me, account_id)
    food, worker = a_label(me, CATEGORY, "Food"), a_worker(world)
    run_id = begun(me, me.put("/transactions/matching", {"category_id": food}, params=BAKERY))
    worker.turn()
    undone(me, change_of(me, run_id))
    worker.work_off()
    assert progress(me, run_id)["failure"] == "The request was undone before it was finished."
    assert {one[0] for one in labels(me)} == {None}

    run_id = begun(me, me.put("/transactions/matching", {"category_id": food}, params=BAKERY))
    worker.turn()
    me.delete(f"/categories/{food}")
    worker.work_off()
    assert progress(me, run_id)["failure"] == "The category was deleted in the meantime."

    body = {"add_tags": "rye,wheat", "remove_tags": "oat"}
    posted_one(me, withdrawal(account_id, description="Cake", tags="oat"))
    run_id = begun(me, me.put("/transactions/matching", body, params=BAKERY))
    worker.turn()
    me.delete("/tags/oat")
    worker.turn()
    me.delete("/tags/wheat")
    worker.work_off()
    assert progress(me, run_id)["failure"] == "The tag was deleted in the meantime."
    assert (progress(me, run_id)["done"], progress(me, run_id)["finished"]) == (2, True)
    assert [one[2] for one in labels(me)].count(["rye"]) == 2
    assert findings(world, me) == []


def test_rules_for_changed_transactions_run_afterwards(world, me, account_id, few):
    bake(me, account_id)
    stored(me, a_rule(trigger="update-journal", triggers=[("category_is", "Food")], actions=[("add_tag", "ruled")]))

    begun(me, me.put("/transactions/matching", {"category_name": "Food"}, params=BAKERY))
    a_worker(world).work_off()

    assert labels(me) == [("Food", None, ["ruled"])] * 8


def test_bad_input_is_named(me, account_id):
    assert list(errors(me.delete("/transactions/matching", params=BAKERY))) == ["expected"]
    assert list(errors(me.delete("/transactions/matching", params={"expected": "-1", **BAKERY}))) == ["expected"]
    assert list(errors(me.delete("/transactions/matching", params={"expected": 1}))) == ["query"]
    assert list(errors(me.get("/transactions/matching", account_id="x"))) == ["account_id"]
    assert me.get("/transactions/matching/999").status_code == 404
    posted(me, withdrawal(account_id))
