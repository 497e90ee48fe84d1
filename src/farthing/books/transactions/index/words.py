"""Splits texts into folded words for the search, which ignores case and accents."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from farthing.kernel.text import WORD_CHARACTERS_MAX, fold, plain_word
from farthing.ledger.entry import Entry

WORD = re.compile(r"[^\W_]+")


# Most texts are short and often repeated, so their words are cached.
_SHORT = 100


def words_in(*texts: str | None) -> frozenset[str]:
    parts = [_split_again(text) if len(text) <= _SHORT else _split(text) for text in texts if text]
    return parts[0] if len(parts) == 1 else frozenset().union(*parts)


@lru_cache(maxsize=4096)
def plain_words_in(text: str) -> frozenset[str]:
    return frozenset([plain_word(word) for word in words_in(text)])


def _split(text: str) -> frozenset[str]:
    return frozenset([word[:WORD_CHARACTERS_MAX] for word in WORD.findall(fold(text))])


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

    @property
    def plain_words(self) -> Iterator[str]:
        return map(plain_word, self.words)


class SearchWords(Struct, frozen=True):
    """One word of a query, in plain letters.

    It matches the same word, every word that starts with it (`beginning`), or every word that contains it (`within`).
    `also` holds other spellings: `mueller` also finds `Müller`, and `müller` also finds `Mueller`.
    """

    word: str
    beginning: bool = False
    within: bool = False
    also: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.word, *self.also)

    def fits(self, words: Iterable[str]) -> bool:
        return any(self._fits(spelling, word) for word in words for spelling in self.spellings)

    def _fits(self, spelling: str, word: str) -> bool:
        if self.within:
            return spelling in word
        return word.startswith(spelling) if self.beginning else word == spelling


# A quoted part, of which whole words must match, or a part without spaces.
_PART = re.compile(r'"([^"]*)"?|([^\s"]+)')


def parse_query(query: str) -> list[SearchWords]:
    """Returns the words of a query, which must all be found. Punctuation splits words, as it does in the index.

    The last word of each part matches as a beginning, unless it is quoted. A part that starts with `*` matches inside
    words.
    """
    parsed: dict[SearchWords, None] = {}
    for quoted, piece in _PART.findall(fold(query)):
        words = WORD.findall(quoted or piece)
        for number, word in enumerate(words):
            is_within = not quoted and number == 0 and piece.startswith("*")
            is_beginning = not quoted and not is_within and number == len(words) - 1
            plain, *also = _spell(word[:WORD_CHARACTERS_MAX])
            parsed[SearchWords(plain, is_beginning, is_within, tuple(also))] = None
    return list(parsed)


# German umlauts are also written with an e.
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}


def _spell(word: str) -> list[str]:
    """Returns the word in plain letters, and then its other spelling, if it has one."""
    longer = shorter = word
    for umlaut, letters in _UMLAUTS.items():
        longer, shorter = longer.replace(umlaut, letters), shorter.replace(letters, umlaut)
    return list(dict.fromkeys(plain_word(spelling) for spelling in (word, longer, shorter)))
