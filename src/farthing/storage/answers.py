"""Stores the answers to requests with an idempotency key, in the same unit of work as their effect."""

from datetime import timedelta

import msgspec
from msgspec import Struct

from farthing.kernel.clock import shift

from . import quotas
from .quotas import Stored
from .unit import Database, Unit

KEPT_FOR = timedelta(hours=48)
# Computed from the lengths alone: neither database reads the texts for it.
_SIZE = "octet_length(headers) + octet_length(body)"
_INSERT = """
INSERT INTO answers (user_id, key, at, request, status, headers, body)
VALUES (:user_id, :key, :now, :request, :status, :headers, :body)
ON CONFLICT (user_id, key) DO NOTHING
"""


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
    """Replaces an expired answer with the same key. Raises OverQuota."""
    headers = msgspec.json.encode(kept.headers).decode()
    row = {
        "user_id": user_id, "key": key, "now": now, "request": kept.request, "status": kept.status,
        "headers": headers, "body": kept.body,
    }  # fmt: skip
    quotas.add(db, user_id, Stored.ANSWERS, len(headers.encode()) + len(kept.body.encode()))
    if not db.run(_INSERT, **row):
        _forget(db, user_id, "key = :key", key=key)
        db.run(_INSERT, **row)


def forget_old(database: Database, now: str) -> None:
    """Of all users, each in a unit of work of its own: it locks them, because their sums change as well."""
    since = _expiry(now)
    with database.reading() as db:
        rows = db.all("SELECT DISTINCT user_id FROM answers WHERE at <= :since ORDER BY user_id", since=since)
    for (user_id,) in rows:
        with database.writing() as db:
            quotas.hold(db, user_id)
            _forget(db, user_id, "at <= :since", since=since)


def _forget(db: Unit, user_id: int, where: str, **given: str) -> None:
    which = f"user_id = :user_id AND {where}"
    freed = db.value(f"SELECT COALESCE(SUM({_SIZE}), 0) FROM answers WHERE {which}", user_id=user_id, **given)
    db.run(f"DELETE FROM answers WHERE {which}", user_id=user_id, **given)
    quotas.free(db, user_id, Stored.ANSWERS, int(freed))


def _expiry(now: str) -> str:
    return shift(now, -KEPT_FOR)
