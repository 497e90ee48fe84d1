"""Is what was sent a transaction? Gathered facts in, a draft out, and everything that is wrong with it."""

from collections.abc import Iterator, Mapping

from ..currencies.wire import units
from ..errors import Problem
from ..fields import Parsed, label, required, required_without
from ..ledger.entry import OTHER_DATES
from ..ledger.kinds import Kind, Type
from ..money import Currency, Money
from ..text import fold
from .model import OWN, PAYEES, PAYERS, TYPES, Draft, Known, KnownAccount, NewAccount, SplitDraft
from .wire import SplitBody, TransactionBody

Party = KnownAccount | NewAccount


def composed(
    parsed: Parsed[TransactionBody], known: Known, kept_type: Type | None = None
) -> tuple[Draft | None, list[Problem]]:
    """`kept_type` is that of a transaction that exists already: it cannot be changed."""
    values = parsed.values
    type_ = kept_type or TYPES.get(values.type or "")
    groups = parsed.each("transactions", values.transactions)
    problems = [*parsed.problems, *required(parsed, "date"), *([] if kept_type else required(parsed, "type"))]
    problems += _description_problems(parsed, groups)
    if not groups and not parsed.wrong("transactions"):
        sentence = "At least one transaction is needed."
        problems += [Problem(parsed.key("transactions"), sentence), Problem(parsed.key("description"), sentence)]
    splits = [_split(group, type_, known, problems) for group in groups]
    if type_:
        problems += _sharing_problems(groups, splits, type_)
    whole = [split for split in splits if split]
    if problems or type_ is None or values.date is None or not whole:
        return None, problems
    return _draft(values, type_, whole), []


def _draft(values: TransactionBody, type_: Type, splits: list[SplitDraft]) -> Draft:
    assert values.date is not None
    first = splits[0].description
    if values.description is None and len(splits) == 1:
        # The only text there is describes the whole.
        splits = [_without_text(splits[0])]
    return Draft(
        type=type_,
        on=values.date,
        description=values.description or first or "",
        splits=tuple(splits),
        notes=values.notes,
        internal_reference=values.internal_reference,
        dates=tuple(getattr(values, f"{name}_date") for name in OTHER_DATES),
        tags=tuple(dict.fromkeys(values.tags or ())),
    )


def _without_text(split: SplitDraft) -> SplitDraft:
    return SplitDraft(
        split.source,
        split.destination,
        split.amount,
        split.foreign,
        None,
        split.reconciled,
        split.category,
        split.budget,
    )


def _description_problems(parsed: Parsed[TransactionBody], groups: list[Parsed[SplitBody]]) -> Iterator[Problem]:
    whole = parsed.values.description
    for group in groups:
        text, key = group.values.description, group.key("description")
        if text is None and len(groups) > 1 and not group.wrong("description"):
            yield Problem(key, f"The {label(key)} field is required: with several splits each needs its own.")
        if text is not None and text == whole:
            yield Problem(key, f"The {label(key)} may not be the same as the description of the whole.")
    texts = any(group.values.description or group.wrong("description") for group in groups)
    if groups and not whole and not texts and not parsed.wrong("description"):
        yield Problem(parsed.key("description"), "The description field is required: here or in the split.")


def _split(group: Parsed[SplitBody], type_: Type | None, known: Known, problems: list[Problem]) -> SplitDraft | None:
    values = group.values
    before = len(problems)
    problems += [*required(group, "amount"), *required_without(group, "currency_id", "currency_code")]
    currency = _currency(group, "currency_id", "currency_code", known, problems)
    amount = units(group, "amount", currency, problems)
    foreign = _foreign(group, known, problems)
    category = _label(group, "category", known.categories, known.categories_named, problems)
    budget = _label(group, "budget", known.budgets, known.budgets_named, problems)
    parties = _parties(group, type_, known, problems) if type_ else None
    if len(problems) > before or parties is None or amount is None or currency is None:
        return None
    return SplitDraft(
        source=parties[0],
        destination=parties[1],
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
    """A foreign currency without an amount says nothing, and is ignored."""
    if group.values.foreign_amount is None:
        return None
    names = ("foreign_currency_id", "foreign_currency_code")
    if group.absent(*names):
        for name in (*names, "foreign_amount"):
            key = group.key(name)
            problems.append(Problem(key, "A foreign amount needs foreign_currency_id or foreign_currency_code."))
        return None
    currency = _currency(group, *names, known, problems)
    amount = units(group, "foreign_amount", currency, problems)
    return Money(amount, currency) if amount and currency else None


def _label(
    group: Parsed[SplitBody],
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


def _parties(
    group: Parsed[SplitBody], type_: Type, known: Known, problems: list[Problem]
) -> tuple[Party, Party] | None:
    source = _own(group, "source", known, problems) if type_ != Type.DEPOSIT else None
    destination = _own(group, "destination", known, problems) if type_ != Type.WITHDRAWAL else None
    if type_ == Type.DEPOSIT:
        source = _other(group, "source", PAYERS, known, problems)
    if type_ == Type.WITHDRAWAL:
        destination = _other(group, "destination", PAYEES, known, problems)
    if isinstance(source, KnownAccount) and source == destination:
        key = group.key("destination_id")
        problems.append(Problem(key, "The source and the destination may not be the same account."))
        return None
    return (source, destination) if source and destination else None


def _own(group: Parsed[SplitBody], side: str, known: Known, problems: list[Problem]) -> Party | None:
    """The side with the caller's own money: an asset or a liability that exists."""
    wanted_id, name = getattr(group.values, f"{side}_id"), getattr(group.values, f"{side}_name")
    if account := known.accounts.get(wanted_id):
        if account.kind not in OWN:
            problems.append(_unknown(group, f"{side}_id", "it must be an asset account or a liability"))
            return None
        return account
    if name and (account := _named(name, OWN, known)):
        return account
    if wanted_id:
        problems.append(_unknown(group, f"{side}_id", "there is no such account"))
    if name:
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
        return _named(name, kinds | {Kind.CASH}, known) or NewAccount(made, name)
    return known.cash if group.absent(f"{side}_id", f"{side}_name") else None


def _named(name: str, kinds: frozenset[Kind], known: Known) -> KnownAccount | None:
    """The oldest active one of a fitting kind; one spelled exactly so comes first."""
    fitting = [one for one in known.accounts_named.get(fold(name), ()) if one.kind in kinds and one.active]
    return next((one for one in fitting if one.name == name), fitting[0] if fitting else None)


def _sharing_problems(
    groups: list[Parsed[SplitBody]], splits: list[SplitDraft | None], type_: Type
) -> Iterator[Problem]:
    """A withdrawal leaves one account, a deposit enters one, a transfer joins two."""
    sides = {Type.WITHDRAWAL: ("source",), Type.DEPOSIT: ("destination",), Type.TRANSFER: ("source", "destination")}
    for side in sides.get(type_, ()):
        if len({getattr(split, side) for split in splits if split}) > 1:
            key = groups[0].key(f"{side}_id")
            yield Problem(key, f"All splits of a {type_.label.lower()} must have the same {side} account.")
