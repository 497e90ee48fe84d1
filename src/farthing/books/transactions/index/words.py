"""Splits texts into folded words for the search, which ignores case and accent encoding."""

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from farthing.kernel.text import fold
from farthing.ledger.entry import Entry

WORD_CHARACTERS_MAX = 64
_WORD = re.compile(r"[^\W_]+")


# Most texts are short and often repeated, so their words are cached.
_SHORT = 100


def words_in(*texts: str | None) -> frozenset[str]:
    parts = [_split_again(text) if len(text) <= _SHORT else _split(text) for text in texts if text]
    return parts[0] if len(parts) == 1 else frozenset().union(*parts)


def _split(text: str) -> frozenset[str]:
    return frozenset([word[:WORD_CHARACTERS_MAX] for word in _WORD.findall(fold(text))])


_split_again = lru_cache(maxsize=4096)(_split)


class SearchText(Struct, frozen=True):
    """The searchable texts of an entry; names of accounts and labels are indexed separately."""

    entry_id: int
    on: str
    words: frozenset[str]

    @classmethod
    def of(cls, entry_id: int, entry: Entry) -> "SearchText":
        splits = [split.description for split in entry.splits]
        words = words_in(entry.description, entry.notes, entry.internal_reference, *splits)
        return cls(entry_id=entry_id, on=entry.on.isoformat(), words=words)


class SearchWords(Struct, frozen=True):
    """One word of a query. If `beginning` (a `*` follows in the query), it matches every word that starts with it."""

    word: str
    beginning: bool = False

    def fits(self, words: Iterable[str]) -> bool:
        return any(word.startswith(self.word) if self.beginning else word == self.word for word in words)


def parse_query(query: str) -> list[SearchWords]:
    """Returns the words of a query, which must all be found. Punctuation splits words, as it does in the index."""
    parsed: dict[SearchWords, None] = {}
    for piece in fold(query).split():
        words = _WORD.findall(piece)
        for number, word in enumerate(words):
            last = number == len(words) - 1
            parsed[SearchWords(word[:WORD_CHARACTERS_MAX], beginning=last and piece.endswith("*"))] = None
    return list(parsed)
