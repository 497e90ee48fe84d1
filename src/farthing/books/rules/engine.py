"""Runs rules on a draft: returns the changed draft and what each rule did. Does not access the database."""

from collections.abc import Callable, Sequence, Set

from msgspec import Struct

from ..transactions.model import Lookup, TransactionDraft
from .actions import ActionContext, Name, PreparedAction, Skip, prepare_action
from .model import USER_ACTION, Rule, RuleEvent, StoredRulePart
from .triggers import Question, TransactionFacts, check, combine


class PreparedRule(Struct, frozen=True):
    """A rule, prepared to run. Rules of one group are adjacent, in their order."""

    id: int
    group_id: int
    title: str
    moment: RuleEvent
    stops: bool
    matches: Question
    why: Callable[[TransactionFacts], str]
    actions: tuple[PreparedAction, ...]
    asks_attachments: bool
    size: int = 0
    """The number of triggers and actions, which serves as an estimate of how long the rule takes."""


class Surroundings(Struct, frozen=True):
    """Facts that the rules need beyond the draft. If `bill_decided`, the user chose the bill by hand; a `bill_id` of
    None then means that the user chose to have no bill.
    """

    attachments: int = 0
    bill_decided: bool = False
    bill_id: int | None = None


class RuleMatch(Struct, frozen=True):
    """A rule that matched, why it matched, which actions changed something, and which could not be applied."""

    rule_id: int
    title: str
    why: str
    did: tuple[str, ...]
    skipped: tuple[str, ...]


class RuleOutcome(Struct, frozen=True):
    """The draft as changed by the rules. Names in `unknown` were assumed to exist: look them up and run again.

    `made` holds the categories and tags that will be created if they do not exist.
    """

    draft: TransactionDraft
    fired: tuple[RuleMatch, ...]
    unknown: Set[Name]
    made: Set[Name]


def prepare(rule: Rule) -> PreparedRule:
    triggers = [part for part in rule.triggers if part.name != USER_ACTION and part.active]
    actions = [part for part in rule.actions if part.active]
    matches, why = _all(triggers) if rule.strict else _any(triggers)
    return PreparedRule(
        id=rule.id,
        group_id=rule.rule_group_id,
        title=rule.title,
        moment=rule.moment,
        stops=rule.stops,
        matches=matches,
        why=why,
        actions=tuple(prepare_action(part) for part in actions),
        asks_attachments=any(trigger.name == "has_attachments" for trigger in triggers),
        size=len(triggers) + len(actions),
    )


def _all(triggers: Sequence[StoredRulePart]) -> tuple[Question, Callable[[TransactionFacts], str]]:
    """Combines triggers that must all match. Ignores all triggers after the first one that stops processing."""
    last = next((number for number, trigger in enumerate(triggers, 1) if trigger.stops), None)
    checks = [check(trigger) for trigger in triggers[:last]]
    why = "; ".join(check_.words for check_ in checks)
    if not checks:
        return (lambda _facts: False), lambda _facts: why
    if len(checks) == 2:
        first, second = (check_.holds for check_ in checks)
        return (lambda facts: first(facts) and second(facts)), lambda _facts: why
    return combine(checks, one_suffices=False), lambda _facts: why


def _any(triggers: Sequence[StoredRulePart]) -> tuple[Question, Callable[[TransactionFacts], str]]:
    """Combines triggers of which at least one must match. `stops` has no effect, because one match is enough.

    The explanation of a match lists all triggers that match.
    """
    checks = tuple(check(trigger) for trigger in triggers)
    return (
        combine(checks, one_suffices=True) if checks else (lambda _facts: False),
        lambda facts: "; ".join(check_.words for check_ in checks if check_.holds(facts)),
    )


ALONE = Surroundings()


def run(
    rules: Sequence[PreparedRule],
    draft: TransactionDraft,
    lookup: Lookup,
    looked_up: Set[Name] = frozenset(),
    around: Surroundings = ALONE,
) -> RuleOutcome:
    """Runs the rules in order, each on the result of the previous one.

    A rule that stops processing skips only the later rules of its own group.
    """
    decided = around.bill_decided or draft.bill_id is not None
    bill_id = draft.bill_id or around.bill_id
    context = ActionContext(lookup=lookup, looked_up=looked_up, bill_decided=decided, bill_id=bill_id)
    facts = TransactionFacts(draft, lookup, around.attachments)
    fired: list[RuleMatch] = []
    ended: int | None = None
    for rule in rules:
        if rule.group_id == ended or not rule.matches(facts):
            continue
        draft, did, skipped = _carry_out(rule, draft, context)
        fired.append(RuleMatch(rule_id=rule.id, title=rule.title, why=rule.why(facts), did=did, skipped=skipped))
        if did:
            facts = facts.with_draft(draft)
        if rule.stops:
            ended = rule.group_id
    return RuleOutcome(draft=draft, fired=tuple(fired), unknown=context.unknown, made=context.made)


def _carry_out(
    rule: PreparedRule, draft: TransactionDraft, context: ActionContext
) -> tuple[TransactionDraft, tuple[str, ...], tuple[str, ...]]:
    """Returns the changed draft, which actions changed something, and which actions could not be applied."""
    did, skipped = [], []
    for action in rule.actions:
        result = action.act(draft, context)
        if isinstance(result, Skip):
            skipped.append(f"{action.words}: {result.reason}")
        elif result != draft:
            draft = result
            did.append(action.words)
        if action.stops:
            break
    return draft, tuple(did), tuple(skipped)
