"""Gives withdrawals without a budget the default budget of their category."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from farthing.ledger.entry import Entry, Split
from farthing.ledger.kinds import Type
from farthing.storage.unit import Answer, Row, Unit

from ..categories import store as categories
from ..transactions import booked


def ask_budgets(db: Unit, user_id: int, entries: Sequence[Entry]) -> Answer[Row] | None:
    """Asks for the default budgets of categories; returns None if no entry could get one."""
    category_ids = {split.category_id for entry in entries for split in entry.splits if _takes_budget(entry, split)}
    return (
        categories.ask_budgets(db, user_id, [category_id for category_id in category_ids if category_id])
        if category_ids
        else None
    )


def give_budgets(entries: Sequence[Entry], answer: Answer[Row] | None) -> Sequence[Entry]:
    budgets: dict[int, int] = dict(answer.rows()) if answer else {}
    return [_give(entry, budgets, staying=()) for entry in entries] if budgets else entries


def give_budgets_again(db: Unit, user_id: int, entry_id: int, entry: Entry, answer: Answer[Row] | None) -> Entry:
    """Gives a changed entry budgets only where a split gets a new category, so that a budget can be removed."""
    budgets: dict[int, int] = dict(answer.rows()) if answer else {}
    if not budgets:
        return entry
    return _give(entry, budgets, staying=booked.categories_of(db, user_id, entry_id))


def _takes_budget(entry: Entry, split: Split) -> bool:
    is_spent = entry.type == Type.WITHDRAWAL or split.refund
    return is_spent and split.budget_id is None and split.category_id is not None


def _give(entry: Entry, budgets: dict[int, int], *, staying: Collection[tuple[int, int | None]]) -> Entry:
    """Gives budgets to splits, but for those that have their category already: `staying`, by position."""
    splits = tuple(
        replace(split, budget_id=budgets.get(split.category_id or 0))
        if _takes_budget(entry, split) and (position, split.category_id) not in staying
        else split
        for position, split in enumerate(entry.splits)
    )
    return replace(entry, splits=splits)
