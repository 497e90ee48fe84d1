"""Stores the answers to requests with an idempotency key, in the same unit of work as their effect."""

from datetime import timedelta

import msgspec
from msgspec import Struct

from farthing.kernel.clock import shift

from .unit import Unit

# 48 hours are promised. The third day makes up for a clock that was set while no server was running.
KEPT_FOR = timedelta(days=3)
_AHEAD = timedelta(days=1)


class StoredAnswer(Struct, frozen=True):
    """`request` is a hash of the request."""

    request: str
    status: int
    headers: list[tuple[str, str]]
    body: str


def find(db: Unit, user_id: int, key: str) -> StoredAnswer | None:
    """However old it seems: the clock may be wrong, and carrying out a request twice is worse than an old answer."""
    row = db.one(
        "SELECT request, status, headers, body FROM answers WHERE user_id = :user_id AND key = :key",
        user_id=user_id,
        key=key,
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
    db.run(
        """
        INSERT INTO answers (user_id, key, at, request, status, headers, body)
        VALUES (:user_id, :key, :now, :request, :status, :headers, :body)
        """,
        user_id=user_id,
        key=key,
        now=now,
        request=kept.request,
        status=kept.status,
        headers=msgspec.json.encode(kept.headers).decode(),
        body=kept.body,
    )


def forget_old(db: Unit, now: str, steady_since: str) -> int:
    """Of all users. Returns how many were deleted.

    A clock that has gone evenly for as long as answers are kept is right about those of that time, and all others are
    older than that, whatever their stamps say. A clock that was set meanwhile says nothing, and nothing is deleted.
    """
    old = shift(now, -KEPT_FOR)
    if steady_since > old:
        return 0
    return db.run("DELETE FROM answers WHERE at <= :old OR at > :ahead", old=old, ahead=shift(now, _AHEAD))
