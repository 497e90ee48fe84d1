"""Serves webhooks, the messages that they send, and what the receivers answered."""

from farthing.books.lifecycle import webhooks as lifecycle
from farthing.books.transactions import groups
from farthing.books.webhooks import outbox, rights, store
from farthing.books.webhooks.model import Message, Trigger, Webhook, WebhookDraft
from farthing.http.answer.document import Item
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import Gate, Parameter, Runs
from farthing.kernel.errors import Forbidden, Invalid
from farthing.kernel.fields import parse

from ..parts.documents import answer_one, answer_page
from ..parts.resource import Resource
from .wire import (
    AttemptThing,
    MessageThing,
    WebhookBody,
    WebhookThing,
    make_attempt,
    make_draft,
    make_message,
    make_webhooks,
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
    """Finds the webhook that the path names, if the caller may see what its messages contain."""
    webhook = _WEBHOOKS.find(call)
    rights.refuse_events(call.caller, webhook.triggers, webhook.responses)
    return webhook


def messages(call: Call) -> Answer:
    webhook, at = _find_allowed(call), read_page_request(call)
    total, page = store.page_messages(call.db, call.user_id, webhook.id, limit=at.size, offset=at.offset)
    return answer_page(call, f"/webhooks/{webhook.id}/messages", [make_message(call, one) for one in page], total)


def show_message(call: Call) -> Answer:
    return answer_one(make_message(call, _find_message(call)))


def remove_message(call: Call) -> Answer:
    store.remove_message(call.db, call.user_id, _find_message(call).id)
    return NOTHING


def attempts(call: Call) -> Answer:
    message, at = _find_message(call), read_page_request(call)
    total, page = store.page_attempts(call.db, call.user_id, message.id, limit=at.size, offset=at.offset)
    path = f"/webhooks/{message.webhook_id}/messages/{message.id}/attempts"
    return answer_page(call, path, [make_attempt(call, message.webhook_id, one) for one in page], total)


def show_attempt(call: Call) -> Answer:
    message = _find_message(call)
    attempt = or_404(store.get_attempt(call.db, call.user_id, message.id, call.whole("attemptId")))
    return answer_one(make_attempt(call, message.webhook_id, attempt))


def remove_attempt(call: Call) -> Answer:
    message = _find_message(call)
    attempt = or_404(store.get_attempt(call.db, call.user_id, message.id, call.whole("attemptId")))
    store.remove_attempt(call.db, call.user_id, attempt.id)
    return NOTHING


def submit(call: Call) -> Answer:
    """Makes the waiting messages due now, so that the job process sends them at once."""
    store.hurry(call.db, call.user_id, _find_allowed(call).id, call.now)
    return NOTHING


def trigger_transaction(call: Call) -> Answer:
    webhook, entry_id = _find_allowed(call), call.whole("transactionId")
    rights.refuse_events(call.caller, [Trigger.STORE_TRANSACTION], ())
    or_404(next(iter(groups.of_entries(call.db, call.user_id, [entry_id])), None))
    outbox.send_entry(call.db, call.user_id, webhook, entry_id)
    return NOTHING


def _find_message(call: Call) -> Message:
    webhook = _find_allowed(call)
    return or_404(store.get_message(call.db, call.user_id, webhook.id, call.whole("messageId")))


_WEBHOOKS = Resource(
    path="/webhooks",
    shows=WebhookThing,
    things=make_webhooks,
    get=store.get_of_v6,
    page=store.page_of_v6,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, webhook, draft: store.change(call.db, call.user_id, webhook.id, draft, call.now),
    delete=lambda call, webhook: store.remove(call.db, call.user_id, webhook.id),
    takes=WebhookBody,
    gate=Gate.WHOLE,
)
_MESSAGE = (Parameter("messageId", {"type": "integer"}, "The id of the message.", required=True),)
_ATTEMPT = (*_MESSAGE, Parameter("attemptId", {"type": "integer"}, "The id of the attempt.", required=True))
_ONE = "messages/{messageId}"
_LIVE = Runs(varies=lambda call: store.tell_progress(call.db, call.user_id))
ROUTES = (
    _WEBHOOKS.index("List webhooks"),
    _WEBHOOKS.create("Create a webhook", requires=("title", "url"), fails=(Invalid, Forbidden)),
    _WEBHOOKS.show("Show a webhook"),
    _WEBHOOKS.change("Change a webhook", requires=(), fails=(Invalid, Forbidden)),
    _WEBHOOKS.remove("Delete a webhook with its messages"),
    _WEBHOOKS.own("POST", "submit", submit, "Send waiting messages now"),
    _WEBHOOKS.own(
        "POST", "trigger-transaction/{transactionId}", trigger_transaction, "Send a transaction to a webhook",
        Parameter("transactionId", {"type": "integer"}, "The id of the transaction.", required=True),
    ),
    _WEBHOOKS.listing("messages", messages, "List the messages of a webhook", MessageThing, runs=_LIVE),
    _WEBHOOKS.own("GET", _ONE, show_message, "Show a message", *_MESSAGE, gives=Item[MessageThing], runs=_LIVE),
    _WEBHOOKS.own("DELETE", _ONE, remove_message, "Delete a message, sent or not", *_MESSAGE),
    _WEBHOOKS.listing(
        f"{_ONE}/attempts", attempts, "List the attempts to send a message", AttemptThing, *_MESSAGE, runs=_LIVE
    ),
    _WEBHOOKS.own(
        "GET", f"{_ONE}/attempts/{{attemptId}}", show_attempt, "Show an attempt", *_ATTEMPT, gives=Item[AttemptThing]
    ),
    _WEBHOOKS.own("DELETE", f"{_ONE}/attempts/{{attemptId}}", remove_attempt, "Delete an attempt", *_ATTEMPT),
)  # fmt: skip
