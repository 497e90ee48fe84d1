"""Stores the sessions of browsers; each session's secret is kept only as a hash."""

import secrets
from collections.abc import Mapping

from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit, page_of

from .callers import hash_secret
from .session import Session

_SESSION = "id, user_id, device, created_at, last_used_at, expires_at"
_ALIVE = "user_id = :user_id AND expires_at > :now AND last_used_at > :idle_since"


def begin(db: Unit, user_id: int, device: str, now: str, expires_at: str) -> tuple[Session, str]:
    """Returns the new session and its secret, which cannot be read again."""
    secret = secrets.token_urlsafe(32)
    session = db.struct(
        Session,
        f"""
        INSERT INTO sessions (user_id, hash, device, created_at, last_used_at, expires_at)
        VALUES (:user_id, :hash, :device, :now, :now, :expires_at)
        RETURNING {_SESSION}
        """,
        user_id=user_id,
        hash=hash_secret(secret),
        device=device,
        now=now,
        expires_at=expires_at,
    )
    assert session is not None
    return session, secret


def get(db: Unit, user_id: int, session_id: int, now: str, idle_since: str) -> Session | None:
    return db.struct(
        Session,
        f"SELECT {_SESSION} FROM sessions WHERE {_ALIVE} AND id = :id",
        user_id=user_id,
        id=session_id,
        now=now,
        idle_since=idle_since,
    )


def began_at(db: Unit, user_id: int, session_id: int) -> str:
    """Returns when the user signed in; empty if the session has ended meanwhile."""
    created_at = db.value(
        "SELECT created_at FROM sessions WHERE user_id = :user_id AND id = :id", user_id=user_id, id=session_id
    )
    return str(created_at or "")


def page(db: Unit, user_id: int, now: str, idle_since: str, *, limit: int, offset: int) -> tuple[int, list[Session]]:
    """Lists active sessions, the last used first."""
    alive = {"user_id": user_id, "now": now, "idle_since": idle_since}
    select, order = f"SELECT {_SESSION} FROM sessions", "last_used_at DESC, id DESC"
    return page_of(db, Session, select, "sessions", _ALIVE, order, limit=limit, offset=offset, **alive)


def end(db: Unit, user_id: int, session_id: int) -> None:
    db.run("DELETE FROM sessions WHERE user_id = :user_id AND id = :id", user_id=user_id, id=session_id)


def end_all(db: Unit, user_id: int, *, besides: int | None = None) -> None:
    db.run(
        "DELETE FROM sessions WHERE user_id = :user_id AND id <> :besides",
        user_id=user_id,
        besides=besides or 0,
    )


def end_with(db: Unit, secret: str) -> None:
    """Ends the session of a browser, which has only one at a time, whoever its user is."""
    db.run("DELETE FROM sessions WHERE hash = :hash", hash=hash_secret(secret))


def touch(db: Unit, used_at: Mapping[tuple[int, int], str]) -> None:
    """Stores when each was last used, by user and id; in a fixed order, so that two servers cannot deadlock."""
    db.many(
        "UPDATE sessions SET last_used_at = :at WHERE user_id = :user_id AND id = :id AND last_used_at < :at",
        [{"user_id": user_id, "id": session_id, "at": at} for (user_id, session_id), at in sorted(used_at.items())],
    )


def forget_old(db: Unit, now: str, idle_since: str) -> int:
    ended = "expires_at <= :now OR last_used_at <= :idle_since"
    return delete_some(db, "sessions", "id", ended, now=now, idle_since=idle_since)
