"""Checks the names of labels and removes labels; changes, merges and removes categories.

Budgets and tags have modules of their own.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from farthing.kernel.errors import Conflict, Problem, refuse_field
from farthing.ledger.entry import Label
from farthing.storage.restoring import Undoing
from farthing.storage.unit import Unit

from ..bookkeeping import record
from ..budgets import store as budgets
from ..categories import store as categories
from ..categories.model import Category, CategoryDraft, parent_problems
from ..labels import store
from ..labels.model import taken_problem
from ..recurrences import labels as recurrences
from ..rules import renaming
from ..transactions import store as transactions


def taken_problems(
    db: Unit, user_id: int, label: Label, name: str | None, *, field: str, except_id: int
) -> list[Problem]:
    """`field` is the caller's name for the field; `except_id` is the label itself, 0 for a new one."""
    if name is None or not store.is_taken(db, user_id, label, name, except_id=except_id):
        return []
    return [taken_problem(label, field)]


def remove(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Removes a label; its transactions and recurrences stay."""
    transactions.forget_label(db, user_id, label, label_id)
    recurrences.forget_label(db, user_id, label, label_id)
    store.remove(db, user_id, label, label_id)


def category_problems(
    db: Unit, user_id: int, *, parent_id: int | None, budget_id: int | None, except_id: int
) -> list[Problem]:
    """Checks what a category refers to. `except_id` is the category itself, 0 for a new one."""
    problems: list[Problem] = []
    if parent_id is not None:
        parent = categories.get(db, user_id, parent_id)
        has_children = bool(except_id) and categories.has_children(db, user_id, except_id)
        problems += parent_problems(parent, category_id=except_id, has_children=has_children)
    if budget_id is not None and budgets.get(db, user_id, budget_id) is None:
        problems.append(Problem("budget_id", "The selected budget id is invalid: there is no such budget."))
    return problems


def change_category(db: Unit, user_id: int, category: Category, draft: CategoryDraft, now: str) -> None:
    """Changes a category, and the rules that refer to it."""
    categories.change(db, user_id, category.id, draft, now)
    renaming.rename(db, user_id, "categories", {category.name: draft.name}, now)


def remove_category(db: Unit, user_id: int, category_id: int) -> None:
    """Removes a category; its sub-categories stay, without a parent."""
    categories.move_children(db, user_id, category_id, to_id=None)
    remove(db, user_id, "categories", category_id)


def merge_category(db: Unit, user_id: int, category: Category, into: Category, now: str) -> None:
    """Gives `into` to all that has `category`: transactions, recurrences, rules and sub-categories."""
    if into.parent_id is not None and categories.has_children(db, user_id, category.id):
        sentence = f"“{category.name}” has sub-categories, and “{into.name}” is one itself: there is only one level."
        refuse_field("into_id", sentence)
    record.move_label(db, user_id, "categories", category.id, into_id=into.id)
    recurrences.move_category(db, user_id, category.id, into_id=into.id)
    categories.move_children(db, user_id, category.id, to_id=into.id)
    renaming.rename(db, user_id, "categories", {category.name: into.name}, now)
    store.remove(db, user_id, "categories", category.id)


@contextmanager
def follow_undo_of_categories(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Renames categories in rules that were made since, and refuses a second level."""
    category_ids = undoing.list_touched("categories")
    before = renaming.load_names(db, user_id, "categories", category_ids)
    yield
    nested = categories.find_nested(db, user_id, category_ids) if category_ids else None
    if nested:
        raise Conflict(f"Not undone: “{nested}” would be a sub-category of a sub-category. Move it first.")
    renaming.rename(db, user_id, "categories", renaming.find_renamed(db, user_id, "categories", before), undoing.now)
