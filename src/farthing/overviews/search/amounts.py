"""Finds splits by their amounts, if only a few splits have such amounts."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from farthing.books.transactions.counts import Days
from farthing.kernel.money import UNITS_MAX
from farthing.storage.unit import Unit

from .streams import Candidate

UnitRange = tuple[int, int]  # the lowest and the highest number of units
# Up to this many matching splits are read together. If more match, a scan from the newest on soon finds some of them.
FEW = 2000
# No amount has more digits before its decimal point.
DIGITS_MAX = 20
_COLUMNS = ("units", "foreign_units")


def list_currencies(db: Unit) -> dict[int, list[int]]:
    """Lists the ids of currencies by their number of decimal places."""
    currency_ids: dict[int, list[int]] = {}
    for currency_id, places in db.all("SELECT id, places FROM currencies ORDER BY places, id"):
        currency_ids.setdefault(places, []).append(currency_id)
    return currency_ids


def to_units(lowest: Decimal | None, highest: Decimal | None, places: int) -> UnitRange:
    """Converts amounts to units. The range is empty if no amount in the database is so large."""
    low = 1 if lowest is None else max(1, _scale(lowest, places, ROUND_CEILING))
    high = UNITS_MAX if highest is None else min(UNITS_MAX, _scale(highest, places, ROUND_FLOOR))
    return (low, high) if low <= high else (1, 0)


def list_ranges(db: Unit, lowest: Decimal | None, highest: Decimal | None) -> list[UnitRange]:
    """Converts amounts to units, for each number of decimal places in use. Merges overlapping ranges."""
    ranges: list[UnitRange] = []
    for (places,) in db.all("SELECT DISTINCT places FROM currencies ORDER BY places"):
        low, high = to_units(lowest, highest, places)
        if low > high:
            continue
        if ranges and low <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(high, ranges[-1][1]))
        else:
            ranges.append((low, high))
    return ranges


def _scale(amount: Decimal, places: int, rounding: str) -> int:
    return int(amount.scaleb(places).to_integral_value(rounding))


def make_condition(ranges: Sequence[UnitRange]) -> tuple[str, dict[str, int]]:
    """Returns an SQL condition, with parameters, that selects splits with an amount in these ranges in any currency."""
    parts = [f"{column} BETWEEN :low_{index} AND :high_{index}" for index in range(len(ranges)) for column in _COLUMNS]
    parameters = {
        f"{name}_{index}": units
        for index, unit_range in enumerate(ranges)
        for name, units in zip(_ENDS, unit_range, strict=True)
    }
    return f"({' OR '.join(parts) or '1 = 0'})", parameters


_ENDS = ("low", "high")


def count_few(db: Unit, user_id: int, ranges: Sequence[UnitRange], columns: Sequence[str] = _COLUMNS) -> int | None:
    """Counts splits whose own or foreign amount is in the ranges. Returns None if there are more than `FEW`."""
    number = 0
    for low, high in ranges:
        for column in columns:
            counted = f"SELECT 1 FROM splits WHERE {_IN_RANGE.format(column=column)} LIMIT :most"
            parameters = {"user_id": user_id, "low": low, "high": high, "most": FEW + 1 - number}
            number += int(db.value(f"SELECT COUNT(*) FROM ({counted}) AS counted", **parameters))
            if number > FEW:
                return None
    return number


def read(
    db: Unit, user_id: int, ranges: Sequence[UnitRange], days: Days, columns: Sequence[str] = _COLUMNS
) -> list[Candidate]:
    """Returns the entries with an amount in the ranges, newest first and each only once."""
    candidates: set[Candidate] = set()
    for low, high in ranges:
        for column in columns:
            rows = db.all(
                f"""
                SELECT on_day, entry_id FROM splits
                WHERE {_IN_RANGE.format(column=column)} AND on_day >= :start AND on_day <= :end
                """,
                user_id=user_id,
                low=low,
                high=high,
                start=days.start,
                end=days.end,
            )
            candidates |= {(on, entry_id, 1) for on, entry_id in rows}
    return sorted(candidates, reverse=True)


_IN_RANGE = "user_id = :user_id AND {column} >= :low AND {column} <= :high"
