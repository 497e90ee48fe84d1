"""Finds splits by their amounts, if there are few of them."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from farthing.books.transactions.counts import Days
from farthing.kernel.money import UNITS_MAX
from farthing.storage.unit import Unit

from .streams import Candidate

UnitRange = tuple[int, int]  # the lowest and the highest number of units
# So many splits are read at once; if there are more, some of them are soon found among the newest.
FEW = 2000


def list_ranges(db: Unit, lowest: Decimal | None, highest: Decimal | None) -> list[UnitRange]:
    """The same amounts are other numbers of units in currencies with other decimal places; ranges do not overlap."""
    ranges: list[UnitRange] = []
    for (places,) in db.all("SELECT DISTINCT places FROM currencies ORDER BY places"):
        low = 1 if lowest is None else max(1, _scale(lowest, places, ROUND_CEILING))
        high = UNITS_MAX if highest is None else min(UNITS_MAX, _scale(highest, places, ROUND_FLOOR))
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
    """SQL with its parameters: whether the split has such an amount, in whatever currency."""
    parts = [
        f"{column} BETWEEN :low_{place} AND :high_{place}"
        for place in range(len(ranges))
        for column in ("units", "foreign_units")
    ]
    given = {
        f"{name}_{place}": units for place, one in enumerate(ranges) for name, units in zip(_ENDS, one, strict=True)
    }
    return f"({' OR '.join(parts) or '1 = 0'})", given


_ENDS = ("low", "high")


def count_few(db: Unit, user_id: int, ranges: Sequence[UnitRange]) -> int | None:
    """How many splits have such an amount, own or foreign; None if these are many."""
    number = 0
    for low, high in ranges:
        for column in ("units", "foreign_units"):
            counted = f"SELECT 1 FROM splits WHERE {_IN_RANGE.format(column=column)} LIMIT :most"
            given = {"user_id": user_id, "low": low, "high": high, "most": FEW + 1 - number}
            number += int(db.value(f"SELECT COUNT(*) FROM ({counted}) AS counted", **given))
            if number > FEW:
                return None
    return number


def read(db: Unit, user_id: int, ranges: Sequence[UnitRange], days: Days) -> list[Candidate]:
    """Newest first, each entry once."""
    found: set[Candidate] = set()
    for low, high in ranges:
        for column in ("units", "foreign_units"):
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
            found |= {(on, entry_id, 1) for on, entry_id in rows}
    return sorted(found, reverse=True)


_IN_RANGE = "user_id = :user_id AND {column} >= :low AND {column} <= :high"
