"""Which words does a transaction hold? Folded, so that search knows neither case nor accents typed in pieces."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..ledger.entry import Entry
from ..text import fold

WORD_CHARACTERS_MAX = 64
_WORD = re.compile(r"[^\W_]+")


def words_in(*texts: str | None) -> frozenset[str]:
    return frozenset([word[:WORD_CHARACTERS_MAX] for text in texts if text for word in _WORD.findall(fold(text))])


class Text(NamedTuple):
    """What of an entry can be searched; names of accounts and labels are searched where they are kept."""

    entry_id: int
    on: str
    words: frozenset[str]

    @classmethod
    def of(cls, entry_id: int, entry: Entry) -> "Text":
        splits = [split.description for split in entry.splits]
        words = words_in(entry.description, entry.notes, entry.internal_reference, *splits)
        return cls(entry_id, entry.on.isoformat(), words)


@dataclass(frozen=True)
class Sought:
    """One word of a query; with `*` at its end every word that begins so."""

    word: str
    beginning: bool = False

    def fits(self, words: Iterable[str]) -> bool:
        return any(word.startswith(self.word) if self.beginning else word == self.word for word in words)


def sought(query: str) -> list[Sought]:
    """All of them must be found. A mark inside a word parts it, as it does in the texts."""
    found: dict[Sought, None] = {}
    for piece in fold(query).split():
        words = _WORD.findall(piece)
        for place, word in enumerate(words):
            last = place == len(words) - 1
            found[Sought(word[:WORD_CHARACTERS_MAX], beginning=last and piece.endswith("*"))] = None
    return list(found)
