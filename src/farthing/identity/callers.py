"""Finds the caller who belongs to a token or session, with their preferences, in one query."""

import hashlib
from typing import Any

from farthing.storage.unit import Row, Unit

from .user import Access, Caller, User


def _select(of_key: str, table: str, is_valid: str, limits: str) -> str:
    return f"""
        SELECT u.id, u.email, u.role, u.blocked, u.blocked_code, u.created_at, u.updated_at,
            {of_key}, k.last_used_at, z.data, s.data, c.data, u.revision, h.revision, u.requests_max,
            {limits}
        FROM {table} k
        JOIN users u ON u.id = k.user_id
        JOIN house h ON h.number = 1
        JOIN preferences z ON z.user_id = u.id AND z.name = 'timezone'
        JOIN preferences s ON s.user_id = u.id AND s.name = 'listPageSize'
        JOIN preferences c ON c.user_id = u.id AND c.name = 'currencyPreference'
        WHERE k.hash = :hash AND u.blocked = 0 AND {is_valid}
        """


_WITH_TOKEN = _select(
    "k.id, NULL, k.access",
    "tokens",
    "(k.expires_at IS NULL OR k.expires_at > :now)",
    "k.scopes, k.networks, k.books_id, k.app_id",
)
_WITH_SESSION = _select(
    f"NULL, k.id, '{Access.FULL.value}'",
    "sessions",
    "k.expires_at > :now AND k.last_used_at > :idle_since",
    "NULL, NULL, NULL, NULL",
)


def hash_secret(secret: str) -> str:
    # The secret is 256 random bits: nobody can find it from a fast hash, and a slow one would only cost time.
    return hashlib.sha256(secret.encode()).hexdigest()


def find_by_token(db: Unit, token: str, now: str) -> Caller | None:
    return _find(db, _WITH_TOKEN, hash=hash_secret(token), now=now)


def find_by_session(db: Unit, secret: str, now: str, idle_since: str) -> Caller | None:
    """A session that was last used before `idle_since` has ended."""
    return _find(db, _WITH_SESSION, hash=hash_secret(secret), now=now, idle_since=idle_since)


def find_revisions(db: Unit, user_id: int) -> tuple[int, int] | None:
    """The revision of the user's books, and that of what all share."""
    row = db.one("SELECT u.revision, h.revision FROM users u JOIN house h ON h.number = 1 WHERE u.id = :id", id=user_id)
    return (row[0], row[1]) if row else None


def _find(db: Unit, sql: str, **parameters: Any) -> Caller | None:
    row = db.one(sql, **parameters)
    return _caller(row) if row else None


def _caller(row: Row) -> Caller:
    (
        user_id, email, role, blocked, blocked_code, created_at, updated_at,
        token_id, session_id, access, last_used_at, timezone, page_size, currency_code, revision, house_revision,
        requests_max, scopes, networks, books_id, app_id,
    ) = row  # fmt: skip
    user = User(
        id=user_id,
        email=email,
        role=role,
        blocked=bool(blocked),
        blocked_code=blocked_code,
        created_at=created_at,
        updated_at=updated_at,
    )
    return Caller(
        id=user_id,
        user=user,
        books=user,
        token_id=token_id,
        session_id=session_id,
        access=access,
        last_used_at=last_used_at,
        timezone=timezone.strip('"'),
        page_size=int(page_size),
        currency_code=currency_code.strip('"'),
        revision=revision,
        house_revision=house_revision,
        requests_max=requests_max,
        scopes=scopes,
        networks=networks,
        books_id=books_id,
        app_id=app_id,
    )
