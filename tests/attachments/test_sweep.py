"""Contents without a record are set aside after a day and deleted after a month, unless undoing may need them."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from farthing.books.attachments.sweep import ASIDE_S, GRACE_S, Swept, sweep
from farthing.care.changes.forget import forget_old
from farthing.jobs.sweeping import Sweeper
from farthing.storage import blobs

from .making import attached, download, uploaded

A_MINUTE = 60


@pytest.fixture
def house(stored_world):
    """A world, its owner, and a broom that sweeps so many seconds after now."""
    world = stored_world
    if world.settings.contents_folder is None:
        world.time.now = datetime.now(UTC)  # S3 itself says when something was stored

    def broom(later):
        return sweep(world.books, blobs.connect(world.settings), world.time.now.timestamp() + later)

    return world, world.someone("ann@farthing.example"), broom


def aged(world, client):
    """As if everything had been uploaded when the world's clock was set."""
    if world.settings.contents_folder is None:
        return
    now = world.time.now.timestamp()
    for path in (world.settings.contents_folder / str(client.user.id)).glob("*/*"):
        os.utime(path, (now, now))


def forget_changes(world):
    """As if every change had been made too long ago to be undone."""
    forget_old(world.books, world.time.now + timedelta(days=1), days=0)


def lying(world, client):
    """How many contents lie in their place, and how many aside."""
    shelf = blobs.connect(world.settings)
    return len(list(shelf.of_user(client.user.id))), len(
        [one for one in shelf.aside() if one.user_id == client.user.id]
    )


def test_what_an_attachment_has_stays(house):
    world, me, broom = house
    one = attached(me, b"first")
    aged(world, me)

    assert broom(10 * ASIDE_S) == Swept()
    assert download(me, one).content == b"first"


def test_a_deleted_or_replaced_content_is_set_aside_after_a_day_and_goes_after_a_month(house):
    world, me, broom = house
    one, other = attached(me, b"first"), attached(me, b"second")
    uploaded(me, other, b"third")
    me.delete(f"/attachments/{one}")
    aged(world, me)

    assert broom(GRACE_S - A_MINUTE) == Swept()
    assert broom(GRACE_S + A_MINUTE) == Swept(set_aside=2)
    assert lying(world, me) == (1, 2)
    forget_changes(world)
    assert broom(GRACE_S + ASIDE_S) == Swept()
    assert broom(GRACE_S + ASIDE_S + 2 * A_MINUTE) == Swept(removed=2)
    assert lying(world, me) == (1, 0)
    assert download(me, other).content == b"third"


def test_a_content_stays_aside_as_long_as_its_deletion_can_be_undone(house):
    world, me, broom = house
    one = attached(me, b"first")
    me.delete(f"/attachments/{one}")
    aged(world, me)
    broom(GRACE_S + A_MINUTE)

    assert broom(3 * ASIDE_S) == Swept()
    [change, *_] = me.get("/changes").json()["data"]
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert download(me, one).content == b"first"


def test_a_replaced_content_stays_aside_as_long_as_the_upload_can_be_undone(house):
    world, me, broom = house
    one = attached(me, b"first")
    uploaded(me, one, b"second")
    aged(world, me)
    broom(GRACE_S + A_MINUTE)

    assert broom(3 * ASIDE_S) == Swept()
    forget_changes(world)
    assert broom(3 * ASIDE_S) == Swept(removed=1)


def test_what_was_set_aside_is_still_read_and_comes_back_when_it_has_a_record(house):
    world, me, broom = house
    one = attached(me, b"first")
    aged(world, me)
    shelf = blobs.connect(world.settings)
    [content] = shelf.of_user(me.user.id)
    shelf.set_aside(me.user.id, content.sha256, world.time.now.timestamp())

    assert download(me, one).content == b"first"
    assert broom(10 * ASIDE_S) == Swept(brought_back=1)
    assert lying(world, me) == (1, 0)
    assert download(me, one).content == b"first"


def test_an_equal_content_that_is_uploaded_again_is_not_lost(house):
    world, me, broom = house
    me.delete(f"/attachments/{attached(me, b'the same')}")
    aged(world, me)
    broom(GRACE_S + A_MINUTE)
    again = attached(me, b"the same")

    broom(2 * ASIDE_S)

    assert lying(world, me) == (1, 0)
    assert download(me, again).content == b"the same"


def test_contents_of_a_deleted_user_go_the_same_way(house):
    world, me, broom = house
    other = world.someone()
    attached(other, b"theirs")
    aged(world, other)
    me.delete(f"/users/{other.user.id}")

    assert broom(GRACE_S + A_MINUTE) == Swept(set_aside=1)
    assert broom(GRACE_S + ASIDE_S + 2 * A_MINUTE) == Swept(removed=1)
    assert lying(world, other) == (0, 0)


def test_the_job_process_sweeps_at_its_start_and_once_a_day(house):
    world, me, _ = house
    me.delete(f"/attachments/{attached(me, b'first')}")
    aged(world, me)
    sweeper = Sweeper(world.settings, world.books, blobs.connect(world.settings), world.time.clock())

    sweeper.turn()
    assert lying(world, me) == (1, 0)
    world.time.now += timedelta(seconds=GRACE_S - A_MINUTE)
    sweeper.turn()
    world.time.now += timedelta(seconds=2 * A_MINUTE)
    sweeper.turn()
    assert lying(world, me) == (0, 1)
