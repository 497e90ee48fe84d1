"""Stores which browsers show a user's notices. Each subscription ends with the session of its browser."""

import hashlib
from collections.abc import Collection, Sequence

from msgspec import Struct

from farthing.kernel.errors import Conflict
from farthing.kernel.network import web_push
from farthing.kernel.network.web_push import PushKeys
from farthing.storage import installation, tables
from farthing.storage.unit import Clash, Unit, page_of

SUBSCRIPTIONS_MAX = 20


class PushDraft(Struct, frozen=True):
    """Describes a subscription as the browser does. `endpoint` is its secret address at a push service."""

    endpoint: str
    p256dh: str
    auth: str


class PushSubscription(PushDraft, frozen=True):
    """Describes a stored subscription. `device` is the name of the browser and its system."""

    id: int
    session_id: int
    device: str
    created_at: str
    last_used_at: str | None


_SELECT = """
SELECT p.endpoint, p.p256dh, p.auth, p.id, p.session_id, s.device, p.created_at, p.last_used_at
FROM push_subscriptions p JOIN sessions s ON s.user_id = p.user_id AND s.id = p.session_id
"""
_STORE = """
INSERT INTO push_subscriptions (user_id, session_id, hash, endpoint, p256dh, auth, created_at)
VALUES (:user_id, :session_id, :hash, :endpoint, :p256dh, :auth, :now)
ON CONFLICT (user_id, session_id) DO UPDATE
SET hash = excluded.hash, endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth
"""


def obtain_keys(db: Unit) -> PushKeys:
    """Returns the keys of the installation, which are made when they are needed for the first time."""
    keys = installation.find_push_keys(db)
    if keys is None:
        installation.store_push_keys(db, web_push.make_keys())
        keys = installation.find_push_keys(db)
        assert keys is not None, "they were just stored"
    return keys


def store(db: Unit, user_id: int, session_id: int, draft: PushDraft, now: str) -> PushSubscription:
    """Stores the subscription of the browser that has this session.

    If the browser was subscribed for somebody else, it shows only the notices of the new user from now on.
    """
    digest = hashlib.sha256(draft.endpoint.encode()).hexdigest()
    other = "hash = :hash AND NOT (user_id = :user_id AND session_id = :session_id)"
    db.run(f"DELETE FROM push_subscriptions WHERE {other}", hash=digest, user_id=user_id, session_id=session_id)
    values = {"endpoint": draft.endpoint, "p256dh": draft.p256dh, "auth": draft.auth}
    try:
        db.run(_STORE, user_id=user_id, session_id=session_id, hash=digest, now=now, **values)
        stored = find_of_session(db, user_id, session_id)
    except Clash as error:
        raise Conflict("Your session has just ended, or another one has subscribed this browser.") from error
    assert stored is not None, "it was just stored"
    return stored


def find_of_session(db: Unit, user_id: int, session_id: int) -> PushSubscription | None:
    where = "WHERE p.user_id = :user_id AND p.session_id = :session_id"
    return db.struct(PushSubscription, f"{_SELECT} {where}", user_id=user_id, session_id=session_id)


def get(db: Unit, user_id: int, subscription_id: int) -> PushSubscription | None:
    where = "WHERE p.user_id = :user_id AND p.id = :id"
    return db.struct(PushSubscription, f"{_SELECT} {where}", user_id=user_id, id=subscription_id)


def list_all(db: Unit, user_id: int) -> list[PushSubscription]:
    return db.structs(PushSubscription, f"{_SELECT} WHERE p.user_id = :user_id ORDER BY p.id", user_id=user_id)


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[PushSubscription]]:
    """Lists subscriptions, newest first."""
    where, order = "p.user_id = :user_id", "p.id DESC"
    return page_of(
        db, PushSubscription, _SELECT, "push_subscriptions p", where, order, limit=limit, offset=offset, user_id=user_id
    )


def has_any(db: Unit, user_id: int) -> bool:
    return tables.has(db, "push_subscriptions", user_id=user_id)


def is_full(db: Unit, user_id: int, session_id: int) -> bool:
    """Returns whether the user has as many subscriptions as possible besides that of this session."""
    where = "user_id = :user_id AND session_id <> :session_id"
    sql = f"SELECT COUNT(*) FROM push_subscriptions WHERE {where}"
    return int(db.value(sql, user_id=user_id, session_id=session_id)) >= SUBSCRIPTIONS_MAX


def remove(db: Unit, user_id: int, subscription_id: int) -> None:
    tables.remove(db, "push_subscriptions", user_id=user_id, id=subscription_id)


def remove_gone(db: Unit, user_id: int, gone: Collection[PushSubscription]) -> None:
    """Removes subscriptions that the push service no longer knows, unless their browsers have renewed them."""
    db.many(
        "DELETE FROM push_subscriptions WHERE user_id = :user_id AND id = :id AND endpoint = :endpoint",
        [{"user_id": user_id, "id": one.id, "endpoint": one.endpoint} for one in gone],
    )


def note_use(db: Unit, user_id: int, ids: Sequence[int], now: str) -> None:
    db.many(
        "UPDATE push_subscriptions SET last_used_at = :now WHERE user_id = :user_id AND id = :id",
        [{"user_id": user_id, "id": id_, "now": now} for id_ in sorted(set(ids))],
    )
