"""Serves rules."""

from farthing.books.lifecycle import rules as lifecycle
from farthing.books.rules import store
from farthing.books.rules.apply_stored import RULE_JOB
from farthing.books.rules.model import Rule, RuleDraft
from farthing.http.request.call import Call
from farthing.kernel.fields import parse

from ..resources.resource import Resource
from ..serializers.rules import INCLUDES, RuleThing, things
from . import runs, wire


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
    parsed.require_either("rule_group_id", "rule_group_title")
    group_id = lifecycle.find_group(call.db, call.user_id, parsed)
    lifecycle.report_unknown(call.db, call.user_id, parsed, [*triggers, *actions])
    return wire.draft(parsed, group_id, moment, triggers, actions)


RULES = Resource(
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
    RULES.index("List rules, in the order in which they run"),
    RULES.create("Create a rule"),
    RULES.show("Show a rule"),
    RULES.change("Replace a rule; omitted fields are cleared"),
    RULES.remove("Delete a rule; its earlier changes to transactions stay"),
    *runs.routes(
        RULES,
        RULE_JOB,
        test="List the transactions that a rule matches, and why; nothing is changed",
        trigger="Apply a rule to a range of days, or show what it would change",
    ),
)
