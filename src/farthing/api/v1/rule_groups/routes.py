"""Serves rule groups."""

from msgspec.structs import replace

from farthing.books.lifecycle import rule_groups as lifecycle
from farthing.books.rule_groups import store
from farthing.books.rule_groups.model import RuleGroupDraft
from farthing.books.rules import store as stored_rules
from farthing.books.rules.apply_stored import GROUP_JOB
from farthing.http.answer.includes import registry
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.kernel.fields import parse

from ..objects import rules as listing
from ..objects.rule_groups import RuleGroupThing, things
from ..objects.users import USER
from ..resources.lists import answer_one, answer_page
from ..resources.resource import Resource
from ..rules import runs
from . import wire


def index(call: Call) -> Answer:
    return answer_page(call, "/rule_groups", store.page, things, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, 0), call.now))


def change(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, group.id, _draft(call, group.id), call.now)
    return _answer(call, group.id)


def remove(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, group.id, call.now)
    return NOTHING


def rules(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    path = f"/rule_groups/{group.id}/rules"
    return answer_page(call, path, stored_rules.page, listing.things, listing.INCLUDES, group_id=group.id)


def test(call: Call) -> Answer:
    return runs.answer_test(call, GROUP_JOB, _find_id(call))


def run(call: Call) -> Answer:
    return runs.answer_run(call, GROUP_JOB, _find_id(call))


def dry_run(call: Call) -> Answer:
    return runs.answer_dry_run(call, GROUP_JOB, _find_id(call))


def progress(call: Call) -> Answer:
    return runs.answer_progress(call, GROUP_JOB, _find_id(call))


def _find_id(call: Call) -> int:
    return or_404(store.get(call.db, call.user_id, call.id)).id


def _draft(call: Call, group_id: int) -> RuleGroupDraft:
    parsed = parse(wire.RuleGroupBody, call.fields)
    parsed.require(*wire.REQUIRED)
    title = parsed.values.title
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, title, except_id=group_id))
    return wire.draft(parsed)


def _answer(call: Call, group_id: int) -> Answer:
    return answer_one(call, or_404(store.get(call.db, call.user_id, group_id)), things, INCLUDES)


# Groups always include their owner.
INCLUDES = registry(replace(USER, default=True))
_GROUPS = Resource(
    path="/rule_groups", shows=RuleGroupThing, takes=wire.RuleGroupBody, requires=wire.REQUIRED, includes=INCLUDES
)

ROUTES = (
    _GROUPS.index(index, "List rule groups, in the order in which they run"),
    _GROUPS.create(create, "Create a rule group"),
    _GROUPS.show(show, "Show a rule group"),
    _GROUPS.change(change, "Change a rule group; omitted fields are cleared"),
    _GROUPS.remove(remove, "Delete a rule group with its rules"),
    _GROUPS.listing(
        "rules", rules, "List the rules of a group, in the order in which they run", listing.RuleThing,
        includes=listing.INCLUDES,
    ),
    _GROUPS.own("GET", "test", test, "List the transactions that rules of a group match, and why", **runs.TEST),
    _GROUPS.own("POST", "trigger", run, "Apply the rules of a group, or show what they would change", **runs.TRIGGER),
    _GROUPS.own("GET", "dry_run", dry_run, "Show the results of a long dry run so far", **runs.DRY_RUN),
    _GROUPS.own("GET", "run", progress, "Show the progress of the last background run", gives=runs.RuleProgress),
)  # fmt: skip
