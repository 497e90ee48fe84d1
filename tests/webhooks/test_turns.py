"""How users share the job process: nobody's receivers, books or webhooks keep those of others waiting."""

from collections import Counter
from datetime import timedelta

from farthing.books.webhooks.model import WEBHOOKS_MAX
from farthing.jobs import hooks

from ..transactions.making import asset, made, posted_one, withdrawal
from .receiver import Receiver, make_sender, work


def add_hooks(client, url, number=1):
    for one in range(number):
        hook = {"title": f"Hook {one}", "url": f"{url}/{one}", "events": ["transaction.created"]}
        assert client.post("/webhooks", hook).status_code == 200
    return made(client, asset())


def spend(client, account_id, description):
    posted_one(client, withdrawal(account_id, description=description))


def told(receiver):
    return [body["data"]["name"] for body in receiver.bodies]


def test_slow_receivers_of_one_user_delay_nobody_else(new_world, receiver):
    slow, one, other = Receiver(), new_world.someone(), new_world.someone()
    slow.answers = ["hang"] * 20
    spend(one, add_hooks(one, slow.url, 10), "slow")
    spend(other, add_hooks(other, receiver.url), "fast")
    sender = make_sender(new_world)

    for _ in range(2):
        sender.turn()
        on_way = Counter(sending._messages[0].user_id for sending in sender._sending if sending.is_alive())
        assert on_way[one.user.id] == 2
    slow.close()
    for sending in sender._sending:
        sending.join()

    assert told(receiver) == ["fast"]


def test_users_take_turns(new_world, receiver, monkeypatch):
    monkeypatch.setattr(hooks, "_RECEIVERS_MAX", 1)
    for name, number in (("one", 3), ("two", 1), ("three", 1)):
        user = new_world.someone()
        spend(user, add_hooks(user, receiver.url, number), name)

    work(make_sender(new_world))

    assert told(receiver) == ["one", "two", "three", "one", "one"]


def test_events_are_read_for_a_while_and_then_for_the_next_user(new_world, receiver, monkeypatch):
    monkeypatch.setattr(hooks, "_FOLLOWING_S", -1)
    for name in ("one", "two", "three"):
        user = new_world.someone()
        spend(user, add_hooks(user, receiver.url), name)
    sender = make_sender(new_world)

    for number in (1, 2, 3):
        assert sender.turn()
        with new_world.books.reading() as db:
            assert db.value("SELECT COUNT(*) FROM webhook_messages") == number
    work(sender)

    assert sorted(told(receiver)) == ["one", "three", "two"]


def test_books_that_cannot_be_read_stop_nobody_and_are_tried_again_later(new_world, receiver, caplog):
    broken, other = new_world.someone(), new_world.someone()
    spend(broken, add_hooks(broken, receiver.url), "late")
    spend(other, add_hooks(other, receiver.url), "at once")
    set_zone = "UPDATE preferences SET data = :data WHERE user_id = :id AND name = 'timezone'"
    with new_world.books.writing() as db:
        db.run(set_zone, data='"Nowhere/Land"', id=broken.user.id)
    sender = make_sender(new_world)

    work(sender)
    work(sender)
    assert told(receiver) == ["at once"]
    assert len([record for record in caplog.records if "could not be read" in record.message]) == 1

    with new_world.books.writing() as db:
        db.run(set_zone, data='"UTC"', id=broken.user.id)
    work(sender)
    assert told(receiver) == ["at once"]
    new_world.time.now += timedelta(minutes=10)
    work(sender)
    assert told(receiver) == ["at once", "late"]


def test_nobody_has_more_webhooks_than_allowed(me):
    add_hooks(me, "https://hooks.example.org", WEBHOOKS_MAX)
    other = {"title": "Other", "url": "https://x.example", "events": ["bill.due"]}
    of_v6 = {"title": "Other", "url": "https://x.example", "triggers": ["ANY"], "responses": ["TRANSACTIONS"]}

    for refusal in (me.post("/webhooks", other), me.v6.post("/webhooks", of_v6)):
        assert (refusal.status_code, list(refusal.json()["errors"])) == (422, ["title"])

    assert me.delete(f"/webhooks/{me.get('/webhooks').json()['data'][0]['id']}").status_code == 204
    deleted = me.get("/changes").json()["data"][0]["id"]
    assert me.post("/webhooks", other).status_code == 200
    assert "at most 20 webhooks" in me.post(f"/changes/{deleted}/undo", {}).json()["message"]
