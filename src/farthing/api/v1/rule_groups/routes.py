"""Serves rule groups."""

from typing import Any

from msgspec.structs import replace

from farthing.books.lifecycle import rule_groups as lifecycle
from farthing.books.rule_groups import store
from farthing.books.rule_groups.model import RuleGroupDraft
from farthing.books.rules import store as kept_rules
from farthing.books.rules.apply_stored import GROUP_JOB
from farthing.http.answer.document import Item, Page
from farthing.http.answer.includes import answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, Later, Route, Runs
from farthing.kernel.fields import parse

from ..objects import rules as listing
from ..objects.rule_groups import RuleGroupThing, things
from ..objects.transactions import INCLUDES as TRANSACTION_INCLUDES
from ..objects.users import USER
from ..rules import runs
from . import wire


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, groups = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/rule_groups", things(call, groups), total)
    return answer(call, document, groups, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    return _answer(call, store.add(call.db, call.user_id, _draft(call, 0), call.now))


def change(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    store.change(call.db, call.user_id, group.id, _draft(call, group.id), call.now)
    return _answer(call, group.id)


def remove(call: Call) -> Answer:
    """Also deletes its rules."""
    group = or_404(store.get(call.db, call.user_id, call.id))
    lifecycle.remove(call.db, call.user_id, group.id, call.now)
    return NOTHING


def rules(call: Call) -> Answer:
    group, at = or_404(store.get(call.db, call.user_id, call.id)), read_page_request(call)
    total, of_group = kept_rules.page(call.db, call.user_id, limit=at.size, offset=at.offset, group_id=group.id)
    return listing.answer_list(call, f"/rule_groups/{group.id}/rules", of_group, total)


def test(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    return runs.answer_test(call, f"/rule_groups/{group.id}/test", GROUP_JOB, group.id)


def run(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    return runs.answer_run(call, GROUP_JOB, group.id)


def dry_run(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    return runs.answer_dry_run(call, GROUP_JOB, group.id)


def progress(call: Call) -> Answer:
    group = or_404(store.get(call.db, call.user_id, call.id))
    return runs.answer_progress(call, GROUP_JOB, group.id)


def _draft(call: Call, group_id: int) -> RuleGroupDraft:
    parsed = parse(wire.RuleGroupBody, call.fields)
    parsed.require(*wire.REQUIRED)
    title = parsed.values.title
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, title, except_id=group_id))
    return wire.draft(parsed)


def _answer(call: Call, group_id: int) -> Answer:
    group = or_404(store.get(call.db, call.user_id, group_id))
    return answer(call, Item(things(call, [group])[0]), [group], INCLUDES)


# Groups always include their owner.
INCLUDES = registry(replace(USER, default=True))
_ONE: Any = Item[RuleGroupThing]
_PROGRESS: Any = runs.RuleProgress

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
        gives=runs.RuleTest, parameters=runs.TEST_PARAMETERS, includes=TRANSACTION_INCLUDES, runs=LARGE,
    ),
    Route(
        "POST", "/rule_groups/{id}/trigger", run, "Apply the rules of a group, or show what they would change",
        gives=runs.RuleRun | Later, parameters=runs.TRIGGER_PARAMETERS,
        runs=Runs(large=True, mode=runs.choose_mode),
    ),
    Route(
        "GET", "/rule_groups/{id}/dry_run", dry_run, "Show what a long dry run has found so far",
        gives=runs.RuleDryRun, parameters=PAGED,
    ),
    Route(
        "GET", "/rule_groups/{id}/run", progress, "Show how far the last run in the background has come",
        gives=_PROGRESS,
    ),
)  # fmt: skip
