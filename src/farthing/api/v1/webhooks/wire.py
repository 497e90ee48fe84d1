"""Reads and shows webhooks and their deliveries."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from farthing.books.webhooks.deliveries import Delivery
from farthing.books.webhooks.following import Progress
from farthing.books.webhooks.model import Event, HookUrl, Trigger, Webhook, WebhookDraft, make_secret
from farthing.http.answer.document import Thing
from farthing.identity.user import ApiVersion
from farthing.kernel.fields import FieldParser, Flag, Name, Refused, RequestBody, described, words
from farthing.kernel.languages import ENGLISH, say
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Dated, Instant, show_as
from farthing.kernel.text import parse_id

REQUIRED = ("title", "url", "events")
_PERCENTAGES, _PERCENTAGES_MAX, _PERCENTAGE_MAX = (80, 100), 10, 1000
_RESPONSE_CHARACTERS_MAX = 500
_read_words: Any = words(1000).read
PAUSED = (
    "The receiver has failed for three days, so nothing more is sent. Check the address, and then resume the webhook."
)


def _read_percentages(value: object) -> tuple[int, ...]:
    items = value if isinstance(value, list) else [value]
    chosen = sorted({parse_id(str(item).strip()) or 0 for item in items})
    if len(chosen) > _PERCENTAGES_MAX or not all(1 <= percentage <= _PERCENTAGE_MAX for percentage in chosen):
        raise Refused(
            f"The {{label}} must be at most {_PERCENTAGES_MAX} whole numbers between 1 and {_PERCENTAGE_MAX}."
        )
    return tuple(chosen)


_EACH = {"type": "integer", "minimum": 1, "maximum": _PERCENTAGE_MAX}
_PERCENTAGES_SCHEMA = {"type": "array", "items": _EACH, "maxItems": _PERCENTAGES_MAX}
_EVENTS_SCHEMA = {"type": "array", "items": {"type": "string", "enum": [*Event, *Trigger]}, "minItems": 1}


class WebhookBody(RequestBody):
    title: Name | None = None
    url: HookUrl | None = described("The address to which events are sent by POST.")
    events: (
        Annotated[tuple[str, ...], FieldParser(lambda value: tuple(dict.fromkeys(_read_words(value))), _EVENTS_SCHEMA)]
        | None
    ) = described("The kinds of events to send. Those in capitals are for webhooks of version 6.")
    active: Flag | None = described("Whether events are sent. Defaults to true.")
    budget_percentages: Annotated[tuple[int, ...], FieldParser(_read_percentages, _PERCENTAGES_SCHEMA)] | None = (
        described("The shares of a budget at which `budget.spent` is sent, in percent. Defaults to 80 and 100.")
    )


def make_draft(parsed: Parsed[WebhookBody], stored: Webhook | None) -> WebhookDraft:
    """Makes a draft. A stored webhook keeps its version, its secret and, in version 6, what messages contain."""
    parsed.require(*REQUIRED)
    values, version = parsed.values, stored.api_version if stored else ApiVersion.V1.value
    known = list(Trigger) if version == ApiVersion.V6 else list(Event)
    if (
        not parsed.wrong("events")
        and values.events is not None
        and not (values.events and set(values.events) <= {*known})
    ):
        parsed.report("events", f"The selected events are invalid: they must be one or more of {', '.join(known)}.")
    parsed.finish()
    percentages = _PERCENTAGES if values.budget_percentages is None else values.budget_percentages
    return WebhookDraft(
        title=ensure(values.title),
        active=values.active is not False,
        secret=stored.secret if stored else make_secret(version),
        triggers=ensure(values.events),
        responses=stored.responses if stored else (),
        url=ensure(values.url),
        api_version=version,
        budget_percentages=percentages if version == ApiVersion.V1 else (),
    )


class WebhookAttributes(Dated, gc=False):
    """`api_version` is `v1` for webhooks that follow Standard Webhooks, and `v6` for those of clients of version 6.

    If the receiver has failed for three days, `paused_at` says since when the webhook is paused, and `notice` says what
    to do. `failing_since` is null while the receiver answers.
    """

    title: str
    url: str
    events: list[str]
    active: bool
    budget_percentages: list[int]
    api_version: str
    failing_since: Instant | None
    paused_at: Instant | None
    notice: str | None


class NewWebhookAttributes(WebhookAttributes, gc=False):
    """`secret` is shown only here. Receivers verify signatures with it."""

    secret: str


class DeliveryAttributes(Struct, gc=False):
    """`status` is `waiting`, `sent`, or `failed` if it was given up. `message_id` stays the same if it is sent again.

    `tried_at`, `status_code`, `response` (its beginning) and `error` belong to the latest attempt, and `next_at` is the
    earliest time of the next one.
    """

    created_at: Instant
    message_id: str
    event: str
    status: str
    attempts: int
    tried_at: Instant | None
    next_at: Instant | None
    status_code: int | None
    response: str | None
    error: str | None
    body: str


WebhookThing = Thing[WebhookAttributes]
NewWebhookThing = Thing[NewWebhookAttributes]
DeliveryThing = Thing[DeliveryAttributes]
_NO_PROGRESS = Progress(failing_since=None, paused_at=None)


def show(webhook: Webhook, progress: Progress | None, language: str) -> WebhookAttributes:
    return show_as(WebhookAttributes, webhook, **_show_others(webhook, progress or _NO_PROGRESS, language))


def show_new(webhook: Webhook) -> NewWebhookAttributes:
    return show_as(NewWebhookAttributes, webhook, **_show_others(webhook, _NO_PROGRESS, ENGLISH))


def _show_others(webhook: Webhook, progress: Progress, language: str) -> dict[str, Any]:
    return {
        "events": list(webhook.triggers),
        "budget_percentages": list(webhook.budget_percentages),
        "active": bool(webhook.active),
        "failing_since": progress.failing_since,
        "paused_at": progress.paused_at,
        "notice": say(PAUSED, language) if progress.paused_at else None,
    }


class _Envelope(Struct):
    """Reads the kind of event from the body of a message: `type` in version 1, `trigger` in version 6."""

    type: str = ""
    trigger: str = ""


_read_envelope = msgspec.json.Decoder(_Envelope).decode


def show_deliveries(deliveries: Sequence[Delivery]) -> list[DeliveryAttributes]:
    shown = []
    for delivery in deliveries:
        envelope = _read_envelope(delivery.content)
        status = "sent" if delivery.sent else "failed" if delivery.errored else "waiting"
        attributes = show_as(
            DeliveryAttributes,
            delivery,
            message_id=delivery.uuid,
            event=envelope.type or envelope.trigger,
            status=status,
            next_at=delivery.next_at if status == "waiting" else None,
            response=delivery.response and delivery.response[:_RESPONSE_CHARACTERS_MAX],
            error=delivery.logs,
            body=delivery.content,
        )
        shown.append(attributes)
    return shown
