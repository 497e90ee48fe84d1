"""Finds the transactions to try rules on, by date and account, by scanning indexes in order."""

from functools import cache
from typing import Any, Self

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

# Rules do not run on opening balances and reconciliations.
TYPES = (Type.WITHDRAWAL, Type.DEPOSIT, Type.TRANSFER)


class CandidateCursor(Struct, frozen=True):
    """The last transaction that a scan has read."""

    day: str = ""
    entry_id: int = 0

    @classmethod
    def of(cls, job: Job) -> Self:
        day, entry_id = job.data["place"]
        return cls(day=day, entry_id=entry_id)

    @property
    def data(self) -> list[str | int]:
        """Returns the cursor as it is stored in a job."""
        return [self.day, self.entry_id]


class Scope(Struct, frozen=True):
    """A range of days in ISO form; with `account_ids`, only transactions that touch one of these accounts."""

    start: str
    end: str
    account_ids: tuple[int, ...] = ()

    @classmethod
    def of(cls, job: Job) -> Self:
        return cls(start=job.data["start"], end=job.data["end"], account_ids=tuple(job.data["accounts"]))

    @property
    def data(self) -> dict[str, Any]:
        """Returns the scope as it is stored in a job."""
        return {"start": self.start, "end": self.end, "accounts": list(self.account_ids)}


# Sorts after every day.
LATEST = CandidateCursor(day="9999-99-99")


def newest(db: Unit, user_id: int, scope: Scope, *, limit: int) -> list[CandidateCursor]:
    return before(db, user_id, scope, LATEST, limit=limit)


def before(db: Unit, user_id: int, scope: Scope, cursor: CandidateCursor, *, limit: int) -> list[CandidateCursor]:
    """Returns the next candidates before the cursor, newest first."""
    return _find(db, user_id, scope, cursor, limit, oldest_first=False)


def after(db: Unit, user_id: int, scope: Scope, cursor: CandidateCursor, *, limit: int) -> list[CandidateCursor]:
    """Returns the next candidates after the cursor, oldest first."""
    return _find(db, user_id, scope, cursor, limit, oldest_first=True)


def _find(
    db: Unit, user_id: int, scope: Scope, cursor: CandidateCursor, limit: int, *, oldest_first: bool
) -> list[CandidateCursor]:
    accounts: dict[str, Any] = {f"account_{number}": account_id for number, account_id in enumerate(scope.account_ids)}
    rows = db.all(
        _entries(len(accounts), oldest_first=oldest_first),
        user_id=user_id,
        start=max(scope.start, cursor.day) if oldest_first else scope.start,
        end=scope.end if oldest_first else min(scope.end, cursor.day),
        day=cursor.day,
        entry_id=cursor.entry_id,
        limit=limit,
        **accounts,
    )
    return [CandidateCursor(day=day, entry_id=entry_id) for day, entry_id in rows]


@cache
def _entries(accounts: int, *, oldest_first: bool) -> str:
    """Builds SQL that merges one scan per type, or per account and side. Each scan reads only as far as needed."""
    types = ", ".join(str(int(type_)) for type_ in TYPES)
    streams = [f"type = {int(type_)} AND position = 0" for type_ in TYPES]
    if accounts:
        sides = ("source_id", "destination_id")
        streams = [f"{side} = :account_{number} AND type IN ({types})" for number in range(accounts) for side in sides]
    towards, beyond = ("", ">") if oldest_first else (" DESC", "<")
    order = f"ORDER BY on_day{towards}, entry_id{towards} LIMIT :limit"
    merged = " UNION ".join(
        f"""
        SELECT on_day, entry_id FROM (
            SELECT DISTINCT on_day, entry_id FROM splits
            WHERE user_id = :user_id AND {stream} AND on_day >= :start AND on_day <= :end
                AND (on_day, entry_id) {beyond} (:day, :entry_id)
            {order}
        ) AS stream_{number}
        """
        for number, stream in enumerate(streams)
    )
    return f"SELECT on_day, entry_id FROM ({merged}) AS merged {order}"
