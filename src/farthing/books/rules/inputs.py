"""Checks triggers and actions in a body. Each API reads them from bodies of its own types."""

from collections.abc import Set
from typing import Any

from msgspec import Struct

from farthing.kernel.parsed import Parsed, label

from .model import PARTS_MAX, RulePart, Spec, ValueKind, misfit

_OPTIONAL = (ValueKind.NOTHING, ValueKind.COUNT)


class RulePartSent(Struct, frozen=True):
    """Holds a trigger or an action, and the field that its value came from."""

    part: RulePart
    takes: ValueKind
    value_key: str


def are_too_many(parsed: Parsed[Any], field: str, parts: list[Any]) -> bool:
    """Reports a list of triggers or actions that is too long."""
    if len(parts) > PARTS_MAX:
        parsed.report(field, f"The {label(field)} may not have more than {PARTS_MAX} items.")
    return len(parts) > PARTS_MAX


def check_part(group: Parsed[Any], part: RulePart, spec: Spec) -> RulePartSent | None:
    """Returns a trigger or an action, and reports a value that is missing or does not fit."""
    if spec.takes not in _OPTIONAL and group.absent("value"):
        group.report("value", f"The {group.label('value')} field is required for {part.name}.")
        return None
    reason = misfit(part, spec.takes) if not group.wrong("value") else None
    if reason:
        group.report("value", f"The {group.label('value')} {reason}.")
    return RulePartSent(part=part, takes=spec.takes, value_key=group.key("value"))


def report_unknown(parsed: Parsed[Any], sent: list[RulePartSent], takes: ValueKind, names: Set[str]) -> None:
    """Reports values that must name an existing object but do not. `names` are the names that exist."""
    for part_sent in sent:
        if part_sent.takes == takes and part_sent.part.value and part_sent.part.value not in names:
            key = part_sent.value_key
            parsed.report(key, f"The selected {label(key)} is invalid: there is no such {takes}.")
