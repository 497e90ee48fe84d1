"""Reads the bodies of rules."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct
from pydantic import ConfigDict

from farthing.books.rules.engine import RuleMatch
from farthing.books.rules.inputs import RulePartSent, are_too_many, check_part
from farthing.books.rules.model import (
    ACTIONS,
    ORDER_MAX,
    TRIGGERS,
    USER_ACTION,
    RuleDraft,
    RuleEvent,
    RulePart,
    Spec,
    ValueKind,
)
from farthing.kernel.fields import Description, Flag, Id, Name, Notes, RequestBody, WordList, choice, described, whole
from farthing.kernel.languages import say
from farthing.kernel.parsed import Parsed, ensure, label
from farthing.kernel.shown import show_as

REQUIRED = ("title", "strict", "stop_processing", "active")


class RuleTriggerBody(RequestBody):
    """`type` is another name for `name`."""

    name: Annotated[str, choice(*TRIGGERS)] | None = None
    type: Annotated[str, choice(*TRIGGERS)] | None = None
    value: Notes | None = None
    stop_processing: Flag | None = described("Skips the triggers after this one if this one matches.")
    prohibited: Flag | None = described("Matches transactions to which the trigger does not apply.")
    active: Flag | None = described("If false, the trigger is ignored. If omitted, true.")


class RuleActionBody(RequestBody):
    """`type` is another name for `name`."""

    name: Annotated[str, choice(*ACTIONS)] | None = None
    type: Annotated[str, choice(*ACTIONS)] | None = None
    value: Notes | None = None
    stop_processing: Flag | None = described("Skips the actions after this one.")
    active: Flag | None = described("If false, the action is not carried out. If omitted, true.")


_EXAMPLE: dict[str, Any] = {
    "title": "Groceries",
    "rule_group_title": "Daily life",
    "trigger": "store-journal",
    "strict": True,
    "stop_processing": False,
    "active": True,
    "rule_triggers": [{"name": "to_account_is", "value": "Corner shop"}],
    "rule_actions": [{"name": "set_category", "value": "Food"}],
}


class RuleBody(RequestBody):
    """Requires a group, a trigger and an action.

    `triggers` and `actions` are other names for `rule_triggers` and `rule_actions`.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    title: Name | None = None
    description: Description | None = None
    rule_group_id: Id | None = None
    rule_group_title: Name | None = described(
        "The title of the group (case-insensitive). Ignored if `rule_group_id` is sent."
    )
    trigger: Annotated[RuleEvent, choice(*RuleEvent)] | None = described(
        "The event that runs the rule. Either this or a trigger named `user_action` is required."
    )
    rule_triggers: list[RuleTriggerBody] | None = None
    triggers: list[RuleTriggerBody] | None = None
    rule_actions: list[RuleActionBody] | None = None
    actions: list[RuleActionBody] | None = None
    strict: Flag | None = described("If true, all triggers must match. Otherwise, one is enough.")
    stop_processing: Flag | None = described("Skips the later rules of the group once this one has run.")
    active: Flag | None = None
    manual: Flag | None = described("If true, the rule ignores its event, and runs only when it is applied.")
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position in the group, starting at 1. If omitted, a new rule comes last; others do not move."
    )


class RunFlags(RequestBody):
    """Holds the query parameters of tests and runs."""

    accounts: WordList | None = None
    dry_run: Flag | None = None


def read_parts(parsed: Parsed[RuleBody], kind: str) -> list[RulePartSent]:
    """Returns the valid triggers or actions, and reports the problems of the invalid ones."""
    specs = TRIGGERS if kind == "triggers" else ACTIONS
    field = f"rule_{kind}" if not parsed.absent(f"rule_{kind}") or parsed.absent(kind) else kind
    groups = parsed.each(field, getattr(parsed.values, field))
    if are_too_many(parsed, field, groups):
        return []
    if all(_name_of(group) == USER_ACTION for group in groups) and not parsed.wrong(field):
        for name in ("title", field):
            parsed.report(name, f"A rule needs at least one {kind.removesuffix('s')}.")
    return [part for group in groups if (part := _read_part(group, specs))]


def _name_of(group: Parsed[Any]) -> str | None:
    name: str | None = group.values.name or group.values.type
    return name


def _read_part(group: Parsed[Any], specs: Mapping[str, Spec]) -> RulePartSent | None:
    values, name = group.values, _name_of(group)
    if name is None:
        if group.absent("type"):
            group.require("name")
        return None
    spec = specs[name]
    part = RulePart(
        name=name,
        value=values.value if spec.takes != ValueKind.NOTHING else None,
        stops=bool(values.stop_processing),
        prohibited=bool(getattr(values, "prohibited", False)),
        active=values.active is not False,
    )
    return check_part(group, part, spec)


def read_moment(parsed: Parsed[RuleBody], triggers: list[RulePartSent]) -> RuleEvent | None:
    """Reads the event that runs the rule from `trigger`, or from the triggers, where older clients send it.

    If it is sent in both places, the two events must be the same.
    """
    moments = [
        trigger for trigger in triggers if trigger.part.name == USER_ACTION and trigger.part.value in set(RuleEvent)
    ]
    chosen = parsed.values.trigger or (RuleEvent(moments[0].part.value or "") if moments else None)
    if chosen is None and not any(trigger.part.name == USER_ACTION for trigger in triggers):
        parsed.require("trigger")
    for trigger in moments:
        if trigger.part.value != chosen:
            key = trigger.value_key
            parsed.report(key, f"The {label(key)} must be {chosen}, the same as the trigger of the rule.")
    return chosen


def draft(
    parsed: Parsed[RuleBody],
    group_id: int | None,
    moment: RuleEvent | None,
    triggers: list[RulePartSent],
    actions: list[RulePartSent],
) -> RuleDraft:
    parsed.finish()
    values = parsed.values
    return RuleDraft(
        rule_group_id=ensure(group_id),
        title=ensure(values.title),
        description=values.description,
        moment=ensure(moment),
        strict=bool(values.strict),
        stops=bool(values.stop_processing),
        active=bool(values.active),
        manual=bool(values.manual),
        order=values.order,
        triggers=tuple(trigger.part for trigger in triggers if trigger.part.name != USER_ACTION),
        actions=tuple(action.part for action in actions),
    )


class RuleFiredShown(Struct, gc=False):
    """Says why a rule matched a transaction, what it did, and what it could not do."""

    rule_id: int
    rule_title: str
    why: str
    did: list[str]
    skipped: list[str]


def show_fired(fired: RuleMatch, language: str) -> RuleFiredShown:
    return show_as(
        RuleFiredShown,
        fired,
        rule_title=fired.title,
        why=say(fired.why, language),
        did=[say(deed, language) for deed in fired.did],
        skipped=[say(skipped, language) for skipped in fired.skipped],
    )
