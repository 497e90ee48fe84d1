"""Stores the answers to requests with an idempotency key, in the same unit of work as their effect."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from itertools import islice

import msgspec
from msgspec import Struct

from farthing.kernel.clock import shift

from .turns import work_off
from .unit import Database, Row, Unit

KEPT_FOR = timedelta(hours=48)
# An answer can be as long as that to a thousand transactions: so few are deleted in a few milliseconds.
_AT_ONCE = 10
_FOUND_AT_ONCE = 5000


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


def forget_old(database: Database, now: str) -> int:
    """Of all users. Returns how many were deleted. They are found without a lock, because all have to be looked at."""
    total = 0
    while True:
        with database.reading() as db:
            old = db.all(
                f"SELECT user_id, key FROM answers WHERE at <= :since LIMIT {_FOUND_AT_ONCE}", since=_expiry(now)
            )
        if not old:
            return total
        total += work_off(database, partial(_forget_some, iter(old), _expiry(now)))


def _forget_some(old: Iterator[Row], since: str, db: Unit) -> int:
    """Checked again, because a key may have been used anew meanwhile."""
    some = [(user_id, key, since) for user_id, key in islice(old, _AT_ONCE)]
    if some:
        db.many("DELETE FROM answers WHERE user_id = :user_id AND key = :key AND at <= :since", some)
    return len(some)


def _expiry(now: str) -> str:
    return shift(now, -KEPT_FOR)
