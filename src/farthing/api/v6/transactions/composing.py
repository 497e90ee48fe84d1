"""Composes the drafts of new and changed transactions from the bodies of version 6."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.bookkeeping import lookup
from farthing.books.bookkeeping.compose import amount_field, compose, report_too_many_splits, type_problems
from farthing.books.transactions import details
from farthing.books.transactions.groups import Group
from farthing.books.transactions.model import (
    PAYEES,
    PAYERS,
    Line,
    Lookup,
    TransactionDraft,
    account_named,
)
from farthing.http.request.call import Call
from farthing.kernel.errors import Invalid, Problem
from farthing.kernel.money import as_text
from farthing.kernel.parsed import Indexed, Parsed
from farthing.ledger.details import NO_DETAILS
from farthing.ledger.kinds import LIABILITIES, Kind, Type

from ..parts.partial import over_required
from .codes import AccountCodes
from .whole import WholeReader
from .wire import SplitBody, StoreBody, UpdateBody, WholeBody

_Split = Parsed[SplitBody]


class Composed(Struct, frozen=True):
    """Holds a draft with everything it refers to. `kept` maps the ids of stored splits to their new positions."""

    draft: TransactionDraft
    lookup: Lookup
    amount_field: str
    kept: Mapping[int, int]
    unlinks: bool
    leaves_piggy_bank: bool


def compose_new(call: Call, parsed: Parsed[StoreBody]) -> Composed:
    splits = _each(parsed, parsed.values.transactions or ())
    if not splits and not parsed.wrong("transactions"):
        parsed.report("transactions", "The transactions field is required: send at least one split.")
        parsed.finish()
    title = parsed.values.group_title if len(splits) > 1 else None
    if len(splits) > 1 and not title and not parsed.wrong("group_title"):
        parsed.report("group_title", "The group title field is required, because there are several splits.")
    return _compose(call, parsed, [(split, None) for split in splits], title, None)


def compose_changed(call: Call, parsed: Parsed[UpdateBody], stored: Group) -> Composed:
    """Composes the changed transaction from what was sent and, for all other fields, from what is stored."""
    pairs = _match(parsed, _each(parsed, parsed.values.transactions or ()), stored)
    entry, alone = stored[0].entry, pairs[0]
    title = over_required(parsed, "group_title", entry.description) if len(pairs) > 1 else None
    if len(pairs) == 1 and alone[1] and alone[1].description and alone[0].values.description is None:
        title = entry.description  # the single split has a description of its own
    filled = [(_fill(split, line), line) for split, line in pairs]
    return _compose(call, parsed, filled, title, stored)


def _each(parsed: Parsed[Any], splits: Sequence[SplitBody]) -> list[_Split]:
    if report_too_many_splits(parsed, splits):
        parsed.finish()
    groups: list[_Split] = parsed.each("transactions", splits)
    return groups


def _match(parsed: Parsed[UpdateBody], sent: Sequence[_Split], stored: Group) -> list[tuple[_Split, Line | None]]:
    """Finds the stored line of each split that was sent. If no splits were sent, all of them are kept."""
    if not sent:
        return [(_silent(parsed, position), line) for position, line in enumerate(stored)]
    by_id = {line.id: line for line in stored}
    pairs: list[tuple[_Split, Line | None]] = []
    for split in sent:
        split_id = split.values.transaction_journal_id
        line = by_id.pop(split_id, None) if split_id else None
        if split_id and line is None:
            name = "transaction_journal_id"
            reason = "this transaction has no such split, or it was sent twice"
            split.report(name, f"The selected {split.label(name)} is invalid: {reason}.")
            parsed.finish()
        pairs.append((split, line))
    if len(stored) == 1 and stored[0].id in by_id and sent[0].values.transaction_journal_id is None:
        pairs[0] = (pairs[0][0], stored[0])  # a transaction with one split needs no id
    return pairs


def _silent(parsed: Parsed[UpdateBody], position: int) -> _Split:
    """Makes a split that changes nothing."""
    prefix = f"{parsed.key('transactions')}.{position}."
    return Parsed(values=SplitBody.model_construct(), problems=parsed.problems, failed=parsed.failed, prefix=prefix)


def _fill(split: _Split, line: Line | None) -> _Split:
    """Adds the stored values of fields that were not sent."""
    if line is None:
        return split
    stored: dict[tuple[str, ...], Any] = {
        ("description",): line.description or line.entry.description,
        ("amount",): Decimal(as_text(line.units, line.currency.places)),
        ("currency_id", "currency_code"): line.currency.id,
        ("source_id", "source_name", "source_iban", "source_number"): line.source.id,
        ("destination_id", "destination_name", "destination_iban", "destination_number"): line.destination.id,
        ("category_id", "category_name"): line.category.id if line.category else None,
        ("budget_id", "budget_name"): line.budget.id if line.budget else None,
        ("reconciled",): bool(line.reconciled),
        ("refund",): bool(line.refund),
    }
    if (foreign := line.foreign_currency) and line.foreign_units:
        stored[("foreign_amount",)] = Decimal(as_text(line.foreign_units, foreign.places))
        stored[("foreign_currency_id", "foreign_currency_code")] = foreign.id
    for name in ("description", "amount"):
        over_required(split, name, stored[(name,)])
    update = {names[0]: value for names, value in stored.items() if not any(_is_sent(split, name) for name in names)}
    return _with(split, update)


def _is_sent(split: _Split, name: str) -> bool:
    return getattr(split.values, name) is not None or name in split.emptied or split.wrong(name)


def _with(split: _Split, update: dict[str, Any]) -> _Split:
    if not update:
        return split
    return Parsed(
        values=split.values.model_copy(update=update),
        problems=split.problems,
        failed=split.failed,
        prefix=split.prefix,
        raw=split.raw,
    )


def _compose(
    call: Call,
    parsed: Parsed[Any],
    pairs: Sequence[tuple[_Split, Line | None]],
    title: str | None,
    stored: Group | None,
) -> Composed:
    first = stored[0] if stored else None
    reader = WholeReader([split for split, _ in pairs], first, call.caller.timezone)
    whole = reader.read(details.of_entry(call.db, call.user_id, first.entry_id) if first else NO_DETAILS)
    codes = AccountCodes(call, reader.splits)
    splits = [_with(split, codes.fill(split.values, whole["type"])) for split in reader.splits]
    body = WholeBody.model_construct(**whole, description=title, transactions=[split.values for split in splits])
    facts = lookup.load(call.db, call.user_id, [body])
    body.type = _choose_type(body, facts)
    reader.check_names(facts)
    raw = Indexed([split.raw for split in splits], [split.prefix.split(".")[-2] for split in splits])
    failed = parsed.failed | {name for name in WholeBody.model_fields for split in splits if split.wrong(name)}
    input_ = Parsed(values=body, problems=parsed.problems, failed=failed, raw={"transactions": raw} if splits else {})
    kept_type = Type(first.type) if first else None
    if kept_type:
        parsed.report_all(type_problems({"type": body.type}, kept_type))
    texts = {split.values.description for split in splits if split.values.description}
    try:
        draft = compose(input_, facts, kept_type, kept_texts=texts, assumes_currency=True)
    except Invalid as refusal:
        raise Invalid(_rename(refusal.problems, reader.key_of, splits)) from refusal
    return Composed(
        draft=replace(draft, splits=tuple(map(codes.equip, draft.splits, (split.values for split in splits)))),
        lookup=facts,
        amount_field=amount_field(input_),
        kept={line.id: position for position, (_, line) in enumerate(pairs) if line},
        unlinks=reader.empties("bill_id", "bill_name"),
        leaves_piggy_bank=reader.empties("piggy_bank_id", "piggy_bank_name"),
    )


_OTHER_SIDES = {"withdrawal": ("destination", PAYEES), "deposit": ("source", PAYERS)}


def _choose_type(body: WholeBody, facts: Lookup) -> str | None:
    """Returns the type. Money that pays off a loan, or comes from one, stays with its owner, so it is a transfer."""
    if body.type not in _OTHER_SIDES:
        return body.type
    side, kinds = _OTHER_SIDES[body.type]
    for split in body.transactions or ():
        account_id, name = getattr(split, f"{side}_id"), getattr(split, f"{side}_name")
        account = facts.accounts.get(account_id) if account_id else None
        if not account_id and name and not account_named(name, kinds | {Kind.CASH}, facts):
            account = account_named(name, LIABILITIES, facts)
        if account and account.kind in LIABILITIES:
            return "transfer"
    return body.type


def _rename(problems: Iterable[Problem], key_of: Mapping[str, str], splits: Sequence[_Split]) -> list[Problem]:
    """Maps fields of the whole transaction to the field of a split in which they were sent."""
    prefix = splits[0].prefix if splits else ""

    def rename(problem: Problem) -> Problem:
        name = problem.field
        if name.startswith(("transactions", "group_title")):
            return problem
        if name == "description" and len(splits) > 1:
            return Problem("group_title", problem.message)
        return Problem(key_of.get(name, prefix + name), problem.message)

    return list(dict.fromkeys(map(rename, problems)))
