"""Reads the days of search operators: `2026-03-01`, `yesterday`, `start of this month`, `-3d`, `2026-xx-10`."""

from calendar import monthrange
from datetime import date, timedelta

from msgspec import Struct

_NEAR = {"yesterday": -1, "today": 0, "tomorrow": 1}
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}
_STEP_MAX = 10_000


class DayPattern(Struct, frozen=True):
    """Matches days by parts of their ISO form. `_` stands for any digit, as in an SQL pattern."""

    like: str


def read(text: str, today: date) -> date | DayPattern | None:
    """Reads a day, or a pattern such as `2026-xx-10`. Returns None if it is neither."""
    words = text.strip().lower()
    if words in _NEAR:
        return today + timedelta(days=_NEAR[words])
    try:
        return _read_iso(words) or _read_edge(words.split(), today) or _step(words.split(), today)
    except (ValueError, OverflowError):  # there is no such day
        return None


def _read_iso(text: str) -> date | DayPattern | None:
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(map(_is_known_or_any, parts)):
        return None
    if "x" not in text:
        return date(*map(int, parts))
    # A pattern with all parts left open would match every day, like no condition at all.
    return DayPattern(text.replace("x", "_"))


def _is_known_or_any(part: str) -> bool:
    return (part.isascii() and part.isdigit()) or part == "x" * len(part)


def _read_edge(words: list[str], today: date) -> date | None:
    """Reads `start of this month` and `end of this year`."""
    if len(words) != 4 or words[0] not in ("start", "end") or words[1:3] != ["of", "this"]:
        return None
    if words[3] == "week":
        monday = today - timedelta(days=today.weekday())
        return monday if words[0] == "start" else monday + timedelta(days=6)
    months = _MONTHS_OF.get(words[3])
    if months is None:
        return None
    first = (today.month - 1) // months * months + 1
    last = first + months - 1
    if words[0] == "start":
        return date(today.year, first, 1)
    return date(today.year, last, monthrange(today.year, last)[1])


def _step(words: list[str], today: date) -> date | None:
    """Reads steps from today, such as `-3d` or `-1y +1m`. A month has the day of today, or its last day."""
    day = today
    for word in words:
        number = word[1:-1]
        if word[:1] not in ("+", "-") or not (number.isascii() and number.isdigit()) or int(number) > _STEP_MAX:
            return None
        steps = int(number) * (-1 if word[0] == "-" else 1)
        if word[-1] in ("d", "w"):
            day += timedelta(days=steps * (7 if word[-1] == "w" else 1))
        elif word[-1] in ("m", "q", "y"):
            day = _add_months(day, steps * {"m": 1, "q": 3, "y": 12}[word[-1]])
        else:
            return None
    return day if words else None


def _add_months(day: date, months: int) -> date:
    number = 12 * day.year + day.month - 1 + months
    year, month = number // 12, number % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))
