"""Turns a typed search into filters, and finds the objects that it names."""

from datetime import date
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.transactions.index.words import parse_query
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Unit

from ..autocomplete import named_things
from ..autocomplete.store import NamedThing
from ..search import word_matches
from . import parse as grammar
from .amounts import read_whole
from .parse import TypedQuery
from .region import find_region

_TABLES = {
    "account_id": "accounts", "payee": "accounts", "category_id": "categories", "budget_id": "budgets",
    "tag_id": "tags", "bill_id": "bills",
}  # fmt: skip
_PAYEES = frozenset((Kind.EXPENSE, Kind.REVENUE))
# The most objects of each type to compare with a name.
_COMPARED_MAX = 50


class UnderstoodSearch(Struct, frozen=True):
    """`named` maps filters such as `category_id` to the objects that were named."""

    typed: TypedQuery
    named: dict[str, NamedThing]


def understand(db: Unit, user_id: int, text: str, *, today: date, language: str, smallest: Decimal) -> UnderstoodSearch:
    typed = grammar.parse(text, today=today, region=find_region(language), smallest=smallest)
    named = {}
    for field, name in typed.names.items():
        if thing := _find_named(db, user_id, field, name):
            named["account_id" if field == "payee" else field] = thing
        else:
            typed = typed.refuse(f"No {field.removesuffix('_id')} is called “{name}”.")
    return UnderstoodSearch(typed=_read_numbers(db, user_id, typed), named=named)


def _find_named(db: Unit, user_id: int, field: str, name: str) -> NamedThing | None:
    """Finds the object whose name fits best: the same name, then one that begins with it, then one with such a word."""
    things = named_things.find(db, user_id, name, limit=_COMPARED_MAX)
    fitting = [
        thing for thing in things if thing.type == _TABLES[field] and (field != "payee" or thing.detail in _PAYEES)
    ]
    return next(iter(fitting), None)


def _read_numbers(db: Unit, user_id: int, typed: TypedQuery) -> TypedQuery:
    """Reads a whole number as an amount, unless an indexed word or a name begins with it."""
    for word in typed.words:
        amounts = read_whole(word)
        if amounts is None or typed.lowest is not None or typed.highest is not None:
            continue
        matches = word_matches.find_all(db, user_id, parse_query(word))
        if not any(match.entries or match.names for match in matches):
            words = tuple(other for other in typed.words if other != word)
            typed = replace(typed, words=words).limit(amounts, word)
    return typed
