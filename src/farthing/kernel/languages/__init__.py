"""Says sentences in the language of their reader.

All sentences are made, stored and logged in English. Where one leaves the house, `say` looks for the template it was
made from and fills the translation with the same values. So two people who share books each read their own language,
and code that makes a sentence needs to know nothing of languages. docs/adr/0053-english-is-the-key.md says why.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .catalogue import Catalogue

ENGLISH = "en_US"
# The languages that have a catalogue. Every other language is answered in English.
TRANSLATED = ("de", "es", "fr", "nl")
_ACCEPTED_CHARACTERS_MAX = 1000


def is_translated(language: str) -> bool:
    return _base(language) in TRANSLATED


def say(sentence: str, language: str) -> str:
    """Translates an English sentence of ours. A sentence that no catalogue has stays English.

    `language` is a locale, such as `de_AT`.
    """
    base = _base(language)
    return _say(sentence, base) if base in TRANSLATED else sentence


def choose_language(accepted: str) -> str:
    """Chooses a language for somebody unknown, from the header `Accept-Language`."""
    for tag in _by_preference(accepted[:_ACCEPTED_CHARACTERS_MAX]):
        base = _base(tag)
        if base in TRANSLATED:
            return base
        if base in ("en", "*"):
            break
    return ENGLISH


def _by_preference(accepted: str) -> Iterator[str]:
    ranges = []
    for part in accepted.split(","):
        tag, _, parameter = part.partition(";")
        name, _, quality = parameter.strip().partition("=")
        weight = _parse_weight(quality) if name.strip() == "q" else 1.0
        if tag.strip() and weight > 0:
            ranges.append((-weight, tag.strip()))
    return (tag for _, tag in sorted(ranges, key=lambda weighed: weighed[0]))


def _parse_weight(text: str) -> float:
    digits = text.strip()
    is_number = digits.replace(".", "", 1).isdigit() and digits.isascii() and len(digits) <= 5
    return float(digits) if is_number else 0.0


def _base(language: str) -> str:
    return language.replace("-", "_").partition("_")[0].lower()


# An import may have a thousand findings that its reader loads again and again.
@lru_cache(maxsize=5000)
def _say(sentence: str, base: str) -> str:
    return _load(base).say(sentence)


@cache
def _load(base: str) -> "Catalogue":
    from .catalogue import load  # imported late: whoever reads English needs neither Babel nor the catalogues

    return load(base)
