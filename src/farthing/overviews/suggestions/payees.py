"""Extracts the payee's name from the texts of banks: `SHELL OIL 57442` becomes `Shell`."""

import re

_PIECES = re.compile(r"[\s*/,;:|_#]+")
_DIGIT = re.compile(r"\d")
# These words say how the payee was paid or what kind of company it is, but do not name it.
_HOW = frozenset((
    "pos", "card", "purchase", "debit", "credit", "visa", "mastercard", "maestro", "girocard", "payment", "payments",
    "kartenzahlung", "lastschrift", "einkauf", "sepa", "ec", "sq", "tst", "sumup", "zettle", "www", "contactless",
    "recurring", "checkcard", "terminal", "sagt", "danke", "thank", "you", "dankt", "filiale", "fil", "store",
))  # fmt: skip
_COMPANY = frozenset((
    "gmbh", "mbh", "kg", "ag", "ohg", "ug", "ek", "inc", "llc", "ltd", "limited", "plc", "corp", "company", "se", "sa",
    "sarl", "sas", "bv", "nv", "ab", "oy", "oyj", "srl", "spa", "aps", "co", "markt", "oil",
))  # fmt: skip
# Texts of only these words name nobody: the money was taken out, brought in or charged by the bank itself.
_NOBODY = frozenset((
    "atm", "cash", "check", "cheque", "withdrawal", "deposit", "transfer", "fee", "fees", "interest", "online",
    "mobile", "bargeld", "bargeldauszahlung", "auszahlung", "einzahlung", "geldautomat", "zinsen", "entgelt",
))  # fmt: skip
_NAME_WORDS_MAX = 5
_PIECES_MAX = 3
# Words in capitals with up to this many letters are taken for abbreviations, and stay in capitals.
_ABBREVIATION_MAX = 3


def clean(text: str) -> str:
    """Returns the payee's name as people write it. A text that does not look like a bank's is returned unchanged."""
    pieces = [piece.strip(".-()'\"") for piece in _PIECES.split(text)]
    pieces = [piece for piece in pieces if piece]
    names = [piece for piece in pieces if not _is_noise(piece)]
    while len(names) > 1 and names[-1].lower().replace(".", "") in _COMPANY:
        names.pop()
    is_written_by_bank = (
        len(names) < len(pieces) - pieces.count("&")
        or "*" in text
        or (text.isupper() and len(text) > _ABBREVIATION_MAX)
    )
    if not names or not is_written_by_bank:
        return text.strip()
    if any(map(_DIGIT.search, pieces)) or text.isupper():
        names = names[:_PIECES_MAX]
    return " ".join(map(_write, names) if text.isupper() else names)


def find_name(text: str) -> str | None:
    """Returns the payee that a bank's text names, or None if it names nobody or is too long for a name."""
    name = clean(text)
    words = name.split()
    is_name = len(words) <= _NAME_WORDS_MAX and any(character.isalpha() for character in name)
    return name if is_name and not _NOBODY.issuperset(word.lower().strip(".") for word in words) else None


def _is_noise(piece: str) -> bool:
    word = piece.lower()
    return bool(_DIGIT.search(word)) or word in _HOW


def _write(name: str) -> str:
    return name.capitalize() if len(name) > _ABBREVIATION_MAX else name
