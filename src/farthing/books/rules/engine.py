"""Runs rules on a transaction: another transaction, and what each rule did; pure."""

from collections.abc import Callable, Sequence, Set
from itertools import takewhile

from msgspec import Struct

from ..transactions.model import Lookup, TransactionDraft
from .actions import Deed, Meaning, Name, Skip, deed
from .model import USER_ACTION, Rule, RuleEvent, RulePart
from .triggers import Look, Question, check, every, some


class Ready(Struct, frozen=True):
    """A rule made ready to run. Rules of one group stand together, in their order."""

    id: int
    group_id: int
    title: str
    moment: RuleEvent
    stops: bool
    matches: Question
    why: Callable[[Look], str]
    deeds: tuple[Deed, ...]
    asks_attachments: bool
    size: int = 0
    """How many triggers and actions it has: how long it may take."""


class Around(Struct, frozen=True):
    """What is to be known of a transaction besides itself. `bill_decided`: a hand has chosen its bill, or none."""

    attachments: int = 0
    bill_decided: bool = False
    bill_id: int | None = None


class RuleMatch(Struct, frozen=True):
    """A rule that matched: why, what it did, and what it could not do."""

    rule_id: int
    title: str
    why: str
    did: tuple[str, ...]
    skipped: tuple[str, ...]


class Outcome(Struct, frozen=True):
    """`unknown` names were taken for good: only when these are looked up, another run tells the truth.

    `made` are those of categories and tags that may be there or not: where they are not, they are made.
    """

    draft: TransactionDraft
    fired: tuple[RuleMatch, ...]
    unknown: Set[Name]
    made: Set[Name]


def ready(rule: Rule) -> Ready:
    triggers = [RulePart(one.name, one.value, one.stops) for one in rule.triggers if one.name != USER_ACTION]
    matches, why = _all(triggers) if rule.strict else _any(triggers)
    return Ready(
        id=rule.id,
        group_id=rule.rule_group_id,
        title=rule.title,
        moment=rule.moment,
        stops=rule.stops,
        matches=matches,
        why=why,
        deeds=tuple(deed(RulePart(one.name, one.value, one.stops)) for one in rule.actions),
        asks_attachments=any(one.name == "has_attachments" for one in triggers),
        size=len(triggers) + len(rule.actions),
    )


def _all(triggers: Sequence[RulePart]) -> tuple[Question, Callable[[Look], str]]:
    """After one that stops, no more are asked: if it holds they do not matter, and if not, neither."""
    asked = [*takewhile(lambda one: not one.stops, triggers), *[one for one in triggers if one.stops][:1]]
    checks = [check(one) for one in asked]
    why = "; ".join(one.words for one in checks)
    if not checks:
        return (lambda _look: False), lambda _look: why
    if len(checks) == 2:
        first, second = (one.holds for one in checks)
        return (lambda look: first(look) and second(look)), lambda _look: why
    return every(checks), lambda _look: why


def _any(triggers: Sequence[RulePart]) -> tuple[Question, Callable[[Look], str]]:
    """Told are those that hold. That one stops does not matter here: if it holds, one is enough."""
    checks = tuple(check(one) for one in triggers)
    return (
        some(checks) if checks else (lambda _look: False),
        lambda look: "; ".join(one.words for one in checks if one.holds(look)),
    )


ALONE = Around()


def run(
    rules: Sequence[Ready],
    draft: TransactionDraft,
    known: Lookup,
    looked_up: Set[Name] = frozenset(),
    around: Around = ALONE,
) -> Outcome:
    """One after the other, each on what those before it made. One that stops ends its group, not the others."""
    decided = around.bill_decided or draft.bill_id is not None
    meaning = Meaning(known, looked_up, decided, draft.bill_id or around.bill_id)
    look = Look(draft, known, around.attachments)
    fired: list[RuleMatch] = []
    ended: int | None = None
    for rule in rules:
        if rule.group_id == ended or not rule.matches(look):
            continue
        draft, did, skipped = _carry_out(rule, draft, meaning)
        fired.append(RuleMatch(rule.id, rule.title, rule.why(look), did, skipped))
        if did:
            look = look.at(draft)
        if rule.stops:
            ended = rule.group_id
    return Outcome(draft, tuple(fired), meaning.unknown, meaning.made)


def _carry_out(
    rule: Ready, draft: TransactionDraft, meaning: Meaning
) -> tuple[TransactionDraft, tuple[str, ...], tuple[str, ...]]:
    """What its actions make of the draft, those that changed something, and those that could not be applied."""
    did, skipped = [], []
    for one in rule.deeds:
        made = one.act(draft, meaning)
        if isinstance(made, Skip):
            skipped.append(f"{one.words}: {made.reason}")
        elif made != draft:
            draft = made
            did.append(one.words)
        if one.stops:
            break
    return draft, tuple(did), tuple(skipped)
