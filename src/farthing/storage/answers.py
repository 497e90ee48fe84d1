"""Which answer did a key get? Kept in the unit of work that it answers for: it is there exactly when its work is."""

from dataclasses import dataclass
from datetime import timedelta

import msgspec

from ..clock import moved
from .unit import Unit

KEPT_FOR = timedelta(hours=48)


@dataclass(frozen=True)
class Kept:
    """`request` is what was asked, as a hash."""

    request: str
    status: int
    headers: list[tuple[str, str]]
    body: str


def find(db: Unit, user_id: int, key: str, now: str) -> Kept | None:
    row = db.one(
        "SELECT request, status, headers, body FROM answers WHERE user_id = :user_id AND key = :key AND at > :since",
        user_id=user_id,
        key=key,
        since=_since(now),
    )
    if row is None:
        return None
    request, status, headers, body = row
    return Kept(request, status, msgspec.json.decode(headers, type=list[tuple[str, str]]), body)


def keep(db: Unit, user_id: int, key: str, kept: Kept, now: str) -> None:
    """One that is too old to count makes room."""
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
    """Everybody's. Returns how many."""
    return db.run("DELETE FROM answers WHERE at <= :since", since=_since(now))


def _since(now: str) -> str:
    return moved(now, -KEPT_FOR)
