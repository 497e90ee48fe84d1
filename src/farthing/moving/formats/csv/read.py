"""Reads a table of transactions by its layout: one statement, row by row, in constant memory."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import chain, islice
from typing import BinaryIO

from ...findings import Finding, Unreadable
from ...statements import StatementEnd, StatementParts, StatementRow, StatementStart
from ..text import decode, lines
from .amounts import Marks, NotAnAmount, amount_parser, currency_in, is_marked
from .cells import Texts, account_parser, clean_text, join_texts, parse_currency
from .dates import NotADay, date_parser
from .layout import CsvLayout, find_column, find_problems
from .sample import account_in, currency_of_column
from .table import COLUMNS_MAX, LINE_CHARS_MAX, Record, records, without_footer
from .words import UNBOOKED_WORDS, is_balance, plain, sign_of

REJECTED_MAX = 10_000
_BROKEN_QUOTE = "A quote opens in this line, but is not closed in the right place."
_SHOWN_MAX = 80
# Cells without an amount: in the debit column if the row is a credit, and the other way round.
_NOTHING = frozenset(("", "-", "–", "—", "--"))
_ORDER_WORDS = {"dmy": "day, month and year", "mdy": "month, day and year", "ymd": "year, month and day"}


def read(file: BinaryIO, layout: CsvLayout) -> StatementParts:
    """Reads the rows as one statement. The file is read twice, first to verify its encoding: it must be seekable."""
    text, _ = decode(file, layout.encoding)
    numbered = lines(text, LINE_CHARS_MAX)
    preamble = [line for _, line in islice(numbered, layout.preamble)]
    footer: list[tuple[int, str]] = []
    body = without_footer(numbered, layout.footer, footer)
    header, rows = _take_header(records(body, delimiter=layout.delimiter, quote=layout.quote), layout)
    account = account_in(preamble, layout.delimiter, layout.quote)
    currency = currency_of_column(layout, header) or account.currency
    yield StatementStart(account=account, currency=currency)
    if rows:
        yield from _rows(rows, layout, header, currency)
    for number, line in footer:
        yield Finding(row=number, message=f"This line is below the table, and is skipped: “{clean_text(line)[:80]}”.")
    yield StatementEnd()


def _take_header(table: Iterator[Record], layout: CsvLayout) -> tuple[list[str] | None, Iterator[Record] | None]:
    """Returns the header (None if the layout has none) and the rows (None if the file is empty)."""
    first = next(table, None)
    if first is None:
        if layout.header:
            raise Unreadable("The file has no header: it is empty, or the preamble includes all of its lines.")
        return None, None
    row, cells = first
    if cells is None:
        raise Unreadable(f"The table's first line, line {row}, opens a quote that is never closed.")
    if len(cells) > COLUMNS_MAX:
        raise Unreadable(f"Line {row} has {len(cells)} columns; at most {COLUMNS_MAX} can be read.")
    header = cells if layout.header else None
    problems = find_problems(layout, header, len(cells))
    if problems:
        raise Unreadable(" ".join(dict.fromkeys(problem.message for problem in problems)))
    return header, table if layout.header else chain((first,), table)


def _rows(table: Iterator[Record], layout: CsvLayout, header: list[str] | None, currency: str | None) -> StatementParts:
    reader = TableRowReader(layout, header, currency)
    read_row = reader.read
    rejected = 0
    for number, cells in table:
        row = None if cells is None else read_row(number, cells)
        if row is not None:
            yield row
        elif cells is None:
            reader.findings.append(Finding(row=number, message=_BROKEN_QUOTE, rejects=True))
        if reader.findings:
            rejected += reader.findings[-1].rejects
            yield from reader.findings
            reader.findings.clear()
            if rejected > REJECTED_MAX:
                raise Unreadable(f"More than {REJECTED_MAX} rows cannot be read. Is this the right file and mapping?")


class _BadCell(Exception):
    """Reports a cell that cannot be read: its `index`, and a `sentence` for the user."""

    def __init__(self, index: int, sentence: str) -> None:
        self.index = index
        self.sentence = sentence


class _Skipped(Exception):
    """Skips a row that is not a transaction. The message says why."""


class TableRowReader:
    """Reads rows by a layout, which is evaluated only once. If `read` returns None, `findings` may say why."""

    def __init__(self, layout: CsvLayout, header: list[str] | None, currency: str | None) -> None:
        self.header = header
        self.findings: list[Finding] = []
        self._currency = currency
        self._indexes = {role: self._find(layout, role) for role in layout.columns}
        at = {role: indexes[0] for role, indexes in self._indexes.items()}.get
        self._on, self._value_on = self._indexes["date"][0], at("value_date")
        self._amount, self._debit, self._credit = at("amount"), at("debit"), at("credit")
        self._sign, self._fee, self._status, self._balance = at("sign"), at("fee"), at("status"), at("balance")
        self._foreign_amount, self._foreign_currency = at("foreign_amount"), at("foreign_currency")
        self._currency_at, self._account_at = at("currency"), at("account")
        self._tags = self._indexes.get("tags", ())
        self._description, self._payee, self._payer = map(self._texts, ("description", "payee", "payer"))
        self._payee_account, self._bank_id = map(self._texts, ("payee_account", "bank_id"))
        self._reference, self._category, self._notes = map(self._texts, ("reference", "category", "notes"))
        self._needed = 1 + max(index for indexes in self._indexes.values() for index in indexes)
        self._width = len(header) if header else 0
        self._invert = layout.invert
        self._parse_day = date_parser(layout.date_order)
        self._parse_amount = amount_parser(Marks(decimal=layout.decimal, thousands=layout.thousands))
        self._parse_account = account_parser()
        self._order = layout.date_order
        self._marks = f"{layout.thousands.join(('1', '234'))}{layout.decimal}56"

    def _find(self, layout: CsvLayout, role: str) -> tuple[int, ...]:
        indexes = [find_column(column, self.header, COLUMNS_MAX) for column in layout.of(role)]
        return tuple(index for index in indexes if index is not None)

    def _texts(self, role: str) -> Texts:
        return join_texts(self._indexes.get(role, ()))

    def read(self, number: int, cells: list[str]) -> StatementRow | None:
        try:
            if 0 < self._width < len(cells) and (len(cells) > COLUMNS_MAX or any(map(str.strip, cells[self._width :]))):
                counts = f"The row has {len(cells)} cells, the header {self._width}."
                raise _BadCell(-1, f"{counts} A text that contains the delimiter must be quoted.")
            if len(cells) < self._needed:
                # A missing date or amount is reported later, when it is read.
                if not any(cell.strip() for cell in cells):
                    raise _Skipped
                counts = f"{len(cells)} of {self._width or self._needed} cells"
                message = f"The row has only {counts}; the missing cells are read as empty."
                self.findings.append(Finding(row=number, message=message))
                cells.extend([""] * (self._needed - len(cells)))
            return self._read_cells(number, cells)
        except _Skipped as skipped:
            if str(skipped):
                self.findings.append(Finding(row=number, message=str(skipped)))
        except _BadCell as bad:
            if cells == self.header:
                self.findings.append(Finding(row=number, message="The header is repeated here."))
            else:
                self._remark(number, bad, rejects=True)
        return None

    def _read_cells(self, number: int, cells: list[str]) -> StatementRow:
        if self._status is not None and cells[self._status]:
            self._skip_unbooked(cells[self._status])
        for cell in cells:
            if cell and is_balance(cell):
                text = clean_text(cell)[:_SHOWN_MAX]
                raise _Skipped(f"This is a balance (“{text}”), not a transaction, and is skipped.")
        description = self._description(cells)
        day = self._read_day(cells)
        amount = self._read_amount(cells)
        currency = self._read_currency(cells)
        notes = self._notes(cells)
        foreign_amount = foreign_currency = None
        if self._foreign_amount is not None or self._foreign_currency is not None:
            foreign_amount, foreign_currency, foreign_text = self._read_foreign(number, cells, currency, amount)
            notes = f"{notes} {foreign_text}".strip()
        return StatementRow(
            row=number,
            on=day,
            amount=amount,
            description=description,
            currency=currency,
            foreign_amount=foreign_amount,
            foreign_currency=foreign_currency,
            payee=(amount > 0 and self._payer(cells)) or self._payee(cells) or None,
            payee_account=self._payee_account(cells) or None,
            bank_id=self._bank_id(cells) or None,
            reference=self._reference(cells) or None,
            value_on=None if self._value_on is None else self._read_value_day(number, cells),
            category=self._category(cells) or None,
            tags=tuple(tag for index in self._tags if (tag := clean_text(cells[index]))) if self._tags else (),
            notes=notes or None,
            balance=None if self._balance is None else self._read_balance(number, cells),
            account=None if self._account_at is None else self._parse_account(cells[self._account_at]),
        )

    def _skip_unbooked(self, status: str) -> None:
        if plain(status) in UNBOOKED_WORDS:
            raise _Skipped(f"The row is not booked (“{clean_text(status)[:_SHOWN_MAX]}”) and is skipped.")

    def _read_day(self, cells: list[str]) -> date:
        try:
            return self._parse_day(cells[self._on])
        except NotADay:
            if not any(letter.isalnum() for cell in cells for letter in cell):  # empty, or a line of asterisks
                raise _Skipped from None
            self._skip_unbooked(cells[self._on])
            money = [cells[at] for at in (self._amount, self._debit, self._credit) if at is not None]
            if not cells[self._on].strip() and not any(cell.strip() for cell in money):
                raise _Skipped("The row has neither a date nor an amount, and is skipped.") from None
            raise self._bad_day(cells, self._on) from None

    def _read_value_day(self, number: int, cells: list[str]) -> date | None:
        assert self._value_on is not None, "only asked if there is one"
        try:
            return self._parse_day(cells[self._value_on])
        except NotADay:
            if cells[self._value_on].strip():
                self._remark(number, self._bad_day(cells, self._value_on))
            return None

    def _read_amount(self, cells: list[str]) -> Decimal:
        amount = self._read_signed(cells)
        if self._fee is not None and cells[self._fee].strip():
            amount -= abs(self._number(cells, self._fee))
        if not amount:
            raise _Skipped("The amount is zero; there is nothing to import.")
        # An amount that is itself marked as a debit or credit is not inverted.
        return -amount if self._invert and (self._amount is None or not is_marked(cells[self._amount])) else amount

    def _read_signed(self, cells: list[str]) -> Decimal:
        if self._amount is None:
            return self._read_debit_credit(cells)
        if not cells[self._amount].strip():
            raise self._missing_amount(cells, self._amount)
        amount = self._number(cells, self._amount)
        if self._sign is None:
            return amount
        sign = sign_of(cells[self._sign])
        if sign is None:
            marker = _quote(cells[self._sign])
            raise _BadCell(self._sign, f"{marker} is not a debit or credit marker such as D or C.")
        return sign * abs(amount)

    def _read_debit_credit(self, cells: list[str]) -> Decimal:
        debit = self._number_or_zero(cells, self._debit)
        credit = self._number_or_zero(cells, self._credit)
        index = self._debit if self._debit is not None else self._credit
        assert index is not None, "a layout without problems has one of them"
        if debit and credit:
            raise _BadCell(index, "The row has both a debit and a credit, but can have only one of them.")
        if debit is None and credit is None:
            raise self._missing_amount(cells, index)
        return abs(credit) if credit else -abs(debit or Decimal())

    def _missing_amount(self, cells: list[str], index: int) -> Exception:
        if self._balance is not None and cells[self._balance].strip():
            return _Skipped("The row has a balance but no amount, and is skipped.")
        return _BadCell(index, "The amount is missing.")

    def _number_or_zero(self, cells: list[str], index: int | None) -> Decimal | None:
        return self._number(cells, index) if index is not None and cells[index].strip() not in _NOTHING else None

    def _number(self, cells: list[str], index: int) -> Decimal:
        try:
            return self._parse_amount(cells[index])
        except NotAnAmount:
            sentence = f"{_quote(cells[index])} is not an amount as written in this file, such as {self._marks}."
            raise _BadCell(index, sentence) from None

    def _read_balance(self, number: int, cells: list[str]) -> Decimal | None:
        try:
            return self._number_or_zero(cells, self._balance)
        except _BadCell as bad:
            self._remark(number, bad)
            return None

    def _read_currency(self, cells: list[str]) -> str | None:
        if self._currency_at is None:
            money = (self._amount, self._debit, self._credit)
            cell = next((cells[index] for index in money if index is not None and cells[index]), "")
            return currency_in(cell) if cell and not (cell[-1].isdigit() and cell[0] in "-+0123456789") else None
        return self._code(cells, self._currency_at)

    def _code(self, cells: list[str], index: int) -> str | None:
        cell = cells[index]
        if not cell or cell.isspace():
            return None
        code = cell if len(cell) == 3 and cell.isalpha() and cell.isascii() and cell.isupper() else parse_currency(cell)
        if code is None:
            raise _BadCell(index, f"{_quote(cell)} is not a currency code such as EUR.")
        return code

    def _read_foreign(
        self, number: int, cells: list[str], currency: str | None, amount: Decimal
    ) -> tuple[Decimal | None, str | None, str]:
        """Reads the foreign amount, with the sign of the row's amount, and its currency. If the currency is not stated,
        returns the amount as a text for the notes instead.
        """
        try:
            foreign = self._number_or_zero(cells, self._foreign_amount)
            code = self._code(cells, self._foreign_currency) if self._foreign_currency is not None else None
            if code is None and foreign and self._foreign_amount is not None:
                code = currency_in(cells[self._foreign_amount])
        except _BadCell as bad:
            self._remark(number, bad)
            return None, None, ""
        if not foreign or (code and code == (currency or self._currency)):
            return None, None, ""
        if code is None:
            same = abs(foreign) == abs(amount)
            return None, None, "" if same else f"{self._name(self._foreign_amount or 0)}: {foreign}"
        return foreign.copy_sign(amount), code, ""

    def _remark(self, number: int, bad: _BadCell, *, rejects: bool = False) -> None:
        field = self._name(bad.index) if bad.index >= 0 else None
        self.findings.append(Finding(row=number, field=field, message=bad.sentence, rejects=rejects))

    def _bad_day(self, cells: list[str], index: int) -> _BadCell:
        return _BadCell(index, f"{_quote(cells[index])} is not a date in the order {_ORDER_WORDS[self._order]}.")

    def _name(self, index: int) -> str:
        name = self.header[index].strip() if self.header and index < len(self.header) else ""
        return name or f"column {index}"


def _quote(cell: str) -> str:
    text = " ".join(cell[:400].split())
    return f"“{text[:_SHOWN_MAX]}”" if text else "An empty cell"
