"""Finds statements whose reversals carry the credit or debit mark of the payment that they reverse.

This breaks the standard, but some banks do it. The balances of such a statement fit its entries only if the marks of
the reversals are swapped.
"""

from collections.abc import Iterator
from decimal import Decimal

from ...statements import StatementEnd, StatementPart, StatementRow, StatementStart
from ..xml_elements import Node

_TURNED = {"CRDT": "DBIT", "DBIT": "CRDT"}
_REVERSAL = (b"RvslInd>true<", b"RvslInd>1<")
_OVERLAP = 40


def is_reversal(entry: Node) -> bool:
    return entry.value("RvslInd").lower() in ("true", "1")


def may_hold_reversals(chunks: Iterator[bytes]) -> bool:
    """Tells whether a file may contain reversals. This spares most files, which have none, a second reading."""
    tail = b""
    for chunk in chunks:
        plain = tail + chunk.replace(b"\0", b"")
        if any(mark in plain for mark in _REVERSAL):
            return True
        tail = plain[-_OVERLAP:]
    return False


def find_turned(parts: Iterator[StatementPart]) -> set[int]:
    """Returns the numbers of the statements whose reversals need swapped marks. The first statement has number 1."""
    turned: set[int] = set()
    number, opening, plain, reversals = 0, None, Decimal(0), Decimal(0)
    for part in parts:
        if isinstance(part, StatementStart):
            number, opening, plain, reversals = number + 1, part.opening, Decimal(0), Decimal(0)
        elif isinstance(part, StatementRow):
            if (part.notes or "").startswith("Reversal"):
                reversals += part.amount
            else:
                plain += part.amount
        elif (
            isinstance(part, StatementEnd)
            and (reversals and opening and part.closing)
            and opening.amount + plain - reversals == part.closing.amount
        ):
            turned.add(number)
    return turned


def turn(entry: Node) -> None:
    for node in (entry, *entry.all("NtryDtls", "TxDtls")):
        mark = node.first("CdtDbtInd")
        if mark is not None:
            mark.text = _TURNED.get(mark.text.strip(), mark.text)
