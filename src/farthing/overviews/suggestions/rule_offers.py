"""Offers a rule when the user has made the same correction to the same payee or text several times."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import takewhile

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from farthing.books.rule_groups import store as rule_groups
from farthing.books.rules import store as rules
from farthing.books.transactions.line_names import label_names
from farthing.books.transactions.model import LabelName
from farthing.kernel.limits import NAME_MAX
from farthing.kernel.text import fold
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .model import EarlierSplit, LabelSuggestion, RuleOffer, Suggestion, SuggestionSubject
from .payees import clean
from .weighing import Match

CORRECTIONS_MIN = 3
# The rule also sets the budget and tags that are suggested with at least this confidence.
_SURE = 0.9
# A shorter beginning would match too many texts.
_TEXT_CHARACTERS_MIN = 4
_TRIGGERS = ("to_account_is", "from_account_is", "description_starts")
_CHANGED = """
SELECT object_id, before FROM changes
WHERE user_id = :user_id AND kind = 'splits' AND object_id IN :ids AND before IS NOT NULL
"""
_NUMBER = re.compile(r"[\d*#]")


class _Agreement(Struct, frozen=True):
    """Splits with the same payee or text and the same category. `entry_of` maps their ids to those of their entries."""

    category_id: int
    entry_of: Mapping[int, int]
    trigger: tuple[str, str]


def add(
    db: Unit, user_id: int, suggestions: Sequence[Suggestion], matches: Sequence[Sequence[Match]]
) -> list[Suggestion]:
    """Adds a rule to each suggestion that the user's corrections support, unless the payee or text has a rule."""
    agreements = [_find_agreement(suggestion, of) for suggestion, of in zip(suggestions, matches, strict=True)]
    split_ids = {split_id for agreement in agreements if agreement for split_id in agreement.entry_of}
    if not split_ids:
        return list(suggestions)
    befores = _find_earlier_categories(db, user_id, sorted(split_ids))
    deserving = [agreement if agreement and _is_corrected(agreement, befores) else None for agreement in agreements]
    if not any(deserving):
        return list(suggestions)
    ruled = {fold(value) for _, _, value in rules.find_parts(db, user_id, "rule_triggers", _TRIGGERS) if value}
    names = label_names(db, user_id, "categories", {one.category_id for one in deserving if one})
    _, groups = rule_groups.page(db, user_id, limit=1, offset=0)
    group_title = groups[0].title if groups else None
    return [
        replace(suggestion, rule=_offer(suggestion, agreement.trigger, names[agreement.category_id], group_title))
        if agreement and fold(agreement.trigger[1]) not in ruled
        else suggestion
        for suggestion, agreement in zip(suggestions, deserving, strict=True)
    ]


def _find_agreement(suggestion: Suggestion, matches: Sequence[Match]) -> _Agreement | None:
    """Finds earlier splits with the suggested category. If the subject has a category, uses that instead, and includes
    the subject.
    """
    subject, category = suggestion.subject, suggestion.category
    category_id = subject.category_id or (category.id if category else None)
    if category_id is None:
        return None
    alike = [match.split for match in matches if match.same_payee and match.split.category_id == category_id]
    if subject.payee is not None:
        alike = [split for split in alike if fold(split.payee) == fold(str(subject.payee))]
    entry_of = {split.id: split.entry_id for split in alike}
    if subject.category_id and subject.split_id and subject.entry_id:
        entry_of[subject.split_id] = subject.entry_id
    if len(set(entry_of.values())) < CORRECTIONS_MIN:
        return None
    trigger = _make_trigger(subject, alike)
    return _Agreement(category_id, entry_of, trigger) if trigger else None


def _make_trigger(subject: SuggestionSubject, alike: Sequence[EarlierSplit]) -> tuple[str, str] | None:
    """Makes a trigger for the payee, or else for the words with which all texts begin, up to the first number."""
    if subject.payee is not None:
        return ("from_account_is" if subject.type == Type.DEPOSIT else "to_account_is"), alike[0].payee
    texts = [subject.description, *(split.description for split in alike)]
    first_words = zip(*(fold(text).split() for text in texts), strict=False)
    beginning = " ".join(words[0] for words in takewhile(_are_one_word, first_words))
    return ("description_starts", beginning) if len(beginning) >= _TEXT_CHARACTERS_MIN else None


def _are_one_word(words: Sequence[str]) -> bool:
    return len(set(words)) == 1 and not _NUMBER.search(words[0])


def _find_earlier_categories(db: Unit, user_id: int, split_ids: list[int]) -> dict[int, set[int | None]]:
    """Finds the earlier categories of these splits in the change log."""
    befores: dict[int, set[int | None]] = defaultdict(set)
    for split_id, before in db.all(_CHANGED, user_id=user_id, ids=split_ids):
        columns = msgspec.json.decode(before)
        if "category_id" in columns:
            befores[split_id].add(columns["category_id"])
    return befores


def _is_corrected(agreement: _Agreement, befores: Mapping[int, set[int | None]]) -> bool:
    """Tells whether enough of the transactions had a different category, or no category, before."""
    corrected = {
        entry_id
        for split_id, entry_id in agreement.entry_of.items()
        if befores.get(split_id, set()) - {agreement.category_id}
    }
    return len(corrected) >= CORRECTIONS_MIN


def _offer(suggestion: Suggestion, trigger: tuple[str, str], category: LabelName, group_title: str | None) -> RuleOffer:
    """Offers a rule that sets the category, and the budget and tags if their confidence is high."""
    kind, about = trigger
    name = clean(about.upper()) if kind == "description_starts" else about
    budget = [("set_budget", suggestion.budget.name)] if _is_sure(suggestion.budget) and suggestion.budget else []
    tags = [("add_tag", tag.name) for tag in suggestion.tags if _is_sure(tag)]
    return RuleOffer(
        title=f"{name}: {category.name}"[:NAME_MAX],
        group_title=group_title,
        trigger=trigger,
        actions=[("set_category", category.name), *budget, *tags],
    )


def _is_sure(label: LabelSuggestion | None) -> bool:
    return label is not None and label.confidence >= _SURE
