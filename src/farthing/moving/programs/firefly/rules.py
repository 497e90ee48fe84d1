"""Translates rules into our triggers and actions. A rule that cannot be translated exactly is switched off."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from farthing.books.rules.model import ACTIONS, TRIGGERS, USER_ACTION, RulePart, Spec, ValueKind, misfit
from farthing.books.rules.names import MANUAL, read_trigger

from ...findings import shorten
from ...source_books import SourceRule, SourceRuleGroup, SourceRulePart
from .files.items import Source, SourceItem, join_notes

_INCLUSIVE = ("amount_less", "amount_more")
_EVENTS = {"store-journal": True, "update-journal": False, MANUAL: True}


# A rule that only asks for words in the description.
_PLAIN = {("description_contains", False)}


def read_groups(source: Source) -> Iterator[SourceRuleGroup]:
    for item in sorted(source.items("rule-groups"), key=lambda item: item.order):
        yield SourceRuleGroup(
            key=item.id,
            title=item.text("title") or f"Rule group {item.id}",
            description=item.text("description"),
            active=item.flag("active", default=True),
        )


def read_rules(source: Source, groups: Iterable[SourceRuleGroup]) -> Iterator[SourceRule]:
    positions = {group.key: number for number, group in enumerate(groups)}

    def position(item: SourceItem) -> tuple[int, ...]:
        return (positions.get(str(item.values.get("rule_group_id")), 0), *item.order)

    for item in sorted(source.items("rules"), key=position):
        group = item.text("rule_group_id")
        if group not in positions:
            item.tell("belongs to no group; it is skipped.", rejects=True)
        elif rule := _translate(item, str(group)):
            yield rule


def bill_words(rules: Iterable[SourceRule]) -> Mapping[str, tuple[str, ...]]:
    """Finds the words of bills that exactly one rule links to, if that rule only looks for words in descriptions."""
    words: dict[str, tuple[str, ...]] = {}
    linked: set[str] = set()
    for rule in rules:
        for bill in (action.value for action in rule.actions if action.name == "link_to_bill" and action.value):
            is_plain = {(trigger.name, trigger.prohibited) for trigger in rule.triggers if trigger.active} == _PLAIN
            if rule.active and not rule.manual and rule.strict and is_plain and bill not in linked:
                words[bill] = tuple(
                    dict.fromkeys(trigger.value for trigger in rule.triggers if trigger.value and trigger.active)
                )
            else:
                words.pop(bill, None)
            linked.add(bill)
    return words


def _translate(item: SourceItem, group: str) -> SourceRule | None:
    title = item.text("title") or f"Rule {item.id}"
    lost: list[str] = []
    parts = [part for part in _parts(item, "triggers") if part.text("type") != USER_ACTION]
    triggers = tuple(trigger for part in parts if (trigger := _trigger(part, lost)))
    parts = _parts(item, "actions")
    actions = tuple(action for part in parts if (action := _part(_word(part), part.text("value"), ACTIONS, part, lost)))
    event = (item.text("trigger") or "store-journal").lower()
    if event not in _EVENTS:
        lost.append(f"it runs on '{shorten(event)}' only")
    if lost:
        why = f"because Farthing does not support all of it: {'; '.join(lost)}"
        item.remarks.add(f"The rule '{shorten(title)}' is switched off, {why}.", row=item.row, field="rules")
    if not triggers or not actions:
        message = f"Nothing of the rule '{shorten(title)}' can be imported; it is skipped."
        item.remarks.add(message, row=item.row, rejects=True)
        return None
    for trigger in triggers:
        if trigger.name in _INCLUSIVE:
            message = "In Firefly III, less or more than an amount includes the amount itself; in Farthing it does not"
            item.remarks.count(message, f"rule '{title}': {trigger.name} {trigger.value}")
    return SourceRule(
        key=item.id,
        group=group,
        title=title,
        triggers=triggers,
        actions=actions,
        description=join_notes(item.text("description"), [f"Not taken over: {text}" for text in lost]),
        on_create=_EVENTS.get(event, True),
        strict=item.flag("strict", default=True),
        stops=item.flag("stop_processing", default=False),
        active=item.flag("active", default=True) and not lost,
        manual=event == MANUAL,
    )


def _parts(item: SourceItem, name: Literal["triggers", "actions"]) -> list[SourceItem]:
    return sorted(item.parts(name), key=lambda part: part.whole("order", default=0, most=10**6))


def _word(part: SourceItem) -> str:
    return (part.text("type") or "").lower()


def _trigger(part: SourceItem, lost: list[str]) -> SourceRulePart | None:
    is_prohibited = part.flag("prohibited", default=False)
    name, value, is_prohibited = read_trigger(_word(part), part.text("value"), prohibited=is_prohibited)
    return _part(name, value, TRIGGERS, part, lost, prohibited=is_prohibited)


def _part(
    name: str,
    value: str | None,
    specs: Mapping[str, Spec],
    part: SourceItem,
    lost: list[str],
    *,
    prohibited: bool = False,
) -> SourceRulePart | None:
    """Translates a part, or adds to `lost` what could not be translated, unless it is switched off anyway."""
    is_active = part.flag("active", default=True)
    lost = lost if is_active else []
    description = f"'{shorten(name)}' {shorten(value or '')}".rstrip()
    spec = specs.get(name)
    if spec is None:
        lost.append(description)
        return None
    plain = None if spec.takes == ValueKind.NOTHING else value
    reason = misfit(RulePart(name=name, value=plain), spec.takes)
    if reason is None and plain is None and spec.takes != ValueKind.NOTHING:
        reason = "has no value"
    if reason:
        lost.append(f"{description}, which {reason}")
        return None
    stops = part.flag("stop_processing", default=False)
    return SourceRulePart(name=name, value=plain, stops=stops, prohibited=prohibited, active=is_active)
