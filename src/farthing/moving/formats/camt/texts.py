"""Reads the texts of a CAMT entry: the other party, the remittance, the references, and details for the notes."""

from collections.abc import Collection, Container, Iterator

from msgspec import Struct

from ...statements import BankAccount
from ..values import clean, join, provided
from ..xml_elements import Node
from .reversals import is_reversal

# The longest notes that our books can store.
NOTE_CHARS_MAX = 60_000
# Elements that are read elsewhere, or that the row's amount already expresses.
_SKIPPED = {"BkTxCd", "BookgDt", "ValDt", "Sts", "RvslInd", "NbOfTxs", "CdtDbtInd", "TtlAmt", "Issr", "AddtlInfInd"}
_WRAPPERS = {"NtryDtls", "TxDtls", "Refs", "RltdPties", "RltdAgts", "FinInstnId", "Pty", "Id", "Othr", "PrvtId"}
_WRAPPERS |= {"OrgId", "RmtInf", "Strd", "CdOrPrtry", "AmtDtls", "Rcrd", "SchmeNm"}
_MARKS = {"CRDT", "DBIT", "true", "false"}


def describe(entry: Node, transaction: Node | None) -> str:
    """Returns the remittance, otherwise the bank's own text. A batch as a whole gets the remittances of its parts."""
    holders = [transaction] if transaction else entry.all("NtryDtls", "TxDtls")[:20]
    texts = [text for holder in holders for text in _find_remittance(holder)]
    remittance = join(texts) or clean(transaction.value("AddtlTxInf") if transaction else None)
    return remittance or clean(entry.value("AddtlNtryInf")) or clean(entry.value("NtryDtls", "Btch", "PmtInfId")) or ""


def _find_remittance(transaction: Node) -> Iterator[str | None]:
    for part in transaction.all("RmtInf", "Ustrd"):
        yield clean(part.text)
    for part in transaction.all("RmtInf", "Strd"):
        yield clean(part.value("CdtrRefInf", "Ref"))
        yield from (clean(further.text) for further in part.all("AddtlRmtInf"))
        yield from (clean(document.value("Nb")) for document in part.all("RfrdDocInf"))


class CamtParty(Struct, frozen=True):
    """Describes the other party of a payment. `own_side` is the element of the account's owner: `Cdtr` or `Dbtr`."""

    name: str | None = None
    account: str | None = None
    own_side: str = ""


def find_party(entry: Node, transaction: Node | None, own: BankAccount) -> CamtParty:
    """Finds the other party. In a reversal, debtor and creditor are those of the payment being reversed."""
    parties = transaction.first("RltdPties") if transaction else None
    if parties is None:
        return CamtParty()
    mark = (transaction.value("CdtDbtInd") if transaction else "") or entry.value("CdtDbtInd")
    sides = ["Cdtr", "Dbtr"] if (mark == "DBIT") != is_reversal(entry) else ["Dbtr", "Cdtr"]
    is_own = find_account(parties, sides[0]) in _own_ids(own)
    if is_own or (not _is_named(parties, sides[0]) and find_account(parties, sides[1]) not in _own_ids(own)):
        sides.reverse()
    name = find_name(parties, sides[0]) or find_name(parties, f"Ultmt{sides[0]}")
    return CamtParty(name=name, account=find_account(parties, sides[0]), own_side=sides[1])


def _is_named(parties: Node, side: str) -> bool:
    return bool(find_name(parties, side) or find_account(parties, side) or find_name(parties, f"Ultmt{side}"))


def _own_ids(own: BankAccount) -> set[str]:
    return {own_id for own_id in (own.iban, own.number) if own_id}


def find_name(parties: Node, side: str) -> str | None:
    """Finds a party's name, which newer versions wrap in a `Pty` or `Agt` element."""
    party = parties.first(side)
    if party is None:
        return None
    return clean(party.value("Nm") or party.value("Pty", "Nm") or party.value("Agt", "FinInstnId", "Nm"))


def find_account(parties: Node, side: str) -> str | None:
    identity = parties.first(f"{side}Acct", "Id")
    if identity is None:
        return None
    iban = identity.value("IBAN").replace(" ", "").upper()
    return clean(iban or identity.value("Othr", "Id") or identity.value("PrtryAcct", "Id"))


def refer(transaction: Node | None) -> str | None:
    references = transaction.first("Refs") if transaction else None
    if references is None:
        return None
    return provided(references.value("EndToEndId")) or provided(references.value("ChqNb"))


def note(entry: Node, transaction: Node | None, texts: Collection[str | None], own_side: str) -> str | None:
    """Writes a line for each detail that the row does not show yet. `texts` are the shown texts, description first."""
    lines = ["Reversal"] if is_reversal(entry) else []
    if code := _read_code(entry):
        lines.append(f"Code: {code}")
    skipped = _SKIPPED | ({own_side, f"{own_side}Acct", f"{own_side}Agt"} if own_side else set())
    if transaction is not None or entry.first("NtryDtls", "TxDtls") is None:
        skipped |= {"TxDtls"}
    leaves = list(_walk(entry, (), skipped))
    if transaction is not None:
        leaves += _walk(transaction, (), skipped)
    lines += [f"{label}: {text}" for label, text in leaves if not _is_shown(text, texts)]
    notes = join(lines, "\n")
    return notes if notes is None or len(notes) <= NOTE_CHARS_MAX else f"{notes[:NOTE_CHARS_MAX]}…"


def _is_shown(text: str, texts: Collection[str | None]) -> bool:
    """Tells whether the row already shows a text. A very short text in the description may be there by chance."""
    return text in texts or (len(text) > 3 and text in (next(iter(texts)) or ""))


def _walk(node: Node, path: tuple[str, ...], skipped: Container[str]) -> Iterator[tuple[str, str]]:
    """Yields every value below a node, with the names of the elements around it, except mere wrappers."""
    for child in node.children:
        if child.name in skipped:
            continue
        longer = path if child.name in _WRAPPERS else (*path, child.name)
        if child.children:
            yield from _walk(child, longer, skipped)
        elif (text := provided(child.text)) and text not in _MARKS:
            currency = child.attributes.get("Ccy")
            yield " ".join(longer), f"{text} {currency}" if currency else text


def _read_code(entry: Node) -> str | None:
    code = entry.first("BkTxCd")
    if code is None:
        return None
    paths = (("Domn", "Cd"), ("Domn", "Fmly", "Cd"), ("Domn", "Fmly", "SubFmlyCd"), ("Prtry", "Cd"))
    return clean(" ".join(code.value(*path) for path in paths))
