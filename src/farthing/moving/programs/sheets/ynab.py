"""Reads YNAB's register and budget (or plan) from CSV files of the classic or the new program, zipped or not."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import chain
from typing import BinaryIO

from msgspec import Struct

from farthing.kernel.limits import NAME_MAX

from ...findings import Findings, Unreadable, shorten
from ...formats.values import make_date
from ...source_books import SourceBooks, SourceBudget, SourceBudgetLimit
from ..common import csv_rows, register
from ..common.commodities import code_of_symbol
from ..common.csv_rows import CsvRow
from ..unpacking import is_zip, open_files

PROGRAM = "YNAB"
_REGISTER = {"account", "date", "payee", "outflow", "inflow"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_TRANSFER = "transfer : "


def looks_like(head: bytes, _filename: str) -> bool:
    if is_zip(head):
        return any(word in head for word in (b"Register.csv", b"Plan.csv", b"Budget.csv"))
    header = set(csv_rows.first_header(head))
    return header >= _REGISTER or _is_budget(header)


def _is_budget(header: set[str]) -> bool:
    return "month" in header and bool(header & {"budgeted", "assigned"}) and bool(header & {"category", "sub category"})


def read(files: Mapping[str, BinaryIO], *, currency: str | None = None) -> SourceBooks:
    sheets = [csv_rows.read_rows(content, name) for name, content in open_files(files).items() if content.strip()]
    registers = [list(rows) for header, rows in sheets if set(header) >= _REGISTER]
    budget = [list(rows) for header, rows in sheets if _is_budget(set(header))]
    if not registers:
        raise Unreadable("There is no register: a CSV file with the columns Account, Date, Payee, Outflow and Inflow.")
    findings = Findings()
    if len(registers) + len(budget) < len(sheets):
        findings.add("A file is neither a register nor a budget; it is skipped.")
    sheet = _Sheet(list(chain(*registers)), list(chain(*budget)), currency, findings)
    return register.build_books(sheet.as_register())


class _Split(Struct):
    """Tracks the split being read: its number and how many of its parts are still to come."""

    group: int = 0
    left: int = 0


class _Sheet:
    def __init__(self, rows: list[CsvRow], budget: list[CsvRow], currency: str | None, findings: Findings) -> None:
        self.rows, self.budget, self.findings = rows, budget, findings
        values = [row[column] for row in rows for column in ("outflow", "inflow")]
        self.mark = csv_rows.find_decimal_mark(values)
        symbols = dict.fromkeys(symbol for value in values[:10_000] if (symbol := csv_rows.split_symbol(value)[0]))
        codes = [code for symbol in symbols if (code := code_of_symbol(symbol))]
        self.currency = currency or (codes[0] if codes else "EUR")
        sign = f"the symbol “{next(iter(symbols))}”" if symbols else "no currency"
        message = f"The amounts have {sign}; {self.currency} is used as the currency of all accounts."
        self.findings.add(message, field="currency")
        self.findings.add(f"YNAB's export does not contain the kinds of accounts; {register.ALL_ASSETS}")
        self.day_first = self._day_first()

    def as_register(self) -> register.Register:
        budgets: dict[str, SourceBudget] = {}
        limits = tuple(self._limits(budgets))
        return register.Register(
            program=PROGRAM,
            rows=list(self._rows()),
            currency=self.currency,
            findings=self.findings,
            budgets=budgets,
            limits=limits,
            categories=tuple(dict.fromkeys(name for row in self.budget if (name := _category(row)))),
        )

    def _day_first(self) -> bool:
        dates = [row["date"] for row in self.rows]
        day_first = csv_rows.day_comes_first(dates)
        if day_first is not None:
            return day_first
        first = any("." in value for value in dates[:100])
        if any(value[:4].count("-") == 0 and not value[:4].isdigit() for value in dates[:100]):
            order = "day before month" if first else "month before day"
            message = f"The dates do not reveal whether the day or the month comes first; {order} is assumed."
            self.findings.add(message, field="date")
        return first

    def _rows(self) -> Iterator[register.RegisterRow]:
        split = _Split()
        cleared = 0
        for row in self.rows:
            register_row = self._row(row, split)
            if register_row:
                cleared += row["cleared"].lower() in ("cleared", "c")
                yield register_row
        self.findings.add_counts([(cleared, "rows are marked as cleared, but not reconciled; that mark is not kept.")])

    def _row(self, row: CsvRow, split: _Split) -> register.RegisterRow | None:
        memo, group = self._split(row["memo"], split)
        on = csv_rows.parse_day(row["date"], day_first=self.day_first)
        outflow, inflow = (csv_rows.parse_amount(row[column], self.mark) for column in ("outflow", "inflow"))
        if on is None:
            csv_rows.refuse_date(row, self.findings)
            return None
        if outflow is None or inflow is None or not row["account"]:
            field = "account" if not row["account"] else "outflow" if outflow is None else "inflow"
            csv_rows.refuse_value(row, field, "a number like 12.34", self.findings)
            return None
        if outflow == inflow:
            csv_rows.skip_zero(row, on, "outflow", self.findings)
            return None
        payee = row["payee"]
        at = payee.lower().rfind(_TRANSFER)
        is_transfer = at == 0 or (at > 0 and payee[:at].rstrip().endswith("/"))
        return register.RegisterRow(
            row=row.row,
            account=row["account"],
            on=on,
            amount=inflow - outflow,
            commodity=self.currency,
            payee=payee,
            category=_category(row),
            notes=memo or None,
            tags=(row["flag"][:NAME_MAX],) if row["flag"] else (),
            reconciled=row["cleared"].lower() in ("reconciled", "r"),
            transfer=payee[at + len(_TRANSFER) :].strip() if is_transfer else "",
            group=None if register.is_starting_balance(payee) else group,
            reference=row["check number"] or None,
        )

    def _split(self, memo: str, split: _Split) -> tuple[str, int | None]:
        """Splits a memo like `Split (1/2) text` or `(Split 1/2) text` into its text and the number of the split."""
        split_number = _place(memo)
        if split_number is None:
            split.left = 0
            return memo, None
        number, count, text = split_number
        if number == 1 or not split.left:
            split.group, split.left = split.group + 1, count - number + 1
        split.left -= 1
        return text, split.group

    def _limits(self, budgets: dict[str, SourceBudget]) -> Iterator[SourceBudgetLimit]:
        column = "assigned" if any(row["assigned"] for row in self.budget[:1]) else "budgeted"
        mark = csv_rows.find_decimal_mark(row[column] for row in self.budget) or self.mark
        for row in self.budget:
            name, start, amount = _category(row), _month(row["month"]), csv_rows.parse_amount(row[column], mark)
            if start is None or amount is None or not name:
                field = "month" if start is None else column if amount is None else "category"
                self.findings.add(f"“{shorten(row[field])}” is no {field} of a budget.", row.row, field, rejects=True)
            elif amount < 0:
                self.findings.add(register.budget_below_zero(amount, name, start), row.row)
            elif amount:
                budgets.setdefault(name, SourceBudget(key=name, name=name))
                yield register.limit_of_month(name, amount, self.currency, start)


def _category(row: CsvRow) -> str | None:
    group = row["category group"] or row["master category"]
    name = row["sub category"] if row["master category"] else row["category"]
    if group and name:
        return f"{group}: {name}"[:NAME_MAX]
    return (name or row["category group/category"] or row["category"] or group)[:NAME_MAX] or None


def _place(memo: str) -> tuple[int, int, str] | None:
    lower = memo[:30].lower()
    if not lower.startswith(("split (", "(split ")) or ")" not in lower:
        return None
    end = lower.index(")")
    number, _, count = lower[7:end].partition("/")
    if not (number.isdigit() and count.isdigit() and number.isascii() and count.isascii()):
        return None
    return int(number), int(count), memo[end + 1 :].strip()


def _month(text: str) -> date | None:
    """Parses a month such as `Jan 2024`, `January 2024` or `2024-01`."""
    words = text.replace("-", " ").replace("/", " ").split()
    numbers = [word for word in words if word.isascii() and word.isdigit()]
    names = [word.lower()[:3] for word in words if not word.isdigit()]
    if len(words) == 2 and len(numbers) == 1 and names[0] in _MONTHS:
        return make_date(int(numbers[0][:5]), _MONTHS.index(names[0]) + 1, 1)
    if len(numbers) >= 2:
        year, month = sorted((int(number[:5]) for number in numbers[:2]), reverse=True)
        return make_date(year, month, 1)
    return None
