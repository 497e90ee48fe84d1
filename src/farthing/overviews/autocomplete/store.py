"""Finds names that contain the typed text, sorted by name. Names that start with it come first; accents are ignored."""

import re
from typing import Any, TypeVar

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold, strip_accents
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Unit, columns_of


class Name(Struct, frozen=True):
    id: int
    name: str


class DescribedName(Name, frozen=True):
    description: str
    active: bool


class AccountName(Struct, frozen=True):
    id: int
    name: str
    kind: str
    currency: Currency


class NamedThing(Struct, frozen=True):
    """An object that has a page of its own in the web app. `detail` is the kind of an account, otherwise None."""

    type: str
    id: int
    name: str
    detail: str | None
    active: bool


_Named = TypeVar("_Named", Name, DescribedName, AccountName)
# Only active budgets and bills are suggested.
_IN_USE = {"budgets": " AND n.active = 1", "bills": " AND n.active = 1"}
# Letters that often have accents. A name that differs only in these is a likely candidate.
_OFTEN_ACCENTED = re.compile("[aceinosuyz]")
# At most this many names that SQL cannot compare are read, the likeliest first.
_CANDIDATES_MAX = 500


def names(db: Unit, user_id: int, table: str, typed: str, *, limit: int) -> list[Name]:
    column = "title" if table == "object_groups" else "name"
    sql = f"""
        SELECT n.id, n.{column} AS name FROM {table} n
        WHERE n.user_id = :user_id AND {_holds(column)}{_IN_USE.get(table, "")} {_likeliest(column)}
    """
    return _choose(db.structs(Name, sql, user_id=user_id, **_patterns(typed, limit)), typed, limit)


def titles(db: Unit, user_id: int, table: str, typed: str, *, limit: int) -> list[DescribedName]:
    """Finds objects that have a title instead of a name: recurrences, rules and their groups."""
    sql = f"""
        SELECT n.id, n.title AS name, COALESCE(n.description, '') AS description, n.active FROM {table} n
        WHERE n.user_id = :user_id AND {_holds("title")} {_likeliest("title")}
    """
    return _choose(db.structs(DescribedName, sql, user_id=user_id, **_patterns(typed, limit)), typed, limit)


def accounts(db: Unit, user_id: int, kinds: frozenset[Kind], typed: str, *, limit: int) -> list[AccountName]:
    sql = f"""
        SELECT n.id, n.name, n.kind, {columns_of(Currency, "c", "currency")}
        FROM accounts n JOIN currencies c ON c.id = n.currency_id
        WHERE n.user_id = :user_id AND n.active = 1 AND n.kind IN :kinds AND {_holds("name")} {_likeliest("name")}
    """
    found = db.structs(AccountName, sql, user_id=user_id, kinds=sorted(kinds), **_patterns(typed, limit))
    return _choose(found, typed, limit)


def _holds(column: str) -> str:
    """Selects names that hold the text, and all names with non-ASCII letters, because SQL cannot ignore accents."""
    folded = f"n.{column}_fold"
    return f"({folded} LIKE :holds ESCAPE '!' OR octet_length({folded}) > length({folded}))"


def _likeliest(column: str) -> str:
    folded = f"n.{column}_fold"
    rank = f"CASE WHEN {folded} LIKE :begins ESCAPE '!' THEN 0 WHEN {folded} LIKE :nearly ESCAPE '!' THEN 1 ELSE 2 END"
    return f"ORDER BY {rank}, {folded}, n.id LIMIT :most"


def _patterns(typed: str, limit: int) -> dict[str, Any]:
    """Escapes LIKE wildcards in the typed text."""
    literal = strip_accents(typed).replace("!", "!!").replace("%", "!%").replace("_", "!_")
    nearly = _OFTEN_ACCENTED.sub("_", literal)
    most = limit + _CANDIDATES_MAX if typed else limit
    return {"holds": f"%{literal}%", "begins": f"{literal}%", "nearly": f"%{nearly}%", "most": most}


def _choose(found: list[_Named], typed: str, limit: int) -> list[_Named]:
    """Keeps the names that hold the text if accents are ignored. Those with the typed accents come first."""
    plain = strip_accents(typed)
    ranked = [
        ((not name.startswith(plain), typed not in fold(each.name)), each)
        for each in found
        if plain in (name := strip_accents(each.name))
    ]
    ranked.sort(key=lambda pair: (*pair[0], fold(pair[1].name)))
    return [each for _, each in ranked[:limit]]
