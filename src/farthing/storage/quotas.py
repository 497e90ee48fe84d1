"""Keeps the sum of what each user has stored, and refuses what would be more than they may store.

The sum and the limit are in the user's own row. One statement compares and adds, so that of two writes at the same
moment the second waits for the first, on any number of servers.
"""

from enum import StrEnum

from msgspec import Struct

from farthing.kernel.errors import OverQuota

from . import tables
from .unit import Unit


class Stored(StrEnum):
    """Names what is counted by its column; the column of its limit ends in `_max`."""

    CONTENTS = "content_bytes"
    ANSWERS = "answer_bytes"


_NAMES = {Stored.CONTENTS: "attachments", Stored.ANSWERS: "stored answers to requests with an Idempotency-Key"}
_HINTS = {
    Stored.CONTENTS: "Replaced and deleted files count until they are removed for good.",
    Stored.ANSWERS: "Each is kept for at least two days; requests without the key go on.",
}


class Quotas(Struct, frozen=True, kw_only=True):
    """Holds what a user has stored and may store, in bytes, and how many requests a token may make in a minute.

    A limit that is None does not limit.
    """

    content_bytes: int
    answer_bytes: int
    content_bytes_max: int | None
    answer_bytes_max: int | None
    requests_max: int | None


def find(db: Unit, user_id: int) -> Quotas | None:
    return tables.find(db, Quotas, "users", id=user_id)


def limit(db: Unit, user_id: int, quotas: Quotas) -> None:
    """Sets the limits. What is stored already stays, even if it is more."""
    tables.change(
        db,
        "users",
        {"id": user_id},
        content_bytes_max=quotas.content_bytes_max,
        answer_bytes_max=quotas.answer_bytes_max,
        requests_max=quotas.requests_max,
    )


def add(db: Unit, user_id: int, what: Stored, size: int) -> None:
    """Call this before it is stored. Raises OverQuota."""
    has_room = f"({what}_max IS NULL OR {what} + :size <= {what}_max)"
    statement = f"UPDATE users SET {what} = {what} + :size WHERE id = :id AND {has_room}"
    if not db.run_and_count(statement, id=user_id, size=size):
        _refuse(db, user_id, what, size)


def add_stored(db: Unit, user_id: int, what: Stored, size: int) -> None:
    """Counts what is stored already, whatever the limit."""
    db.run(f"UPDATE users SET {what} = {what} + :size WHERE id = :id", id=user_id, size=size)


def free(db: Unit, user_id: int, what: Stored, size: int) -> None:
    db.run(f"UPDATE users SET {what} = {what} - :size WHERE id = :id", id=user_id, size=size)


def hold(db: Unit, user_id: int) -> bool:
    """Locks the user, so that the sum stays as it is until the end of this unit. False if there is no such user."""
    return db.run_and_count("UPDATE users SET content_bytes = content_bytes WHERE id = :id", id=user_id) > 0


def _refuse(db: Unit, user_id: int, what: Stored, size: int) -> None:
    row = db.one(f"SELECT {what}, {what}_max FROM users WHERE id = :id", id=user_id)
    if row is None:
        return  # the user was deleted meanwhile, which the next step reports
    used, most = row
    raise OverQuota(
        f"This is over the quota for {_NAMES[what]}: {most} bytes are allowed, {used} are in use, and {size} more are "
        f"needed. {_HINTS[what]}"
    )
