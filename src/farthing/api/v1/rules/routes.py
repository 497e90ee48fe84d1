"""Serves rules."""

from farthing.books.lifecycle import rules as lifecycle
from farthing.books.rule_groups import store as groups
from farthing.books.rules import store
from farthing.books.rules.apply_stored import RULE_JOB
from farthing.books.rules.model import Rule, RuleDraft, ValueKind
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed

from ..objects.rules import INCLUDES, RuleThing, things
from ..resources.lists import answer_one, answer_page
from ..resources.resource import Resource
from . import runs, wire
from .wire import RulePartSent


def index(call: Call) -> Answer:
    return answer_page(call, "/rules", store.page, things, INCLUDES)


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
    return runs.answer_test(call, RULE_JOB, _find_id(call))


def run(call: Call) -> Answer:
    return runs.answer_run(call, RULE_JOB, _find_id(call))


def dry_run(call: Call) -> Answer:
    return runs.answer_dry_run(call, RULE_JOB, _find_id(call))


def progress(call: Call) -> Answer:
    return runs.answer_progress(call, RULE_JOB, _find_id(call))


def _find_id(call: Call) -> int:
    return or_404(store.get(call.db, call.user_id, call.id)).id


def _draft(call: Call, rule: Rule | None) -> RuleDraft:
    """Reports all problems at once: of single fields, between fields, and against the database."""
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
    return answer_one(call, or_404(store.get(call.db, call.user_id, rule_id)), things, INCLUDES)


_RULES = Resource(path="/rules", shows=RuleThing, takes=wire.RuleBody, requires=wire.REQUIRED, includes=INCLUDES)

ROUTES = (
    _RULES.index(index, "List rules, in the order in which they run"),
    _RULES.create(create, "Create a rule"),
    _RULES.show(show, "Show a rule"),
    _RULES.change(change, "Change a rule; everything is replaced"),
    _RULES.remove(remove, "Delete a rule; what it has done stays"),
    _RULES.own("GET", "test", test, "List the transactions that a rule matches, and why; changes nothing", **runs.TEST),
    _RULES.own("POST", "trigger", run, "Apply a rule to a range of days, or show what it would change", **runs.TRIGGER),
    _RULES.own("GET", "dry_run", dry_run, "Show the results of a long dry run so far", **runs.DRY_RUN),
    _RULES.own("GET", "run", progress, "Show the progress of the last background run", gives=runs.RuleProgress),
)
