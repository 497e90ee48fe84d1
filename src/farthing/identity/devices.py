"""Remembers the browsers in which a user has signed in. Their sign-in attempts are counted separately from strangers'.

A browser stores one secret for all users who sign in there. The database stores the hash of the secret for each user.
"""

import secrets
from datetime import timedelta

from farthing.kernel.clock import shift
from farthing.kernel.text import fold
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from .callers import hash_secret

# How many attempts in a row may fail in a browser in which the user has signed in before. After that, the browser is
# treated as a stranger's.
TRIES_OF_DEVICE = 10
# Browsers keep cookies for at most this long.
DEVICE_LASTS = timedelta(days=400)
# How many devices are kept for a user. Programs that keep no cookies would add one with each sign-in.
_DEVICES_MAX = 50


def count_attempt(db: Unit, secret: str, email: str) -> None:
    """Counts a sign-in attempt. Only a successful sign-in resets the count, so a stolen secret allows few guesses."""
    of_user = "user_id IN (SELECT id FROM users WHERE email_fold = :email_fold)"
    statement = f"UPDATE devices SET tries = tries + 1 WHERE hash = :hash AND {of_user}"
    db.run(statement, hash=hash_secret(secret), email_fold=fold(email))


def is_known(db: Unit, secret: str, email: str | None) -> bool:
    """Returns whether this user has signed in with this browser, and has not failed too often since then.

    Without `email`, it is enough if this is true for any user.
    """
    is_trusted = db.value(
        """
        SELECT 1 FROM devices d JOIN users u ON u.id = d.user_id
        WHERE d.hash = :hash AND d.tries <= :most AND (:anybody = 1 OR u.email_fold = :email_fold) LIMIT 1
        """,
        hash=hash_secret(secret),
        most=TRIES_OF_DEVICE,
        anybody=int(email is None),
        email_fold=fold(email or ""),
    )
    return bool(is_trusted)


def remember(db: Unit, user_id: int, secret: str | None, now: str) -> str:
    """Remembers a sign-in. Returns the secret that the browser must store.

    This is the secret that the browser has sent, if we know it, and a new one otherwise.
    """
    made_here = secret and tables.has(db, "devices", hash=hash_secret(secret))
    device_secret = secret if secret and made_here else secrets.token_urlsafe(32)
    db.run(
        """
        INSERT INTO devices (user_id, hash, tries, seen_at) VALUES (:user_id, :hash, 0, :now)
        ON CONFLICT (hash, user_id) DO UPDATE SET tries = 0, seen_at = excluded.seen_at
        """,
        user_id=user_id,
        hash=hash_secret(device_secret),
        now=now,
    )
    _forget_surplus(db, user_id)
    return device_secret


def forget_for_user(db: Unit, user_id: int) -> None:
    tables.remove(db, "devices", user_id=user_id)


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "devices", "id", "seen_at <= :before", before=shift(now, -DEVICE_LASTS))


def _forget_surplus(db: Unit, user_id: int) -> None:
    last = "SELECT id FROM devices WHERE user_id = :user_id ORDER BY seen_at DESC, id DESC LIMIT :most"
    statement = f"DELETE FROM devices WHERE user_id = :user_id AND id NOT IN ({last})"
    db.run(statement, user_id=user_id, most=_DEVICES_MAX)
