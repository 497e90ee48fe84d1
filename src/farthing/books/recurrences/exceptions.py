"""Stores the planned days that were skipped or moved by hand; those that have fired are not changed any more."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from msgspec import Struct

from farthing.storage import changes
from farthing.storage.unit import Unit

# How many days from today on may be changed by hand, per recurrence.
AHEAD_MAX = 1000


class DayException(Struct, frozen=True):
    """`lands_on` is None for a skipped day."""

    planned_on: date
    lands_on: date | None
    fired: bool


_FIRED = """
EXISTS (SELECT 1 FROM firings f
    WHERE f.user_id = x.user_id AND f.recurrence_id = x.recurrence_id AND f.planned_on = x.planned_on)
"""


def find_relevant(db: Unit, user_id: int, ids: list[int], since: date) -> dict[int, dict[date, date | None]]:
    """The exceptions that a plan needs, by recurrence: all from a day on, and earlier ones moved but not yet fired.

    A moved day that has fired maps to None: it does not land again.
    """
    rows = db.all(
        f"""
        SELECT x.recurrence_id, x.planned_on, x.lands_on, CASE WHEN {_FIRED} THEN 1 ELSE 0 END
        FROM recurrence_exceptions x
        WHERE x.user_id = :user_id AND x.recurrence_id IN :ids
            AND (x.planned_on >= :since OR (x.lands_on IS NOT NULL AND NOT {_FIRED}))
        """,
        user_id=user_id,
        ids=ids,
        since=since.isoformat(),
    )
    found: dict[int, dict[date, date | None]] = defaultdict(dict)
    for recurrence_id, planned_on, lands_on, fired in rows:
        moved_to = None if fired or lands_on is None else date.fromisoformat(lands_on)
        found[recurrence_id][date.fromisoformat(planned_on)] = moved_to
    return found


def find_between(db: Unit, user_id: int, recurrence_id: int, start: date, end: date) -> list[DayException]:
    """Those planned in a range or landing in it."""
    return _find(
        db,
        user_id,
        recurrence_id,
        "(x.planned_on BETWEEN :start AND :end OR x.lands_on BETWEEN :start AND :end)",
        start=start.isoformat(),
        end=end.isoformat(),
    )


def get(db: Unit, user_id: int, recurrence_id: int, planned_on: date) -> DayException | None:
    found = _find(db, user_id, recurrence_id, "x.planned_on = :day", day=planned_on.isoformat())
    return found[0] if found else None


def _find(db: Unit, user_id: int, recurrence_id: int, where: str, **parameters: str) -> list[DayException]:
    return db.structs(
        DayException,
        f"""
        SELECT x.planned_on, x.lands_on, {_FIRED} AS fired FROM recurrence_exceptions x
        WHERE x.user_id = :user_id AND x.recurrence_id = :recurrence_id AND {where} ORDER BY x.planned_on
        """,
        user_id=user_id,
        recurrence_id=recurrence_id,
        **parameters,
    )


def count_from(db: Unit, user_id: int, recurrence_id: int, day: date) -> int:
    return int(
        db.value(
            """
            SELECT COUNT(*) FROM recurrence_exceptions
            WHERE user_id = :user_id AND recurrence_id = :recurrence_id AND planned_on >= :day
            """,
            user_id=user_id,
            recurrence_id=recurrence_id,
            day=day.isoformat(),
        )
    )


_OF_DAY = "recurrence_id = :recurrence_id AND planned_on = :planned_on"


def put(db: Unit, user_id: int, recurrence_id: int, planned_on: date, lands_on: date | None, now: str) -> None:
    which: dict[str, Any] = {"recurrence_id": recurrence_id, "planned_on": planned_on.isoformat()}
    values = {"lands_on": lands_on.isoformat() if lands_on else None, "now": now}
    changes.log_changing(db, "recurrence_exceptions", _OF_DAY, **which)
    changed = db.run_and_count(
        f"""
        UPDATE recurrence_exceptions SET lands_on = :lands_on, updated_at = :now
        WHERE user_id = :user_id AND {_OF_DAY}
        """,
        user_id=user_id,
        **which,
        **values,
    )
    if not changed:
        made = db.value(
            """
            INSERT INTO recurrence_exceptions (user_id, recurrence_id, planned_on, lands_on, created_at, updated_at)
            VALUES (:user_id, :recurrence_id, :planned_on, :lands_on, :now, :now) RETURNING id
            """,
            user_id=user_id,
            **which,
            **values,
        )
        changes.log_created(db, "recurrence_exceptions", [made])


def remove(db: Unit, user_id: int, recurrence_id: int, days: Iterable[date]) -> None:
    where = "recurrence_id = :recurrence_id AND planned_on IN :days"
    which = {"recurrence_id": recurrence_id, "days": [day.isoformat() for day in days]}
    changes.log_removing(db, "recurrence_exceptions", where, **which)
    db.run(f"DELETE FROM recurrence_exceptions WHERE user_id = :user_id AND {where}", user_id=user_id, **which)


def find_unfired(db: Unit, user_id: int, recurrence_id: int) -> list[DayException]:
    return _find(db, user_id, recurrence_id, f"NOT {_FIRED}")


class PendingDay(Struct, frozen=True):
    """A day of a recurrence that was skipped or moved by hand and has not fired; `id` is that of the exception."""

    id: int
    recurrence_id: int
    planned_on: date
    lands_on: date | None


def find_pending(db: Unit, user_id: int, recurrence_ids: Collection[int]) -> list[PendingDay]:
    return db.structs(
        PendingDay,
        f"""
        SELECT x.id, x.recurrence_id, x.planned_on, x.lands_on FROM recurrence_exceptions x
        WHERE x.user_id = :user_id AND x.recurrence_id IN :ids AND NOT {_FIRED} ORDER BY x.id
        """,
        user_id=user_id,
        ids=sorted(recurrence_ids),
    )


def remove_all(db: Unit, user_id: int, ids: list[int]) -> None:
    if ids:
        changes.log_removing(db, "recurrence_exceptions", "id IN :ids", ids=ids)
        db.run("DELETE FROM recurrence_exceptions WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=ids)


def skip_all(db: Unit, user_id: int, ids: list[int], now: str) -> None:
    """Days that were moved are skipped instead."""
    if ids:
        changes.log_changing(db, "recurrence_exceptions", "id IN :ids", ids=ids)
        db.run(
            """
            UPDATE recurrence_exceptions SET lands_on = NULL, updated_at = :now WHERE user_id = :user_id AND id IN :ids
            """,
            user_id=user_id,
            ids=ids,
            now=now,
        )


def add_all(db: Unit, user_id: int, moved: Iterable[tuple[int, date, date]], now: str) -> None:
    """Days that are planned by a recurrence and have not been changed: recurrence, planned day, new day."""
    rows = db.many_returning(
        """
        INSERT INTO recurrence_exceptions (user_id, recurrence_id, planned_on, lands_on, created_at, updated_at)
        VALUES (:user_id, :recurrence_id, :planned_on, :lands_on, :now, :now) RETURNING id
        """,
        [
            {
                "user_id": user_id,
                "recurrence_id": recurrence_id,
                "planned_on": planned_on.isoformat(),
                "lands_on": lands_on.isoformat(),
                "now": now,
            }
            for recurrence_id, planned_on, lands_on in moved
        ],
    )
    changes.log_created(db, "recurrence_exceptions", [exception_id for (exception_id,) in rows])
