"""Offers a rule once the user has corrected the same payee in the same way several times."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from farthing.books.rule_groups import store as rule_groups
from farthing.books.rules import store as rules
from farthing.kernel.limits import NAME_MAX
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .model import RuleOffer, Suggestion
from .weighing import Match

CORRECTIONS_MIN = 3
_CHANGED = """
SELECT object_id, before FROM changes
WHERE user_id = :user_id AND kind = 'splits' AND object_id IN :ids AND before IS NOT NULL
"""


def add(
    db: Unit, user_id: int, suggestions: Sequence[Suggestion], matches: Sequence[Sequence[Match]]
) -> list[Suggestion]:
    """Adds a rule to the suggestions that deserve one, unless there is a rule for that payee."""
    agreeing = [_find_agreeing(suggestion, of) for suggestion, of in zip(suggestions, matches, strict=True)]
    split_ids = sorted({match.split.id for of in agreeing for match in of})
    if not split_ids:
        return list(suggestions)
    befores = _find_earlier_categories(db, user_id, split_ids)
    deserving = [_count_corrected(of, befores) >= CORRECTIONS_MIN for of in agreeing]
    if not any(deserving):
        return list(suggestions)
    ruled = _find_ruled_payees(db, user_id)
    group_title = _find_group_title(db, user_id)
    return [
        replace(suggestion, rule=_offer(suggestion, of[0], group_title))
        if deserves and fold(of[0].split.payee) not in ruled
        else suggestion
        for suggestion, of, deserves in zip(suggestions, agreeing, deserving, strict=True)
    ]


def _find_agreeing(suggestion: Suggestion, matches: Sequence[Match]) -> list[Match]:
    """Finds the splits of the same payee that have the suggested category, if they are enough."""
    category = suggestion.category
    if category is None or suggestion.subject.payee is None:
        return []
    payee = fold(suggestion.subject.payee)
    agreeing = [
        match for match in matches if match.split.category_id == category.id and fold(match.split.payee) == payee
    ]
    return agreeing if len(agreeing) >= CORRECTIONS_MIN else []


def _find_earlier_categories(db: Unit, user_id: int, split_ids: list[int]) -> dict[int, set[int | None]]:
    """Finds in the log of changes which categories these splits had before."""
    befores: dict[int, set[int | None]] = defaultdict(set)
    for split_id, before in db.all(_CHANGED, user_id=user_id, ids=split_ids):
        columns = msgspec.json.decode(before)
        if "category_id" in columns:
            befores[split_id].add(columns["category_id"])
    return befores


def _count_corrected(matches: Sequence[Match], befores: Mapping[int, set[int | None]]) -> int:
    """Counts the transactions that had another category before, or none."""
    splits = [match.split for match in matches]
    return len({split.entry_id for split in splits if befores.get(split.id, set()) - {split.category_id}})


def _find_ruled_payees(db: Unit, user_id: int) -> set[str]:
    names = ("to_account_is", "from_account_is")
    return {fold(value) for _, _, value in rules.find_parts(db, user_id, "rule_triggers", names) if value}


def _find_group_title(db: Unit, user_id: int) -> str | None:
    _, groups = rule_groups.page(db, user_id, limit=1, offset=0)
    return groups[0].title if groups else None


def _offer(suggestion: Suggestion, match: Match, group_title: str | None) -> RuleOffer:
    """Offers a rule for transactions with this payee: it sets the category, and a budget and tags if they are sure."""
    category = suggestion.category
    assert category is not None, "only a suggestion with a category deserves a rule"
    payee, earns = match.split.payee, match.split.type == Type.DEPOSIT
    budget = [("set_budget", suggestion.budget.name)] if suggestion.budget else []
    return RuleOffer(
        title=f"{payee}: {category.name}"[:NAME_MAX],
        group_title=group_title,
        trigger=("from_account_is" if earns else "to_account_is", payee),
        actions=[("set_category", category.name), *budget, *(("add_tag", tag.name) for tag in suggestion.tags)],
    )
