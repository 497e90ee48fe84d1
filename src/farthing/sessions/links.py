"""Which links open the door? Each once, and not for long; their codes are kept only as hashes."""

import secrets

from ..clock import moved
from ..storage.unit import Unit
from ..users.callers import hashed
from .model import FIRST_RUN_LINK_LASTS, LINK_LASTS

_INSERT = """
INSERT INTO sign_in_links (hash, user_id, created_at, expires_at) VALUES (:hash, :user_id, :now, :expires_at)
"""


def make(db: Unit, user_id: int, now: str) -> str:
    """The code that signs this user in."""
    return _made(db, user_id, now, moved(now, LINK_LASTS))


def make_first_run(db: Unit, now: str) -> str:
    """The code that makes the owner."""
    return _made(db, None, now, moved(now, FIRST_RUN_LINK_LASTS))


def whose(db: Unit, code: str, now: str) -> int | None:
    """Whom it would sign in."""
    user_id = db.value(
        "SELECT user_id FROM sign_in_links WHERE hash = :hash AND expires_at > :now", hash=hashed(code), now=now
    )
    return int(user_id) if user_id else None


def use(db: Unit, code: str) -> bool:
    """Take it away: of two at the same moment one finds it."""
    return db.run("DELETE FROM sign_in_links WHERE hash = :hash AND user_id IS NOT NULL", hash=hashed(code)) > 0


def opens_first_run(db: Unit, code: str, now: str) -> bool:
    return bool(
        db.value(
            "SELECT 1 FROM sign_in_links WHERE hash = :hash AND expires_at > :now AND user_id IS NULL",
            hash=hashed(code),
            now=now,
        )
    )


def use_first_run(db: Unit, code: str, now: str) -> bool:
    """With it all others of its kind are gone: an installation begins once."""
    if not opens_first_run(db, code, now):
        return False
    db.run("DELETE FROM sign_in_links WHERE user_id IS NULL")
    return True


def forget_of(db: Unit, user_id: int) -> None:
    db.run("DELETE FROM sign_in_links WHERE user_id = :user_id", user_id=user_id)


def forget_old(db: Unit, now: str) -> None:
    db.run("DELETE FROM sign_in_links WHERE expires_at <= :now", now=now)


def _made(db: Unit, user_id: int | None, now: str, expires_at: str) -> str:
    code = secrets.token_urlsafe(32)
    db.run(_INSERT, hash=hashed(code), user_id=user_id, now=now, expires_at=expires_at)
    return code
