"""How is text compared? By a fold made here, so that both databases agree on order and equality."""

import unicodedata


def fold(text: str) -> str:
    """NFC around casefold: `Ärger` and `ärger` are one word, however they were typed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
