"""Events: whoever listens hears of every change once, and only as long as they may."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from farthing.http.handling.runtime import Timing
from farthing.identity import tokens

from ..conftest import running
from ..sharing.people import member_of, with_token
from .listening import listening
from .test_feed import actions

QUICK = Timing(listen_every_s=0.02, beat_s=0.05)


@pytest.fixture(scope="module")
def quick_world(dialect, tmp_path_factory, check_answer, request):
    """Looks often, so that nobody waits for a second."""
    folder = tmp_path_factory.mktemp("quick")
    yield from running(request.getfixturevalue("shared_database_url"), folder, check_answer, timing=QUICK)


@pytest.fixture
def world(quick_world):
    return quick_world


def test_every_change_is_heard_once_and_in_order(me):
    with listening(me) as ear:
        first, data = ear.event()
        assert (ear.status, data["changes"]) == (200, [])
        assert ear.headers[b"content-type"] == b"text/event-stream"
        heard = []
        for number in range(5):
            me.post("/tags", {"tag": f"tag {number}"})
            heard.append(ear.event())

    assert [actions(data["changes"]) for _, data in heard] == 5 * [[("tags", "made")]]
    assert len({first, *(cursor for cursor, _ in heard)}) == 6
    revision = me.get("/revision").json()["data"]["revision"]
    assert [data["revision"] for _, data in heard] == list(range(revision - 4, revision + 1))
    assert me.get("/changes/feed", after=heard[-1][0]).json()["data"] == []


def test_who_returns_goes_on_without_a_gap(me):
    with listening(me) as ear:
        cursor, _ = ear.event()
    for number in range(3):
        me.post("/tags", {"tag": f"tag {number}"})
    with listening(me, last=cursor) as ear:
        again, data = ear.event()
        assert actions(data["changes"]) == 3 * [("tags", "made")]
    with listening(me, last=again) as ear:
        ear.piece("still there")
        me.post("/tags", {"tag": "last"})
        assert actions(ear.event()[1]["changes"]) == [("tags", "made")]


def test_only_the_chosen_kinds_are_heard(me):
    with listening(me, kinds="categories") as ear:
        ear.event()
        me.post("/tags", {"tag": "not heard"})
        me.post("/categories", {"name": "heard"})
        assert actions(ear.event()[1]["changes"]) == [("categories", "made")]


def test_it_ends_with_the_token_the_role_and_the_user(world, me):
    other = world.someone()
    limited, viewer = with_token(world, me), member_of(world, me, "viewer")
    with listening(me) as mine, listening(limited) as ear, listening(viewer) as theirs, listening(other) as blocked:
        for each in (mine, ear, theirs, blocked):
            each.event()
        with world.books.writing() as db:
            tokens.revoke(db, tokens.of_user(db, me.user.id)[-1].id)
            db.run("UPDATE users SET blocked = 1 WHERE id = :id", id=other.user.id)
        ear.until_over()
        blocked.until_over()

        [member] = me.get("/members").json()["data"]
        me.put(f"/members/{member['id']}", {"role": "full"})
        theirs.until_over()
        me.post("/tags", {"tag": "still heard"})
        while "tags" not in [item["kind"] for item in mine.event()[1]["changes"]]:
            pass


def test_a_server_that_stops_says_when_to_return(me):
    with listening(me) as ear:
        ear.event()
        ear.stop_server()
        assert 1000 <= int(ear.until_over().removeprefix("retry: ")) <= 5000


def test_twenty_at_a_time_and_no_strangers(me, someone_else):
    with ExitStack() as stack:
        ears = [stack.enter_context(listening(me)) for _ in range(20)]
        for ear in ears:
            ear.event()
        assert me.get("/events").status_code == 429
        assert someone_else.get("/events").status_code == 200
    assert me.get("/events").status_code == 200
    assert replace(me, token="wrong").get("/events").status_code == 401


def test_nonsense_old_cursors_and_scopes_are_refused(world, me):
    cursor = me.get("/changes/feed").json()["meta"]["cursor"]

    assert me.get("/events", after="1").status_code == 422
    assert me.get("/events", kinds="dogs").status_code == 422
    assert me.get("/events", after=f"ffff.{cursor.partition('.')[2]}").status_code == 410
    assert with_token(world, me, scopes="labels:read").get("/events").status_code == 403
    assert with_token(world, me, scopes="changes:read").get("/events").status_code == 200
