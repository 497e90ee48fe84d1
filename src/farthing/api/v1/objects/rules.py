"""Shows rules, by themselves and with groups and bills."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from farthing.books.rule_groups import store as kept_groups
from farthing.books.rules import apply_stored
from farthing.books.rules.model import USER_ACTION, KeptPart, Rule
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related, answer, registry
from farthing.http.answer.pages import page
from farthing.http.request.call import Answer, Call
from farthing.kernel.shown import Instant
from farthing.storage import queue

from . import rule_groups as groups
from .users import USER


class RulePartShown(Struct, gc=False):
    """A trigger or an action as newer clients want to see it."""

    id: str
    type: str
    value: str | None
    order: int
    active: bool
    stop_processing: bool


class RuleAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    title: str
    text: str | None
    description: str | None
    rule_group_id: int
    trigger: str
    order: int
    active: bool
    strict: bool
    stop_processing: bool
    triggers: list[RulePartShown]
    actions: list[RulePartShown]
    running: bool


class RuleTriggerAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    value: str | None
    order: int
    active: bool
    stop_processing: bool


class RuleActionAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    value: str | None
    order: int
    active: bool
    stop_processing: bool


def show(rule: Rule, *, running: bool) -> RuleAttributes:
    """`running`: a job is still applying it to a range of days."""
    return RuleAttributes(
        updated_at=rule.updated_at,
        created_at=rule.created_at,
        title=rule.title,
        text=rule.description,
        description=rule.description,
        rule_group_id=rule.rule_group_id,
        trigger=rule.moment.value,
        order=rule.order,
        active=rule.active,
        strict=rule.strict,
        stop_processing=rule.stops,
        triggers=[_shown(part) for part in rule.triggers if part.name != USER_ACTION],
        actions=[_shown(part) for part in rule.actions],
        running=running,
    )


def _shown(part: KeptPart) -> RulePartShown:
    return RulePartShown(
        id=str(part.id), type=part.name, value=part.value, order=part.order, active=True, stop_processing=part.stops
    )


RuleThing = Thing[RuleAttributes]


def things(call: Call, rules: Sequence[Rule]) -> list[RuleThing]:
    waiting = queue.list_waiting_subjects(call.db, call.user_id, apply_stored.RULE_JOB)
    return [
        thing(call.base, "rules", rule.id, show(rule, running=rule.id in waiting), uri=f"/rules/{rule.id}")
        for rule in rules
    ]


def _groups(call: Call, rules: Sequence[Rule]) -> list[Related]:
    of_rules = kept_groups.get_some(call.db, call.user_id, {rule.rule_group_id for rule in rules})
    group_things = {int(group.id): group for group in groups.things(call, of_rules.values())}
    return [group_things[rule.rule_group_id] for rule in rules]


def _triggers(call: Call, rules: Sequence[Rule]) -> list[Related]:
    return [[_part(call, "rule_triggers", RuleTriggerAttributes, part) for part in rule.triggers] for rule in rules]


def _actions(call: Call, rules: Sequence[Rule]) -> list[Related]:
    return [[_part(call, "rule_actions", RuleActionAttributes, part) for part in rule.actions] for rule in rules]


def _part(
    call: Call, kind: str, attributes: type[RuleTriggerAttributes | RuleActionAttributes], part: KeptPart
) -> Thing[Any]:
    part_shown = attributes(
        updated_at=part.updated_at,
        created_at=part.created_at,
        name=part.name,
        value=part.value,
        order=part.order,
        active=True,
        stop_processing=part.stops,
    )
    return thing(call.base, kind, part.id, part_shown)


INCLUDES = registry(
    Include("rule_group", _groups, default=True),
    Include("rule_triggers", _triggers, default=True),
    Include("rule_actions", _actions, default=True),
    USER,
)


def answer_list(call: Call, path: str, rules: Sequence[Rule], total: int) -> Answer:
    document = page(call, path, things(call, rules), total)
    return answer(call, document, rules, INCLUDES)
