"""How is text trimmed, compared and read? By a fold made here, so that both databases agree on order and equality."""

import unicodedata

_ID_DIGITS_MAX = 18


def fold(text: str) -> str:
    """NFC around casefold: `Ärger` and `ärger` are one word, however they were typed."""
    if text.isascii():  # the same, at a tenth of the time
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def so_many(count: int, one: str, many: str | None = None) -> str:
    """`1 row`, `2 rows`; where an s is not enough, `many` says it."""
    return f"1 {one}" if count == 1 else f"{count} {many or f'{one}s'}"


# Spaces of every kind, and marks that only steer what stands beside them: alone they say nothing.
_UNSEEN = ("Zs", "Zl", "Zp", "Cf")


def trimmed(text: str) -> str:
    """Without white space around it; where there is nothing to be seen, a zero-width space alone, nothing is left."""
    text = text.strip()
    if text.isascii() or any(unicodedata.category(letter) not in _UNSEEN for letter in text):
        return text
    return ""


def is_unicode(text: str) -> bool:
    """What the system hands over as text may have been any bytes; those that are no UTF-8 come as lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def with_bytes_shown(text: str) -> str:
    r"""Fit to be printed: bytes that are no UTF-8 as `\xff`."""
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


def id_in(text: str) -> int | None:
    """The id that is written here, in digits and nothing else; none is longer than those that there are."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _ID_DIGITS_MAX else None
