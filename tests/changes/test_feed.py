"""The feed: whoever lists everything once and then follows has the same as whoever lists everything again."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from farthing.care.changes.forget import forget_old
from farthing.jobs.worker import Worker, with_imports
from farthing.overviews.matching import run

from ..accounts.making import asset
from ..length import LONG
from ..sharing.people import member_of, with_token
from ..transactions.making import a_transaction, made, posted, posted_one, split, withdrawal
from . import habits
from .as_shown import differences
from .following import Follower, list_all
from .household import Household
from .test_undo import last, undone

SEED = int(os.environ.get("FARTHING_SEED", "1"))
RUNS, STEPS = (30, 150) if LONG else (1, 40)
WRITERS, WRITES = 8, 60 if LONG else 6


def actions(news):
    return [(item["kind"], item["action"]) for item in news]


def now(client):
    return client.get("/changes/feed").json()["meta"]["cursor"]


def work_off(world):
    worker = Worker(world.books, world.time.clock(), with_imports(world.settings))
    while worker.turn():
        pass


def test_what_is_made_changed_and_deleted_comes_once_in_its_newest_state(me):
    follower = Follower(me)

    account = made(me, asset())
    me.put(f"/accounts/{account}", asset(name="Renamed"))
    tag = me.post("/tags", {"tag": "gone"}).json()["data"]["id"]
    me.delete(f"/tags/{tag}")
    news = follower.follow()

    revision = me.get("/revision").json()["data"]["revision"]
    assert actions(news) == [("accounts", "made"), ("tags", "deleted")]
    assert news[0]["object"]["attributes"]["name"] == "Renamed"
    assert news[1] == {"kind": "tags", "id": tag, "action": "deleted", "revision": revision, "object": None}
    assert follower.follow() == []


def test_a_transaction_is_its_splits_and_an_opening_balance_its_account(me):
    account = made(me, asset(opening_balance="100", opening_balance_date="2024-01-01"))
    two = [split(source_id=account, description=text, destination_name="Shop") for text in ("one", "two")]
    posted(me, a_transaction("withdrawal", *two))
    follower = Follower(me, kinds="transactions,accounts", limit=1)
    one, other = me.get("/transactions").json()["data"]
    opening = me.get("/transactions", type="all").json()["data"][-1]

    me.put("/transactions/bulk", {"ids": [one["id"]], "add_tags": ["new"]})
    assert {item["id"] for item in follower.follow()} == {one["id"], other["id"]}

    me.delete(f"/transactions/{one['id']}")
    assert sorted(actions(follower.follow())) == 2 * [("transactions", "deleted")]

    me.delete(f"/transactions/{opening['id']}")
    assert actions(follower.follow()) == [("transactions", "deleted"), ("accounts", "changed")]
    undone(me, last(me))
    shown = {item["kind"]: item["object"]["attributes"] for item in follower.follow()}
    assert (shown["accounts"]["opening_balance"], shown["transactions"]["amount"]) == (100, 100)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEED, SEED + RUNS))
def test_after_any_changes_the_copy_equals_a_fresh_listing(world, seed):
    """Undo, merges, rules, firings and jobs among them."""
    household = Household(world, seed)
    household.acts += habits.list_acts(household)
    follower = Follower(household.me, limit=7)
    household.furnish()
    for step in range(STEPS):
        if household.chance.random() < 0.3:
            change = household.chance.choice(household.me.get("/changes", limit=10).json()["data"])
            household.send("POST", f"/changes/{change['id']}/undo")
        else:
            household.act()
        work_off(world)
        if household.chance.random() < 0.4 or step == STEPS - 1:
            follower.follow()
    assert differences(list_all(household.me), follower.copy) == []


@pytest.mark.long
def test_with_eight_writers_nothing_is_missing_or_out_of_order(world, me):
    account = made(me, asset())
    follower, seen = Follower(me, limit=5), []

    def write(writer):
        for number in range(WRITES):
            one = posted_one(me, withdrawal(account, "1", description=f"{writer} {number}"))
            if number % 2:
                me.put(f"/transactions/{one['id']}", withdrawal(account, "2", description=f"{writer} {number} again"))
            if number % 3 == 0:
                me.delete(f"/transactions/{one['id']}")

    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(write, writer) for writer in range(WRITERS)]
        while not all(writer.done() for writer in writers):
            seen += follower.follow()
        for writer in writers:
            writer.result()
    seen += follower.follow()

    revisions = [item["revision"] for item in seen]
    assert revisions == sorted(revisions)
    assert differences(list_all(me), follower.copy) == []


def test_what_a_job_logs_under_an_earlier_revision_comes_too(world, me, monkeypatch):
    monkeypatch.setattr("farthing.api.v1.transactions.wire.BULK_MAX", 3)
    for name, number in {"BATCH": 1, "HELD_S_MAX": 0}.items():
        monkeypatch.setattr(run, name, number)
    account = made(me, asset())
    for number in range(5):
        posted_one(me, withdrawal(account, "10", description=f"Bakery {number}"))
    follower = Follower(me)
    assert me.put("/transactions/matching", {"category_name": "Food"}, params={"query": "bakery"}).status_code == 202
    worker = Worker(world.books, world.time.clock())

    assert worker.turn()
    me.post("/tags", {"tag": "in between"})
    first = follower.follow()
    work_off(world)
    follower.follow()

    assert ("tags", "made") in actions(first)
    assert differences(list_all(me), follower.copy) == []


def test_an_undo_comes_as_what_it_does(me):
    account = made(me, asset())
    posted_one(me, withdrawal(account, "10"))
    follower = Follower(me, kinds="accounts,transactions")
    me.delete(f"/accounts/{account}")
    gone = follower.follow()
    undone(me, last(me))

    assert set(actions(gone)) == {("accounts", "deleted"), ("transactions", "deleted")}
    assert {(item["kind"], item["id"]) for item in follower.follow()} == {(item["kind"], item["id"]) for item in gone}
    assert differences(list_all(me), follower.copy) == []


def test_what_is_no_longer_kept_is_gone(world, me):
    cursors = [now(me)]
    me.post("/tags", {"tag": "old"})
    cursors.append(now(me))
    world.time.now += world.time.now - world.time.now.replace(month=world.time.now.month - 2)
    forget_old(world.books, world.time.now, 30, me.user.id)

    assert [me.get("/changes/feed", after=cursor).status_code for cursor in cursors] == [410, 200]
    me.post("/tags", {"tag": "young"})
    assert actions(me.get("/changes/feed", after=cursors[1]).json()["data"]) == [("tags", "made")]
    refusal = me.get("/changes/feed", after=cursors[0])
    assert (refusal.status_code, "List everything again" in refusal.json()["message"]) == (410, True)


def test_a_cursor_of_other_books_is_gone_and_nonsense_is_refused(me, someone_else):
    for number in range(3):
        me.post("/tags", {"tag": f"tag {number}"})
    cursor = now(me)

    assert someone_else.get("/changes/feed", after=cursor).status_code == 410
    lineage, revision, log_id, mark = cursor.split(".")
    other_mark = f"{int(mark, 16) ^ 1:08x}"
    for wrong in (f"ffff.{revision}.{log_id}.{mark}", f"{lineage}.{revision}.{log_id}.{other_mark}"):
        assert me.get("/changes/feed", after=wrong).status_code == 410
    for name, value in {"after": "1", "kinds": "tags,dogs", "limit": "1001"}.items():
        refusal = me.get("/changes/feed", **{"after": cursor, name: value})
        assert (refusal.status_code, list(refusal.json()["errors"])) == (422, [name])


def test_a_preference_that_version_1_does_not_show_has_no_object(me):
    end = me.get("/changes/feed").json()["meta"]["cursor"]
    assert me.v6.post("/preferences", {"name": "colours", "data": {"a": 1}}).status_code == 200

    [item] = me.get("/changes/feed", after=end, include="objects").json()["data"]

    assert (item["kind"], item["action"], item["object"]) == ("preferences", "made", None)


def test_scopes_and_roles_hold_as_everywhere(world, me):
    viewer = member_of(world, me, "viewer")
    cursor = now(viewer)
    me.post("/tags", {"tag": "new"})
    assert actions(viewer.get("/changes/feed", after=cursor).json()["data"]) == [("tags", "made")]

    changes = with_token(world, me, scopes="changes:read labels:read")
    assert changes.get("/changes/feed", after=cursor, kinds="tags", include="objects").status_code == 200
    refusal = changes.get("/changes/feed", after=cursor, include="objects")
    assert (refusal.status_code, "accounts:read" in refusal.json()["message"]) == (403, True)
    assert with_token(world, me, scopes="labels:read").get("/changes/feed").status_code == 403
