"""What may a token do that may only read? Everything that reads, and nothing else: held of every route there is."""

import pytest

from farthing.identity import tokens
from farthing.kernel.clock import stamp

from ..accounts.making import asset
from ..conftest import Client
from ..sessions.browser import signed_in
from .doors import KNOWN, make_for
from .makers import one_of


def reader(world, me):
    with world.books.writing() as db:
        token = tokens.issue(db, me.user.id, "reader", None, stamp(world.time.now), "read")
    return Client(world.http, token, me.user, world.check, books=world.books)


def rows(world, user_id):
    """Everything of the user but what is noted beside the books."""
    from farthing.storage.schema import TABLES

    left_out = {"revisions", "tokens", "audit"}  # an export is recorded for the audit
    with world.books.reading() as db:
        return {
            table: sorted(db.all(f"SELECT * FROM {table} WHERE user_id = :id", id=user_id), key=repr)
            for table, columns in TABLES.items()
            if "user_id" in columns and table not in left_out
        }


@pytest.mark.any_database
@pytest.mark.parametrize("door", KNOWN, ids=str)
def test_a_token_that_may_only_read_changes_nothing_anywhere(door, world, me):
    ids = make_for(door, me)
    before = rows(world, me.user.id)

    answer = reader(world, me).request(door.method, door.address(ids), json={})

    if door.method != "GET" and not door.route.only_reads:
        assert answer.status_code == 403
        assert answer.json() == {
            "message": "This token may only read. Use one with full access to change anything.",
            "exception": "AuthorizationException",
        }
    else:
        assert answer.status_code != 403 or "owner" in answer.json()["message"]
    assert rows(world, me.user.id) == before


def test_those_that_are_said_to_only_read_are_few():
    assert {door.route.name for door in KNOWN if door.route.only_reads} == {
        "recurrences.preview",
        "recurrences.preview_change",
        "import_jobs.show_preview",
        "suggestions.suggest_drafts",
        "batch.finish",
    }


def test_an_upload_is_refused_before_it_is_read(world, me):
    attachment_id = one_of("attachments", me)
    before = sorted((world.settings.data / "attachments").rglob("*"))

    whole = reader(world, me).request("POST", f"/attachments/{attachment_id}/upload", content=b"other")
    part = reader(world, me).request("POST", "/attachments", files={"file": ("a.txt", b"other")})

    assert (whole.status_code, part.status_code) == (403, 403)
    assert sorted((world.settings.data / "attachments").rglob("*")) == before


def test_a_key_that_was_used_gives_nothing_to_a_reader(world, me):
    headers = {"Idempotency-Key": "once"}
    assert me.request("POST", "/accounts", json=asset(), headers=headers).status_code == 200

    assert reader(world, me).request("POST", "/accounts", json=asset(), headers=headers).status_code == 403


def test_it_can_try_out_a_recurrence(world, me):
    account = one_of("accounts", me)
    split = {
        "description": "Rent", "amount": "700", "currency_code": "EUR", "source_id": account,
        "destination_name": "Landlord",
    }  # fmt: skip
    body = {
        "type": "withdrawal", "title": "Rent", "first_date": "2024-06-01", "apply_rules": False, "active": True,
        "repetitions": [{"type": "monthly", "moment": "1", "skip": 0, "weekend": 1}], "transactions": [split],
    }  # fmt: skip
    tag = me.get("/accounts").headers["etag"]

    answer = reader(world, me).post("/recurrences/preview", body)

    assert answer.status_code == 200, answer.text
    assert me.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 304


def test_it_can_look_at_what_a_rule_would_do_but_not_do_it(world, me):
    rule, reading = one_of("rules", me), reader(world, me)
    one_of("transactions", me)
    before = rows(world, me.user.id)

    address = f"/rules/{rule}/trigger?start=2024-01-01&end=2024-12-31"
    looks = reading.request("POST", f"{address}&dry_run=1")
    kept = reading.request("POST", f"{address}&dry_run=1", headers={"Idempotency-Key": "look"})
    does = [reading.request("POST", address + query) for query in ("", "&dry_run=0", "&dry_run=")]

    assert looks.status_code == 200, looks.text
    assert kept.status_code == 403, "an answer that is kept is written down"
    assert [answer.status_code for answer in does] == [403, 403, 403]
    assert rows(world, me.user.id) == before


# What it costs to know who asks


def test_to_know_who_asks_takes_one_query_with_a_token_and_in_a_session(world, me, asked):
    browser = signed_in(world, me.user)
    for client in (me, browser):
        tag = client.get("/accounts").headers["etag"]
        asked.clear()
        assert client.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 304
        assert len(asked) == 1, asked


def test_a_write_in_a_session_takes_as_many_statements_as_with_a_token(world, me, asked):
    counts = []
    for client in (me, signed_in(world, me.user)):
        client.post("/tags", {"tag": f"first{len(counts)}"})
        asked.clear()
        assert client.post("/tags", {"tag": f"second{len(counts)}"}).status_code == 200
        counts.append(len(asked))

    assert counts[0] == counts[1]
