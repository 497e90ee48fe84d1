"""Shows transactions: in the general list, in the list of an account, and as related objects."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.attachments.model import Model
from farthing.books.tags import store as tags
from farthing.books.transactions import lines
from farthing.books.transactions.counts import Book, Days, LabelFilter, total
from farthing.books.transactions.model import Line, LineDates, Side, types_named
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related, Shown, answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import PAGED, RANGED, Parameter
from farthing.kernel.money import Currency
from farthing.kernel.shown import Day as ShownDay
from farthing.kernel.shown import Instant, Number, number
from farthing.ledger.entry import Label
from farthing.ledger.kinds import Type

from .attachments import relate as relate_attachments
from .piggy_banks import EVENTS_OF_TRANSACTIONS
from .tags import things as tag_things
from .users import USER


class TransactionAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    description: str
    transaction_description: str | None
    journal_description: str
    date: ShownDay
    type: str
    identifier: int
    journal_id: int
    reconciled: bool
    refund: bool
    amount: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    foreign_amount: Number | None
    foreign_currency_id: int | None
    foreign_currency_code: str | None
    foreign_currency_symbol: str | None
    foreign_currency_dp: int | None
    bill_id: int | None
    bill_name: str | None
    category_id: int | None
    category_name: str | None
    budget_id: int | None
    budget_name: str | None
    tags: str | None
    notes: str | None
    internal_reference: str | None
    recurrence_id: int | None
    interest_date: ShownDay | None
    book_date: ShownDay | None
    process_date: ShownDay | None
    due_date: ShownDay | None
    payment_date: ShownDay | None
    invoice_date: ShownDay | None
    source_id: int
    source_name: str
    source_iban: str | None
    source_type: str
    destination_id: int
    destination_name: str
    destination_iban: str | None
    destination_type: str


_TYPES = {int(one): one.label for one in Type}
# Copied for each transaction, because most use few of these fields.
_BLANK = TransactionAttributes(
    **dict.fromkeys(TransactionAttributes.__struct_fields__)  # type: ignore[arg-type]
)


def show(line: Line, viewed_id: int | None = None) -> TransactionAttributes:
    """Withdrawals are negative, deposits positive; other types have the sign seen from the viewed account, if any.

    Fields are assigned one by one, which takes a third of the time of a call with 44 keywords.
    """
    entry, sign = line.entry, _sign(line, viewed_id)
    shown: TransactionAttributes = _BLANK.__copy__()  # type: ignore[attr-defined]
    shown.updated_at = entry.updated_at
    shown.created_at = entry.created_at
    shown.description = _description(line)
    shown.transaction_description = line.description
    shown.journal_description = entry.description
    shown.date = line.on
    shown.type = _TYPES[line.type]
    shown.identifier = line.position
    shown.journal_id = entry.id
    shown.reconciled = line.reconciled
    shown.refund = line.refund
    _show_amount(shown, line, sign)
    if line.foreign_currency:
        _show_foreign_amount(shown, line.foreign_currency, line.foreign_units, sign)
    _show_labels(shown, line)
    shown.notes = entry.notes
    shown.internal_reference = entry.internal_reference
    shown.recurrence_id = entry.recurrence_id
    if entry.dates:
        _show_dates(shown, entry.dates)
    _show_sides(shown, line.source, line.destination)
    return shown


def _show_amount(shown: TransactionAttributes, line: Line, sign: int) -> None:
    currency = line.currency
    shown.amount = number(sign * line.units, currency.places)
    shown.currency_id = currency.id
    shown.currency_code = currency.code
    shown.currency_symbol = currency.symbol
    shown.currency_dp = currency.places


def _show_foreign_amount(shown: TransactionAttributes, currency: Currency, units: int | None, sign: int) -> None:
    shown.foreign_amount = number(sign * units, currency.places) if units else None
    shown.foreign_currency_id = currency.id
    shown.foreign_currency_code = currency.code
    shown.foreign_currency_symbol = currency.symbol
    shown.foreign_currency_dp = currency.places


def _show_labels(shown: TransactionAttributes, line: Line) -> None:
    if bill := line.entry.bill:
        shown.bill_id, shown.bill_name = bill.id, bill.name
    if category := line.category:
        shown.category_id, shown.category_name = category.id, category.name
    if budget := line.budget:
        shown.budget_id, shown.budget_name = budget.id, budget.name
    if line.entry.tags:
        shown.tags = ",".join(line.entry.tags)


def _show_dates(shown: TransactionAttributes, dates: LineDates) -> None:
    shown.interest_date = dates.interest_on
    shown.book_date = dates.book_on
    shown.process_date = dates.process_on
    shown.due_date = dates.due_on
    shown.payment_date = dates.payment_on
    shown.invoice_date = dates.invoice_on


def _show_sides(shown: TransactionAttributes, source: Side, destination: Side) -> None:
    shown.source_id = source.id
    shown.source_name = source.name
    shown.source_iban = source.iban
    shown.source_type = source.kind
    shown.destination_id = destination.id
    shown.destination_name = destination.name
    shown.destination_iban = destination.iban
    shown.destination_type = destination.kind


def _description(line: Line) -> str:
    """A split with its own description shows both."""
    whole = line.entry.description
    return f"{line.description} ({whole})" if line.description and line.description != whole else whole


def _sign(line: Line, viewed_id: int | None) -> int:
    if line.type == _WITHDRAWAL:
        return -1
    return -1 if line.type != _DEPOSIT and line.source.id == viewed_id else 1


# Plain integers, because looking up an enum member would take longer than the rest.
_WITHDRAWAL, _DEPOSIT = int(Type.WITHDRAWAL), int(Type.DEPOSIT)


TransactionThing = Thing[TransactionAttributes]


def _tags(call: Call, shown: Sequence[Line]) -> list[Related]:
    of_entry = tags.of_entries(call.db, call.user_id, [line.entry_id for line in shown])
    all_things = tag_things(call, (tag for of_one in of_entry.values() for tag in of_one))
    return [[all_things[tag.id] for tag in of_entry[line.entry_id]] for line in shown]


INCLUDES = registry(
    USER,
    Include("tags", _tags),
    relate_attachments(Model.JOURNAL, lambda line: line.entry_id),
    EVENTS_OF_TRANSACTIONS,
)
PARAMETERS = (Parameter("type", {"type": "string"}, "Which types of transaction."), *RANGED, *PAGED)


def days_of(call: Call) -> Days:
    chosen = call.range()
    return Days(chosen.start.isoformat(), chosen.end.isoformat()) if chosen else Days()


def things(call: Call, of: Sequence[Line], viewed_id: int | None = None) -> list[TransactionThing]:
    return [
        thing(call.base, "transactions", line.id, show(line, viewed_id), uri=f"/transactions/{line.id}") for line in of
    ]


def as_relatives(call: Call, of: Sequence[Line]) -> Shown:
    return Shown(things(call, of), of)


def as_relatives_of(call: Call, viewed: Mapping[int, Sequence[Line]]) -> list[Related]:
    """Seen from each account's side; a transaction that two of them share is one object, seen from neither."""
    times = Counter(line.id for of in viewed.values() for line in of)
    return [
        Shown([one for line in of for one in things(call, [line], None if times[line.id] > 1 else viewed_id)], of)
        for viewed_id, of in viewed.items()
    ]


def along(load: Callable[[Call, Sequence[Any]], list[Related]]) -> Include:
    """Transactions as related objects, which can include their own."""
    return Include("transactions", load, further=INCLUDES)


def answer_list(
    call: Call,
    path: str,
    word: str,
    account_id: int | None = None,
    *,
    labelled: LabelFilter | None = None,
    days: Days | None = None,
) -> Answer:
    """A page of the user's transactions, of one account seen from its side, or of one label."""
    book, at = Book(call.user_id, types_named(word), account_id, labelled), read_page_request(call)
    days = days or days_of(call)
    count = total(call.db, book, days)
    shown = lines.page(call.db, book, days, limit=at.size, offset=at.offset) if at.offset < count else []
    document = page(call, path, things(call, shown, account_id), count, {"type": word})
    return answer(call, document, shown, INCLUDES)


def of_label(call: Call, label: Label, label_id: int) -> Answer:
    """The transactions with this label."""
    path = f"/{label}/{label_id}/transactions"
    return answer_list(call, path, call.query.get("type") or "all", labelled=LabelFilter(label, label_id))


def page_with(label: Label) -> Include:
    """For a single label, `page` pages its transactions."""

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        at = read_page_request(call)
        book = Book(call.user_id, frozenset(Type), labelled=LabelFilter(label, labels[0].id))
        return [as_relatives(call, lines.page(call.db, book, days_of(call), limit=at.size, offset=at.offset))]

    return along(load)


def newest_with(label: Label) -> Include:
    """In a list of labels, `page` pages the labels, and each includes its newest transactions."""

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        ids, size = [one.id for one in labels], call.caller.page_size
        newest = lines.newest_of_labels(call.db, call.user_id, label, ids, days_of(call), limit=size)
        return [as_relatives(call, newest[label_id]) for label_id in ids]

    return along(load)


def of_owner(call: Call, path: str, owner: lines.Owner, owner_id: int) -> Answer:
    """The transactions that pay a bill, or that a recurrence made; `path` is that of the owner."""
    at, days = read_page_request(call), days_of(call)
    shown = lines.of_owners(call.db, call.user_id, owner, [owner_id], days, limit=at.size, offset=at.offset)[owner_id]
    count = lines.count_of_owner(call.db, call.user_id, owner, owner_id, days)
    return answer(call, page(call, f"{path}/transactions", things(call, shown), count), shown, INCLUDES)


def page_of(owner: lines.Owner) -> Include:
    """For a single bill or recurrence, `page` pages its transactions."""

    def load(call: Call, owners: Sequence[Any]) -> list[Related]:
        at = read_page_request(call)
        return _load_of_owners(call, owner, owners, limit=at.size, offset=at.offset)

    return along(load)


def newest_of(owner: lines.Owner) -> Include:
    """In a list of bills or recurrences, `page` pages these, and each includes its newest transactions."""
    return along(lambda call, owners: _load_of_owners(call, owner, owners, limit=call.caller.page_size, offset=0))


def _load_of_owners(call: Call, owner: lines.Owner, owners: Sequence[Any], *, limit: int, offset: int) -> list[Related]:
    ids = [one.id for one in owners]
    pages = lines.of_owners(call.db, call.user_id, owner, ids, days_of(call), limit=limit, offset=offset)
    return [as_relatives(call, pages[owner_id]) for owner_id in ids]
