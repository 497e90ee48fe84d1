"""Weighs earlier transactions to find the most likely label of a transaction, and the confidence in it.

Evidence is arranged in layers, from vague to exact: other payees with similar words, the same payee, the same payee
with similar words, the same payee with the same amount. Each layer corrects the result of the layer before, more
strongly the more evidence it has. Recently made or corrected transactions have more weight.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from math import log, sqrt
from typing import Generic, TypeVar

from msgspec import Struct

from farthing.kernel.money import PLACES_MAX

from .model import EarlierSplit, Evidence, SuggestionSubject

Label = TypeVar("Label", bound=Hashable)

# Texts are treated as the same from a similarity of `SAME` on; a similarity below `VAGUE` is ignored.
SAME, VAGUE = 0.7, 0.45
# The doubt that the evidence of a layer has to outweigh.
_VAGUE_DOUBT, _DOUBT = 2.0, 0.6
# The weight of each transaction relative to the next newer one.
_FADING = 0.8
# The most matches in a layer. Further matches would have almost no weight.
_LAYER_MAX = 20
# A vague match has its full weight if the rarity of the words in common is at least 1 / `_RARE`.
_RARE = 1.5
# The weights of words that never occurred, and of numbers.
_NEW_WORD, _NUMBER = 0.25, 0.02


class Match(Struct, frozen=True):
    """An earlier split and what it has in common with the subject."""

    split: EarlierSplit
    similarity: float
    rarity: float
    same_payee: bool
    same_amount: bool


class Layer(Struct, frozen=True):
    """Matches with their weights, the heaviest first, and the doubt that they have to outweigh."""

    doubt: float
    matches: Sequence[tuple[Match, float]]


class Likely(Struct, Generic[Label], frozen=True):
    """The most likely label, and the matches that have this label, the most convincing first."""

    label: Label
    confidence: float
    matches: Sequence[Match]


def find_matches(
    subject: SuggestionSubject, evidence: Evidence, entry_ids: Iterable[int], payee_ids: Collection[int]
) -> list[Match]:
    """Finds earlier splits that have something in common with the subject, newest first.

    If the subject has no payee, splits with the same text are treated as having the same payee.
    """
    weights = {word: _weigh_word(word, evidence.frequencies) for word in subject.words}
    total = sum(weights.values()) or 1.0
    units = [subject.units(places) for places in range(PLACES_MAX + 1)]
    matches = []
    for entry_id in set(entry_ids) - {subject.entry_id}:
        for split in evidence.splits.get(entry_id, ()):
            if split.type != subject.type:
                continue
            common = subject.words & split.words
            weight = sum([weights[word] for word in common])
            similarity = weight / total * sqrt(len(common & split.lettered) / (len(split.lettered) or 1))
            same_payee = split.payee_id in payee_ids or (subject.payee is None and similarity >= SAME)
            if same_payee or similarity >= VAGUE:
                same_amount = split.units == units[split.currency.places]
                matches.append(Match(split, similarity, weight, same_payee, same_amount))
    return sorted(matches, key=_recency, reverse=True)


def _recency(match: Match) -> tuple[str, str, int]:
    return match.split.updated_at, match.split.on, match.split.id


def _weigh_word(word: str, frequencies: Mapping[str, int]) -> float:
    if word.isdigit():
        return _NUMBER
    return 1 / log(2 + frequencies[word]) if word in frequencies else _NEW_WORD


def arrange(matches: Sequence[Match]) -> list[Layer]:
    """Arranges matches in layers, from vague to exact. Drops older matches, which would have almost no weight."""
    vague = [
        (match, match.similarity**2 * min(1.0, _RARE * match.rarity)) for match in matches if match.similarity >= VAGUE
    ]
    vague.sort(key=lambda pair: pair[1], reverse=True)
    of_payee = [(match, 1.0) for match in matches if match.same_payee]
    similar = [pair for pair in of_payee if pair[0].similarity >= SAME]
    equal = [pair for pair in of_payee if pair[0].same_amount]
    layers = ((_VAGUE_DOUBT, vague), (_DOUBT, of_payee), (_DOUBT, similar), (_DOUBT, equal))
    return [Layer(doubt, of[:_LAYER_MAX]) for doubt, of in layers if of]


def weigh(layers: Sequence[Layer], label_of: Callable[[EarlierSplit], Label]) -> dict[Label, float]:
    """Returns the confidence in each label."""
    shares: dict[Label, float] = {}
    for layer in layers:
        weights: dict[Label, float] = defaultdict(float)
        fading = 1.0
        for match, weight in layer.matches:
            weights[label_of(match.split)] += weight * fading
            fading *= _FADING
        total = sum(weights.values()) + layer.doubt
        shares = {
            label: (weights[label] + layer.doubt * shares.get(label, 0.0)) / total for label in {**shares, **weights}
        }
    return shares


def find_likely(matches: Sequence[Match], label_of: Callable[[EarlierSplit], Label]) -> Likely[Label] | None:
    shares = weigh(arrange(matches), label_of)
    if not shares:
        return None
    label = max(shares, key=shares.__getitem__)
    return Likely(label, shares[label], find_telling(matches, label_of, label))


def find_telling(matches: Sequence[Match], label_of: Callable[[EarlierSplit], Label], label: Label) -> list[Match]:
    """Finds the matches that have the label. Orders them by layer, the most exact first, and then newest first."""
    return sorted([match for match in matches if label_of(match.split) == label], key=_layer_of, reverse=True)


def _layer_of(match: Match) -> int:
    return 1 + (match.similarity >= SAME) + 2 * match.same_amount if match.same_payee else 0
