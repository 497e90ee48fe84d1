"""Stores who has forgotten a password, and the links that set a new one. Only the hashes of their codes are stored."""

import secrets
from datetime import timedelta

from msgspec import Struct

from farthing.kernel.clock import shift
from farthing.storage import tables
from farthing.storage.turns import delete_some
from farthing.storage.unit import Unit

from ..callers import hash_secret

LINK_LASTS = timedelta(minutes=30)


class PasswordRequest(Struct, frozen=True):
    id: int
    email: str
    created_at: str


def ask(db: Unit, email: str, now: str) -> None:
    """Notes that somebody has forgotten the password of this address, and wakes the job process."""
    tables.add(db, "password_requests", email=email, created_at=now)
    db.has_new_jobs = True


def list_requests(db: Unit, *, most: int) -> list[PasswordRequest]:
    sql = "SELECT id, email, created_at FROM password_requests ORDER BY id LIMIT :most"
    return db.structs(PasswordRequest, sql, most=most)


def take_request(db: Unit, request: PasswordRequest) -> bool:
    """Removes a request. Returns False if another process has taken it."""
    return tables.remove_and_count(db, "password_requests", id=request.id) > 0


def put_back(db: Unit, request: PasswordRequest) -> None:
    """Stores a request again whose letter was not sent. It still ends at its original time."""
    tables.add(db, "password_requests", email=request.email, created_at=request.created_at)


def make_link(db: Unit, user_id: int, now: str) -> str:
    """Makes a link for this user, and returns its code. Earlier links stay valid until one of them is used, so that
    nobody can end them by asking for another one."""
    code = secrets.token_urlsafe(32)
    expires_at = shift(now, LINK_LASTS)
    tables.add(db, "password_links", hash=hash_secret(code), user_id=user_id, created_at=now, expires_at=expires_at)
    return code


def find_user_id(db: Unit, code: str, now: str) -> int | None:
    statement = "SELECT user_id FROM password_links WHERE hash = :hash AND expires_at > :now AND created_at <= :now"
    user_id = db.value(statement, hash=hash_secret(code), now=now)
    return int(user_id) if user_id else None


def use(db: Unit, code: str) -> bool:
    """Deletes the link, and returns whether it still existed. So only one of two simultaneous uses succeeds."""
    return db.run_and_count("DELETE FROM password_links WHERE hash = :hash", hash=hash_secret(code)) > 0


def forget_old(db: Unit, now: str) -> int:
    before = shift(now, -timedelta(days=1))
    old = delete_some(db, "password_requests", "id", "created_at <= :before", before=before)
    return old + delete_some(db, "password_links", "hash", "expires_at <= :now", now=now)
