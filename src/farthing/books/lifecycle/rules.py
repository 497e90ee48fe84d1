"""Adds and removes rules, and checks what they refer to."""

from collections.abc import Collection, Mapping

from farthing.kernel.errors import Problem, refuse_field
from farthing.kernel.text import fold
from farthing.storage.unit import Unit

from ..bookkeeping import known as lookup
from ..currencies import store as currencies
from ..rules import apply_stored, dry_run, store
from ..rules.model import RULES_MAX, Rule, ValueKind
from ..transactions.model import LookupRequest


def refuse_too_many(db: Unit, user_id: int) -> None:
    """Call before adding a rule."""
    if store.count(db, user_id) >= RULES_MAX:
        refuse_field("title", f"You may have at most {RULES_MAX} rules.")


def taken_problems(db: Unit, user_id: int, title: str | None, *, except_id: int) -> list[Problem]:
    if title is None or not store.is_title_taken(db, user_id, title, except_id=except_id):
        return []
    return [Problem("title", "The title has already been taken by another of your rules.")]


def find_named(db: Unit, user_id: int, values: Mapping[ValueKind, Collection[str]]) -> dict[ValueKind, set[str]]:
    """Which budgets, bills and currencies that a rule names exist; without them it could never work."""
    budgets, bills = values[ValueKind.BUDGET], values[ValueKind.BILL]
    named = LookupRequest(budget_folds={fold(one) for one in budgets}, bill_folds={fold(one) for one in bills})
    known = lookup.look_up(db, user_id, named)
    return {
        ValueKind.BUDGET: {one for one in budgets if fold(one) in known.budgets_named},
        ValueKind.BILL: {one for one in bills if fold(one) in known.bills_named},
        ValueKind.CURRENCY: currencies.find_meant(db, values[ValueKind.CURRENCY]),
    }


def remove(db: Unit, user_id: int, rule: Rule, now: str) -> None:
    """Also cancels its jobs; what it has changed stays."""
    dry_run.call_off(db, user_id, apply_stored.RULE_JOB, rule.id, now)
    store.remove(db, user_id, rule)
