"""Adds and removes rules, and checks what they refer to."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from farthing.kernel.errors import Conflict, Problem, refuse_field
from farthing.kernel.parsed import Parsed
from farthing.kernel.text import fold
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..bookkeeping.lookup import look_up
from ..currencies import store as currencies
from ..rule_groups import store as groups
from ..rules import apply_stored, dry_run, inputs, store
from ..rules.inputs import RulePartSent
from ..rules.model import ACTIONS, RULES_MAX, TRIGGERS, Rule, Spec, ValueKind
from ..transactions.model import LookupRequest


def refuse_too_many(db: Unit, user_id: int) -> None:
    if store.count(db, user_id) >= RULES_MAX:
        refuse_field("title", f"You may have at most {RULES_MAX} rules.")


def taken_problems(db: Unit, user_id: int, title: str | None, *, except_id: int) -> list[Problem]:
    if title is None or not store.is_title_taken(db, user_id, title, except_id=except_id):
        return []
    return [Problem("title", "The title has already been taken by another of your rules.")]


def find_named(db: Unit, user_id: int, values: Mapping[ValueKind, Collection[str]]) -> dict[ValueKind, set[str]]:
    """Returns those of the named budgets, bills and currencies that exist.

    A rule that names a missing object could never work.
    """
    budgets, bills = values[ValueKind.BUDGET], values[ValueKind.BILL]
    named = LookupRequest(budget_folds={fold(name) for name in budgets}, bill_folds={fold(name) for name in bills})
    lookup = look_up(db, user_id, named)
    return {
        ValueKind.BUDGET: {name for name in budgets if fold(name) in lookup.budgets_named},
        ValueKind.BILL: {name for name in bills if fold(name) in lookup.bills_named},
        ValueKind.CURRENCY: currencies.find_meant(db, values[ValueKind.CURRENCY]),
    }


def find_group(db: Unit, user_id: int, parsed: Parsed[Any]) -> int | None:
    """Finds the group that a body names by id or title, and reports it if it does not exist."""
    group_id, title = parsed.values.rule_group_id, parsed.values.rule_group_title
    if not group_id and not title:
        return None
    key = "rule_group_id" if group_id else "rule_group_title"
    group = groups.get(db, user_id, group_id) if group_id else groups.get_titled(db, user_id, title)
    if group is None:
        parsed.report(key, f"The selected {parsed.label(key)} is invalid: there is no such rule group.")
    return group.id if group else None


def report_unknown(db: Unit, user_id: int, parsed: Parsed[Any], sent: list[RulePartSent]) -> None:
    """Reports the triggers and actions that name a budget, bill or currency that does not exist."""
    values = {
        takes: {part.part.value for part in sent if part.takes == takes and part.part.value}
        for takes in (ValueKind.BUDGET, ValueKind.BILL, ValueKind.CURRENCY)
    }
    for takes, names in find_named(db, user_id, values).items():
        inputs.report_unknown(parsed, sent, takes, names)


def remove(db: Unit, user_id: int, rule: Rule, now: str) -> None:
    """Removes a rule and cancels its jobs. Transactions that the rule changed stay as they are."""
    dry_run.call_off(db, user_id, apply_stored.RULE_JOB, rule.id, now)
    store.remove(db, user_id, [rule.id])


_PARTS: tuple[tuple[store.Table, Mapping[str, Spec]], ...] = (("rule_triggers", TRIGGERS), ("rule_actions", ACTIONS))


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Renumbers the rules in their groups after an undo, so that there are no gaps.

    Refuses the undo if there would be too many rules, or if a rule would name an object that does not exist.
    """
    yield
    if not any(undoing.list_touched(table) for table in ("rules", "rule_triggers", "rule_actions")):
        return
    store.close_gaps(db, user_id)
    store.touch(db, user_id)
    _refuse_unknown(db, user_id, undoing)
    if store.count(db, user_id) > RULES_MAX:
        raise Conflict(f"Not undone: there would be more than {RULES_MAX} rules. Delete one first.")


def _refuse_unknown(db: Unit, user_id: int, undoing: Undoing) -> None:
    """Refuses to restore a rule that names a missing budget, bill or currency.

    Such a rule could not work or be saved.
    """
    named: dict[ValueKind, set[str]] = defaultdict(set)
    for table, specs in _PARTS:
        for name, value in store.find_values(db, user_id, table, undoing.list_touched(table)):
            named[specs[name].takes].add(value)
    for kind, existing in find_named(db, user_id, named).items():
        unknown = sorted(named[kind] - existing)
        if unknown:
            raise Conflict(f"Not undone: a rule would name the {kind.value} “{unknown[0]}”, which no longer exists.")
