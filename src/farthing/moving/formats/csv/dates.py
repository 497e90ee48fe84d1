"""Reads dates as banks write them, and finds out the order of day, month and year."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import lru_cache

from msgspec import Struct

DATE_CHARS_MAX = 48
YEAR_MIN, YEAR_MAX = 1000, 9998
_CACHE_MAX = 4096
ORDERS = ("dmy", "mdy", "ymd")
# Banks put these around a day to keep spreadsheets from changing it: ="31.01.2026" or '31.01.2026.
_GUARDS = "='\""

_MONTHS = """
january januar janvier januari enero gennaio janeiro jan styczen stycznia ene tammikuu
february februar fevrier februari febrero febbraio fevereiro luty lutego helmikuu
march marz maerz mars maart marzo marco mrt marzec marca maaliskuu
april avril abril aprile kwiecien kwietnia huhtikuu
may mai mei mayo maggio maio maj maja toukokuu
june juni juin junio giugno junho czerwiec czerwca kesakuu
july juli juillet julio luglio julho lipiec lipca heinakuu
august aout augustus agosto augusti sierpien sierpnia elokuu
september septembre septiembre settembre setembro wrzesien wrzesnia syyskuu
october oktober octobre octubre ottobre outubro pazdziernik pazdziernika lokakuu
november novembre noviembre novembro listopad listopada marraskuu
december dezember decembre diciembre dicembre dezembro desember grudzien grudnia joulukuu
"""
_TIME = r"(?:(?:[T,]|\s|-\s)\s*\d{1,2}[:.h]\d{2}.{0,24})?"
_NUMBER_FIRST = re.compile(
    r"(?:[^\W\d_]{2,10}[.,]{0,2} )?(\d{1,4})(?:st|nd|rd|th|º|er)?[-./ ]{1,2}(?:de )?"
    r"(\d{1,2}|[^\W\d_]{3,12})[-./, ]{1,2}(?:de )?'?(\d{1,4})\.?" + _TIME
)
_MONTH_FIRST = re.compile(
    r"(?:[^\W\d_]{2,10}[.,]{0,2} )?([^\W\d_]{3,12})[-./ ]{1,2}(\d{1,2})(?:st|nd|rd|th)?[-./, ]{1,2}(\d{4}|\d{2})"
    + _TIME
)
_HAS_DIGIT = re.compile(r"\d").search
_PACKED = re.compile(r"(\d{8})(?:\d{4}|\d{6}| \d{1,2}[:.]\d{2}.{0,12})?|(\d{6})")


class NotADay(ValueError):
    pass


class DateOrder(Struct, frozen=True, kw_only=True):
    """Describes the order of day, month and year. `rivals` are orders in which the dates could be read just as well."""

    order: str
    rivals: tuple[str, ...] = ()


def _plain(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", word.casefold()) if letter.isalpha())


def _month_names() -> dict[str, int]:
    """Maps the names of the months, and each beginning of three or more letters that fits only one month."""
    meanings: dict[str, set[int]] = {}
    for month, names in enumerate(_MONTHS.strip().splitlines(), start=1):
        for name in names.split():
            for length in range(3, len(name) + 1):
                meanings.setdefault(name[:length], set()).add(month)
    whole = {name: month for month, line in enumerate(_MONTHS.strip().splitlines(), start=1) for name in line.split()}
    return {name: min(months) for name, months in meanings.items() if len(months) == 1} | whole


_MONTH_OF = _month_names()


def date_parser(order: str) -> Callable[[str], date]:
    """Returns a parser. Whatever the `order`, a date that begins with a four-digit year is read year first."""
    days: dict[str, date] = {}

    def parse(text: str) -> date:
        day = days.get(text)
        if day is None:
            day = parse_day(text, order)
            if len(days) >= _CACHE_MAX:
                days.clear()
            days[text] = day
        return day

    return parse


def parse_day(text: str, order: str) -> date:
    tidy = " ".join(text.split()).strip(_GUARDS) if len(text) <= DATE_CHARS_MAX else ""
    try:
        return _day_of(tidy, order)
    except ValueError as error:
        raise NotADay(text) from error


def _day_of(text: str, order: str) -> date:
    if match := _PACKED.fullmatch(text):
        return _unpack(match[1] or match[2], order)
    if match := _NUMBER_FIRST.fullmatch(text):
        return _arrange(match[1], match[2], match[3], order)
    if match := _MONTH_FIRST.fullmatch(text):
        return _day(match[3], match[1], match[2])
    raise NotADay(text)


def _arrange(first: str, second: str, third: str, order: str) -> date:
    if len(first) == 4 or (order == "ymd" and second.isdigit()):
        return _day(first, second, third)
    if order == "mdy" and second.isdigit():
        return _day(third, first, second)
    return _day(third, second, first)


def _unpack(digits: str, order: str) -> date:
    """Reads a date without separators. `20260131` is read year first in any order, as the year cannot be 0131."""
    size = len(digits) - 4
    if order == "ymd" or (size == 4 and digits[:2] in ("19", "20") and "01" <= digits[4:6] <= "12"):
        return _day(digits[:size], digits[size : size + 2], digits[size + 2 :])
    return _arrange(digits[:2], digits[2:4], digits[4:], order)


def _day(year: str, month: str, day: str) -> date:
    if len(year) not in (2, 4):
        raise NotADay(year)
    full = int(year) if len(year) == 4 else int(year) + (2000 if int(year) < 70 else 1900)
    if not YEAR_MIN <= full <= YEAR_MAX:
        raise NotADay(year)
    number = int(month) if month.isdigit() else _MONTH_OF.get(_plain(month), 0)
    return date(full, number, int(day))


@lru_cache(maxsize=_CACHE_MAX)
def is_day(text: str) -> bool:
    may_be = 6 <= len(text) <= DATE_CHARS_MAX and _HAS_DIGIT(text) is not None
    return may_be and any(_fits(text, order) for order in ORDERS)


def _fits(text: str, order: str) -> date | None:
    try:
        return parse_day(text, order)
    except NotADay:
        return None


def find_order(cells: Iterable[str]) -> DateOrder:
    """Finds the order in which most cells are valid dates. If several orders are equally good, prefers the one in which
    the dates are sorted and close together.
    """
    cells = list(dict.fromkeys(cells))
    days = {order: [_fits(cell, order) for cell in cells] for order in ORDERS}
    valid = {order: sum(day is not None for day in order_days) for order, order_days in days.items()}
    most = max(valid.values(), default=0)
    best = sorted((order for order in ORDERS if valid[order] == most), key=lambda order: _oddness(days[order], order))
    if not most:
        return DateOrder(order="ymd")
    if all(days[order] == days[best[0]] for order in best):
        return DateOrder(order="ymd" if cells[0][:4].isdigit() and "ymd" in best else best[0])
    if "dmy" in best and all("." in cell for cell in cells):  # nobody writes a month first with dots
        return DateOrder(order="dmy")
    return DateOrder(order=best[0], rivals=tuple(order for order in best[1:] if days[order] != days[best[0]]))


def _oddness(days: Sequence[date | None], order: str) -> tuple[bool, int, int]:
    real = [day for day in days if day]
    is_sorted = real in (sorted(real), sorted(real, reverse=True))
    span = (max(real) - min(real)).days if real else 0
    return not is_sorted, span, ORDERS.index(order)
