"""Recognises the words that banks use in the headers and cells of their tables."""

import re
import unicodedata
from functools import lru_cache
from importlib import resources

from msgspec import Struct


def _read_phrases() -> dict[str, tuple[str, ...]]:
    text = resources.files(__package__).joinpath("phrases.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    sections = (section.partition("]") for section in " ".join(lines).split("[")[1:])
    return {name: tuple(dict.fromkeys(" ".join(words.split()).split(", "))) for name, _, words in sections}


_PHRASES = _read_phrases()
_PHRASES_OF_ROLES = {name.removeprefix("role "): words for name, words in _PHRASES.items() if name.startswith("role ")}
ROLES = tuple(_PHRASES_OF_ROLES)
DEBIT_WORDS = frozenset(_PHRASES["debit words"])
CREDIT_WORDS = frozenset(_PHRASES["credit words"])
UNBOOKED_WORDS = frozenset(_PHRASES["unbooked words"])
BALANCE_WORDS = frozenset(_PHRASES["balance words"])
BALANCE_FILLERS = frozenset(_PHRASES["balance fillers"])
SUMMARY_WORDS = frozenset(_PHRASES["summary words"])
ACCOUNT_LABELS = frozenset(_PHRASES["account labels"])
CURRENCY_LABELS = frozenset(_PHRASES["currency labels"])
COMMON_CURRENCIES = frozenset(_PHRASES["common currencies"])
GENERIC_ACCOUNTS = frozenset(_PHRASES["generic accounts"])
CARD_HOLDERS = frozenset(_PHRASES["card holders"])
PURCHASE_WORDS = frozenset(_PHRASES["purchase words"])
REPAYMENT_WORDS = _PHRASES["repayment words"]
_WHOLE_ONLY = frozenset(_PHRASES["whole headers"])


class WordMatch(Struct, frozen=True, order=True):
    """Rates how well a header fits a role: exact matches first, then by the phrase's position in the role's list."""

    partial: bool
    rank: int


# Letters that Unicode does not decompose into a plain letter and an accent.
_UNDECOMPOSED = str.maketrans({"ł": "l", "ø": "o", "æ": "ae"})


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Converts a text to lower case without accents and punctuation: `Währung (EUR)` becomes `wahrung eur`."""
    decomposed = unicodedata.normalize("NFKD", text[:200].casefold().translate(_UNDECOMPOSED))
    letters = (letter if letter.isalnum() else " " for letter in decomposed if not unicodedata.combining(letter))
    return " ".join("".join(letters).split())


_BALANCE_STARTS = frozenset(phrase[:3] for phrase in BALANCE_WORDS)
_PHRASE_WORDS_MAX = max(len(phrase.split()) for phrase in BALANCE_WORDS)


def is_balance(text: str) -> bool:
    """Tells whether a text is a balance, such as `Endsaldo`. Runs for every row, so a quick test excludes most."""
    text = text.lstrip(" \"'*")
    start = text[:3].lower()
    return (start in _BALANCE_STARTS or not start.isascii()) and len(text) <= 80 and _is_balance(plain(text).split())


def _is_balance(words: list[str]) -> bool:
    """Tells whether the words are a phrase for a balance, followed only by a date, an amount or a currency."""
    for size in range(min(len(words), _PHRASE_WORDS_MAX), 0, -1):
        if " ".join(words[:size]) in BALANCE_WORDS:
            rest = words[size:]
            return all(
                word[0].isdigit()
                or word in BALANCE_FILLERS
                or word.upper() in COMMON_CURRENCIES
                # A word right before or after a number may be a month.
                or any(0 <= other < len(rest) and rest[other].isdigit() for other in (index - 1, index + 1))
                for index, word in enumerate(rest)
            )
    return False


def _ranks() -> dict[str, dict[str, int]]:
    ranks: dict[str, dict[str, int]] = {}
    for role, phrases in _PHRASES_OF_ROLES.items():
        for rank, phrase in enumerate(phrases):
            ranks.setdefault(_without_umlauts(phrase), {}).setdefault(role, rank)
    return ranks


def _without_umlauts(words: str) -> str:
    """Shortens `waehrung` to `wahrung`. This is done to both phrases and headers, so that they can be compared."""
    return words.replace("ae", "a").replace("oe", "o").replace("ue", "u")


_RANKS = _ranks()
_CAMEL = re.compile("(?<=[a-z])(?=[A-Z])")


def match_roles(header: str) -> dict[str, WordMatch]:
    """Finds the roles that a header names, by all of its words or else by its first or last words."""
    header = header[:200]
    spaced = _CAMEL.sub(" ", header)
    for text in (plain(header), plain(spaced), _without_currency(header), plain(header.rstrip("0123456789"))):
        words = _without_umlauts(text)
        if words in _RANKS:
            return {role: WordMatch(partial=False, rank=rank) for role, rank in _RANKS[words].items()}
    parts = _without_umlauts(plain(spaced)).split()
    for size in range(min(len(parts) - 1, 6), 0, -1):
        matches: dict[str, WordMatch] = {}
        for phrase in (" ".join(parts[-size:]), " ".join(parts[:size])):
            if phrase not in _WHOLE_ONLY:
                matches |= {role: WordMatch(partial=True, rank=rank) for role, rank in _RANKS.get(phrase, {}).items()}
        if matches:
            return matches
    return {}


def _without_currency(header: str) -> str:
    """Removes the currency from a header such as `Amount (GBP)` or `Betrag in EUR`. Returns an empty text otherwise."""
    first, _, last = header.rstrip(" )]").replace("(", " ").replace("[", " ").rpartition(" ")
    return plain(first).removesuffix(" in") if len(last) == 3 and last.isupper() else ""


def sign_of(word: str) -> int | None:
    """Returns -1 if the word means a debit, 1 if it means a credit, None otherwise."""
    text = word.strip().lower()
    if text in ("-", "+"):
        return -1 if text == "-" else 1
    key = plain(text).replace(" ", "_")
    return -1 if key in DEBIT_WORDS else 1 if key in CREDIT_WORDS else None
