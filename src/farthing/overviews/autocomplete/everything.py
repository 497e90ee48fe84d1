"""Finds what has a name and a page of its own: each typed word begins a word of the name, whatever its accents."""

import re
import unicodedata
from collections.abc import Sequence

from farthing.kernel.text import fold
from farthing.ledger.kinds import HIDDEN, SHOWN
from farthing.storage.unit import Unit

from .model import NamedThing

_WORD = re.compile(r"[^\W_]+")
_WORDS_MAX = 10
# Of each kind so many names that may fit are looked at more closely, the most likely first.
CANDIDATES_MAX = 500

_NAMED = {
    "accounts": ("name", "kind", "active", "AND t.kind IN :kinds"),
    "bills": ("name", "NULL", "active", ""),
    "categories": ("name", "NULL", "1", ""),
    "tags": ("name", "NULL", "1", ""),
    "budgets": ("name", "NULL", "active", ""),
    "recurrences": ("title", "NULL", "active", ""),
    "piggy_banks": ("name", "NULL", "active", ""),
    "rules": ("title", "NULL", "active", ""),
}
KINDS = tuple(_NAMED)


def find(db: Unit, user_id: int, typed: str, *, limit: int) -> list[NamedThing]:
    """Up to `limit` of each kind; names that begin with the text come first, and what is not in use comes last."""
    words = _split(typed)[:_WORDS_MAX]
    if not words:
        return []
    whole = strip_accents(typed)
    fitting = [one for one in _candidates(db, user_id, words) if _fits(words, one.name)]
    fitting.sort(key=lambda one: _rank(one, whole))
    return [one for kind in KINDS for one in [thing for thing in fitting if thing.type == kind][:limit]]


def _rank(one: NamedThing, whole: str) -> tuple[bool, bool, str]:
    plain = strip_accents(one.name)
    return not one.active, not plain.startswith(whole), plain


def strip_accents(text: str) -> str:
    """Folded, and without accents: `Café` becomes `cafe`."""
    folded = fold(text)
    if folded.isascii():
        return folded
    return "".join(one for one in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(one))


def _split(text: str) -> list[str]:
    return _WORD.findall(strip_accents(text))


def _fits(words: Sequence[str], name: str) -> bool:
    found = _split(name)
    return all(any(one.startswith(word) for one in found) for word in words)


def _candidates(db: Unit, user_id: int, words: Sequence[str]) -> list[NamedThing]:
    """Names that contain the words, and names with letters beyond ASCII, in which the database ignores no accents."""
    patterns = {f"word_{place}": f"%{word}%" for place, word in enumerate(words)}
    return db.structs(
        NamedThing,
        " UNION ALL ".join(_sql(kind, tuple(patterns)) for kind in KINDS),
        user_id=user_id,
        kinds=sorted(SHOWN - HIDDEN),
        begins=f"{words[0]}%",
        inside=f"% {words[0]}%",
        limit=CANDIDATES_MAX,
        **patterns,
    )


def _sql(table: str, patterns: Sequence[str]) -> str:
    column, detail, active, condition = _NAMED[table]
    folded = f"t.{column}_fold"
    holds = " AND ".join(f"{folded} LIKE :{one}" for one in patterns)
    return f"""
    SELECT * FROM (
        SELECT '{table}' AS type, t.id AS id, t.{column} AS name, {_text(detail)} AS detail, {_number(active)} AS active
        FROM {table} t
        WHERE t.user_id = :user_id {condition} AND (({holds}) OR octet_length({folded}) > length({folded}))
        ORDER BY CASE WHEN {folded} LIKE :begins THEN 0 WHEN {folded} LIKE :inside THEN 1 ELSE 2 END, {folded}, t.id
        LIMIT :limit
    ) {table}_found
    """


def _text(column: str) -> str:
    return "CAST(NULL AS TEXT)" if column == "NULL" else f"t.{column}"


def _number(column: str) -> str:
    return column if column.isdigit() else f"t.{column}"
