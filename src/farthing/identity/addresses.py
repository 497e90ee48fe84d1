"""Decides which e-mail addresses users may have. No address may look like a different one.

Only new and changed addresses are checked. The rule is the level "highly restrictive" of Unicode's standard 39: all
letters must belong to one script, or to Latin together with the scripts of Chinese, Japanese or Korean.
"""

import re
import unicodedata
from collections.abc import Iterator

_LENGTH_MAX = 255
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
# Unicode categories of separators, controls, format marks, and code points that are not characters.
_UNSEEN_CATEGORIES = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn"))
# Letters and marks that are not drawn.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(code)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
}
# The first word of a letter's name is its script, with these exceptions.
_SCRIPTS = {"CJK": "HAN", "IDEOGRAPHIC": "HAN", "KATAKANA-HIRAGANA": "KATAKANA"}
_WRITTEN_TOGETHER = (
    frozenset(("LATIN", "HAN", "HIRAGANA", "KATAKANA")),
    frozenset(("LATIN", "HAN", "BOPOMOFO")),
    frozenset(("LATIN", "HAN", "HANGUL")),
)


def normalize(address: str) -> str:
    """Replaces full-width letters, ligatures and the like with plain ones (NFKC)."""
    return unicodedata.normalize("NFKC", address)


def is_same(vouched: str, email: str) -> bool:
    """Returns whether an address that a provider vouches for is that of a user. Only the case of letters is ignored.

    Elsewhere, addresses that people type are compared less strictly, because typing an address proves nothing.
    """
    return normalize(vouched) == vouched and vouched.lower() == email.lower()


def find_problem(address: str) -> str | None:
    """Returns the problem as the end of a sentence that begins with the field's name, or None if there is none.

    Normalize an address first if a person has typed it. Do not normalize an address that a provider vouches for,
    because the result would be another address.
    """
    if normalize(address) != address:
        return "may not contain unusual forms of letters, such as full-width ones"
    if not _ADDRESS.fullmatch(address) or len(address) > _LENGTH_MAX:
        return "must be a valid email address"
    if any(unicodedata.category(letter) in _UNSEEN_CATEGORIES or letter in _UNSEEN for letter in address):
        return "may not contain invisible characters"
    local, _, domain = address.partition("@")
    for part in (local, *domain.split(".")):
        scripts = set(_list_scripts(part))
        if len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER):
            names = " and ".join(sorted(script.capitalize() for script in scripts))
            return f"may not mix {names} letters in '{part}'"
    return None


def _list_scripts(part: str) -> Iterator[str]:
    """Lists the scripts of the letters. Ignores digits, hyphens and accents, because they belong to every script."""
    for letter in part:
        if letter.isascii():
            if letter.isalpha():
                yield "LATIN"
        elif unicodedata.category(letter) in ("Lu", "Ll", "Lt", "Lo"):
            word = unicodedata.name(letter, "UNKNOWN").split()[0]
            yield _SCRIPTS.get(word, word)
