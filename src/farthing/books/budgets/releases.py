"""Stores what was moved out of the money that budgets carry from month to month.

A release belongs to a budget, a currency and the month whose carried amount it lowers.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from farthing.storage.change_log import changes
from farthing.storage.unit import Unit


def read_by_month(db: Unit, user_id: int, currency_id: int, months: range) -> Mapping[int, Mapping[int, int]]:
    """Returns the released units by budget and month."""
    sql = """
        SELECT budget_id, month_on, units FROM carry_releases
        WHERE user_id = :user_id AND currency_id = :currency_id AND month_on >= :first AND month_on < :beyond
    """
    bounds = {"first": _spell(months.start), "beyond": _spell(months.stop)}
    released: dict[int, dict[int, int]] = defaultdict(dict)
    for budget_id, month_on, units in db.all(sql, user_id=user_id, currency_id=currency_id, **bounds):
        released[budget_id][int(month_on[:4]) * 12 + int(month_on[5:7]) - 1] = units
    return released


def put(db: Unit, user_id: int, budget_id: int, currency_id: int, month: int, units: int, now: str) -> None:
    """Stores the amount released from a month. Zero removes it."""
    chosen: dict[str, Any] = {"budget_id": budget_id, "currency_id": currency_id, "month_on": _spell(month)}
    where = "budget_id = :budget_id AND currency_id = :currency_id AND month_on = :month_on"
    exists = db.value(f"SELECT 1 FROM carry_releases WHERE user_id = :user_id AND {where}", user_id=user_id, **chosen)
    if not units:
        changes.delete(db, "carry_releases", user_id, where, **chosen)
    elif exists:
        changes.update(db, "carry_releases", user_id, where, {"units": units}, now=now, **chosen)
    else:
        changes.insert(db, "carry_releases", user_id, {**chosen, "units": units}, now)


def remove_of(db: Unit, user_id: int, budget_id: int) -> None:
    changes.delete(db, "carry_releases", user_id, "budget_id = :budget_id", budget_id=budget_id)


def _spell(month: int) -> str:
    year, zero_based = divmod(month, 12)
    return f"{year:04}-{zero_based + 1:02}-01"
