"""Webhooks: what is written to the outbox, and how it reaches a receiver that hangs, fails, redirects or dies."""

import hashlib
import hmac
import json
from datetime import timedelta

import pytest

from farthing.care.doctor import examine
from farthing.jobs import hooks
from farthing.jobs.hooks import GIVEN_UP_AFTER, HELD, HookSender
from farthing.kernel.network.outgoing import RequestLimits

from ..transactions.making import a_transaction, asset, made, posted, split, withdrawal
from ..webhooks.receiver import Receiver, make_sender, work


def data(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def add_hook(client, url, **fields):
    body = {"title": "Hook", "url": url, "triggers": ["STORE_TRANSACTION"], "responses": ["TRANSACTIONS"]}
    return data(client.v6.post("/webhooks", body | fields))


def messages(client, hook):
    return [message["attributes"] for message in data(client.v6.get(f"/webhooks/{hook['id']}/messages"))]


def lunch(client, **fields):
    source_id = made(client, asset(name=f"Checking {len(client.get('/accounts').json()['data'])}"))
    fields = {"description": "Lunch"} | fields
    return str(posted(client, withdrawal(source_id, "9.9", **fields))[0]["attributes"]["journal_id"])


def test_the_receiver_gets_the_signed_transaction(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, f"{receiver.url}/in?from=us", active="true", delivery="JSON")
    entry_id = lunch(me)

    work(make_sender(new_world))

    [(path, headers, body)] = receiver.received
    assert path == "/in?from=us"
    assert headers["Content-Type"] == "application/json"
    at, signature = (part.split("=")[1] for part in headers["Signature"].split(","))
    secret = hook["attributes"]["secret"]
    assert signature == hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha3_256).hexdigest()
    assert abs(int(at) - new_world.time.now.timestamp()) < 2
    sent = json.loads(body)
    assert (sent["trigger"], sent["response"], sent["url"]) == (
        "STORE_TRANSACTION",
        "TRANSACTIONS",
        f"{receiver.url}/in?from=us",
    )
    assert (sent["user_id"], sent["version"], sent["content"]["id"]) == (me.user.id, "v0", int(entry_id))
    [shown] = sent["content"]["transactions"]
    assert (shown["type"], shown["description"], shown["amount"]) == ("withdrawal", "Lunch", "9.90")
    assert shown["category_id"] is None
    assert shown["destination_name"] == "Grocer"
    [message] = messages(me, hook)
    assert (message["sent"], message["errored"], message["uuid"]) == (True, False, sent["uuid"])
    assert message["message"] == body


def test_every_event_has_its_messages(new_world, receiver):
    me = new_world.someone()
    add_hook(me, receiver.url, triggers=["ANY"], response="ACCOUNTS", responses=None)
    source_id = made(me, asset())
    body = a_transaction("withdrawal", split(source_id=source_id, destination_name="Shop"), description="Tea")
    [line] = posted(me, body)
    me.put(f"/transactions/{line['id']}", body | {"description": "Cake"})
    entry_id = line["attributes"]["journal_id"]
    assert me.v6.delete(f"/transactions/{entry_id}").status_code == 204

    work(make_sender(new_world))

    stored, changed, removed = [body for body in receiver.bodies if "TRANSACTION" in body["trigger"]][-3:]
    assert [one["trigger"] for one in (stored, changed, removed)] == [
        "STORE_TRANSACTION", "UPDATE_TRANSACTION", "DESTROY_TRANSACTION"
    ]  # fmt: skip
    assert [side["name"] for side in removed["content"]][1] == "Shop"
    assert len({one["uuid"] for one in receiver.bodies}) == len(receiver.bodies)


def test_budgets_and_their_limits_are_events(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, receiver.url, triggers=["ANY"], responses=["RELEVANT"])
    budget = data(me.v6.post("/budgets", {"name": "Food"}))
    at = f"/budgets/{budget['id']}"
    limit = {"start": "2024-05-01", "end": "2024-05-31", "amount": "100", "currency_code": "EUR"}
    data(me.v6.post(f"{at}/limits", limit))
    data(me.v6.put(at, {"name": "Groceries"}))
    assert me.v6.delete(at).status_code == 204

    told = [json.loads(message["message"]) for message in reversed(messages(me, hook))]
    assert [one["trigger"] for one in told] == [
        "STORE_BUDGET", "STORE_UPDATE_BUDGET_LIMIT", "UPDATE_BUDGET", "DESTROY_BUDGET"
    ]  # fmt: skip
    assert [one["content"]["name"] for one in told] == ["Food", "Food", "Groceries", "Groceries"]
    assert {one["content"]["id"] for one in told} == {int(budget["id"])}


def test_a_transaction_of_version_6_may_be_silent(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, receiver.url, triggers=["STORE_TRANSACTION", "UPDATE_TRANSACTION"])
    one_split = {
        "type": "withdrawal", "date": "2024-05-01", "amount": "5", "description": "Tea", "destination_name": "Shop",
        "source_id": str(made(me, asset())), "external_id": "X-9",
    }  # fmt: skip
    body = {"transactions": [one_split], "fire_webhooks": False}

    silent = data(me.v6.post("/transactions", body))
    told = data(me.v6.post("/transactions", body | {"fire_webhooks": True}))
    change = {"transactions": [{"description": "Cake"}]}
    data(me.v6.put(f"/transactions/{silent['id']}", change | {"fire_webhooks": False}))
    data(me.v6.put(f"/transactions/{told['id']}", change))

    newest, first = [json.loads(message["message"]) for message in messages(me, hook)]
    assert [first["content"]["id"], newest["content"]["id"]] == [int(told["id"])] * 2
    assert [one["trigger"] for one in (first, newest)] == ["STORE_TRANSACTION", "UPDATE_TRANSACTION"]
    assert newest["content"]["transactions"][0]["description"] == "Cake"
    assert newest["content"]["transactions"][0]["external_id"] == "X-9"


def test_nothing_is_written_for_others_for_inactive_hooks_or_after_a_refusal(new_world, receiver):
    me, other = new_world.someone(), new_world.someone()
    hook = add_hook(me, receiver.url, active=False)
    lunch(me)
    add_hook(other, receiver.url, triggers=["UPDATE_TRANSACTION"])
    lunch(other)
    me.v6.put(f"/webhooks/{hook['id']}", {"active": True})
    lunch(other)
    assert me.post("/transactions", a_transaction("withdrawal", split(source_id=1, amount="no"))).status_code == 422

    work(make_sender(new_world))

    assert receiver.received == []
    assert messages(me, hook) == []
    lunch(me)
    assert len(messages(me, hook)) == 1
    [change] = [one for one in me.get("/changes").json()["data"] if "webhook" in one["attributes"]["summary"]][:1]
    assert me.post(f"/changes/{change['id']}/undo", {}).status_code == 200
    lunch(me)
    assert len(messages(me, hook)) == 1  # the hook is inactive again


@pytest.mark.parametrize(("failure", "status", "logs"), [(500, 500, None), (302, 302, None), (None, None, "127.0.0.1")])
def test_after_a_failure_messages_wait_in_order(new_world, receiver, failure, status, logs):
    me = new_world.someone()
    hook = add_hook(me, receiver.url)
    first, second = lunch(me), lunch(me)
    receiver.answers = [failure]
    sender = make_sender(new_world)

    work(sender)
    work(sender)

    assert [body["content"]["id"] for body in receiver.bodies] == [int(first)]
    assert [path for path, _, _ in receiver.received] == ["/"]
    message_id = data(me.v6.get(f"/webhooks/{hook['id']}/messages"))[-1]["id"]
    at = f"/webhooks/{hook['id']}/messages/{message_id}/attempts"
    [attempt] = data(me.v6.get(at))
    assert attempt["attributes"]["status_code"] == status
    assert logs is None or logs in attempt["attributes"]["logs"]
    assert status is None or attempt["attributes"]["response"] == "thank you"
    new_world.time.now += timedelta(seconds=11)
    work(sender)
    assert [body["content"]["id"] for body in receiver.bodies] == [int(first), int(first), int(second)]
    assert receiver.bodies[0]["uuid"] == receiver.bodies[1]["uuid"]
    assert [one["sent"] for one in messages(me, hook)] == [True, True]
    assert me.v6.delete(f"{at}/{attempt['id']}").status_code == 204
    assert len(data(me.v6.get(at))) == 1


def test_a_receiver_that_hangs_delays_no_other(new_world, receiver, monkeypatch):
    monkeypatch.setattr(hooks, "LIMITS", RequestLimits(connect_s=1, total_s=0.3))
    me, other = new_world.someone(), new_world.someone()
    receiver.answers = ["hang"]
    hook = add_hook(me, receiver.url)
    lunch(me)
    sender = make_sender(new_world)
    sender.turn()
    healthy = Receiver()
    add_hook(other, healthy.url)
    lunch(other)

    work(sender)
    healthy.close()

    assert len(healthy.received) == 1
    [message] = data(me.v6.get(f"/webhooks/{hook['id']}/messages"))
    [attempt] = data(me.v6.get(f"/webhooks/{hook['id']}/messages/{message['id']}/attempts"))
    assert "longer than" in attempt["attributes"]["logs"]
    assert not message["attributes"]["sent"]


def test_messages_are_given_up_after_three_days(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, receiver.url)
    lunch(me)
    receiver.answers = [503] * 100
    sender = make_sender(new_world)
    begun = new_world.time.now

    while not messages(me, hook)[0]["errored"]:
        work(sender)
        new_world.time.now += timedelta(hours=1)
        assert new_world.time.now < begun + GIVEN_UP_AFTER + timedelta(hours=5)

    assert new_world.time.now >= begun + GIVEN_UP_AFTER - timedelta(hours=3)
    assert 20 < len(receiver.received) < 40
    lunch(me)
    receiver.answers = []
    work(sender)
    assert messages(me, hook)[0]["sent"]


def test_a_killed_sender_may_send_twice_but_never_not_at_all(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, receiver.url)
    first, second = lunch(me), lunch(me)
    killed = make_sender(new_world)
    killed.turn()  # it sends, and ends before it stores what came of it
    for sending in killed._sending:
        sending.join()
    survivor = make_sender(new_world)

    work(survivor)
    assert len(receiver.received) == 2  # somebody holds the messages
    new_world.time.now += HELD
    work(survivor)

    ids = [body["content"]["id"] for body in receiver.bodies]
    assert ids == [int(first), int(second)] * 2
    assert len({body["uuid"] for body in receiver.bodies}) == 2
    assert [one["sent"] for one in messages(me, hook)] == [True, True]


def test_private_addresses_are_refused_unless_allowed(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, receiver.url)
    lunch(me)

    work(HookSender(new_world.books, new_world.time.clock(), allow_private=False))

    [message] = data(me.v6.get(f"/webhooks/{hook['id']}/messages"))
    [attempt] = data(me.v6.get(f"/webhooks/{hook['id']}/messages/{message['id']}/attempts"))
    assert "private" in attempt["attributes"]["logs"]
    assert receiver.received == []


def test_a_webhook_is_changed_in_parts_submitted_and_tested(new_world, receiver):
    me = new_world.someone()
    hook = add_hook(me, receiver.url, trigger="store_transaction", triggers=None)
    assert hook["attributes"]["active"] is True
    assert hook["attributes"]["triggers"] == ["STORE_TRANSACTION"]
    assert hook["attributes"]["deliveries"] == ["JSON"]
    assert len(hook["attributes"]["secret"]) == 24
    at = f"/webhooks/{hook['id']}"

    changed = data(me.v6.put(at, {"title": "Renamed"}))

    stamps = {"title": "Renamed", "updated_at": changed["attributes"]["updated_at"]}
    assert changed["attributes"] == hook["attributes"] | stamps
    assert data(me.v6.put(at, {"secret": "mine"}))["attributes"]["secret"] not in ("mine", hook["attributes"]["secret"])
    assert data(me.v6.get("/webhooks"))[0]["id"] == hook["id"]
    receiver.answers = [500]
    entry_id = lunch(me)
    sender = make_sender(new_world)
    work(sender)
    assert me.v6.post(f"{at}/submit", {}).status_code == 204
    assert me.v6.post(f"{at}/trigger-transaction/{entry_id}", {}).status_code == 204
    assert me.v6.post(f"{at}/trigger-transaction/999999", {}).status_code == 404
    work(sender)
    assert [body["content"]["id"] for body in receiver.bodies] == [int(entry_id)] * 3
    [newest, _] = data(me.v6.get(f"{at}/messages"))
    assert data(me.v6.get(f"{at}/messages/{newest['id']}")) == newest
    assert me.v6.delete(f"{at}/messages/{newest['id']}").status_code == 204
    assert new_world.someone().v6.get(f"{at}/messages").status_code == 404
    assert me.v6.delete(at).status_code == 204
    assert me.v6.get(f"{at}/messages").status_code == 404


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"url": "ftp://x.example"}, "url"),
        ({"url": "http://user:pass@x.example"}, "url"),
        ({"url": None}, "url"),
        ({"title": ""}, "title"),
        ({"title": "HOOK"}, "title"),
        ({"triggers": ["NEVER"]}, "triggers"),
        ({"triggers": None}, "triggers"),
        ({"responses": []}, "responses"),
        ({"deliveries": ["XML"]}, "deliveries"),
        ({"triggers": ["STORE_BUDGET"]}, "responses"),
    ],
)
def test_what_is_refused(me, fields, named):
    add_hook(me, "https://x.example")
    body = {"title": "Other", "url": "https://x.example", "triggers": ["ANY"], "responses": ["TRANSACTIONS"]}

    answer = me.v6.post("/webhooks", body | fields)

    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == [named]


def test_the_doctor_compares_the_stored_events_with_the_webhooks(new_world, receiver):
    me = new_world.someone()
    add_hook(me, receiver.url)
    assert list(examine(new_world.books)) == []

    with new_world.books.writing() as db:
        db.run("UPDATE users SET hooks = 0 WHERE id = :id", id=me.user.id)

    assert [finding.rule for finding in examine(new_world.books)] == ["webhook"]
