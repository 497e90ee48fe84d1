"""Quotas: what a user may store and ask for, unlimited unless the owner says otherwise, and exact at any moment."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta

import pytest

from farthing.books.attachments import contents
from farthing.books.attachments.sweep import ASIDE_S, GRACE_S, sweep
from farthing.care.changes.forget import forget_old
from farthing.care.doctor import examine
from farthing.http.files.unfinished_uploads import UPLOADS_MAX, UnfinishedUploads
from farthing.kernel.clock import stamp
from farthing.kernel.errors import OverQuota, TooMany
from farthing.storage import answers, blobs
from farthing.storage.quotas import Quotas

from ..attachments.making import attached, body, download, files, promised, upload, uploaded
from ..attachments.test_sweep import aged
from ..sessions.browser import signed_in
from .people import a_plain_user, an_owner

NO_LIMITS = {"attachment_bytes_max": None, "answer_bytes_max": None, "requests_per_minute_max": None}
FREE = {"attachment_bytes_used": 0, "answer_bytes_used": 0, **NO_LIMITS}


@pytest.fixture
def house(new_world):
    """The owner, and somebody whom the owner may limit."""
    owner = an_owner(new_world)
    return new_world, owner, a_plain_user(new_world)


def quotas(client, whose=None):
    answer = client.get(f"/users/{(whose or client).user.id}/quotas")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def limit(owner, whose, **limits):
    answer = owner.put(f"/users/{whose.user.id}/quotas", limits)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def refusal(answer):
    assert answer.status_code == 413, answer.text
    assert answer.json()["exception"] == "QuotaExceededHttpException"
    return answer.json()["message"]


def keyed(client, key, name):
    return client.post("/tags", {"tag": name}, headers={"Idempotency-Key": key})


def test_there_is_no_limit_until_the_owner_sets_one_and_what_is_left_out_stays(house):
    _, owner, ann = house
    assert quotas(ann) == quotas(owner, ann) == FREE

    assert limit(owner, ann, attachment_bytes_max=1000, requests_per_minute_max="60") == {
        **FREE,
        "attachment_bytes_max": 1000,
        "requests_per_minute_max": 60,
    }
    assert limit(owner, ann, attachment_bytes_max=None, answer_bytes_max=5) == {
        **FREE,
        "answer_bytes_max": 5,
        "requests_per_minute_max": 60,
    }


def test_users_see_their_own_quotas_and_only_the_owner_sets_them(house):
    _, owner, ann = house
    wrong = {"attachment_bytes_max": -1, "answer_bytes_max": "x", "requests_per_minute_max": 0}

    assert ann.get(f"/users/{owner.user.id}/quotas").status_code == 404
    assert ann.put(f"/users/{owner.user.id}/quotas", {}).status_code == 404
    assert ann.put(f"/users/{ann.user.id}/quotas", {"attachment_bytes_max": 1}).status_code == 403
    refused = owner.put(f"/users/{ann.user.id}/quotas", wrong)
    assert (refused.status_code, refused.json()["errors"].keys()) == (422, wrong.keys())


def test_an_upload_over_the_quota_is_refused_with_what_is_used_and_leaves_nothing_behind(house):
    world, owner, ann = house
    one = attached(ann, b"x" * 600)
    limit(owner, ann, attachment_bytes_max=1000)
    before = files(world, ann)

    whole = upload(ann, promised(ann)["id"], b"y" * 401)
    part = ann.request("POST", "/attachments", data=body(ann), files={"file": ("a.txt", b"y" * 401)})

    sentence = (
        "This is over the quota for attachments: 1000 bytes are allowed, 600 are in use, and 401 more are needed. "
        "Replaced and deleted files count until they are permanently removed."
    )
    assert (refusal(whole), refusal(part)) == (sentence, sentence)
    assert files(world, ann) == before
    assert download(ann, one).content == b"x" * 600
    attached(ann, b"y" * 400)
    attached(ann, b"x" * 600)
    assert quotas(ann)["attachment_bytes_used"] == 1000, "the same content is stored once, and counted once"


def test_deleted_and_replaced_contents_count_until_they_are_swept(house):
    world, _, ann = house
    one, other = attached(ann, b"first"), attached(ann, b"second")
    uploaded(ann, other, b"third")
    ann.delete(f"/attachments/{one}")
    aged(world, ann)
    now, shelf = world.time.now.timestamp(), blobs.connect(world.settings)

    sweep(world.books, shelf, now + GRACE_S + 60)
    assert quotas(ann)["attachment_bytes_used"] == len("first" + "second" + "third")
    forget_old(world.books, world.time.now + timedelta(days=1), days=0)
    sweep(world.books, shelf, now + GRACE_S + ASIDE_S + 120)

    assert quotas(ann)["attachment_bytes_used"] == len("third")
    assert list(examine(world.books)) == []


def test_of_uploads_at_the_same_moment_no_more_pass_than_the_quota_allows(house):
    world, owner, ann = house
    promises = [promised(ann)["id"] for _ in range(8)]
    limit(owner, ann, attachment_bytes_max=3000)

    with ThreadPoolExecutor(8) as threads:
        sent = threads.map(lambda number: upload(ann, promises[number], b"%d" % number * 1000).status_code, range(8))
        assert sorted(sent) == [204] * 3 + [413] * 5

    assert quotas(ann)["attachment_bytes_used"] == 3000
    assert len(files(world, ann)) == 3


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("most", "stored", "error"), [(1000, 0, OverQuota), (1000, 900, OverQuota), (None, 0, TooMany)]
)
def test_uploads_that_are_not_finished_count_as_well(most, stored, error):
    """Before they are in memory or on disk; those of others do not count, and room comes back when they end."""
    quotas = Quotas(
        content_bytes=stored, answer_bytes=0, content_bytes_max=most, answer_bytes_max=None, requests_max=None
    )
    unfinished = UnfinishedUploads(file_bytes_max=300)
    room_bytes = {(1000, 0): 1000, (1000, 900): 300, (None, 0): 1200}[most, stored]

    with ExitStack() as arriving:
        rooms = [arriving.enter_context(unfinished.admit(1, quotas)) for _ in range(UPLOADS_MAX)]
        with pytest.raises(TooMany):
            arriving.enter_context(unfinished.admit(1, quotas))
        for number in range(room_bytes // 10):
            rooms[number % len(rooms)].take(10)
        for room in rooms:
            with pytest.raises(error):
                room.take(1)
        with unfinished.admit(2, quotas) as other:
            other.take(room_bytes)

    with unfinished.admit(1, quotas) as room:
        room.take(room_bytes)


def test_a_sweep_counts_what_it_finds_uncounted_and_forgets_what_was_never_stored(house):
    world, _, ann = house
    attached(ann, b"known")
    incoming = blobs.connect(world.settings).receive()
    incoming.write(b"unknown")
    incoming.keep(ann.user.id)
    aged(world, ann)
    with world.books.writing() as db:
        lost = blobs.Content(sha256="0" * 64, md5="", size=10_000)
        contents.reserve(db, ann.user.id, lost, stamp(world.time.now))
    assert quotas(ann)["attachment_bytes_used"] == 10_005

    sweep(world.books, blobs.connect(world.settings), world.time.now.timestamp() + GRACE_S + 60)

    assert quotas(ann)["attachment_bytes_used"] == len("known" + "unknown")
    assert list(examine(world.books)) == []


# Answers that are kept for a key


def test_answers_kept_for_a_key_are_counted_and_given_free_when_they_are_forgotten(house):
    world, _, ann = house
    keyed(ann, "one", "Food")
    used = quotas(ann)["answer_bytes_used"]
    keyed(ann, "one", "Food")
    ann.post("/tags", {"tag": "without"})
    assert quotas(ann)["answer_bytes_used"] == used > 100
    keyed(ann, "two", "Rent")
    assert quotas(ann)["answer_bytes_used"] > used
    assert list(examine(world.books)) == []

    steady_since = stamp(world.time.now)
    world.time.now += answers.KEPT_FOR
    keyed(ann, "three", "Travel")
    answers.forget_old(world.books, stamp(world.time.now), steady_since)
    assert abs(quotas(ann)["answer_bytes_used"] - used) < 50
    assert list(examine(world.books)) == []


def test_a_key_over_the_quota_is_refused_and_nothing_is_done(house):
    _, owner, ann = house
    keyed(ann, "one", "Food")
    used = quotas(ann)["answer_bytes_used"]
    limit(owner, ann, answer_bytes_max=used + 10)

    message = refusal(keyed(ann, "two", "Rent"))

    assert message.startswith(
        "This is over the quota for stored answers to requests with an Idempotency-Key: "
        f"{used + 10} bytes are allowed, {used} are in use, and "
    )
    assert [one["attributes"]["tag"] for one in ann.get("/tags").json()["data"]] == ["Food"]
    assert keyed(ann, "one", "Food").headers["idempotent-replay"] == "true"
    assert ann.post("/tags", {"tag": "Rent"}).status_code == 200


# Requests


def test_a_token_may_make_so_many_requests_a_minute(house):
    world, owner, ann = house
    limit(owner, ann, requests_per_minute_max=3)
    world.time.now = world.time.now.replace(second=20)
    assert [ann.get("/about").status_code for _ in range(3)] == [200] * 3

    refused = ann.post("/tags", {"tag": "Food"})

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "40")
    assert refused.json()["message"] == (
        "This token may make 3 requests a minute and has used them up. Try again in 40 seconds."
    )
    assert [owner.get("/about").status_code for _ in range(5)] == [200] * 5
    assert [signed_in(world, ann.user).get("/about").status_code for _ in range(5)] == [200] * 5, "no token"
    world.time.now += timedelta(seconds=40)
    mine = promised(ann)["id"]  # makes a bill, and the attachment
    assert upload(ann, mine, b"x").status_code == 204, "a request counts once, however many units of work it takes"
    assert upload(ann, mine, b"x").status_code == 429
