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

from .model import NoticeDraft

_DAY = timedelta(days=1)


class Delivery(Struct, frozen=True):
    """Describes a message to send, with its reader. `attempts` is how often that has failed."""

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


class Outcome(Struct, frozen=True):
    """Says what came of a message. If it was not sent, it is tried again at `next_at`, or else given up."""

    failure: str | None = None
    next_at: str | None = None


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


def find_due(db: Unit, channel: Channel, now: str, *, most: int) -> list[Delivery]:
    sql = """
        SELECT d.id, d.user_id, d.secret, d.attempts, d.created_at, n.kind, n.object_kind, n.object_id, n.facts, u.email
        FROM notice_deliveries d
        JOIN notices n ON n.user_id = d.user_id AND n.id = d.notice_id JOIN users u ON u.id = d.user_id
        WHERE d.sent_at IS NULL AND d.given_up = 0 AND d.next_at <= :now AND d.channel = :channel AND u.blocked = 0
            AND (d.held_until IS NULL OR d.held_until <= :now)
        ORDER BY d.next_at, d.id LIMIT :most
    """
    return db.structs(Delivery, sql, channel=channel.value, now=now, most=most)


def hold(db: Unit, delivery: Delivery, now: str, until: str) -> bool:
    """Reserves a message. Returns False if another process was faster. If this one dies, another sends it later."""
    sql = """
        UPDATE notice_deliveries SET held_until = :until
        WHERE user_id = :user_id AND id = :id AND sent_at IS NULL AND given_up = 0
            AND (held_until IS NULL OR held_until <= :now)
    """
    return db.run_and_count(sql, user_id=delivery.user_id, id=delivery.id, now=now, until=until) > 0


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
    )


def put_off(db: Unit, delivery: Delivery, until: str) -> None:
    """Lets a message wait until the reader's quiet hours are over."""
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
