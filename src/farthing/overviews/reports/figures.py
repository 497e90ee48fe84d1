"""Computes averages, percentages and trends in whole numbers."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def divide(units: int, by: int) -> int:
    """Divides, and rounds halves away from zero."""
    quotient, rest = divmod(abs(units), by)
    rounded = quotient + (2 * rest >= by)
    return rounded if units >= 0 else -rounded


def select_averaged(parts: Sequence[T], averaged: Sequence[bool]) -> list[T]:
    """Selects the parts marked for the average, or all parts if none is marked."""
    return [part for part, counts in zip(parts, averaged, strict=True) if counts] or list(parts)


def percent(units: int, base: int) -> int | None:
    """Returns the ratio of `units` to `base` in hundredths of a percent, or None if `base` is zero."""
    return divide(units * 10_000, abs(base)) if base else None


def trend(parts: Sequence[int], complete: Sequence[bool]) -> int | None:
    """Returns the change from the average of earlier complete parts to the last one, in hundredths of a percent."""
    whole = [units for units, is_complete in zip(parts, complete, strict=True) if is_complete]
    if len(whole) < 2:
        return None
    *earlier, last = whole
    return percent(last * len(earlier) - sum(earlier), sum(earlier))
