"""Stores how far each webhook of version 1 has followed the books, what it has told of, and whether it is paused."""

from collections.abc import Collection, Sequence
from datetime import date
from uuid import uuid4

import msgspec
from msgspec import Struct

from farthing.storage.change_log import changes
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from . import store

_encode = msgspec.json.Encoder().encode


class Follower(Struct, frozen=True):
    """Describes a webhook that has to look at its books, with the current `revision` of these books.

    It has seen the changes up to the id `seen_change`. When it looked last, the books had the revision `seen_revision`.
    """

    user_id: int
    webhook_id: int
    triggers: tuple[str, ...]
    budget_percentages: tuple[int, ...]
    started_at: str
    seen_revision: int
    seen_change: int
    look_at: str
    revision: int


class HookEvent(Struct, frozen=True):
    """Describes an event to tell of. An event with an `occasion` is told of once, and forgotten on a day."""

    type: str
    at: str
    data: object
    occasion: str | None = None
    forget_on: date | None = None


class Progress(Struct, frozen=True):
    failing_since: str | None
    paused_at: str | None


def find_progress(db: Unit, user_id: int, webhook_ids: Collection[int]) -> dict[int, Progress]:
    """Maps webhooks to their progress. Webhooks of version 6 have none."""
    sql = """
        SELECT webhook_id, failing_since, paused_at FROM webhook_progress
        WHERE user_id = :user_id AND webhook_id IN :ids
    """
    rows = db.all(sql, user_id=user_id, ids=sorted(webhook_ids))
    return {webhook_id: Progress(failing_since, paused_at) for webhook_id, failing_since, paused_at in rows}


def find_followers(db: Unit, now: str, *, after_user_id: int, most: int) -> list[Follower]:
    """Finds webhooks whose books have changed, whose user has signed in, or that have not looked for a while.

    Users take turns, beginning after the given one.
    """
    sql = """
        SELECT p.user_id, p.webhook_id, w.triggers, w.budget_percentages, p.started_at, p.seen_revision,
            p.seen_change, p.look_at, u.revision
        FROM webhook_progress p JOIN webhooks w ON w.user_id = p.user_id AND w.id = p.webhook_id
        JOIN users u ON u.id = p.user_id
        WHERE w.active = 1 AND p.paused_at IS NULL AND (
            u.revision > p.seen_revision OR p.look_at <= :now
            OR EXISTS (SELECT 1 FROM audit a WHERE a.user_id = p.user_id AND a.id > p.seen_note)
        )
        ORDER BY CASE WHEN p.user_id > :after_user_id THEN 0 ELSE 1 END, p.user_id, p.look_at, p.webhook_id
        LIMIT :most
    """
    return db.structs(Follower, sql, now=now, after_user_id=after_user_id, most=most)


def move_on(db: Unit, follower: Follower, *, seen_revision: int, seen_change: int, look_at: str) -> bool:
    """Stores what the webhook has seen. Returns False if another job process was faster, or the webhook is gone."""
    sql = """
        UPDATE webhook_progress SET seen_revision = :seen_revision, seen_change = :seen_change, look_at = :look_at,
            seen_note = COALESCE((SELECT MAX(a.id) FROM audit a WHERE a.user_id = webhook_progress.user_id), 0)
        WHERE user_id = :user_id AND webhook_id = :webhook_id AND paused_at IS NULL AND look_at = :looked_at
            AND seen_revision = :old_revision AND seen_change = :old_change AND started_at = :started_at
    """
    return bool(
        db.run_and_count(
            sql,
            user_id=follower.user_id,
            webhook_id=follower.webhook_id,
            seen_revision=seen_revision,
            seen_change=seen_change,
            look_at=look_at,
            looked_at=follower.look_at,
            old_revision=follower.seen_revision,
            old_change=follower.seen_change,
            started_at=follower.started_at,
        )
    )


def put_off(db: Unit, follower: Follower, look_at: str) -> None:
    """Lets the webhook look later, or when the books change again, at the same changes."""
    move_on(db, follower, seen_revision=follower.revision, seen_change=follower.seen_change, look_at=look_at)


class LoggedChange(Struct, frozen=True):
    """Describes a row in the log of changes. `owner_id` is the transaction, if the row is a part of one, and
    `bill_id` is the bill that a transaction paid before.
    """

    id: int
    revision: int
    at: str
    kind: str
    object_id: int
    action: str
    owner_id: int | None
    bill_id: int | None


_PARTS = ("splits", "entry_tags", "entry_details")


def read_changes(db: Unit, follower: Follower, *, most: int) -> list[LoggedChange]:
    """Reads the changes to transactions and accounts that the webhook has not seen, oldest first.

    Jobs log rows under the earlier revision of their request, so only the ids say what is new.
    """
    owners = " ".join(
        f"WHEN '{part}' THEN (SELECT p.entry_id FROM {part} p WHERE p.user_id = c.user_id AND p.id = c.object_id)"
        for part in _PARTS
    )
    sql = f"""
        SELECT c.id, c.revision, c.at, c.kind, c.object_id, c.action, COALESCE(
            CASE WHEN c.kind IN :parts AND c.action <> 'created' THEN {changes.number_in(db, "entry_id")} END,
            CASE c.kind {owners} END
        ) AS owner_id,
        CASE WHEN c.kind = 'entries' AND c.action = 'changed' THEN {changes.number_in(db, "bill_id")} END AS bill_id
        FROM changes c WHERE c.user_id = :user_id AND c.id > :seen_id AND c.kind IN :kinds
        ORDER BY c.id LIMIT :most
    """
    return db.structs(
        LoggedChange,
        sql,
        user_id=follower.user_id,
        seen_id=follower.seen_change,
        parts=list(_PARTS),
        kinds=["entries", "accounts", *_PARTS],
        most=most,
    )


def drop_parts(db: Unit, user_id: int, logged: list[LoggedChange]) -> list[LoggedChange]:
    """Drops changes to parts if the same revision logged a change to the transaction itself, perhaps further on."""
    parts = [change for change in logged if change.owner_id]
    if not parts:
        return logged
    sql = """
        SELECT DISTINCT revision, object_id FROM changes
        WHERE user_id = :user_id AND kind = 'entries' AND object_id IN :ids AND revision IN :revisions
    """
    ids, revisions = {change.owner_id for change in parts}, {change.revision for change in parts}
    whole = set(db.all(sql, user_id=user_id, ids=list(ids), revisions=list(revisions)))
    return [change for change in logged if (change.revision, change.owner_id) not in whole]


def tell(db: Unit, follower: Follower, events: Sequence[HookEvent], now: str) -> int:
    """Writes messages about events, except those that the webhook has told of. Returns the number of messages."""
    fresh = _note_occasions(db, follower, [event for event in events if event.occasion])
    chosen = [event for event in events if event.occasion is None or event.occasion in fresh]
    if chosen:
        messages = [make_message(follower.user_id, follower.webhook_id, event) for event in chosen]
        store.add_messages(db, messages, now)
    return len(chosen)


def make_message(user_id: int, webhook_id: int, event: HookEvent) -> tuple[int, int, str, str]:
    body = {"type": event.type, "timestamp": event.at, "data": event.data}
    return user_id, webhook_id, f"msg_{uuid4().hex}", _encode(body).decode()


def _note_occasions(db: Unit, follower: Follower, events: Sequence[HookEvent]) -> set[str]:
    """Stores occasions, and returns those that are new."""
    of = {"user_id": follower.user_id, "webhook_id": follower.webhook_id}
    sql = """
        SELECT occasion FROM webhook_occasions
        WHERE user_id = :user_id AND webhook_id = :webhook_id AND occasion IN :occasions
    """
    known = {occasion for (occasion,) in db.all(sql, **of, occasions=[event.occasion for event in events])}
    fresh = {event.occasion: event.forget_on for event in events if event.occasion and event.occasion not in known}
    insert = """
        INSERT INTO webhook_occasions (user_id, webhook_id, occasion, forget_on)
        VALUES (:user_id, :webhook_id, :occasion, :forget_on)
    """
    rows = [(follower.user_id, follower.webhook_id, occasion, str(day or "9999")) for occasion, day in fresh.items()]
    if rows:
        db.many(insert, rows)
    return set(fresh)


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "webhook_occasions", "id", "forget_on < :today", today=now[:10])
