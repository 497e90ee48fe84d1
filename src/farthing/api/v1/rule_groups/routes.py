"""Serves rule groups."""

from typing import Annotated

from msgspec.structs import replace
from pydantic import ConfigDict

from farthing.books.lifecycle import rule_groups as lifecycle
from farthing.books.rule_groups import store
from farthing.books.rule_groups.model import ORDER_MAX, RuleGroup, RuleGroupDraft
from farthing.books.rules import store as stored_rules
from farthing.books.rules.apply_stored import GROUP_JOB
from farthing.http.answer.includes import registry
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import answer_page
from farthing.kernel.fields import Description, Flag, Name, RequestBody, described, parse, whole
from farthing.kernel.parsed import ensure

from ..resources.resource import Resource
from ..rules import runs
from ..serializers import rules as listing
from ..serializers.users import USER

_REQUIRED = ("title", "active")


class RuleGroupBody(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Daily life", "active": True}]})

    title: Name | None = None
    description: Description | None = None
    active: Flag | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position among the groups, starting at 1. If omitted, a new group comes last; others do not move."
    )


def rules(call: Call) -> Answer:
    group_id = GROUPS.find(call).id
    path = f"/rule_groups/{group_id}/rules"
    return answer_page(call, path, stored_rules.page, listing.things, listing.INCLUDES, group_id=group_id)


def _draft(call: Call, group: RuleGroup | None) -> RuleGroupDraft:
    parsed = parse(RuleGroupBody, call.fields)
    values, group_id = parsed.values, group.id if group else 0
    parsed.require(*_REQUIRED)
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, values.title, except_id=group_id))
    parsed.finish()
    return RuleGroupDraft(
        title=ensure(values.title),
        description=values.description,
        active=bool(values.active),
        order=values.order,
    )


GROUPS = Resource(
    path="/rule_groups",
    shows=listing.RuleGroupThing,
    things=listing.group_things,
    get=store.get,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, group, draft: store.change(call.db, call.user_id, group.id, draft, call.now),
    delete=lambda call, group: lifecycle.remove(call.db, call.user_id, group.id, call.now),
    takes=RuleGroupBody,
    requires=_REQUIRED,
    # Answers with groups always include the owner of the books.
    includes=registry(replace(USER, default=True)),
)

ROUTES = (
    GROUPS.index("List rule groups, in the order in which they run"),
    GROUPS.create("Create a rule group"),
    GROUPS.show("Show a rule group"),
    GROUPS.change("Change a rule group; omitted fields are cleared"),
    GROUPS.remove("Delete a rule group with its rules"),
    GROUPS.listing(
        "rules", rules, "List the rules of a group, in the order in which they run", listing.RuleThing,
        includes=listing.INCLUDES,
    ),
    *runs.routes(
        GROUPS, GROUP_JOB,
        test="List the transactions that the rules of a group match, and why",
        trigger="Apply the rules of a group, or show what they would change",
    ),
)  # fmt: skip
