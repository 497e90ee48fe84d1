"""Which tokens open the door? Random, shown once, kept only as a hash."""

import hashlib
import secrets

from ..storage.unit import Row, Unit
from .model import Caller, Token, User

_TOKEN = "id, user_id, name, created_at, expires_at, last_used_at"  # noqa: S105 -- column names


def _hash(token: str) -> str:
    # The token is 256 random bits: a plain hash cannot be guessed backwards, and a slow one would only cost time.
    return hashlib.sha256(token.encode()).hexdigest()


def _token(row: Row) -> Token:
    return Token(*row)


def issue(db: Unit, user_id: int, name: str, expires_at: str | None, now: str) -> str:
    """Returns the token; it cannot be read again."""
    token = secrets.token_urlsafe(32)
    db.run(
        """
        INSERT INTO tokens (user_id, name, hash, created_at, expires_at)
        VALUES (:user_id, :name, :hash, :now, :expires_at)
        """,
        user_id=user_id,
        name=name,
        hash=_hash(token),
        now=now,
        expires_at=expires_at,
    )
    return token


def caller(db: Unit, token: str, now: str) -> Caller | None:
    """One query: the user if the token counts, and the preferences that shape every answer."""
    row = db.one(
        """
        SELECT u.id, u.email, u.role, u.blocked, u.blocked_code, u.created_at, u.updated_at, t.id,
            z.data, s.data, c.data, u.revision, h.revision
        FROM tokens t
        JOIN users u ON u.id = t.user_id
        JOIN house h ON h.number = 1
        JOIN preferences z ON z.user_id = u.id AND z.name = 'timezone'
        JOIN preferences s ON s.user_id = u.id AND s.name = 'listPageSize'
        JOIN preferences c ON c.user_id = u.id AND c.name = 'currencyPreference'
        WHERE t.hash = :hash AND u.blocked = 0 AND (t.expires_at IS NULL OR t.expires_at > :now)
        """,
        hash=_hash(token),
        now=now,
    )
    if row is None:
        return None
    user_id, email, role, blocked, blocked_code, created_at, updated_at, token_id, zone, size, currency, *revisions = (
        row
    )
    user = User(user_id, email, role, bool(blocked), blocked_code, created_at, updated_at)
    return Caller(user, token_id, zone.strip('"'), int(size), currency.strip('"'), *revisions)


def of_user(db: Unit, user_id: int) -> list[Token]:
    rows = db.all(f"SELECT {_TOKEN} FROM tokens WHERE user_id = :user_id ORDER BY id", user_id=user_id)
    return [_token(row) for row in rows]


def revoke(db: Unit, token_id: int) -> bool:
    return db.run("DELETE FROM tokens WHERE id = :id", id=token_id) > 0
