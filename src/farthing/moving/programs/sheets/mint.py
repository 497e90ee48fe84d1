"""Reads Mint's transactions from CSV."""

from collections.abc import Mapping
from typing import BinaryIO

from farthing.kernel.limits import NAME_MAX

from ...findings import Findings, Unreadable
from ...source_books import SourceBooks
from ..common import csv_rows
from ..common.csv_rows import CsvRow
from ..common.register import ALL_ASSETS, Register, RegisterRow, build_books
from ..unpacking import is_zip, open_files

PROGRAM = "Mint"
_COLUMNS = {"date", "description", "amount", "transaction type", "category", "account name"}
_TRANSFERS = frozenset({"transfer", "credit card payment", "transfer for cash spending"})


def looks_like(head: bytes, _filename: str) -> bool:
    return not is_zip(head) and set(csv_rows.first_header(head)) >= _COLUMNS


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    code = currency or "USD"
    findings = Findings()
    findings.add(f"Mint's files do not name their currency; {code} is used.", field="currency")
    findings.add(f"Mint's files do not contain the kinds of accounts; {ALL_ASSETS}")
    rows: list[CsvRow] = []
    for name, content in open_files(files).items():
        header, sheet_rows = csv_rows.read_rows(content, name)
        if not set(header) >= _COLUMNS:
            raise Unreadable(f"{name} is not Mint's file: it has no columns Date, Amount and Transaction Type.")
        rows += sheet_rows
    mark = csv_rows.find_decimal_mark(row["amount"] for row in rows)
    day_first = bool(csv_rows.day_comes_first(row["date"] for row in rows))
    register_rows = (_register_row(row, code, mark, day_first, findings) for row in rows)
    register = Register(program=PROGRAM, rows=list(filter(None, register_rows)), currency=code, findings=findings)
    return build_books(register)


def _register_row(row: CsvRow, code: str, mark: str | None, day_first: bool, findings: Findings) -> RegisterRow | None:
    on, amount = csv_rows.parse_day(row["date"], day_first=day_first), csv_rows.parse_amount(row["amount"], mark)
    sign = {"debit": -1, "credit": 1}.get(row["transaction type"].lower())
    if on is None:
        csv_rows.refuse_date(row, findings)
    elif amount is None:
        csv_rows.refuse_value(row, "amount", "a number like 12.34", findings)
    elif sign is None:
        csv_rows.refuse_value(row, "transaction type", "debit or credit", findings)
    elif not amount:
        csv_rows.skip_zero(row, on, "amount", findings)
    else:
        return RegisterRow(
            row=row.row,
            account=row["account name"] or "Account",
            on=on,
            amount=amount * sign,
            commodity=code,
            payee=row["description"],
            category=row["category"][:NAME_MAX] or None,
            notes=csv_rows.join_notes(row, row["description"], row["original description"]),
            tags=csv_rows.split_tags(row["labels"]),
            is_transfer=row["category"].lower() in _TRANSFERS,
        )
    return None
