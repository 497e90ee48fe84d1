"""Serves rules."""

from typing import Any

from farthing.books.lifecycle import rules as lifecycle
from farthing.books.rule_groups import store as groups
from farthing.books.rules import apply_stored, store
from farthing.books.rules.model import Rule, RuleDraft, ValueKind
from farthing.http.answer.document import Item, Page
from farthing.http.answer.includes import answer
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, Later, Route, Runs
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed

from ..objects.rules import INCLUDES, RuleThing, answer_list, things
from ..objects.transactions import INCLUDES as TRANSACTION_INCLUDES
from . import wire
from .runs import (
    TEST_PARAMETERS,
    TRIGGER_PARAMETERS,
    RuleDryRun,
    RuleProgress,
    RuleRun,
    RuleTest,
    answer_dry_run,
    answer_progress,
    answer_run,
    answer_test,
    choose_mode,
)
from .wire import RulePartSent


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, rules = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    return answer_list(call, "/rules", rules, total)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    lifecycle.refuse_too_many(call.db, call.user_id)
    return _answer(call, store.add(call.db, call.user_id, _draft(call, None), call.now))


def change(call: Call) -> Answer:
    rule = or_404(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, rule, _draft(call, rule), call.now)
    return _answer(call, rule.id)


def remove(call: Call) -> Answer:
    rule = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, rule, call.now)
    return NOTHING


def test(call: Call) -> Answer:
    rule = or_404(store.get(call.db, call.user_id, call.id))
    return answer_test(call, f"/rules/{rule.id}/test", apply_stored.RULE_JOB, rule.id)


def run(call: Call) -> Answer:
    rule = or_404(store.get(call.db, call.user_id, call.id))
    return answer_run(call, apply_stored.RULE_JOB, rule.id)


def dry_run(call: Call) -> Answer:
    rule = or_404(store.get(call.db, call.user_id, call.id))
    return answer_dry_run(call, apply_stored.RULE_JOB, rule.id)


def progress(call: Call) -> Answer:
    rule = or_404(store.get(call.db, call.user_id, call.id))
    return answer_progress(call, apply_stored.RULE_JOB, rule.id)


def _draft(call: Call, rule: Rule | None) -> RuleDraft:
    """Parses the body, then checks rules between fields and against the database; reports everything at once."""
    parsed = parse(wire.RuleBody, call.fields)
    parsed.require(*wire.REQUIRED)
    title, kept_id = parsed.values.title, rule.id if rule else 0
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, title, except_id=kept_id))
    triggers, actions = (wire.read_parts(parsed, kind) for kind in ("triggers", "actions"))
    moment = wire.read_moment(parsed, triggers)
    group_id = _find_group(call, parsed)
    _check_values(call, parsed, [*triggers, *actions])
    return wire.draft(parsed, group_id, moment, triggers, actions)


def _find_group(call: Call, parsed: Parsed[wire.RuleBody]) -> int | None:
    group_id, title = parsed.values.rule_group_id, parsed.values.rule_group_title
    parsed.require_either("rule_group_id", "rule_group_title")
    if not group_id and not title:
        return None
    key = "rule_group_id" if group_id else "rule_group_title"
    group = (
        groups.get(call.db, call.user_id, group_id)
        if group_id
        else groups.get_titled(call.db, call.user_id, title or "")
    )
    if group is None:
        parsed.report(key, f"The selected {parsed.label(key)} is invalid: there is no such rule group.")
        return None
    return group.id


def _check_values(call: Call, parsed: Parsed[wire.RuleBody], sent: list[RulePartSent]) -> None:
    values = {
        takes: {part.part.value for part in sent if part.takes == takes and part.part.value}
        for takes in (ValueKind.BUDGET, ValueKind.BILL, ValueKind.CURRENCY)
    }
    for takes, names in lifecycle.find_named(call.db, call.user_id, values).items():
        wire.report_unknown(parsed, sent, takes, names)


def _answer(call: Call, rule_id: int) -> Answer:
    rule = or_404(store.get(call.db, call.user_id, rule_id))
    return answer(call, Item(things(call, [rule])[0]), [rule], INCLUDES)


_ONE: Any = Item[RuleThing]
_PROGRESS: Any = RuleProgress
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
        gives=RuleTest, parameters=TEST_PARAMETERS, includes=TRANSACTION_INCLUDES, runs=LARGE,
    ),
    Route(
        "POST", "/rules/{id}/trigger", run, "Apply a rule to a range of days, or show what it would change",
        gives=RuleRun | Later, parameters=TRIGGER_PARAMETERS, runs=Runs(large=True, mode=choose_mode),
    ),
    Route(
        "GET", "/rules/{id}/dry_run", dry_run, "Show what a long dry run has found so far",
        gives=RuleDryRun, parameters=PAGED,
    ),
    Route(
        "GET", "/rules/{id}/run", progress, "Show how far the last run in the background has come",
        gives=_PROGRESS,
    ),
)  # fmt: skip
