"""Stores what has to be sent about notices, and what came of it."""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from farthing.books.preferences.notices import Channel, NoticeKind, NoticeSettings
from farthing.kernel.clock import stamp
from farthing.storage import tables
from farthing.storage.unit import Unit

from . import addresses, push
from .model import NoticeDraft

_DAY = timedelta(days=1)
# The pauses after failures. The last one is repeated.
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (60, 300, 900, 3600, 3 * 3600))
_GIVEN_UP_AFTER = timedelta(days=3)
# A message is sent again if its sender has not been heard of for this long.
HELD = timedelta(minutes=15)


class Delivery(Struct, frozen=True):
    """Describes a message to send, with its reader. `attempts` is how often that has failed. `reached` has the ids of
    the push subscriptions or addresses that need no further attempt.
    """

    id: int
    user_id: int
    secret: str
    attempts: int
    created_at: str
    kind: str
    object_kind: str | None
    object_id: int | None
    facts: str
    email: str
    reached: str | None

    @property
    def reached_ids(self) -> list[int]:
        return [int(word) for word in (self.reached or "").split()]


class Outcome(Struct, frozen=True):
    """Says what came of a message. If it was not sent, it is tried again at `next_at`, or else given up."""

    failure: str | None = None
    next_at: str | None = None
    reached: str | None = None


_ADD = """
INSERT INTO notice_deliveries (user_id, notice_id, channel, secret, next_at, created_at)
VALUES (:user_id, :notice_id, :channel, :secret, :now, :now)
"""


def add(
    db: Unit,
    user_id: int,
    drafts: Sequence[NoticeDraft],
    settings: NoticeSettings,
    available: Collection[Channel],
    now: str,
) -> None:
    """Plans what to send about new notices, to the places that the user has chosen and that are available."""
    if Channel.PUSH in available and not push.has_any(db, user_id):
        available = set(available) - {Channel.PUSH}
    if Channel.CHAT in available and not addresses.has_any(db, user_id):
        available = set(available) - {Channel.CHAT}
    places = {
        draft.key: [
            channel for channel in settings.find_channels(draft.kind) if channel in available and channel != Channel.APP
        ]
        for draft in drafts
    }
    keys = [key for key, channels in places.items() if channels]
    if not keys:
        return
    sql = "SELECT id, key FROM notices WHERE user_id = :user_id AND key IN :keys"
    rows = [
        {
            "user_id": user_id,
            "notice_id": id_,
            "channel": channel.value,
            "secret": secrets.token_urlsafe(32),
            "now": now,
        }
        for id_, key in db.all(sql, user_id=user_id, keys=keys)
        for channel in places[key]
    ]
    db.many(_ADD, rows)
    db.has_new_jobs = True


_DUE = """
d.sent_at IS NULL AND d.given_up = 0 AND d.next_at <= :now AND d.channel = :channel AND u.blocked = 0
    AND (d.held_until IS NULL OR d.held_until <= :now)
"""


def find_due(db: Unit, channel: Channel, now: str, *, most: int, user_id: int | None = None) -> list[Delivery]:
    sql = f"""
        SELECT d.id, d.user_id, d.secret, d.attempts, d.created_at, n.kind, n.object_kind, n.object_id, n.facts,
            u.email, d.reached
        FROM notice_deliveries d
        JOIN notices n ON n.user_id = d.user_id AND n.id = d.notice_id JOIN users u ON u.id = d.user_id
        WHERE {_DUE} {"" if user_id is None else "AND d.user_id = :user_id"}
        ORDER BY d.next_at, d.id LIMIT :most
    """
    of = {} if user_id is None else {"user_id": user_id}
    return db.structs(Delivery, sql, channel=channel.value, now=now, most=most, **of)


def find_readers(db: Unit, channel: Channel, now: str, *, most: int) -> list[int]:
    """Finds the users to whom messages are due. Whoever has waited longest comes first."""
    sql = f"""
        SELECT d.user_id FROM notice_deliveries d JOIN users u ON u.id = d.user_id
        WHERE {_DUE} GROUP BY d.user_id ORDER BY MIN(d.next_at), d.user_id LIMIT :most
    """
    return [user_id for (user_id,) in db.all(sql, channel=channel.value, now=now, most=most)]


def hold(db: Unit, delivery: Delivery, now: str, until: str) -> bool:
    """Reserves a message. Returns False if another process was faster. If this one dies, another sends it later."""
    sql = """
        UPDATE notice_deliveries SET held_until = :until
        WHERE user_id = :user_id AND id = :id AND sent_at IS NULL AND given_up = 0
            AND (held_until IS NULL OR held_until <= :now)
    """
    return db.run_and_count(sql, user_id=delivery.user_id, id=delivery.id, now=now, until=until) > 0


def plan_retry(
    delivery: Delivery, failure: str, now: datetime, *, is_final: bool = False, wait: timedelta = timedelta()
) -> Outcome:
    """Decides when to try again. Gives up if there is no use, or three days after the notice was made."""
    at = now + max(wait, PAUSES[min(delivery.attempts, len(PAUSES) - 1)])
    is_over = is_final or at > datetime.fromisoformat(delivery.created_at) + _GIVEN_UP_AFTER
    return Outcome(failure=failure, next_at=None if is_over else stamp(at))


def settle(db: Unit, delivery: Delivery, outcome: Outcome, now: str) -> None:
    sent = outcome.failure is None
    tables.change(
        db,
        "notice_deliveries",
        {"user_id": delivery.user_id, "id": delivery.id},
        attempts=delivery.attempts + 1,
        sent_at=now if sent else None,
        given_up=not sent and outcome.next_at is None,
        failure=outcome.failure,
        next_at=outcome.next_at or now,
        held_until=None,
        reached=outcome.reached,
    )


def put_off(db: Unit, delivery: Delivery, until: str) -> None:
    """Lets a message wait, for example until the reader's quiet hours are over."""
    tables.change(
        db, "notice_deliveries", {"user_id": delivery.user_id, "id": delivery.id}, next_at=until, held_until=None
    )


def find_quiet_end(settings: NoticeSettings, timezone: str, now: datetime) -> str | None:
    """Returns when the quiet hours end that the reader has now, if any. They may last over midnight."""
    if settings.quiet_from is None or settings.quiet_until is None or settings.quiet_from == settings.quiet_until:
        return None
    local = now.astimezone(ZoneInfo(timezone))
    start, end = time.fromisoformat(settings.quiet_from), time.fromisoformat(settings.quiet_until)
    at = local.time()
    is_quiet = start <= at < end if start < end else at >= start or at < end
    if not is_quiet:
        return None
    day = local.date() + (_DAY if at >= end else timedelta())
    return stamp(datetime.combine(day, end, ZoneInfo(timezone)).astimezone(now.tzinfo))


class Subscription(Struct, frozen=True):
    user_id: int
    kind: NoticeKind
    channel: Channel


def find_by_secret(db: Unit, secret: str) -> Subscription | None:
    """Finds what the link in a message is about."""
    sql = """
        SELECT d.user_id, n.kind, d.channel FROM notice_deliveries d
        JOIN notices n ON n.user_id = d.user_id AND n.id = d.notice_id WHERE d.secret = :secret
    """
    return db.struct(Subscription, sql, secret=secret)
