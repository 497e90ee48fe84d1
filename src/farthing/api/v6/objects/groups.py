"""Shows transactions, each as a group of one or more splits, and answers lists of them."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from msgspec import Raw, Struct

from farthing.books.attachments import store as attachments
from farthing.books.attachments.model import Model
from farthing.books.exchange_rates.convert import DatedAmount
from farthing.books.recurrences import firing_counts
from farthing.books.recurrences.firing_counts import FiringCount
from farthing.books.transactions import details, groups
from farthing.books.transactions.counts import Book, Days, LabelFilter
from farthing.books.transactions.groups import Group, OwnerBook
from farthing.books.transactions.model import LabelName, Line, LineDates, types_named
from farthing.http.answer.document import Page, Thing
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import PAGED, RANGED, Parameter
from farthing.kernel.shown import Instant, Number
from farthing.ledger.details import NO_DETAILS, EntryDetails
from farthing.ledger.entry import Entry
from farthing.ledger.kinds import Kind, Type

from ..parts.amounts import show_amount
from ..parts.documents import answer_page, make_thing
from ..parts.moments import show_day
from ..parts.primary import Primary, load_primary
from .long_lists import AT_ONCE_MAX, produce


class SplitShown(Struct, gc=False):
    """Shows one split. `…_balance_after` is always null."""

    user: str
    transaction_journal_id: str
    type: str
    date: Instant
    order: int
    object_has_currency_setting: bool
    currency_id: str
    currency_code: str
    currency_symbol: str
    currency_name: str
    currency_decimal_places: int
    foreign_currency_id: str | None
    foreign_currency_code: str | None
    foreign_currency_symbol: str | None
    foreign_currency_decimal_places: int | None
    primary_currency_id: str
    primary_currency_code: str
    primary_currency_symbol: str
    primary_currency_decimal_places: int
    amount: str
    pc_amount: str | None
    foreign_amount: str | None
    pc_foreign_amount: str | None
    source_balance_after: str | None
    pc_source_balance_after: str | None
    destination_balance_after: str | None
    pc_destination_balance_after: str | None
    description: str
    source_id: str
    source_name: str
    source_iban: str | None
    source_type: str
    destination_id: str
    destination_name: str
    destination_iban: str | None
    destination_type: str
    budget_id: str | None
    budget_name: str | None
    category_id: str | None
    category_name: str | None
    bill_id: str | None
    bill_name: str | None
    subscription_id: str | None
    subscription_name: str | None
    reconciled: bool
    refund: bool
    notes: str | None
    tags: list[str]
    internal_reference: str | None
    external_id: str | None
    external_url: str | None
    original_source: str | None
    recurrence_id: str | None
    recurrence_total: int | None
    recurrence_count: int | None
    import_hash_v2: str | None
    sepa_cc: str | None
    sepa_ct_op: str | None
    sepa_ct_id: str | None
    sepa_db: str | None
    sepa_country: str | None
    sepa_ep: str | None
    sepa_ci: str | None
    sepa_batch_id: str | None
    interest_date: Instant | None
    book_date: Instant | None
    process_date: Instant | None
    due_date: Instant | None
    payment_date: Instant | None
    invoice_date: Instant | None
    latitude: Number | None
    longitude: Number | None
    zoom_level: int | None
    has_attachments: bool


class GroupAttributes(Struct, gc=False):
    """`group_title` is null if there is only one split."""

    created_at: Instant
    updated_at: Instant
    user: str
    group_title: str | None
    transactions: list[SplitShown]


GroupThing = Thing[GroupAttributes]
GROUPS: Any = Page[GroupThing]
# The parameter by which lists of transactions select a type.
TYPE = Parameter("type", {"type": "string"}, "The type of transactions to list, such as `withdrawal` or `all`.")
PARAMETERS = (TYPE, *RANGED, *PAGED)

_TYPES = {int(type_): type_.label.lower() for type_ in Type}
# Version 6 has no credit cards among its liabilities.
_KINDS = {kind.value: (Kind.DEBT if kind is Kind.CREDIT_CARD else kind).value for kind in Kind}
_Dates = tuple[str | None, str | None, str | None, str | None, str | None, str | None]
_NO_DATES: _Dates = (None, None, None, None, None, None)
_NO_COUNT = FiringCount(total=None, number=None)


class Surroundings(Struct, frozen=True):
    """Holds what the splits of one page need besides their lines: data by entry, and the primary currency."""

    primary: Primary
    details: dict[int, EntryDetails]
    with_files: set[int]
    firings: dict[int, FiringCount]


def answer_groups(
    call: Call,
    path: str,
    of: LabelFilter | OwnerBook | None = None,
    *,
    usual: str = "all",
    days: Days | None = None,
) -> Answer:
    """Answers with a page of transactions: all of the user's, or those of an account, a label, a bill or a recurrence.

    Reads `type`, `start`, `end` and the page from the query. `usual` is the type to list if none is sent. `days`
    replaces `start` and `end`. A separate process produces long answers.
    """
    word, at, days = call.query.get("type") or usual, read_page_request(call), days or days_of(call)
    book = of if isinstance(of, OwnerBook) else Book(call.user_id, types_named(word), of)
    total = groups.total(call.db, book, days)
    if min(at.size, total - at.offset) > AT_ONCE_MAX:
        return produce(call, path, book, days)
    page = groups.page(call.db, book, days, limit=at.size, offset=at.offset) if at.offset < total else []
    return answer_page(call, path, make_groups(call, page), total, {"type": call.query.get("type", "")})


def days_of(call: Call) -> Days:
    """Reads `start` and `end`. Clients of version 6 may send only one of them."""
    days, all_days = call.days(), Days()
    start, end = days["start"], days["end"]
    return Days(start.isoformat() if start else all_days.start, end.isoformat() if end else all_days.end)


def make_groups(call: Call, page: Sequence[Group]) -> list[GroupThing]:
    """Shows a page of groups, with a fixed number of queries."""
    lines = list(chain.from_iterable(page))
    return _make_groups(call, page, lines, _load_surroundings(call, lines)) if lines else []


def make_new_group(call: Call, group: Group, entry: Entry) -> GroupThing:
    """Shows an entry that was just stored, so that it has no files, and its details are known."""
    known = {group[0].entry_id: entry.details or NO_DETAILS}
    around = Surroundings(primary=load_primary(call), details=known, with_files=set(), firings={})
    return _make_groups(call, [group], group, around)[0]


def _make_groups(call: Call, page: Sequence[Group], lines: Sequence[Line], around: Surroundings) -> list[GroupThing]:
    amounts = around.primary.convert([amount for line in lines for amount in _amounts(line)])
    converted = {line.id: (amounts[2 * place], amounts[2 * place + 1]) for place, line in enumerate(lines)}
    presenter = _SplitPresenter(call, around)
    return [
        make_thing(
            call,
            "transactions",
            group[0].entry_id,
            GroupAttributes(
                created_at=group[0].entry.created_at,
                updated_at=group[0].entry.updated_at,
                user=presenter.user,
                group_title=group[0].entry.description if len(group) > 1 else None,
                transactions=[presenter.show(line, *converted[line.id]) for line in group],
            ),
        )
        for group in page
    ]


def _load_surroundings(call: Call, lines: Sequence[Line]) -> Surroundings:
    ids = sorted({line.entry_id for line in lines})
    repeated = {line.entry_id: line.entry.recurrence_id for line in lines if line.entry.recurrence_id}
    return Surroundings(
        primary=load_primary(call),
        details=details.of_entries(call.db, call.user_id, ids),
        with_files=attachments.find_having(call.db, call.user_id, Model.JOURNAL, ids),
        firings=firing_counts.load(call.db, call.user_id, repeated) if repeated else {},
    )


def _amounts(line: Line) -> Iterable[DatedAmount | None]:
    yield DatedAmount(line.currency.id, line.units, line.on)
    foreign = line.foreign_currency
    yield DatedAmount(foreign.id, line.foreign_units, line.on) if foreign and line.foreign_units else None


class _SplitPresenter:
    """Shows the splits of one page."""

    def __init__(self, call: Call, around: Surroundings) -> None:
        self.user, self._zone, self._around = str(call.user_id), call.caller.timezone, around
        primary = around.primary.currency
        self._primary = (str(primary.id), primary.code, primary.symbol, primary.places)

    def show(self, line: Line, pc_amount: str | None, pc_foreign_amount: str | None) -> SplitShown:
        entry, currency, foreign, around = line.entry, line.currency, line.foreign_currency, self._around
        source, destination = line.source, line.destination
        more, firing = around.details.get(entry.id, NO_DETAILS), around.firings.get(entry.id, _NO_COUNT)
        bill, budget, category = _show_label(entry.bill), _show_label(line.budget), _show_label(line.category)
        # The fields are passed by position, because this many keywords would take several times as long.
        return SplitShown(
            self.user, str(line.id), _TYPES[line.type], show_day(line.on, self._zone), line.position, True,
            str(currency.id), currency.code, currency.symbol, currency.name, currency.places,
            str(foreign.id) if foreign else None, foreign.code if foreign else None,
            foreign.symbol if foreign else None, foreign.places if foreign else None,
            *self._primary,
            show_amount(line.units, currency.places), pc_amount,
            show_amount(line.foreign_units, foreign.places) if foreign and line.foreign_units else None,
            pc_foreign_amount, None, None, None, None, line.description or entry.description,
            str(source.id), source.name, source.iban, _KINDS[source.kind],
            str(destination.id), destination.name, destination.iban, _KINDS[destination.kind],
            *budget, *category, *bill, *bill, bool(line.reconciled), bool(line.refund), entry.notes, list(entry.tags),
            entry.internal_reference, more.external_id, more.external_url, more.original_source,
            str(entry.recurrence_id) if entry.recurrence_id else None, firing.total, firing.number, more.import_hash,
            more.sepa_cc, more.sepa_ct_op, more.sepa_ct_id, more.sepa_db, more.sepa_country, more.sepa_ep,
            more.sepa_ci, more.sepa_batch_id,
            *self._show_dates(entry.dates),
            _show_number(more.latitude), _show_number(more.longitude),
            more.zoom_level, entry.id in around.with_files,
        )  # fmt: skip

    def _show_dates(self, dates: LineDates | None) -> _Dates:
        if dates is None:
            return _NO_DATES
        return (
            self._show_day(dates.interest_on), self._show_day(dates.book_on), self._show_day(dates.process_on),
            self._show_day(dates.due_on), self._show_day(dates.payment_on), self._show_day(dates.invoice_on),
        )  # fmt: skip

    def _show_day(self, day: str | None) -> str | None:
        return show_day(day, self._zone) if day else None


def _show_number(text: str | None) -> Raw | None:
    return Raw(text.encode()) if text else None


def _show_label(label: LabelName | None) -> tuple[str | None, str | None]:
    return (str(label.id), label.name) if label else (None, None)
