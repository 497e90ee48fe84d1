"""Finds objects by name. Each typed word must be the beginning of a word in the name; accents are ignored."""

import re
from collections.abc import Sequence
from itertools import islice

from farthing.kernel.text import strip_accents
from farthing.ledger.kinds import HIDDEN, SHOWN
from farthing.storage.unit import Unit

from .store import NamedThing

_WORD = re.compile(r"[^\W_]+")
_WORDS_MAX = 10
# The database preselects up to this many names of each kind, the most likely first.
CANDIDATES_MAX = 500

_NO_DETAIL = "CAST(NULL AS TEXT)"
_NAMED = {
    "accounts": ("name", "t.kind", "t.active", "AND t.kind IN :kinds"),
    "bills": ("name", _NO_DETAIL, "t.active", ""),
    "categories": ("name", _NO_DETAIL, "1", ""),
    "tags": ("name", _NO_DETAIL, "1", ""),
    "budgets": ("name", _NO_DETAIL, "t.active", ""),
    "recurrences": ("title", _NO_DETAIL, "t.active", ""),
    "piggy_banks": ("name", _NO_DETAIL, "t.active", ""),
    "rules": ("title", _NO_DETAIL, "t.active", ""),
}
KINDS = tuple(_NAMED)


def find(db: Unit, user_id: int, typed: str, *, limit: int) -> list[NamedThing]:
    """Returns up to `limit` objects of each kind. Names that begin with the text come first, inactive objects last."""
    whole = strip_accents(typed)
    words = _WORD.findall(whole)[:_WORDS_MAX]
    if not words:
        return []
    plain = {thing: strip_accents(thing.name) for thing in _candidates(db, user_id, words)}
    fitting = [thing for thing, name in plain.items() if _fits(words, name)]
    fitting.sort(key=lambda thing: (not thing.active, not plain[thing].startswith(whole), plain[thing]))
    return [thing for kind in KINDS for thing in islice((thing for thing in fitting if thing.type == kind), limit)]


def _fits(words: Sequence[str], name: str) -> bool:
    name_words = _WORD.findall(name)
    return all(any(name_word.startswith(word) for name_word in name_words) for word in words)


def _candidates(db: Unit, user_id: int, words: Sequence[str]) -> list[NamedThing]:
    """Selects names that contain the words, and all names with non-ASCII letters, because SQL cannot ignore accents."""
    patterns = {f"word_{index}": f"%{word}%" for index, word in enumerate(words)}
    sql = " UNION ALL ".join(_sql(kind, tuple(patterns)) for kind in KINDS)
    first = {"begins": f"{words[0]}%", "inside": f"% {words[0]}%"}
    kinds = sorted(SHOWN - HIDDEN)
    return db.structs(NamedThing, sql, user_id=user_id, kinds=kinds, limit=CANDIDATES_MAX, **first, **patterns)


def _sql(table: str, patterns: Sequence[str]) -> str:
    column, detail, active, condition = _NAMED[table]
    folded = f"t.{column}_fold"
    holds = " AND ".join(f"{folded} LIKE :{pattern}" for pattern in patterns)
    return f"""
    SELECT * FROM (
        SELECT '{table}' AS type, t.id AS id, t.{column} AS name, {detail} AS detail, {active} AS active
        FROM {table} t
        WHERE t.user_id = :user_id {condition} AND (({holds}) OR octet_length({folded}) > length({folded}))
        ORDER BY CASE WHEN {folded} LIKE :begins THEN 0 WHEN {folded} LIKE :inside THEN 1 ELSE 2 END, {folded}, t.id
        LIMIT :limit
    ) {table}_found
    """
