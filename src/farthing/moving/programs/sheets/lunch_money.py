"""Reads Lunch Money's transactions as CSV, whatever names and signs its settings gave them."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import BinaryIO

from farthing.kernel.limits import NAME_MAX

from ...findings import Finding, Unreadable, shorten
from ...source_books import SourceBooks
from ..common.building import build
from ..common.commodities import code_of_symbol
from ..common.csv_rows import (
    CsvRow,
    bad_date,
    day_comes_first,
    find_decimal_mark,
    first_header,
    parse_amount,
    parse_day,
    read_rows,
)
from ..common.register import ALL_ASSETS, Register, RegisterRow, raw_books
from ..unpacking import is_zip, open_files

PROGRAM = "Lunch Money"
_NAMES = {
    "account": ("account name", "account", "asset name", "plaid account name", "account display name"),
    "payee": ("payee", "payee name"),
    "original": ("original name", "original payee", "original description"),
    "category": ("category", "category name"),
    "group": ("category group", "category group name", "parent category"),
    "notes": ("notes", "note"),
    "tags": ("tags", "tag"),
    "currency": ("currency",),
    "status": ("status",),
    "type": ("type", "transaction type"),
    "date": ("date",),
    "amount": ("amount",),
}
_NEEDED = ("date", "payee", "amount", "account", "category")
_TRANSFERS = ("transfer", "payment, transfer", "credit card payment")
_INCOME = ("income", "salary", "paycheck", "interest", "refund")


def _columns(header: list[str]) -> dict[str, str]:
    plain = {name.replace("_", " "): name for name in header}
    return {field: plain[alias] for field, names in _NAMES.items() for alias in reversed(names) if alias in plain}


def looks_like(head: bytes, _filename: str) -> bool:
    if is_zip(head):
        return False
    columns = _columns(first_header(head))
    typical = {"tags", "currency", "original", "status"} & set(columns)
    return set(columns) >= set(_NEEDED) and len(typical) >= 2


def read(
    files: Mapping[str, BinaryIO], *, currency: str | None = None, expenses_are_positive: bool | None = None
) -> SourceBooks:
    findings = [Finding(message=f"Lunch Money does not tell the kinds of the accounts; {ALL_ASSETS}")]
    rows: list[CsvRow] = []
    for name, content in open_files(files).items():
        header, sheet_rows = read_rows(content, name)
        columns = _columns(header)
        if not set(columns) >= set(_NEEDED):
            raise Unreadable(f"{name} is not Lunch Money's file: it has no columns date, payee, amount and account.")
        rows += (CsvRow(row.row, {field: row[column] for field, column in columns.items()}) for row in sheet_rows)
    reader = _Reader(rows, currency, findings, expenses_are_positive)
    register = Register(program=PROGRAM, rows=list(reader.rows()), currency=reader.currency, findings=findings)
    return build(raw_books(register))


class _Reader:
    def __init__(
        self, rows: list[CsvRow], currency: str | None, findings: list[Finding], expenses_are_positive: bool | None
    ) -> None:
        self.given, self.findings = rows, findings
        self.mark = find_decimal_mark(row["amount"] for row in rows)
        self.day_first = bool(day_comes_first(row["date"] for row in rows))
        named = next((row["currency"] for row in rows if row["currency"]), "")
        self.currency = code_of_symbol(named) or currency or "USD"
        if not named:
            findings.append(Finding(message=f"No currency is named; {self.currency} is taken.", field="currency"))
        self.sign = self._sign(expenses_are_positive)

    def _sign(self, expenses_are_positive: bool | None) -> int:
        """Expenses are above or below zero, as the settings say; most rows of a household are expenses."""
        if expenses_are_positive is None:
            amounts = [
                (row["category"].lower(), parse_amount(row["amount"], self.mark) or Decimal(0)) for row in self.given
            ]
            income = [amount for category, amount in amounts if any(word in category for word in _INCOME)]
            rest = [
                amount for category, amount in amounts if not any(word in category for word in _TRANSFERS + _INCOME)
            ]
            votes = sum(_vote(amount) for amount in rest) - sum(_vote(amount) for amount in income)
            expenses_are_positive = votes > 0
        word = "above" if expenses_are_positive else "below"
        self.findings.append(Finding(message=f"Amounts {word} zero are taken as expenses.", field="amount"))
        return -1 if expenses_are_positive else 1

    def rows(self) -> Iterator[RegisterRow]:
        for row in self.given:
            register_row = self._row(row)
            if isinstance(register_row, Finding):
                self.findings.append(register_row)
            else:
                yield register_row

    def _row(self, row: CsvRow) -> RegisterRow | Finding:
        on, amount = parse_day(row["date"][:10], day_first=self.day_first), parse_amount(row["amount"], self.mark)
        if on is None:
            return Finding(message=bad_date(row["date"]), row=row.row, field="date", rejects=True)
        if amount is None:
            message = f"“{shorten(row['amount'])}” is no amount; 12.34 would be right."
            return Finding(message=message, row=row.row, field="amount", rejects=True)
        if not amount:
            return Finding(message=f"The row of {on} moves no money and is not imported.", row=row.row, field="amount")
        original = row["original"]
        category = f"{row['group']}: {row['category']}" if row["group"] and row["category"] else row["category"]
        notes = [row["notes"], f"Bank's text: {original}" if original and original != row["payee"] else ""]
        return RegisterRow(
            row=row.row,
            account=row["account"] or "Cash (no account)",
            on=on,
            amount=amount * self.sign,
            commodity=row["currency"].upper() or self.currency,
            payee=row["payee"],
            category=category[:NAME_MAX] or None,
            notes="\n".join(note for note in notes if note) or None,
            tags=tuple(dict.fromkeys(tag.strip()[:NAME_MAX] for tag in row["tags"].split(",") if tag.strip())),
            is_transfer=any(word in row["category"].lower() for word in _TRANSFERS),
        )


def _vote(amount: Decimal) -> int:
    return (amount > 0) - (amount < 0)
