"""Reads and shows webhooks, their messages and the attempts to send them."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from farthing.books.webhooks.model import (
    DELIVERY,
    Attempt,
    HookUrl,
    Message,
    Response,
    Trigger,
    Webhook,
    WebhookDraft,
    make_secret,
    may_answer,
)
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.identity.user import ApiVersion
from farthing.kernel.fields import FieldParser, Flag, Name, Refused, RequestBody, described, words
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Instant

from ..parts.documents import make_thing
from ..parts.partial import over_required

_read_words: Callable[[object], list[str]] = words(1000).read  # type: ignore[assignment]


def _one_of(choices: Sequence[str]) -> FieldParser:
    """Parses one word or a list of words. Ignores case and duplicates."""

    def read(value: object) -> tuple[str, ...]:
        chosen = tuple(dict.fromkeys(word.upper() for word in _read_words(value)))
        if not chosen or not set(chosen) <= set(choices):
            raise Refused(f"The selected {{label}} is invalid: it must be one or more of {', '.join(choices)}.")
        return chosen

    word = {"type": "string", "enum": list(choices)}
    return FieldParser(read, {"anyOf": [word, {"type": "array", "items": word}]})


def _words_of(words: type[StrEnum]) -> list[str]:
    return [word.value for word in words]


_Triggers = Annotated[tuple[str, ...], _one_of(_words_of(Trigger))]
_Responses = Annotated[tuple[str, ...], _one_of(_words_of(Response))]
_Deliveries = Annotated[tuple[str, ...], _one_of([DELIVERY])]


class WebhookBody(RequestBody):
    title: Name | None = None
    active: Flag | None = described("Whether messages are written and sent. Defaults to true.")
    secret: Name | None = described("If sent, the webhook gets a new secret. The value itself is ignored.")
    triggers: _Triggers | None = described("The events to wait for. Required unless `trigger` is sent.")
    trigger: _Triggers | None = described("The same as `triggers`.")
    responses: _Responses | None = described("What messages contain. Required unless `response` is sent.")
    response: _Responses | None = described("The same as `responses`.")
    deliveries: _Deliveries | None = described("The format of messages. Defaults to JSON.")
    delivery: _Deliveries | None = described("The same as `deliveries`.")
    url: HookUrl | None = None


def make_draft(parsed: Parsed[WebhookBody], stored: Webhook | None) -> WebhookDraft:
    values = parsed.values
    triggers, responses = values.triggers or values.trigger, values.responses or values.response
    if stored is None:
        parsed.require("title", "url")
        for name, value in (("triggers", triggers), ("responses", responses)):
            if value is None and not parsed.wrong(name) and not parsed.wrong(name.rstrip("s")):
                parsed.report(name, f"The {name} field is required.")
    else:
        triggers, responses = triggers or stored.triggers, responses or stored.responses
    if triggers and responses and not _may_ever_answer(triggers, responses):
        parsed.report("responses", "The responses do not match any of these events. RELEVANT matches every event.")
    title = over_required(parsed, "title", stored.title) if stored else values.title
    url = over_required(parsed, "url", stored.url) if stored else values.url
    parsed.finish()
    is_active = stored.active if stored and values.active is None else values.active
    return WebhookDraft(
        title=ensure(title),
        active=is_active is not False,
        secret=stored.secret if stored and not values.secret else make_secret(ApiVersion.V6),
        triggers=tuple(ensure(triggers)),
        responses=tuple(ensure(responses)),
        url=ensure(url),
    )


def _may_ever_answer(triggers: Sequence[str], responses: Sequence[str]) -> bool:
    events = [event for event in Trigger if event is not Trigger.ANY and (event in triggers or Trigger.ANY in triggers)]
    return any(may_answer(event, response) for event in events for response in responses)


class WebhookAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    active: bool
    title: str
    secret: str
    triggers: list[str]
    responses: list[str]
    deliveries: list[str]
    url: str


class MessageAttributes(Struct, gc=False):
    """Describes a message. `errored` is true if no more attempts are made."""

    created_at: Instant
    updated_at: Instant
    sent: bool
    errored: bool
    webhook_id: str
    uuid: str
    message: str


class AttemptAttributes(Struct, gc=False):
    """Describes an attempt to send a message. `logs` says why there was no answer."""

    created_at: Instant
    updated_at: Instant
    webhook_message_id: str
    status_code: int | None
    logs: str | None
    response: str | None


WebhookThing = Thing[WebhookAttributes]
MessageThing = Thing[MessageAttributes]
AttemptThing = Thing[AttemptAttributes]


def make_webhooks(call: Call, webhooks: Sequence[Webhook]) -> list[WebhookThing]:
    return [
        make_thing(
            call,
            "webhooks",
            webhook.id,
            WebhookAttributes(
                created_at=webhook.created_at,
                updated_at=webhook.updated_at,
                active=bool(webhook.active),
                title=webhook.title,
                secret=webhook.secret,
                triggers=list(webhook.triggers),
                responses=list(webhook.responses),
                deliveries=[DELIVERY],
                url=webhook.url,
            ),
        )
        for webhook in webhooks
    ]


def make_message(call: Call, message: Message) -> MessageThing:
    attributes = MessageAttributes(
        created_at=message.created_at,
        updated_at=message.updated_at,
        sent=bool(message.sent),
        errored=bool(message.errored),
        webhook_id=str(message.webhook_id),
        uuid=message.uuid,
        message=message.content,
    )
    at = f"/webhooks/{message.webhook_id}/messages/{message.id}"
    return make_thing(call, "webhook_messages", message.id, attributes, at=at)


def make_attempt(call: Call, webhook_id: int, attempt: Attempt) -> AttemptThing:
    attributes = AttemptAttributes(
        created_at=attempt.created_at,
        updated_at=attempt.created_at,
        webhook_message_id=str(attempt.message_id),
        status_code=attempt.status_code,
        logs=attempt.logs,
        response=attempt.response,
    )
    at = f"/webhooks/{webhook_id}/messages/{attempt.message_id}/attempts/{attempt.id}"
    return make_thing(call, "webhook_attempts", attempt.id, attributes, at=at)
