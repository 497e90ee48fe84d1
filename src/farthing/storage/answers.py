"""Stores the answers to requests with an idempotency key, in the same unit of work as their effect."""

from datetime import timedelta

import msgspec
from msgspec import Struct

from farthing.kernel.clock import shift

from .unit import Unit

KEPT_FOR = timedelta(hours=48)


class StoredAnswer(Struct, frozen=True):
    """`request` is a hash of the request."""

    request: str
    status: int
    headers: list[tuple[str, str]]
    body: str


def find(db: Unit, user_id: int, key: str, now: str) -> StoredAnswer | None:
    row = db.one(
        "SELECT request, status, headers, body FROM answers WHERE user_id = :user_id AND key = :key AND at > :since",
        user_id=user_id,
        key=key,
        since=_expiry(now),
    )
    if row is None:
        return None
    request, status, headers, body = row
    return StoredAnswer(
        request=request,
        status=status,
        headers=msgspec.json.decode(headers, type=list[tuple[str, str]]),
        body=body,
    )


def keep(db: Unit, user_id: int, key: str, kept: StoredAnswer, now: str) -> None:
    """Replaces an expired answer with the same key."""
    db.run(
        """
        INSERT INTO answers (user_id, key, at, request, status, headers, body)
        VALUES (:user_id, :key, :now, :request, :status, :headers, :body)
        ON CONFLICT (user_id, key) DO UPDATE SET at = excluded.at, request = excluded.request,
            status = excluded.status, headers = excluded.headers, body = excluded.body
        """,
        user_id=user_id,
        key=key,
        now=now,
        request=kept.request,
        status=kept.status,
        headers=msgspec.json.encode(kept.headers).decode(),
        body=kept.body,
    )


def forget_old(db: Unit, now: str) -> int:
    """Of all users. Returns how many were deleted."""
    return db.run("DELETE FROM answers WHERE at <= :since", since=_expiry(now))


def _expiry(now: str) -> str:
    return shift(now, -KEPT_FOR)
