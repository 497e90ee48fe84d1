"""Shows rules, by themselves and with bills and currencies."""

from collections.abc import Sequence

from msgspec import Struct

from farthing.books.rule_groups import store as groups
from farthing.books.rules.model import TRIGGERS, USER_ACTION, Rule, StoredRulePart, ValueKind
from farthing.books.rules.names import MANUAL, their_name
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Instant, show_as

from ..parts.documents import make_thing


class RuleActionShown(Struct, gc=False, kw_only=True):
    id: str
    created_at: Instant
    updated_at: Instant
    type: str
    value: str
    order: int
    active: bool
    stop_processing: bool


class RuleTriggerShown(RuleActionShown, gc=False, kw_only=True):
    prohibited: bool


class RuleAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    title: str
    description: str
    rule_group_id: str
    rule_group_title: str
    order: int
    trigger: str
    active: bool
    strict: bool
    stop_processing: bool
    triggers: list[RuleTriggerShown]
    actions: list[RuleActionShown]


RuleThing = Thing[RuleAttributes]


def things(call: Call, rules: Sequence[Rule]) -> list[RuleThing]:
    of_rules = groups.get_some(call.db, call.user_id, {rule.rule_group_id for rule in rules})
    return [make_thing(call, "rules", rule.id, _show(rule, of_rules[rule.rule_group_id].title)) for rule in rules]


def _show(rule: Rule, group_title: str) -> RuleAttributes:
    triggers = [part for part in rule.triggers if part.name != USER_ACTION]
    return show_as(
        RuleAttributes,
        rule,
        description=rule.description or "",
        rule_group_id=str(rule.rule_group_id),
        rule_group_title=group_title,
        trigger=MANUAL if rule.manual else rule.moment.value,
        stop_processing=rule.stops,
        triggers=[_show_trigger(part, order) for order, part in enumerate(triggers, 1)],
        actions=[
            show_as(
                RuleActionShown,
                part,
                id=str(part.id),
                type=part.name,
                value=part.value or "",
                stop_processing=part.stops,
            )
            for part in rule.actions
        ],
    )


def _show_trigger(part: StoredRulePart, order: int) -> RuleTriggerShown:
    """Shows a trigger. Its value is "true" if it needs none, or if it is the default number of attachments."""
    is_plain = part.value == "1" and TRIGGERS[part.name].takes == ValueKind.COUNT
    return show_as(
        RuleTriggerShown,
        part,
        id=str(part.id),
        type=part.spelling or their_name(part.name),
        value="true" if is_plain or not part.value else part.value,
        order=order,
        stop_processing=part.stops,
    )
