"""Shows rules and rule groups, by themselves and with bills."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.rule_groups import store as group_store
from farthing.books.rule_groups.model import RuleGroup
from farthing.books.rules import apply_stored
from farthing.books.rules.model import USER_ACTION, Rule, StoredRulePart
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related, registry
from farthing.http.request.call import Call
from farthing.kernel.shown import Dated, show_as
from farthing.storage import queue

from ..resources.lists import make_thing
from .users import USER


class RuleGroupAttributes(Dated, gc=False):
    title: str
    text: str | None
    description: str | None
    order: int
    active: bool
    running: bool


def _show_group(group: RuleGroup, *, running: bool) -> RuleGroupAttributes:
    """`running` is true while a job is still applying the group's rules to a range of days."""
    return show_as(RuleGroupAttributes, group, text=group.description, running=running)


RuleGroupThing = Thing[RuleGroupAttributes]


def group_things(call: Call, groups: Iterable[RuleGroup]) -> list[RuleGroupThing]:
    waiting = queue.list_waiting_subjects(call.db, call.user_id, apply_stored.GROUP_JOB)
    return [
        make_thing(call, "rule_groups", group.id, _show_group(group, running=group.id in waiting)) for group in groups
    ]


class RulePartShown(Struct, gc=False):
    """Shows a trigger or an action as newer clients expect it."""

    id: str
    type: str
    value: str | None
    order: int
    active: bool
    prohibited: bool
    stop_processing: bool


class RuleAttributes(Dated, gc=False):
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
    manual: bool


class RuleActionAttributes(Dated, gc=False):
    name: str
    value: str | None
    order: int
    active: bool
    stop_processing: bool


class RuleTriggerAttributes(RuleActionAttributes, gc=False):
    prohibited: bool


def show(rule: Rule, *, running: bool) -> RuleAttributes:
    """`running` is true while a job is still applying the rule to a range of days."""
    return show_as(
        RuleAttributes,
        rule,
        text=rule.description,
        trigger=rule.moment.value,
        stop_processing=rule.stops,
        triggers=[_show_part(part) for part in rule.triggers if part.name != USER_ACTION],
        actions=[_show_part(part) for part in rule.actions],
        running=running,
    )


def _show_part(part: StoredRulePart) -> RulePartShown:
    return show_as(RulePartShown, part, id=str(part.id), type=part.name, stop_processing=part.stops)


RuleThing = Thing[RuleAttributes]


def things(call: Call, rules: Sequence[Rule]) -> list[RuleThing]:
    waiting = queue.list_waiting_subjects(call.db, call.user_id, apply_stored.RULE_JOB)
    return [make_thing(call, "rules", rule.id, show(rule, running=rule.id in waiting)) for rule in rules]


def _groups(call: Call, rules: Sequence[Rule]) -> list[Related]:
    of_rules = group_store.get_some(call.db, call.user_id, {rule.rule_group_id for rule in rules})
    things_by_id = {int(group.id): group for group in group_things(call, of_rules.values())}
    return [things_by_id[rule.rule_group_id] for rule in rules]


def _triggers(call: Call, rules: Sequence[Rule]) -> list[Related]:
    return [[_part(call, "rule_triggers", RuleTriggerAttributes, part) for part in rule.triggers] for rule in rules]


def _actions(call: Call, rules: Sequence[Rule]) -> list[Related]:
    return [[_part(call, "rule_actions", RuleActionAttributes, part) for part in rule.actions] for rule in rules]


def _part(call: Call, kind: str, attributes: type[RuleActionAttributes], part: StoredRulePart) -> Thing[Any]:
    return thing(call.base, kind, part.id, show_as(attributes, part, stop_processing=part.stops))


INCLUDES = registry(
    Include("rule_group", _groups, default=True),
    Include("rule_triggers", _triggers, default=True),
    Include("rule_actions", _actions, default=True),
    USER,
)
