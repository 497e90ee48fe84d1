"""What can be done with groups of rules over HTTP?"""

from dataclasses import replace
from typing import Any

from ..errors import Problem, refuse
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page
from ..http.includes import include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from ..http.route import PAGED, Route
from ..rules import dry_run as dry_runs
from ..rules import listing
from ..rules import store as kept_rules
from ..rules.trigger import GROUP_JOB, RULE_JOB
from ..transactions.listing import INCLUDES as TRANSACTION_INCLUDES
from . import store, wire
from .listing import RuleGroupThing, things
from .model import Draft


def index(call: Call) -> Answer:
    at = asked(call)
    total, groups = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/rule_groups", things(call, groups), total)
    include(call, document, groups, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, 0), call.now))


def change(call: Call) -> Answer:
    group = found(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, group.id, _draft(call, group.id), call.now)
    return _answer(call, group.id)


def remove(call: Call) -> Answer:
    """Its rules go along."""
    group = found(store.get(call.db, call.user_id, call.id))
    dry_runs.call_off(call.db, call.user_id, GROUP_JOB, group.id, call.now)
    for rule_id in kept_rules.remove_of_group(call.db, call.user_id, group.id):
        dry_runs.call_off(call.db, call.user_id, RULE_JOB, rule_id, call.now)
    store.remove(call.db, call.user_id, group.id)
    return NOTHING


def rules(call: Call) -> Answer:
    group, at = found(store.get(call.db, call.user_id, call.id)), asked(call)
    total, of_group = kept_rules.page(call.db, call.user_id, limit=at.size, offset=at.offset, group_id=group.id)
    return listing.listed(call, f"/rule_groups/{group.id}/rules", of_group, total)


def test(call: Call) -> Answer:
    group = found(store.get(call.db, call.user_id, call.id))
    return listing.tested(call, f"/rule_groups/{group.id}/test", GROUP_JOB, group.id)


def run(call: Call) -> Answer:
    group = found(store.get(call.db, call.user_id, call.id))
    return listing.triggered(call, GROUP_JOB, group.id)


def dry_run(call: Call) -> Answer:
    group = found(store.get(call.db, call.user_id, call.id))
    return listing.dry_ran(call, GROUP_JOB, group.id)


def _draft(call: Call, group_id: int) -> Draft:
    parsed = parse(wire.RuleGroupBody, call.fields)
    refuse([*parsed.problems, *wire.problems(parsed), *_taken(call, parsed.values.title, group_id)])
    return wire.draft(parsed.values)


def _taken(call: Call, title: str | None, group_id: int) -> list[Problem]:
    """`group_id` is that of the group itself, 0 of a new one."""
    other = store.titled(call.db, call.user_id, title) if title else None
    if other is None or other.id == group_id:
        return []
    return [Problem("title", "The title has already been taken by another of your rule groups.")]


def _answer(call: Call, group_id: int) -> Answer:
    group = found(store.get(call.db, call.user_id, group_id))
    document = Item(things(call, [group])[0])
    include(call, document, [group], INCLUDES)
    return Answer(document)


# Groups always bring their owner along.
INCLUDES = registry(replace(USER, default=True))
_ONE: Any = Item[RuleGroupThing]

ROUTES = (
    Route(
        "GET", "/rule_groups", index, "List groups of rules, in the order in which they run",
        gives=Page[RuleGroupThing], parameters=PAGED, includes=INCLUDES,
    ),
    Route(
        "POST", "/rule_groups", create, "Make a group of rules",
        gives=_ONE, takes=wire.RuleGroupBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route("GET", "/rule_groups/{id}", show, "Show a group of rules", gives=_ONE, includes=INCLUDES),
    Route(
        "PUT", "/rule_groups/{id}", change, "Change a group of rules; what is left out is blanked",
        gives=_ONE, takes=wire.RuleGroupBody, requires=wire.REQUIRED, includes=INCLUDES,
    ),
    Route("DELETE", "/rule_groups/{id}", remove, "Delete a group with its rules"),
    Route(
        "GET", "/rule_groups/{id}/rules", rules, "List the rules of a group, in the order in which they run",
        gives=Page[listing.RuleThing], parameters=PAGED, includes=listing.INCLUDES,
    ),
    Route(
        "GET", "/rule_groups/{id}/test", test, "List the transactions that rules of a group match, and why",
        gives=listing.RuleTest, parameters=listing.TEST_PARAMETERS, includes=TRANSACTION_INCLUDES, heavy=True,
    ),
    Route(
        "POST", "/rule_groups/{id}/trigger", run, "Apply the rules of a group, or show what they would change",
        gives=listing.RuleRun, parameters=listing.TRIGGER_PARAMETERS, heavy=True, may_be_later=True,
        looks_with="dry_run",
    ),
    Route(
        "GET", "/rule_groups/{id}/dry_run", dry_run, "Show what a long dry run has found so far",
        gives=listing.RuleDryRun, parameters=PAGED,
    ),
)  # fmt: skip
