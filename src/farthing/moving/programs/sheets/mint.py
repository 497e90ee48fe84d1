"""Reads Mint's transactions as CSV."""

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from farthing.kernel.limits import NAME_MAX

from ...findings import Finding, Unreadable, shorten
from ...source_books import SourceBooks
from ..common.building import build
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

PROGRAM = "Mint"
_COLUMNS = {"date", "description", "amount", "transaction type", "category", "account name"}
_TRANSFERS = frozenset({"transfer", "credit card payment", "transfer for cash spending"})


def looks_like(head: bytes, _filename: str) -> bool:
    return not is_zip(head) and set(first_header(head)) >= _COLUMNS


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    code = currency or "USD"
    findings = [
        Finding(message=f"Mint does not name its currency; {code} is taken.", field="currency"),
        Finding(message=f"Mint does not tell the kinds of the accounts; {ALL_ASSETS}"),
    ]
    rows: list[CsvRow] = []
    for name, content in open_files(files).items():
        header, sheet_rows = read_rows(content, name)
        if not set(header) >= _COLUMNS:
            raise Unreadable(f"{name} is not Mint's file: it has no columns Date, Amount and Transaction Type.")
        rows += sheet_rows
    register = Register(
        program=PROGRAM, rows=list(_register_rows(rows, code, findings)), currency=code, findings=findings
    )
    return build(raw_books(register))


def _register_rows(rows: list[CsvRow], code: str, findings: list[Finding]) -> Iterator[RegisterRow]:
    mark = find_decimal_mark(row["amount"] for row in rows)
    day_first = bool(day_comes_first(row["date"] for row in rows))
    for row in rows:
        register_row = _register_row(row, code, mark, day_first)
        if isinstance(register_row, Finding):
            findings.append(register_row)
        else:
            yield register_row


def _register_row(row: CsvRow, code: str, mark: str | None, day_first: bool) -> RegisterRow | Finding:
    on, amount = parse_day(row["date"], day_first=day_first), parse_amount(row["amount"], mark)
    sign = {"debit": -1, "credit": 1}.get(row["transaction type"].lower())
    if on is None:
        return Finding(message=bad_date(row["date"]), row=row.row, field="date", rejects=True)
    if amount is None:
        message = f"“{shorten(row['amount'])}” is no amount; 12.34 would be right."
        return Finding(message=message, row=row.row, field="amount", rejects=True)
    if sign is None:
        message = f"“{shorten(row['transaction type'])}” is no transaction type; debit or credit would be right."
        return Finding(message=message, row=row.row, field="transaction type", rejects=True)
    if not amount:
        return Finding(message=f"The row of {on} moves no money and is not imported.", row=row.row, field="amount")
    original = row["original description"]
    notes = [row["notes"], f"Bank's text: {original}" if original and original != row["description"] else ""]
    return RegisterRow(
        row=row.row,
        account=row["account name"] or "Account",
        on=on,
        amount=amount * sign,
        commodity=code,
        payee=row["description"],
        category=row["category"][:NAME_MAX] or None,
        notes="\n".join(note for note in notes if note) or None,
        tags=tuple(dict.fromkeys(label.strip()[:NAME_MAX] for label in row["labels"].split(",") if label.strip())),
        is_transfer=row["category"].lower() in _TRANSFERS,
    )
