"""Reads messages together with their latest attempt, for people who look at what a webhook has sent."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from farthing.storage.unit import Unit, page_of


class Delivery(Struct, frozen=True):
    """Describes a message and the latest attempt to send it. Without an answer, `logs` says why."""

    id: int
    uuid: str
    content: str
    sent: bool
    errored: bool
    attempts: int
    next_at: str
    created_at: str
    status_code: int | None
    logs: str | None
    response: str | None
    tried_at: str | None


_SELECT = """
SELECT m.id, m.uuid, m.content, m.sent, m.errored, m.attempts, m.next_at, m.created_at, a.status_code, a.logs,
    a.response, a.created_at AS tried_at
FROM webhook_messages m LEFT JOIN webhook_attempts a ON a.user_id = m.user_id AND a.id = (
    SELECT MAX(latest.id) FROM webhook_attempts latest
    WHERE latest.user_id = m.user_id AND latest.message_id = m.id
)
"""
_OF_WEBHOOK = "m.user_id = :user_id AND m.webhook_id = :webhook_id"


def page(
    db: Unit, user_id: int, webhook_id: int, *, hidden: Sequence[str], limit: int, offset: int
) -> tuple[int, list[Delivery]]:
    """Returns the number of deliveries of a webhook and one page of them, newest first, without the hidden events."""
    where, of = _leave_out(hidden)
    of |= {"user_id": user_id, "webhook_id": webhook_id}
    return page_of(db, Delivery, _SELECT, "webhook_messages m", where, "m.id DESC", limit=limit, offset=offset, **of)


def get(db: Unit, user_id: int, webhook_id: int, message_id: int, *, hidden: Sequence[str]) -> Delivery | None:
    where, of = _leave_out(hidden)
    sql = f"{_SELECT} WHERE {where} AND m.id = :id"
    return db.struct(Delivery, sql, **of, user_id=user_id, webhook_id=webhook_id, id=message_id)


def _leave_out(events: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Makes the condition for the deliveries of a webhook that are not about these events of version 1."""
    begins = {f"begins_{number}": f'{{"type":"{event}"' for number, event in enumerate(events)}
    others = [f"substr(m.content, 1, {len(text)}) <> :{name}" for name, text in begins.items()]
    return " AND ".join((_OF_WEBHOOK, *others)), dict(begins)
