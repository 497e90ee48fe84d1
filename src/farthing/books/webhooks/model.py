"""Defines webhooks, messages and attempts to send them."""

import secrets
from base64 import b64encode
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from msgspec import Struct

from farthing.identity.user import ApiVersion
from farthing.kernel.fields import FieldParser, Refused, text
from farthing.kernel.network import outgoing
from farthing.kernel.network.outgoing import URL_CHARACTERS_MAX, NotAllowed


class Event(StrEnum):
    """Defines the kinds of events that a webhook of version 1 may wait for."""

    TRANSACTION_CREATED = "transaction.created"
    TRANSACTION_UPDATED = "transaction.updated"
    TRANSACTION_DELETED = "transaction.deleted"
    ACCOUNT_CREATED = "account.created"
    ACCOUNT_UPDATED = "account.updated"
    ACCOUNT_DELETED = "account.deleted"
    BILL_DUE = "bill.due"
    BILL_PAID = "bill.paid"
    BILL_OVERDUE = "bill.overdue"
    RECURRENCE_FIRED = "recurrence.fired"
    RECURRENCE_FAILED = "recurrence.failed"
    BUDGET_SPENT = "budget.spent"
    IMPORT_FINISHED = "import.finished"
    SIGN_IN_NEW_DEVICE = "sign_in.new_device"


TEST_EVENT = "webhook.test"


class Trigger(StrEnum):
    """Defines the events that a webhook of version 6 may wait for."""

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
WEBHOOKS_MAX = 20
# Standard Webhooks: the key of the signature is Base64 after this prefix.
SECRET_PREFIX, KEY_BYTES = "whsec_", 24
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
    api_version: str = ApiVersion.V6
    budget_percentages: tuple[int, ...] = ()


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
    """Describes an attempt to send a message. If there was no answer, `logs` says why."""

    id: int
    message_id: int
    status_code: int | None
    logs: str | None
    response: str | None
    created_at: str


def _read_url(value: object) -> str:
    url = str(_read_text(value))
    try:
        outgoing.check_url(url)
    except NotAllowed as error:
        raise Refused(str(error)) from error
    return url


_read_text = text(URL_CHARACTERS_MAX).read
HookUrl = Annotated[str, FieldParser(_read_url, {"type": "string", "format": "uri"})]


def make_secret(version: str) -> str:
    """Makes a secret. Clients of version 1 verify signatures as Standard Webhooks says."""
    if version == ApiVersion.V6:
        return secrets.token_urlsafe(SECRET_BYTES)
    return SECRET_PREFIX + b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def wait_bits(triggers: Iterable[str]) -> int:
    """Returns the bits of the triggers, as they are stored with the user."""
    chosen = set(triggers)
    return sum(bit for trigger, bit in _BITS.items() if trigger in chosen or Trigger.ANY in chosen)


def may_answer(trigger: Trigger, response: str) -> bool:
    """Tells whether a message about this event can contain what the webhook asks for."""
    if response in (Response.TRANSACTIONS, Response.ACCOUNTS):
        return trigger in OF_TRANSACTIONS
    return response != Response.BUDGET or trigger in OF_BUDGETS
