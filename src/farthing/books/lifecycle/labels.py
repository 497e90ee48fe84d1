"""Changes, merges and removes categories, budgets and tags, and updates everything that refers to them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date

from farthing.kernel.errors import Conflict, Problem, refuse_field
from farthing.kernel.money import Currency
from farthing.kernel.parsed import label as words_of
from farthing.ledger.entry import LABELS, Label
from farthing.schedule.months import day_in_month
from farthing.schedule.periods import DayRange
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..attachments import store as attachments
from ..attachments.model import Model
from ..bookkeeping import record
from ..budget_limits import store as limits
from ..budget_limits.model import BudgetLimitDraft, CopiedLimits
from ..budgets import releases
from ..budgets import store as budgets
from ..budgets.model import Budget, BudgetDraft
from ..categories import store as categories
from ..categories.model import Category, CategoryDraft, parent_problems
from ..labels import store
from ..recurrences import labels as recurrences
from ..rules import renaming
from ..tags import store as tags
from ..tags.model import Tag, TagDraft
from ..transactions import store as transactions
from ..webhooks import outbox
from ..webhooks.model import Trigger
from . import automatic_limits

_MODELS: Mapping[Label, Model] = {"categories": Model.CATEGORY, "budgets": Model.BUDGET, "tags": Model.TAG}


def taken_problems(
    db: Unit, user_id: int, label: Label, name: str | None, *, field: str = "name", except_id: int
) -> list[Problem]:
    """Checks that no other label has this name. `field` is the caller's name for the field.

    `except_id` is the id of the label itself, or 0 for a new label.
    """
    if name is None or not store.is_taken(db, user_id, label, name, except_id=except_id):
        return []
    return [Problem(field, f"The {words_of(field)} has already been taken by another of your {label}.")]


def category_problems(
    db: Unit, user_id: int, *, parent_id: int | None, budget_id: int | None, except_id: int
) -> list[Problem]:
    """Checks the parent and the budget of a category. `except_id` is the category's own id, or 0 for a new category."""
    problems: list[Problem] = []
    if parent_id is not None:
        parent = categories.get(db, user_id, parent_id)
        has_children = bool(except_id) and categories.has_children(db, user_id, except_id)
        problems += parent_problems(parent, category_id=except_id, has_children=has_children)
    if budget_id is not None and budgets.get(db, user_id, budget_id) is None:
        problems.append(Problem("budget_id", "The selected budget id is invalid: there is no such budget."))
    return problems


def limit_problems(
    db: Unit,
    user_id: int,
    budget_id: int | None,
    currency: Currency | None,
    *,
    start: date | None,
    end: date | None,
    except_id: int,
    fields: tuple[str, str] = ("start_date", "end_date"),
) -> list[Problem]:
    """Checks that no other limit of the budget in that currency overlaps the period.

    Does nothing if a value is missing. `fields` are the caller's names for the two days.
    """
    if budget_id is None or currency is None or start is None or end is None or start > end:
        return []
    other = limits.find_overlapping(db, user_id, budget_id, currency.id, start=start, end=end, except_id=except_id)
    if other is None:
        return []
    which = f"limit {other.id} of this budget in {currency.code}, from {other.start_on} to {other.end_on}"
    return [Problem(field, f"The period overlaps with {which}.") for field in fields]


def copy_limits(db: Unit, user_id: int, *, from_month: int, to_month: int, now: str) -> CopiedLimits:
    """Copies the limits of a month (those whose period is exactly that month) to another month, for active budgets.

    Skips a limit if its budget already has one in the same currency that overlaps the target month.
    """
    of, to = (DayRange(day_in_month(month, 1), day_in_month(month, 31)) for month in (from_month, to_month))
    total = limits.count_of_month(db, user_id, of)
    copied = limits.copy_month(db, user_id, of, to, now)
    return CopiedLimits(copied=copied, unchanged=total - copied)


def add_budget(db: Unit, user_id: int, draft: BudgetDraft, today: date, now: str) -> int:
    """Adds a budget, with its automatic limit of the current period."""
    budget_id = budgets.add(db, user_id, draft, now)
    outbox.note_budget(db, user_id, Trigger.STORE_BUDGET, budget_id)
    automatic_limits.make_due(db, user_id, today, now, budget_id=budget_id)
    return budget_id


def change_budget(db: Unit, user_id: int, budget: Budget, draft: BudgetDraft, today: date, now: str) -> None:
    budgets.change(db, user_id, budget.id, draft, now)
    _rename(db, user_id, "budgets", {budget.name: draft.name}, now)
    outbox.note_budget(db, user_id, Trigger.UPDATE_BUDGET, budget.id)
    automatic_limits.make_due(db, user_id, today, now, budget_id=budget.id)


def add_limit(db: Unit, user_id: int, draft: BudgetLimitDraft, now: str) -> int:
    limit_id = limits.add(db, user_id, draft, now)
    outbox.note_budget(db, user_id, Trigger.STORE_UPDATE_BUDGET_LIMIT, draft.budget_id)
    return limit_id


def change_limit(db: Unit, user_id: int, limit_id: int, draft: BudgetLimitDraft, now: str) -> None:
    limits.change(db, user_id, limit_id, draft, now)
    outbox.note_budget(db, user_id, Trigger.STORE_UPDATE_BUDGET_LIMIT, draft.budget_id)


def change_category(db: Unit, user_id: int, category: Category, draft: CategoryDraft, now: str) -> None:
    categories.change(db, user_id, category.id, draft, now)
    _rename(db, user_id, "categories", {category.name: draft.name}, now)


def change_tag(db: Unit, user_id: int, tag: Tag, draft: TagDraft, now: str) -> None:
    tags.change(db, user_id, tag.id, draft, now)
    if draft.name != tag.name:
        _rename(db, user_id, "tags", {tag.name: draft.name}, now)


def _rename(db: Unit, user_id: int, label: Label, renamed: Mapping[str, str], now: str) -> None:
    """Renames labels in rules and, for tags, in recurrences, which refer to other labels by id."""
    if label == "tags":
        recurrences.rename_tags(db, user_id, renamed)
    renaming.rename(db, user_id, label, renamed, now)


def remove(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Removes a label and, for a budget, its limits.

    Transactions, recurrences and sub-categories that had the label stay.
    """
    if label == "categories":
        categories.move_children(db, user_id, label_id, to_id=None)
    if label == "budgets":
        outbox.note_budget(db, user_id, Trigger.DESTROY_BUDGET, label_id)
        categories.forget_budget(db, user_id, label_id)
        limits.remove_of(db, user_id, label_id)
        releases.remove_of(db, user_id, label_id)
    attachments.remove_of(db, user_id, _MODELS[label], [label_id])
    transactions.forget_label(db, user_id, label, label_id)
    recurrences.forget_label(db, user_id, label, label_id)
    store.remove(db, user_id, label, label_id)


def merge_category(db: Unit, user_id: int, category: Category, into: Category, now: str) -> None:
    """Replaces `category` by `into` in transactions, recurrences, rules and sub-categories, and deletes `category`."""
    if into.parent_id is not None and categories.has_children(db, user_id, category.id):
        sentence = f"“{category.name}” has sub-categories, so it cannot be merged into the sub-category “{into.name}”."
        refuse_field("into_id", sentence)
    recurrences.move_category(db, user_id, category.id, into_id=into.id)
    categories.move_children(db, user_id, category.id, to_id=into.id)
    _merge(db, user_id, "categories", category, into, now)


def merge_tag(db: Unit, user_id: int, tag: Tag, into: Tag, now: str) -> None:
    """Replaces `tag` by `into` in transactions, recurrences and rules, and deletes `tag`."""
    _merge(db, user_id, "tags", tag, into, now)


def _merge(db: Unit, user_id: int, label: Label, merged: Category | Tag, into: Category | Tag, now: str) -> None:
    record.move_label(db, user_id, label, merged.id, into_id=into.id)
    _rename(db, user_id, label, {merged.name: into.name}, now)
    attachments.move(db, user_id, _MODELS[label], merged.id, into_id=into.id)
    store.remove(db, user_id, label, merged.id)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Updates the names of restored labels in rules and recurrences.

    Refuses the undo if a sub-category would get sub-categories, or if budget limits would overlap.
    """
    before = {label: renaming.load_names(db, user_id, label, undoing.list_touched(label)) for label in LABELS}
    yield
    for label, names in before.items():
        _rename(db, user_id, label, renaming.find_renamed(db, user_id, label, names), undoing.now)
    overlap = limits.first_overlap(db, user_id, undoing.list_touched("budget_limits"))
    if overlap:
        raise Conflict(
            f"Not undone: budget limit {overlap[0]} would overlap with limit {overlap[1]}. Delete the latter first."
        )
    category_ids = undoing.list_touched("categories")
    nested = categories.find_nested(db, user_id, category_ids) if category_ids else None
    if nested:
        raise Conflict(f"Not undone: “{nested}” would be a sub-category of a sub-category. Move it first.")
