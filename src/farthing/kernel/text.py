"""Trims, compares and parses text. The results are the same for both databases."""

import unicodedata

from .limits import NAME_MAX

_ID_DIGITS_MAX = 18
# The search compares this many characters of a word.
WORD_CHARACTERS_MAX = 64
# The description of a transaction that was imported without one.
NO_DESCRIPTION = "(no description)"


def fold(text: str) -> str:
    """Normalizes a text for comparison (casefold and NFC), so that `Ärger` and `ärger` are equal."""
    if text.isascii():  # same result for ASCII, in a tenth of the time
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


# Letters that Unicode does not decompose into a letter and an accent.
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


def strip_accents(text: str) -> str:
    """Folds the text and replaces letters by plain ones: `Café` becomes `cafe`, and `Straße` becomes `strasse`."""
    folded = fold(text)
    if folded.isascii():
        return folded
    letters = unicodedata.normalize("NFKD", folded)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return plain.lower().translate(_PLAIN_LETTERS)


def plain_word(word: str) -> str:
    """Returns a folded word as the search compares it: without accents, and cut to its maximum length."""
    return strip_accents(word)[:WORD_CHARACTERS_MAX]


def pluralize(count: int, singular: str, many: str | None = None) -> str:
    """Writes a count with its noun: `1 row`, `2 rows`. `many` is the plural, if it is not the singular with an s."""
    return f"1 {singular}" if count == 1 else f"{count} {many or f'{singular}s'}"


# Unicode categories of spaces and formatting characters, which are invisible on their own.
_INVISIBLE = ("Zs", "Zl", "Zp", "Cf")


def trim(text: str) -> str:
    """Strips white space. A text that has only invisible characters, such as a zero-width space, becomes empty."""
    text = text.strip()
    if text.isascii() or any(unicodedata.category(letter) not in _INVISIBLE for letter in text):
        return text
    return ""


def in_one_line(text: str | None, most: int = NAME_MAX) -> str:
    """Puts a text on one line and cuts it to its maximum length."""
    plain = " ".join(text.split()) if text else ""
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def is_unicode(text: str) -> bool:
    """Returns whether a text from the operating system was valid UTF-8. Invalid bytes have become lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def show_bytes(text: str) -> str:
    r"""Makes a text printable. Bytes that are not UTF-8 are written like `\xff`."""
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


def parse_id(text: str) -> int | None:
    """Returns the id in a text that consists only of digits and is not too long, and None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS_MAX else None
