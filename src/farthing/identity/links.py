"""Stores links that sign a user in once. Their codes expire soon, and only the hashes of the codes are stored."""

import secrets
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from .callers import hash_secret

# How long the links that commands print stay valid.
LINK_LASTS = timedelta(minutes=15)
FIRST_RUN_LINK_LASTS = timedelta(hours=24)
# A server without a terminal writes its first-run link to this file in the data folder.
FIRST_RUN_FILE = "first-run-link.txt"


def make(db: Unit, user_id: int, now: str) -> str:
    """Makes a link for this user, and returns its code."""
    return _insert(db, user_id, now, shift(now, LINK_LASTS))


def make_first_run(db: Unit, now: str) -> str:
    """Makes a link with which the owner can be created, and returns its code."""
    return _insert(db, None, now, shift(now, FIRST_RUN_LINK_LASTS))


def find_user_id(db: Unit, code: str, now: str) -> int | None:
    """Returns the user whom this code would sign in."""
    statement = "SELECT user_id FROM sign_in_links WHERE hash = :hash AND expires_at > :now"
    user_id = db.value(statement, hash=hash_secret(code), now=now)
    return int(user_id) if user_id else None


def use(db: Unit, code: str) -> bool:
    """Deletes the link, and returns whether it still existed. So only one of two simultaneous uses succeeds."""
    statement = "DELETE FROM sign_in_links WHERE hash = :hash AND user_id IS NOT NULL"
    return db.run_and_count(statement, hash=hash_secret(code)) > 0


def opens_first_run(db: Unit, code: str, now: str) -> bool:
    statement = "SELECT 1 FROM sign_in_links WHERE hash = :hash AND expires_at > :now AND user_id IS NULL"
    return bool(db.value(statement, hash=hash_secret(code), now=now))


def use_first_run(db: Unit, code: str, now: str) -> bool:
    """Uses a first-run link, and deletes all of them, because an installation is set up only once."""
    if not opens_first_run(db, code, now):
        return False
    db.run("DELETE FROM sign_in_links WHERE user_id IS NULL")
    return True


def remove_first_run_file(data: Path) -> None:
    """Removes the file of the first-run link. Call it when the link no longer works. Ignores errors, because the next
    start tries again."""
    with suppress(OSError):
        (data / FIRST_RUN_FILE).unlink(missing_ok=True)


def forget_for_user(db: Unit, user_id: int) -> None:
    tables.remove(db, "sign_in_links", user_id=user_id)


def forget_old(db: Unit, now: str) -> int:
    return delete_some(db, "sign_in_links", "hash", "expires_at <= :now", now=now)


def _insert(db: Unit, user_id: int | None, now: str, expires_at: str) -> str:
    code = secrets.token_urlsafe(32)
    tables.add(db, "sign_in_links", hash=hash_secret(code), user_id=user_id, created_at=now, expires_at=expires_at)
    return code
