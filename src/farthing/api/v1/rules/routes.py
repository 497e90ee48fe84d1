"""Serves rules."""

from farthing.books.lifecycle import rules as lifecycle
from farthing.books.rule_groups import store as groups
from farthing.books.rules import store
from farthing.books.rules.apply_stored import RULE_JOB
from farthing.books.rules.model import Rule, RuleDraft, ValueKind
from farthing.http.request.call import Call
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed

from ..resources.resource import Resource
from ..serializers.rules import INCLUDES, RuleThing, things
from . import runs, wire
from .wire import RulePartSent


def _draft(call: Call, rule: Rule | None) -> RuleDraft:
    """Reads the body, and reports all problems at once, including conflicts between fields and with stored data."""
    if rule is None:
        lifecycle.refuse_too_many(call.db, call.user_id)
    parsed = parse(wire.RuleBody, call.fields)
    parsed.require(*wire.REQUIRED)
    title, rule_id = parsed.values.title, rule.id if rule else 0
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, title, except_id=rule_id))
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


_RULES = Resource(
    path="/rules",
    shows=RuleThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, rule, draft: store.change(call.db, call.user_id, rule, draft, call.now),
    delete=lambda call, rule: lifecycle.remove(call.db, call.user_id, rule, call.now),
    takes=wire.RuleBody,
    requires=wire.REQUIRED,
    includes=INCLUDES,
)

ROUTES = (
    _RULES.index("List rules, in the order in which they run"),
    _RULES.create("Create a rule"),
    _RULES.show("Show a rule"),
    _RULES.change("Replace a rule; omitted fields are cleared"),
    _RULES.remove("Delete a rule; its earlier changes to transactions stay"),
    *runs.routes(
        _RULES,
        RULE_JOB,
        test="List the transactions that a rule matches, and why; nothing is changed",
        trigger="Apply a rule to a range of days, or show what it would change",
    ),
)
