"""Running an import: all or nothing, or what is right; killed in the middle; fetched; in the wrong state."""

import threading
from functools import partial

import pytest

from farthing.jobs.worker import Worker, with_imports

from ..firefly.server import TOKEN, Replay, served
from .making import (
    a_csv,
    a_job,
    a_worker,
    an_account,
    an_owner,
    balance,
    counts,
    imported,
    post_job,
    run,
    shown,
    transactions,
)

WRONG = a_csv("2024-05-01,Shop,Right,-1", "2024-05-32,Shop,No such day,-2", "2024-05-03,Shop,No amount,x")


def test_one_wrong_row_keeps_all_out_and_is_named(me, world):
    account_id = an_account(me)

    job = imported(world, me, WRONG, account_id=account_id)

    assert (job["state"], counts(job)) == ("failed", (3, 0, 0, 0, 2))
    assert [(one["row"], one["rejected"]) for one in job["findings"]] == [(3, True), (4, True)]
    assert transactions(me) == []


def test_partial_imports_the_right_rows_and_reports_the_others(me, world):
    account_id = an_account(me)

    job = imported(world, me, WRONG, account_id=account_id, options={"partial": True})

    assert (job["state"], counts(job)) == ("done", (3, 1, 0, 0, 2))
    assert [one["description"] for one in transactions(me)] == ["Right"]


def test_a_failed_import_can_be_corrected_and_run_again(me, world):
    account_id = an_account(me)
    job = a_job(me, WRONG, account_id=account_id)
    run(world, me, job)

    me.put(f"/import_jobs/{job['id']}", {"options": {"partial": True}})
    done = run(world, me, job)

    assert (done["state"], counts(done)) == ("done", (3, 1, 0, 0, 2))


def test_what_overflows_in_the_middle_takes_the_earlier_rows_back(me, world):
    account_id = an_account(me)
    rows = [f"2024-05-01,Shop {number},Row,-1" for number in range(150)]
    huge = [f"2024-05-02,Shop,Huge {number},90000000000000000.00" for number in range(2)]

    job = imported(world, me, a_csv(*rows, *huge), account_id=account_id)

    assert job["state"] == "failed"
    assert any("too large to store" in one["message"] for one in job["findings"])
    assert transactions(me) == []
    assert balance(me, account_id) == 0
    assert me.get("/accounts", type="expense").json()["data"] == []


def test_what_overflows_is_left_out_when_partial(me, world):
    account_id = an_account(me)
    huge = [f"2024-05-02,Shop,Huge {number},90000000000000000.00" for number in range(2)]

    job = imported(world, me, a_csv("2024-05-01,Shop,Row,-1", *huge), account_id=account_id, options={"partial": True})

    assert (job["state"], counts(job)) == ("done", (3, 2, 0, 0, 1))


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_a_worker_that_dies_in_the_middle_doubles_nothing(me, world, turns):
    """Each turn is a unit of work: the next worker goes on where the last one ended."""
    account_id = an_account(me)
    job = a_job(me, a_csv(*(f"2024-05-01,Shop,Row {number},-1" for number in range(200))), account_id=account_id)
    me.post(f"/import_jobs/{job['id']}/run")
    dead = a_worker(world)
    for _ in range(turns):
        dead.turn()
    dead.stop()

    a_worker(world).work_off()

    done = shown(me, job)
    assert (done["state"], done["progress"], counts(done)) == ("done", 100, (200, 200, 0, 0, 0))
    assert balance(me, account_id) == -200
    assert len(transactions(me)) == 200


def test_progress_can_be_read_while_it_runs(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*(f"2024-05-01,Shop,Row {number},-1" for number in range(500))), account_id=account_id)
    me.post(f"/import_jobs/{job['id']}/run")
    worker, seen = a_worker(world), []
    while worker.turn():
        seen.append(shown(me, job)["progress"])

    assert seen == sorted(seen)
    assert {0, 100} < set(seen)


def test_two_workers_never_run_one_job_twice(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*(f"2024-05-01,Shop,Row {number},-1" for number in range(300))), account_id=account_id)
    me.post(f"/import_jobs/{job['id']}/run")
    workers = [a_worker(world), a_worker(world)]
    busy = True
    while busy:
        busy = bool([worker for worker in workers if worker.turn()])

    assert counts(shown(me, job)) == (300, 300, 0, 0, 0)
    assert balance(me, account_id) == -300


@pytest.mark.parametrize(("method", "path"), [
    ("PUT", ""), ("POST", "/run"), ("POST", "/upload"),
])  # fmt: skip
def test_what_is_done_stays_as_it_is(me, world, method, path):
    account_id = an_account(me)
    job = a_job(me, a_csv("2024-05-01,Shop,Row,-1"), account_id=account_id)
    run(world, me, job)

    answer = me.request(method, f"/import_jobs/{job['id']}{path}", json={"account_id": account_id})

    assert answer.status_code == 409
    assert "done" in answer.json()["message"]


def test_only_what_is_done_can_be_undone(me):
    job = a_job(me, a_csv("2024-05-01,Shop,Row,-1"), account_id=an_account(me))

    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 409


def test_undo_refuses_what_was_changed_since_unless_forced(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv("2024-05-01,Shop,Row,-1", "2024-05-02,Shop,Other,-2"), account_id=account_id)
    run(world, me, job)
    one = transactions(me)[0]
    body = {"date": "2024-05-01", "description": "Mine now"}
    kept = {"amount": "1", "currency_code": "EUR", "source_id": account_id, "destination_name": "Shop"}
    assert me.put(f"/transactions/{one['id']}", {**body, "transactions": [kept]}).status_code == 200

    refused = me.post(f"/import_jobs/{job['id']}/undo")
    forced = me.post(f"/import_jobs/{job['id']}/undo", {"force": True})

    assert refused.status_code == 409
    assert "Mine now" in refused.json()["message"]
    assert forced.status_code == 200
    assert transactions(me) == []


def test_deleting_a_job_keeps_its_transactions_and_knows_them_again(me, world):
    account_id = an_account(me)
    file = a_csv("2024-05-01,Shop,Row,-1")
    job = a_job(me, file, account_id=account_id)
    run(world, me, job)

    assert me.delete(f"/import_jobs/{job['id']}").status_code == 204

    assert len(transactions(me)) == 1
    assert me.get("/attachments").json()["data"] == []
    assert counts(imported(world, me, file, account_id=account_id)) == (1, 0, 1, 0, 0)


def test_rules_and_bills_act_and_the_preview_says_so(me, world):
    account_id = an_account(me)
    group = me.post("/rule_groups", {"title": "Mine", "active": True}).json()["data"]["id"]
    does = {
        "rule_triggers": [{"name": "description_contains", "value": "rent"}],
        "rule_actions": [{"name": "set_category", "value": "Housing"}],
    }
    flags = {"trigger": "store-journal", "strict": True, "stop_processing": False, "active": True}
    me.post("/rules", {"title": "Housing", "rule_group_id": group, **flags, **does})
    period = {"date": "2024-05-01", "repeat_freq": "monthly", "skip": 0, "automatch": True, "active": True}
    amounts = {"amount_min": "600", "amount_max": "800", "currency_code": "EUR"}
    me.post("/bills", {"name": "Flat", "match": "rent", **amounts, **period})
    job = a_job(me, a_csv("2024-05-01,Landlord,Rent May,-700"), account_id=account_id)

    preview = me.post(f"/import_jobs/{job['id']}/preview").json()["data"][0]
    run(world, me, job)

    assert [rule["title"] for rule in preview["rules"]] == ["Housing"]
    assert preview["bill"]["name"] == "Flat"
    [booked] = transactions(me)
    assert (booked["category_name"], booked["bill_name"]) == ("Housing", "Flat")


def test_an_import_job_holds_attachments(me):
    job = a_job(me, a_csv("2024-05-01,Shop,Row,-1"), account_id=an_account(me))
    for model in ("ImportJob", "Service\\Models\\ImportJob"):
        body = {"filename": "note.txt", "model": model, "model_id": job["id"]}
        made = me.post("/attachments", body).json()["data"]
        me.request("POST", f"/attachments/{made['id']}/upload", content=b"a note")

    listed = me.get(f"/import_jobs/{job['id']}/attachments").json()["data"]

    assert [one["attributes"]["filename"] for one in listed] == ["statement.csv", "note.txt", "note.txt"]
    assert {one["attributes"]["attachable_type"] for one in listed} == {"Service\\Models\\ImportJob"}


def test_a_file_may_come_later_by_upload(me, world):
    account_id = an_account(me)
    job = me.post("/import_jobs", {"account_id": account_id}).json()["data"]
    assert job["attributes"]["state"] == "uploaded"

    answer = me.request(
        "POST", f"/import_jobs/{job['id']}/upload?filename=may.csv", content=a_csv("2024-05-01,Shop,Row,-1")
    )

    assert answer.json()["data"]["attributes"]["state"] == "ready"
    assert counts(run(world, me, job)) == (1, 1, 0, 0, 0)


@pytest.mark.parametrize(("fields", "wrong"), [
    ({"account_id": "999999"}, "account_id"), ({"format": "xls"}, "format"), ({"mapping": "{"}, "mapping"),
])  # fmt: skip
def test_what_is_wrong_with_a_new_job_is_named(me, fields, wrong):
    answer = post_job(me, a_csv("2024-05-01,Shop,Row,-1"), **fields)

    assert answer.status_code == 422
    assert wrong in answer.json()["errors"]


@pytest.fixture
def near(world):
    """A worker that may ask servers in the same network, as the owner's setting allows."""
    settings = world.settings.model_copy(update={"outgoing_private": True})
    return Worker(world.books, world.time.clock(), with_imports(settings))


def test_a_running_firefly_iii_is_fetched_with_its_token(world, near):
    me = an_owner(world)
    with served(Replay()) as url:
        job = me.post("/import_jobs", {"source": {"url": url, "token": TOKEN}}).json()["data"]
        near.work_off()

    fetched = shown(me, job)
    assert (fetched["state"], fetched["format"]) == ("ready", "firefly-iii"), fetched["findings"]
    with world.books.reading() as db:
        assert not db.all("SELECT data FROM jobs WHERE data LIKE :token", token=f"%{TOKEN}%")
    assert run(world, me, job)["state"] == "done"


@pytest.mark.parametrize("trouble", [503, None])
def test_a_fetch_ends_when_its_import_is_deleted(world, near, trouble):
    me, replay, goes_on = an_owner(world), Replay(), threading.Event()
    replay.answer = partial(_answer, replay, replay.answer, trouble, goes_on)
    with served(replay) as url:
        job = me.post("/import_jobs", {"source": {"url": url, "token": TOKEN}}).json()["data"]
        while not any("/accounts?" in path for path in replay.asked):
            assert near.turn()
        [fetching] = [thread for thread in threading.enumerate() if thread.name == "farthing-fetch"]
        assert me.delete(f"/import_jobs/{job['id']}").status_code == 204
        near.work_off()
        goes_on.set()
        fetching.join(30)

    assert not fetching.is_alive()
    assert "/accounts?" in replay.asked[-1]


def _answer(replay, usual, trouble, goes_on, target, authorization):
    """Fails, and asks to come back in an hour, or answers once the test goes on."""
    if "/accounts?" not in target:
        return usual(target, authorization)
    replay.asked.append(target)
    if trouble:
        return trouble, {"Retry-After": "3600"}, b"{}"
    goes_on.wait(60)
    return usual(replay.asked.pop(), authorization)


def test_a_private_address_is_refused_unless_the_owner_allows_it(me, world):
    replay = Replay()
    with served(replay) as url:
        job = me.post("/import_jobs", {"source": {"url": url, "token": TOKEN}}).json()["data"]
        a_worker(world).work_off()

    assert shown(me, job)["state"] == "failed"
    assert "private" in shown(me, job)["findings"][0]["message"]
    assert replay.asked == []
