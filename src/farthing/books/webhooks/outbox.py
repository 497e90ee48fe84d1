"""Writes messages in the same unit of work as the change that they report, so that none is lost."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import structs

from farthing.ledger.details import NO_DETAILS
from farthing.storage.unit import Unit

from ..transactions import details, lines
from . import store
from .content import make_body, make_budget_content, make_group_content
from .model import Trigger, Webhook, may_answer, wait_bits

_encode = msgspec.json.Encoder().encode
_AT_ONCE = 500


def silence(db: Unit) -> None:
    """Suppresses the messages of this unit of work, because the client asked for that."""
    assert db.author is not None, "a write takes its user first"
    db.author = structs.replace(db.author, hooks=0)


def note_entries(db: Unit, user_id: int, trigger: Trigger, entry_ids: Sequence[int]) -> None:
    """Writes messages about transactions. Call it before a transaction is removed, and otherwise after the change."""
    if not _is_awaited(db, trigger):
        return
    webhooks = _find_waiting(db, user_id, trigger)
    for start in range(0, len(entry_ids), _AT_ONCE):
        _write_groups(db, user_id, trigger, webhooks, list(entry_ids[start : start + _AT_ONCE]))


def _write_groups(db: Unit, user_id: int, trigger: Trigger, webhooks: Sequence[Webhook], entry_ids: list[int]) -> None:
    known = details.of_entries(db, user_id, entry_ids)
    for entry_id, group in groupby(lines.of_entries(db, user_id, entry_ids), key=attrgetter("entry_id")):
        of_entry = known.get(entry_id, NO_DETAILS)
        make = partial(make_group_content, group=list(group), user_id=user_id, details=of_entry)
        _write(db, user_id, trigger, webhooks, make)


def note_budget(db: Unit, user_id: int, trigger: Trigger, budget_id: int) -> None:
    """Writes messages about a budget, or about a limit of it. Call it before the budget is removed."""
    if _is_awaited(db, trigger):
        webhooks = _find_waiting(db, user_id, trigger)
        _write(db, user_id, trigger, webhooks, lambda response: make_budget_content(db, user_id, response, budget_id))


def send_entry(db: Unit, user_id: int, webhook: Webhook, entry_id: int) -> None:
    """Writes a message about a transaction for one webhook, as if the transaction had just been created."""
    _write_groups(db, user_id, Trigger.STORE_TRANSACTION, [webhook], [entry_id])


def _is_awaited(db: Unit, trigger: Trigger) -> bool:
    return db.author is not None and bool(db.author.hooks & wait_bits([trigger]))


def _find_waiting(db: Unit, user_id: int, trigger: Trigger) -> list[Webhook]:
    webhooks = store.all_of(db, user_id, "active = 1")
    return [webhook for webhook in webhooks if wait_bits(webhook.triggers) & wait_bits([trigger])]


def _write(db: Unit, user_id: int, trigger: Trigger, webhooks: Sequence[Webhook], make: Callable[[str], Any]) -> None:
    assert db.author is not None, "a write takes its user first"
    contents: dict[str, Any] = {}
    messages = []
    for webhook in webhooks:
        for response in webhook.responses:
            if not may_answer(trigger, response):
                continue
            if response not in contents:
                contents[response] = make(response)
            uuid = str(uuid4())
            body = make_body(
                user_id=user_id,
                uuid=uuid,
                trigger=trigger,
                response=response,
                url=webhook.url,
                content=contents[response],
            )
            messages.append((user_id, webhook.id, uuid, _encode(body).decode()))
    if messages:
        store.add_messages(db, messages, db.author.at)
