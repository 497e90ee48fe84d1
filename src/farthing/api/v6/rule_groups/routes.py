"""Serves rule groups."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Struct

from farthing.books.lifecycle import rule_groups as lifecycle
from farthing.books.rule_groups import store
from farthing.books.rule_groups.model import ORDER_MAX, RuleGroup, RuleGroupDraft
from farthing.books.rules import store as stored_rules
from farthing.books.rules.apply_stored import GROUP_JOB
from farthing.http.answer.document import Thing
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import answer_page
from farthing.kernel.fields import Description, Flag, Name, RequestBody, described, parse, whole
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant, show_as

from ..objects import rules as objects
from ..parts.documents import make_thing
from ..parts.partial import over, over_required
from ..parts.resource import Resource
from ..rules import runs


class RuleGroupBody(RequestBody):
    title: Name | None = None
    description: Description | None = None
    active: Flag | None = described("If omitted, a new group is active.")
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = None


class RuleGroupAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    title: str
    description: str | None
    order: int
    active: bool


RuleGroupThing = Thing[RuleGroupAttributes]


def rules(call: Call) -> Answer:
    group_id = _GROUPS.find(call).id
    path = f"/rule-groups/{group_id}/rules"
    return answer_page(call, path, stored_rules.page, objects.things, group_id=group_id)


def _draft(call: Call, group: RuleGroup | None) -> RuleGroupDraft:
    parsed = parse(RuleGroupBody, call.fields)
    values = parsed.values
    if group is None:
        parsed.require("title")
    title = over_required(parsed, "title", group.title) if group else values.title
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, title, except_id=group.id if group else 0))
    parsed.finish()
    return RuleGroupDraft(
        title=ensure(title),
        description=over(parsed, "description", group.description if group else None),
        active=over(parsed, "active", group.active if group else None) is not False,
        order=values.order,
    )


def _things(call: Call, groups: Iterable[RuleGroup]) -> list[RuleGroupThing]:
    return [make_thing(call, "rule_groups", group.id, show_as(RuleGroupAttributes, group)) for group in groups]


_GROUPS = Resource(
    path="/rule-groups",
    shows=RuleGroupThing,
    things=_things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, group, draft: store.change(call.db, call.user_id, group.id, draft, call.now),
    delete=lambda call, group: lifecycle.remove(call.db, call.user_id, group.id, call.now),
    takes=RuleGroupBody,
    requires=("title",),
)

ROUTES = (
    _GROUPS.index("List rule groups, in the order in which they run"),
    _GROUPS.create("Create a rule group"),
    _GROUPS.show("Show a rule group"),
    _GROUPS.change("Change a rule group; omitted fields are kept", requires=()),
    _GROUPS.remove("Delete a rule group with its rules"),
    _GROUPS.listing("rules", rules, "List the rules of a group, in the order in which they run", objects.RuleThing),
    *runs.routes(_GROUPS, GROUP_JOB),
)
