"""Serves webhooks, which tell other programs of events, and what was delivered."""

from collections.abc import Sequence

from farthing.books.lifecycle import webhooks as lifecycle
from farthing.books.webhooks import deliveries, following, rights, store, testing
from farthing.books.webhooks.deliveries import Delivery
from farthing.books.webhooks.model import Webhook, WebhookDraft, make_secret
from farthing.http.answer.document import Item, thing
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import Gate, Parameter, Runs
from farthing.kernel.errors import Conflict, Forbidden, Invalid
from farthing.kernel.fields import parse

from ..resources.lists import make_thing
from ..resources.resource import Resource
from .wire import (
    REQUIRED,
    DeliveryThing,
    NewWebhookThing,
    WebhookBody,
    WebhookThing,
    make_draft,
    show,
    show_deliveries,
    show_new,
)


def _draft(call: Call, stored: Webhook | None) -> WebhookDraft:
    parsed = parse(WebhookBody, call.fields)
    webhook_id = stored.id if stored else 0
    parsed.report_all(lifecycle.title_problems(call.db, call.user_id, parsed.values.title, except_id=webhook_id))
    draft = make_draft(parsed, stored)
    for webhook in (stored, draft):
        if webhook:
            rights.refuse_events(call.caller, webhook.triggers, webhook.responses)
    return draft


def _find_allowed(call: Call) -> Webhook:
    """Finds the webhook that the path names, if the caller may see what its deliveries contain."""
    webhook = _WEBHOOKS.find(call)
    rights.refuse_events(call.caller, webhook.triggers, webhook.responses)
    return webhook


def _get_delivery(call: Call, webhook_id: int, delivery_id: int) -> Delivery:
    hidden = rights.list_hidden(call.caller)
    return or_404(deliveries.get(call.db, call.user_id, webhook_id, delivery_id, hidden=hidden))


def _things(call: Call, webhooks: Sequence[Webhook]) -> list[WebhookThing]:
    found = following.find_progress(call.db, call.user_id, [webhook.id for webhook in webhooks])
    return [
        make_thing(call, "webhooks", webhook.id, show(webhook, found.get(webhook.id), call.language))
        for webhook in webhooks
    ]


def create(call: Call) -> Answer:
    return _answer_with_secret(call, store.add(call.db, call.user_id, _draft(call, None), call.now))


def renew_secret(call: Call) -> Answer:
    webhook = _find_allowed(call)
    fields = {name: getattr(webhook, name) for name in WebhookDraft.__struct_fields__}
    draft = WebhookDraft(**fields | {"secret": make_secret(webhook.api_version)})
    store.change(call.db, call.user_id, webhook.id, draft, call.now)
    return _answer_with_secret(call, webhook.id)


def _answer_with_secret(call: Call, webhook_id: int) -> Answer:
    return Answer(Item(thing(call.base, "webhooks", webhook_id, show_new(_WEBHOOKS.read(call, webhook_id)))))


def resume(call: Call) -> Answer:
    webhook = _find_allowed(call)
    store.restart(call.db, call.user_id, webhook.id, call.now)
    return _WEBHOOKS.answer(call, webhook)


def test(call: Call) -> Answer:
    webhook = _find_allowed(call)
    _refuse_silent(call, webhook)
    message_id = testing.send_test(call.db, call.user_id, webhook, call.now)
    return _answer_delivery(call, webhook.id, message_id)


def list_deliveries(call: Call) -> Answer:
    webhook, at = _find_allowed(call), read_page_request(call)
    hidden = rights.list_hidden(call.caller)
    total, found = deliveries.page(call.db, call.user_id, webhook.id, hidden=hidden, limit=at.size, offset=at.offset)
    return Answer(page(call, f"/webhooks/{webhook.id}/deliveries", _delivery_things(call, found), total))


def show_delivery(call: Call) -> Answer:
    webhook = _find_allowed(call)
    return _answer_delivery(call, webhook.id, call.whole("delivery_id"))


def send_again(call: Call) -> Answer:
    webhook, delivery_id = _find_allowed(call), call.whole("delivery_id")
    _get_delivery(call, webhook.id, delivery_id)
    _refuse_silent(call, webhook)
    store.send_again(call.db, call.user_id, delivery_id, call.now)
    return _answer_delivery(call, webhook.id, delivery_id)


def _refuse_silent(call: Call, webhook: Webhook) -> None:
    progress = following.find_progress(call.db, call.user_id, [webhook.id]).get(webhook.id)
    if not webhook.active or (progress and progress.paused_at):
        raise Conflict("This webhook is not active, so it sends nothing. Resume or activate it first.")


def _answer_delivery(call: Call, webhook_id: int, delivery_id: int) -> Answer:
    return Answer(Item(_delivery_things(call, [_get_delivery(call, webhook_id, delivery_id)])[0]))


def _delivery_things(call: Call, found: Sequence[Delivery]) -> list[DeliveryThing]:
    return [
        thing(call.base, "webhook_deliveries", delivery.id, attributes)
        for delivery, attributes in zip(found, show_deliveries(found), strict=True)
    ]


# Deliveries and pauses change without a change to the books, so they are part of the ETag.
_LIVE = Runs(varies=lambda call: store.tell_progress(call.db, call.user_id))
_WEBHOOKS = Resource(
    path="/webhooks",
    shows=WebhookThing,
    things=_things,
    get=store.get,
    page=store.page,
    draft=_draft,
    update=lambda call, webhook, draft: store.change(call.db, call.user_id, webhook.id, draft, call.now),
    delete=lambda call, webhook: store.remove(call.db, call.user_id, webhook.id),
    takes=WebhookBody,
    requires=REQUIRED,
    gate=Gate.WHOLE,
)
_DELIVERY = (Parameter("delivery_id", {"type": "integer"}, "The id of the delivery.", required=True),)
_SECRET = {"gives": Item[NewWebhookThing], "shows_secret": True}
_ONE = {"gives": Item[DeliveryThing], "gate": Gate.WHOLE}
ROUTES = (
    _WEBHOOKS.index("List webhooks, those of version 6 included", runs=_LIVE),
    _WEBHOOKS.create(
        "Create a webhook; its secret is shown only once", handler=create, fails=(Invalid, Forbidden), **_SECRET
    ),
    _WEBHOOKS.show("Show a webhook", runs=_LIVE),
    _WEBHOOKS.change("Change a webhook; if it was paused, it resumes", fails=(Invalid, Forbidden)),
    _WEBHOOKS.remove("Delete a webhook with its deliveries"),
    _WEBHOOKS.act("secret", renew_secret, "Replace the secret; the new one is shown only once", **_SECRET),
    _WEBHOOKS.act("resume", resume, "Resume a paused webhook, and send what waits"),
    _WEBHOOKS.act("test", test, "Send a test event", fails=(Conflict,), **_ONE),
    _WEBHOOKS.listing(
        "deliveries", list_deliveries, "List what a webhook has sent or will send, newest first", DeliveryThing,
        runs=_LIVE,
    ),
    _WEBHOOKS.own(
        "GET", "deliveries/{delivery_id}", show_delivery, "Show a delivery", *_DELIVERY, runs=_LIVE, **_ONE
    ),
    _WEBHOOKS.own(
        "POST", "deliveries/{delivery_id}/send_again", send_again, "Send a delivery again, with the same message id",
        *_DELIVERY, fails=(Conflict,), **_ONE,
    ),
)  # fmt: skip
