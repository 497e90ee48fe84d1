"""Turns one CAMT entry into rows: one per transaction if these add up to the entry's amount, otherwise one."""

import re
from datetime import date
from decimal import Decimal

from ...findings import Finding
from ...statements import BankAccount, StatementParts, StatementRow
from ..values import clean, leave_out, make_date, parse_decimal, provided, quote, reject
from ..xml_elements import Node
from .texts import describe, find_party, note, refer

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_BOOKED = ("BOOK", "")
Foreign = tuple[Decimal | None, str | None]


def read_day(node: Node | None) -> date | None:
    """Reads `Dt` or `DtTm` as the day that the bank wrote, ignoring any time zone."""
    if node is None:
        return None
    match = _DAY.match(node.value("Dt") or node.value("DtTm") or node.text.strip())
    return make_date(int(match[1]), int(match[2]), int(match[3])) if match else None


def read_amount(node: Node, *path: str, sign_of: Node | None = None) -> Decimal | None:
    """Reads an amount. Its sign is the credit or debit mark of `node`, otherwise the mark of `sign_of`."""
    amount = parse_decimal(node.value(*(path or ("Amt",))))
    mark = node.value("CdtDbtInd") or (sign_of.value("CdtDbtInd") if sign_of else "")
    if amount is None or mark not in ("CRDT", "DBIT"):
        return None
    return -amount if mark == "DBIT" else amount


def read_entry(entry: Node, number: int, account: BankAccount) -> StatementParts:
    """Reads the rows of an entry, from `number` on. A reversal is signed by its own credit or debit mark."""
    amount = read_amount(entry)
    on = read_day(entry.first("BookgDt")) or read_day(entry.first("ValDt"))
    status = entry.value("Sts", "Cd") or entry.value("Sts", "Prtry") or entry.value("Sts")
    if amount is None:
        if parse_decimal(entry.value("Amt")) is None:
            yield reject(number, "Amt", entry.value("Amt"), "it should be an amount such as 12.50")
        else:
            yield reject(number, "CdtDbtInd", entry.value("CdtDbtInd"), "it should be CRDT or DBIT")
    elif status not in _BOOKED:
        yield leave_out(number, f"The entry of {amount:f} has the status {quote(status)}: it is not booked yet.")
    elif on is None:
        day_text = _say_day(entry.first("BookgDt")) or _say_day(entry.first("ValDt"))
        yield reject(number, "BookgDt", day_text, "it should be a day such as 2024-01-31")
    elif not amount:
        yield leave_out(number, f"The amount of {quote(describe(entry, None))} is zero.")
    else:
        yield from _read_transactions(entry, number, account, amount, on)


def _say_day(node: Node | None) -> str:
    return (node.value("Dt") or node.value("DtTm") or node.text) if node is not None else ""


def _read_transactions(entry: Node, number: int, account: BankAccount, amount: Decimal, on: date) -> StatementParts:
    transactions = entry.all("NtryDtls", "TxDtls")
    if len(transactions) <= 1:
        yield _make_row(entry, transactions[0] if transactions else None, number, account, amount, on)
        return
    amounts = [_transaction_amount(transaction, entry) for transaction in transactions]
    amounts_read = [item for item in amounts if item]
    if len(amounts_read) < len(amounts) or sum(amounts_read) != amount:
        sums = f"add up to {sum(amounts_read):f}" if len(amounts_read) == len(amounts) else "do not all have an amount"
        message = f"The {len(amounts)} transactions of this entry {sums}; it is read as one row of {amount:f}."
        yield Finding(row=number, field="TxDtls", message=message)
        yield _make_row(entry, None, number, account, amount, on)
        return
    for index, (item, part) in enumerate(zip(transactions, amounts_read, strict=True)):
        yield _make_row(entry, item, number + index, account, part, on, part=index + 1)


def _transaction_amount(transaction: Node, entry: Node) -> Decimal | None:
    """Reads a transaction's amount in the entry's currency, from the element that the version or bank uses."""
    currency = _currency(entry.first("Amt"))
    for path in (("Amt",), ("AmtDtls", "TxAmt", "Amt"), ("AmtDtls", "InstdAmt", "Amt")):
        element = transaction.first(*path)
        if element is not None and _currency(element) in (currency, None):
            return read_amount(transaction, *path, sign_of=entry)
    return None


def _currency(amount: Node | None) -> str | None:
    return clean(amount.attributes.get("Ccy")) if amount is not None else None


def _make_row(
    entry: Node,
    transaction: Node | None,
    number: int,
    account: BankAccount,
    amount: Decimal,
    on: date,
    *,
    part: int = 0,
) -> StatementRow:
    currency = _currency(entry.first("Amt"))
    payee = find_party(entry, transaction, account)
    foreign_amount, foreign_currency = _find_foreign(entry, transaction, amount, currency)
    description = describe(entry, transaction) or payee.name or ""
    bank_id, reference = _find_bankprovided(entry, transaction, part), refer(transaction)
    amounts = (_say_amount(entry), _say_amount(transaction), f"{abs(amount):f} {currency}")
    texts = (description, payee.name, payee.account, bank_id, reference, *amounts)
    return StatementRow(
        row=number,
        on=on,
        amount=amount,
        currency=currency,
        description=description,
        foreign_amount=foreign_amount,
        foreign_currency=foreign_currency,
        payee=payee.name,
        payee_account=payee.account,
        bank_id=bank_id,
        reference=reference,
        value_on=read_day(entry.first("ValDt")),
        notes=note(entry, transaction, texts, payee.own_side),
    )


def _say_amount(holder: Node | None) -> str | None:
    amount = holder.first("Amt") if holder is not None else None
    return f"{amount.text.strip()} {amount.attributes.get('Ccy')}" if amount is not None else None


def _find_bankprovided(entry: Node, transaction: Node | None, part_number: int) -> str | None:
    """Finds the bank's id. If the parts of a batch share an id, adds a number, so that they do not seem duplicates."""
    of_entry = provided(entry.value("AcctSvcrRef"))
    of_transaction = provided(transaction.value("Refs", "AcctSvcrRef")) if transaction else None
    further = provided(transaction.value("Refs", "TxId")) if transaction else None
    if not part_number:
        return of_entry or of_transaction or further
    if of_transaction and of_transaction != of_entry:
        return of_transaction
    return f"{of_entry}/{part_number}" if of_entry else further


def _find_foreign(entry: Node, transaction: Node | None, amount: Decimal, currency: str | None) -> Foreign:
    """Finds an amount in a currency other than the entry's, and gives it the sign of `amount`."""
    paths = (*(("AmtDtls", name, "Amt") for name in ("InstdAmt", "TxAmt", "CntrValAmt")), ("Amt",))
    for holder in filter(None, (transaction, entry)):
        for element in filter(None, (holder.first(*path) for path in paths)):
            number = parse_decimal(element.text)
            if number and currency and _currency(element) not in (currency, None):
                return number.copy_sign(amount), _currency(element)
    return None, None
