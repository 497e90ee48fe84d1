"""Stores API tokens. A token is random and shown only once, and only its hash is stored."""

import secrets
from datetime import timedelta

from msgspec import Struct, structs

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.unit import Unit, page_of

from .callers import hash_secret
from .user import Access, ApiVersion, Token

# How the text of a token for version 6 begins, so that the version is known before anything is looked up. The random
# part of a token never contains a dot.
V6_MARK = "v6."


def compute_expiry(days: int | None, now: str) -> str | None:
    """Returns the time at which a token issued now would expire. Returns None, for never, if `days` is None."""
    return None if days is None else shift(now, timedelta(days=days))


def issue(
    db: Unit,
    user_id: int,
    name: str,
    expires_at: str | None,
    now: str,
    access: str = Access.FULL.value,
    *,
    version: str = ApiVersion.V1,
) -> str:
    """Issues a token and returns it. It cannot be read later."""
    return make(db, user_id, name, expires_at, now, access, version=version)[1]


def make_secret(version: str = ApiVersion.V1) -> str:
    """Makes the text of a token for this version of the API."""
    return (V6_MARK if version == ApiVersion.V6 else "") + secrets.token_urlsafe(32)


class TokenLimits(Struct, frozen=True, kw_only=True):
    scopes: str | None = None
    networks: str | None = None
    books_id: int | None = None


_UNLIMITED = TokenLimits()


def make(
    db: Unit,
    user_id: int,
    name: str,
    expires_at: str | None,
    now: str,
    access: str,
    limits: TokenLimits = _UNLIMITED,
    *,
    version: str = ApiVersion.V1,
    app_id: int | None = None,
    app_seconds: int | None = None,
) -> tuple[int, str]:
    """Issues a token. Returns its id and the token itself. An app must renew its token after `app_seconds`."""
    token = make_secret(version)
    stored = tables.add_and_get(
        db,
        Token,
        "tokens",
        user_id=user_id,
        name=name,
        hash=hash_secret(token),
        created_at=now,
        expires_at=expires_at,
        access=access,
        api_version=version,
        app_id=app_id,
        app_seconds=app_seconds,
        **structs.asdict(limits),
    )
    return stored.id, token


def get(db: Unit, user_id: int, token_id: int) -> Token | None:
    return tables.find(db, Token, "tokens", user_id=user_id, id=token_id)


def of_user(db: Unit, user_id: int) -> list[Token]:
    return tables.find_all(db, Token, "tokens", user_id=user_id)


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Token]]:
    """Lists the tokens that people have created. Tokens of apps are omitted, because they have their own list."""
    select, where = f"SELECT {tables.columns_of(Token)} FROM tokens", "user_id = :user_id AND app_id IS NULL"
    return page_of(db, Token, select, "tokens", where, "id", limit=limit, offset=offset, user_id=user_id)


def revoke(db: Unit, token_id: int) -> bool:
    return tables.remove_and_count(db, "tokens", id=token_id) > 0


def revoke_all(db: Unit, user_id: int) -> int:
    """Revokes all tokens of the user and returns how many there were. Apps cannot renew theirs after that."""
    tables.remove(db, "app_codes", user_id=user_id)
    return tables.remove_and_count(db, "tokens", user_id=user_id)


def revoke_own(db: Unit, user_id: int, token_id: int) -> bool:
    return tables.remove_and_count(db, "tokens", user_id=user_id, id=token_id) > 0
