"""Reads the query of a report."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.currencies import store as currencies
from farthing.http.request.call import Call, Range, half_range_problems
from farthing.http.route import RANGED, Parameter
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import RequestBody, WordList, choice, parse, whole
from farthing.kernel.parsed import Parsed
from farthing.ledger.kinds import Type
from farthing.overviews.charts.model import DAYS_MAX, FIGURES_MAX
from farthing.overviews.reports.reading.converting import Converter
from farthing.overviews.reports.reading.model import Dimension, ReportQuestion
from farthing.overviews.reports.reading.ranges import Comparison, ReportRange
from farthing.overviews.search import find as search
from farthing.schedule.periods import USUAL, Period

from ..exchange_rates.totals import find_target
from ..search import filters as search_filters
from ..search.filters import FILTERS, FOLD, MATCH, NARROWS, WORDS
from .table import MEDIA_TYPE

WHOLE_RANGE = "range"
PERIODS = tuple(period.value for period in USUAL if period is not Period.DAY)
TYPES = {"spent": Type.WITHDRAWAL, "earned": Type.DEPOSIT}
SOURCES = (Dimension.CATEGORY, Dimension.PAYEE)
USES = (Dimension.CATEGORY, Dimension.PAYEE, Dimension.BUDGET)
ROWS_DEFAULT = 50
ROWS_MAX = 1000
NODES_MAX = 200


class ReportQuery(RequestBody):
    """Holds the query parameters of reports, except days and filters. Each report uses some of them."""

    period: Annotated[str, choice(*PERIODS, WHOLE_RANGE)] | None = None
    compare: WordList | None = None
    format: Annotated[str, choice("json", "csv")] | None = None
    by: Annotated[Dimension, choice(*Dimension)] | None = None
    sources: Annotated[Dimension, choice(*SOURCES)] | None = None
    uses: Annotated[Dimension, choice(*USES)] | None = None
    children: Annotated[str, choice(FOLD, MATCH)] | None = None
    limit: Annotated[int, whole(minimum=1, maximum=ROWS_MAX)] | None = None


class BreakdownQuery(ReportQuery):
    type: Annotated[str, choice(*TYPES)] | None = None


class ReportRequest(Struct, frozen=True):
    """Holds the parts of a request that all reports have in common."""

    question: ReportQuestion
    within: ReportRange
    compare: tuple[Comparison, ...]
    own_currency_id: int | None


def read(call: Call, model: type[ReportQuery] = ReportQuery) -> Parsed[ReportQuery]:
    days = call.days()  # reports wrong days, even if other parameters are wrong, too
    parsed = parse(model, call.query)
    parsed.report_all(half_range_problems(days["start"], days["end"]))
    compare = parsed.values.compare or []
    if any(word not in list(Comparison) for word in compare):
        words = ", ".join(Comparison)
        parsed.report("compare", f"The selected compare is invalid: send any of {words}, comma-separated.")
    return parsed


def read_request(call: Call, values: ReportQuery, *, sides: int = 1) -> ReportRequest:
    """Reads the request. `sides` is the number of breakdowns that the report needs for each range."""
    days = call.range() or Range(start=date(call.today.year, 1, 1), end=call.today)
    question = read_question(call, frozenset(Type))
    own = question.into.to if question.into else currencies.by_code(call.db, call.caller.currency_code)
    compare = tuple(Comparison(word) for word in dict.fromkeys(values.compare or []))
    return ReportRequest(
        question=replace(question, times=sides * (1 + len(compare))),
        within=_divide(days, values.period or Period.MONTH.value, call.today),
        compare=compare,
        own_currency_id=own.id if own else None,
    )


def read_question(call: Call, types: frozenset[Type]) -> ReportQuestion:
    words = search_filters.read_words(call)
    if call.query.get("query", "").strip() and not words:
        refuse_field("query", "The query must contain at least one word, or be omitted.")
    filters = search_filters.read_filter_of(call, types)
    to = find_target(call)
    return ReportQuestion(
        words=tuple(search.widen_if_needed(call.db, call.user_id, words, filters)),
        filters=filters,
        into=Converter(call.db, call.user_id, to) if to else None,
    )


def _divide(days: Range, period: str, today: date) -> ReportRange:
    chosen = None if period == WHOLE_RANGE else Period(period)
    if chosen is Period.WEEK and (days.end - days.start).days >= DAYS_MAX:
        refuse_field(
            "period",
            f"A range of weeks may have at most {DAYS_MAX} days: choose a longer `period`, or a shorter range of days.",
        )
    return ReportRange(start=days.start, end=days.end, period=chosen, today=today)


def choose_limit(within: ReportRange, limit: int | None) -> int:
    """Returns the requested number of rows, or else the default, or fewer if an answer cannot hold the default."""
    fitting = FIGURES_MAX // len(within.parts)
    if limit is not None and limit > fitting:
        sentence = f"An answer can contain at most {FIGURES_MAX} figures"
        refuse_field(
            "limit", f"{sentence}: choose at most {fitting} rows, a longer `period`, or a shorter range of days."
        )
    return min(limit or ROWS_DEFAULT, fitting)


def choose_nodes(limit: int | None) -> int:
    if limit is not None and limit > NODES_MAX:
        refuse_field("limit", f"The limit may be at most {NODES_MAX} nodes on each side.")
    return limit or ROWS_DEFAULT


def refuse_figures(within: ReportRange, lines: int) -> None:
    if len(within.parts) * lines > FIGURES_MAX:
        sentence = f"An answer can contain at most {FIGURES_MAX} figures"
        refuse_field("period", f"{sentence}: choose a longer `period`, or a shorter range of days.")


def refuse_others(call: Call, allowed: Iterable[str]) -> None:
    """Refuses filters that this report does not support, instead of ignoring them."""
    for name in ("query", *NARROWS):
        if call.query.get(name) and name not in allowed:
            refuse_field(name, f"Net worth cannot be filtered by {name.replace('_', ' ')}.")


def _choices(name: str, words: Iterable[str], about: str, *, required: bool = False) -> Parameter:
    return Parameter(name, {"type": "string", "enum": list(words)}, about, required=required)


_DAYS = tuple(
    Parameter(
        parameter.name,
        parameter.schema,
        f"{parameter.about} If both are omitted, the range is this year up to today.",
        parameter.required,
    )
    for parameter in RANGED
)
_PERIOD = _choices(
    "period",
    (*PERIODS, WHOLE_RANGE),
    "Length of each period; defaults to `month`. `range` treats the whole range as one period. Weeks begin on Monday,"
    f" and are only possible for ranges of at most {DAYS_MAX} days.",
)
_COMPARE = Parameter(
    "compare",
    {"type": "string"},
    "Other ranges whose totals are added, comma-separated: `before` is the range of the same length that ends right"
    " before this one, and `year_ago` is the same range one year earlier. If the range contains today, they only"
    " include the corresponding days up to today.",
)
_CONVERT = Parameter(
    "convert",
    {"type": "string"},
    "Converts all amounts into your primary currency (`1`) or into the currency with this code. Each period uses the"
    " rates on its last day. `meta.converted` shows the days of the rates.",
)
FORMAT = Parameter(
    "format",
    {"type": "string", "enum": ["json", "csv"]},
    "The format of the answer. Defaults to `json`; `csv` is for spreadsheets.",
    media_type=MEDIA_TYPE,
)
FILTERED = (WORDS, *FILTERS)
_LIMIT = Parameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": ROWS_MAX},
    f"The largest number of rows in each currency. Defaults to {ROWS_DEFAULT}. One more row combines all others.",
)
_NODES = Parameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": NODES_MAX},
    f"The largest number of nodes on each side. Defaults to {ROWS_DEFAULT}. One more node combines all others.",
)
_CHILDREN = _choices(
    "children",
    (FOLD, MATCH),
    "With `fold`, the amounts of sub-categories are added to their parent. With `match`, each sub-category keeps its"
    " own row. With either, `category_id` also matches transactions in its sub-categories.",
)
BREAKDOWN = (
    _choices("by", Dimension, "What to group the amounts by.", required=True),
    _choices("type", TYPES, "The amounts to break down. Defaults to `spent`."),
    *_DAYS, _PERIOD, _COMPARE, _LIMIT, _CHILDREN, _CONVERT, FORMAT, *FILTERED,
)  # fmt: skip
INCOME_EXPENSE = (*_DAYS, _PERIOD, _COMPARE, _CHILDREN, _CONVERT, FORMAT, *FILTERED)
NET_WORTH = (
    *_DAYS,
    _PERIOD,
    _CONVERT,
    FORMAT,
    next(parameter for parameter in FILTERS if parameter.name == "account_id"),
)
CASH_FLOW = (
    *_DAYS,
    _choices("sources", SOURCES, "How to group the sources. Defaults to `category`."),
    _choices("uses", USES, "How to group the uses. Defaults to `category`."),
    _CHILDREN, _NODES, _CONVERT, FORMAT, *FILTERED,
)  # fmt: skip
BUDGETS = (*_DAYS, _PERIOD, _CHILDREN, _CONVERT, FORMAT, *FILTERED)
TOTALS = (*RANGED, _CHILDREN, _CONVERT, FORMAT, search_filters.TYPE, *FILTERED)
