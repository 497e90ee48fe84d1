"""Stores available budgets, and sums what was spent in their periods."""

from collections.abc import Sequence
from typing import Any

from farthing.ledger.kinds import Type
from farthing.storage import changes
from farthing.storage.grains import HALVES, in_range, join_halves
from farthing.storage.unit import Row, Unit

from .model import AvailableBudget, AvailableBudgetDraft

_AVAILABLE = """
SELECT a.id, c.id, c.code, c.symbol, c.places, a.units, a.start_on, a.end_on, a.created_at, a.updated_at
FROM available_budgets a JOIN currencies c ON c.id = a.currency_id WHERE a.user_id = :user_id
"""


def _available(row: Row) -> AvailableBudget:
    budget_id, currency_id, code, symbol, places, units, start_on, end_on, created_at, updated_at = row
    return AvailableBudget(
        id=budget_id,
        currency_id=currency_id,
        code=code,
        symbol=symbol,
        places=places,
        units=units,
        start_on=start_on,
        end_on=end_on,
        created_at=created_at,
        updated_at=updated_at,
    )


def get(db: Unit, user_id: int, budget_id: int) -> AvailableBudget | None:
    row = db.one(f"{_AVAILABLE} AND a.id = :id", user_id=user_id, id=budget_id)
    return _available(row) if row else None


def page(
    db: Unit, user_id: int, *, within: tuple[str, str] | None, limit: int, offset: int
) -> tuple[int, list[AvailableBudget]]:
    """With a range, only those that lie entirely inside it."""
    inside = " AND a.start_on >= :start AND a.end_on <= :end" if within else ""
    days = {"start": within[0], "end": within[1]} if within else {}
    total = db.value(
        f"SELECT COUNT(*) FROM available_budgets a WHERE a.user_id = :user_id{inside}", user_id=user_id, **days
    )
    rows = db.all(
        f"{_AVAILABLE}{inside} ORDER BY a.id LIMIT :limit OFFSET :offset",
        user_id=user_id,
        limit=limit,
        offset=offset,
        **days,
    )
    return int(total), [_available(row) for row in rows]


def inside(db: Unit, user_id: int, start: str, end: str) -> dict[int, int]:
    """The amounts of the periods that lie entirely in a range, by currency."""
    rows = db.all(
        f"""
        SELECT a.currency_id, {HALVES.format(column="a.units")} FROM available_budgets a
        WHERE a.user_id = :user_id AND a.start_on >= :start AND a.end_on <= :end GROUP BY a.currency_id
        """,
        user_id=user_id,
        start=start,
        end=end,
    )
    return {currency_id: join_halves(high, low) for currency_id, high, low in rows}


_SPENT = " UNION ALL ".join(
    f"""
    SELECT a.id, {HALVES.format(column="f.units")} FROM available_budgets a
    JOIN flows f ON f.user_id = a.user_id AND f.type = :withdrawal AND f.currency_id = a.currency_id AND {condition}
    WHERE a.user_id = :user_id AND a.id IN :ids GROUP BY a.id
    """
    for condition in in_range("f", "a.start_on", "a.end_on")
)


def sum_spent(db: Unit, user_id: int, budgets: Sequence[AvailableBudget]) -> dict[int, int]:
    """What was spent from the user's accounts in each period and currency: one query for a page."""
    ids = [one.id for one in budgets]
    found = dict.fromkeys(ids, 0)
    for budget_id, high, low in db.all(_SPENT, user_id=user_id, ids=ids, withdrawal=int(Type.WITHDRAWAL)):
        found[budget_id] += join_halves(high, low)
    return found


def find_same(db: Unit, user_id: int, draft: AvailableBudgetDraft) -> int | None:
    found: int | None = db.value(
        """
        SELECT id FROM available_budgets WHERE user_id = :user_id AND currency_id = :currency_id AND units = :units
            AND start_on = :start_on AND end_on = :end_on ORDER BY id LIMIT 1
        """,
        user_id=user_id,
        **_columns(draft),
    )
    return found


def add(db: Unit, user_id: int, draft: AvailableBudgetDraft, now: str) -> int:
    budget_id = int(
        db.value(
            """
            INSERT INTO available_budgets (user_id, currency_id, units, start_on, end_on, created_at, updated_at)
            VALUES (:user_id, :currency_id, :units, :start_on, :end_on, :now, :now) RETURNING id
            """,
            user_id=user_id,
            now=now,
            **_columns(draft),
        )
    )
    changes.log_created(db, "available_budgets", [budget_id])
    return budget_id


def change(db: Unit, user_id: int, budget_id: int, draft: AvailableBudgetDraft, now: str) -> None:
    changes.log_changing(db, "available_budgets", "id = :id", id=budget_id)
    db.run(
        """
        UPDATE available_budgets SET currency_id = :currency_id, units = :units, start_on = :start_on,
            end_on = :end_on, updated_at = :now
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=budget_id,
        now=now,
        **_columns(draft),
    )


def remove(db: Unit, user_id: int, budget_id: int) -> None:
    changes.log_removing(db, "available_budgets", "id = :id", id=budget_id)
    db.run("DELETE FROM available_budgets WHERE user_id = :user_id AND id = :id", user_id=user_id, id=budget_id)


def _columns(draft: AvailableBudgetDraft) -> dict[str, Any]:
    return {
        "currency_id": draft.currency.id,
        "units": draft.units,
        "start_on": draft.start_on.isoformat(),
        "end_on": draft.end_on.isoformat(),
    }
