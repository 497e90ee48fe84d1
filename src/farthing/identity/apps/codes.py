"""Stores authorization codes, which the browser passes to an app. Each code works once and is stored as a hash."""

import base64
import hashlib
import hmac
import re
import secrets
from datetime import timedelta

from msgspec import Struct, structs

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from ..callers import hash_secret

# Short, because the browser passes the code to the app and the app sends it to us, without waiting for a person.
LASTS = timedelta(minutes=2)
# A code that is sent a second time is recognized for this long.
_REMEMBERED = timedelta(days=1)
_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


class CodeDraft(Struct, frozen=True, kw_only=True):
    """Holds what a user has agreed to. `redirect` and `challenge` are None if the app's request had none."""

    user_id: int
    app_id: int
    redirect: str | None
    challenge: str | None
    access: str
    scopes: str
    books_id: int | None


class Code(CodeDraft, frozen=True, kw_only=True):
    hash: str
    token_id: int | None


def make(db: Unit, draft: CodeDraft, now: str) -> str:
    """Makes a code and returns it. It cannot be read later."""
    code, expires_at = secrets.token_urlsafe(32), shift(now, LASTS)
    agreed = structs.asdict(draft)
    tables.add(db, "app_codes", hash=hash_secret(code), created_at=now, expires_at=expires_at, **agreed)
    return code


def find(db: Unit, app_id: int, code: str) -> Code | None:
    """Finds a code of this app, even if it has been used or has expired."""
    return tables.find(db, Code, "app_codes", hash=hash_secret(code), app_id=app_id)


def use(db: Unit, code: Code, now: str) -> bool:
    """Marks a code as used. Returns True only once, even if two requests use the code at the same time."""
    unused = "hash = :hash AND used_at IS NULL AND expires_at > :now"
    return db.run_and_count(f"UPDATE app_codes SET used_at = :now WHERE {unused}", hash=code.hash, now=now) > 0


def note_token(db: Unit, code: Code, token_id: int) -> None:
    """Stores for which token the code was exchanged, so that the token can be revoked if the code is sent again."""
    tables.change(db, "app_codes", {"hash": code.hash}, token_id=token_id)


def is_proven(code: Code, verifier: str) -> bool:
    """Returns whether the verifier proves that the code was issued to this very app (PKCE).

    If there is a verifier but the code has no challenge, the answer is False, because an attacker may have removed the
    challenge (RFC 9700, section 2.1.1).
    """
    if code.challenge is None:
        return not verifier
    if not _VERIFIER.fullmatch(verifier):
        return False
    digest = hashlib.sha256(verifier.encode()).digest()
    return hmac.compare_digest(base64.urlsafe_b64encode(digest).decode().rstrip("="), code.challenge)


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "app_codes", "hash", "expires_at <= :before", before=shift(now, -_REMEMBERED))
