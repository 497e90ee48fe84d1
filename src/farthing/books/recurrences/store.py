"""Stores recurrences, and which of their days have fired."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct, structs

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.entry import Entry
from farthing.schedule.bank_holidays import calendar_of
from farthing.schedule.occurrences import Occurrence
from farthing.schedule.weekend import REACH_OVER_HOLIDAYS, DayOff, never
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, columns_of_draft, find_ids
from farthing.storage.schema import TABLES
from farthing.storage.unit import Unit, columns_of, structs_by_owner

from ..preferences import store as preferences
from ..transactions import links
from . import exceptions
from .model import Recurrence, RecurrenceDraft, RecurrenceSplit, StoredRepetition, UserWithDue

_RECURRENCE = """
SELECT r.id, r.type, r.title, r.description, r.notes, r.first_on, r.until_on, r.count_max, r.apply_rules, r.active,
    r.tags, p.id AS piggy_bank_id, p.name AS piggy_bank_name, r.fired, r.latest_on, r.settled_until, r.failure,
    r.created_at, r.updated_at
FROM recurrences r LEFT JOIN piggy_banks p ON p.user_id = r.user_id AND p.id = r.piggy_bank_id
"""
_RECURRENCES = Records[Recurrence, RecurrenceDraft](
    Recurrence, "recurrences", _RECURRENCE, alias="r.", order="r.id", elsewhere=["repetitions", "splits"]
)
# Active recurrences first, then by title.
_LISTED = Records[Recurrence, RecurrenceDraft](
    Recurrence, "recurrences", _RECURRENCE, alias="r.", order="r.active DESC, r.title_fold, r.id"
)


def get(db: Unit, user_id: int, recurrence_id: int) -> Recurrence | None:
    return next(iter(_find(db, user_id, "r.id = :id", id=recurrence_id)), None)


def get_some(db: Unit, user_id: int, ids: Collection[int]) -> list[Recurrence]:
    return _find(db, user_id, "r.id IN :ids", ids=[*ids])


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Recurrence]]:
    total, stored = _LISTED.page(db, user_id, limit=limit, offset=offset)
    return total, _load_parts(db, user_id, stored)


def is_title_taken(db: Unit, user_id: int, title: str) -> bool:
    return _RECURRENCES.is_taken(db, user_id, column="title_fold", value=fold(title), except_id=0)


def find_due(db: Unit, user_id: int, day: date) -> list[Recurrence]:
    """Finds the recurrences that are due on or before a day, ordered by id."""
    return _find(db, user_id, "r.due_on IS NOT NULL AND r.due_on <= :day", day=day.isoformat())


def find_minding_holidays(db: Unit, user_id: int) -> list[Recurrence]:
    minding = "SELECT recurrence_id FROM recurrence_repetitions WHERE user_id = :user_id AND holidays = 1"
    return _find(db, user_id, f"r.id IN ({minding})")


def find_waiting(db: Unit, day: date) -> list[UserWithDue]:
    """Finds the users who have recurrences due on or before a day. Reads only due recurrences."""
    sql = """
        SELECT r.user_id, trim(z.data, '"') AS timezone, MIN(r.due_on) AS due_on, COUNT(*) AS many
        FROM recurrences r JOIN preferences z ON z.user_id = r.user_id AND z.name = 'timezone'
        WHERE r.due_on IS NOT NULL AND r.due_on <= :day GROUP BY r.user_id, z.data ORDER BY r.user_id
    """
    return db.structs(UserWithDue, sql, day=day.isoformat())


def has_due(db: Unit, user_id: int, day: date) -> bool:
    sql = "SELECT 1 FROM recurrences WHERE user_id = :user_id AND due_on <= :day LIMIT 1"
    return bool(db.value(sql, user_id=user_id, day=day.isoformat()))


def find_using(db: Unit, user_id: int, account_ids: list[int]) -> list[int]:
    sql = """
        SELECT recurrence_id FROM recurrence_splits WHERE user_id = :user_id AND source_id IN :ids
        UNION
        SELECT recurrence_id FROM recurrence_splits WHERE user_id = :user_id AND destination_id IN :ids
    """
    return find_ids(db, sql, user_id=user_id, ids=account_ids)


def _find(db: Unit, user_id: int, condition: str, **values: Any) -> list[Recurrence]:
    return _load_parts(db, user_id, _RECURRENCES.find(db, user_id, condition, **values))


def _load_parts(db: Unit, user_id: int, stored: list[Recurrence]) -> list[Recurrence]:
    """Adds repetitions, splits, recent firings and exceptions, with one query for each of these kinds."""
    if not stored:
        return []
    ids = [recurrence.id for recurrence in stored]
    # Only firings and exceptions since this day, some days before the earliest settled day, may still matter.
    since = min(recurrence.settled_until for recurrence in stored) - 2 * REACH_OVER_HOLIDAYS
    repetitions = structs_by_owner(db, StoredRepetition, _REPETITIONS, user_id=user_id, ids=ids)
    splits = structs_by_owner(db, RecurrenceSplit, _SPLITS, user_id=user_id, ids=ids)
    fired = structs_by_owner(db, Occurrence, _FIRINGS, user_id=user_id, ids=ids, since=since.isoformat())
    by_hand = exceptions.find_relevant(db, user_id, ids, since)
    minds_holidays = any(stored.repetition.holidays for of in repetitions.values() for stored in of)
    is_holiday = holidays_of(db, user_id) if minds_holidays else never
    return [
        structs.replace(
            recurrence,
            repetitions=tuple(repetitions[recurrence.id]),
            splits=tuple(splits[recurrence.id]),
            recent_firings=tuple(fired[recurrence.id]),
            exceptions=by_hand[recurrence.id],
            is_holiday=is_holiday,
        )
        for recurrence in stored
    ]


def holidays_of(db: Unit, user_id: int) -> DayOff:
    """Returns the bank holidays of the user's country. If no country is set, no day is a holiday."""
    country = preferences.get_named(db, user_id, "holidayCountry")
    return calendar_of(str(country.data)) if country and country.data else never


_FIRINGS = """
SELECT recurrence_id AS owner_id, planned_on, place, landed_on FROM firings
WHERE user_id = :user_id AND recurrence_id IN :ids AND planned_on >= :since
"""


def add(db: Unit, user_id: int, draft: RecurrenceDraft, entry: Entry, settled_until: date, now: str) -> int:
    """Adds a recurrence. `entry` is the first transaction it would book; its accounts and labels already exist."""
    recurrence_id = _RECURRENCES.add(db, user_id, draft, now, settled_until=settled_until.isoformat())
    _put_parts(db, user_id, recurrence_id, draft, entry, now)
    set_due(db, user_id, [recurrence_id])
    return recurrence_id


def change(
    db: Unit, user_id: int, recurrence: Recurrence, draft: RecurrenceDraft, entry: Entry, settled_until: date, now: str
) -> None:
    settled = {"settled_until": settled_until.isoformat(), "failure": None}
    _RECURRENCES.change(db, user_id, recurrence.id, draft, now, **settled)
    stored = ([part.id for part in recurrence.repetitions], [part.id for part in recurrence.splits])
    _put_parts(db, user_id, recurrence.id, draft, entry, now, stored)
    set_due(db, user_id, [recurrence.id])


def set_due(db: Unit, user_id: int, recurrence_ids: Collection[int]) -> None:
    """Stores the day on which each recurrence fires next; None if the recurrence is paused or has ended."""
    sql = "UPDATE recurrences SET due_on = :due_on WHERE user_id = :user_id AND id = :id"
    following = get_some(db, user_id, recurrence_ids)
    db.many(sql, [(_due(recurrence), user_id, recurrence.id) for recurrence in following])


def settle_until(db: Unit, user_id: int, days: Mapping[int, date]) -> None:
    """Settles each recurrence up to a day: pending occurrences that land on or before that day will never fire."""
    sql = "UPDATE recurrences SET settled_until = :until WHERE user_id = :user_id AND id = :id"
    db.many(sql, [(until.isoformat(), user_id, recurrence_id) for recurrence_id, until in days.items()])


def _due(recurrence: Recurrence) -> str | None:
    return _iso(recurrence.agenda.next_day() if recurrence.active else None)


def remove(db: Unit, user_id: int, ids: list[int], now: str) -> None:
    """Removes recurrences. The transactions that they created are kept, but no longer linked to a recurrence."""
    links.release_recurrences(db, user_id, ids, now)
    for part in ("firings", "recurrence_exceptions", "recurrence_repetitions", "recurrence_splits"):
        changes.log_removing(db, part, "recurrence_id IN :ids", ids=ids)
    changes.delete(db, "recurrences", user_id, "id IN :ids", ids=ids)


class StoredFiring(Struct, frozen=True):
    """An occurrence that has fired, with its entry and first split. Both are None if the transaction was deleted."""

    occurrence: Occurrence
    entry_id: int | None
    split_id: int | None


def firings(
    db: Unit, user_id: int, recurrence_id: int, start: date, end: date, others: Sequence[date]
) -> list[StoredFiring]:
    """Returns the firings of all planned days from `start` to `end`, and of the planned days in `others`."""
    return db.structs(
        StoredFiring,
        """
        SELECT f.planned_on, f.place, f.landed_on, s.entry_id, s.id AS split_id
        FROM firings f
        LEFT JOIN splits s ON s.user_id = f.user_id AND s.entry_id = f.entry_id AND s.position = 0
        WHERE f.user_id = :user_id AND f.recurrence_id = :id
            AND (f.planned_on BETWEEN :start AND :end OR f.planned_on IN :others)
        """,
        user_id=user_id,
        id=recurrence_id,
        start=start.isoformat(),
        end=end.isoformat(),
        others=[day.isoformat() for day in others],
    )


def add_firings(db: Unit, user_id: int, recurrence_id: int, fired: Sequence[tuple[Occurrence, int]]) -> None:
    sql = """
        INSERT INTO firings (user_id, recurrence_id, place, planned_on, landed_on, entry_id)
        VALUES (:user_id, :recurrence_id, :place, :planned_on, :landed_on, :entry_id)
    """
    own = {"user_id": user_id, "recurrence_id": recurrence_id}
    db.many(sql, [{**own, **columns_of_draft("firings", day), "entry_id": entry_id} for day, entry_id in fired])


def settle(db: Unit, user_id: int, recurrence: Recurrence, *, latest: date | None) -> None:
    """Stores the state of a recurrence after firing; `latest` is the day of its last firing, if any."""
    db.run(
        """
        UPDATE recurrences SET settled_until = :until, fired = :fired, due_on = :due_on, failure = NULL,
            latest_on = CASE WHEN latest_on > :latest THEN latest_on ELSE COALESCE(:latest, latest_on) END
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=recurrence.id,
        until=recurrence.settled_until.isoformat(),
        fired=recurrence.fired,
        due_on=_due(recurrence),
        latest=_iso(latest),
    )


def set_failure(db: Unit, user_id: int, recurrence_id: int, failure: str) -> None:
    """Stores why a recurrence failed, so that users can see it. The recurrence stays due and is retried."""
    sql = "UPDATE recurrences SET failure = :failure WHERE user_id = :user_id AND id = :id"
    db.run(sql, user_id=user_id, id=recurrence_id, failure=failure)


def list_failing(db: Unit, user_id: int) -> list[tuple[int, str, str, str]]:
    """Lists the active recurrences whose last attempt failed: id, title, the day that is due, and why it failed."""
    sql = """
        SELECT id, title, due_on, failure FROM recurrences
        WHERE user_id = :user_id AND active = 1 AND failure IS NOT NULL AND due_on IS NOT NULL ORDER BY id
    """
    return [(int(row_id), title, due_on, failure) for row_id, title, due_on, failure in db.all(sql, user_id=user_id)]


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


_TABLES = ("recurrence_repetitions", "recurrence_splits")


_REPETITIONS = """
SELECT recurrence_id AS owner_id, id, type, moment, skip, weekend, holidays, created_at, updated_at
FROM recurrence_repetitions WHERE user_id = :user_id AND recurrence_id IN :ids ORDER BY recurrence_id, place
"""
_SPLITS = f"""
SELECT s.recurrence_id AS owner_id, s.id, s.description, s.units, {columns_of(Currency, "c", "currency")},
    s.foreign_units, {columns_of(Currency, "f", "foreign_currency")},
    s.source_id, o.name AS source_name, o.kind AS source_kind, o.iban AS source_iban,
    {columns_of(Currency, "oc", "source_currency")},
    s.destination_id, d.name AS destination_name, d.kind AS destination_kind, d.iban AS destination_iban,
    {columns_of(Currency, "dc", "destination_currency")},
    s.category_id, g.name AS category_name, s.budget_id, b.name AS budget_name
FROM recurrence_splits s
JOIN currencies c ON c.id = s.currency_id
LEFT JOIN currencies f ON f.id = s.foreign_currency_id
JOIN accounts o ON o.user_id = s.user_id AND o.id = s.source_id
JOIN currencies oc ON oc.id = o.currency_id
JOIN accounts d ON d.user_id = s.user_id AND d.id = s.destination_id
JOIN currencies dc ON dc.id = d.currency_id
LEFT JOIN categories g ON g.user_id = s.user_id AND g.id = s.category_id
LEFT JOIN budgets b ON b.user_id = s.user_id AND b.id = s.budget_id
WHERE s.user_id = :user_id AND s.recurrence_id IN :ids ORDER BY s.recurrence_id, s.place
"""


def _put_parts(
    db: Unit,
    user_id: int,
    recurrence_id: int,
    draft: RecurrenceDraft,
    entry: Entry,
    now: str,
    stored: tuple[list[int], list[int]] = ([], []),
) -> None:
    """Stores the repetitions and splits of a recurrence. `entry` is a transaction that the recurrence will book.

    `stored` has the ids of those that exist. They keep their ids at their positions.
    """
    repetitions = [columns_of_draft("recurrence_repetitions", repetition) for repetition in draft.repetitions]
    splits = [
        {
            "description": split.description or entry.description,
            "units": split.amount.units,
            "currency_id": split.amount.currency.id,
            "foreign_units": split.foreign.units if split.foreign else None,
            "foreign_currency_id": split.foreign.currency.id if split.foreign else None,
            "source_id": split.source.id,
            "destination_id": split.destination.id,
            "category_id": split.category_id,
            "budget_id": split.budget_id,
        }
        for split in entry.splits
    ]
    for table, parts, ids in zip(_TABLES, (repetitions, splits), stored, strict=True):
        rows = [{"recurrence_id": recurrence_id, "place": place, **part} for place, part in enumerate(parts)]
        stamp = now if "updated_at" in TABLES[table] else None
        changes.update_each(db, table, user_id, dict(zip(ids, rows, strict=False)), now=stamp)
        changes.insert_all(db, table, user_id, rows[len(ids) :], now)
        changes.delete(db, table, user_id, "id IN :ids", ids=ids[len(rows) :])
