"""How does the API name what a rule is?"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Struct
from pydantic import BaseModel, Field

from ..errors import Problem
from ..fields import Description, Flag, Id, Name, Notes, Parsed, WordList, choice, label, required, whole
from ..shown import Instant
from .engine import Fired
from .model import (
    ACTIONS,
    ORDER_MAX,
    PARTS_MAX,
    TRIGGERS,
    USER_ACTION,
    Draft,
    KeptPart,
    Moment,
    Part,
    Rule,
    Spec,
    Takes,
    misfit,
)  # fmt: skip

REQUIRED = ("title", "strict", "stop_processing", "active")
_OPTIONAL = (Takes.NOTHING, Takes.COUNT)


class RuleTriggerBody(BaseModel):
    """`type` is another word for `name`."""

    name: Annotated[str, choice(*TRIGGERS)] | None = None
    type: Annotated[str, choice(*TRIGGERS)] | None = None
    value: Notes | None = None
    stop_processing: Flag | None = Field(None, description="When it holds, the triggers after it are not asked.")


class RuleActionBody(BaseModel):
    """`type` is another word for `name`."""

    name: Annotated[str, choice(*ACTIONS)] | None = None
    type: Annotated[str, choice(*ACTIONS)] | None = None
    value: Notes | None = None
    stop_processing: Flag | None = Field(None, description="The actions after it are left out.")


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


class RuleBody(BaseModel):
    """A group is needed, at least one trigger and one action. `triggers` and `actions` are other words for these."""

    model_config = {"json_schema_extra": {"examples": [_EXAMPLE]}}

    title: Name | None = None
    description: Description | None = None
    rule_group_id: Id | None = None
    rule_group_title: Name | None = Field(None, description="The same by title, in any case; the id wins.")
    trigger: Annotated[Moment, choice(*Moment)] | None = Field(
        None, description="When it runs by itself. This or `user_action` among the triggers."
    )
    rule_triggers: list[RuleTriggerBody] | None = None
    triggers: list[RuleTriggerBody] | None = None
    rule_actions: list[RuleActionBody] | None = None
    actions: list[RuleActionBody] | None = None
    strict: Flag | None = Field(None, description="All triggers must hold; otherwise any.")
    stop_processing: Flag | None = Field(None, description="When it has run, the rules after it in its group do not.")
    active: Flag | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = Field(
        None, description="Its place in its group; left out, it stays where it is, and a new one is the last."
    )


class RunFlags(BaseModel):
    """They stand in the query."""

    accounts: WordList | None = None
    dry_run: Flag | None = None


@dataclass(frozen=True)
class Sent:
    """A trigger or an action, and the fields to blame for its name and its value."""

    part: Part
    takes: Takes
    value_key: str


def parts(parsed: Parsed[RuleBody], kind: str, found: list[Problem]) -> list[Sent]:
    """The triggers or the actions that could be read; what is wrong with the others is told."""
    specs = TRIGGERS if kind == "triggers" else ACTIONS
    field = f"rule_{kind}" if not parsed.absent(f"rule_{kind}") or parsed.absent(kind) else kind
    groups = parsed.each(field, getattr(parsed.values, field))
    if len(groups) > PARTS_MAX:
        found.append(Problem(parsed.key(field), f"The {label(field)} may not have more than {PARTS_MAX} items."))
        return []
    if all(_name_of(group) == USER_ACTION for group in groups) and not parsed.wrong(field):
        sentence = f"A rule needs at least one {kind.removesuffix('s')}."
        found += [Problem(parsed.key(name), sentence) for name in ("title", field)]
    return [one for group in groups if (one := _part(group, specs, found))]


def _name_of(group: Parsed[Any]) -> str | None:
    name: str | None = group.values.name or group.values.type
    return name


def _part(group: Parsed[Any], specs: Mapping[str, Spec], found: list[Problem]) -> Sent | None:
    values, name = group.values, _name_of(group)
    if name is None:
        found += required(group, "name") if group.absent("type") else []
        return None
    spec, key = specs[name], group.key("value")
    part = Part(name, values.value if spec.takes != Takes.NOTHING else None, bool(values.stop_processing))
    if spec.takes not in _OPTIONAL and group.absent("value"):
        found.append(Problem(key, f"The {label(key)} field is required for {name}."))
        return None
    reason = misfit(part, spec.takes) if not group.wrong("value") else None
    found += [Problem(key, f"The {label(key)} {reason}.")] if reason else []
    return Sent(part, spec.takes, key)


def moment(parsed: Parsed[RuleBody], triggers: list[Sent], found: list[Problem]) -> Moment | None:
    """Said as `trigger`, or among the triggers as old clients see it; said twice, it must be the same."""
    said = [one for one in triggers if one.part.name == USER_ACTION and one.part.value in set(Moment)]
    chosen = parsed.values.trigger or (Moment(said[0].part.value or "") if said else None)
    if chosen is None and not any(one.part.name == USER_ACTION for one in triggers):
        found += required(parsed, "trigger")
    found += [
        Problem(one.value_key, f"The {label(one.value_key)} must be {chosen}, as the trigger of the rule says.")
        for one in said
        if one.part.value != chosen
    ]
    return chosen


def unknown_values(sent: list[Sent], takes: Takes, known: Set[str]) -> Iterator[Problem]:
    """Values that must name something that exists; `known` are those that do."""
    for one in sent:
        if one.takes == takes and one.part.value and one.part.value not in known:
            yield Problem(one.value_key, f"The selected {label(one.value_key)} is invalid: there is no such {takes}.")


def draft(values: RuleBody, group_id: int, chosen: Moment, triggers: list[Sent], actions: list[Sent]) -> Draft:
    """Of values without problems."""
    assert values.title is not None
    return Draft(
        rule_group_id=group_id,
        title=values.title,
        description=values.description,
        moment=chosen,
        strict=bool(values.strict),
        stops=bool(values.stop_processing),
        active=bool(values.active),
        order=values.order,
        triggers=tuple(one.part for one in triggers if one.part.name != USER_ACTION),
        actions=tuple(one.part for one in actions),
    )


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
    """`running`: a job still has to apply it to a range of days."""
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
        triggers=[_shown(one) for one in rule.triggers if one.name != USER_ACTION],
        actions=[_shown(one) for one in rule.actions],
        running=running,
    )


def _shown(part: KeptPart) -> RulePartShown:
    return RulePartShown(str(part.id), part.name, part.value, part.order, True, part.stops)


def show_trigger(part: KeptPart) -> RuleTriggerAttributes:
    return RuleTriggerAttributes(part.updated_at, part.created_at, part.name, part.value, part.order, True, part.stops)


def show_action(part: KeptPart) -> RuleActionAttributes:
    return RuleActionAttributes(part.updated_at, part.created_at, part.name, part.value, part.order, True, part.stops)


class RuleFiredShown(Struct, gc=False):
    """A rule that matched a transaction: why, what it did, and what it could not do."""

    rule_id: int
    rule_title: str
    why: str
    did: list[str]
    skipped: list[str]


def show_fired(fired: Fired) -> RuleFiredShown:
    return RuleFiredShown(fired.rule_id, fired.title, fired.why, list(fired.did), list(fired.skipped))
