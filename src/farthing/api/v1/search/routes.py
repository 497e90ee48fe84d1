"""Serves searches."""

from msgspec import UNSET

from farthing.books.transactions import lines
from farthing.http.answer.document import Page
from farthing.http.answer.includes import answer
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, PAGED, RANGED, Route
from farthing.kernel.errors import Invalid
from farthing.overviews.search import find as search
from farthing.overviews.search.narrowing import find_splits

from ..serializers.transactions import INCLUDES, TransactionThing, things
from .filters import CHILDREN, FILTERS, NARROWS, QUERY, TYPE, read_filter, require_words
from .typed import ROUTES as TYPED_ROUTES
from .typed import Q, read_typed


def transactions(call: Call) -> Answer:
    """Answers with a page of the matching transactions, each with all its splits."""
    is_typed = read_typed(call)
    filters = read_filter(call)
    query = require_words(call, filters, days_suffice=is_typed)
    at = read_page_request(call)
    result = search.find(call.db, call.user_id, query, limit=at.size, offset=at.offset, filters=filters)
    page_lines = sorted(
        lines.of_entries(call.db, call.user_id, result.entry_ids),
        key=lambda line: (line.on, line.entry_id),
        reverse=True,
    )
    parameters = {name: call.query.get(name, "") for name in ("query", "type", *NARROWS, "children")}
    document = page(call, "/search/transactions", things(call, page_lines), result.total, parameters)
    document.meta.searched_from = result.stopped_on or UNSET
    if filters.of_split or filters.asks_amounts:
        passing = set(find_splits(call.db, call.user_id, filters, result.entry_ids))
        document.meta.not_matching = [str(line.id) for line in page_lines if line.id not in passing] or UNSET
    document.meta.widened = result.is_widened or UNSET
    return answer(call, document, page_lines, INCLUDES)


ROUTES = (
    *TYPED_ROUTES,
    Route(
        "GET", "/search/transactions", transactions, "Search transactions by words, labels, accounts and amounts",
        gives=Page[TransactionThing], parameters=(Q, QUERY, TYPE, *FILTERS, CHILDREN, *RANGED, *PAGED),
        includes=INCLUDES, runs=LARGE, fails=(Invalid,),
    ),
)  # fmt: skip
