"""What a CAMT entry says in words: the other side, the remittance, the references, and what only notes can hold."""

from collections.abc import Iterator

from ...statements import BankAccount
from ..values import clean, join
from ..xml_elements import Node

_NOT_PROVIDED = {"NOTPROVIDED", "NOT PROVIDED", "NONREF", "NOTAVAILABLE"}
_REFERENCES = ("EndToEndId", "ChqNb", "InstrId", "PmtInfId", "MsgId", "TxId", "ClrSysRef", "MndtId", "UETR")


def describe(entry: Node, transaction: Node | None) -> str:
    """The remittance; else what the bank itself says; of a batch as a whole the remittances of its parts."""
    holders = [transaction] if transaction else entry.all("NtryDtls", "TxDtls")[:20]
    texts = [text for holder in holders for text in _find_remittance(holder)]
    said = join(texts) or clean(transaction.value("AddtlTxInf") if transaction else None)
    return said or clean(entry.value("AddtlNtryInf")) or clean(entry.value("NtryDtls", "Btch", "PmtInfId")) or ""


def _find_remittance(transaction: Node) -> Iterator[str | None]:
    for part in transaction.all("RmtInf", "Ustrd"):
        yield clean(part.text)
    for part in transaction.all("RmtInf", "Strd"):
        yield clean(part.value("CdtrRefInf", "Ref"))
        yield from (clean(further.text) for further in part.all("AddtlRmtInf"))
        yield from (clean(document.value("Nb")) for document in part.all("RfrdDocInf"))


def find_party(entry: Node, transaction: Node | None, own: BankAccount) -> tuple[str | None, str | None]:
    """Name and account of the other side. The sides of a reversal are those of the payment that it takes back."""
    parties = transaction.first("RltdPties") if transaction else None
    if parties is None:
        return None, None
    mark = (transaction.value("CdtDbtInd") if transaction else "") or entry.value("CdtDbtInd")
    is_reversal = entry.value("RvslInd").lower() in ("true", "1")
    sides = ["Cdtr", "Dbtr"] if (mark == "DBIT") != is_reversal else ["Dbtr", "Cdtr"]
    if find_account(parties, sides[0]) in _own_ids(own):
        sides.reverse()
    name, account = find_name(parties, sides[0]), find_account(parties, sides[0])
    if not name and not account and find_account(parties, sides[1]) not in _own_ids(own):
        name, account = find_name(parties, sides[1]), find_account(parties, sides[1])
    return name or find_name(parties, f"Ultmt{sides[0]}"), account


def _own_ids(own: BankAccount) -> set[str]:
    return {known for known in (own.iban, own.number) if known}


def find_name(parties: Node, side: str) -> str | None:
    """Newer versions put a `Pty` or an `Agt` around it."""
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
    return next((found for name in ("EndToEndId", "ChqNb") if (found := _given(references.value(name)))), None)


def _given(text: str) -> str | None:
    return None if text.upper() in _NOT_PROVIDED else clean(text)


def note(entry: Node, transaction: Node | None) -> str | None:
    """One line for each thing that the row has no field for."""
    lines = list(_note_entry(entry))
    if transaction is not None:
        lines += _note_transaction(transaction)
    return join(lines, "\n")


def _note_entry(entry: Node) -> Iterator[str]:
    if entry.value("RvslInd").lower() in ("true", "1"):
        yield "Reversal"
    yield from _named("Entry", _given(entry.value("NtryRef")))
    yield from _named("Information", clean(entry.value("AddtlNtryInf")))
    yield from _named("Batch", clean(entry.value("NtryDtls", "Btch", "PmtInfId")))
    yield from _named("Code", _read_code(entry))
    yield from _note_charges(entry)
    yield from _note_exchange(entry)


def _note_transaction(transaction: Node) -> Iterator[str]:
    references = transaction.first("Refs")
    for name in _REFERENCES:
        yield from _named(name, _given(references.value(name)) if references else None)
    parties = transaction.first("RltdPties")
    if parties is not None:
        yield from _named("Ultimate creditor", find_name(parties, "UltmtCdtr"))
        yield from _named("Ultimate debtor", find_name(parties, "UltmtDbtr"))
        yield from _named("Creditor id", clean(parties.value("Cdtr", "Id", "PrvtId", "Othr", "Id")))
    for side in ("CdtrAgt", "DbtrAgt"):
        agent = transaction.first("RltdAgts", side, "FinInstnId")
        yield from _named(side, clean(agent.value("BICFI") or agent.value("BIC")) if agent else None)
    yield from _named("Purpose", clean(transaction.value("Purp", "Cd") or transaction.value("Purp", "Prtry")))
    yield from _named("Information", clean(transaction.value("AddtlTxInf")))
    reason = transaction.first("RtrInf")
    if reason is not None:
        said = (
            reason.value("Rsn", "Cd") or reason.value("Rsn", "Prtry"),
            *(one.text for one in reason.all("AddtlInf")),
        )
        yield from _named("Returned", join(clean(text) for text in said))
    yield from _note_charges(transaction)
    yield from _note_exchange(transaction)


def _read_code(entry: Node) -> str | None:
    code = entry.first("BkTxCd")
    if code is None:
        return None
    domain = code.first("Domn")
    if domain is None:
        return clean(code.value("Prtry", "Cd"))
    parts = (
        domain.value("Cd"),
        domain.value("Fmly", "Cd"),
        domain.value("Fmly", "SubFmlyCd"),
        code.value("Prtry", "Cd"),
    )
    return clean(" ".join(parts))


def _note_charges(holder: Node) -> Iterator[str]:
    for charges in holder.all("Chrgs"):
        for record in charges.all("Rcrd") or [charges]:
            amount = record.first("Amt")
            if amount is not None:
                mark = record.value("CdtDbtInd")
                yield f"Charges: {join((clean(amount.text), amount.attributes.get('Ccy'), mark))}"


def _note_exchange(holder: Node) -> Iterator[str]:
    for kind in ("InstdAmt", "TxAmt", "CntrValAmt"):
        exchange = holder.first("AmtDtls", kind, "CcyXchg")
        if exchange is not None:
            pair = join((clean(exchange.value("SrcCcy")), clean(exchange.value("TrgtCcy"))), "/")
            yield from _named("Exchange rate", join((clean(exchange.value("XchgRate")), pair)))


def _named(name: str, value: str | None) -> Iterator[str]:
    if value:
        yield f"{name}: {value}"
