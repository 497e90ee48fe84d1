"""Applies the actions of rules to a draft: returns the changed draft, or why an action cannot be applied.

Nothing here reads or writes the database.
"""

from collections.abc import Callable, Mapping, Set
from functools import partial
from typing import Any, Literal

from msgspec import Struct, field, structs

from farthing.kernel.limits import DESCRIPTION_MAX, NOTES_MAX
from farthing.kernel.text import fold
from farthing.ledger.kinds import Kind, Type

from ..piggy_banks.model import misfit
from ..transactions.model import (
    OWN,
    PAYEES,
    PAYERS,
    TAGS_MAX,
    AccountRef,
    Lookup,
    NewAccount,
    TransactionDraft,
    account_named,
    sides,
)
from .model import ACTIONS, StoredRulePart, in_words

# A name in an action: the kind of thing, and its folded name.
Name = tuple[Literal["accounts", "categories", "budgets", "tags", "bills"], str]
Side = Literal["source", "destination"]


class Skip(Struct, frozen=True):
    """Says that an action cannot be applied; `reason` is the end of a sentence."""

    reason: str


class ActionContext(Struct):
    """Resolves the names in actions. Names that are not looked up yet are assumed to exist and collected in `unknown`.

    Names in `made` are created if they do not exist. If `bill_decided`, the user chose the bill by hand; a `bill_id`
    of None then means that the user chose to have no bill.
    """

    lookup: Lookup
    looked_up: Set[Name]
    bill_decided: bool
    bill_id: int | None
    unknown: set[Name] = field(default_factory=set)
    made: set[Name] = field(default_factory=set)

    def is_new(self, name: Name) -> bool:
        if name in self.looked_up:
            return False
        self.unknown.add(name)
        return True


Act = Callable[[TransactionDraft, ActionContext], TransactionDraft | Skip]


class PreparedAction(Struct, frozen=True):
    """An action ready to run. If `stops` is True, the later actions of its rule are skipped."""

    act: Act
    words: str
    stops: bool


def prepare_action(part: StoredRulePart) -> PreparedAction:
    spec = ACTIONS[part.name]
    act = partial(_ACTS[part.name], part.value or "")
    return PreparedAction(act=act, words=in_words(spec, part.value), stops=part.stops)


def _splits(draft: TransactionDraft, **changed: Any) -> TransactionDraft:
    """Sets fields of every split. If all splits have these values already, the result equals the draft."""
    return structs.replace(draft, splits=tuple(structs.replace(split, **changed) for split in draft.splits))


def _set_category(value: str, draft: TransactionDraft, context: ActionContext) -> TransactionDraft:
    name = fold(value)
    context.made.add(("categories", name))
    return _splits(draft, category=context.lookup.categories_named.get(name, value))


def _set_budget(value: str, draft: TransactionDraft, context: ActionContext) -> TransactionDraft | Skip:
    if draft.type != Type.WITHDRAWAL and not all(split.refund for split in draft.splits):
        return Skip("only a withdrawal or a refund has a budget")
    if context.is_new(("budgets", fold(value))):
        return _splits(draft, budget=value)
    budget_id = context.lookup.budgets_named.get(fold(value))
    return _splits(draft, budget=budget_id) if budget_id else Skip("there is no such budget")


def _add_tag(value: str, draft: TransactionDraft, context: ActionContext) -> TransactionDraft | Skip:
    name = fold(value)
    if name in map(fold, draft.tags):
        return draft
    if len(draft.tags) >= TAGS_MAX:
        return Skip(f"it has {TAGS_MAX} tags already")
    context.made.add(("tags", name))
    return structs.replace(draft, tags=(*draft.tags, value))


def _add_to_description(
    value: str, draft: TransactionDraft, _context: ActionContext, *, at_end: bool
) -> TransactionDraft | Skip:
    if _holds(draft.description, value, between=" "):
        return draft
    description = f"{draft.description} {value}" if at_end else f"{value} {draft.description}"
    if len(description) > DESCRIPTION_MAX:
        return Skip(f"the description would have more than {DESCRIPTION_MAX} characters")
    return structs.replace(draft, description=description)


def _holds(text: str, value: str, *, between: str) -> bool:
    """Checks if an earlier run has already added `value`, even if other rules have since added text around it."""
    return f"{between}{value}{between}" in f"{between}{text}{between}"


def _add_to_notes(
    value: str, draft: TransactionDraft, _context: ActionContext, *, at_end: bool
) -> TransactionDraft | Skip:
    before = draft.notes or ""
    if _holds(before, value, between="\n"):
        return draft
    notes = (f"{before}\n{value}" if at_end else f"{value}\n{before}").strip()
    if len(notes) > NOTES_MAX:
        return Skip(f"the notes would have more than {NOTES_MAX} characters")
    return structs.replace(draft, notes=notes)


def _link_to_bill(value: str, draft: TransactionDraft, context: ActionContext) -> TransactionDraft | Skip:
    """Links the transaction to a bill, unless the user chose the bill by hand. Automatic matching keeps this link."""
    if draft.type != Type.WITHDRAWAL:
        return Skip("only a withdrawal pays a bill")
    if context.is_new(("bills", fold(value))):
        return draft
    bill_id = context.lookup.bills_named.get(fold(value))
    if bill_id is None:
        return Skip("there is no such bill")
    if context.bill_decided:
        return draft if bill_id == context.bill_id else Skip("the user has chosen its bill, or no bill, by hand")
    return structs.replace(draft, bill_id=bill_id)


def _set_account(side: Side, value: str, draft: TransactionDraft, context: ActionContext) -> TransactionDraft | Skip:
    own = draft.type == Type.TRANSFER or (draft.type == Type.WITHDRAWAL) == (side == "source")
    account = _own(value, context) if own else _other(side, value, context)
    if isinstance(account, Skip):
        return account
    changed = _splits(draft, **{side: account})
    if any(split.source == split.destination for split in changed.splits):
        return Skip("source and destination would be the same account")
    if own and any(split.reconciled and getattr(split, side) != account for split in draft.splits):
        return Skip("it is reconciled, so it stays on its account")
    return (
        changed
        if _keeps_piggy_bank(changed, context.lookup)
        else Skip("its piggy bank belongs to the account that would be replaced")
    )


def _own(name: str, context: ActionContext) -> AccountRef | Skip:
    if context.is_new(("accounts", fold(name))):
        return NewAccount(Kind.ASSET, name)
    account = account_named(name, OWN, context.lookup)
    return account or Skip("there is no active asset account or liability of that name")


def _other(side: Side, name: str, context: ActionContext) -> AccountRef:
    """Returns the payer or payee of that name, or a new account if there is none."""
    kinds, made = (PAYERS, Kind.REVENUE) if side == "source" else (PAYEES, Kind.EXPENSE)
    context.is_new(("accounts", fold(name)))  # records that the name must be looked up
    return account_named(name, kinds | {Kind.CASH}, context.lookup) or NewAccount(made, name)


def _keeps_piggy_bank(draft: TransactionDraft, lookup: Lookup) -> bool:
    """Checks that a transfer still touches an account of its piggy bank."""
    account_ids = lookup.piggy_banks.get(draft.piggy_bank_id) if draft.piggy_bank_id else None
    return account_ids is None or not misfit(draft.type, account_ids, sides(draft.splits))


_ACTS: Mapping[str, Callable[[str, TransactionDraft, ActionContext], TransactionDraft | Skip]] = {
    "set_category": _set_category,
    "clear_category": lambda _value, draft, _context: _splits(draft, category=None),
    "set_budget": _set_budget,
    "clear_budget": lambda _value, draft, _context: _splits(draft, budget=None),
    "add_tag": _add_tag,
    "remove_tag": lambda value, draft, _context: structs.replace(
        draft, tags=tuple(tag for tag in draft.tags if fold(tag) != fold(value))
    ),
    "remove_all_tags": lambda _value, draft, _context: structs.replace(draft, tags=()),
    "set_description": lambda value, draft, _context: structs.replace(draft, description=value),
    "append_description": partial(_add_to_description, at_end=True),
    "prepend_description": partial(_add_to_description, at_end=False),
    "set_source_account": partial(_set_account, "source"),
    "set_destination_account": partial(_set_account, "destination"),
    "set_notes": lambda value, draft, _context: structs.replace(draft, notes=value),
    "append_notes": partial(_add_to_notes, at_end=True),
    "prepend_notes": partial(_add_to_notes, at_end=False),
    "clear_notes": lambda _value, draft, _context: structs.replace(draft, notes=None),
    "link_to_bill": _link_to_bill,
}
