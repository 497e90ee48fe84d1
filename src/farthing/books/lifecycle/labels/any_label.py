"""Checks the names of labels, and removes labels: categories, budgets and tags alike."""

from farthing.kernel.errors import Problem
from farthing.ledger.entry import Label
from farthing.storage.unit import Unit

from ...labels import store
from ...labels.model import taken_problem
from ...recurrences import labels as recurrences
from ...transactions import store as transactions


def taken_problems(
    db: Unit, user_id: int, name: str | None, *, label: Label, field: str = "name", except_id: int
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
