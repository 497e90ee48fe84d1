"""Reads from the database how many notices and messages of webhooks wait, and how many were sent lately."""

from datetime import datetime, timedelta

from msgspec import Struct

from farthing.kernel.clock import stamp
from farthing.storage.unit import Unit

_WEBHOOK = "webhook"
_LATELY = timedelta(days=1)


class Waiting(Struct, frozen=True):
    """Counts the messages that wait in one channel. `due_at` is when the first of them is due or was due."""

    channel: str
    count: int
    due_at: str


class Settled(Struct, frozen=True):
    """Counts the messages of one channel that were sent in the last 24 hours, and those that failed."""

    channel: str
    sent: int
    failed: int


class Deliveries(Struct, frozen=True):
    waiting: dict[str, int]
    lags_s: dict[str, float]
    settled: list[Settled]
    paused: int


_WAITING = f"""
SELECT channel, COUNT(*) AS count, MIN(next_at) AS due_at FROM notice_deliveries
WHERE sent_at IS NULL AND given_up = 0 GROUP BY channel
UNION ALL SELECT '{_WEBHOOK}' AS channel, COUNT(*) AS count, MIN(m.next_at) AS due_at
FROM webhook_messages m JOIN webhooks w ON w.user_id = m.user_id AND w.id = m.webhook_id AND w.active = 1
LEFT JOIN webhook_progress p ON p.user_id = w.user_id AND p.webhook_id = w.id
WHERE m.sent = 0 AND m.errored = 0 AND p.paused_at IS NULL HAVING COUNT(*) > 0
"""
_SETTLED = f"""
SELECT channel, COUNT(sent_at) AS sent, COUNT(*) - COUNT(sent_at) AS failed FROM notice_deliveries
WHERE (sent_at IS NOT NULL OR given_up = 1) AND next_at > :since GROUP BY channel
UNION ALL SELECT '{_WEBHOOK}' AS channel, COUNT(CASE WHEN status_code BETWEEN 200 AND 299 THEN 1 END) AS sent,
    COUNT(CASE WHEN status_code BETWEEN 200 AND 299 THEN NULL ELSE 1 END) AS failed
FROM webhook_attempts WHERE created_at > :since HAVING COUNT(*) > 0
"""


def load_deliveries(db: Unit, now: datetime) -> Deliveries:
    waiting = db.structs(Waiting, _WAITING)
    return Deliveries(
        waiting={one.channel: one.count for one in waiting},
        lags_s={one.channel: max(0.0, (now - datetime.fromisoformat(one.due_at)).total_seconds()) for one in waiting},
        settled=db.structs(Settled, _SETTLED, since=stamp(now - _LATELY)),
        paused=int(db.value("SELECT COUNT(*) FROM webhook_progress WHERE paused_at IS NOT NULL")),
    )
