"""Reads days, months and years as people write them: `july`, `2026-03`, `last month`, `15 march`."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from .region import Region


class DayRange(Struct, frozen=True):
    start: date
    end: date


# A phrase has at most this many words.
PHRASE_MAX = 3
_YEAR_MIN = 1970
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_NUMBERS = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})?|(\d{1,2})/(\d{1,2})")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?")
_QUARTER = re.compile(r"q([1-4])")
_NEAR = {"yesterday": -1, "today": 0, "tomorrow": 1}
_STEPS = {"last": -1, "previous": -1, "this": 0, "next": 1}
_UNIT_MAX = 1200


def read_days(words: Sequence[str], today: date, region: Region) -> DayRange | None:
    """Reads all words as one phrase. A month or day without a year is the latest one that has begun."""
    try:
        return _read(words, today, region) if words else None
    except (ValueError, OverflowError):  # there is no such day
        return None


def _read(words: Sequence[str], today: date, region: Region) -> DayRange | None:
    if len(words) == 1:
        return _read_one(words[0], today, region)
    if len(words) == 2 and words[0] in _STEPS:
        return _step(words[1], _STEPS[words[0]], today, region)
    if len(words) == 3 and words[0] in ("last", "past") and words[1].isdecimal():
        return _last(int(words[1]), words[2], today)
    year = _year(words[-1], today)
    if len(words) == 2 and year:
        if match := _QUARTER.fullmatch(words[0]):
            return _months(year, 3 * int(match[1]) - 2, 3)
        month = region.months.get(words[0]) or region.short_months.get(words[0].rstrip("."))
        return _months(year, month) if month else None
    return _read_named_day(words[: 2 if year else None], year, today, region)


def _read_one(word: str, today: date, region: Region) -> DayRange | None:
    if word in _NEAR:
        return _one(today + timedelta(days=_NEAR[word]))
    if month := region.months.get(word):
        return _months(today.year - (month > today.month), month)
    if match := _QUARTER.fullmatch(word):
        month = 3 * int(match[1]) - 2
        return _months(today.year - (month > today.month), month, 3)
    if ".." in word:
        start, end = (_read_one(part, today, region) for part in word.split("..", 1))
        return DayRange(start=start.start, end=end.end) if start and end and start.start <= end.end else None
    if match := _ISO.fullmatch(word):
        return _read_iso(match, today)
    if match := _NUMBERS.fullmatch(word):
        numbers = (match[1] or match[5], match[3] or match[6])
        day, in_month = map(int, reversed(numbers) if region.order == "md" else numbers)
        return _one(_day(day, in_month, _full_year(match[4]) if match[4] else None, today))
    return None


def _read_iso(match: re.Match[str], today: date) -> DayRange | None:
    year = _year(match[1], today)
    if not year:
        return None
    if match[3]:
        return _one(date(year, int(match[2]), int(match[3])))
    return _months(year, int(match[2])) if match[2] else _months(year, 1, 12)


def _read_named_day(words: Sequence[str], year: int | None, today: date, region: Region) -> DayRange | None:
    """Reads `15 march` and `march 15`."""
    if len(words) != 2:
        return None
    for day, name in (words, words[::-1]):
        month = region.months.get(name) or region.short_months.get(name.rstrip("."))
        if month and (match := _DAY.fullmatch(day)):
            return _one(_day(int(match[1]), month, year, today))
    return None


def _step(unit: str, steps: int, today: date, region: Region) -> DayRange | None:
    if unit == "week":
        start = today - timedelta(days=(today.weekday() - region.first_weekday) % 7) + timedelta(weeks=steps)
        return DayRange(start=start, end=start + timedelta(days=6))
    lengths = {"month": 1, "quarter": 3, "year": 12}
    if unit not in lengths:
        return None
    length = lengths[unit]
    number = 12 * today.year + (today.month - 1) // length * length + steps * length
    return _months(number // 12, number % 12 + 1, length)


def _last(number: int, unit: str, today: date) -> DayRange | None:
    """Reads `last 30 days`, which end today."""
    unit = unit.removesuffix("s")
    if not 0 < number <= _UNIT_MAX or unit not in ("day", "week", "month", "year"):
        return None
    if unit in ("day", "week"):
        return DayRange(start=today - timedelta(days=number * (7 if unit == "week" else 1) - 1), end=today)
    months = 12 * today.year + today.month - 1 - number * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    same_day = date(year, month, min(today.day, monthrange(year, month)[1]))
    return DayRange(start=same_day + timedelta(days=1), end=today)


def _year(word: str, today: date) -> int | None:
    return int(word) if len(word) == 4 and word.isdecimal() and _YEAR_MIN <= int(word) <= today.year + 1 else None


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _day(day: int, month: int, year: int | None, today: date) -> date:
    if year:
        if not _YEAR_MIN <= year <= today.year + 1:
            raise ValueError("the year is too far away")
        return date(year, month, day)
    this_year = date(today.year, month, day)
    return this_year if this_year <= today else date(today.year - 1, month, day)


def _one(day: date) -> DayRange:
    return DayRange(start=day, end=day)


def _months(year: int, month: int, length: int = 1) -> DayRange:
    last = 12 * year + month - 2 + length
    end_year, end_month = last // 12, last % 12 + 1
    return DayRange(start=date(year, month, 1), end=date(end_year, end_month, monthrange(end_year, end_month)[1]))
