"""Serves searches with operators, such as `category_is:Food more:20`, and counts of existing transactions."""

from msgspec import UNSET, Struct

from farthing.books.accounts import store as accounts
from farthing.books.transactions import groups
from farthing.books.transactions.counts import Book
from farthing.http.answer.document import Page
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, PAGED, Parameter, Route
from farthing.identity.user import PAGE_SIZE_MAX
from farthing.kernel.errors import Invalid, Problem, refuse, refuse_field
from farthing.ledger.kinds import kinds_named
from farthing.overviews.search import existing
from farthing.overviews.search import find as search
from farthing.overviews.search.existing import Wanted
from farthing.overviews.search.operators.accounts import FIELDS
from farthing.overviews.search.operators.accounts import find_accounts as search_accounts
from farthing.overviews.search.operators.context import Context
from farthing.overviews.search.operators.understand import understand

from ..objects.accounts import AccountThing, make_accounts
from ..objects.groups import GroupThing, make_groups
from ..parts.documents import answer_page


class Existing(Struct, gc=False):
    """Says how many transactions have all the texts."""

    count: int


# Enough for most searches, and soon counted. If more match, the total means "at least".
_COUNTED_MAX = 500


def transactions(call: Call) -> Answer:
    """Answers with a page of transactions of which at least one split meets all conditions."""
    text = call.query.get("query", "")
    understood = understand(Context(call.db, call.user_id, call.today, call.caller.timezone), text)
    refuse(Problem("query", problem) for problem in understood.problems)
    at, filters = read_page_request(call), understood.filters
    if filters.is_span and at.size <= PAGE_SIZE_MAX:
        book = Book(user_id=call.user_id, types=filters.types, labelled=filters.labelled)
        shown = make_groups(call, groups.page(call.db, book, filters.days, limit=at.size, offset=at.offset))
        total = groups.total(call.db, book, filters.days)
        return answer_page(call, "/search/transactions", shown, total, {"query": text})
    found = search.find(
        call.db, call.user_id, [], limit=at.size, offset=at.offset, filters=filters, counted_max=_COUNTED_MAX
    )
    shown = make_groups(call, groups.of_entries(call.db, call.user_id, found.entry_ids))
    document = page(call, "/search/transactions", shown, found.total, {"query": text})
    document.meta.searched_from = found.stopped_on or UNSET
    return Answer(document)


def find_accounts(call: Call) -> Answer:
    """Answers with a page of accounts that contain the text."""
    text, field = call.query.get("query", "").strip(), call.query.get("field") or "all"
    word, at = call.query.get("type") or "all", read_page_request(call)
    if not text:
        refuse_field("query", "The query field is required.")
    if field not in FIELDS:
        refuse_field("field", f"The selected field is invalid: it must be one of {', '.join(FIELDS)}.")
    ids = search_accounts(call.db, call.user_id, text, field, kinds_named(word))
    shown = ids[at.offset : at.offset + at.size]
    by_id = {account.id: account for account in accounts.get_some(call.db, call.user_id, shown)}
    things = make_accounts(call, [by_id[account_id] for account_id in shown])
    return answer_page(call, "/search/accounts", things, len(ids), {"query": text, "type": word, "field": field})


_TEXTS = {
    "external_identifier": "external_id",
    "internal_identifier": "internal_reference",
    "notes": "notes",
    "description": "description",
}


def count(call: Call) -> Answer:
    texts = {ours: call.query[name].strip() for name, ours in _TEXTS.items() if call.query.get(name, "").strip()}
    if not texts:
        refuse_field("external_identifier", f"Send at least one of {', '.join(_TEXTS)}.")
    include_deleted = call.query.get("include_deleted", "").lower() in ("1", "true", "on", "yes")
    number = existing.count(call.db, call.user_id, Wanted(**texts), include_deleted=include_deleted)
    return Answer(Existing(number), media_type="application/json")


QUERY = Parameter(
    "query",
    {"type": "string"},
    "Words and operators, such as `coffee category_is:Food -more:20`. All of them must hold for the same split; words"
    " must occur in its description. A minus negates what follows it, also a group in brackets. Case and accents are"
    " ignored.",
    required=True,
)
ROUTES = (
    Route(
        "GET", "/search/transactions", transactions, "Search transactions",
        gives=Page[GroupThing], parameters=(QUERY, *PAGED), runs=LARGE, fails=(Invalid,),
    ),
    Route(
        "GET", "/search/accounts", find_accounts, "Search accounts", gives=Page[AccountThing], fails=(Invalid,),
        parameters=(
            Parameter("query", {"type": "string"}, "The text to find. Case and accents are ignored.", required=True),
            Parameter(
                "field", {"type": "string", "enum": list(FIELDS)},
                "Where to look. Names, IBANs and numbers may contain the text; an id must be equal. Defaults to `all`.",
            ),
            Parameter("type", {"type": "string"}, "The type of accounts to find, such as `asset`. Defaults to all."),
            *PAGED,
        ),
    ),
    Route(
        "GET", "/search/transactions/count", count, "Count transactions with the same texts",
        gives=Existing, runs=LARGE, fails=(Invalid,),
        parameters=(
            Parameter("external_identifier", {"type": "string"}, "The external id of the transactions."),
            Parameter("internal_identifier", {"type": "string"}, "The internal reference of the transactions."),
            Parameter("notes", {"type": "string"}, "The notes of the transactions."),
            Parameter("description", {"type": "string"}, "The description of the transactions or of one split."),
            Parameter(
                "include_deleted", {"type": "boolean"},
                "Also count transactions that were deleted but can still be restored. Defaults to false.",
            ),
        ),
    ),
)  # fmt: skip
