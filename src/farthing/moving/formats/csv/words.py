"""Recognises the words that banks put above their columns and into them."""

import re
import unicodedata
from functools import cache

from msgspec import Struct

from . import phrases

ROLES = tuple(phrases.PHRASES)


def _list(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(text.split()).split(", ")))


DEBIT_WORDS = frozenset(_list(phrases.DEBIT))
CREDIT_WORDS = frozenset(_list(phrases.CREDIT))
UNBOOKED_WORDS = frozenset(_list(phrases.UNBOOKED))
BALANCE_WORDS = frozenset(_list(phrases.BALANCES))
SUMMARY_WORDS = frozenset(_list(phrases.SUMMARIES))
ACCOUNT_LABELS = frozenset(_list(phrases.ACCOUNT_LABELS))
CURRENCY_LABELS = frozenset(_list(phrases.CURRENCY_LABELS))


class WordMatch(Struct, frozen=True, order=True):
    """How well a header fits a role: exactly or in part, then the place of its phrase in the role's list."""

    partial: bool
    place: int


@cache
def plain(text: str) -> str:
    """Lower case, without accents and punctuation: `Währung (EUR)` is `wahrung eur`."""
    decomposed = unicodedata.normalize(
        "NFKD", text[:200].casefold().replace("ł", "l").replace("ø", "o").replace("æ", "ae")
    )
    letters = (letter if letter.isalnum() else " " for letter in decomposed if not unicodedata.combining(letter))
    return " ".join("".join(letters).split())


def _places() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for role, words in phrases.PHRASES.items():
        for place, phrase in enumerate(_list(words)):
            found.setdefault(phrase, {}).setdefault(role, place)
    return found


_PLACES = _places()
# Too short or too general to be a part of a longer header.
_WHOLE_ONLY = {
    "in",
    "ut",
    "ud",
    "af",
    "uit",
    "out",
    "to",
    "from",
    "id",
    "name",
    "type",
    "art",
    "wert",
    "text",
    "info",
    "note",
    "typ",
    "d c",
    "s h",
}

_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")


def match_roles(header: str) -> dict[str, WordMatch]:
    """The roles that a header speaks of: by all of its words, else by its first or last words."""
    words = plain(_CAMEL.sub(" ", header[:200]))
    if words in _PLACES:
        return {role: WordMatch(partial=False, place=place) for role, place in _PLACES[words].items()}
    parts = words.split()
    if len(parts) > 1 and len(parts[-1]) == 3 and header.rstrip(" )]").endswith(parts[-1].upper()):  # Amount (GBP)
        shorter = " ".join(parts[:-1]).removesuffix(" in")
        if shorter in _PLACES:
            return {role: WordMatch(partial=False, place=place) for role, place in _PLACES[shorter].items()}
    for size in range(min(len(parts) - 1, 6), 0, -1):
        for phrase in (" ".join(parts[:size]), " ".join(parts[-size:])):
            if phrase in _PLACES and phrase not in _WHOLE_ONLY:
                return {role: WordMatch(partial=True, place=place) for role, place in _PLACES[phrase].items()}
    return {}


def sign_of(word: str) -> int | None:
    """-1 for money that left, 1 for money that came, None for words that say neither."""
    text = word.strip().lower()
    if text in ("-", "+"):
        return -1 if text == "-" else 1
    key = plain(text).replace(" ", "_")
    return -1 if key in DEBIT_WORDS else 1 if key in CREDIT_WORDS else None
