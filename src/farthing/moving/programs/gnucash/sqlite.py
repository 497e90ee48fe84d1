"""Reads a GnuCash book from its SQLite file."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from ...findings import Unreadable, shorten
from ...formats.values import make_date
from ..common.text import parse_iso_date
from ..untrusted_sqlite.rows import Row, read_tables
from .book import GncAccount, GncBook, GncBudget, GncCommodity, GncSplit, GncTransaction

_COUNTED = ("prices", "lots", "invoices", "customers", "vendors", "employees", "jobs")
_WANTED: Mapping[str, Sequence[str]] = {
    "books": ("root_account_guid", "root_template_guid"),
    "commodities": ("guid", "namespace", "mnemonic", "fullname"),
    "accounts": (
        *("guid", "name", "account_type", "commodity_guid", "parent_guid", "code", "description"),
        *("hidden", "placeholder"),
    ),
    "slots": ("obj_guid", "name", "string_val", "gdate_val"),
    "splits": (
        *("tx_guid", "account_guid", "memo", "action", "reconcile_state"),
        *("value_num", "value_denom", "quantity_num", "quantity_denom"),
    ),
    "transactions": ("guid", "currency_guid", "num", "post_date", "description"),
    "schedxactions": ("name",),
    "budgets": ("guid", "name"),
    "budget_amounts": ("budget_guid", "account_guid", "period_num", "amount_num", "amount_denom"),
    "recurrences": ("obj_guid", "recurrence_mult", "recurrence_period_type", "recurrence_period_start"),
    **dict.fromkeys(_COUNTED, ("guid",)),
}
_SLOTS = ("notes", "date-posted", "equity-type", "placeholder")
_NEEDED = ("books", "commodities", "accounts", "transactions", "splits")


class SqliteBook:
    def __init__(self, content: bytes, name: str) -> None:
        self.book = GncBook()
        self.rows: dict[str, list[Row]] = defaultdict(list)
        self.slots: dict[tuple[str, str], Any] = {}
        self.splits: dict[str, list[GncSplit | None]] = defaultdict(list)
        self._read(content, name)
        self.commodities = {row["guid"]: _commodity(row) for row in self.rows["commodities"]}
        self._accounts()
        for number, row in enumerate(self.rows["transactions"], start=1):
            self._transaction(number, row)
        self.book.scheduled += [_text(row, "name") for row in self.rows["schedxactions"]]
        self._budgets()

    def _read(self, content: bytes, name: str) -> None:
        tables = set()
        for table, row in read_tables(content, name, _WANTED):
            if not row:
                tables.add(table)
            elif table == "slots":
                if row.get("name") in _SLOTS:
                    value = row.get("gdate_val") or row.get("string_val")
                    self.slots[_text(row, "obj_guid"), _text(row, "name")] = value
            elif table == "splits":
                self.splits[_text(row, "tx_guid")].append(_split(row))
            elif table in _COUNTED:
                self.book.counts[table] += 1
            else:
                self.rows[table].append(row)
        if missing := [table for table in _NEEDED if table not in tables]:
            raise Unreadable(f"{name} is not a GnuCash file: it has no table {missing[0]}.")

    def _slot(self, guid: str, name: str) -> str:
        return str(self.slots.get((guid, name)) or "")

    def _accounts(self) -> None:
        templates = {row.get("root_template_guid") for row in self.rows["books"]}
        for row in self.rows["accounts"]:
            guid = _text(row, "guid")
            if guid in templates:
                continue
            self.book.accounts[guid] = GncAccount(
                guid=guid,
                name=_text(row, "name"),
                type=_text(row, "account_type"),
                commodity=self.commodities.get(row.get("commodity_guid")),
                parent=row.get("parent_guid"),
                code=_text(row, "code"),
                description=_text(row, "description"),
                notes=self._slot(guid, "notes"),
                placeholder=bool(row.get("placeholder")),
                hidden=bool(row.get("hidden")),
                is_opening=self._slot(guid, "equity-type") == "opening-balance",
            )

    def _transaction(self, number: int, row: Row) -> None:
        guid = _text(row, "guid")
        on = _day(self._slot(guid, "date-posted")) or _day(_text(row, "post_date"))
        currency = self.commodities.get(row.get("currency_guid"))
        splits = self.splits.get(guid, [])
        good = [split for split in splits if split]
        if on is None or currency is None or len(good) < len(splits):
            field = "post_date" if on is None else "currency_guid" if currency is None else "splits"
            self.book.refuse_transaction(number, field, f"“{shorten(_text(row, field))}” " if field != "splits" else "")
            return
        self.book.transactions.append(
            GncTransaction(
                number=number,
                guid=guid,
                on=on,
                currency=currency,
                splits=tuple(good),
                num=_text(row, "num"),
                description=_text(row, "description"),
                notes=self._slot(guid, "notes"),
            )
        )

    def _budgets(self) -> None:
        starts = {_text(row, "obj_guid"): _start(row) for row in self.rows["recurrences"]}
        amounts: dict[str, dict[tuple[str, int], Fraction]] = defaultdict(dict)
        for row in self.rows["budget_amounts"]:
            amount = _fraction(row.get("amount_num"), row.get("amount_denom"))
            period = row.get("period_num")
            if amount and isinstance(period, int):
                amounts[_text(row, "budget_guid")][_text(row, "account_guid"), period] = amount
        for row in self.rows["budgets"]:
            guid = _text(row, "guid")
            budget = GncBudget(name=_text(row, "name"), start_on=starts.get(guid), amounts=amounts[guid])
            self.book.budgets.append(budget)


def _commodity(row: Row) -> GncCommodity:
    return GncCommodity(space=_text(row, "namespace"), mnemonic=_text(row, "mnemonic"), name=_text(row, "fullname"))


def _split(row: Row) -> GncSplit | None:
    value = _fraction(row.get("value_num"), row.get("value_denom"))
    quantity = _fraction(row.get("quantity_num"), row.get("quantity_denom"))
    if value is None or quantity is None:
        return None
    return GncSplit(
        account=_text(row, "account_guid"),
        value=value,
        quantity=quantity,
        memo=_text(row, "memo"),
        action=_text(row, "action"),
        state=_text(row, "reconcile_state"),
    )


def _fraction(top: Any, bottom: Any) -> Fraction | None:
    if type(top) is not int or type(bottom) is not int or bottom <= 0:
        return None
    return Fraction(top, bottom)


def _text(row: Row, column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value)


def _start(row: Row) -> date | None:
    if row.get("recurrence_mult") != 1 or row.get("recurrence_period_type") != "month":
        return None
    return _day(_text(row, "recurrence_period_start"))


def _day(text: str) -> date | None:
    """Reads the day of `2024-01-31 10:59:00`, `20240131105900` or `20240131`, ignoring time zones."""
    day = text.split(" ")[0]
    if len(day) >= 8 and day.isascii() and day.isdigit():
        return make_date(int(day[:4]), int(day[4:6]), int(day[6:8]))
    return parse_iso_date(day)
