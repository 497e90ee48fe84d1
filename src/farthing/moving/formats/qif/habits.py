"""Finds out how a QIF file writes dates and amounts. The format does not define this, so all values are examined."""

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from msgspec import Struct

from ...findings import Finding, Unreadable
from ..values import find_mark, full_year, make_date, parse_amount

DATE_ORDERS = ("mdy", "dmy", "ymd")
_DAY = re.compile(r"(\d{1,4})\s*([/.-])\s*(\d{1,2})\s*([/.'-]|\s)\s*(\d{1,4})")
_DAY_CHARS_MAX = 30
_AMOUNT_CHARS_MAX = 40
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)")
_UNITS = "$€£¥ \t\xa0"


class Habits(Struct, frozen=True, kw_only=True):
    date_order: str = "mdy"
    decimal_mark: str | None = None
    findings: tuple[Finding, ...] = ()


def read_day(text: str, order: str) -> date | None:
    """Reads a date. The year of `1/1/98` is 1998; after an apostrophe, as in `1/ 1'00`, the year is 2000 or later."""
    text = text.strip()
    if len(text) > _DAY_CHARS_MAX:
        return None
    if match := _COMPACT.fullmatch(text):
        return make_date(int(match[1]), int(match[2]), int(match[3]))
    match = _DAY.fullmatch(text)
    if not match:
        return None
    first, second, third = int(match[1]), int(match[3]), int(match[5])
    if len(match[1]) == 4 or order == "ymd":
        return make_date(_year(match[1]), second, third)
    year = 2000 + third if match[4] == "'" and third < 100 else _year(match[5])
    return make_date(year, second, first) if order == "dmy" else make_date(year, first, second)


def _year(digits: str) -> int:
    return full_year(int(digits)) if len(digits) <= 2 else int(digits)


def read_amount(text: str, mark: str | None) -> Decimal | None:
    text = text.strip(_UNITS)
    if text.startswith("-"):
        text = "-" + text[1:].lstrip(_UNITS)
    return parse_amount(text, mark)


class HabitsFinder:
    """Examines every date and amount of the file. `fields` are pairs of a field's letter and its text."""

    def __init__(self, fields: Iterable[tuple[str, str]]) -> None:
        self.fits = {"mdy": 0, "dmy": 0}
        self.seen = self.dots = self.years_first = 0
        self.marks = {".": 0, ",": 0}
        self.example = self.unclear = ""
        for letter, text in fields:
            if letter == "D":
                self._see_day(text)
            elif letter in "TU$":
                self._see_amount(text)

    def _see_day(self, text: str) -> None:
        match = _DAY.fullmatch(text.strip()) if len(text) <= _DAY_CHARS_MAX else None
        if not match or len(match[1]) == 4:
            return
        first, second = int(match[1]), int(match[3])
        self.seen += 1
        self.dots += match[2] == "."
        self.years_first += first > 31
        self.fits["mdy"] += first <= 12 and second <= 31
        self.fits["dmy"] += second <= 12 and first <= 31
        if first != second:
            self.example = self.example or text.strip()

    def _see_amount(self, text: str) -> None:
        """Counts decimal marks. The last mark of a number is its decimal mark, unless it is the only mark and three
        digits follow: then it is unclear.
        """
        if len(text) > _AMOUNT_CHARS_MAX:
            return
        last = find_mark(text)
        whole, mark, fraction = text.rpartition(last)
        if not mark:
            return
        if len(fraction) == 3 and not set(whole) & set(".,"):
            self.unclear = self.unclear or text.strip()
        else:
            self.marks[last] += 1

    def decide(self, date_order: str | None) -> Habits:
        if date_order is not None and date_order not in DATE_ORDERS:
            raise Unreadable(f"The date order should be one of {', '.join(DATE_ORDERS)}.")
        order, findings = (date_order, []) if date_order else self._decide_order()
        mark = None
        if any(self.marks.values()):
            mark = "," if self.marks[","] > self.marks["."] else "."
        elif self.unclear:
            mark = "."
            question = f"It is not clear whether the mark in {self.unclear[:40]} separates thousands"
            message = f"{question}; a point is read as decimal mark."
            findings = [*findings, Finding(field="T", message=message)]
        return Habits(date_order=order, decimal_mark=mark, findings=tuple(findings))

    def _decide_order(self) -> tuple[str, list[Finding]]:
        if self.years_first > self.seen // 2:
            return "ymd", []
        if self.fits["mdy"] != self.fits["dmy"]:
            return max(self.fits, key=self.fits.__getitem__), []
        if self.dots > self.seen // 2:  # with points, nobody writes the month before the day
            return "dmy", []
        if not self.example:
            return "mdy", []
        day = read_day(self.example, "mdy")
        message = (
            f"Days and months cannot be told apart in this file. The month is read first: {self.example[:40]} is "
            f"{day.isoformat() if day else 'no day'}. Choose the other order if that is wrong."
        )
        return "mdy", [Finding(field="D", message=message)]
