"""Reads limits and spending by month. Spending is read from stored sums, never from splits."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from farthing.books.budget_limits.model import find_share
from farthing.ledger.kinds import Type
from farthing.schedule.months import day_in_month
from farthing.schedule.periods import DayRange
from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Unit

from .model import MONTHS_BACK_MAX


class MonthLimit(Struct, frozen=True):
    """A limit, which is divided among the months that it overlaps."""

    id: int
    budget_id: int
    units: int
    start_on: str
    end_on: str

    def find_months(self, within: range) -> range:
        """Returns the months within the range that the limit overlaps."""
        return range(max(_number(self.start_on), within.start), min(_number(self.end_on) + 1, within.stop))


def find_first_month(db: Unit, user_id: int, currency_id: int, start: int) -> int | None:
    """Returns the first month with a limit, at most `MONTHS_BACK_MAX` months before `start`."""
    earliest = start - MONTHS_BACK_MAX
    sql = """
        SELECT MIN(start_on) FROM budget_limits
        WHERE user_id = :user_id AND end_on >= :earliest AND currency_id = :currency_id
    """
    day: str | None = db.value(sql, user_id=user_id, earliest=spell(earliest), currency_id=currency_id)
    return max(_number(day), earliest) if day else None


def list_limits(db: Unit, user_id: int, currency_id: int, months: range) -> list[MonthLimit]:
    sql = """
        SELECT id, budget_id, units, start_on, end_on FROM budget_limits
        WHERE user_id = :user_id AND end_on >= :first AND start_on < :beyond AND currency_id = :currency_id
        ORDER BY start_on, id
    """
    return db.structs(MonthLimit, sql, user_id=user_id, currency_id=currency_id, **_bounds(months))


def add_up_limits(limits: list[MonthLimit], months: range) -> Mapping[int, Mapping[int, int]]:
    """Sums limits by budget and month. Omits months without a limit."""
    by_month: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for limit in limits:
        # There may be thousands of limits. Most are for a single month, and need no slow division by days.
        if limit.start_on[:7] == limit.end_on[:7]:
            by_month[limit.budget_id][_number(limit.start_on)] += limit.units
        else:
            days = DayRange(date.fromisoformat(limit.start_on), date.fromisoformat(limit.end_on))
            for month in limit.find_months(months):
                share = find_share(limit.units, days, DayRange(day_in_month(month, 1), day_in_month(month, 31)))
                by_month[limit.budget_id][month] += share or 0
    return by_month


def read_spent(
    db: Unit, user_id: int, currency_id: int, months: range, budget_ids: list[int]
) -> Mapping[int, Mapping[int, int]]:
    rows = db.all(
        """
        SELECT label_id, period, units FROM sums_of_budgets
        WHERE user_id = :user_id AND label_id IN :ids AND grain = 'month' AND period >= :first AND period < :beyond
            AND type = :withdrawal AND currency_id = :currency_id
        """,
        user_id=user_id,
        ids=budget_ids,
        withdrawal=int(Type.WITHDRAWAL),
        currency_id=currency_id,
        **_bounds(months),
    )
    by_month: dict[int, dict[int, int]] = defaultdict(dict)
    for budget_id, period, units in rows:
        by_month[budget_id][_number(period)] = units
    return by_month


def read_flows(db: Unit, user_id: int, currency_id: int, months: range, type_: Type) -> dict[int, int]:
    sql = """
        SELECT period, units FROM flows
        WHERE user_id = :user_id AND type = :type AND currency_id = :currency_id AND grain = 'month'
            AND period >= :first AND period < :beyond
    """
    rows = db.all(sql, user_id=user_id, type=int(type_), currency_id=currency_id, **_bounds(months))
    return {_number(period): units for period, units in rows}


def read_available(db: Unit, user_id: int, currency_id: int, months: range) -> dict[int, int]:
    """Sums the available budgets by month. Ignores those whose period is not within one month."""
    sql = f"""
        SELECT substr(start_on, 1, 7), {HALVES.format(column="units")} FROM available_budgets
        WHERE user_id = :user_id AND currency_id = :currency_id AND start_on >= :first AND start_on < :beyond
            AND substr(start_on, 1, 7) = substr(end_on, 1, 7)
        GROUP BY substr(start_on, 1, 7)
    """
    rows = db.all(sql, user_id=user_id, currency_id=currency_id, **_bounds(months))
    return {_number(month): join_halves(high, low) for month, high, low in rows}


class RangeLimit(MonthLimit, frozen=True):
    currency_id: int

    def find_share(self, within: DayRange) -> int:
        days = DayRange(date.fromisoformat(self.start_on), date.fromisoformat(self.end_on))
        return find_share(self.units, days, within) or 0


def list_limits_within(db: Unit, user_id: int, within: DayRange) -> list[RangeLimit]:
    """Lists the limits in all currencies that have a day in the range."""
    sql = """
        SELECT id, budget_id, units, start_on, end_on, currency_id FROM budget_limits
        WHERE user_id = :user_id AND start_on <= :last AND end_on >= :first
    """
    return db.structs(RangeLimit, sql, user_id=user_id, first=within.first.isoformat(), last=within.last.isoformat())


def find_limited_currencies(db: Unit, user_id: int) -> list[int]:
    rows = db.all("SELECT DISTINCT currency_id FROM budget_limits WHERE user_id = :user_id", user_id=user_id)
    return sorted(currency_id for (currency_id,) in rows)


def find_currencies(db: Unit, user_id: int) -> set[int]:
    sql = """
        SELECT currency_id FROM flows WHERE user_id = :user_id AND type = :withdrawal AND grain = 'all' AND units <> 0
        UNION SELECT currency_id FROM budget_limits WHERE user_id = :user_id
    """
    rows = db.all(sql, user_id=user_id, withdrawal=int(Type.WITHDRAWAL))
    return {currency_id for (currency_id,) in rows}


def spell(month: int) -> str:
    year, zero_based = divmod(month, 12)
    return f"{max(year, 0):04}-{zero_based + 1:02}"


def _number(day: str) -> int:
    return int(day[:4]) * 12 + int(day[5:7]) - 1


def _bounds(months: range) -> dict[str, str]:
    return {"first": spell(months.start), "beyond": spell(months.stop)}
