"""Webhooks of version 1: which events reach a receiver, signed as Standard Webhooks says, and what people can do."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook

from farthing.books.recurrences import store as recurrences
from farthing.care.doctor import examine
from farthing.care.watch.deliveries import Settled, load_deliveries
from farthing.identity import audit, tokens, users
from farthing.identity.audit import AuditSource, Event
from farthing.identity.tokens import TokenLimits
from farthing.jobs import hook_events
from farthing.jobs.firing import fire_everyone
from farthing.jobs.hooks import GIVEN_UP_AFTER, HELD
from farthing.kernel.clock import stamp

from ..bills.making import a_bill
from ..moving.import_jobs.making import a_csv, an_account, imported
from ..needs import or_skip
from ..notices.making import looked
from ..providers import real
from ..recurrences.making import a_recurrence
from ..transactions.making import a_transaction, asset, made, posted, split, withdrawal
from .receiver import Receiver, make_sender, work


def data(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def add_hook(client, url, *events, **fields):
    body = {"title": "Hook", "url": url, "events": events or ["transaction.created"]}
    return data(client.post("/webhooks", body | fields))


def added(client, path, body):
    return data(client.post(path, body))["id"]


def types(receiver):
    return [body["type"] for body in receiver.bodies]


def deliveries(client, hook):
    return [one["attributes"] for one in data(client.get(f"/webhooks/{hook['id']}/deliveries"))]


def count_deliveries(world):
    with world.books.reading() as db:
        return load_deliveries(db, world.time.now)


def shown(client, hook):
    return data(client.get(f"/webhooks/{hook['id']}"))["attributes"]


def verify_with_npm(secret, body, headers):
    """What the library for Node says."""
    script = (
        "import {Webhook} from 'standardwebhooks';"
        "const [secret, body, headers] = JSON.parse(process.argv[1]);"
        "try { new Webhook(secret).verify(body, headers); console.log('verified'); }"
        "catch (error) { console.log(error.message); }"
    )
    return real.run_in_node(script, [secret, body, headers])


def test_published_libraries_verify_what_arrives(new_world, receiver):
    new_world.time.now = datetime.now(UTC)  # the library refuses messages that are older than five minutes
    me = new_world.someone()
    hook = add_hook(me, receiver.url)
    source_id = made(me, asset())
    [line] = posted(me, withdrawal(source_id, "9.90", description="Lunch"))

    work(make_sender(new_world))

    [(_, headers, body)] = receiver.received
    headers = {name.lower(): value for name, value in headers.items()}
    verifier = Webhook(hook["attributes"]["secret"])
    verifier.verify(body, headers)
    with pytest.raises(Exception, match="signature"):
        verifier.verify(body.replace("Lunch", "Feast"), headers)
    sent = json.loads(body)
    assert (sent["type"], sent["data"]["name"]) == ("transaction.created", "Lunch")
    or_skip(real.find(), "standardwebhooks of npm")
    assert verify_with_npm(hook["attributes"]["secret"], body, headers) == "verified"
    assert "No matching signature" in verify_with_npm(hook["attributes"]["secret"], body + " ", headers)
    [split_sent] = sent["data"]["transactions"]
    assert split_sent["id"] == line["id"]
    assert split_sent["attributes"] == data(me.get(f"/transactions/{line['id']}"))[0]["attributes"]
    [delivery] = deliveries(me, hook)
    assert (delivery["status"], delivery["status_code"], delivery["message_id"]) == ("sent", 200, headers["webhook-id"])
    assert "secret" not in shown(me, hook)


def test_changes_arrive_in_order_and_once(new_world, receiver, monkeypatch):
    monkeypatch.setattr(hook_events, "ROWS_AT_ONCE", 3)
    me = new_world.someone()
    source_id = made(me, asset())
    made_events = [f"transaction.{done}" for done in ("created", "updated", "deleted")]
    add_hook(me, receiver.url, *made_events, "account.updated")
    body = withdrawal(source_id, description="Tea")
    [line] = posted(me, body)
    me.put(f"/transactions/{line['id']}", body | {"description": "Cake"})
    me.delete(f"/transactions/{line['id']}")
    sender = make_sender(new_world)
    work(sender)
    latest = data(me.get("/changes"))[0]
    assert me.post(f"/changes/{latest['id']}/undo", {}).status_code == 200
    me.put(f"/accounts/{source_id}", asset(name="Wallet"))

    work(sender)
    work(make_sender(new_world))

    assert types(receiver) == [*made_events, "transaction.created", "account.updated"]
    assert {body["data"]["name"] for body in receiver.bodies} == {"Cake", "Wallet"}
    assert receiver.bodies[-1]["data"]["attributes"] == data(me.get(f"/accounts/{source_id}"))["attributes"]
    assert len({headers["webhook-id"] for _, headers, _ in receiver.received}) == 5


def test_bills_and_budgets_tell_once_an_occasion(new_world, receiver):
    me = new_world.someone()
    source_id, today = made(me, asset()), str(new_world.time.now.date())
    add_hook(me, receiver.url, "bill.due", "bill.overdue", "bill.paid", "budget.spent")
    bill_id = added(me, "/bills", a_bill(date=today))
    budget_id = added(me, "/budgets", {"name": "Food", "active": True})
    added(me, "/budget_limits", {"budget_id": budget_id, "amount": 100, "start_date": today, "end_date": today})
    sender = make_sender(new_world)
    work(sender)
    assert types(receiver) == ["bill.due"]

    for amount in ("85", "1"):
        spent = split(source_id=source_id, amount=amount, budget_id=budget_id, destination_name="Shop")
        posted(me, a_transaction("withdrawal", spent, date=today))
        work(sender)
    assert types(receiver)[1:] == ["budget.spent"]
    assert (receiver.bodies[1]["data"]["percentage"], receiver.bodies[1]["data"]["spent"]) == (80, 85)

    new_world.time.now += timedelta(days=1)
    work(sender)
    assert types(receiver)[2:] == ["bill.overdue"]

    posted(me, withdrawal(source_id, "800", description="Rent to the landlord", date=today))
    work(sender)
    assert types(receiver)[3:] == ["bill.paid"]
    assert receiver.bodies[3]["data"]["id"] == bill_id


def test_recurrences_imports_and_sign_ins_are_told(new_world, receiver):
    me = new_world.someone("me@farthing.example")
    account_id = an_account(me)
    add_hook(me, receiver.url, "recurrence.fired", "recurrence.failed", "import.finished", "sign_in.new_device")
    recurrence_id = added(me, "/recurrences", a_recurrence(account_id))
    imported(new_world, me, a_csv("2024-05-02,Shop,Tea,-3.00"), account_id=account_id)
    sender = make_sender(new_world)
    work(sender)
    assert types(receiver) == ["import.finished"]
    assert receiver.bodies[0]["data"]["rows_new"] == 1

    new_world.time.now += timedelta(days=20)
    list(fire_everyone(new_world.books, new_world.time.clock()))
    work(sender)
    assert types(receiver)[1:] == ["recurrence.fired"]
    assert receiver.bodies[1]["data"]["id"] == recurrence_id

    with new_world.books.writing() as db:
        source = AuditSource(address="192.0.2.1", device="Firefox on Linux", is_known=False)
        audit.note(db, me.user.id, Event.SIGNED_IN, source, now=stamp(new_world.time.now))
    work(sender)
    assert types(receiver)[2:] == ["sign_in.new_device"]
    assert receiver.bodies[2]["data"]["device"] == "Firefox on Linux"

    with new_world.books.writing() as db:
        users.take(db, me.user.id, token_id=None, now=stamp(new_world.time.now), doing="recurrences.fire")
        recurrences.set_failure(db, me.user.id, int(recurrence_id), "The account is gone.")
    work(sender)
    work(sender)
    assert types(receiver)[3:] == ["recurrence.failed"]


def test_a_receiver_that_fails_for_three_days_pauses_its_webhook(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, receiver.url)
    source_id = made(me, asset())
    posted(me, withdrawal(source_id))
    receiver.answers = [500, 302, None] * 30
    sender = make_sender(new_world)
    begun = new_world.time.now
    looked(new_world, me)

    while not shown(me, hook)["paused_at"]:
        work(sender)
        new_world.time.now += timedelta(hours=1)
        assert new_world.time.now < begun + GIVEN_UP_AFTER + timedelta(hours=5)

    assert "resume" in shown(me, hook)["notice"]
    assert me.post(f"/webhooks/{hook['id']}/test", {}).status_code == 409
    [failing] = deliveries(me, hook)
    assert (failing["status"], failing["attempts"] > 20) == ("waiting", True)
    figures = count_deliveries(new_world)
    assert (figures.paused, figures.waiting, figures.settled[0].sent) == (1, {}, 0)
    for _ in range(2):
        assert [noticed[:2] for noticed in looked(new_world, me)] == [("webhook_paused", "Hook")]
    posted(me, withdrawal(source_id, description="during the pause"))
    receiver.answers = []
    receiver.received.clear()
    work(sender)
    assert receiver.received == []

    assert me.post(f"/webhooks/{hook['id']}/resume", {}).status_code == 200
    posted(me, withdrawal(source_id, description="after it"))
    assert count_deliveries(new_world).waiting == {"webhook": 1}
    work(sender)

    assert [body["data"]["name"] for body in receiver.bodies] == ["a transaction", "after it"]
    later = count_deliveries(new_world)
    assert (later.paused, later.waiting, later.settled) == (
        0,
        {},
        [Settled(channel="webhook", sent=2, failed=figures.settled[0].failed)],
    )
    assert receiver.received[0][1]["webhook-id"] == failing["message_id"]
    assert (shown(me, hook)["paused_at"], shown(me, hook)["failing_since"]) == (None, None)


def test_a_killed_sender_loses_nothing_and_repeats_with_the_same_id(new_world, receiver):
    me = new_world.someone()
    add_hook(me, receiver.url)
    source_id = made(me, asset())
    for _ in range(2):
        posted(me, withdrawal(source_id))
    killed = make_sender(new_world)
    killed.turn()  # it sends, and ends before it stores what came of it
    for sending in killed._sending:
        sending.join()
    posted(me, withdrawal(source_id, description="third"))
    survivor = make_sender(new_world)

    work(survivor)
    assert len(receiver.received) == 2  # somebody holds the messages
    new_world.time.now += HELD
    work(survivor)

    ids = [headers["webhook-id"] for _, headers, _ in receiver.received]
    assert ids[:2] == ids[2:4]
    assert len(set(ids)) == 3
    assert receiver.bodies[-1]["data"]["name"] == "third"


def test_a_test_is_sent_and_sent_again_for_both_versions(new_world, receiver):
    me = new_world.someone()
    mine = add_hook(me, receiver.url)
    theirs = {"title": "Older", "url": receiver.url, "triggers": ["ANY"], "responses": ["TRANSACTIONS"]}
    older = data(me.v6.post("/webhooks", theirs))
    sender = make_sender(new_world)

    for hook in (mine, older):
        delivery = data(me.post(f"/webhooks/{hook['id']}/test", {}))
        assert delivery["attributes"]["status"] == "waiting"
        work(sender)
        again = f"/webhooks/{hook['id']}/deliveries/{delivery['id']}/send_again"
        assert data(me.post(again, {}))["attributes"]["status"] == "waiting"
        work(sender)
        assert deliveries(me, hook)[0]["response"] == "thank you"

    assert [body.get("type") or body["trigger"] for body in receiver.bodies] == ["webhook.test"] * 2 + ["ANY"] * 2
    ids = [delivery["message_id"] for hook in (mine, older) for delivery in deliveries(me, hook)]
    assert [headers.get("webhook-id") for _, headers, _ in receiver.received] == [ids[0]] * 2 + [None] * 2
    assert [one["attributes"]["api_version"] for one in data(me.get("/webhooks"))] == ["v1", "v6"]
    assert [one["id"] for one in data(me.v6.get("/webhooks"))] == [older["id"]]
    assert me.v6.get(f"/webhooks/{mine['id']}").status_code == 404


def test_a_webhook_is_changed_deleted_and_restored(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, "https://hooks.example.org")
    at, body = f"/webhooks/{hook['id']}", {"title": "New", "url": receiver.url, "events": ["account.created"]}
    assert data(me.put(at, body))["attributes"]["events"] == ["account.created"]
    renewed = data(me.post(f"{at}/secret", {}))["attributes"]["secret"]
    assert renewed.startswith("whsec_")
    assert renewed != hook["attributes"]["secret"]
    assert me.delete(at).status_code == 204
    change = data(me.get("/changes"))[0]
    assert renewed not in me.get(f"/changes/{change['id']}").text

    assert me.post(f"/changes/{change['id']}/undo", {}).status_code == 200
    made(me, asset())
    work(make_sender(new_world))

    assert types(receiver) == ["account.created"]
    assert list(examine(new_world.books)) == []
    with new_world.books.writing() as db:
        db.run("DELETE FROM webhook_progress WHERE user_id = :id", id=me.user.id)
    assert [finding.rule for finding in examine(new_world.books)] == ["webhook"]
    data(me.put(at, body))
    assert list(examine(new_world.books)) == []


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"title": None, "url": None, "events": None}, ["title", "url", "events"]),
        ({"url": "ftp://x.example"}, ["url"]),
        ({"events": ["transaction.guessed"]}, ["events"]),
        ({"events": ["STORE_TRANSACTION"]}, ["events"]),
        ({"events": []}, ["events"]),
        ({"budget_percentages": [0]}, ["budget_percentages"]),
        ({"title": "HOOK"}, ["title"]),
    ],
)
def test_what_is_refused(me, fields, named):
    add_hook(me, "https://x.example")
    body = {"title": "Other", "url": "https://x.example", "events": ["bill.due"]}

    answer = me.post("/webhooks", body | fields)

    assert answer.status_code == 422
    assert sorted(answer.json()["errors"]) == sorted(named)


def test_a_token_cannot_learn_by_webhook_what_it_may_not_read(world, me):
    def post(scopes, event):
        with world.books.writing() as db:
            limits = TokenLimits(scopes=scopes)
            _, me.token = tokens.make(db, me.user.id, "t", None, stamp(world.time.now), "full", limits)
        return me.post("/webhooks", {"title": event, "url": "https://x.example", "events": [event]}).status_code

    assert post("webhooks:write", "transaction.created") == 403
    assert post("webhooks:write transactions:read", "transaction.created") == 200
    assert post("webhooks:write transactions:read", "bill.paid") == 403
    assert post("webhooks:write", "sign_in.new_device") == 403


def test_what_waits_goes_to_the_address_of_now_and_only_there(new_world, receiver):
    me, moved = new_world.someone(), Receiver()
    hook = add_hook(me, receiver.url)
    at, source_id, sender = f"/webhooks/{hook['id']}", made(me, asset()), make_sender(new_world)

    def spend(description):
        receiver.answers = moved.answers = [500]
        posted(me, withdrawal(source_id, description=description))
        work(sender)

    def change(url, event="transaction.created"):
        data(me.put(at, {"title": "Hook", "url": url, "events": [event]}))

    def undo():
        assert me.post(f"/changes/{data(me.get('/changes'))[0]['id']}/undo", {}).status_code == 200

    def told(by):
        work(sender)
        names = [body["data"]["name"] for body in by.bodies]
        by.received.clear()
        return names

    spend("changed")
    receiver.received.clear()
    change(moved.url)
    assert (told(moved), told(receiver)) == (["changed"], [])

    change(receiver.url)
    undo()
    spend("undone")
    moved.received.clear()
    change(receiver.url)
    undo()
    assert (told(moved), told(receiver)) == (["undone"], [])

    # An address is not told of events that it was never meant for, nor is one that is gone.
    change(receiver.url, "account.created")
    changed = data(me.get("/changes"))[0]["id"]
    receiver.answers = [500]
    made(me, asset(name="Wallet"))
    work(sender)
    receiver.received.clear()
    assert me.post(f"/changes/{changed}/undo", {}).status_code == 200
    assert (told(moved), told(receiver)) == ([], [])
    spend("removed")
    moved.received.clear()
    assert me.delete(at).status_code == 204
    undo()
    new_world.time.now += timedelta(days=1)
    assert (told(moved), told(receiver)) == ([], [])
    moved.close()
