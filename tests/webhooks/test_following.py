"""What webhooks are told of changes that a job makes under the revision of an earlier request."""

from farthing.jobs import hook_events
from farthing.jobs.worker import Worker

from ..transactions.making import asset, made, posted_one, withdrawal
from .receiver import Receiver, make_sender, work


def test_changing_all_matching_is_told(new_world, monkeypatch):
    me, receiver = new_world.someone(), Receiver()
    source_id = made(me, asset())
    for number in range(5):
        posted_one(me, withdrawal(source_id, description=f"Bakery {number}"))
    hook = {"title": "Hook", "url": receiver.url, "events": ["transaction.created", "transaction.updated"]}
    assert me.post("/webhooks", hook).status_code == 200
    monkeypatch.setattr("farthing.api.v1.transactions.wire.BULK_MAX", 3)
    monkeypatch.setattr(hook_events, "ROWS_AT_ONCE", 2)
    sender = make_sender(new_world)
    begun = me.put("/transactions/matching", {"category_name": "Food"}, params={"query": "bakery"})
    assert begun.status_code == 202, begun.text
    posted_one(me, withdrawal(source_id, description="Later"))
    work(sender)

    while Worker(new_world.books, new_world.time.clock()).turn():
        pass
    work(sender)
    receiver.close()

    told = [(body["type"], body["data"]["name"]) for body in receiver.bodies]
    assert told[0] == ("transaction.created", "Later")
    assert sorted(told[1:]) == [("transaction.updated", f"Bakery {number}") for number in range(5)]
