"""Reads the filters of searches and of reports."""

from typing import Annotated

from msgspec.structs import replace

from farthing.books.accounts import store as accounts
from farthing.books.categories import store as categories
from farthing.books.transactions.counts import Days
from farthing.books.transactions.index.words import SearchWords, parse_query
from farthing.books.transactions.model import types_named
from farthing.http.request.call import Call
from farthing.http.route import Parameter
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import Flag, Id, PositiveAmount, RequestBody, choice, parse
from farthing.ledger.kinds import Type
from farthing.overviews.search.narrowing import SearchFilter

from ..serializers.transactions import days_of

FOLD = "fold"
# Also matches transactions in sub-categories, but reports do not add them to the parent category.
MATCH = "match"
FLOWS = {"spent": Type.WITHDRAWAL, "earned": Type.DEPOSIT}


class SearchQuery(RequestBody):
    """Holds the filters of a search, except its words and days."""

    account_id: Id | None = None
    category_id: Id | None = None
    budget_id: Id | None = None
    tag_id: Id | None = None
    bill_id: Id | None = None
    amount_min: PositiveAmount | None = None
    amount_max: PositiveAmount | None = None
    no_budget: Flag | None = None
    no_category: Flag | None = None
    payee_id: Id | None = None
    flow: Annotated[str, choice(*FLOWS)] | None = None
    children: Annotated[str, choice(FOLD, MATCH)] | None = None


_CHARACTERS_MAX = 255
_WORDS_MAX = 20
NARROWS = (
    "account_id", "payee_id", "category_id", "budget_id", "tag_id", "bill_id", "amount_min", "amount_max",
    "no_category", "no_budget", "flow",
)  # fmt: skip


def read_words(call: Call) -> list[SearchWords]:
    text = call.query.get("query", "")
    query = parse_query(text)
    if len(text) > _CHARACTERS_MAX or len(query) > _WORDS_MAX:
        refuse_field("query", f"The query may have at most {_WORDS_MAX} words and {_CHARACTERS_MAX} characters.")
    return query


def require_words(call: Call, filters: SearchFilter, *, days_suffice: bool = False) -> list[SearchWords]:
    """Requires words, unless another filter is set. With `days_suffice`, a range of days is enough."""
    query = read_words(call)
    suffices = not filters.is_any or (days_suffice and filters.days != Days())
    if not query and (call.query.get("query") or not suffices):
        refuse_field("query", "The query field is required: send at least one word, or set another filter.")
    return query


def read_filter(call: Call) -> SearchFilter:
    return read_filter_of(call, types_named(call.query.get("type") or "all"))


def read_filter_of(call: Call, types: frozenset[Type]) -> SearchFilter:
    """Reads the filters. Only transactions of these types match, whatever types the query names."""
    parsed = parse(SearchQuery, call.query)
    values = parsed.values
    if values.amount_min is not None and values.amount_max is not None and values.amount_min > values.amount_max:
        parsed.report("amount_min", "The minimum amount may not be larger than the maximum amount.")
        parsed.report("amount_max", "The maximum amount may not be smaller than the minimum amount.")
    parsed.finish()
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
        no_category=bool(values.no_category),
        payee_ids=_find_payee(call, values.payee_id),
        flow=FLOWS[values.flow] if values.flow else None,
    )
    return _fold(call, filters) if values.children else filters


def _find_payee(call: Call, payee_id: int | None) -> tuple[int, ...]:
    """Returns the accounts of the payee. For an unknown payee, returns the id 0, which matches no transaction."""
    return () if payee_id is None else tuple(accounts.find_payee_ids(call.db, call.user_id, payee_id)) or (0,)


def _fold(call: Call, filters: SearchFilter) -> SearchFilter:
    """Extends a filter by category to the sub-categories."""
    if filters.category_id is None:
        return filters
    return replace(filters, child_ids=tuple(categories.find_children(call.db, call.user_id, filters.category_id)))


WORDS_ABOUT = (
    "Only transactions that contain all of these words in the description, notes, reference, account names, category or"
    " tags. Case and accents are ignored. A word matches all words that begin with it; in quotation marks, it matches"
    " only itself; with `*` before it, it matches all words that contain it. If nothing is found, the words of the"
    " query are also searched for inside other words."
)
WORDS = Parameter("query", {"type": "string", "maxLength": _CHARACTERS_MAX}, WORDS_ABOUT)
QUERY = Parameter("query", WORDS.schema, f"{WORDS_ABOUT} Required unless another filter is set.")
TYPE = Parameter("type", {"type": "string"}, "Only transactions of these types. Defaults to all types.")
_ABOUT = {
    "account_id": "Only transactions from or to this account.",
    "payee_id": "Only transactions with this payee: with the account of this id, or with another payee account of the"
    " same name.",
    "category_id": "Only transactions with this category.",
    "budget_id": "Only transactions with this budget.",
    "tag_id": "Only transactions with this tag.",
    "bill_id": "Only transactions linked to this bill.",
    "amount_min": "The smallest amount. A transaction matches if its amount or its foreign amount fits.",
    "amount_max": "The largest amount. A transaction matches if its amount or its foreign amount fits.",
    "no_category": "`1` means only transactions without a category.",
    "no_budget": "`1` means only transactions without a budget.",
    "flow": "With `spent`, only withdrawals and refunds; with `earned`, only deposits that are not refunds. Reports sum"
    " up the same transactions.",
}
FILTERS = tuple(
    Parameter(
        name,
        {"type": "string", "enum": list(FLOWS)}
        if name == "flow"
        else {"type": "number" if name.startswith("amount") else "integer"},
        _ABOUT[name],
    )
    for name in NARROWS
)
CHILDREN = Parameter(
    "children",
    {"type": "string", "enum": [FOLD]},
    "With `fold`, `category_id` also matches transactions in its sub-categories.",
)
