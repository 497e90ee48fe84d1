"""Counts how many bytes each user has stored, and refuses anything that would exceed their limit.

The sum and the limit are in the user's own row. A single statement compares and adds, so that of two simultaneous
writes the second waits for the first, even if several servers share the database.
"""

from enum import StrEnum

from msgspec import Struct

from farthing.kernel.errors import OverQuota

from . import tables
from .unit import Unit


class Stored(StrEnum):
    """Maps each kind of stored data to the column with its sum. The column with the limit also ends in `_max`."""

    CONTENTS = "content_bytes"
    ANSWERS = "answer_bytes"


_NAMES = {Stored.CONTENTS: "attachments", Stored.ANSWERS: "stored answers to requests with an Idempotency-Key"}
_HINTS = {
    Stored.CONTENTS: "Replaced and deleted files count until they are permanently removed.",
    Stored.ANSWERS: "Each answer is kept for at least two days. Requests without the header are still accepted.",
}


class Quotas(Struct, frozen=True, kw_only=True):
    """Holds how many bytes a user has stored and may store, and how many requests a token may make in a minute.

    A limit of None means that there is no limit.
    """

    content_bytes: int
    answer_bytes: int
    content_bytes_max: int | None
    answer_bytes_max: int | None
    requests_max: int | None


def find(db: Unit, user_id: int) -> Quotas | None:
    return tables.find(db, Quotas, "users", id=user_id)


def limit(db: Unit, user_id: int, quotas: Quotas) -> None:
    """Sets the limits. Data that is already stored is kept, even if it exceeds them."""
    tables.change(
        db,
        "users",
        {"id": user_id},
        content_bytes_max=quotas.content_bytes_max,
        answer_bytes_max=quotas.answer_bytes_max,
        requests_max=quotas.requests_max,
    )


def add(db: Unit, user_id: int, what: Stored, size: int) -> None:
    """Adds bytes to the user's sum, or raises OverQuota. Call this before storing them."""
    has_room = f"({what}_max IS NULL OR {what} + :size <= {what}_max)"
    statement = f"UPDATE users SET {what} = {what} + :size WHERE id = :id AND {has_room}"
    if not db.run_and_count(statement, id=user_id, size=size):
        _refuse(db, user_id, what, size)


def add_stored(db: Unit, user_id: int, what: Stored, size: int) -> None:
    """Adds bytes that are already stored to the user's sum, regardless of the limit."""
    db.run(f"UPDATE users SET {what} = {what} + :size WHERE id = :id", id=user_id, size=size)


def free(db: Unit, user_id: int, what: Stored, size: int) -> None:
    db.run(f"UPDATE users SET {what} = {what} - :size WHERE id = :id", id=user_id, size=size)


def hold(db: Unit, user_id: int) -> bool:
    """Locks the user's row, so that no one else changes the sums in this unit. Returns False if the user is missing."""
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
