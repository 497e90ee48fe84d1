"""Is what was sent a transaction? Gathered facts in, a draft out, and everything that is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from msgspec import structs

from ..cleaned import labels
from ..currencies.wire import units
from ..errors import Problem
from ..fields import Parsed, label, required, required_without
from ..ledger.entry import OTHER_DATES
from ..ledger.kinds import Kind, Type
from ..money import Currency, Money
from ..piggy_banks.model import misfit
from ..text import fold
from .model import (
    OWN,
    PAYEES,
    PAYERS,
    SPLITS_MAX,
    TAG_CHARACTERS_MAX,
    TAGS_MAX,
    TYPES,
    Draft,
    Known,
    KnownAccount,
    NewAccount,
    SplitDraft,
    account_named,
    sides,
)  # fmt: skip
from .wire import SplitBody, TransactionBody

Party = KnownAccount | NewAccount
Parties = tuple[Party | None, Party | None]


def composed(
    parsed: Parsed[TransactionBody], known: Known, kept_type: Type | None = None
) -> tuple[Draft | None, list[Problem]]:
    """`kept_type` is that of a transaction that exists already: it cannot be changed."""
    values = parsed.values
    too_many = too_many_splits(parsed.key("transactions"), values.transactions or ())
    if too_many:
        return None, [*parsed.problems, *too_many]
    type_ = kept_type or TYPES.get(values.type or "")
    groups = parsed.each("transactions", values.transactions)
    problems = [*parsed.problems, *required(parsed, *(("date",) if kept_type else ("date", "type")))]
    problems += _description_problems(parsed, groups)
    if not groups and not parsed.wrong("transactions"):
        sentence = "At least one transaction is needed."
        problems += [Problem(parsed.key("transactions"), sentence), Problem(parsed.key("description"), sentence)]
    if values.tags:
        problems += tag_problems(parsed.key("tags"), values.tags)
    bill_id = _bill(parsed, type_, known, problems)
    whole = split_drafts(groups, type_, known, problems)
    piggy_bank_id = piggy_bank_meant(parsed, type_, known, whole, problems)
    if problems or type_ is None or values.date is None or not whole:
        return None, problems
    return _draft(values, type_, whole, bill_id, piggy_bank_id), []


def split_drafts(
    groups: list[Parsed[SplitBody]], type_: Type | None, known: Known, problems: list[Problem]
) -> list[SplitDraft]:
    """Those that are whole; what is wrong with the others is told. Recurrences compose their splits here, too."""
    parties = [_parties(group, type_, known, problems) for group in groups]
    if type_ and len(parties) > 1:
        problems += _sharing_problems(groups, parties, type_)
    splits = [_split(group, of, type_, known, problems) for group, of in zip(groups, parties, strict=True)]
    return [split for split in splits if split]


def amount_field(parsed: Parsed[TransactionBody]) -> str:
    """The field to blame when a balance would leave 64 bits: the first amount, as it was sent."""
    key, sent = parsed.key("transactions"), parsed.raw.get("transactions")
    return f"{key}.{labels(sent)[0]}.amount" if isinstance(sent, list) and sent else key


def type_problems(raw: Mapping[str, object], kept: Type) -> list[Problem]:
    """On an update the type may be left out, or repeated as it is written or shown; it cannot be changed."""
    sent = raw.get("type")
    if sent is None or (isinstance(sent, str) and sent.strip().lower() in ("", kept.label.lower())):
        return []
    return [Problem("type", f"The type cannot be changed: this one is a {kept.label.lower()}.")]


NOT_CHANGED_HERE = {
    Type.OPENING_BALANCE: "An opening balance is changed through its account.",
    Type.RECONCILIATION: "A reconciliation cannot be changed: delete it, and reconcile the account again.",
}


_other_dates = attrgetter(*(f"{name}_date" for name in OTHER_DATES))


def _draft(
    values: TransactionBody, type_: Type, splits: list[SplitDraft], bill_id: int | None, piggy_bank_id: int | None
) -> Draft:
    assert values.date is not None
    first = splits[0].description
    if values.description is None and len(splits) == 1:
        # The only text there is describes the whole.
        splits = [structs.replace(splits[0], description=None)]
    return Draft(
        type=type_,
        on=values.date,
        description=values.description or first or "",
        splits=tuple(splits),
        notes=values.notes,
        internal_reference=values.internal_reference,
        dates=_other_dates(values),
        tags=tuple(dict.fromkeys(values.tags or ())),
        bill_id=bill_id,
        piggy_bank_id=piggy_bank_id,
    )


def _description_problems(parsed: Parsed[TransactionBody], groups: list[Parsed[SplitBody]]) -> Iterator[Problem]:
    whole = parsed.values.description
    for group in groups:
        text, key = group.values.description, group.key("description")
        if text is None and len(groups) > 1 and not group.wrong("description"):
            yield Problem(key, f"The {label(key)} field is required: with several splits each needs its own.")
        if text is not None and text == whole:
            yield Problem(key, f"The {label(key)} may not be the same as the description of the whole.")
    if whole or not groups or parsed.wrong("description"):
        return
    if not any(group.values.description or group.wrong("description") for group in groups):
        yield Problem(parsed.key("description"), "The description field is required: here or in the split.")


def too_many_splits(key: str, splits: Sequence[object]) -> list[Problem]:
    if len(splits) <= SPLITS_MAX:
        return []
    return [Problem(key, f"The {label(key)} may not have more than {SPLITS_MAX} items.")]


def tag_problems(key: str, tags: Sequence[str]) -> Iterator[Problem]:
    if len(tags) > TAGS_MAX:
        yield Problem(key, f"The {label(key)} may not have more than {TAGS_MAX} items.")
    if any(len(tag) > TAG_CHARACTERS_MAX for tag in tags):
        yield Problem(key, f"The {label(key)} may not have a tag of more than {TAG_CHARACTERS_MAX} characters.")


def _bill(parsed: Parsed[TransactionBody], type_: Type | None, known: Known, problems: list[Problem]) -> int | None:
    """The bill that the caller names. Only a withdrawal pays one; elsewhere it is ignored."""
    bill_id, name = parsed.values.bill_id, parsed.values.bill_name
    if type_ not in (Type.WITHDRAWAL, None):
        return None
    if not bill_id and not name:
        return None
    found = bill_id if bill_id in known.bills else known.bills_named.get(fold(name)) if name and not bill_id else None
    if found is None:
        key = parsed.key("bill_id" if bill_id else "bill_name")
        problems.append(Problem(key, f"The selected {label(key)} is invalid: there is no such bill."))
    return found


def piggy_bank_meant(
    parsed: Parsed[Any],
    type_: Type | None,
    known: Known,
    splits: list[SplitDraft],
    problems: list[Problem],
) -> int | None:
    """The piggy bank that the caller names. It must be on one of the two accounts, when these are known."""
    wanted, name = parsed.values.piggy_bank_id, parsed.values.piggy_bank_name
    if not wanted and not name:
        return None
    key = parsed.key("piggy_bank_id" if wanted else "piggy_bank_name")
    found = wanted or known.piggy_banks_named.get(fold(name or ""))
    account_id = known.piggy_banks.get(found) if found else None
    if account_id is None:
        problems.append(Problem(key, f"The selected {label(key)} is invalid: there is no such piggy bank."))
    else:
        reason = misfit(type_, account_id, sides(splits) or {account_id}) if type_ else None
        problems += [Problem(key, f"The {label(key)} {reason}.")] if reason else []
    return found


def _split(
    group: Parsed[SplitBody], parties: Parties, type_: Type | None, known: Known, problems: list[Problem]
) -> SplitDraft | None:
    values, (source, destination) = group.values, parties
    if values.amount is None or not (values.currency_id or values.currency_code):  # else there is nothing to ask
        problems += [*required(group, "amount"), *required_without(group, "currency_id", "currency_code")]
    currency = _currency(group, "currency_id", "currency_code", known, problems)
    amount = units(group, "amount", currency, problems)
    foreign = _foreign(group, known, problems)
    category = label_meant(group, "category", known.categories, known.categories_named, problems)
    budget = label_meant(group, "budget", known.budgets, known.budgets_named, problems)
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
        budget=budget if type_ == Type.WITHDRAWAL else None,
    )


def _currency(
    group: Parsed[SplitBody], id_field: str, code_field: str, known: Known, problems: list[Problem]
) -> Currency | None:
    chosen_id, code = getattr(group.values, id_field), getattr(group.values, code_field)
    by_id = known.currencies.get(chosen_id) if chosen_id else None
    by_code = known.currencies_coded.get(code.upper()) if code else None
    for sent, found, name in ((chosen_id, by_id, id_field), (code, by_code, code_field)):
        if sent and not found:
            problems.append(_unknown(group, name, "there is no such currency"))
    return by_id or by_code


def _foreign(group: Parsed[SplitBody], known: Known, problems: list[Problem]) -> Money | None:
    """A foreign currency without an amount says nothing; but it must be one."""
    names = ("foreign_currency_id", "foreign_currency_code")
    if group.absent("foreign_amount"):
        _currency(group, *names, known, problems)
        return None
    if group.absent(*names):
        for name in (*names, "foreign_amount"):
            key = group.key(name)
            problems.append(Problem(key, "A foreign amount needs foreign_currency_id or foreign_currency_code."))
        return None
    currency = _currency(group, *names, known, problems)
    amount = units(group, "foreign_amount", currency, problems)
    return Money(amount, currency) if amount and currency else None


def label_meant(
    group: Parsed[Any],
    name: str,
    ids: Mapping[int, str],
    named: Mapping[str, int],
    problems: list[Problem],
) -> int | str | None:
    """By id it must be the caller's; a name is found in any case, or will be made. The id wins."""
    label_id, text = getattr(group.values, f"{name}_id"), getattr(group.values, f"{name}_name")
    if label_id and label_id not in ids:
        problems.append(_unknown(group, f"{name}_id", f"there is no such {name}"))
    if label_id:
        return int(label_id)
    return named.get(fold(text), str(text)) if text else None


def _unknown(group: Parsed[SplitBody], name: str, reason: str) -> Problem:
    key = group.key(name)
    return Problem(key, f"The selected {label(key)} is invalid: {reason}.")


def _parties(group: Parsed[SplitBody], type_: Type | None, known: Known, problems: list[Problem]) -> Parties:
    """Which accounts may be meant depends on the type; without one there is nothing to look for."""
    if type_ is None:
        return None, None
    if type_ == Type.DEPOSIT:
        source = _other(group, "source", PAYERS, known, problems)
    else:
        source = _own(group, "source", known, problems)
    if type_ == Type.WITHDRAWAL:
        destination = _other(group, "destination", PAYEES, known, problems)
    else:
        destination = _own(group, "destination", known, problems)
    if source and source == destination:
        key = group.key("destination_id")
        problems.append(Problem(key, "The source and the destination may not be the same account."))
    return source, destination


def _own(group: Parsed[SplitBody], side: str, known: Known, problems: list[Problem]) -> Party | None:
    """The side with the caller's own money: an asset or a liability that exists. The id wins, also when it is wrong."""
    wanted_id, name = getattr(group.values, f"{side}_id"), getattr(group.values, f"{side}_name")
    account = known.accounts.get(wanted_id) if wanted_id else account_named(name, OWN, known) if name else None
    if account and account.kind in OWN:
        return account
    if account:
        problems.append(_unknown(group, f"{side}_id", "it must be an asset account or a liability"))
        return None
    if wanted_id:
        problems.append(_unknown(group, f"{side}_id", "there is no such account"))
    if name and not account_named(name, OWN, known):
        problems.append(_unknown(group, f"{side}_name", "there is no asset account or liability of that name"))
    if group.absent(f"{side}_id", f"{side}_name"):
        key = group.key(f"{side}_id")
        problems.append(Problem(key, f"The {label(key)} field is required, or {side}_name."))
    return None


def _other(
    group: Parsed[SplitBody], side: str, kinds: frozenset[Kind], known: Known, problems: list[Problem]
) -> Party | None:
    """The other side: found, or made from its name, or else cash."""
    wanted_id, name = getattr(group.values, f"{side}_id"), getattr(group.values, f"{side}_name")
    made = Kind.EXPENSE if side == "destination" else Kind.REVENUE
    if wanted_id:
        account = known.accounts.get(wanted_id)
        if account is None:
            problems.append(_unknown(group, f"{side}_id", "there is no such account"))
        elif account.kind not in kinds | {Kind.CASH}:
            problems.append(_unknown(group, f"{side}_id", f"it must be of the kind {made.value}"))
            return None
        return account
    if name:
        return account_named(name, kinds | {Kind.CASH}, known) or NewAccount(made, name)
    return known.cash if group.absent(f"{side}_id", f"{side}_name") else None


def _sharing_problems(groups: list[Parsed[SplitBody]], parties: list[Parties], type_: Type) -> Iterator[Problem]:
    """A withdrawal leaves one account, a deposit enters one, a transfer joins two."""
    for place, side in _SHARED[type_]:
        if len({of[place] for of in parties if of[place]}) > 1:
            key = groups[0].key(f"{side}_id")
            yield Problem(key, f"All splits of a {type_.label.lower()} must have the same {side} account.")


# Where its two parties stand, and what they are called.
_SOURCE, _DESTINATION = (0, "source"), (1, "destination")
_SHARED = {
    Type.WITHDRAWAL: (_SOURCE,),
    Type.DEPOSIT: (_DESTINATION,),
    Type.TRANSFER: (_SOURCE, _DESTINATION),
}
