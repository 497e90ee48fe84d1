"""Serves searches."""

from msgspec import UNSET

from farthing.books.transactions import lines
from farthing.books.transactions.counts import Days
from farthing.books.transactions.model import types_named
from farthing.books.transactions.words import SearchWords, parse_query
from farthing.http.answer.document import Page
from farthing.http.answer.includes import include
from farthing.http.answer.pages import asked, page
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, PAGED, RANGED, Parameter, Route
from farthing.kernel.errors import Invalid, refuse_field
from farthing.kernel.fields import parse
from farthing.overviews.search import find as search
from farthing.overviews.search.narrowing import SearchFilter

from ..objects.transactions import INCLUDES, TransactionThing, days_of, things
from . import wire

_CHARACTERS_MAX = 255
_WORDS_MAX = 20
_NARROWS = ("account_id", "category_id", "budget_id", "tag_id", "bill_id", "amount_min", "amount_max")


def transactions(call: Call) -> Answer:
    """Pages count transactions; each includes all its splits."""
    filters = read_filter(call)
    query = read_words(call, filters)
    at = asked(call)
    found = search.find(call.db, call.user_id, query, limit=at.size, offset=at.offset, filters=filters)
    shown = sorted(
        lines.of_entries(call.db, call.user_id, found.entry_ids),
        key=lambda line: (line.on, line.entry_id),
        reverse=True,
    )
    kept = {name: call.query.get(name, "") for name in ("query", "type", *_NARROWS)}
    document = page(call, "/search/transactions", things(call, shown), found.total, kept)
    document.meta.searched_from = found.stopped_on or UNSET
    include(call, document, shown, INCLUDES)
    return Answer(document)


def read_words(call: Call, filters: SearchFilter, *, days_suffice: bool = False) -> list[SearchWords]:
    """Not required if another filter is given."""
    text = call.query.get("query", "")
    query = parse_query(text)
    suffices = days_suffice and filters.days != Days()
    if not query and (text or (filters.is_any and not suffices)):
        refuse_field("query", "The query field is required: one word or more, unless something else narrows the list.")
    if len(text) > _CHARACTERS_MAX or len(query) > _WORDS_MAX:
        refuse_field("query", f"The query may have at most {_WORDS_MAX} words and {_CHARACTERS_MAX} characters.")
    return query


def read_filter(call: Call) -> SearchFilter:
    parsed = parse(wire.SearchQuery, call.query)
    wire.check(parsed)
    parsed.finish()
    values = parsed.values
    return SearchFilter(
        types=types_named(call.query.get("type") or "all"),
        days=days_of(call),
        account_id=values.account_id,
        category_id=values.category_id,
        budget_id=values.budget_id,
        tag_id=values.tag_id,
        bill_id=values.bill_id,
        lowest=values.amount_min,
        highest=values.amount_max,
    )


_QUERY = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "Words that must all occur, in any case: in the description, the notes, the reference, the name of an account, "
    "the category or a tag. A word that ends in `*` stands for every word that begins so. Needed unless something else "
    "narrows the list.",
)
_TYPE = Parameter("type", {"type": "string"}, "Which types of transaction; else all.")
_ABOUT = {
    "account_id": "Money left this account, or reached it.",
    "category_id": "With this category.",
    "budget_id": "With this budget.",
    "tag_id": "With this tag.",
    "bill_id": "Linked to this bill.",
    "amount_min": "An amount, own or foreign, of at least so much.",
    "amount_max": "An amount, own or foreign, of at most so much.",
}
FILTERS = (
    _QUERY,
    _TYPE,
    *(
        Parameter(name, {"type": "number" if name.startswith("amount") else "integer"}, _ABOUT[name])
        for name in _NARROWS
    ),
)
ROUTES = (
    Route(
        "GET", "/search/transactions", transactions, "Search transactions by words, labels, accounts and amounts",
        gives=Page[TransactionThing], parameters=(*FILTERS, *RANGED, *PAGED), includes=INCLUDES,
        runs=LARGE, fails=(Invalid,),
    ),
)  # fmt: skip
