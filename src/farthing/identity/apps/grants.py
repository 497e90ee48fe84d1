"""Stores the access that people have given to apps. Each grant is one token, which refresh tokens can renew.

The token is a row of `tokens`, so all rules for tokens apply. Renewing the token replaces the secret of that row.
"""

import secrets
from datetime import timedelta

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Row, Unit, page_of

from .. import tokens
from ..callers import hash_secret
from ..tokens import TokenLimits
from ..user import ApiVersion
from .codes import Code
from .model import App

# Apps that use PKCE renew their tokens in time. Older apps expect tokens to last for two weeks.
_LASTS, _LASTS_WITHOUT_PROOF = timedelta(hours=1), timedelta(days=14)
# An app that has not renewed its access for this long has to ask the person again.
REFRESH_LASTS = timedelta(days=90)
# Within this time an app that did not receive our answer may send the same refresh token again.
GRACE = timedelta(seconds=30)
_SELECT = """
SELECT t.id, t.user_id, t.app_id, a.name, t.access, t.scopes, t.books_id, t.created_at, t.last_used_at
FROM tokens t JOIN apps a ON a.id = t.app_id
"""
_ALIVE = """
t.app_id IS NOT NULL AND (t.expires_at > :now OR EXISTS (
    SELECT 1 FROM app_refresh_tokens r WHERE r.user_id = t.user_id AND r.token_id = t.id AND r.expires_at > :now
))
"""


class Grant(Struct, frozen=True, kw_only=True):
    """Describes what an app may do in which books. `id` is the id of the token."""

    id: int
    user_id: int
    app_id: int
    name: str
    access: str
    scopes: str
    books_id: int | None
    created_at: str
    last_used_at: str | None


class IssuedTokens(Struct, frozen=True, kw_only=True):
    """Holds a new access token and its refresh token. Both are secrets that cannot be read later."""

    token_id: int
    access_token: str
    refresh_token: str
    seconds: int
    scopes: str


class Renewable(Struct, frozen=True):
    """Identifies the access that a refresh token renews."""

    user_id: int
    token_id: int


class Reused(Exception):
    """A refresh token was sent again after it had been exchanged, so somebody has a copy of it."""


def issue(db: Unit, app: App, code: Code, now: str, version: ApiVersion) -> IssuedTokens:
    """Issues tokens for a version of the API. An app registered for version 6 always gets tokens for version 6."""
    lasts = _LASTS if code.challenge else _LASTS_WITHOUT_PROOF
    seconds = int(lasts.total_seconds())
    limits = TokenLimits(scopes=code.scopes, books_id=code.books_id)
    token_id, access_token = tokens.make(
        db,
        code.user_id,
        app.name,
        shift(now, lasts),
        now,
        code.access,
        limits,
        version=max(version, app.api_version),
        app_id=app.id,
        app_seconds=seconds,
    )
    return IssuedTokens(
        token_id=token_id,
        access_token=access_token,
        refresh_token=_add_refresh_token(db, Renewable(code.user_id, token_id), now),
        seconds=seconds,
        scopes=code.scopes,
    )


def find_renewable(db: Unit, app_id: int, refresh_token: str) -> Renewable | None:
    return db.struct(
        Renewable,
        """
        SELECT t.user_id, t.id AS token_id FROM app_refresh_tokens r
        JOIN tokens t ON t.user_id = r.user_id AND t.id = r.token_id
        WHERE r.hash = :hash AND t.app_id = :app_id
        """,
        hash=hash_secret(refresh_token),
        app_id=app_id,
    )


def get_scopes(db: Unit, access: Renewable) -> str:
    token = tokens.get(db, access.user_id, access.token_id)
    return (token.scopes if token else None) or ""


def renew(db: Unit, access: Renewable, refresh_token: str, now: str) -> IssuedTokens | None:
    """Exchanges a refresh token for new tokens. Returns None if it has expired or the access was revoked meanwhile.

    Raises Reused if the refresh token was exchanged before. Call it with the user locked. Using a refresh token
    invalidates all others of the same access. So if somebody has stolen a copy, then sooner or later either the thief
    or the app sends an invalid one.
    """
    locked = _lock(db, access)
    if locked is None or not _use_refresh_token(db, access, hash_secret(refresh_token), now):
        return None
    seconds, scopes, version = locked
    return IssuedTokens(
        token_id=access.token_id,
        access_token=_replace_access_token(db, access, shift(now, timedelta(seconds=seconds)), version),
        refresh_token=_add_refresh_token(db, access, now),
        seconds=seconds,
        scopes=scopes,
    )


def _lock(db: Unit, access: Renewable) -> Row | None:
    """Locks the token. It must be locked before its refresh tokens, because revoking deletes them in this order."""
    statement = """
        UPDATE tokens SET name = name WHERE user_id = :user_id AND id = :id RETURNING app_seconds, scopes, api_version
    """
    return db.one(statement, user_id=access.user_id, id=access.token_id)


def _use_refresh_token(db: Unit, access: Renewable, hash_: str, now: str) -> bool:
    refresh_token = {"user_id": access.user_id, "token_id": access.token_id, "hash": hash_}
    row = db.one(
        """
        SELECT expires_at, repeatable_until FROM app_refresh_tokens
        WHERE hash = :hash AND user_id = :user_id AND token_id = :token_id
        """,
        **refresh_token,
    )
    expires_at, repeatable_until = row or (now, None)
    if expires_at <= now:
        return False
    if repeatable_until is not None and repeatable_until <= now:
        raise Reused
    db.run(
        """
        UPDATE app_refresh_tokens SET repeatable_until = CASE
            WHEN hash <> :hash THEN :now ELSE COALESCE(repeatable_until, :grace_ends)
        END
        WHERE user_id = :user_id AND token_id = :token_id AND (repeatable_until IS NULL OR repeatable_until > :now)
        """,
        **refresh_token,
        now=now,
        grace_ends=shift(now, GRACE),
    )
    return True


def _replace_access_token(db: Unit, access: Renewable, expires_at: str, version: str) -> str:
    """Replaces the access token with a new one. The old one stops working."""
    access_token = tokens.make_secret(version)
    which = {"user_id": access.user_id, "id": access.token_id}
    tables.change(db, "tokens", which, hash=hash_secret(access_token), expires_at=expires_at)
    return access_token


def _add_refresh_token(db: Unit, access: Renewable, now: str) -> str:
    refresh_token = secrets.token_urlsafe(32)
    tables.add(
        db,
        "app_refresh_tokens",
        hash=hash_secret(refresh_token),
        user_id=access.user_id,
        token_id=access.token_id,
        created_at=now,
        expires_at=shift(now, REFRESH_LASTS),
    )
    return refresh_token


def find_by_access_token(db: Unit, app_id: int, access_token: str) -> Renewable | None:
    statement = "SELECT user_id, id AS token_id FROM tokens WHERE hash = :hash AND app_id = :app_id"
    return db.struct(Renewable, statement, hash=hash_secret(access_token), app_id=app_id)


def get(db: Unit, user_id: int, token_id: int, now: str) -> Grant | None:
    where = f"t.user_id = :user_id AND t.id = :id AND {_ALIVE}"
    return db.struct(Grant, f"{_SELECT} WHERE {where}", user_id=user_id, id=token_id, now=now)


def page(db: Unit, user_id: int, now: str, *, limit: int, offset: int) -> tuple[int, list[Grant]]:
    """Lists the grants of a user, the newest first."""
    where, mine = f"t.user_id = :user_id AND {_ALIVE}", {"user_id": user_id, "now": now}
    return page_of(db, Grant, _SELECT, "tokens t", where, "t.id DESC", limit=limit, offset=offset, **mine)


def forget_old_refresh_tokens(db: Unit, now: str) -> int:
    return delete_some(db, "app_refresh_tokens", "hash", "expires_at <= :now", now=now)


def forget_old(db: Unit, now: str) -> int:
    """Deletes grants that can no longer be renewed."""
    ended = f"id IN (SELECT t.id FROM tokens t WHERE t.app_id IS NOT NULL AND NOT ({_ALIVE}))"
    return delete_some(db, "tokens", "id", ended, now=now)
