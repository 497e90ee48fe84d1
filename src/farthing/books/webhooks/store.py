"""Stores webhooks, their messages and the attempts to send them."""

import json
from collections.abc import Sequence
from datetime import timedelta

from msgspec import Struct, structs

from farthing.identity.user import ApiVersion
from farthing.kernel.clock import shift
from farthing.kernel.text import fold
from farthing.storage import tables
from farthing.storage.change_log.records import Records
from farthing.storage.turns import delete_some
from farthing.storage.unit import Row, Unit, page_of

from .model import Attempt, Event, Message, Webhook, WebhookDraft, wait_bits

_WEBHOOK = f"SELECT {tables.columns_of(Webhook)} FROM webhooks"
_WEBHOOKS = Records[Webhook, WebhookDraft](Webhook, "webhooks", _WEBHOOK)
get, get_some, page, all_of = _WEBHOOKS.get, _WEBHOOKS.get_some, _WEBHOOKS.page, _WEBHOOKS.find
_MESSAGE = f"SELECT {tables.columns_of(Message)} FROM webhook_messages"
# Messages are kept this long after they were sent or given up.
_KEPT = timedelta(days=30)
_ATTEMPT = f"SELECT {tables.columns_of(Attempt)} FROM webhook_attempts"


def get_of_v6(db: Unit, user_id: int, webhook_id: int) -> Webhook | None:
    webhook = get(db, user_id, webhook_id)
    return webhook if webhook and webhook.api_version == ApiVersion.V6 else None


def page_of_v6(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Webhook]]:
    return page(db, user_id, "api_version = :version", limit=limit, offset=offset, version=ApiVersion.V6.value)


def is_title_taken(db: Unit, user_id: int, title: str, *, except_id: int) -> bool:
    return _WEBHOOKS.is_taken(db, user_id, column="title_fold", value=fold(title), except_id=except_id)


def count(db: Unit, user_id: int) -> int:
    return int(db.value("SELECT COUNT(*) FROM webhooks WHERE user_id = :user_id", user_id=user_id))


def add(db: Unit, user_id: int, draft: WebhookDraft, now: str) -> int:
    webhook_id = _WEBHOOKS.add(db, user_id, draft, now)
    update_bits(db, user_id)
    begin(db, user_id, now)
    return webhook_id


def change(db: Unit, user_id: int, webhook_id: int, draft: WebhookDraft, now: str) -> None:
    """Changes a webhook. If it was paused, it begins again. What waits is sent to the new address."""
    stored = get(db, user_id, webhook_id)
    assert stored is not None, "whoever changes it has found it"
    drop_unwanted(db, user_id, stored, draft)
    _WEBHOOKS.change(db, user_id, webhook_id, draft, now)
    update_bits(db, user_id)
    restart(db, user_id, webhook_id, now)


def drop_unwanted(db: Unit, user_id: int, before: Webhook, after: WebhookDraft) -> None:
    """Removes what waits if a change takes events from a webhook, because its new address may not be for these."""
    if {*before.triggers, *before.responses} - {*after.triggers, *after.responses}:
        tables.remove(db, "webhook_messages", user_id=user_id, webhook_id=before.id, sent=0, errored=0)


def remove(db: Unit, user_id: int, webhook_id: int) -> None:
    """Removes a webhook, and with it all its messages, sent or not."""
    _WEBHOOKS.remove(db, user_id, webhook_id)
    update_bits(db, user_id)


def forget_sign_ins(db: Unit, user_id: int, webhooks: Sequence[Webhook], now: str) -> None:
    """Lets webhooks wait for sign-ins no longer, and removes their messages about these.

    This happens when the books get another owner: the addresses are those of the former one.
    """
    for webhook in webhooks:
        if Event.SIGN_IN_NEW_DEVICE in webhook.triggers:
            triggers = [trigger for trigger in webhook.triggers if trigger != Event.SIGN_IN_NEW_DEVICE]
            tables.change(db, "webhooks", {"user_id": user_id, "id": webhook.id}, triggers=json.dumps(triggers))
    of = {"user_id": user_id, "ids": [webhook.id for webhook in webhooks]}
    # A job process that has read the former triggers fails to move on, and reads these.
    db.run("UPDATE webhook_progress SET look_at = :now WHERE user_id = :user_id AND webhook_id IN :ids", now=now, **of)
    db.run(
        "DELETE FROM webhook_messages WHERE user_id = :user_id AND webhook_id IN :ids AND content LIKE :about",
        about=f'{{"type":"{Event.SIGN_IN_NEW_DEVICE}"%',
        **of,
    )


def begin(db: Unit, user_id: int, now: str) -> None:
    """Lets each active webhook without progress begin here. Call it after webhooks were added or restored."""
    db.flush()
    db.run(
        """
        INSERT INTO webhook_progress (user_id, webhook_id, started_at, seen_revision, seen_change, look_at)
        SELECT w.user_id, w.id, :now, u.revision,
            COALESCE((SELECT MAX(c.id) FROM changes c WHERE c.user_id = w.user_id), 0), :now
        FROM webhooks w JOIN users u ON u.id = w.user_id
        WHERE w.user_id = :user_id AND w.api_version = :version AND w.active = 1 AND NOT EXISTS (
            SELECT 1 FROM webhook_progress p WHERE p.user_id = w.user_id AND p.webhook_id = w.id
        )
        """,
        user_id=user_id,
        now=now,
        version=ApiVersion.V1.value,
    )


def restart(db: Unit, user_id: int, webhook_id: int, now: str) -> None:
    """Ends a pause, and sends at once what still waits. What happened during the pause is not told."""
    sql = "DELETE FROM webhook_progress WHERE user_id = :user_id AND webhook_id = :id AND (paused_at IS NOT NULL"
    inactive = "EXISTS (SELECT 1 FROM webhooks w WHERE w.user_id = :user_id AND w.id = :id AND w.active = 0))"
    db.run(f"{sql} OR {inactive}", user_id=user_id, id=webhook_id)
    tables.change(db, "webhook_progress", {"user_id": user_id, "webhook_id": webhook_id}, failing_since=None)
    begin(db, user_id, now)
    hurry(db, user_id, webhook_id, now)


def update_bits(db: Unit, user_id: int) -> None:
    """Stores with the user which events the active webhooks wait for. Call it after every change to webhooks."""
    bits = 0
    for webhook in all_of(db, user_id, "active = 1"):
        bits |= wait_bits(webhook.triggers)
    db.run("UPDATE users SET hooks = :bits WHERE id = :id AND hooks <> :bits", bits=bits, id=user_id)
    if db.author:
        db.author = structs.replace(db.author, hooks=bits)


def add_messages(db: Unit, messages: Sequence[Row], now: str) -> None:
    """Adds messages, each given as (user, webhook, uuid, content), and wakes the job process after the commit."""
    sql = """
        INSERT INTO webhook_messages (user_id, webhook_id, uuid, content, next_at, created_at, updated_at)
        VALUES (:user_id, :webhook_id, :uuid, :content, :now, :created_at, :updated_at)
    """
    db.many(sql, [(*message, now, now, now) for message in messages])
    db.has_new_jobs = True


def page_messages(db: Unit, user_id: int, webhook_id: int, *, limit: int, offset: int) -> tuple[int, list[Message]]:
    """Returns the number of messages of a webhook and one page of them, newest first."""
    where, of = "user_id = :user_id AND webhook_id = :webhook_id", {"user_id": user_id, "webhook_id": webhook_id}
    return page_of(db, Message, _MESSAGE, "webhook_messages", where, "id DESC", limit=limit, offset=offset, **of)


def get_message(db: Unit, user_id: int, webhook_id: int, message_id: int) -> Message | None:
    return tables.find(db, Message, "webhook_messages", user_id=user_id, webhook_id=webhook_id, id=message_id)


def remove_message(db: Unit, user_id: int, message_id: int) -> None:
    tables.remove(db, "webhook_messages", user_id=user_id, id=message_id)


def page_attempts(db: Unit, user_id: int, message_id: int, *, limit: int, offset: int) -> tuple[int, list[Attempt]]:
    where, of = "user_id = :user_id AND message_id = :message_id", {"user_id": user_id, "message_id": message_id}
    return page_of(db, Attempt, _ATTEMPT, "webhook_attempts", where, "id DESC", limit=limit, offset=offset, **of)


def get_attempt(db: Unit, user_id: int, message_id: int, attempt_id: int) -> Attempt | None:
    return tables.find(db, Attempt, "webhook_attempts", user_id=user_id, message_id=message_id, id=attempt_id)


def remove_attempt(db: Unit, user_id: int, attempt_id: int) -> None:
    tables.remove(db, "webhook_attempts", user_id=user_id, id=attempt_id)


def tell_progress(db: Unit, user_id: int) -> str:
    """Returns a text that changes whenever messages are sent or deleted, which does not change the revision."""
    sql = """
        SELECT (SELECT MAX(id) FROM webhook_attempts WHERE user_id = :user_id),
            (SELECT MIN(id) FROM webhook_messages WHERE user_id = :user_id),
            (SELECT MAX(id) FROM webhook_messages WHERE user_id = :user_id)
    """
    return str(db.one(sql, user_id=user_id))


def send_again(db: Unit, user_id: int, message_id: int, now: str) -> None:
    """Makes a message wait again, before all later ones. Its id stays the same, so the receiver can recognize it."""
    sent_again = {"sent": 0, "errored": 0, "attempts": 0, "next_at": now, "updated_at": now}
    tables.change(db, "webhook_messages", {"user_id": user_id, "id": message_id}, **sent_again)
    db.has_new_jobs = True


def hurry(db: Unit, user_id: int, webhook_id: int, now: str) -> None:
    """Makes the waiting messages of a webhook due now, even after failures."""
    db.run(
        """
        UPDATE webhook_messages SET next_at = :now
        WHERE user_id = :user_id AND webhook_id = :webhook_id AND sent = 0 AND errored = 0
        """,
        user_id=user_id,
        webhook_id=webhook_id,
        now=now,
    )
    db.has_new_jobs = True


class DueMessage(Struct, frozen=True):
    """Holds a message with its receiver. `failing_since` is set while the receiver of a webhook of version 1 fails."""

    id: int
    user_id: int
    webhook_id: int
    uuid: str
    content: str
    attempts: int
    created_at: str
    url: str
    secret: str
    api_version: str
    failing_since: str | None


class AttemptDraft(Struct, frozen=True):
    """Describes an attempt to send a message. If it failed, the message is tried again at `next_at`.

    Without `next_at`, a message of version 6 is given up. One of version 1 waits, and its webhook is paused.
    """

    sent: bool
    status_code: int | None = None
    logs: str | None = None
    response: str | None = None
    next_at: str | None = None


_DUE = """
SELECT m.id, m.user_id, m.webhook_id, m.uuid, m.content, m.attempts, m.created_at, w.url, w.secret, w.api_version,
    p.failing_since
"""
_PROGRESS = "LEFT JOIN webhook_progress p ON p.user_id = w.user_id AND p.webhook_id = w.id"


def find_due(db: Unit, now: str, *, after_user_id: int, of_user_max: int, most: int) -> list[DueMessage]:
    """Finds the oldest waiting message of each active webhook, unless it is being sent or not due yet.

    Users take turns, beginning after the given one. No user has more than `of_user_max` webhooks that are being sent.
    """
    sql = f"""
        SELECT {tables.columns_of(DueMessage)} FROM (
            {_DUE}, COUNT(CASE WHEN m.held_until > :now THEN 1 END) OVER (PARTITION BY m.user_id)
                + ROW_NUMBER() OVER (
                    PARTITION BY m.user_id, CASE WHEN m.held_until > :now THEN 1 ELSE 0 END ORDER BY m.id
                ) AS turn,
                m.held_until
            FROM webhooks w JOIN webhook_messages m ON m.id = (
                SELECT MIN(waiting.id) FROM webhook_messages waiting
                WHERE waiting.webhook_id = w.id AND waiting.sent = 0 AND waiting.errored = 0
            ) {_PROGRESS}
            WHERE w.active = 1 AND p.paused_at IS NULL AND (m.next_at <= :now OR m.held_until > :now)
        ) AS oldest
        WHERE (held_until IS NULL OR held_until <= :now) AND turn <= :of_user_max
        ORDER BY turn, CASE WHEN user_id > :after_user_id THEN 0 ELSE 1 END, user_id LIMIT :most
    """
    return db.structs(DueMessage, sql, now=now, after_user_id=after_user_id, of_user_max=of_user_max, most=most)


def hold(db: Unit, first: DueMessage, now: str, until: str, *, most: int) -> list[DueMessage]:
    """Reserves a webhook, by its oldest waiting message, and returns the messages to send, or none if another sender
    was faster. If this sender dies, another one sends them after `until`.
    """
    held = db.run_and_count(
        """
        UPDATE webhook_messages SET held_until = :until
        WHERE id = :id AND user_id = :user_id AND sent = 0 AND errored = 0 AND next_at <= :now
            AND (held_until IS NULL OR held_until <= :now)
        """,
        id=first.id,
        user_id=first.user_id,
        until=until,
        now=now,
    )
    if not held:
        return []
    sql = f"""
        {_DUE} FROM webhook_messages m JOIN webhooks w ON w.user_id = m.user_id AND w.id = m.webhook_id
        {_PROGRESS} WHERE m.user_id = :user_id AND m.webhook_id = :webhook_id AND m.sent = 0 AND m.errored = 0
        ORDER BY m.id LIMIT :most
    """
    return db.structs(DueMessage, sql, user_id=first.user_id, webhook_id=first.webhook_id, most=most)


def settle(db: Unit, message: DueMessage, attempt: AttemptDraft, now: str) -> None:
    """Stores an attempt, unless the webhook was removed meanwhile."""
    given_up = not attempt.sent and attempt.next_at is None
    if attempt.sent != (message.failing_since is None) or given_up:
        failing = {"failing_since": None if attempt.sent else message.failing_since or now}
        paused = {"paused_at": now} if given_up else {}
        of = {"user_id": message.user_id, "webhook_id": message.webhook_id}
        tables.change(db, "webhook_progress", of, **failing, **paused)
    changed = db.run_and_count(
        """
        UPDATE webhook_messages SET sent = :sent, errored = :errored, next_at = :next_at, held_until = NULL,
            attempts = attempts + 1, updated_at = :now
        WHERE id = :id AND user_id = :user_id
        """,
        id=message.id,
        user_id=message.user_id,
        sent=int(attempt.sent),
        errored=int(given_up and message.api_version == ApiVersion.V6),
        next_at=attempt.next_at or now,
        now=now,
    )
    if changed:
        tables.add(
            db,
            "webhook_attempts",
            user_id=message.user_id,
            message_id=message.id,
            status_code=attempt.status_code,
            logs=attempt.logs,
            response=attempt.response,
            created_at=now,
        )


def forget_old(db: Unit, now: str) -> int:
    """Removes messages that were sent or given up, a month after they were written. Returns how many."""
    where = "(sent = 1 OR errored = 1) AND created_at < :before"
    return delete_some(db, "webhook_messages", "id", where, before=shift(now, -_KEPT))
