"""Reads a GnuCash book from its XML file, element by element."""

import re
from datetime import date
from fractions import Fraction
from xml.parsers import expat

from ...findings import Finding, Unreadable, shorten
from ..common.text import parse_iso_date
from .book import GncAccount, GncBook, GncBudget, GncCommodity, GncSplit, GncTransaction, new_book, parse_fraction

DEPTH_MAX = 40
NODES_MAX = 500_000
TRANSACTIONS_MAX = 300_000
TEXT_LETTERS_MAX = 2**20
_CHUNK_BYTES = 2**16
_PERIOD = re.compile("-?[0-9]{1,4}")
# The elements that are read one at a time; all else in the book is counted.
_READ = ("gnc:account", "gnc:transaction", "gnc:schedxaction", "gnc:budget", "gnc:commodity")
_COUNTED = {"price": "prices", "gnc:lot": "lots", "gnc:GncInvoice": "invoices", "gnc:GncCustomer": "customers"}
_COUNTED |= {"gnc:GncVendor": "vendors", "gnc:GncEmployee": "employees", "gnc:GncJob": "jobs"}


class BookElement:
    """Holds an element with its text and its children."""

    __slots__ = ("children", "name", "parts")

    def __init__(self, name: str) -> None:
        self.name = name
        self.parts: list[str] = []
        self.children: list[BookElement] = []

    @property
    def text(self) -> str:
        return "".join(self.parts).strip()

    def find(self, name: str) -> "BookElement | None":
        return next((child for child in self.children if child.name == name), None)

    def get(self, *path: str) -> str:
        node: BookElement | None = self
        for name in path:
            node = node.find(name) if node else None
        return node.text if node else ""

    def slot(self, slots: str, key: str) -> "BookElement | None":
        """Returns the value of a slot, which GnuCash uses for later additions."""
        for slot in (self.find(slots) or self).children:
            if slot.get("slot:key") == key:
                return slot.find("slot:value")
        return None


def read_xml(content: bytes, name: str) -> GncBook:
    reader = _Reader()
    try:
        for start in range(0, len(content), _CHUNK_BYTES):
            reader.parser.Parse(content[start : start + _CHUNK_BYTES], False)
        reader.parser.Parse(b"", True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"{name} is not whole XML: {error}.") from error
    if not reader.has_book:
        raise Unreadable(f"{name} is XML, but not a GnuCash book.")
    return reader.book


class _Reader:
    def __init__(self) -> None:
        self.book = new_book()
        self.commodities: dict[tuple[str, str], GncCommodity] = {}
        self.has_book = False
        self.path: list[str] = []
        self.nodes: list[BookElement] = []
        self.letters = 0
        self.count = 0
        self.number = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.buffer_text = True

    def _refuse(self, *_: object) -> None:
        raise Unreadable("The file declares a document type, which GnuCash never does; such files are not read.")

    def _start(self, name: str, _: dict[str, str]) -> None:
        self.path.append(name)
        if len(self.path) > DEPTH_MAX:
            raise Unreadable(f"The file nests more than {DEPTH_MAX} elements.")
        self.has_book = self.has_book or (name == "gnc:book" and self.path[0] == "gnc-v2")
        if name in _COUNTED:
            self.book.counts[_COUNTED[name]] += 1
        is_template = "gnc:template-transactions" in self.path
        if self.nodes or (name in _READ and not is_template):
            self._open(name)

    def _open(self, name: str) -> None:
        node = BookElement(name)
        self.count += 1
        if self.count > NODES_MAX:
            raise Unreadable(f"One element holds more than {NODES_MAX} others.")
        if self.nodes:
            self.nodes[-1].children.append(node)
        self.nodes.append(node)

    def _characters(self, text: str) -> None:
        if self.nodes:
            self.letters += len(text)
            if self.letters > TEXT_LETTERS_MAX:
                raise Unreadable(f"One element holds more than {TEXT_LETTERS_MAX} letters.")
            self.nodes[-1].parts.append(text)

    def _end(self, name: str) -> None:
        self.path.pop()
        if self.nodes:
            node = self.nodes.pop()
            if not self.nodes:
                self.letters = self.count = 0
                self._take(name, node)

    def _take(self, name: str, node: BookElement) -> None:
        if name == "gnc:account":
            self._account(node)
        elif name == "gnc:transaction":
            self._transaction(node)
        elif name == "gnc:schedxaction":
            self.book.scheduled.append(node.get("sx:name"))
        elif name == "gnc:budget":
            self.book.budgets.append(_budget(node))
        else:
            commodity = _commodity(node)
            self.commodities[commodity.space, commodity.mnemonic] = commodity

    def _named(self, node: BookElement | None) -> GncCommodity | None:
        commodity = _commodity(node) if node else None
        return self.commodities.get((commodity.space, commodity.mnemonic), commodity) if commodity else None

    def _account(self, node: BookElement) -> None:
        guid = node.get("act:id")
        equity = node.slot("act:slots", "equity-type")
        self.book.accounts[guid] = GncAccount(
            guid=guid,
            name=node.get("act:name"),
            type=node.get("act:type"),
            commodity=self._named(node.find("act:commodity")),
            parent=node.get("act:parent") or None,
            code=node.get("act:code"),
            description=node.get("act:description"),
            notes=_slot_text(node.slot("act:slots", "notes")),
            placeholder=_slot_text(node.slot("act:slots", "placeholder")) == "true",
            hidden=_slot_text(node.slot("act:slots", "hidden")) == "true",
            is_opening=_slot_text(equity) == "opening-balance",
        )

    def _transaction(self, node: BookElement) -> None:
        self.number += 1
        if self.number > TRANSACTIONS_MAX:
            raise Unreadable(f"The book has more than {TRANSACTIONS_MAX} transactions.")
        posted = node.slot("trn:slots", "date-posted")
        written = node.get("trn:date-posted", "ts:date")
        on = (posted and parse_iso_date(posted.get("gdate"))) or parse_iso_date(written[:10])
        currency = self._named(node.find("trn:currency"))
        holder = node.find("trn:splits")
        splits = [_split(child) for child in holder.children] if holder else []
        good = [split for split in splits if split]
        if on is None or currency is None or len(good) < len(splits):
            field = "date-posted" if on is None else "currency" if currency is None else "splits"
            quoted = f" “{shorten(written)}”" if on is None else ""
            message = f"A transaction has a {field}{quoted} that cannot be read; it is skipped."
            self.book.findings.append(Finding(message=message, row=self.number, field=field, rejects=True))
            return
        self.book.transactions.append(
            GncTransaction(
                number=self.number,
                guid=node.get("trn:id"),
                on=on,
                currency=currency,
                splits=tuple(good),
                num=node.get("trn:num"),
                description=node.get("trn:description"),
                notes=_slot_text(node.slot("trn:slots", "notes")),
            )
        )


def _slot_text(node: BookElement | None) -> str:
    return node.text if node else ""


def _commodity(node: BookElement) -> GncCommodity:
    return GncCommodity(space=node.get("cmdty:space"), mnemonic=node.get("cmdty:id"), name=node.get("cmdty:name"))


def _split(node: BookElement) -> GncSplit | None:
    value, quantity = parse_fraction(node.get("split:value")), parse_fraction(node.get("split:quantity"))
    if value is None or quantity is None:
        return None
    return GncSplit(
        account=node.get("split:account"),
        value=value,
        quantity=quantity,
        memo=node.get("split:memo"),
        action=node.get("split:action"),
        state=node.get("split:reconciled-state"),
    )


def _budget(node: BookElement) -> GncBudget:
    recurrence = node.find("bgt:recurrence")
    start: date | None = None
    if recurrence and recurrence.get("recurrence:period_type") == "month" and recurrence.get("recurrence:mult") == "1":
        start = parse_iso_date(recurrence.get("recurrence:start", "gdate"))
    amounts: dict[tuple[str, int], Fraction] = {}
    for slot in (node.find("bgt:slots") or node).children:
        periods = slot.find("slot:value")
        for period in periods.children if periods else []:
            number, amount = period.get("slot:key"), parse_fraction(period.get("slot:value"))
            if amount and _PERIOD.fullmatch(number):
                amounts[slot.get("slot:key"), int(number)] = amount
    return GncBudget(name=node.get("bgt:name"), start_on=start, amounts=amounts)
