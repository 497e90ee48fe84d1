"""Defines webhooks, messages and attempts to send them."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct


class Trigger(StrEnum):
    """Names the events that a webhook may wait for."""

    ANY = "ANY"
    STORE_TRANSACTION = "STORE_TRANSACTION"
    UPDATE_TRANSACTION = "UPDATE_TRANSACTION"
    DESTROY_TRANSACTION = "DESTROY_TRANSACTION"
    STORE_BUDGET = "STORE_BUDGET"
    UPDATE_BUDGET = "UPDATE_BUDGET"
    DESTROY_BUDGET = "DESTROY_BUDGET"
    STORE_UPDATE_BUDGET_LIMIT = "STORE_UPDATE_BUDGET_LIMIT"


class Response(StrEnum):
    """Names what a message contains. RELEVANT is the object of the event."""

    TRANSACTIONS = "TRANSACTIONS"
    ACCOUNTS = "ACCOUNTS"
    BUDGET = "BUDGET"
    RELEVANT = "RELEVANT"
    NONE = "NONE"


DELIVERY = "JSON"
SECRET_BYTES = 18
OF_TRANSACTIONS = (Trigger.STORE_TRANSACTION, Trigger.UPDATE_TRANSACTION, Trigger.DESTROY_TRANSACTION)
OF_BUDGETS = tuple(trigger for trigger in Trigger if trigger is not Trigger.ANY and trigger not in OF_TRANSACTIONS)
_BITS = {trigger: 1 << number for number, trigger in enumerate((*OF_TRANSACTIONS, *OF_BUDGETS))}


class WebhookDraft(Struct, frozen=True):
    title: str
    active: bool
    secret: str
    triggers: tuple[str, ...]
    responses: tuple[str, ...]
    url: str


class Webhook(WebhookDraft, frozen=True, kw_only=True):
    id: int
    created_at: str
    updated_at: str


class Message(Struct, frozen=True):
    """Describes something to send. `content` is the whole body."""

    id: int
    webhook_id: int
    uuid: str
    content: str
    sent: bool
    errored: bool
    created_at: str
    updated_at: str


class Attempt(Struct, frozen=True):
    """Says what came of sending a message. Without an answer, `logs` says why."""

    id: int
    message_id: int
    status_code: int | None
    logs: str | None
    response: str | None
    created_at: str


def wait_bits(triggers: Iterable[str]) -> int:
    """Returns the bits of the triggers, as they are stored with the user."""
    chosen = set(triggers)
    return sum(bit for trigger, bit in _BITS.items() if trigger in chosen or Trigger.ANY in chosen)


def may_answer(trigger: Trigger, response: str) -> bool:
    """Tells whether a message about this event can contain what the webhook asks for."""
    if response in (Response.TRANSACTIONS, Response.ACCOUNTS):
        return trigger in OF_TRANSACTIONS
    return response != Response.BUDGET or trigger in OF_BUDGETS
