"""Finds names that contain the typed text, sorted by name. Names that start with the text come first."""

from typing import Any

from msgspec import Struct

from farthing.kernel.money import Currency
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


# Only active budgets and bills are suggested.
_IN_USE = {"budgets": " AND n.active = 1", "bills": " AND n.active = 1"}
_ORDER_BY = "ORDER BY CASE WHEN {0} LIKE :begins ESCAPE '!' THEN 0 ELSE 1 END, {0}, n.id LIMIT :limit"
_ORDER, _ORDER_OF_TITLES = _ORDER_BY.format("n.name_fold"), _ORDER_BY.format("n.title_fold")


def names(db: Unit, user_id: int, table: str, typed: str, *, limit: int) -> list[Name]:
    name, order = ("n.title", _ORDER_OF_TITLES) if table == "object_groups" else ("n.name", _ORDER)
    sql = f"""
        SELECT n.id, {name} AS name FROM {table} n
        WHERE n.user_id = :user_id AND {name}_fold LIKE :holds ESCAPE '!'{_IN_USE.get(table, "")} {order}
    """
    return db.structs(Name, sql, user_id=user_id, limit=limit, **_patterns(typed))


def titles(db: Unit, user_id: int, table: str, typed: str, *, limit: int) -> list[DescribedName]:
    """Finds objects that have a title instead of a name: recurrences, rules and their groups."""
    sql = f"""
        SELECT n.id, n.title AS name, COALESCE(n.description, '') AS description, n.active FROM {table} n
        WHERE n.user_id = :user_id AND n.title_fold LIKE :holds ESCAPE '!' {_ORDER_OF_TITLES}
    """
    return db.structs(DescribedName, sql, user_id=user_id, limit=limit, **_patterns(typed))


def accounts(db: Unit, user_id: int, kinds: frozenset[Kind], typed: str, *, limit: int) -> list[AccountName]:
    sql = f"""
        SELECT n.id, n.name, n.kind, {columns_of(Currency, "c", "currency")}
        FROM accounts n JOIN currencies c ON c.id = n.currency_id
        WHERE n.user_id = :user_id AND n.active = 1 AND n.kind IN :kinds AND n.name_fold LIKE :holds ESCAPE '!' {_ORDER}
    """
    return db.structs(AccountName, sql, user_id=user_id, kinds=sorted(kinds), limit=limit, **_patterns(typed))


def _patterns(typed: str) -> dict[str, Any]:
    """Escapes LIKE wildcards in the typed text."""
    literal = typed.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return {"holds": f"%{literal}%", "begins": f"{literal}%"}
