"""Reads messages together with their latest attempt, for people who look at what a webhook has sent."""

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


def page(db: Unit, user_id: int, webhook_id: int, *, limit: int, offset: int) -> tuple[int, list[Delivery]]:
    """Returns the number of deliveries of a webhook and one page of them, newest first."""
    of, table = {"user_id": user_id, "webhook_id": webhook_id}, "webhook_messages m"
    return page_of(db, Delivery, _SELECT, table, _OF_WEBHOOK, "m.id DESC", limit=limit, offset=offset, **of)


def get(db: Unit, user_id: int, webhook_id: int, message_id: int) -> Delivery | None:
    sql = f"{_SELECT} WHERE {_OF_WEBHOOK} AND m.id = :id"
    return db.struct(Delivery, sql, user_id=user_id, webhook_id=webhook_id, id=message_id)
