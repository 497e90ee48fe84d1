"""Reads Lunch Money's transactions from CSV. The names of columns and the signs of amounts depend on its settings."""

from collections.abc import Mapping
from decimal import Decimal
from typing import BinaryIO

from farthing.kernel.limits import NAME_MAX

from ...findings import Findings, Unreadable
from ...source_books import SourceBooks
from ..common import csv_rows
from ..common.commodities import code_of_symbol
from ..common.csv_rows import CsvRow
from ..common.register import ALL_ASSETS, Register, RegisterRow, build_books
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
    columns = _columns(csv_rows.first_header(head))
    typical = {"tags", "currency", "original", "status"} & set(columns)
    return set(columns) >= set(_NEEDED) and len(typical) >= 2


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    findings = Findings()
    findings.add(f"Lunch Money's files do not contain the kinds of accounts; {ALL_ASSETS}")
    rows: list[CsvRow] = []
    for name, content in open_files(files).items():
        header, sheet_rows = csv_rows.read_rows(content, name)
        columns = _columns(header)
        if not set(columns) >= set(_NEEDED):
            raise Unreadable(f"{name} is not Lunch Money's file: it has no columns date, payee, amount and account.")
        rows += (CsvRow(row.row, {field: row[column] for field, column in columns.items()}) for row in sheet_rows)
    reader = _Reader(rows, currency, findings)
    register = Register(program=PROGRAM, rows=reader.rows(), currency=reader.currency, findings=findings)
    return build_books(register)


class _Reader:
    def __init__(self, rows: list[CsvRow], currency: str | None, findings: Findings) -> None:
        self.sheet_rows, self.findings = rows, findings
        self.mark = csv_rows.find_decimal_mark(row["amount"] for row in rows)
        self.day_first = bool(csv_rows.day_comes_first(row["date"] for row in rows))
        named = next((row["currency"] for row in rows if row["currency"]), "")
        self.currency = code_of_symbol(named) or currency or "USD"
        if not named:
            findings.add(f"The file names no currency; {self.currency} is used.", field="currency")
        # The user's settings decide how expenses are signed; most rows of a household are expenses.
        expenses_are_positive = sum(map(self._vote, self.sheet_rows)) > 0
        word = "above" if expenses_are_positive else "below"
        self.findings.add(f"Amounts {word} zero are taken as expenses.", field="amount")
        self.sign = -1 if expenses_are_positive else 1

    def _vote(self, row: CsvRow) -> int:
        """Returns 1 for a row that suggests positive expenses, -1 for one that suggests negative ones."""
        amount, category = csv_rows.parse_amount(row["amount"], self.mark) or Decimal(0), row["category"].lower()
        sign = (amount > 0) - (amount < 0)
        is_income = any(word in category for word in _INCOME)
        return -sign if is_income else 0 if any(word in category for word in _TRANSFERS) else sign

    def rows(self) -> list[RegisterRow]:
        return list(filter(None, map(self._row, self.sheet_rows)))

    def _row(self, row: CsvRow) -> RegisterRow | None:
        on = csv_rows.parse_day(row["date"][:10], day_first=self.day_first)
        amount = csv_rows.parse_amount(row["amount"], self.mark)
        if on is None:
            csv_rows.refuse_date(row, self.findings)
        elif amount is None:
            csv_rows.refuse_value(row, "amount", "a number like 12.34", self.findings)
        elif not amount:
            csv_rows.skip_zero(row, on, "amount", self.findings)
        else:
            category = f"{row['group']}: {row['category']}" if row["group"] and row["category"] else row["category"]
            return RegisterRow(
                row=row.row,
                account=row["account"] or "Cash (no account)",
                on=on,
                amount=amount * self.sign,
                commodity=row["currency"].upper() or self.currency,
                payee=row["payee"],
                category=category[:NAME_MAX] or None,
                notes=csv_rows.join_notes(row, row["payee"], row["original"]),
                tags=csv_rows.split_tags(row["tags"]),
                is_transfer=any(word in row["category"].lower() for word in _TRANSFERS),
            )
        return None
