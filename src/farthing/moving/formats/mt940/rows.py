"""Makes a row of a statement line (`:61:`) and its details (`:86:`)."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from ...statements import StatementPart, StatementRow
from ..values import clean, full_year, join, leave_out, parse_day, parse_decimal, reject
from .details import Details, read_details

# Value date, entry date, mark, funds code (the third letter of the currency), amount, type, the references.
_LINE = re.compile(
    r"(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d))?\s*(R?[CD]|E[CD])([A-Z])?"
    r"\s*(\d{1,15}[,.]?\d{0,6})(?![\d.,])([A-Z][A-Z0-9 ]{3})?(.*)"
)
# Words that say that there is no reference, or only where in the details it is.
_NO_REFERENCES = {"", "NONREF", "NOREF", "NOTPROVIDED", "KREF+", "EREF", "PREF", "MARF"}
_RIGHT = "it should be a statement line such as 2401310131D12,50NTRFNONREF"


def read_row(number: int, value: str, details: list[str]) -> Iterator[StatementPart]:
    first = value.strip().partition("\n")[0]
    line = _LINE.match(value.strip())
    value_on = parse_day(full_year(int(line[1])), int(line[2]), int(line[3])) if line else None
    amount = parse_decimal(line[8], "," if "," in line[8] else ".") if line else None
    if line is None or value_on is None or amount is None:
        yield reject(number, ":61:", first, _RIGHT)
        return
    on = find_entry_day(value_on, line[4], line[5]) if line[4] else value_on
    if on is None:
        yield reject(number, ":61:", first, _RIGHT)
    elif line[6].startswith("E"):
        yield leave_out(number, f"The row over {amount:f} is only expected by the bank ({line[6]}).")
    elif not amount:
        yield leave_out(number, "The amount is zero.")
    else:
        signed = -amount if line[6] in ("D", "RC") else amount
        yield _make_row(number, on, value_on, signed, line, value.strip()[line.end() :], read_details(details))


def find_entry_day(value_on: date, month: str, day: str) -> date | None:
    """The entry date has no year: it is the one nearest to the value date."""
    years = (value_on.year - 1, value_on.year, value_on.year + 1)
    days = [entry_day for year in years if (entry_day := parse_day(year, int(month), int(day)))]
    return min(days, key=lambda entry_day: abs(entry_day - value_on), default=None)


def _make_row(
    number: int, on: date, value_on: date, amount: Decimal, line: re.Match[str], further: str, details: Details
) -> StatementRow:
    """The bank's reference is no id: many banks repeat it, so it is only noted."""
    own, _, banks = line[10].partition("//")
    own, banks = own.strip(), banks.strip()
    notes = [
        "Reversal" if line[6].startswith("R") else None,
        f"Type: {line[9].strip()}" if line[9] else None,
        f"Bank reference: {banks}" if banks.upper() not in _NO_REFERENCES else None,
        f"Reference: {own}" if details.reference and own.upper() not in _NO_REFERENCES else None,
        f"Supplement: {clean(further)}" if further.strip() and details.description else None,
        *details.notes,
    ]
    return StatementRow(
        row=number,
        on=on,
        amount=amount,
        description=details.description or clean(further) or details.payee or (line[9] or ""),
        payee=details.payee,
        payee_account=details.payee_account,
        reference=details.reference or (own if own.upper() not in _NO_REFERENCES else None),
        value_on=value_on,
        notes=join(notes, "\n"),
    )
