"""`Idempotency-Key`: done once, answered alike as often as it is asked; never half, never for another request."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from farthing.app import build
from farthing.jobs.sweeping import Sweeper
from farthing.storage import blobs

from ..attachments.making import body as attachment
from ..attachments.making import promised
from ..transactions.making import asset, count_rows, made, withdrawal
from ..versions import describe
from .doors import DOORS

TAG = {"tag": "holiday"}


def keyed(key):
    return {"Idempotency-Key": key}


def sent(client, key="a key", body=TAG, path="/tags"):
    return client.post(path, body, headers=keyed(key.replace(" ", "-")))


def test_a_repeat_gets_the_first_answer_byte_for_byte(world, me):
    first, again = sent(me), sent(me)

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.content == first.content
    assert "idempotent-replay" not in first.headers
    assert again.headers["idempotent-replay"] == "true"
    for name in ("content-type", "content-length", "etag"):
        assert again.headers[name] == first.headers[name]
    assert count_rows(world, me, "tags") == 1


def test_a_repeat_changes_nothing_not_even_the_revision(world, me):
    sent(me)
    tag = me.get("/tags").headers["etag"]

    sent(me)

    assert me.get("/tags").headers["etag"] == tag


def test_it_is_the_first_answer_though_the_object_is_gone_by_now(me):
    first = sent(me)
    me.delete(f"/tags/{first.json()['data']['id']}")

    assert sent(me).content == first.content
    assert me.get("/tags").json()["data"] == []


@pytest.mark.parametrize(
    ("body", "path"),
    [({"tag": "another"}, "/tags"), ({"name": "holiday"}, "/categories"), (TAG, "/tags?limit=3")],
)
def test_the_same_key_for_another_request_is_refused(world, me, body, path):
    sent(me)

    refused = sent(me, body=body, path=path)

    assert refused.status_code == 422
    assert refused.json()["errors"] == {
        "Idempotency-Key": ["This Idempotency-Key was used for another request. Use a new one."]
    }
    assert count_rows(world, me, "tags") == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "with\ttab", "ümlaut"])
def test_a_key_that_cannot_be_one(world, me, key):
    refused = me.post("/tags", TAG, headers={"Idempotency-Key": key.encode("latin-1")})

    assert refused.status_code == 422
    assert list(refused.json()["errors"]) == ["Idempotency-Key"]
    assert count_rows(world, me, "tags") == 0


def test_the_longest_key(me):
    assert sent(me, "x" * 255).status_code == 200


def test_keys_are_each_users_own(me, someone_else):
    mine, theirs = sent(me), sent(someone_else)

    assert theirs.status_code == 200
    assert "idempotent-replay" not in theirs.headers
    assert theirs.json()["data"]["id"] != mine.json()["data"]["id"]


def test_a_refusal_is_not_kept(me):
    assert sent(me, body={"tag": ""}).status_code == 422
    done = sent(me)

    assert done.status_code == 200
    assert "idempotent-replay" not in done.headers


class Passing:
    """Time passes with the clock, unless somebody sets it."""

    def __init__(self, world) -> None:
        self.world, self.set_by = world, timedelta()
        self.sweeper = self.started()

    def started(self) -> Sweeper:
        contents = blobs.connect(self.world.settings)
        return Sweeper(self.world.settings, self.world.books, contents, self.world.time.clock(), self._measure)

    def _measure(self) -> float:
        return (self.world.time.now - self.set_by).timestamp()

    def set_clock(self, by: timedelta) -> None:
        self.world.time.now += by
        self.set_by += by
        self.sweeper.turn()

    def pass_by(self, hours: int) -> None:
        for _ in range(hours):
            self.world.time.now += timedelta(hours=1)
            self.sweeper.turn()


def is_known(me) -> bool:
    return "idempotent-replay" in sent(me).headers


@pytest.mark.parametrize("by", [timedelta(days=2, hours=1), timedelta(days=-3), timedelta(days=400)])
def test_a_key_survives_a_clock_that_is_set_and_set_right_again(new_world, by):
    me, time = new_world.someone(), Passing(new_world)
    time.pass_by(4 * 24)
    time.set_clock(by)
    sent(me)
    time.set_clock(-by)

    for _ in range(2):
        assert is_known(me)
        time.set_clock(by)
        assert is_known(me)
        time.sweeper = time.started()
        time.pass_by(23)
        time.set_clock(-by)
    assert is_known(me)


def test_old_answers_are_forgotten_once_the_clock_has_gone_evenly_for_as_long(new_world):
    me, time = new_world.someone(), Passing(new_world)
    time.set_clock(timedelta(days=5))
    sent(me)
    time.set_clock(-timedelta(days=5))

    time.pass_by(49)
    assert is_known(me)
    time.sweeper = time.started()  # a restart changes nothing
    time.pass_by(48)

    with new_world.books.reading() as db:
        assert db.value("SELECT COUNT(*) FROM answers") == 0


def test_put_and_delete_do_not_ask_for_one(me):
    tag_id = sent(me).json()["data"]["id"]

    assert me.put(f"/tags/{tag_id}", {"tag": "renamed"}, headers=keyed("a-key")).status_code == 200
    assert me.request("DELETE", f"/tags/{tag_id}", headers=keyed("a-key")).status_code == 204


def test_an_answer_without_a_body_is_kept_too(me):
    first = me.post("/recurrences/trigger", headers=keyed("nothing"))
    again = me.post("/recurrences/trigger", headers=keyed("nothing"))

    assert (first.status_code, again.status_code) == (204, 204)
    assert again.headers["idempotent-replay"] == "true"
    assert again.content == b""


def test_an_upload(me):
    made = promised(me)["id"]

    def upload(content):
        return me.request("POST", f"/attachments/{made}/upload", content=content, headers=keyed("upload"))

    assert upload(b"first").status_code == 204
    assert upload(b"first").headers["idempotent-replay"] == "true"
    assert upload(b"second").status_code == 422
    me.delete(f"/attachments/{made}")
    assert upload(b"first").status_code == 204


def test_a_file_that_comes_with_its_record(me):
    fields = attachment(me)

    def attach(content):
        return me.request("POST", "/attachments", data=fields, files={"file": content}, headers=keyed("both"))

    first = attach(b"first")
    assert first.status_code == 200
    assert attach(b"first").content == first.content
    assert attach(b"second").status_code == 422
    assert len(me.get("/attachments").json()["data"]) == 1


def test_a_bulk_of_transactions_is_booked_once(world, me):
    body = {"transactions": [withdrawal(made(me, asset()))] * 20}

    first = me.post("/transactions/bulk", body, headers=keyed("bulk"))
    again = me.post("/transactions/bulk", body, headers=keyed("bulk"))

    assert first.status_code == 200
    assert again.content == first.content
    assert count_rows(world, me, "entries") == 20


def test_two_at_the_same_moment_and_another_server(world, me):
    """Another server on the same database answers with what the first one did."""
    with TestClient(build(world.settings, world.time.clock()), base_url="http://farthing.example") as other:
        headers = {"Authorization": f"Bearer {me.token}", **keyed("race")}

        def ask(number):
            at = (world.http, other)[number % 2]
            return at.post("/api/v1/tags", json=TAG, headers=headers)

        with ThreadPoolExecutor(8) as threads:
            answered = list(threads.map(ask, range(24)))

    assert {one.status_code for one in answered} == {200}
    assert len({one.content for one in answered}) == 1
    assert sum("idempotent-replay" not in one.headers for one in answered) == 1
    assert count_rows(world, me, "tags") == 1


def test_the_documents_tell_of_it_on_every_post():
    for door in DOORS:
        named, route = {"$ref": "#/components/parameters/IdempotencyKey"}, door.route
        operation = describe(door.version)["paths"][f"/api/v1{route.path}"][route.method.lower()]
        assert (named in operation.get("parameters", [])) == (
            route.method == "POST" and route.is_of_books and not route.only_reads and not route.shows_secret
        ), door


def test_what_fails_at_the_very_end_keeps_no_answer(world, me, monkeypatch):
    """The answer is stored with the work, or not at all."""
    monkeypatch.setattr("farthing.storage.answers.keep", _fails)

    assert sent(me, "x").status_code == 500
    monkeypatch.undo()

    assert count_rows(world, me, "tags") == 0
    assert sent(me, "x").status_code == 200


def _fails(*_given):
    raise ZeroDivisionError
