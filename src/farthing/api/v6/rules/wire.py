"""Reads the bodies of rules."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import structs

from farthing.books.lifecycle import rules as lifecycle
from farthing.books.rules.inputs import RulePartSent, are_too_many, check_part
from farthing.books.rules.model import (
    ACTIONS,
    ORDER_MAX,
    TRIGGERS,
    USER_ACTION,
    Rule,
    RuleDraft,
    RuleEvent,
    RulePart,
    StoredRulePart,
    ValueKind,
)
from farthing.books.rules.names import MANUAL, RENAMED, read_trigger, spell
from farthing.http.request.call import Call
from farthing.kernel.fields import (
    Description,
    FieldParser,
    Flag,
    Id,
    Name,
    Notes,
    RequestBody,
    choice,
    described,
    parse,
    whole,
)
from farthing.kernel.parsed import Parsed, ensure

from ..parts.partial import over, over_required

REQUIRED = ("title", "rule_group_id", "trigger", "triggers", "actions")
_TRIGGER_NAMES = sorted({*TRIGGERS, *RENAMED} - {USER_ACTION})
_REFUSED = ("convert_withdrawal", "convert_deposit", "convert_transfer", "delete_transaction")
_as_text: Any
(_as_text,) = Notes.__metadata__  # type: ignore[attr-defined]


def _read_value(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else _as_text.read(value)


_Value = Annotated[str, FieldParser(_read_value, {"type": ["string", "number", "boolean"]})]


class _PartBody(RequestBody):
    value: _Value | None = None
    order: Annotated[int, whole(minimum=0, maximum=ORDER_MAX)] | None = described("Sorts the list.")
    active: Flag | None = described("If false, this part is ignored. If omitted, true.")
    stop_processing: Flag | None = described("Skips the parts after this one.")


class RuleTriggerBody(_PartBody):
    type: Annotated[str, choice(*_TRIGGER_NAMES)] | None = None
    prohibited: Flag | None = described("Matches transactions to which the trigger does not apply.")


class RuleActionBody(_PartBody):
    type: Annotated[str, choice(*ACTIONS, *_REFUSED)] | None = None


class RuleBody(RequestBody):
    title: Name | None = None
    description: Description | None = None
    rule_group_id: Id | None = None
    rule_group_title: Name | None = described(
        "The title of the group (case-insensitive). Ignored if `rule_group_id` is sent."
    )
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = None
    trigger: Annotated[str, choice(*RuleEvent, MANUAL)] | None = described(
        "The event that runs the rule. A rule with `manual-activation` runs only when it is applied."
    )
    active: Flag | None = described("If omitted, a new rule is active.")
    strict: Flag | None = described("If true, all triggers must match; otherwise one is enough. True by default.")
    stop_processing: Flag | None = described("Skips the later rules of the group once this one has run.")
    triggers: list[RuleTriggerBody] | None = None
    actions: list[RuleActionBody] | None = None


def read(call: Call, rule: Rule | None) -> RuleDraft:
    """Reads the body over the stored rule, if any. Reports all problems at once."""
    if rule is None:
        lifecycle.refuse_too_many(call.db, call.user_id)
    parsed = parse(RuleBody, call.fields)
    title, trigger = _read_required(parsed, rule)
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, title, except_id=rule.id if rule else 0))
    group_id = lifecycle.find_group(call.db, call.user_id, parsed) or (rule.rule_group_id if rule else None)
    triggers, actions = _read_triggers(parsed), _read_actions(parsed)
    lifecycle.report_unknown(call.db, call.user_id, parsed, [*triggers, *actions])
    parsed.finish()
    return RuleDraft(
        rule_group_id=ensure(group_id),
        title=ensure(title),
        description=over(parsed, "description", rule.description if rule else None),
        moment=_read_event(trigger, rule),
        manual=trigger == MANUAL,
        strict=_flag(over(parsed, "strict", rule.strict if rule else None), default=True),
        stops=_flag(over(parsed, "stop_processing", rule.stops if rule else None), default=False),
        active=_flag(over(parsed, "active", rule.active if rule else None), default=True),
        order=parsed.values.order,
        triggers=_parts(triggers, rule.triggers if rule else ()),
        actions=_parts(actions, rule.actions if rule else ()),
    )


def _read_required(parsed: Parsed[RuleBody], rule: Rule | None) -> tuple[str | None, str | None]:
    values = parsed.values
    if rule is None:
        parsed.require("title", "trigger")
        parsed.require_either("rule_group_id", "rule_group_title")
    for name in ("triggers", "actions"):
        if parsed.absent(name) and (rule is None or name in parsed.raw):
            parsed.report(name, f"A rule needs at least one {name.removesuffix('s')}.")
    if rule is None:
        return values.title, values.trigger
    stored = MANUAL if rule.manual else rule.moment.value
    return over_required(parsed, "title", rule.title), over_required(parsed, "trigger", stored)


def _read_event(trigger: str | None, rule: Rule | None) -> RuleEvent:
    if trigger == MANUAL:
        return rule.moment if rule else RuleEvent.STORE
    return RuleEvent(ensure(trigger))


def _flag(value: bool | None, *, default: bool) -> bool:
    return default if value is None else value


def _parts(sent: list[RulePartSent], stored: Sequence[StoredRulePart]) -> tuple[RulePart, ...]:
    """Returns the parts sent, or else those stored. No parts means that none were sent, as an empty list is refused."""
    return tuple(part.part for part in sent) or tuple(part.draft for part in stored if part.name != USER_ACTION)


def _read_triggers(parsed: Parsed[RuleBody]) -> list[RulePartSent]:
    return [part for group in _sort(parsed, "triggers") if (part := _read_trigger(group))]


def _read_trigger(group: Parsed[RuleTriggerBody]) -> RulePartSent | None:
    values = group.values
    group.require("type")
    if values.type is None:
        return None
    name, value, prohibited = read_trigger(values.type, values.value, prohibited=bool(values.prohibited))
    part = structs.replace(_make_part(values, name, value, prohibited=prohibited), spelling=spell(values.type, name))
    return check_part(group, part, TRIGGERS[name])


def _read_actions(parsed: Parsed[RuleBody]) -> list[RulePartSent]:
    return [part for group in _sort(parsed, "actions") if (part := _read_action(group))]


def _read_action(group: Parsed[RuleActionBody]) -> RulePartSent | None:
    values, name = group.values, group.values.type
    group.require("type")
    if name is None:
        return None
    if name in _REFUSED:
        group.report("type", f"The action {name} is not available: rules neither delete transactions nor change types.")
        return None
    value = None if ACTIONS[name].takes == ValueKind.NOTHING else values.value
    return check_part(group, _make_part(values, name, value), ACTIONS[name])


def _sort(parsed: Parsed[RuleBody], field: str) -> list[Parsed[Any]]:
    groups = parsed.each(field, getattr(parsed.values, field))
    return [] if are_too_many(parsed, field, groups) else sorted(groups, key=lambda group: group.values.order or 0)


def _make_part(values: _PartBody, name: str, value: str | None, *, prohibited: bool = False) -> RulePart:
    return RulePart(
        name=name,
        value=value,
        stops=bool(values.stop_processing),
        prohibited=prohibited,
        active=values.active is not False,
    )
