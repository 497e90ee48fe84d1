"""Reads a GnuCash book from its XML file, element by element; names have no namespaces."""

import re
from datetime import date
from fractions import Fraction
from io import BytesIO

from ...findings import Unreadable, shorten
from ...formats.xml_elements import Node, iterate
from ..common.text import parse_iso_date
from .book import GncAccount, GncBook, GncBudget, GncCommodity, GncSplit, GncTransaction

TRANSACTIONS_MAX = 300_000
_PERIOD = re.compile("-?[0-9]{1,4}")
_COUNTED = {"price": "prices", "GncInvoice": "invoices", "GncCustomer": "customers", "GncVendor": "vendors"}
_COUNTED |= {"GncEmployee": "employees", "GncJob": "jobs"}


def read_xml(content: bytes, name: str) -> GncBook:
    reader = _Reader()
    has_book = False
    for event, node in iterate(BytesIO(content), {"book"}, through={"pricedb"}):
        has_book = True
        if event == "child":
            reader.take(node)
    if not has_book:
        raise Unreadable(f"{name} is XML, but not a GnuCash book.")
    return reader.book


class _Reader:
    def __init__(self) -> None:
        self.book = GncBook()
        self.commodities: dict[tuple[str, str], GncCommodity] = {}
        self.number = 0

    def take(self, node: Node) -> None:
        if node.name == "account":
            self._account(node)
        elif node.name == "transaction":
            self._transaction(node)
        elif node.name == "schedxaction":
            self.book.scheduled.append(node.value("name"))
        elif node.name == "budget":
            self.book.budgets.append(_budget(node))
        elif node.name == "commodity":
            commodity = _commodity(node)
            self.commodities[commodity.space, commodity.mnemonic] = commodity
        elif node.name in _COUNTED:
            self.book.counts[_COUNTED[node.name]] += 1

    def _named(self, node: Node | None) -> GncCommodity | None:
        commodity = _commodity(node) if node else None
        return self.commodities.get((commodity.space, commodity.mnemonic), commodity) if commodity else None

    def _account(self, node: Node) -> None:
        guid = node.value("id")
        if lots := len(node.all("lots", "lot")):
            self.book.counts["lots"] += lots
        self.book.accounts[guid] = GncAccount(
            guid=guid,
            name=node.value("name"),
            type=node.value("type"),
            commodity=self._named(node.first("commodity")),
            parent=node.value("parent") or None,
            code=node.value("code"),
            description=node.value("description"),
            notes=_slot(node, "notes"),
            placeholder=_slot(node, "placeholder") == "true",
            hidden=_slot(node, "hidden") == "true",
            is_opening=_slot(node, "equity-type") == "opening-balance",
        )

    def _transaction(self, node: Node) -> None:
        self.number += 1
        if self.number > TRANSACTIONS_MAX:
            raise Unreadable(f"The book has more than {TRANSACTIONS_MAX} transactions.")
        written = node.value("date-posted", "date")
        on = parse_iso_date(_slot(node, "date-posted", "gdate")) or parse_iso_date(written[:10])
        currency = self._named(node.first("currency"))
        splits = [_split(split) for holder in node.all("splits")[:1] for split in holder.children]
        good = [split for split in splits if split]
        if on is None or currency is None or len(good) < len(splits):
            field = "date-posted" if on is None else "currency" if currency is None else "splits"
            self.book.refuse_transaction(self.number, field, f"“{shorten(written)}” " if on is None else "")
            return
        self.book.transactions.append(
            GncTransaction(
                number=self.number,
                guid=node.value("id"),
                on=on,
                currency=currency,
                splits=tuple(good),
                num=node.value("num"),
                description=node.value("description"),
                notes=_slot(node, "notes"),
            )
        )


def _slot(node: Node, key: str, *path: str) -> str:
    """Returns the value of a slot, one of the named values that GnuCash can attach to any object."""
    slots = (slot for slot in _slots(node) if slot.value("key") == key)
    return next((slot.value("value", *path) for slot in slots), "")


def _slots(node: Node) -> list[Node]:
    return (node.first("slots") or node).children


def _commodity(node: Node) -> GncCommodity:
    return GncCommodity(space=node.value("space"), mnemonic=node.value("id"), name=node.value("name"))


def _split(node: Node) -> GncSplit | None:
    value, quantity = _fraction(node.value("value")), _fraction(node.value("quantity"))
    if value is None or quantity is None:
        return None
    return GncSplit(
        account=node.value("account"),
        value=value,
        quantity=quantity,
        memo=node.value("memo"),
        action=node.value("action"),
        state=node.value("reconciled-state"),
    )


def _fraction(text: str) -> Fraction | None:
    """Parses a fraction such as `-1234/100`."""
    top, _, bottom = text.partition("/")
    if len(top) > 30 or len(bottom) > 20:
        return None
    try:
        return Fraction(int(top), int(bottom or "1"))
    except (ValueError, ZeroDivisionError):
        return None


def _budget(node: Node) -> GncBudget:
    is_monthly = node.value("recurrence", "period_type") == "month" and node.value("recurrence", "mult") == "1"
    start: date | None = parse_iso_date(node.value("recurrence", "start", "gdate")) if is_monthly else None
    amounts: dict[tuple[str, int], Fraction] = {}
    for slot in _slots(node):
        for period in (child for value in slot.all("value")[:1] for child in value.children):
            number, amount = period.value("key"), _fraction(period.value("value"))
            if amount and _PERIOD.fullmatch(number):
                amounts[slot.value("key"), int(number)] = amount
    return GncBudget(name=node.value("name"), start_on=start, amounts=amounts)
