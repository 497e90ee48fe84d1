"""What can be done with rules over HTTP?"""

from typing import Any

from ..currencies import store as currencies
from ..errors import Problem, refuse
from ..fields import Parsed, label, parse, required, required_without
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page
from ..http.includes import include
from ..http.pages import asked
from ..http.route import PAGED, Route
from ..rule_groups import store as groups
from ..text import fold
from ..transactions import known as lookup
from ..transactions.listing import INCLUDES as TRANSACTION_INCLUDES
from ..transactions.model import Named
from . import dry_run as dry_runs
from . import store, trigger, wire
from .listing import (
    INCLUDES,
    TEST_PARAMETERS,
    TRIGGER_PARAMETERS,
    RuleDryRun,
    RuleRun,
    RuleTest,
    RuleThing,
    dry_ran,
    listed,
    tested,
    things,
    triggered,
)  # fmt: skip
from .model import RULES_MAX, Draft, Rule, Takes
from .wire import Sent


def index(call: Call) -> Answer:
    at = asked(call)
    total, rules = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    return listed(call, "/rules", rules, total)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    if store.count(call.db, call.user_id) >= RULES_MAX:
        refuse([Problem("title", f"You may have at most {RULES_MAX} rules.")])
    return _answer(call, store.add(call.db, call.user_id, _draft(call, None), call.now))


def change(call: Call) -> Answer:
    rule = found(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, rule, _draft(call, rule), call.now)
    return _answer(call, rule.id)


def remove(call: Call) -> Answer:
    rule = found(store.get(call.db, call.user_id, call.id))
    dry_runs.call_off(call.db, call.user_id, trigger.RULE_JOB, rule.id, call.now)
    store.remove(call.db, call.user_id, rule)
    return NOTHING


def test(call: Call) -> Answer:
    rule = found(store.get(call.db, call.user_id, call.id))
    return tested(call, f"/rules/{rule.id}/test", trigger.RULE_JOB, rule.id)


def run(call: Call) -> Answer:
    rule = found(store.get(call.db, call.user_id, call.id))
    return triggered(call, trigger.RULE_JOB, rule.id)


def dry_run(call: Call) -> Answer:
    rule = found(store.get(call.db, call.user_id, call.id))
    return dry_ran(call, trigger.RULE_JOB, rule.id)


def _draft(call: Call, kept: Rule | None) -> Draft:
    """Parse, rules between fields, rules that need the database: everything wrong is said at once."""
    parsed = parse(wire.RuleBody, call.fields)
    problems = [*parsed.problems, *required(parsed, *wire.REQUIRED), *_taken(call, parsed, kept)]
    triggers, actions = (wire.parts(parsed, kind, problems) for kind in ("triggers", "actions"))
    moment = wire.moment(parsed, triggers, problems)
    group_id = _group(call, parsed, problems)
    refuse([*problems, *_unknown(call, [*triggers, *actions])])
    assert moment is not None
    assert group_id is not None
    return wire.draft(parsed.values, group_id, moment, triggers, actions)


def _taken(call: Call, parsed: Parsed[wire.RuleBody], kept: Rule | None) -> list[Problem]:
    title = parsed.values.title
    if title is None or not store.title_taken(call.db, call.user_id, title, except_id=kept.id if kept else 0):
        return []
    return [Problem("title", "The title has already been taken by another of your rules.")]


def _group(call: Call, parsed: Parsed[wire.RuleBody], problems: list[Problem]) -> int | None:
    group_id, title = parsed.values.rule_group_id, parsed.values.rule_group_title
    problems += required_without(parsed, "rule_group_id", "rule_group_title")
    if not group_id and not title:
        return None
    key = "rule_group_id" if group_id else "rule_group_title"
    group = (
        groups.get(call.db, call.user_id, group_id) if group_id else groups.titled(call.db, call.user_id, title or "")
    )
    if group is None:
        problems.append(Problem(key, f"The selected {label(key)} is invalid: there is no such rule group."))
        return None
    return group.id


def _unknown(call: Call, sent: list[Sent]) -> list[Problem]:
    """Budgets, bills and currencies must be there: a rule that names none of them can never work."""
    budgets, bills, coins = (
        {one.part.value for one in sent if one.takes == takes and one.part.value}
        for takes in (Takes.BUDGET, Takes.BILL, Takes.CURRENCY)
    )
    named = Named(budget_folds={fold(one) for one in budgets}, bill_folds={fold(one) for one in bills})
    known = lookup.look_up(call.db, call.user_id, named)
    there = {
        Takes.BUDGET: {one for one in budgets if fold(one) in known.budgets_named},
        Takes.BILL: {one for one in bills if fold(one) in known.bills_named},
        Takes.CURRENCY: currencies.meant(call.db, coins),
    }
    return [problem for takes, ones in there.items() for problem in wire.unknown_values(sent, takes, ones)]


def _answer(call: Call, rule_id: int) -> Answer:
    rule = found(store.get(call.db, call.user_id, rule_id))
    document = Item(things(call, [rule])[0])
    include(call, document, [rule], INCLUDES)
    return Answer(document)


_ONE: Any = Item[RuleThing]
_REQUIRES = wire.REQUIRED

ROUTES = (
    Route(
        "GET", "/rules", index, "List rules, in the order in which they run",
        gives=Page[RuleThing], parameters=PAGED, includes=INCLUDES,
    ),
    Route(
        "POST", "/rules", create, "Make a rule",
        gives=_ONE, takes=wire.RuleBody, requires=_REQUIRES, includes=INCLUDES,
    ),
    Route("GET", "/rules/{id}", show, "Show a rule", gives=_ONE, includes=INCLUDES),
    Route(
        "PUT", "/rules/{id}", change, "Change a rule; everything is replaced",
        gives=_ONE, takes=wire.RuleBody, requires=_REQUIRES, includes=INCLUDES,
    ),
    Route("DELETE", "/rules/{id}", remove, "Delete a rule; what it has done stays"),
    Route(
        "GET", "/rules/{id}/test", test, "List the transactions that a rule matches, and why; changes nothing",
        gives=RuleTest, parameters=TEST_PARAMETERS, includes=TRANSACTION_INCLUDES, heavy=True,
    ),
    Route(
        "POST", "/rules/{id}/trigger", run, "Apply a rule to a range of days, or show what it would change",
        gives=RuleRun, parameters=TRIGGER_PARAMETERS, heavy=True, may_be_later=True, looks_with="dry_run",
    ),
    Route(
        "GET", "/rules/{id}/dry_run", dry_run, "Show what a long dry run has found so far",
        gives=RuleDryRun, parameters=PAGED,
    ),
)  # fmt: skip
