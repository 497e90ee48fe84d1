"""Changes, merges and removes categories, with the rules and recurrences that name them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from farthing.kernel.errors import Conflict, Problem, refuse_field
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ...bookkeeping import record
from ...budgets import store as budgets
from ...categories import store
from ...categories.model import Category, CategoryDraft, parent_problems
from ...labels import store as label_store
from ...recurrences import labels as recurrences
from ...rules import renaming
from . import any_label

taken_problems = partial(any_label.taken_problems, label="categories")


def reference_problems(
    db: Unit, user_id: int, *, parent_id: int | None, budget_id: int | None, except_id: int
) -> list[Problem]:
    """Checks what a category refers to. `except_id` is the category itself, 0 for a new one."""
    problems: list[Problem] = []
    if parent_id is not None:
        parent = store.get(db, user_id, parent_id)
        has_children = bool(except_id) and store.has_children(db, user_id, except_id)
        problems += parent_problems(parent, category_id=except_id, has_children=has_children)
    if budget_id is not None and budgets.get(db, user_id, budget_id) is None:
        problems.append(Problem("budget_id", "The selected budget id is invalid: there is no such budget."))
    return problems


def change(db: Unit, user_id: int, category: Category, draft: CategoryDraft, now: str) -> None:
    store.change(db, user_id, category.id, draft, now)
    renaming.rename(db, user_id, "categories", {category.name: draft.name}, now)


def remove(db: Unit, user_id: int, category_id: int) -> None:
    """Removes a category; its sub-categories stay, without a parent."""
    store.move_children(db, user_id, category_id, to_id=None)
    any_label.remove(db, user_id, "categories", category_id)


def merge(db: Unit, user_id: int, category: Category, into: Category, now: str) -> None:
    """Gives `into` to all that has `category`: transactions, recurrences, rules and sub-categories."""
    if into.parent_id is not None and store.has_children(db, user_id, category.id):
        sentence = f"“{category.name}” has sub-categories, and “{into.name}” is one itself: there is only one level."
        refuse_field("into_id", sentence)
    record.move_label(db, user_id, "categories", category.id, into_id=into.id)
    recurrences.move_category(db, user_id, category.id, into_id=into.id)
    store.move_children(db, user_id, category.id, to_id=into.id)
    renaming.rename(db, user_id, "categories", {category.name: into.name}, now)
    label_store.remove(db, user_id, "categories", category.id)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Renames categories in rules that were made since, and refuses a second level."""
    category_ids = undoing.list_touched("categories")
    before = renaming.load_names(db, user_id, "categories", category_ids)
    yield
    nested = store.find_nested(db, user_id, category_ids) if category_ids else None
    if nested:
        raise Conflict(f"Not undone: “{nested}” would be a sub-category of a sub-category. Move it first.")
    renaming.rename(db, user_id, "categories", renaming.find_renamed(db, user_id, "categories", before), undoing.now)
