"""Makes a row of the values of one OFX transaction."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from ...findings import Finding
from ...statements import StatementPart, StatementRow
from .. import values as parsing
from ..values import clean, join, leave_out, parse_amount, quote, reject

_DAY = re.compile(r"(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)")
# Read into fields of the row; everything else becomes a line of its notes.
_FIELDS = {"TRNAMT", "DTPOSTED", "DTAVAIL", "FITID", "CHECKNUM", "NAME", "MEMO", "PAYEE.NAME", "EXTDNAME"}
_FIELDS |= {"BANKACCTTO.ACCTID", "CCACCTTO.ACCTID", "CURRENCY.CURSYM", "ORIGCURRENCY.CURSYM", "CORRECTFITID"}
_FIELDS |= {"CORRECTACTION", "DTUSER", "TRNTYPE", "BANKACCTTO.ACCTTYPE"}
# They say no more than the sign of the amount.
_PLAIN_TYPES = {"DEBIT", "CREDIT", "OTHER"}
# Banks in Brazil list balances among the transactions, without an id.
_BALANCE_WORDS = ("saldo", "s a l d o")
_DATE_RIGHT = "it should be a day such as 20240131"


def parse_day(text: str) -> date | None:
    match = _DAY.match(text.strip())
    return parsing.parse_day(int(match[1]), int(match[2]), int(match[3])) if match else None


def read_row(number: int, values: dict[str, str], currency: str | None) -> Iterator[StatementPart]:
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
    old = quote(values.get("CORRECTFITID", ""))
    if values.get("CORRECTACTION", "").upper() == "DELETE":
        message = f"The bank takes back its row with the id {old}: delete it if it was imported."
    else:
        message = f"This row replaces the bank's row with the id {old}: delete that one if it was imported."
    return Finding(row=number, field="CORRECTFITID", message=message)


def _make_row(
    number: int, values: dict[str, str], amount: Decimal, on: date, currency: str | None
) -> Iterator[StatementPart]:
    stated = clean(values.get("CURRENCY.CURSYM"))
    if stated and currency and stated.upper() != currency.upper():
        rate = values.get("CURRENCY.CURRATE", "none given")
        message = f"The amount {amount:f} is in {stated[:10]}, the account in {currency[:10]} (rate: {quote(rate)})."
        yield Finding(row=number, field="CURRENCY", message=message)
    else:
        stated = None
    foreign_amount, foreign_currency = _read_original(values, amount, currency)
    yield StatementRow(
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
    """Returns the memo, often the only text that distinguishes rows of one shop, otherwise the name."""
    name = clean(values.get("EXTDNAME") or values.get("NAME") or values.get("PAYEE.NAME"))
    memo = clean(values.get("MEMO"))
    if name and memo and memo.lower().startswith(name.lower()):
        return memo
    return join((name, memo), " – ") or clean(values.get("TRNTYPE")) or ""


def _read_original(values: dict[str, str], amount: Decimal, currency: str | None) -> tuple[Decimal | None, str | None]:
    """Reads the amount before the bank converted it, if the rate gives it exactly; the rate stays in the notes."""
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
