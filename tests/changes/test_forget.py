"""What can no longer be undone is gone for good; what was read before then cannot be written over unseen."""

from datetime import timedelta

from farthing.care.changes import store
from farthing.care.changes.forget import forget_old

from ..accounts.making import asset
from ..transactions.making import count_rows, made


def test_what_is_older_is_forgotten_and_the_rest_stays(world, me, someone_else):
    for number in range(450):
        with world.books.writing() as db:
            from farthing.identity import users as store

            store.take(
                db,
                me.user.id,
                token_id=None,
                now=f"2024-05-15T12:{number // 60:02}:{number % 60:02}+00:00",
                doing="test",
            )
    world.time.now += timedelta(days=31)
    someone_else.post("/tags", {"tag": "theirs"})
    me.post("/tags", {"tag": "young"})
    before = me.get("/changes").json()["meta"]["pagination"]["total"]

    forget_old(world.books, world.time.now, 30, me.user.id)

    left = me.get("/changes").json()
    assert before > 450
    assert [one["attributes"]["doing"] for one in left["data"]] == ["tags.create"]
    assert left["meta"]["pagination"]["total"] == 1
    assert someone_else.get("/changes").json()["meta"]["pagination"]["total"] == 2


def test_what_is_young_is_kept_though_the_clock_was_set_back_for_a_while(world, me):
    """Then something that looks old comes after it: to forget that one would be to forget the young ones, too."""
    me.post("/tags", {"tag": "young"})
    world.time.now -= timedelta(days=90)
    me.post("/tags", {"tag": "seems old"})
    world.time.now += timedelta(days=90)

    forget_old(world.books, world.time.now, 30, me.user.id)

    assert me.get("/changes").json()["meta"]["pagination"]["total"] == 3
    world.time.now += timedelta(days=31)
    forget_old(world.books, world.time.now, 30, me.user.id)
    assert me.get("/changes").json()["meta"]["pagination"]["total"] == 0


def test_a_tag_from_before_is_refused(world, me):
    path = f"/accounts/{made(me, asset())}"
    tag = me.get(path).headers["etag"]
    me.put(path, asset(name="Theirs"))
    world.time.now += timedelta(days=31)
    me.post("/tags", {"tag": "young"})
    forget_old(world.books, world.time.now, 30, me.user.id)

    assert me.put(path, asset(name="Mine"), headers={"If-Match": tag}).status_code == 412
    assert me.put(path, asset(name="Mine"), headers={"If-Match": me.get(path).headers["etag"]}).status_code == 200


def test_what_was_half_forgotten_cannot_be_undone_and_goes_with_the_next_sweep(world, me):
    """A sweep that is killed has deleted the change before the rows that it logged."""
    me.post("/tags", {"tag": "old"})
    [old, *_] = me.get("/changes", limit=1).json()["data"]
    with world.books.writing() as db:
        store.forget(db, me.user.id, upto=old["attributes"]["revision"], limit=1000, table="revisions")

    assert me.post(f"/changes/{old['id']}/undo").status_code == 404
    assert count_rows(world, me, "changes") > 0

    forget_old(world.books, world.time.now, 30, me.user.id, at_once=2)
    assert count_rows(world, me, "changes") == 0
