"""Reads the filters of a list of transactions: of searches, and of reports about what they find."""

from msgspec.structs import replace

from farthing.books.categories import store as categories
from farthing.books.transactions.counts import Days
from farthing.books.transactions.model import types_named
from farthing.books.transactions.words import SearchWords, parse_query
from farthing.http.request.call import Call
from farthing.http.route import Parameter
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import parse
from farthing.ledger.kinds import Type
from farthing.overviews.search.narrowing import SearchFilter

from ..objects.transactions import days_of
from . import wire
from .wire import FOLD

_CHARACTERS_MAX = 255
_WORDS_MAX = 20
NARROWS = ("account_id", "category_id", "budget_id", "tag_id", "bill_id", "amount_min", "amount_max", "no_budget")


def read_words(call: Call) -> list[SearchWords]:
    text = call.query.get("query", "")
    query = parse_query(text)
    if len(text) > _CHARACTERS_MAX or len(query) > _WORDS_MAX:
        refuse_field("query", f"The query may have at most {_WORDS_MAX} words and {_CHARACTERS_MAX} characters.")
    return query


def require_words(call: Call, filters: SearchFilter, *, days_suffice: bool = False) -> list[SearchWords]:
    """Unless another filter is given."""
    query = read_words(call)
    suffices = not filters.is_any or (days_suffice and filters.days != Days())
    if not query and (call.query.get("query") or not suffices):
        refuse_field("query", "The query field is required: one word or more, unless something else narrows the list.")
    return query


def read_filter(call: Call) -> SearchFilter:
    return read_filter_of(call, types_named(call.query.get("type") or "all"))


def read_filter_of(call: Call, types: frozenset[Type]) -> SearchFilter:
    """Finds only these types, whatever the query says about types."""
    parsed = parse(wire.SearchQuery, call.query)
    wire.check(parsed)
    parsed.finish()
    values = parsed.values
    filters = SearchFilter(
        types=types,
        days=days_of(call),
        account_id=values.account_id,
        category_id=values.category_id,
        budget_id=values.budget_id,
        tag_id=values.tag_id,
        bill_id=values.bill_id,
        lowest=values.amount_min,
        highest=values.amount_max,
        no_budget=bool(values.no_budget),
    )
    return _fold(call, filters) if values.children == FOLD else filters


def _fold(call: Call, filters: SearchFilter) -> SearchFilter:
    """Where sub-categories count under their parents, a filter by a category finds them, too."""
    if filters.category_id is None:
        return filters
    return replace(filters, child_ids=tuple(categories.find_children(call.db, call.user_id, filters.category_id)))


WORDS_ABOUT = (
    "Words that must all occur, in any case: in the description, the notes, the reference, the name of an account, "
    "the category or a tag. A word that ends in `*` stands for every word that begins so."
)
WORDS = Parameter("query", {"type": "string", "maxLength": _CHARACTERS_MAX}, WORDS_ABOUT)
QUERY = Parameter("query", WORDS.schema, f"{WORDS_ABOUT} Needed unless something else narrows the list.")
TYPE = Parameter("type", {"type": "string"}, "Which types of transaction; else all.")
_ABOUT = {
    "account_id": "Money left this account, or reached it.",
    "category_id": "With this category.",
    "budget_id": "With this budget.",
    "tag_id": "With this tag.",
    "bill_id": "Linked to this bill.",
    "amount_min": "An amount, own or foreign, of at least so much.",
    "amount_max": "An amount, own or foreign, of at most so much.",
    "no_budget": "`1`: without a budget.",
}
FILTERS = tuple(
    Parameter(name, {"type": "number" if name.startswith("amount") else "integer"}, _ABOUT[name]) for name in NARROWS
)
CHILDREN = Parameter(
    "children", {"type": "string", "enum": [FOLD]}, "`fold`: `category_id` finds the sub-categories as well."
)
