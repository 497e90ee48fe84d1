"""Trims, compares and parses text, the same way for both databases."""

import unicodedata

from .limits import NAME_MAX

_ID_DIGITS_MAX = 18
# Of a transaction that came from elsewhere without one.
NO_DESCRIPTION = "(no description)"


def fold(text: str) -> str:
    """Casefold and NFC: `Ärger` and `ärger` are equal, however the accents were typed."""
    if text.isascii():  # same result for ASCII, in a tenth of the time
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def pluralize(count: int, singular: str, many: str | None = None) -> str:
    """`1 row`, `2 rows`; `many` is for plurals that do not just add an s."""
    return f"1 {singular}" if count == 1 else f"{count} {many or f'{singular}s'}"


# Unicode categories of spaces and formatting characters, which are invisible on their own.
_INVISIBLE = ("Zs", "Zl", "Zp", "Cf")


def trim(text: str) -> str:
    """Strips white space; text of only invisible characters, such as a zero-width space, becomes empty."""
    text = text.strip()
    if text.isascii() or any(unicodedata.category(letter) not in _INVISIBLE for letter in text):
        return text
    return ""


def in_one_line(text: str | None, most: int = NAME_MAX) -> str:
    """Puts a text on one line and cuts it to its maximum length."""
    plain = " ".join(text.split()) if text else ""
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def is_unicode(text: str) -> bool:
    """Text from the system may come from any bytes; those that are not UTF-8 become lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def show_bytes(text: str) -> str:
    r"""Printable: bytes that are not UTF-8 become `\xff`."""
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


def parse_id(text: str) -> int | None:
    """The id, if the text is only digits and not too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS_MAX else None
