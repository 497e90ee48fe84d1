"""Who learns what by webhooks: members, tokens with scopes, and the former owner of the books."""

from datetime import timedelta

from farthing.books.webhooks import following, store
from farthing.books.webhooks.following import HookEvent
from farthing.identity import audit
from farthing.identity.audit import AuditSource, Event
from farthing.kernel.clock import stamp

from ..sessions.browser import signed_in, somebody
from ..sharing.people import member_of, with_token
from ..transactions.making import asset, made, posted, withdrawal
from .receiver import make_sender, work

HOOK = {"title": "Hook", "url": "https://hooks.example.org"}
ALL = "changes:write webhooks:write settings:write notices:write transactions:read"
OF_V6 = {"triggers": ["STORE_TRANSACTION"], "responses": ["TRANSACTIONS"]}


def data(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def test_version_6_shows_its_secrets_only_with_full_access(world, me):
    hook = data(me.v6.post("/webhooks", HOOK | OF_V6))

    for role in ("viewer", "bookkeeper"):
        member = member_of(world, me, role)
        assert member.v6.get("/webhooks").status_code == 403
        assert member.v6.get(f"/webhooks/{hook['id']}/messages").status_code == 403
    assert member_of(world, me, "full").v6.get("/webhooks").status_code == 200


def test_a_token_cannot_learn_by_version_6_what_it_may_not_read(world, me):
    data(me.v6.post("/webhooks", HOOK | OF_V6))
    [line] = posted(me, withdrawal(made(me, asset())))
    hook_id = data(me.v6.get("/webhooks"))[0]["id"]
    entry_id, at = line["attributes"]["journal_id"], f"/webhooks/{hook_id}"
    limited, other = with_token(world, me, scopes="webhooks:write"), HOOK | OF_V6 | {"title": "Other"}

    assert limited.v6.post("/webhooks", other).status_code == 403
    assert limited.v6.put(at, {"url": "https://other.example.org"}).status_code == 403
    assert limited.v6.get(f"{at}/messages").status_code == 403
    assert limited.v6.post(f"{at}/submit", {}).status_code == 403
    assert limited.v6.post(f"{at}/trigger-transaction/{entry_id}", {}).status_code == 403

    able = with_token(world, me, scopes="webhooks:write transactions:read")
    assert len(data(able.v6.get(f"{at}/messages"))) == 1
    assert able.v6.post(f"{at}/trigger-transaction/{entry_id}", {}).status_code == 204
    assert able.v6.post("/webhooks", other | {"responses": ["ACCOUNTS"]}).status_code == 403
    assert able.v6.post("/webhooks", other).status_code == 200


def add_sign_ins(world, me):
    """The owner's webhook, which has sent the sign-in of an unknown device."""
    hook_id = data(me.post("/webhooks", HOOK | {"events": ["sign_in.new_device"]}))["id"]
    event = HookEvent(type="sign_in.new_device", at="2024-05-15T12:00:00+00:00", data={"address": "192.0.2.1"})
    with world.books.writing() as db:
        store.add_messages(db, [following.make_message(me.user.id, int(hook_id), event)], "2024-05-15T12:00:00+00:00")
        db.run("UPDATE webhook_messages SET sent = 1 WHERE webhook_id = :id", id=int(hook_id))
    return hook_id


def test_sign_ins_are_for_the_owner_alone(world, me):
    hook_id, full = add_sign_ins(world, me), member_of(world, me, "full")
    at, body = f"/webhooks/{hook_id}", HOOK | {"events": ["transaction.created"]}
    [delivery] = data(me.get(f"{at}/deliveries"))
    one = f"{at}/deliveries/{delivery['id']}"

    for action in ("secret", "resume", "test", f"deliveries/{delivery['id']}/send_again"):
        assert full.post(f"{at}/{action}", {}).status_code == 403, action
    assert full.put(at, body).status_code == 403
    assert [full.get(f"{at}/deliveries").status_code, full.get(one).status_code] == [403, 403]

    data(me.put(at, body))
    assert data(full.get(f"{at}/deliveries")) == []
    assert full.get(one).status_code == 404
    assert full.post(f"{one}/send_again", {}).status_code == 404
    assert len(data(me.get(f"{at}/deliveries"))) == 1


def test_a_token_needs_the_scopes_of_the_stored_webhook(world, me):
    hook_id = data(me.post("/webhooks", HOOK | {"events": ["transaction.created"]}))["id"]
    limited, at = with_token(world, me, scopes="webhooks:write budgets:read"), f"/webhooks/{hook_id}"

    assert limited.put(at, HOOK | {"events": ["budget.spent"]}).status_code == 403
    assert limited.get(f"{at}/deliveries").status_code == 403
    assert with_token(world, me, scopes="webhooks:read transactions:read").get(f"{at}/deliveries").status_code == 200


def test_a_bookkeeper_does_not_undo_changes_of_webhooks(world, me):
    hook_id = data(me.post("/webhooks", HOOK | {"events": ["transaction.created"]}))["id"]
    data(me.put(f"/webhooks/{hook_id}", HOOK | {"url": "https://new.example.org", "events": ["bill.due"]}))
    undo = f"/changes/{data(me.get('/changes'))[0]['id']}/undo"

    assert member_of(world, me, "bookkeeper").request("POST", undo, params={"others": "1"}).status_code == 403
    assert data(me.get(f"/webhooks/{hook_id}"))["attributes"]["url"] == "https://new.example.org"
    assert me.post(undo, {}).status_code == 200


def sign_in(world, user_id, address):
    world.time.now += timedelta(minutes=1)
    with world.books.writing() as db:
        source = AuditSource(address=address, device="Firefox", is_known=False)
        audit.note(db, user_id, Event.SIGNED_IN, source, now=stamp(world.time.now))


def test_after_a_handover_nobody_is_told_of_the_other_persons_sign_ins(new_world, receiver):
    giver, taker = somebody(new_world), somebody(new_world)
    giving, taking = signed_in(new_world, giver), signed_in(new_world, taker)
    for person, events in ((giving, ["sign_in.new_device", "account.created"]), (taking, ["sign_in.new_device"])):
        for active in (1, 0):
            hook = {"title": f"Hook {active}", "url": receiver.url, "events": events, "active": active}
            data(person.post("/webhooks", hook))
    for person in (giver, taker):
        sign_in(new_world, person.id, "192.0.2.1")
    sender = make_sender(new_world)
    work(sender)
    assert sorted(body["type"] for body in receiver.bodies) == ["sign_in.new_device"] * 2
    for title in ("Changed", "Hook 1"):
        hook_id = data(giving.get("/webhooks"))[0]["id"]
        hook = {"title": title, "url": receiver.url, "events": ["sign_in.new_device", "account.created"]}
        data(giving.put(f"/webhooks/{hook_id}", hook))
    code = data(giving.post("/invitations", {"role": "owner", "name": "Sam"}))["attributes"]["code"]
    sign_in(new_world, taker.id, "192.0.2.2")
    assert taking.post("/books", {"code": code}).status_code == 200

    for person in (giver, taker):
        sign_in(new_world, person.id, "192.0.2.3")
    made(taking, asset())
    for hook in data(taking.get("/webhooks")):
        assert hook["attributes"]["events"] == ["account.created"]
        assert data(taking.get(f"/webhooks/{hook['id']}/deliveries")) == []
    work(sender)
    assert [body["type"] for body in receiver.bodies[2:]] == ["account.created"]

    # Not even an undo by the new owner brings them back.
    undo_newest(taking, "webhooks.change")
    assert data(taking.get(f"/webhooks/{hook_id}"))["attributes"]["title"] == "Changed"
    assert data(taking.get(f"/webhooks/{hook_id}"))["attributes"]["events"] == ["account.created"]


def undo_newest(client, doing):
    newest = next(one for one in data(client.get("/changes")) if one["attributes"]["doing"] == doing)
    return client.request("POST", f"/changes/{newest['id']}/undo", params={"others": "1"}).status_code


def test_only_the_owner_undoes_what_tells_of_sign_ins_or_of_their_notices(world, me):
    hook = HOOK | {"events": ["sign_in.new_device"]}
    at = f"/webhooks/{data(me.post('/webhooks', hook))['id']}"
    changed = {
        "notices.change_settings": lambda: me.put("/notices/settings", {"bill_days": 5}),
        "webhooks.change": lambda: me.put(at, HOOK | {"events": ["bill.due"]}),
        "webhooks.remove": lambda: me.delete(at),
    }
    others = [*(member_of(world, me, role) for role in ("full", "bookkeeper")), with_token(world, me, scopes=ALL)]

    for doing, change in changed.items():
        assert change().is_success
        assert [undo_newest(other, doing) for other in others] == [403, 403, 403], doing
        if doing != "webhooks.remove":
            assert undo_newest(me, doing) == 200, doing
    assert me.get(at).status_code == 404

    # What a member with full access may change, they may also undo.
    full = others[0]
    data(full.post("/webhooks", HOOK | {"events": ["bill.due"]}))
    assert undo_newest(full, "webhooks.create") == 200


def test_changes_do_not_show_members_what_they_may_not_see_elsewhere(world, me):
    at = f"/webhooks/{data(me.post('/webhooks', HOOK | {'events': ['bill.due']}))['id']}"
    for title, bill_days in (("New", 5), ("Newer", 6)):
        data(me.put(at, HOOK | {"title": title, "events": ["bill.due"]}))
        data(me.put("/notices/settings", {"bill_days": bill_days}))
    changes = [one["id"] for one in data(me.get("/changes", limit=4))]

    def kinds_shown_to(client):
        wholes = [data(client.get(f"/changes/{change}"))["attributes"]["objects"] for change in changes]
        diffs = [data(client.get(f"/changes/{change}/diff")) for change in changes]
        return {one["kind"] for of in wholes for one in of if one["before"]}, {
            one["kind"] for of in diffs for one in of
        }

    assert kinds_shown_to(me) == ({"preferences", "webhooks"},) * 2
    assert kinds_shown_to(member_of(world, me, "full")) == ({"webhooks"},) * 2
    assert kinds_shown_to(member_of(world, me, "bookkeeper")) == (set(),) * 2
