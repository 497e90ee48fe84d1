"""What can be searched over HTTP?"""

from ..errors import Invalid, refuse_field
from ..http.call import Answer, Call
from ..http.document import Page
from ..http.includes import include
from ..http.pages import asked, page
from ..http.route import PAGED, Parameter, Route
from ..transactions import lines, search
from ..transactions.listing import INCLUDES, TransactionThing, things
from ..transactions.words import sought

_CHARACTERS_MAX = 255
_WORDS_MAX = 20


def transactions(call: Call) -> Answer:
    """Pages count transactions; each brings all of its splits."""
    text = call.query.get("query", "")
    query = sought(text)
    if not query:
        refuse_field("query", "The query field is required: one word or more.")
    if len(text) > _CHARACTERS_MAX or len(query) > _WORDS_MAX:
        refuse_field("query", f"The query may have at most {_WORDS_MAX} words and {_CHARACTERS_MAX} characters.")
    at = asked(call)
    total, entry_ids = search.find(call.db, call.user_id, query, limit=at.size, offset=at.offset)
    shown = sorted(
        lines.of_entries(call.db, call.user_id, entry_ids), key=lambda line: (line.on, line.entry_id), reverse=True
    )
    document = page(call, "/search/transactions", things(call, shown), total, {"query": text})
    include(call, document, shown, INCLUDES)
    return Answer(document)


_QUERY = Parameter(
    "query",
    {"type": "string", "maxLength": _CHARACTERS_MAX},
    "Words that must all occur, in any case: in the description, the notes, the reference, the name of an account, "
    "the category or a tag. A word that ends in `*` stands for every word that begins so.",
    required=True,
)
ROUTES = (
    Route(
        "GET", "/search/transactions", transactions, "Search transactions by words",
        gives=Page[TransactionThing], parameters=(_QUERY, *PAGED), includes=INCLUDES, heavy=True, fails=(Invalid,),
    ),
)  # fmt: skip
