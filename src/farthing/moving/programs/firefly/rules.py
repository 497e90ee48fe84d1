"""Translates rules into the words of ours; a rule that cannot be translated exactly is switched off."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

from farthing.books.rules.model import ACTIONS, TRIGGERS, USER_ACTION, RulePart, Spec, ValueKind, misfit

from ...findings import shorten
from ...source_books import SourceRule, SourceRuleGroup, SourceRulePart
from .files.fields import ItemFields
from .files.notes import join_notes
from .files.remarks import Remarks
from .files.source import Source, SourceItem

_TEXTS = ("starts", "ends", "is", "contains")
# Firefly III's names of triggers, where ours differ.
_RENAMED = {
    **{f"source_account_{how}": f"from_account_{how}" for how in _TEXTS},
    **{f"destination_account_{how}": f"to_account_{how}" for how in _TEXTS},
    "amount_is": "amount_exactly",
    "notes_contains": "notes_contain",
    "notes_contain": "notes_contain",
    "notes_starts": "notes_start",
    "notes_ends": "notes_end",
    "notes_is": "notes_are",
}
# What a trigger means when it must not hold.
_OPPOSITES = {
    "has_any_category": "has_no_category",
    "has_no_category": "has_any_category",
    "has_any_budget": "has_no_budget",
    "has_no_budget": "has_any_budget",
    "has_any_tag": "has_no_tag",
    "has_no_tag": "has_any_tag",
    "any_notes": "no_notes",
    "no_notes": "any_notes",
}
_INCLUSIVE = ("amount_less", "amount_more")
_EVENTS = {"store-journal": True, "update-journal": False}


class TranslatedPart(Struct, frozen=True):
    """`lost` says what could not be translated."""

    part: SourceRulePart | None
    lost: str | None = None


def read_groups(source: Source, remarks: Remarks) -> Iterator[SourceRuleGroup]:
    for item in sorted(source.items("rule-groups"), key=_order):
        fields = ItemFields(item.values, what=f"the rule group {item.id}", remarks=remarks, row=item.row)
        yield SourceRuleGroup(
            key=item.id,
            title=fields.text("title") or f"Rule group {item.id}",
            description=fields.text("description"),
            active=fields.flag("active", default=True),
        )


def read_rules(source: Source, groups: Iterable[SourceRuleGroup], remarks: Remarks) -> Iterator[SourceRule]:
    positions = {group.key: number for number, group in enumerate(groups)}
    placed = sorted(
        source.items("rules"),
        key=lambda rule_item: (positions.get(str(rule_item.values.get("rule_group_id")), 0), *_order(rule_item)),
    )
    for item in placed:
        fields = ItemFields(item.values, what=f"the rule {item.id}", remarks=remarks, row=item.row)
        group = fields.text("rule_group_id")
        if group in positions and (rule := _translate(item, fields, str(group), remarks)):
            yield rule
        elif group not in positions:
            remarks.add(f"The rule {item.id} belongs to no group; it is skipped.", row=item.row, rejects=True)


def bill_words(rules: Iterable[SourceRule]) -> Mapping[str, tuple[str, ...]]:
    """Finds the words of bills that one plain rule links: every word of the description, and nothing else."""
    words: dict[str, tuple[str, ...]] = {}
    linked: set[str] = set()
    for rule in rules:
        for bill in (action.value for action in rule.actions if action.name == "link_to_bill" and action.value):
            is_plain = (
                rule.active and rule.strict and all(trigger.name == "description_contains" for trigger in rule.triggers)
            )
            if is_plain and bill not in linked:
                words[bill] = tuple(dict.fromkeys(trigger.value for trigger in rule.triggers if trigger.value))
            else:
                words.pop(bill, None)
            linked.add(bill)
    return words


def _order(item: SourceItem) -> tuple[int, int]:
    order = str(item.values.get("order") or "")
    return int(order) if order.isdecimal() and len(order) < 10 else 0, item.row


def _translate(item: SourceItem, fields: ItemFields, group: str, remarks: Remarks) -> SourceRule | None:
    title = fields.text("title") or f"Rule {item.id}"
    triggers = [_trigger(part) for part in _parts(fields, "triggers") if part.text("type") != USER_ACTION]
    actions = [_action(part) for part in _parts(fields, "actions")]
    event = (fields.text("trigger") or "store-journal").lower()
    lost = [part.lost for part in (*triggers, *actions) if part.lost]
    if event not in _EVENTS:
        lost.append(f"it runs on '{shorten(event)}' only")
    if lost:
        message = (
            f"The rule '{shorten(title)}' is switched off, because Farthing does not know all of it: {'; '.join(lost)}."
        )
        remarks.add(message, row=item.row, field="rules")
    parts = (
        tuple(trigger.part for trigger in triggers if trigger.part),
        tuple(action.part for action in actions if action.part),
    )
    if not all(parts):
        remarks.add(f"Nothing is left of the rule '{shorten(title)}'; it is skipped.", row=item.row, rejects=True)
        return None
    _warn_of_limits(title, parts[0], remarks)
    return SourceRule(
        key=item.id,
        group=group,
        title=title,
        triggers=parts[0],
        actions=parts[1],
        description=join_notes(fields.text("description"), [f"Not taken over: {text}" for text in lost]),
        on_create=_EVENTS.get(event, True),
        strict=fields.flag("strict", default=True),
        stops=fields.flag("stop_processing", default=False),
        active=fields.flag("active", default=True) and not lost,
    )


def _parts(fields: ItemFields, name: Literal["triggers", "actions"]) -> list[ItemFields]:
    """Returns enabled parts in their order; disabled ones have no effect in Firefly III either."""
    parts = [part for part in fields.parts(name) if part.flag("active", default=True)]
    return sorted(parts, key=lambda part: part.whole("order", default=0, most=10**6))


def _trigger(fields: ItemFields) -> TranslatedPart:
    name = (fields.text("type") or "").lower()
    ours = _RENAMED.get(name, name)
    value = fields.text("value")
    is_prohibited = fields.flag("prohibited", default=False)
    if name.startswith("-"):
        is_prohibited, ours = True, _RENAMED.get(name[1:], name[1:])
    if is_prohibited and ours not in _OPPOSITES:
        return TranslatedPart(part=None, lost=f"not '{shorten(ours)}' {shorten(value or '')}".rstrip())
    if ours == "has_attachments":
        value = "1" if value in (None, "true", "1") else value
    return _part(_OPPOSITES[ours] if is_prohibited else ours, value, TRIGGERS, fields)


def _action(fields: ItemFields) -> TranslatedPart:
    return _part((fields.text("type") or "").lower(), fields.text("value"), ACTIONS, fields)


def _part(name: str, value: str | None, specs: Mapping[str, Spec], fields: ItemFields) -> TranslatedPart:
    description = f"'{shorten(name)}' {shorten(value or '')}".rstrip()
    spec = specs.get(name)
    if spec is None:
        return TranslatedPart(part=None, lost=description)
    plain = None if spec.takes == ValueKind.NOTHING else value
    reason = misfit(RulePart(name=name, value=plain), spec.takes)
    if reason is None and plain is None and spec.takes != ValueKind.NOTHING:
        reason = "has no value"
    if reason:
        return TranslatedPart(part=None, lost=f"{description}, which {reason}")
    return TranslatedPart(
        part=SourceRulePart(name=name, value=plain, stops=fields.flag("stop_processing", default=False))
    )


def _warn_of_limits(title: str, triggers: Iterable[SourceRulePart], remarks: Remarks) -> None:
    for trigger in triggers:
        if trigger.name in _INCLUSIVE:
            message = "Firefly III counts the limit of an amount itself as less or more, Farthing does not"
            remarks.count(message, f"rule '{title}': {trigger.name} {trigger.value}")
