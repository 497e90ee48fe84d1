"""Stores the planned days that were skipped or moved by hand. A day that has fired can no longer be changed."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from msgspec import Struct

from farthing.storage.change_log import changes
from farthing.storage.unit import Unit

# How many days from today on may be changed by hand, per recurrence.
AHEAD_MAX = 1000


class DayException(Struct, frozen=True):
    """A planned day that was skipped or moved by hand; `lands_on` is the new day, or None if it was skipped."""

    id: int
    recurrence_id: int
    planned_on: date
    lands_on: date | None
    fired: bool


_FIRED = """
EXISTS (SELECT 1 FROM firings f
    WHERE f.user_id = x.user_id AND f.recurrence_id = x.recurrence_id AND f.planned_on = x.planned_on)
"""


def find_relevant(db: Unit, user_id: int, ids: list[int], since: date) -> dict[int, dict[date, date | None]]:
    """Finds the exceptions that a plan needs, by recurrence: all days planned on or after `since`, and earlier days
    that were moved but have not fired yet. A moved day that has fired maps to None, so that it does not fire again.
    """
    sql = f"""
        SELECT x.recurrence_id, x.planned_on, x.lands_on, CASE WHEN {_FIRED} THEN 1 ELSE 0 END
        FROM recurrence_exceptions x
        WHERE x.user_id = :user_id AND x.recurrence_id IN :ids
            AND (x.planned_on >= :since OR (x.lands_on IS NOT NULL AND NOT {_FIRED}))
    """
    rows = db.all(sql, user_id=user_id, ids=ids, since=since.isoformat())
    exceptions: dict[int, dict[date, date | None]] = defaultdict(dict)
    for recurrence_id, planned_on, lands_on, fired in rows:
        moved_to = None if fired or lands_on is None else date.fromisoformat(lands_on)
        exceptions[recurrence_id][date.fromisoformat(planned_on)] = moved_to
    return exceptions


def find_between(db: Unit, user_id: int, recurrence_id: int, start: date, end: date) -> list[DayException]:
    """Finds the exceptions whose planned day or new day is in a range."""
    where = "(x.planned_on BETWEEN :start AND :end OR x.lands_on BETWEEN :start AND :end)"
    return _find(db, user_id, [recurrence_id], where, start=start.isoformat(), end=end.isoformat())


def get(db: Unit, user_id: int, recurrence_id: int, planned_on: date) -> DayException | None:
    exceptions = _find(db, user_id, [recurrence_id], "x.planned_on = :day", day=planned_on.isoformat())
    return exceptions[0] if exceptions else None


def find_pending(db: Unit, user_id: int, recurrence_ids: Collection[int]) -> list[DayException]:
    """Finds the exceptions that have not fired."""
    return _find(db, user_id, recurrence_ids, f"NOT {_FIRED}")


def _find(db: Unit, user_id: int, recurrence_ids: Collection[int], where: str, **parameters: str) -> list[DayException]:
    sql = f"""
        SELECT x.id, x.recurrence_id, x.planned_on, x.lands_on, {_FIRED} AS fired FROM recurrence_exceptions x
        WHERE x.user_id = :user_id AND x.recurrence_id IN :ids AND {where} ORDER BY x.planned_on, x.id
    """
    return db.structs(DayException, sql, user_id=user_id, ids=sorted(recurrence_ids), **parameters)


def count_from(db: Unit, user_id: int, recurrence_id: int, day: date) -> int:
    sql = """
        SELECT COUNT(*) FROM recurrence_exceptions
        WHERE user_id = :user_id AND recurrence_id = :recurrence_id AND planned_on >= :day
    """
    return int(db.value(sql, user_id=user_id, recurrence_id=recurrence_id, day=day.isoformat()))


def put(db: Unit, user_id: int, recurrence_id: int, planned_on: date, lands_on: date | None, now: str) -> None:
    key: dict[str, Any] = {"recurrence_id": recurrence_id, "planned_on": planned_on.isoformat()}
    values = {"lands_on": lands_on.isoformat() if lands_on else None}
    if get(db, user_id, recurrence_id, planned_on) is None:
        changes.insert(db, "recurrence_exceptions", user_id, {**key, **values}, now)
    else:
        where = "recurrence_id = :recurrence_id AND planned_on = :planned_on"
        changes.update(db, "recurrence_exceptions", user_id, where, values, now=now, **key)


def remove(db: Unit, user_id: int, recurrence_id: int, days: Iterable[date]) -> None:
    where = "recurrence_id = :recurrence_id AND planned_on IN :days"
    which = {"recurrence_id": recurrence_id, "days": [day.isoformat() for day in days]}
    changes.delete(db, "recurrence_exceptions", user_id, where, **which)


def remove_all(db: Unit, user_id: int, ids: list[int]) -> None:
    if ids:
        changes.delete(db, "recurrence_exceptions", user_id, "id IN :ids", ids=ids)


def skip_all(db: Unit, user_id: int, ids: list[int], now: str) -> None:
    if ids:
        changes.update(db, "recurrence_exceptions", user_id, "id IN :ids", {"lands_on": None}, now=now, ids=ids)


def add_all(db: Unit, user_id: int, moved: Iterable[tuple[int, date, date]], now: str) -> None:
    """Moves planned days that have no exception yet. `moved` lists each recurrence's id, planned day and new day."""
    rows = [
        {"recurrence_id": recurrence_id, "planned_on": planned_on.isoformat(), "lands_on": lands_on.isoformat()}
        for recurrence_id, planned_on, lands_on in moved
    ]
    changes.insert_all(db, "recurrence_exceptions", user_id, rows, now)
