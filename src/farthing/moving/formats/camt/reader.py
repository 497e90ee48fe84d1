"""Reads CAMT.052, 053 and 054 (ISO 20022) in every version, as single files or several in one zip archive."""

import zlib
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from ...findings import Finding, Unreadable
from ...statements import BalanceOn, BankAccount, StatementEnd, StatementPart, StatementParts, StatementStart
from ...zip_files import START as ZIP_START
from ...zip_files import ZipFiles, ZipLimits
from ..values import clean, name_account, quote
from ..xml_elements import Node, SkippedElements, iterate
from .entries import read_amount, read_day, read_entry
from .reversals import find_turned, is_reversal, may_hold_reversals, turn

_STATEMENTS = {"Stmt", "Rpt", "Ntfctn"}
_CONTAINERS = _STATEMENTS | {"GrpHdr"}
_MESSAGES = (b"BkToCstmrStmt", b"BkToCstmrAcctRpt", b"BkToCstmrDbtCdtNtfctn")
_CHUNK_BYTES = 2**16
_LIMITS = ZipLimits(files=2000, unpacked_bytes=500 * 2**20)
BALANCES_MAX = 1000


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001 (one signature for all formats)
    if head.startswith(ZIP_START):
        head = _first_of_zip(head)
    plain = head.replace(b"\0", b"")[:8000]
    return any(message in plain for message in _MESSAGES)


def _first_of_zip(head: bytes) -> bytes:
    name_length, extra_length = int.from_bytes(head[26:28], "little"), int.from_bytes(head[28:30], "little")
    content = head[30 + name_length + extra_length :]
    if head[8:10] == b"\0\0":
        return content
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, 8000)
    except zlib.error:
        return b""


def read(file: BinaryIO, encoding: str | None = None, *, limits: ZipLimits = _LIMITS) -> StatementParts:
    """Reads the statements. Rows are numbered in file order, one per transaction. `limits` apply to zip archives."""
    chunks = (chunk for member in _open(file, limits) for chunk in iter(partial(member.read, _CHUNK_BYTES), b""))
    may_hold = may_hold_reversals(chunks)
    turned = find_turned(_read(file, encoding, limits, set())) if may_hold else set()
    yield from _read(file, encoding, limits, turned)


def _read(file: BinaryIO, encoding: str | None, limits: ZipLimits, turned: set[int]) -> StatementParts:
    skipped = SkippedElements()
    reader = CamtReader(turned, skipped)
    for member in _open(file, limits):
        for event, node in iterate(member, _CONTAINERS, encoding, skipped):
            yield from reader.take(event, node)
    yield from reader.finish()


def _open(file: BinaryIO, limits: ZipLimits) -> Iterator[BinaryIO]:
    """Opens the file itself or, if it is a zip archive, each of its .xml files in order of name."""
    file.seek(0)
    is_zip = file.read(4) == ZIP_START
    file.seek(0)
    if not is_zip:
        yield file
        return
    packed = ZipFiles(file, "The archive", limits)
    names = sorted(name for name in packed.sizes if name.lower().endswith(".xml"))
    if not names:
        raise Unreadable("The archive holds no file whose name ends in .xml.")
    for name in names:
        with packed.open(name) as member:
            yield member


class CamtReader:
    """Reads the statements of a file. The end of a statement is held back until no further page of it can follow."""

    def __init__(self, turned: set[int], skipped: SkippedElements) -> None:
        self.turned, self.skipped = turned, skipped
        self.started = self.rows = self.statements = 0
        self.is_in_statement = self.has_begun = False
        self.message_page = ""
        self.page: tuple[str, BankAccount, int] | None = None
        self.last_page: tuple[str, BankAccount, int] | None = None
        self.held_end: StatementEnd | None = None
        self._reset()

    def _reset(self) -> None:
        self.id = self.page_number = ""
        self.account = BankAccount()
        self.currency: str | None = None
        self.balances: list[tuple[str, BalanceOn]] = []

    def take(self, event: str, node: Node) -> Iterator[StatementPart]:
        if event == "start":
            self.skipped.add()  # even an empty statement takes time
            if node.name == "GrpHdr":
                self.message_page = ""
                return
            self.statements += 1
            self.is_in_statement, self.has_begun = True, False
            self._reset()
        elif not self.is_in_statement:
            if event == "child" and node.name == "MsgPgntn":
                self.message_page = node.value("PgNb")
        elif event == "end":
            yield from self._begin()
            balances = self._of("CLBD") or self._of("ITBD")
            self.held_end = StatementEnd(closing=balances[-1] if balances else None)
            self.last_page, self.is_in_statement = self.page, False
        else:
            yield from self._take_child(node)

    def _take_child(self, node: Node) -> Iterator[StatementPart]:
        if node.name == "Ntry":
            yield from self._begin(node)
            if self.started in self.turned and is_reversal(node):
                turn(node)
            for part in read_entry(node, self.rows + 1, self.account):
                self.rows = max(self.rows, getattr(part, "row", None) or 0)
                yield part
            return
        self.skipped.add()
        if node.name == "Id":
            self.id = node.text.strip()
        elif node.name.endswith("Pgntn"):
            self.page_number = node.value("PgNb")
        elif node.name == "Acct":
            servicer = node.first("Svcr", "FinInstnId")
            bank = (servicer.value("BICFI") or servicer.value("BIC")) if servicer else None
            self.account = name_account(
                node.value("Id", "IBAN") or node.value("Id", "Othr", "Id"),
                bank=clean(bank),
                name=clean(node.value("Nm")),
                currency=clean(node.value("Ccy")),
            )
            self.currency = self.account.currency
        elif node.name == "Bal":
            yield from self._read_balance(node)
        elif node.name.startswith("Addtl") and node.text.strip():
            yield Finding(field=node.name, message=f"The bank's remark on the statement: {quote(node.text)}.")

    def _read_balance(self, node: Node) -> Iterator[Finding]:
        kind = node.value("Tp", "CdOrPrtry", "Cd") or node.value("Tp", "Cd")
        amount = read_amount(node)
        if amount is None:
            yield Finding(field="Bal", message=f"The balance {quote(node.value('Amt'))} is not an amount.")
        elif len(self.balances) < BALANCES_MAX and self._is_own_currency(node):
            self.balances.append((kind, BalanceOn(amount=amount, on=read_day(node.first("Dt")))))

    def _is_own_currency(self, holder: Node) -> bool:
        """Tells whether an amount is in the account's currency: the stated one, otherwise that of the first amount."""
        amount = holder.first("Amt")
        currency = clean(amount.attributes.get("Ccy")) if amount is not None else None
        self.currency = self.currency or currency
        return currency in (self.currency, None)

    def _begin(self, entry: Node | None = None) -> Iterator[StatementPart]:
        """Begins a statement at its first entry. All other elements come before the entries."""
        if self.has_begun:
            return
        self.has_begun = True
        if entry is not None:
            self._is_own_currency(entry)
        number = self.page_number or self.message_page
        self.page = (self.id, self.account, int(number) if number.isdecimal() and len(number) < 6 else 1)
        if self.held_end is not None:
            if self.last_page and self.page == (*self.last_page[:2], self.last_page[2] + 1):
                self.held_end = None
                return
            yield self.held_end
            self.held_end = None
        self.started += 1
        yield StatementStart(account=self.account, currency=self.currency, opening=self._opening())

    def _opening(self) -> BalanceOn | None:
        """Finds the opening balance. A single interim balance is not used if there is no closing balance: then it is
        the current balance of a report.
        """
        interim = self._of("ITBD")
        is_first = len(interim) > 1 or bool(self._of("CLBD"))
        balances = self._of("OPBD") or self._of("PRCD") or (interim if is_first else [])
        return balances[0] if balances else None

    def _of(self, kind: str) -> list[BalanceOn]:
        return [balance for of, balance in self.balances if of == kind]

    def finish(self) -> Iterator[StatementPart]:
        if not self.statements:
            raise Unreadable("This is not a CAMT file: it holds no statement, report or notification.")
        if self.held_end is not None:
            yield self.held_end
