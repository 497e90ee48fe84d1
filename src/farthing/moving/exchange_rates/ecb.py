"""Reads the exchange rates of the European Central Bank: what one euro buys, by day."""

from datetime import date
from decimal import Decimal, InvalidOperation
from io import BytesIO

from farthing.books.exchange_rates.model import find_rate_problem

from ..findings import Unreadable
from ..formats.xml_elements import Node, iterate
from .rows import ROWS_MAX, RateRow

_BASE = "EUR"
_EXPECTED = "a file like eurofxref-daily.xml of the European Central Bank was expected"


def read_ecb(content: bytes) -> list[RateRow]:
    """Reads a file of the European Central Bank. Raises Unreadable if the file is of another kind or has an error."""
    rows: list[RateRow] = []
    # The outer element `Cube` contains a `Cube` per day, which contains a `Cube` per currency.
    for event, day in iterate(BytesIO(content), {"Cube"}):
        for quoted in day.all("Cube") if event == "child" else ():
            rows.append(_row(len(rows) + 1, day.attributes.get("time", ""), quoted))
            if len(rows) > ROWS_MAX:
                raise Unreadable(f"The file has more than {ROWS_MAX} rates.")
    if not rows:
        raise Unreadable(f"The file has no rates: {_EXPECTED}.")
    return rows


def _row(number: int, day: str, quoted: Node) -> RateRow:
    code, rate = quoted.attributes.get("currency", ""), quoted.attributes.get("rate", "")
    try:
        on = date.fromisoformat(day)
        row = RateRow(number=number, on=on, from_code=_BASE, to_code=code.upper(), rate=Decimal(rate))
        problem = find_rate_problem(row.rate) if row.rate.is_finite() else "must be a number"
    except (ValueError, InvalidOperation):
        problem = "has no day or is not a number"
    if problem or not code:
        which = f"The rate '{rate[:20]}' of '{code[:20]}' on '{day[:20]}'"
        raise Unreadable(f"{which} {problem or 'has no code'}: {_EXPECTED}.")
    return row
