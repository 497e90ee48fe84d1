"""Reads OFX and QFX files: versions 1 (SGML) and 2 (XML), statements of bank accounts and of credit cards."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import BinaryIO, TextIO

from ... import statements
from ...findings import Finding, Unreadable
from .. import text as texts
from ..statement_check import say_account
from ..values import clean, join, leave_out, make_date, name_account, parse_amount, quote, reject
from .tags import OfxTag, split_tags

_STATEMENTS = {"STMTRS", "CCSTMTRS", "LOANSTMTRS", "INVSTMTRS"}
_ROWS = {"STMTTRN", "STMTTRNP"}
# Tags that hold other tags. All other tags hold a value, even if the value is empty and the tag is not closed.
_OTHER_AGGREGATES = (
    "OFX STATUS SONRS FI STMTTRNRS CCSTMTTRNRS INVSTMTTRNRS LOANSTMTTRNRS "
    "SIGNONMSGSRSV1 BANKMSGSRSV1 CREDITCARDMSGSRSV1 INVSTMTMSGSRSV1 LOANMSGSRSV1 SIGNONMSGSRSV2 BANKMSGSRSV2 "
    "CREDITCARDMSGSRSV2 BANKTRANLIST BANKTRANLISTP BALLIST BAL BANKACCTFROM CCACCTFROM INVACCTFROM LOANACCTFROM "
    "LEDGERBAL AVAILBAL PAYEE EXTDPAYEE BANKACCTTO CCACCTTO CURRENCY ORIGCURRENCY IMAGEDATA "
    "INVTRANLIST INVBANKTRAN SECLISTMSGSRSV1 SECLIST MKTGINFO "
)
_AGGREGATES = _STATEMENTS | _ROWS | set(_OTHER_AGGREGATES.split())
# A row or account has a few dozen values.
_VALUES_MAX = 200
# Even a long statement of investments, from which nothing is read, has fewer tags.
IDLE_TAGS_MAX = 200_000
_REPEATED_CHARS_MAX = 10_000
_CHARSET = re.compile(rb"""(?:CHARSET:\s*|encoding=["'])([\w.-]{1,40})""", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)")
# The tags that are read into fields of the row. Every other tag becomes a line of its notes.
_FIELDS = {"TRNAMT", "DTPOSTED", "DTAVAIL", "FITID", "CHECKNUM", "NAME", "MEMO", "PAYEE.NAME", "EXTDNAME"}
_FIELDS |= {"BANKACCTTO.ACCTID", "CCACCTTO.ACCTID", "CURRENCY.CURSYM", "ORIGCURRENCY.CURSYM", "CORRECTFITID"}
_FIELDS |= {"CORRECTACTION", "DTUSER", "TRNTYPE", "BANKACCTTO.ACCTTYPE"}
# Types that say no more than the sign of the amount.
_PLAIN_TYPES = {"DEBIT", "CREDIT", "OTHER"}
# Banks in Brazil list balances among the transactions, without an id.
_BALANCE_WORDS = ("saldo", "s a l d o")
_DATE_RIGHT = "it should be a day such as 20240131"


def looks_like(head: bytes, filename: str) -> bool:  # noqa: ARG001 (one signature for all formats)
    plain = head.replace(b"\0", b"").upper()
    return b"OFXHEADER" in plain[:1000] or b"<OFX>" in plain[:4000]


def read(
    file: BinaryIO, encoding: str | None = None, *, idle_tags_max: int = IDLE_TAGS_MAX
) -> statements.StatementParts:
    """Reads the statements. A date is taken as the bank wrote it, without its time and zone."""
    text, _ = decode(file, encoding)
    reader = OfxReader()
    idle = 0
    for tag in split_tags(text):
        idle += 1
        for part in reader.take(tag):
            idle = 0
            yield part
        if idle > idle_tags_max:
            raise Unreadable(f"The file has {idle_tags_max} tags without a row. Is this an OFX file?")
    yield from reader.finish()


def decode(file: BinaryIO, encoding: str | None) -> tuple[TextIO, str]:
    """Uses the header's charset only for text that is not UTF-8, because many banks write UTF-8 under any header."""
    file.seek(0)
    declared = _declared(file.read(2000))
    try:
        text, name = texts.decode(file, encoding)
    except Unreadable:
        if encoding or not declared:
            raise
        return texts.decode(file, declared)
    if name == "windows-1252" and not encoding and declared:
        return texts.decode(file, declared)
    return text, name


def _declared(head: bytes) -> str | None:
    match = _CHARSET.search(head)
    name = match[1].decode("ascii", "replace").lower() if match else ""
    if name.removeprefix("cp").isdigit() or name.startswith("windows-"):
        return f"cp{name.removeprefix('cp').removeprefix('windows-')}"
    if re.fullmatch(r"(iso-?)?8859-\d{1,2}", name) and name[-6:] != "8859-1":
        return f"iso8859-{name.rpartition('-')[2]}"
    return None


class OfxReader:
    """Turns tags into statements. `values` are those of the row, account or balance being read, by path."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.values: dict[str, str] = {}
        self.rows = self.statements = self.left_out = 0
        self.has_begun = self.is_ofx = False
        self.currency: str | None = None
        self.account = statements.BankAccount()
        self.closing: statements.BalanceOn | None = None

    def take(self, tag: OfxTag) -> Iterator[statements.StatementPart]:
        if tag.closes:
            if tag.name in self.open:
                yield from self._close(tag.name)
        elif tag.name in _AGGREGATES and not tag.value:
            if tag.name in self.open:  # no such tag contains itself, so the previous one was not closed
                yield from self._close(tag.name)
            yield from self._begin(tag.name)
        else:
            self._keep(tag)

    def _begin(self, name: str) -> Iterator[statements.StatementPart]:
        self.is_ofx = self.is_ofx or name == "OFX"
        if name in _ROWS and "INVSTMTRS" not in self.open:
            yield from self._start()
        if name in _STATEMENTS:
            self.statements += 1
            self.has_begun, self.currency, self.account, self.closing = False, None, statements.BankAccount(), None
            self.left_out = 0
        if name in _ROWS or _is_read(name):
            self.values = {}
        self.open.append(name)

    def _keep(self, tag: OfxTag) -> None:
        if tag.name == "CURDEF":
            self.currency = clean(tag.value)
            return
        if not tag.value or not self.open:
            return
        around = self.open[-1]
        if not self._is_in_row():
            if _is_read(around):
                self.values[tag.name] = tag.value
            return
        if len(self.values) >= _VALUES_MAX:
            raise Unreadable(f"Row {self.rows + 1} has more than {_VALUES_MAX} values. Is this an OFX file?")
        path = tag.name if around in _ROWS else f"{around}.{tag.name}"
        before = self.values.get(path, "")
        if len(before) > _REPEATED_CHARS_MAX:
            raise Unreadable(f"Row {self.rows + 1} repeats {path} too often. Is this an OFX file?")
        self.values[path] = f"{before} {tag.value}" if before else tag.value

    def _is_in_row(self) -> bool:
        return not _ROWS.isdisjoint(self.open)

    def _close(self, name: str) -> Iterator[statements.StatementPart]:
        while self.open:
            closed = self.open.pop()
            yield from self._end(closed)
            if closed == name:
                return

    def _end(self, name: str) -> Iterator[statements.StatementPart]:
        if name == "STMTTRNP" or (name in _ROWS and "INVSTMTRS" in self.open):
            self.left_out += 1
        elif name == "STMTTRN":
            self.rows += 1
            yield from read_row(self.rows, self.values, self.currency)
        elif name.endswith("ACCTFROM"):
            bank = "/".join(self.values[part] for part in ("BANKID", "BROKERID", "BRANCHID") if part in self.values)
            self.account = name_account(self.values.get("ACCTID"), bank=clean(bank), currency=self.currency)
        elif name == "LEDGERBAL":
            yield from self._read_balance()
        elif name == "STATUS":
            if self.values.get("SEVERITY", "").upper() == "ERROR":
                message = clean(self.values.get("MESSAGE")) or f"error {self.values.get('CODE', '')}"
                yield Finding(field="STATUS", message=f"The bank reports a failure: {quote(message)}.")
        elif name == "INVSTMTRS":
            what = f"The investment statement{say_account(self.account)}"
            yield Finding(message=f"{what} was skipped: investments are not supported yet.")
        elif name in _STATEMENTS:
            yield from self._start()
            if self.left_out:
                what = f"{self.left_out} rows are pending"
                yield Finding(message=f"{what}: the bank has not booked them. They are skipped.")
            yield statements.StatementEnd(closing=self.closing)

    def _start(self) -> Iterator[statements.StatementPart]:
        if not self.has_begun:
            self.has_begun = True
            yield statements.StatementStart(account=self.account, currency=self.currency)

    def _read_balance(self) -> Iterator[Finding]:
        text = self.values.get("BALAMT", "")
        amount = parse_amount(text)
        if amount is None:
            yield Finding(field="BALAMT", message=f"The balance {quote(text)} is not a number; it is not checked.")
        else:
            self.closing = statements.BalanceOn(amount=amount, on=parse_day(self.values.get("DTASOF", "")))

    def finish(self) -> Iterator[statements.StatementPart]:
        if not self.is_ofx:
            raise Unreadable("This is not an OFX file: the tag <OFX> is missing.")
        if not self.statements:
            yield Finding(message="The file holds no statement.")
        if not self.open:
            return
        if self._is_in_row():
            yield Finding(row=self.rows + 1, message="The file ends inside this row. Is it complete?", rejects=True)
            while self._is_in_row():
                self.open.pop()
        elif not self.rows:
            raise Unreadable(f"The file ends without </{self.open[0]}> and before its first row: it is not complete.")
        else:
            yield Finding(message=f"The file ends without </{self.open[0]}>. Is it complete?")
        yield from self._close(self.open[0]) if self.open else ()


def _is_read(name: str) -> bool:
    """Tells whether the values inside this tag are read. Rows are handled separately."""
    return name in ("STATUS", "LEDGERBAL") or name.endswith("ACCTFROM")


def parse_day(text: str) -> date | None:
    match = _DAY.match(text.strip())
    return make_date(int(match[1]), int(match[2]), int(match[3])) if match else None


def read_row(number: int, values: dict[str, str], currency: str | None) -> Iterator[statements.StatementPart]:
    amount = parse_amount(values.get("TRNAMT", ""))
    on = parse_day(values.get("DTPOSTED", ""))
    if "FITID" not in values and _describe(values).lower().startswith(_BALANCE_WORDS):
        yield leave_out(number, f"{quote(_describe(values))} is a balance and not a transaction.")
    elif amount is None:
        yield reject(number, "TRNAMT", values.get("TRNAMT", ""), "it should be an amount such as -12.50")
    elif on is None:
        yield reject(number, "DTPOSTED", values.get("DTPOSTED", ""), _DATE_RIGHT)
    elif not amount:
        yield leave_out(number, f"The amount of {quote(_describe(values))} is zero.")
    elif values.get("CORRECTACTION", "").upper() == "DELETE":
        yield _tell_correction(number, values)
    else:
        if "CORRECTFITID" in values:
            yield _tell_correction(number, values)
        yield from _make_row(number, values, amount, on, currency)


def _tell_correction(number: int, values: dict[str, str]) -> Finding:
    is_withdrawn = values.get("CORRECTACTION", "").upper() == "DELETE"
    what = "The bank has withdrawn its" if is_withdrawn else "This row replaces the bank's"
    old = f"row with the id {quote(values.get('CORRECTFITID', ''))}"
    message = f"{what} {old}. If you have imported that row, delete it."
    return Finding(row=number, field="CORRECTFITID", message=message)


def _make_row(
    number: int, values: dict[str, str], amount: Decimal, on: date, currency: str | None
) -> statements.StatementParts:
    stated = clean(values.get("CURRENCY.CURSYM"))
    if stated and currency and stated.upper() != currency.upper():
        rate = values.get("CURRENCY.CURRATE", "none given")
        message = f"The amount {amount:f} is in {stated[:10]}, the account in {currency[:10]} (rate: {quote(rate)})."
        yield Finding(row=number, field="CURRENCY", message=message)
    else:
        stated = None
    foreign_amount, foreign_currency = _read_original(values, amount, currency)
    yield statements.StatementRow(
        row=number,
        on=on,
        amount=amount,
        currency=stated,
        description=_describe(values),
        foreign_amount=foreign_amount,
        foreign_currency=foreign_currency,
        payee=clean(values.get("PAYEE.NAME") or values.get("NAME")),
        payee_account=clean(values.get("BANKACCTTO.ACCTID") or values.get("CCACCTTO.ACCTID")),
        bank_id=clean(values.get("FITID")),
        reference=clean(values.get("CHECKNUM")),
        value_on=parse_day(values.get("DTAVAIL", "")),
        notes=_note(values, on),
    )


def _describe(values: dict[str, str]) -> str:
    """Joins the name and what the memo adds to it. Often, only the memo distinguishes the rows of the same shop."""
    name = clean(values.get("EXTDNAME") or values.get("NAME") or values.get("PAYEE.NAME"))
    memo = clean(values.get("MEMO"))
    if name and memo and memo.lower().startswith(name.lower()):
        return memo
    return join((name, memo), " – ") or clean(values.get("TRNTYPE")) or ""


def _read_original(values: dict[str, str], amount: Decimal, currency: str | None) -> tuple[Decimal | None, str | None]:
    """Computes the amount before the bank's conversion, if the rate (kept in the notes) yields an exact amount."""
    code = clean(values.get("ORIGCURRENCY.CURSYM"))
    rate = parse_amount(values.get("ORIGCURRENCY.CURRATE", ""))
    if not code or not rate or rate < 0 or code.upper() == (currency or "").upper():
        return None, None
    original = amount / rate
    if original * rate != amount or original != round(original, 4):
        return None, None
    return Decimal(f"{original:f}"), code


def _note(values: dict[str, str], on: date) -> str | None:
    lines = []
    kind = values.get("TRNTYPE", "").upper()
    if kind and kind not in _PLAIN_TYPES:
        lines.append(f"TRNTYPE: {clean(kind)}")
    if "DTUSER" in values and parse_day(values["DTUSER"]) != on:
        lines.append(f"DTUSER: {parse_day(values['DTUSER']) or values['DTUSER']}")
    if "DTAVAIL" in values and not parse_day(values["DTAVAIL"]):
        lines.append(f"DTAVAIL: {clean(values['DTAVAIL'])}")
    if "ORIGCURRENCY.CURSYM" in values:
        lines.append(f"ORIGCURRENCY.CURSYM: {clean(values['ORIGCURRENCY.CURSYM'])}")
    lines += [f"{path}: {clean(value)}" for path, value in values.items() if path not in _FIELDS]
    return "\n".join(lines) or None
