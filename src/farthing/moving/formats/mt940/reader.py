"""Reads the fields of MT940 and MT942 messages, and turns statement lines and their details into rows."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import BinaryIO

from ... import statements
from ...findings import Finding, Unreadable
from .. import text as texts
from ..values import clean, full_year, is_iban, join, leave_out, make_date, name_account, parse_decimal, quote, reject
from .details import Details, read_details, rename_subfields

# Value date, entry date, mark, funds code (the third letter of the currency), amount, type, the references.
_LINE = re.compile(
    r"(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d))?\s*(R?[CD]|E[CD])([A-Z])?"
    r"\s*(\d{1,15}[,.]?\d{0,6})(?![\d.,])([A-Z][A-Z0-9 ]{3})?(.*)"
)
# Words that replace the reference if there is none, or if the details contain it.
_NO_REFERENCES = {"", "NONREF", "NOREF", "NOTPROVIDED", "KREF+", "EREF", "PREF", "MARF"}
_RIGHT = "it should be a statement line such as 2401310131D12,50NTRFNONREF"
_FIELD = re.compile(r":(\d\d[A-Z]?|NS):(.*)", re.DOTALL)
_HEAD = re.compile(rb"(^|\{4:)[\x01-\x03 \n\xef\xbb\xbf\xff\xfe]{0,4}:(20|25P?|28C?|60[FM]|61|62[FM]):", re.MULTILINE)
_BALANCE = re.compile(r"\s*([CD])(\d\d)(\d\d)(\d\d)([A-Z]{3})?\s*([\d,.]{1,20})")
_FLOOR = re.compile(r"\s*([A-Z]{3})")
# Control characters: SWIFT ends a message with the last of them, and files from terminals also contain the others.
_FRAMING = "\x01\x02\x03"
FIELD_LINES_MAX = 100
LINE_CHARS_MAX = 10_000


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001 (one signature for all formats)
    plain = head.replace(b"\0", b"").replace(b"\r", b"\n")
    fields = {match[2][:2] for match in _HEAD.finditer(plain)}
    return b"25" in fields and len(fields) >= 3


def read(file: BinaryIO, encoding: str | None = None) -> statements.StatementParts:
    """Reads the statements. The number of a row is its line in the file."""
    text, _ = texts.decode(file, encoding, framing=_FRAMING)
    reader = Mt940Reader()
    for number, tag, value in _split_fields(texts.lines(text, LINE_CHARS_MAX)):
        yield from reader.take(number, tag, value)
    yield from reader.finish()


def _split_fields(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """Yields each field with the number of its first line; lines between messages belong to no field."""
    at, tag, values = 0, "", list[str]()
    for number, line in lines:
        line = line.strip(_FRAMING)
        match = _FIELD.match(line[line.find("{4:") + 3 :].lstrip() if "{4:" in line else line)
        ends = line.rstrip() in ("-", "-}") or line.startswith(("-}", "{1:"))
        if (match or ends) and tag:
            yield at, tag, "\n".join(values)
            tag = ""
        if match:
            at, tag, values = number, match[1], [match[2]]
        elif tag:
            values.append(line)
            if len(values) > FIELD_LINES_MAX:
                raise Unreadable(f"The field :{tag}: in line {at} has more than {FIELD_LINES_MAX} lines.")
    if tag:
        yield at, tag, "\n".join(values)


class Mt940Reader:
    """Turns fields into statements. A row is held back until the next field, which may contain the row's details."""

    def __init__(self) -> None:
        self.messages = 0
        self.row: tuple[int, str, list[str]] | None = None
        self._reset()

    def _reset(self) -> None:
        self.is_open = self.has_begun = False
        self.account = statements.NO_ACCOUNT
        self.currency: str | None = None
        self.opening: statements.BalanceOn | None = None
        self.closing: statements.BalanceOn | None = None

    def take(self, number: int, tag: str, value: str) -> Iterator[statements.StatementPart]:
        if tag in ("86", "NS") and self.row is not None:
            self.row[2].append(value if tag == "86" else rename_subfields(value))
            return
        yield from self._flush()
        if tag == "20" or (tag in ("25", "25P") and self.has_begun):  # some banks write no :20:
            yield from self._end()
            self.is_open, self.messages = True, self.messages + 1
        if tag in ("25", "25P"):
            self._read_account(value)
        elif tag in ("60F", "60M"):
            yield from self._read_opening(number, value)
        elif tag == "34F":
            match = _FLOOR.match(value)
            self.currency = self.currency or (match[1] if match else None)
        elif tag == "61":
            yield from self._begin()
            self.row = (number, value, [])
        elif tag in ("62F", "62M"):
            yield from self._begin()
            balance = read_balance(value)
            if balance is None:
                yield _tell_balance(number, ":62F:", value)
            else:
                self.closing = balance[0]
        elif tag == "86" and value.strip():
            yield Finding(row=number, field=":86:", message=f"The bank's remark on the statement: {quote(value)}.")

    def _read_account(self, value: str) -> None:
        """Reads an account: `IBAN`, `IBAN CUR`, `BLZ/number`, or an account number with the bank in the next line."""
        value = value.strip()
        first, _, below = value.partition("\n")
        compact = first.replace(" ", "")
        if is_iban(compact[:-3]) and compact[-3:].isalpha():
            self.account = name_account(compact[:-3], bank=clean(below), currency=compact[-3:])
            return
        bank, slash, rest = first.rpartition("/")
        self.account = name_account(rest if slash else first, bank=clean(bank) or clean(below))

    def _read_opening(self, number: int, value: str) -> Iterator[statements.StatementPart]:
        balance = read_balance(value)
        if balance is None:
            yield _tell_balance(number, ":60F:", value)
        elif self.has_begun:
            # The next page of a statement in the same message.
            yield from self._end(keep=True)
            self.is_open = True
        if balance is not None:
            self.opening = balance[0]
            self.currency = balance[1] or self.currency

    def _begin(self) -> Iterator[statements.StatementPart]:
        if not self.has_begun:
            self.has_begun = self.is_open = True
            yield statements.StatementStart(account=self.account, currency=self.currency, opening=self.opening)

    def _flush(self) -> Iterator[statements.StatementPart]:
        if self.row is not None:
            number, value, details = self.row
            self.row = None
            yield from read_row(number, value, details)

    def _end(self, *, keep: bool = False) -> Iterator[statements.StatementPart]:
        """Ends a statement. A message without balances and rows is also a statement."""
        account = self.account
        if self.is_open:
            yield from self._begin()
            yield statements.StatementEnd(closing=self.closing)
        self._reset()
        if keep:
            self.account = account

    def finish(self) -> Iterator[statements.StatementPart]:
        yield from self._flush()
        if not self.messages and not self.is_open:
            raise Unreadable("This is not an MT940 file: the field :20: is missing.")
        if self.opening is not None and self.closing is None:
            yield Finding(field=":62F:", message="The last statement has no closing balance. Is the file complete?")
        yield from self._end()


def read_balance(value: str) -> tuple[statements.BalanceOn, str | None] | None:
    match = _BALANCE.match(value)
    amount = parse_swift_amount(match[6]) if match else None
    if match is None or amount is None:
        return None
    on = read_swift_day(match, 2)
    return statements.BalanceOn(amount=-amount if match[1] == "D" else amount, on=on), match[5]


def parse_swift_amount(text: str) -> Decimal | None:
    return parse_decimal(text, "," if "," in text else ".")


def read_swift_day(match: re.Match[str], first: int) -> date | None:
    """Reads year, month and day from three groups of the match, beginning with the group number `first`."""
    return make_date(full_year(int(match[first])), int(match[first + 1]), int(match[first + 2]))


def _tell_balance(number: int, field: str, value: str) -> Finding:
    message = f"{field} is {quote(value)}, which is not a balance such as C240131EUR12,50; it is not checked."
    return Finding(row=number, field=field, message=message)


def read_row(number: int, value: str, details: list[str]) -> Iterator[statements.StatementPart]:
    first = value.strip().partition("\n")[0]
    line = _LINE.match(value.strip())
    value_on = read_swift_day(line, 1) if line else None
    amount = parse_swift_amount(line[8]) if line else None
    if line is None or value_on is None or amount is None:
        yield reject(number, ":61:", first, _RIGHT)
        return
    on = find_entry_day(value_on, line[4], line[5]) if line[4] else value_on
    if on is None:
        yield reject(number, ":61:", first, _RIGHT)
    elif line[6].startswith("E"):
        yield leave_out(number, f"The bank only expects this row of {amount:f} ({line[6]}); it is not booked yet.")
    elif not amount:
        yield leave_out(number, "The amount is zero.")
    else:
        signed = -amount if line[6] in ("D", "RC") else amount
        yield _make_row(number, on, value_on, signed, line, value.strip()[line.end() :], read_details(details))


def find_entry_day(value_on: date, month: str, day: str) -> date | None:
    """Finds the entry date, which is written without a year: it is the date nearest to the value date."""
    years = (value_on.year - 1, value_on.year, value_on.year + 1)
    days = [entry_day for year in years if (entry_day := make_date(year, int(month), int(day)))]
    return min(days, key=lambda entry_day: abs(entry_day - value_on), default=None)


def _make_row(
    number: int, on: date, value_on: date, amount: Decimal, line: re.Match[str], further: str, details: Details
) -> statements.StatementRow:
    """Makes a row. The bank's reference goes into the notes: it cannot serve as an id, because many banks repeat it."""
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
    return statements.StatementRow(
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
