"""Finds the caller of a token or session, with their preferences, in one query."""

import hashlib
from collections.abc import Mapping

from farthing.storage.unit import Unit, columns_of

from .user import Access, Caller, User


def _select(of_key: str, table: str, is_valid: str, limits: str) -> str:
    return f"""
        SELECT u.id, {columns_of(User, "u", "user")}, {columns_of(User, "u", "books")}, {of_key}, k.last_used_at,
            trim(z.data, '"') AS timezone, CAST(s.data AS INTEGER) AS page_size, trim(c.data, '"') AS currency_code,
            trim(l.data, '"') AS language, u.revision, h.revision AS installation_revision, u.requests_max, {limits}
        FROM {table} k
        JOIN users u ON u.id = k.user_id
        JOIN house h ON h.number = 1
        JOIN preferences z ON z.user_id = u.id AND z.name = 'timezone'
        JOIN preferences s ON s.user_id = u.id AND s.name = 'listPageSize'
        JOIN preferences c ON c.user_id = u.id AND c.name = 'currencyPreference'
        JOIN preferences l ON l.user_id = u.id AND l.name = 'language'
        WHERE k.hash = :hash AND u.blocked = 0 AND {is_valid}
        """


_WITH_TOKEN = _select(
    "k.id AS token_id, NULL AS session_id, k.access",
    "tokens",
    "(k.expires_at IS NULL OR k.expires_at > :now)",
    "k.scopes, k.networks, k.books_id, k.app_id",
)
_WITH_SESSION = _select(
    f"NULL AS token_id, k.id AS session_id, '{Access.FULL.value}' AS access",
    "sessions",
    "k.expires_at > :now AND k.last_used_at > :idle_since",
    "NULL AS scopes, NULL AS networks, NULL AS books_id, NULL AS app_id",
)


def hash_secret(secret: str) -> str:
    # The secret has 256 random bits, so a fast hash is safe and a slow one would only cost time.
    return hashlib.sha256(secret.encode()).hexdigest()


def find_by_token(db: Unit, token: str, now: str) -> Caller | None:
    return db.struct(Caller, _WITH_TOKEN, hash=hash_secret(token), now=now)


def find_by_session(db: Unit, secret: str, now: str, idle_since: str) -> Caller | None:
    """Finds the caller of a session, unless it has expired or was last used before `idle_since`."""
    return db.struct(Caller, _WITH_SESSION, hash=hash_secret(secret), now=now, idle_since=idle_since)


def find_revisions(db: Unit, user_id: int) -> tuple[int, int] | None:
    """Returns the revision of the user's books and the revision of the data that all users share."""
    row = db.one("SELECT u.revision, h.revision FROM users u JOIN house h ON h.number = 1 WHERE u.id = :id", id=user_id)
    return (row[0], row[1]) if row else None


def touch(db: Unit, table: str, used_at: Mapping[tuple[int, int], str]) -> None:
    """Stores when tokens or sessions were last used. Updates them in a fixed order, so that servers cannot deadlock.

    The keys of `used_at` are pairs of user id and row id.
    """
    db.many(
        f"""
        UPDATE {table} SET last_used_at = :at
        WHERE user_id = :user_id AND id = :id AND (last_used_at IS NULL OR last_used_at < :at)
        """,
        [{"user_id": user_id, "id": row_id, "at": at} for (user_id, row_id), at in sorted(used_at.items())],
    )
