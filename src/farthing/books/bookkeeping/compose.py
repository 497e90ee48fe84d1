"""Composes the draft of a transaction from a request body and the objects that the body refers to.

Reports everything that is wrong with the body.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from operator import attrgetter
from typing import Any

from msgspec import structs

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency, Money
from farthing.kernel.parsed import Parsed, ensure, label, labels
from farthing.kernel.text import fold
from farthing.ledger.entry import OTHER_DATES
from farthing.ledger.kinds import Kind, Type

from ..currencies.choose import read_units
from ..piggy_banks.model import misfit
from ..transactions.model import (
    OWN,
    PAYEES,
    PAYERS,
    SPLITS_MAX,
    TAG_CHARACTERS_MAX,
    TAGS_MAX,
    TYPES,
    AccountRef,
    KnownAccount,
    Lookup,
    NewAccount,
    SplitDraft,
    TransactionDraft,
    account_named,
    sides,
)
from .inputs import RefundableSplitInput, SplitInput, TransactionInput

Parties = tuple[AccountRef | None, AccountRef | None]


def compose(
    parsed: Parsed[TransactionInput],
    lookup: Lookup,
    kept_type: Type | None = None,
    kept_refunds: Set[int] = frozenset(),
    kept_texts: Set[str] = frozenset(),
    *,
    assumes_currency: bool = False,
) -> TransactionDraft:
    """Composes a draft from a body. For a change, the arguments `kept_…` say what the stored transaction keeps.

    The type cannot change. The splits at the positions `kept_refunds` stay refunds if `refund` is omitted. A split may
    repeat the description of the transaction only if the text is in `kept_texts`. With `assumes_currency`, an amount
    without a currency is in that of the user's own account.
    """
    values = parsed.values
    if report_too_many_splits(parsed, values.transactions or ()):
        parsed.finish()
    type_ = kept_type or TYPES.get(values.type or "")
    groups = parsed.each("transactions", values.transactions)
    parsed.require(*(("date",) if kept_type else ("date", "type")))
    _check_descriptions(parsed, groups, kept_texts)
    if not groups and not parsed.wrong("transactions"):
        for name in ("transactions", "description"):
            parsed.report(name, "At least one transaction is needed.")
    if values.tags:
        parsed.report_all(tag_problems(parsed.key("tags"), values.tags))
    bill_id = _find_bill(parsed, type_, lookup)
    refunds = [_read_refund(group, type_, position in kept_refunds) for position, group in enumerate(groups)]
    splits = compose_splits(groups, type_, lookup, refunds, assumes_currency=assumes_currency)
    piggy_bank_id = find_piggy_bank(parsed, type_, lookup, splits)
    parsed.finish()
    return _draft(values, ensure(type_), splits, bill_id, piggy_bank_id)


def compose_splits(
    groups: Sequence[Parsed[SplitInput]],
    type_: Type | None,
    lookup: Lookup,
    refunds: Sequence[bool] = (),
    *,
    assumes_currency: bool = False,
) -> list[SplitDraft]:
    """Returns the complete splits, and reports what is wrong with all others.

    Omit `refunds` for recurrences, because they have no refunds.
    """
    parties = [_find_parties(group, type_, lookup) for group in groups]
    if type_ and len(parties) > 1:
        _check_sharing(groups, parties, type_)
    splits = [
        _compose_split(group, of, type_, lookup, refund=refund, assumes_currency=assumes_currency)
        for group, of, refund in zip(groups, parties, refunds or [False] * len(groups), strict=True)
    ]
    return [split for split in splits if split]


def amount_field(parsed: Parsed[TransactionInput]) -> str:
    """Returns the field to report when a balance would overflow 64 bits: the first amount, named as in the request."""
    key, sent = parsed.key("transactions"), parsed.raw.get("transactions")
    return f"{key}.{labels(sent)[0]}.amount" if isinstance(sent, list) and sent else key


def type_problems(raw: Mapping[str, object], stored: Type) -> list[Problem]:
    """Refuses to change the type in an update. The request may omit the type, or repeat it in upper or lower case."""
    sent = raw.get("type")
    if sent is None or (isinstance(sent, str) and sent.strip().lower() in ("", stored.label.lower())):
        return []
    return [Problem("type", f"The type cannot be changed: this transaction is a {stored.label.lower()}.")]


NOT_CHANGED_HERE = {
    Type.OPENING_BALANCE: "An opening balance can only be changed in its account.",
    Type.RECONCILIATION: "A reconciliation cannot be changed: delete it, and reconcile the account again.",
}


_other_dates = attrgetter(*(f"{name}_date" for name in OTHER_DATES))


def _draft(
    values: TransactionInput, type_: Type, splits: list[SplitDraft], bill_id: int | None, piggy_bank_id: int | None
) -> TransactionDraft:
    first = splits[0].description
    if values.description is None and len(splits) == 1:
        # The description of a single split becomes that of the whole transaction.
        splits = [structs.replace(splits[0], description=None)]
    return TransactionDraft(
        type=type_,
        on=ensure(values.date),
        description=values.description or first or "",
        splits=tuple(splits),
        notes=values.notes,
        internal_reference=values.internal_reference,
        dates=_other_dates(values),
        tags=tuple(dict.fromkeys(values.tags or ())),
        bill_id=bill_id,
        piggy_bank_id=piggy_bank_id,
        details=values.details,
    )


def _check_descriptions(
    parsed: Parsed[TransactionInput], groups: Sequence[Parsed[SplitInput]], kept_texts: Set[str]
) -> None:
    """Checks that each of several splits has a description of its own.

    A split may repeat the transaction's description only if a recurrence or a rule has stored it that way.
    """
    whole, name = parsed.values.description, "description"
    for group in groups:
        text = group.values.description
        if text is None and len(groups) > 1 and not group.wrong(name):
            group.report(name, f"The {group.label(name)} field is required: each of several splits needs its own.")
        if text is not None and text == whole and text not in kept_texts:
            group.report(name, f"The {group.label(name)} may not be the same as that of the whole transaction.")
    if whole or not groups or parsed.wrong(name):
        return
    if not any(group.values.description or group.wrong(name) for group in groups):
        parsed.report(name, "The description field is required: here or in the split.")


def report_too_many_splits(parsed: Parsed[Any], splits: Sequence[object]) -> bool:
    if len(splits) <= SPLITS_MAX:
        return False
    parsed.report("transactions", f"The {parsed.label('transactions')} may not have more than {SPLITS_MAX} items.")
    return True


def tag_problems(key: str, tags: Sequence[str]) -> Iterator[Problem]:
    if len(tags) > TAGS_MAX:
        yield Problem(key, f"The {label(key)} may not have more than {TAGS_MAX} items.")
    if any(len(tag) > TAG_CHARACTERS_MAX for tag in tags):
        yield Problem(key, f"The {label(key)} may not have a tag of more than {TAG_CHARACTERS_MAX} characters.")


def _find_bill(parsed: Parsed[TransactionInput], type_: Type | None, lookup: Lookup) -> int | None:
    """Finds the bill that the request names. Only withdrawals can pay a bill; for other types, the bill is ignored."""
    bill_id, name = parsed.values.bill_id, parsed.values.bill_name
    if type_ not in (Type.WITHDRAWAL, None):
        return None
    if not bill_id and not name:
        return None
    stored_id = (
        bill_id if bill_id in lookup.bills else lookup.bills_named.get(fold(name)) if name and not bill_id else None
    )
    if stored_id is None:
        _report_unknown(parsed, "bill_id" if bill_id else "bill_name", "there is no such bill")
    return stored_id


def find_piggy_bank(
    parsed: Parsed[Any], type_: Type | None, lookup: Lookup, splits: Sequence[SplitDraft]
) -> int | None:
    """Finds the piggy bank that the request names.

    If the transaction's accounts are known, one of them must hold the piggy bank.
    """
    sent_id, name = parsed.values.piggy_bank_id, parsed.values.piggy_bank_name
    if not sent_id and not name:
        return None
    field = "piggy_bank_id" if sent_id else "piggy_bank_name"
    stored_id = sent_id or lookup.piggy_banks_named.get(fold(name or ""))
    account_ids = lookup.piggy_banks.get(stored_id) if stored_id else None
    if account_ids is None:
        _report_unknown(parsed, field, "there is no such piggy bank")
    elif type_ and (reason := misfit(type_, account_ids, sides(splits) or account_ids)):
        parsed.report(field, f"The {parsed.label(field)} {reason}.")
    return stored_id


def _read_refund(group: Parsed[RefundableSplitInput], type_: Type | None, was_refund: bool) -> bool:
    sent = group.values.refund
    if sent and type_ not in (Type.DEPOSIT, None):
        group.report("refund", "Only a deposit can be a refund.")
    return was_refund if sent is None else sent


def _compose_split(
    group: Parsed[SplitInput],
    parties: Parties,
    type_: Type | None,
    lookup: Lookup,
    *,
    refund: bool,
    assumes_currency: bool,
) -> SplitDraft | None:
    values, (source, destination) = group.values, parties
    if values.amount is None or not (values.currency_id or values.currency_code):  # rarely true
        group.require("amount")
        if not assumes_currency:
            group.require_either("currency_id", "currency_code")
    currency = _find_currency(group, "currency_id", "currency_code", lookup)
    if currency is None and assumes_currency and group.absent("currency_id", "currency_code"):
        own = destination if type_ == Type.DEPOSIT else source
        currency = own.currency if isinstance(own, KnownAccount) else None
    amount = read_units(group, "amount", currency)
    foreign = _read_foreign(group, lookup)
    category = find_label(group, "category", lookup.categories, lookup.categories_named)
    budget = find_label(group, "budget", lookup.budgets, lookup.budgets_named)
    if source is None or destination is None or amount is None or currency is None:
        return None
    return SplitDraft(
        source=source,
        destination=destination,
        amount=Money(amount, currency),
        foreign=foreign,
        description=values.description,
        reconciled=bool(values.reconciled),
        category=category,
        budget=budget if type_ == Type.WITHDRAWAL or refund else None,
        refund=refund,
    )


def _find_currency(group: Parsed[SplitInput], id_field: str, code_field: str, lookup: Lookup) -> Currency | None:
    chosen_id, code = getattr(group.values, id_field), getattr(group.values, code_field)
    by_id = lookup.currencies.get(chosen_id) if chosen_id else None
    by_code = lookup.currencies_coded.get(code.upper()) if code else None
    for sent, currency, name in ((chosen_id, by_id, id_field), (code, by_code, code_field)):
        if sent and not currency:
            _report_unknown(group, name, "there is no such currency")
    return by_id or by_code


def _read_foreign(group: Parsed[SplitInput], lookup: Lookup) -> Money | None:
    """Reads the foreign amount. A foreign currency without an amount is ignored, but must exist."""
    names = ("foreign_currency_id", "foreign_currency_code")
    if group.absent("foreign_amount"):
        _find_currency(group, *names, lookup)
        return None
    if group.absent(*names):
        for name in (*names, "foreign_amount"):
            group.report(name, "A foreign amount needs foreign_currency_id or foreign_currency_code.")
        return None
    currency = _find_currency(group, *names, lookup)
    amount = read_units(group, "foreign_amount", currency)
    return Money(amount, currency) if amount and currency else None


def find_label(group: Parsed[Any], name: str, ids: Mapping[int, str], named: Mapping[str, int]) -> int | str | None:
    """Finds a label by id or name. The id takes precedence, and must be the id of one of the user's labels.

    If no label has the name, returns the name, so that the label can be created.
    """
    label_id, text = getattr(group.values, f"{name}_id"), getattr(group.values, f"{name}_name")
    if label_id and label_id not in ids:
        _report_unknown(group, f"{name}_id", f"there is no such {name}")
    if label_id:
        return int(label_id)
    return named.get(fold(text), str(text)) if text else None


def _report_unknown(group: Parsed[Any], name: str, reason: str) -> None:
    group.report(name, f"The selected {group.label(name)} is invalid: {reason}.")


def _find_parties(group: Parsed[SplitInput], type_: Type | None, lookup: Lookup) -> Parties:
    """Finds the source and the destination.

    The type decides which accounts are allowed, so without a type, both are None.
    """
    if type_ is None:
        return None, None
    source = (
        _find_other(group, "source", PAYERS, lookup) if type_ == Type.DEPOSIT else _find_own(group, "source", lookup)
    )
    destination = (
        _find_other(group, "destination", PAYEES, lookup)
        if type_ == Type.WITHDRAWAL
        else _find_own(group, "destination", lookup)
    )
    if source and source == destination:
        group.report("destination_id", "The source and the destination may not be the same account.")
    return source, destination


def _find_own(group: Parsed[SplitInput], side: str, lookup: Lookup) -> AccountRef | None:
    """Finds the user's own account, which must be an asset account or a liability.

    If the request has both an id and a name, only the id is used.
    """
    wanted_id, name = getattr(group.values, f"{side}_id"), getattr(group.values, f"{side}_name")
    account = lookup.accounts.get(wanted_id) if wanted_id else account_named(name, OWN, lookup) if name else None
    if account and account.kind in OWN:
        return account
    if account:
        _report_unknown(group, f"{side}_id", "it must be an asset account or a liability")
        return None
    if wanted_id:
        _report_unknown(group, f"{side}_id", "there is no such account")
    if name and not account_named(name, OWN, lookup):
        _report_unknown(group, f"{side}_name", "there is no asset account or liability with that name")
    if group.absent(f"{side}_id", f"{side}_name"):
        group.report(f"{side}_id", f"The {group.label(f'{side}_id')} field is required, or {side}_name.")
    return None


def _find_other(group: Parsed[SplitInput], side: str, kinds: frozenset[Kind], lookup: Lookup) -> AccountRef | None:
    """Finds the payee or payer: an existing account, a new account with the given name or, if neither id nor name is
    sent, the cash account.
    """
    wanted_id, name = getattr(group.values, f"{side}_id"), getattr(group.values, f"{side}_name")
    made = Kind.EXPENSE if side == "destination" else Kind.REVENUE
    if wanted_id:
        account = lookup.accounts.get(wanted_id)
        if account is None:
            _report_unknown(group, f"{side}_id", "there is no such account")
        elif account.kind not in kinds | {Kind.CASH}:
            _report_unknown(group, f"{side}_id", f"it must be an account of the type {made.value}")
            return None
        return account
    if name:
        return account_named(name, kinds | {Kind.CASH}, lookup) or NewAccount(kind=made, name=name)
    return lookup.cash if group.absent(f"{side}_id", f"{side}_name") else None


def _check_sharing(groups: Sequence[Parsed[SplitInput]], parties: list[Parties], type_: Type) -> None:
    """Checks that the splits of a withdrawal have the same source, those of a deposit the same destination, and those
    of a transfer both.
    """
    for index, side in enumerate(("source", "destination")):
        if side in _SHARED[type_] and len({of[index] for of in parties if of[index]}) > 1:
            sentence = f"All splits of a {type_.label.lower()} must have the same {side} account."
            groups[0].report(f"{side}_id", sentence)


_SHARED = {Type.WITHDRAWAL: ["source"], Type.DEPOSIT: ["destination"], Type.TRANSFER: ["source", "destination"]}
