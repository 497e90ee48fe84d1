"""Who has this key? One query: the user if the key counts, and the preferences that shape every answer."""

import hashlib
from typing import Any

from ..storage.unit import Row, Unit
from .model import Access, Caller, User


def _asking(of_key: str, table: str, counts: str) -> str:
    return f"""
        SELECT u.id, u.email, u.role, u.blocked, u.blocked_code, u.created_at, u.updated_at,
            {of_key}, k.last_used_at, z.data, s.data, c.data, u.revision, h.revision
        FROM {table} k
        JOIN users u ON u.id = k.user_id
        JOIN house h ON h.number = 1
        JOIN preferences z ON z.user_id = u.id AND z.name = 'timezone'
        JOIN preferences s ON s.user_id = u.id AND s.name = 'listPageSize'
        JOIN preferences c ON c.user_id = u.id AND c.name = 'currencyPreference'
        WHERE k.hash = :hash AND u.blocked = 0 AND {counts}
        """


_WITH_TOKEN = _asking("k.id, NULL, k.access", "tokens", "(k.expires_at IS NULL OR k.expires_at > :now)")
_WITH_SESSION = _asking(
    f"NULL, k.id, '{Access.FULL.value}'", "sessions", "k.expires_at > :now AND k.last_used_at > :idle_since"
)


def hashed(secret: str) -> str:
    # The secret is 256 random bits: a plain hash cannot be guessed backwards, and a slow one would only cost time.
    return hashlib.sha256(secret.encode()).hexdigest()


def with_token(db: Unit, token: str, now: str) -> Caller | None:
    return _found(db, _WITH_TOKEN, hash=hashed(token), now=now)


def with_session(db: Unit, secret: str, now: str, idle_since: str) -> Caller | None:
    """`idle_since`: a session that was not used after that has ended."""
    return _found(db, _WITH_SESSION, hash=hashed(secret), now=now, idle_since=idle_since)


def _found(db: Unit, sql: str, **parameters: Any) -> Caller | None:
    row = db.one(sql, **parameters)
    return _caller(row) if row else None


def _caller(row: Row) -> Caller:
    user_id, email, role, blocked, blocked_code, created_at, updated_at = row[:7]
    token_id, session_id, access, last_used_at, zone, size, currency, own, shared = row[7:]
    user = User(user_id, email, role, bool(blocked), blocked_code, created_at, updated_at)
    zone, currency = zone.strip('"'), currency.strip('"')
    return Caller(user_id, user, token_id, session_id, access, last_used_at, zone, int(size), currency, own, shared)
