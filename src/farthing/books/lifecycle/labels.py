"""What categories, budgets and tags have in common: unique names, and cleaning up after a deletion.

A category is a plain label, so its whole lifecycle is here; budgets and tags have modules of their own.
"""

from farthing.kernel.errors import Problem
from farthing.ledger.entry import Label
from farthing.storage.unit import Unit

from ..categories import store as categories
from ..categories.model import Category
from ..labels import store
from ..labels.model import taken_problem
from ..recurrences import labels as recurrences
from ..rules import store as rules
from ..transactions import store as transactions


def taken_problems(
    db: Unit, user_id: int, label: Label, name: str | None, *, field: str, except_id: int
) -> list[Problem]:
    """`field` is the caller's name for the field; `except_id` is the label itself, 0 for a new one."""
    if name is None or not store.is_taken(db, user_id, label, name, except_id=except_id):
        return []
    return [taken_problem(label, field)]


def remove(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Transactions and recurrences stay, but lose the label."""
    transactions.forget_label(db, user_id, label, label_id)
    recurrences.forget_label(db, user_id, label, label_id)
    store.remove(db, user_id, label, label_id)


def rename_category(db: Unit, user_id: int, category: Category, name: str, now: str) -> None:
    """Also updates the rules that refer to it."""
    categories.change(db, user_id, category.id, name, now)
    rules.rename(db, user_id, "categories", category.name, name, now)
