"""Serves searches as a person types them: `q=coffee july >4`."""

from datetime import date
from decimal import Decimal

from msgspec import UNSET, Struct, UnsetType

from farthing.books.currencies import store as currencies
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.http.route import Parameter, Route
from farthing.kernel.errors import Invalid, Problem, refuse, refuse_field
from farthing.kernel.shown import ShownDay
from farthing.overviews.typed.understand import UnderstoodSearch, understand

CHARACTERS_MAX = 255
# Lists need both days. If one is missing, it is set this many years before or after the other.
_YEARS = 19


class UnderstoodFilters(Struct, gc=False):
    """Holds the filters that a typed search means. They can be sent to `GET /search/transactions`, for example.

    Filters that were not typed are omitted. Amounts are decimal text. `names` holds the name of the object for
    `account_id`, `category_id`, `budget_id`, `tag_id` and `bill_id`. `problems` are sentences about what could not be
    understood. Searches with the same `q` are refused with these sentences.
    """

    names: dict[str, str]
    problems: list[str]
    query: str | UnsetType = UNSET
    type: str | UnsetType = UNSET
    start: ShownDay | UnsetType = UNSET
    end: ShownDay | UnsetType = UNSET
    account_id: int | UnsetType = UNSET
    category_id: int | UnsetType = UNSET
    budget_id: int | UnsetType = UNSET
    tag_id: int | UnsetType = UNSET
    bill_id: int | UnsetType = UNSET
    amount_min: str | UnsetType = UNSET
    amount_max: str | UnsetType = UNSET
    no_budget: bool | UnsetType = UNSET


def show_understood(call: Call) -> Answer:
    call.days()
    if not call.query.get("q", "").strip():
        refuse_field("q", "The q field is required.")
    understood = _understand(call)
    typed = understood.typed
    shown = UnderstoodFilters(
        names={field: thing.name for field, thing in understood.named.items()},
        problems=[call.say(problem) for problem in typed.problems],
        query=" ".join(typed.words) or UNSET,
        type=typed.type or UNSET,
        start=typed.start.isoformat() if typed.start else UNSET,
        end=typed.end.isoformat() if typed.end else UNSET,
        amount_min=_write(typed.lowest),
        amount_max=_write(typed.highest),
        no_budget=typed.no_budget or UNSET,
        **{field: thing.id for field, thing in understood.named.items()},
    )
    return Answer(Item(shown))


def read_typed(call: Call) -> bool:
    """Replaces `q` in the query by the filters that it means. Filters that the query contains as well take precedence.

    Returns whether there was a `q`.
    """
    if "q" not in call.query:
        return False
    understood = _understand(call)
    typed = understood.typed
    refuse(Problem("q", problem) for problem in typed.problems)
    start, end = typed.start, typed.end
    if start or end:
        end = end or max(start or call.today, call.today).replace(month=12, day=31)
        start = start or _years_before(end)
    filters = {
        "query": " ".join(typed.words),
        "type": typed.type,
        "start": start and start.isoformat(),
        "end": end and end.isoformat(),
        "amount_min": _write(typed.lowest),
        "amount_max": _write(typed.highest),
        "no_budget": "1" if typed.no_budget else None,
        **{field: str(thing.id) for field, thing in understood.named.items()},
    }
    meant = {name: value for name, value in filters.items() if value}
    call.query = {**meant, **{name: value for name, value in call.query.items() if name != "q"}}
    return True


def _years_before(end: date) -> date:
    return date(end.year - _YEARS, 1, 1)


def _write(amount: Decimal | None) -> str | UnsetType:
    return UNSET if amount is None else format(amount, "f")


def _understand(call: Call) -> UnderstoodSearch:
    text = call.query.get("q", "")
    if len(text) > CHARACTERS_MAX:
        refuse_field("q", f"The search may have at most {CHARACTERS_MAX} characters.")
    currency = currencies.by_code(call.db, call.caller.currency_code)
    return understand(
        call.db,
        call.user_id,
        text,
        today=call.today,
        language=call.caller.language,
        smallest=Decimal(1).scaleb(-currency.places if currency else -2),
    )


Q = Parameter(
    "q",
    {"type": "string", "maxLength": CHARACTERS_MAX},
    "All filters in one text, as a person types them, such as `coffee july >4`. Days and amounts are read as usual in"
    " the person's region. `GET /search/understood` shows the filters that the text means. Filters that are also sent"
    " separately take precedence.",
)
ROUTES = (
    Route(
        "GET", "/search/understood", show_understood, "Show the filters that a typed search means",
        gives=Item[UnderstoodFilters], fails=(Invalid,),
        parameters=(
            Parameter(
                "q", Q.schema,
                "Words, days (`july`, `2026-03`, `last month`, `since:march`), amounts (`8.40`, `>20`, `4-10`), types"
                " (`expense`, `income`, `transfer`) and names (`category:food`, `payee:\"Corner shop\"`, `account:`,"
                " `budget:`, `tag:`, `bill:`, `no:budget`). Other text in quotation marks is taken as plain words.",
                required=True,
            ),
        ),
    ),
)  # fmt: skip
