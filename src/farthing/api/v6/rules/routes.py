"""Serves rules."""

from farthing.books.lifecycle import rules as lifecycle
from farthing.books.rules import store
from farthing.books.rules.apply_stored import RULE_JOB

from ..objects.rules import RuleThing, things
from ..parts.resource import Resource
from . import runs, wire

_RULES = Resource(
    path="/rules",
    shows=RuleThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=wire.read,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, rule, draft: store.change(call.db, call.user_id, rule, draft, call.now),
    delete=lambda call, rule: lifecycle.remove(call.db, call.user_id, rule, call.now),
    takes=wire.RuleBody,
    requires=wire.REQUIRED,
)

ROUTES = (
    _RULES.index("List rules, in the order in which they run"),
    _RULES.create("Create a rule"),
    _RULES.show("Show a rule"),
    _RULES.change("Change a rule; omitted fields are kept", requires=()),
    _RULES.remove("Delete a rule; its earlier changes to transactions stay"),
    *runs.routes(_RULES, RULE_JOB),
)
