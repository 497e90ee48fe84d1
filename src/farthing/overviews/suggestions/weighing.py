"""Weighs earlier transactions: which label would this one have, and how sure is that? Pure.

Evidence comes in layers, from vague to exact: other payees with similar words, the same payee, the same payee with
similar words, the same payee with the same amount. Each layer that has evidence corrects the one before, more strongly
the more evidence it has. Newer and later corrected transactions count more.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from math import log, sqrt
from typing import TypeVar

from msgspec import Struct

from .model import EarlierSplit, Evidence, SuggestionSubject

Label = TypeVar("Label", bound=Hashable)

# Texts are taken for the same from here, and are of no use below that.
SAME, VAGUE = 0.7, 0.45
# What each layer has to outweigh.
_VAGUE_DOUBT, _DOUBT = 2.0, 0.6
# The weight of a transaction against the next newer one.
_FADING = 0.8
# The weights of words that never occurred, and of numbers.
_NEW_WORD, _NUMBER = 0.25, 0.02


class Match(Struct, frozen=True):
    """An earlier split and what it has in common with the subject."""

    split: EarlierSplit
    similarity: float
    rarity: float
    same_payee: bool
    same_amount: bool

    @property
    def layer(self) -> int:
        if not self.same_payee:
            return 0
        return 1 + (self.similarity >= SAME) + 2 * self.same_amount


class Outcome(Struct, frozen=True):
    confidence: float
    matches: Sequence[Match]


def find_matches(
    subject: SuggestionSubject, evidence: Evidence, entry_ids: Iterable[int], payee_ids: Collection[int]
) -> list[Match]:
    """Compares the subject with earlier splits, and drops those that have nothing in common; the newest come first.

    Without a payee, the same text counts as the same payee.
    """
    weights = {word: _weigh(word, evidence.frequencies) for word in subject.words}
    total = sum(weights.values()) or 1.0
    matches = []
    for entry_id in set(entry_ids) - {subject.entry_id}:
        for split in evidence.splits.get(entry_id, ()):
            if split.type != subject.type:
                continue
            common = sum([weights[word] for word in subject.words & split.words])
            similarity = common / total * sqrt(_lettered(subject.words & split.words) / (_lettered(split.words) or 1))
            same_payee = split.payee_id in payee_ids or (subject.payee is None and similarity >= SAME)
            if same_payee or similarity >= VAGUE:
                same_amount = split.units == subject.units(split.currency.places)
                matches.append(Match(split, similarity, common, same_payee, same_amount))
    return sorted(matches, key=_recency, reverse=True)


def _recency(match: Match) -> tuple[str, str, int]:
    return match.split.updated_at, match.split.on, match.split.id


def _weigh(word: str, frequencies: Mapping[str, int]) -> float:
    if word.isdigit():
        return _NUMBER
    return 1 / log(2 + frequencies[word]) if word in frequencies else _NEW_WORD


def _lettered(words: Iterable[str]) -> int:
    return sum([not word.isdigit() for word in words])


def weigh(matches: Sequence[Match], label_of: Callable[[EarlierSplit], Label]) -> dict[Label, Outcome]:
    """Returns the confidence in each label, and the matches that have it, the most telling first."""
    shares: dict[Label, float] = {}
    for doubt, layer in _layers(matches):
        weights: dict[Label, float] = defaultdict(float)
        for place, (match, weight) in enumerate(layer):
            weights[label_of(match.split)] += weight * _FADING**place
        total = sum(weights.values()) + doubt
        labels = {*shares, *weights} if layer else ()
        shares = {label: (weights[label] + doubt * shares.get(label, 0.0)) / total for label in labels} or shares
    telling = sorted(matches, key=lambda match: match.layer, reverse=True)
    return {
        label: Outcome(share, [match for match in telling if label_of(match.split) == label])
        for label, share in shares.items()
    }


def _layers(matches: Sequence[Match]) -> Iterable[tuple[float, list[tuple[Match, float]]]]:
    """Yields the doubt of each layer, and its matches with their weights."""
    vague = [match for match in matches if match.similarity >= VAGUE]
    vague.sort(key=lambda match: match.similarity, reverse=True)
    yield _VAGUE_DOUBT, [(match, match.similarity**2 * min(1.0, 1.5 * match.rarity)) for match in vague]
    of_payee = [match for match in matches if match.same_payee]
    yield _DOUBT, [(match, 1.0) for match in of_payee]
    yield _DOUBT, [(match, 1.0) for match in of_payee if match.similarity >= SAME]
    yield _DOUBT, [(match, 1.0) for match in of_payee if match.same_amount]


def find_best(outcomes: Mapping[Label, Outcome]) -> Label | None:
    return max(outcomes, key=lambda label: outcomes[label].confidence, default=None)
