"""Reads the tables about money from an Actual file, row by row. Deleted rows are skipped."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from ...findings import Findings, Unreadable, shorten
from ...formats.values import make_date
from ..untrusted_sqlite.rows import Row, read_tables

WANTED: Mapping[str, Sequence[str]] = {
    "accounts": ("id", "name", "offbudget", "closed", "tombstone", "type", "official_name", "mask"),
    "transactions": (  # noqa: SIM905
        "id isParent isChild acct category amount description notes date financial_id imported_description "
        "starting_balance_flag transferred_id tombstone cleared reconciled pending parent_id"
    ).split(),
    "payees": ("id", "name", "tombstone", "transfer_acct"),
    "payee_mapping": ("id", "targetId"),
    "categories": ("id", "name", "is_income", "cat_group", "tombstone", "goal_def", "hidden"),
    "category_groups": ("id", "name", "tombstone"),
    "category_mapping": ("id", "transferId"),
    "notes": ("id", "note"),
    "preferences": ("id", "value"),
    "zero_budgets": ("month", "category", "amount", "carryover"),
    "reflect_budgets": ("month", "category", "amount", "carryover"),
    "schedules": ("id", "name", "tombstone", "completed"),
    "rules": ("id", "tombstone"),
}
_TEXTS = {"payee": "description", "imported": "imported_description", "transferred": "transferred_id"}
_TEXTS |= {name: name for name in ("category", "notes", "financial_id")}
_FLAGS = {"is_opening": "starting_balance_flag", "cleared": "cleared", "reconciled": "reconciled"}
_NEEDED = ("accounts", "transactions", "payees", "categories")


class ActualRow(Struct, frozen=True, kw_only=True):
    """Represents one row of a register. In a part of a split row, `parent` is the id of the whole row. Missing texts
    are empty.
    """

    number: int
    id: str
    account: str
    on: date
    amount: int
    parent: str
    payee: str
    category: str
    notes: str
    imported: str
    financial_id: str
    transferred: str
    is_opening: bool
    cleared: bool
    reconciled: bool


class ActualTables(Struct, kw_only=True):
    rows: dict[str, ActualRow]
    others: dict[str, list[Row]]
    findings: Findings
    counts: Counter[str]

    def names(self, table: str, key: str = "id", value: str = "name") -> dict[str, str]:
        rows = self.others.get(table, [])
        return {str(row.get(key)): str(row.get(value)) for row in rows if row.get(value) is not None}


def read_actual_tables(content: bytes, name: str) -> ActualTables:
    tables = ActualTables(rows={}, others=defaultdict(list), findings=Findings(), counts=Counter())
    tables_read = set()
    for table, row in read_tables(content, name, WANTED):
        if not row:
            tables_read.add(table)
        elif table == "transactions":
            tables.counts["transactions"] += 1
            _take(tables, row, tables.counts["transactions"])
        elif not row.get("tombstone"):
            tables.others[table].append(row)
    if missing := [table for table in _NEEDED if table not in tables_read]:
        raise Unreadable(f"{name} is not an Actual file: it has no table {missing[0]}.")
    return tables


def _take(tables: ActualTables, row: Row, number: int) -> None:
    if row.get("tombstone"):
        tables.counts["deleted"] += 1
        return
    on, amount, account = _day(row.get("date")), row.get("amount"), row.get("acct")
    if on is None or type(amount) is not int or not isinstance(account, str) or not isinstance(row.get("id"), str):
        field = "date" if on is None else "acct" if not isinstance(account, str) else "amount"
        value = shorten(str(row.get(field)))
        right = {"date": "a day such as 20240531", "amount": "a number of cents", "acct": "the id of an account"}[field]
        message = f"A transaction has the {field} “{value}”, but it must be {right}."
        tables.findings.add(message, number, field, rejects=True)
        return
    details: dict[str, Any] = {field: _text(row, column) for field, column in _TEXTS.items()}
    details |= {field: bool(row.get(column)) for field, column in _FLAGS.items()}
    # Older files write the parent's id in the id: parent/child.
    parent = (_text(row, "parent_id") or row["id"].split("/")[0]) if row.get("isChild") else ""
    tables.rows[row["id"]] = ActualRow(
        number=number, id=row["id"], account=account, on=on, amount=amount, parent=parent, **details
    )


def _text(row: Row, column: str) -> str:
    value = row.get(column)
    return value if isinstance(value, str) else ""


def _day(value: Any) -> date | None:
    if type(value) is not int or not 0 < value < 10**8:
        return None
    return make_date(value // 10_000, value // 100 % 100, value % 100)
