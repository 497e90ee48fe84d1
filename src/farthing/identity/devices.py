"""Remembers the browsers in which a user has signed in; attempts from there are counted apart from strangers'.

A browser keeps one secret, whoever signs in there; in the database it is a hash, with a row for each of its users.
"""

import secrets

from farthing.kernel.clock import shift
from farthing.kernel.text import fold
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from .callers import hash_secret
from .session import DEVICE_LASTS, TRIES_OF_DEVICE

# The most that are kept of a user: programs that sign in without keeping cookies would leave one each time.
_DEVICES_MAX = 50


def count_attempt(db: Unit, secret: str, email: str) -> None:
    """Counts on until a sign-in succeeds: no window ends, so a stolen secret is good for a few guesses at most."""
    db.run(
        """
        UPDATE devices SET tries = tries + 1
        WHERE hash = :hash AND user_id IN (SELECT id FROM users WHERE email_fold = :email_fold)
        """,
        hash=hash_secret(secret),
        email_fold=fold(email),
    )


def is_known(db: Unit, secret: str, email: str | None) -> bool:
    """Whether this user has signed in there, or anybody has, and has not failed too often since."""
    found = db.value(
        """
        SELECT 1 FROM devices d JOIN users u ON u.id = d.user_id
        WHERE d.hash = :hash AND d.tries <= :most AND (:anybody = 1 OR u.email_fold = :email_fold) LIMIT 1
        """,
        hash=hash_secret(secret),
        most=TRIES_OF_DEVICE,
        anybody=int(email is None),
        email_fold=fold(email or ""),
    )
    return bool(found)


def remember(db: Unit, user_id: int, secret: str | None, now: str) -> str:
    """After a sign-in. Returns the secret for the browser to keep: its own if we made it, otherwise a new one."""
    made_here = secret and db.value("SELECT 1 FROM devices WHERE hash = :hash LIMIT 1", hash=hash_secret(secret))
    kept = secret if secret and made_here else secrets.token_urlsafe(32)
    db.run(
        """
        INSERT INTO devices (user_id, hash, tries, seen_at) VALUES (:user_id, :hash, 0, :now)
        ON CONFLICT (hash, user_id) DO UPDATE SET tries = 0, seen_at = excluded.seen_at
        """,
        user_id=user_id,
        hash=hash_secret(kept),
        now=now,
    )
    _forget_surplus(db, user_id)
    return kept


def forget_for_user(db: Unit, user_id: int) -> None:
    db.run("DELETE FROM devices WHERE user_id = :user_id", user_id=user_id)


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "devices", "id", "seen_at <= :before", before=shift(now, -DEVICE_LASTS))


def _forget_surplus(db: Unit, user_id: int) -> None:
    db.run(
        """
        DELETE FROM devices WHERE user_id = :user_id AND id NOT IN (
            SELECT id FROM devices WHERE user_id = :user_id ORDER BY seen_at DESC, id DESC LIMIT :most
        )
        """,
        user_id=user_id,
        most=_DEVICES_MAX,
    )
