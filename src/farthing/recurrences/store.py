"""Where are recurrences kept, and which of their days have fired?"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import msgspec

from ..ledger.entry import Entry
from ..ledger.kinds import Type
from ..money import Currency
from ..schedule.occurrences import Occurrence
from ..schedule.repetition import Repetition, RepetitionType
from ..schedule.weekend import REACH, Weekend
from ..storage import changes
from ..storage.unit import Row, Unit
from ..text import fold
from ..transactions import links
from .model import Draft, KeptRepetition, KeptSplit, Recurrence, next_due

_RECURRENCE = """
SELECT r.id, r.type, r.title, r.description, r.first_on, r.until_on, r.count_max, r.apply_rules, r.active, r.tags,
    p.id, p.name, r.fired, r.latest_on, r.settled_until, r.failure, r.created_at, r.updated_at
FROM recurrences r LEFT JOIN piggy_banks p ON p.user_id = r.user_id AND p.id = r.piggy_bank_id
"""


def _recurrence(row: Row) -> Recurrence:
    columns = (
        row[0],
        Type(row[1]),
        *row[2:4],
        date.fromisoformat(row[4]),
        date.fromisoformat(row[5]) if row[5] else None,
        row[6],
        bool(row[7]),
        bool(row[8]),
        tuple(msgspec.json.decode(row[9])),
        *row[10:14],
        date.fromisoformat(row[14]),
        *row[15:],
    )
    return Recurrence(*columns)


def get(db: Unit, user_id: int, recurrence_id: int) -> Recurrence | None:
    rows = db.all(f"{_RECURRENCE} WHERE r.user_id = :user_id AND r.id = :id", user_id=user_id, id=recurrence_id)
    return _whole(db, user_id, rows)[0] if rows else None


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[Recurrence]]:
    """Active ones first, then by title."""
    total = db.value("SELECT COUNT(*) FROM recurrences WHERE user_id = :user_id", user_id=user_id)
    rows = db.all(
        f"""
        {_RECURRENCE} WHERE r.user_id = :user_id
        ORDER BY r.active DESC, r.title_fold, r.id LIMIT :limit OFFSET :offset
        """,
        user_id=user_id,
        limit=limit,
        offset=offset,
    )
    return int(total), _whole(db, user_id, rows)


def due(db: Unit, user_id: int, day: date) -> list[Recurrence]:
    """Those with something to fire on or before a day, in a steady order."""
    rows = db.all(
        f"{_RECURRENCE} WHERE r.user_id = :user_id AND r.due_on IS NOT NULL AND r.due_on <= :day ORDER BY r.id",
        user_id=user_id,
        day=day.isoformat(),
    )
    return _whole(db, user_id, rows)


def users_due(db: Unit, day: date) -> list[int]:
    """Reads what is due, not what exists."""
    rows = db.all(
        "SELECT DISTINCT user_id FROM recurrences WHERE due_on IS NOT NULL AND due_on <= :day ORDER BY user_id",
        day=day.isoformat(),
    )
    return [user_id for (user_id,) in rows]


def using(db: Unit, user_id: int, account_ids: list[int]) -> list[int]:
    rows = db.all(
        """
        SELECT recurrence_id FROM recurrence_splits WHERE user_id = :user_id AND source_id IN :ids
        UNION
        SELECT recurrence_id FROM recurrence_splits WHERE user_id = :user_id AND destination_id IN :ids
        """,
        user_id=user_id,
        ids=account_ids,
    )
    return [recurrence_id for (recurrence_id,) in rows]


def _whole(db: Unit, user_id: int, rows: list[Row]) -> list[Recurrence]:
    """Each with its repetitions, splits and latest firings: one query each for all of them."""
    found = [_recurrence(row) for row in rows]
    ids = [one.id for one in found]
    repetitions, splits, fired = _repetitions(db, user_id, ids), _splits(db, user_id, ids), _lately(db, user_id, found)
    return [
        replace(
            one,
            repetitions=tuple(repetitions[one.id]),
            splits=tuple(splits[one.id]),
            fired_lately=tuple(fired[one.id]),
        )
        for one in found
    ]


def _repetitions(db: Unit, user_id: int, ids: list[int]) -> dict[int, list[KeptRepetition]]:
    rows = db.all(
        """
        SELECT recurrence_id, id, type, moment, skip, weekend, created_at, updated_at FROM recurrence_repetitions
        WHERE user_id = :user_id AND recurrence_id IN :ids ORDER BY recurrence_id, place
        """,
        user_id=user_id,
        ids=ids,
    )
    found: dict[int, list[KeptRepetition]] = defaultdict(list)
    for recurrence_id, kept_id, type_, moment, skip, weekend, created_at, updated_at in rows:
        repetition = Repetition(RepetitionType(type_), moment, skip, Weekend(weekend))
        found[recurrence_id].append(KeptRepetition(kept_id, repetition, created_at, updated_at))
    return found


def _currency(alias: str) -> str:
    return ", ".join(f"{alias}.{column}" for column in ("id", "code", "name", "symbol", "places"))


_SPLITS = f"""
SELECT s.recurrence_id, s.description, s.units, {_currency("c")}, s.foreign_units, {_currency("f")},
    o.id, o.name, {_currency("oc")}, d.id, d.name, {_currency("dc")}, g.id, g.name, b.id, b.name
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


def _splits(db: Unit, user_id: int, ids: list[int]) -> dict[int, list[KeptSplit]]:
    found: dict[int, list[KeptSplit]] = defaultdict(list)
    for row in db.all(_SPLITS, user_id=user_id, ids=ids):
        columns = (
            *row[1:3],
            Currency(*row[3:8]),
            row[8],
            Currency(*row[9:14]) if row[9] else None,
            *row[14:16],
            Currency(*row[16:21]),
            *row[21:23],
            Currency(*row[23:28]),
            *row[28:32],
        )
        found[row[0]].append(KeptSplit(*columns))
    return found


def _lately(db: Unit, user_id: int, found: Sequence[Recurrence]) -> dict[int, list[tuple[int, date]]]:
    """Firings that a weekend rule may still concern: a few days before each one's settled day, and after it."""
    fired: dict[int, list[tuple[int, date]]] = defaultdict(list)
    if not found:
        return fired
    since = min(one.settled_until for one in found) - 2 * REACH
    rows = db.all(
        """
        SELECT recurrence_id, place, planned_on FROM firings
        WHERE user_id = :user_id AND recurrence_id IN :ids AND planned_on >= :since
        """,
        user_id=user_id,
        ids=[one.id for one in found],
        since=since.isoformat(),
    )
    for recurrence_id, place, planned_on in rows:
        fired[recurrence_id].append((place, date.fromisoformat(planned_on)))
    return fired


_COLUMNS = (
    "type", "title", "title_fold", "description", "first_on", "until_on", "count_max", "apply_rules", "active", "tags",
    "piggy_bank_id",
)  # fmt: skip


def add(db: Unit, user_id: int, draft: Draft, entry: Entry, settled_until: date, now: str) -> int:
    """`entry` is the draft's first firing: its splits have every account and label made."""
    recurrence_id = int(
        db.value(
            f"""
            INSERT INTO recurrences (user_id, {", ".join(_COLUMNS)}, settled_until, due_on, created_at, updated_at)
            VALUES (:user_id, {", ".join(f":{column}" for column in _COLUMNS)}, :settled_until, :due_on, :now, :now)
            RETURNING id
            """,
            user_id=user_id,
            settled_until=settled_until.isoformat(),
            due_on=_iso(next_due(draft.plan, settled_until, set(), draft.count_max) if draft.active else None),
            now=now,
            **_columns(draft),
        )
    )
    _add_parts(db, user_id, recurrence_id, draft, entry, now)
    changes.created(db, "recurrences", [recurrence_id])
    return recurrence_id


def change(db: Unit, user_id: int, kept: Recurrence, draft: Draft, entry: Entry, settled_until: date, now: str) -> None:
    changes.changing(db, "recurrences", "id = :id", id=kept.id)
    for part in ("recurrence_repetitions", "recurrence_splits"):
        changes.removing(db, part, "recurrence_id = :id", id=kept.id)
        db.run(f"DELETE FROM {part} WHERE user_id = :user_id AND recurrence_id = :id", user_id=user_id, id=kept.id)
    db.run(
        f"""
        UPDATE recurrences SET {", ".join(f"{column} = :{column}" for column in _COLUMNS)},
            settled_until = :settled_until, failure = NULL, updated_at = :now
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=kept.id,
        settled_until=settled_until.isoformat(),
        now=now,
        **_columns(draft),
    )
    _add_parts(db, user_id, kept.id, draft, entry, now)
    set_due(db, user_id, kept.id)


def set_due(db: Unit, user_id: int, recurrence_id: int) -> None:
    """When to look at it again; nothing for one that is paused or has ended."""
    one = get(db, user_id, recurrence_id)
    assert one is not None
    day = next_due(one.plan, one.settled_until, set(one.fired_lately), one.left) if one.active else None
    db.run(
        "UPDATE recurrences SET due_on = :due_on WHERE user_id = :user_id AND id = :id",
        user_id=user_id,
        id=recurrence_id,
        due_on=_iso(day),
    )


def remove(db: Unit, user_id: int, ids: list[int], now: str) -> None:
    """What it has made stays, without the link."""
    links.release_recurrences(db, user_id, ids, now)
    for part in ("firings", "recurrence_repetitions", "recurrence_splits"):
        changes.removing(db, part, "recurrence_id IN :ids", ids=ids)
    changes.removing(db, "recurrences", "id IN :ids", ids=ids)
    db.run("DELETE FROM recurrences WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=ids)


def release_piggy_banks(
    db: Unit, user_id: int, piggy_bank_ids: list[int], *, except_account_id: int | None = None
) -> None:
    """They go on without their piggy bank; those that touch the account keep it."""
    where = "piggy_bank_id IN :ids"
    parameters: dict[str, Any] = {"ids": piggy_bank_ids}
    if except_account_id is not None:
        where += " AND id NOT IN (SELECT recurrence_id FROM recurrence_splits WHERE user_id = :user_id AND"
        where += " (source_id = :account_id OR destination_id = :account_id))"
        parameters["account_id"] = except_account_id
    changes.changing(db, "recurrences", where, **parameters)
    db.run(
        f"UPDATE recurrences SET piggy_bank_id = NULL WHERE user_id = :user_id AND {where}",
        user_id=user_id,
        **parameters,
    )


def add_firings(db: Unit, user_id: int, recurrence_id: int, fired: Sequence[tuple[Occurrence, int]]) -> None:
    db.many(
        """
        INSERT INTO firings (user_id, recurrence_id, place, planned_on, landed_on, entry_id)
        VALUES (:user_id, :recurrence_id, :place, :planned_on, :landed_on, :entry_id)
        """,
        [
            {
                "user_id": user_id,
                "recurrence_id": recurrence_id,
                "place": one.place,
                "planned_on": one.planned_on.isoformat(),
                "landed_on": _iso(one.landed_on),
                "entry_id": entry_id,
            }
            for one, entry_id in fired
        ],
    )


def settle(
    db: Unit, user_id: int, recurrence_id: int, *, until: date, fired: int, latest: date | None, failure: str | None
) -> None:
    db.run(
        """
        UPDATE recurrences SET settled_until = :until, fired = fired + :fired,
            latest_on = COALESCE(:latest, latest_on), failure = :failure
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=recurrence_id,
        until=until.isoformat(),
        fired=fired,
        latest=_iso(latest),
        failure=failure,
    )
    set_due(db, user_id, recurrence_id)


def set_failure(db: Unit, user_id: int, recurrence_id: int, failure: str) -> None:
    """Said on the recurrence; it stays due and is tried again."""
    db.run(
        "UPDATE recurrences SET failure = :failure WHERE user_id = :user_id AND id = :id",
        user_id=user_id,
        id=recurrence_id,
        failure=failure,
    )


def _add_parts(db: Unit, user_id: int, recurrence_id: int, draft: Draft, entry: Entry, now: str) -> None:
    head = {"user_id": user_id, "recurrence_id": recurrence_id}
    db.many(
        """
        INSERT INTO recurrence_repetitions (user_id, recurrence_id, place, type, moment, skip, weekend, created_at,
            updated_at)
        VALUES (:user_id, :recurrence_id, :place, :type, :moment, :skip, :weekend, :now, :now)
        """,
        [
            {
                **head,
                "place": place,
                "type": one.type.value,
                "moment": one.moment,
                "skip": one.skip,
                "weekend": int(one.weekend),
                "now": now,
            }
            for place, one in enumerate(draft.repetitions)
        ],
    )
    db.many(_ADD_SPLIT, [{**head, **row} for row in _split_rows(entry)])


_ADD_SPLIT = """
INSERT INTO recurrence_splits (user_id, recurrence_id, place, description, units, currency_id, foreign_units,
    foreign_currency_id, source_id, destination_id, category_id, budget_id)
VALUES (:user_id, :recurrence_id, :place, :description, :units, :currency_id, :foreign_units,
    :foreign_currency_id, :source_id, :destination_id, :category_id, :budget_id)
"""


def _split_rows(entry: Entry) -> list[dict[str, Any]]:
    return [
        {
            "place": place,
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
        for place, split in enumerate(entry.splits)
    ]


def _columns(draft: Draft) -> dict[str, Any]:
    return {
        "type": int(draft.type),
        "title": draft.title,
        "title_fold": fold(draft.title),
        "description": draft.description,
        "first_on": draft.first_on.isoformat(),
        "until_on": _iso(draft.until_on),
        "count_max": draft.count_max,
        "apply_rules": int(draft.apply_rules),
        "active": int(draft.active),
        "tags": msgspec.json.encode(draft.tags).decode(),
        "piggy_bank_id": draft.piggy_bank_id,
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
