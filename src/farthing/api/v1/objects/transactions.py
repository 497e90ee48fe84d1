"""Shows transactions in the general list, in the list of an account, and as related objects."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.attachments.model import Model
from farthing.books.tags import store as tags
from farthing.books.transactions import lines
from farthing.books.transactions.counts import Book, Days, LabelFilter, total
from farthing.books.transactions.model import Line, LineDates, Side, types_named
from farthing.http.answer.document import Page, Thing, thing
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


_TYPES = {int(type_): type_.label for type_ in Type}
# A copy of this serves each transaction, because most use few of these fields.
_BLANK = TransactionAttributes(
    **dict.fromkeys(TransactionAttributes.__struct_fields__)  # type: ignore[arg-type]
)


def show(line: Line, viewed_id: int | None = None) -> TransactionAttributes:
    """Shows withdrawals as negative, deposits as positive, and other types as seen from the viewed account, if any.

    Assigns fields one by one, which takes a third of the time of a call with 44 keywords.
    """
    entry, sign = line.entry, _sign(line, viewed_id)
    attributes: TransactionAttributes = _BLANK.__copy__()  # type: ignore[attr-defined]
    attributes.updated_at = entry.updated_at
    attributes.created_at = entry.created_at
    attributes.description = _description(line)
    attributes.transaction_description = line.description
    attributes.journal_description = entry.description
    attributes.date = line.on
    attributes.type = _TYPES[line.type]
    attributes.identifier = line.position
    attributes.journal_id = entry.id
    attributes.reconciled = line.reconciled
    attributes.refund = line.refund
    _show_amount(attributes, line, sign)
    if line.foreign_currency:
        _show_foreign_amount(attributes, line.foreign_currency, line.foreign_units, sign)
    _show_labels(attributes, line)
    attributes.notes = entry.notes
    attributes.internal_reference = entry.internal_reference
    attributes.recurrence_id = entry.recurrence_id
    if entry.dates:
        _show_dates(attributes, entry.dates)
    _show_sides(attributes, line.source, line.destination)
    return attributes


def _show_amount(attributes: TransactionAttributes, line: Line, sign: int) -> None:
    currency = line.currency
    attributes.amount = number(sign * line.units, currency.places)
    attributes.currency_id = currency.id
    attributes.currency_code = currency.code
    attributes.currency_symbol = currency.symbol
    attributes.currency_dp = currency.places


def _show_foreign_amount(attributes: TransactionAttributes, currency: Currency, units: int | None, sign: int) -> None:
    attributes.foreign_amount = number(sign * units, currency.places) if units else None
    attributes.foreign_currency_id = currency.id
    attributes.foreign_currency_code = currency.code
    attributes.foreign_currency_symbol = currency.symbol
    attributes.foreign_currency_dp = currency.places


def _show_labels(attributes: TransactionAttributes, line: Line) -> None:
    if bill := line.entry.bill:
        attributes.bill_id, attributes.bill_name = bill.id, bill.name
    if category := line.category:
        attributes.category_id, attributes.category_name = category.id, category.name
    if budget := line.budget:
        attributes.budget_id, attributes.budget_name = budget.id, budget.name
    if line.entry.tags:
        attributes.tags = ",".join(line.entry.tags)


def _show_dates(attributes: TransactionAttributes, dates: LineDates) -> None:
    attributes.interest_date = dates.interest_on
    attributes.book_date = dates.book_on
    attributes.process_date = dates.process_on
    attributes.due_date = dates.due_on
    attributes.payment_date = dates.payment_on
    attributes.invoice_date = dates.invoice_on


def _show_sides(attributes: TransactionAttributes, source: Side, destination: Side) -> None:
    attributes.source_id = source.id
    attributes.source_name = source.name
    attributes.source_iban = source.iban
    attributes.source_type = source.kind
    attributes.destination_id = destination.id
    attributes.destination_name = destination.name
    attributes.destination_iban = destination.iban
    attributes.destination_type = destination.kind


def _description(line: Line) -> str:
    """Shows both descriptions if the split has its own."""
    whole = line.entry.description
    return f"{line.description} ({whole})" if line.description and line.description != whole else whole


def _sign(line: Line, viewed_id: int | None) -> int:
    if line.type == _WITHDRAWAL:
        return -1
    return -1 if line.type != _DEPOSIT and line.source.id == viewed_id else 1


# These are plain integers, because looking up an enum member would take longer than the rest.
_WITHDRAWAL, _DEPOSIT = int(Type.WITHDRAWAL), int(Type.DEPOSIT)


TransactionThing = Thing[TransactionAttributes]


def _tags(call: Call, of: Sequence[Line]) -> list[Related]:
    of_entry = tags.of_entries(call.db, call.user_id, [line.entry_id for line in of])
    all_things = tag_things(call, (tag for of_one in of_entry.values() for tag in of_one))
    return [[all_things[tag.id] for tag in of_entry[line.entry_id]] for line in of]


INCLUDES = registry(
    USER,
    Include("tags", _tags),
    relate_attachments(Model.JOURNAL, lambda line: line.entry_id),
    EVENTS_OF_TRANSACTIONS,
)
PARAMETERS = (Parameter("type", {"type": "string"}, "Which types of transaction to list."), *RANGED, *PAGED)
# What the routes share that list transactions of something.
LISTED: dict[str, Any] = {"gives": Page[TransactionThing], "includes": INCLUDES}


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
    """Shows them from each account's side. A transaction that two accounts share is one object, seen from neither."""
    times = Counter(line.id for of in viewed.values() for line in of)

    def show_of(viewed_id: int, of: Sequence[Line]) -> Shown:
        sides = (None if times[line.id] > 1 else viewed_id for line in of)
        return Shown([things(call, [line], side)[0] for line, side in zip(of, sides, strict=True)], of)

    return [show_of(viewed_id, of) for viewed_id, of in viewed.items()]


def along(load: Callable[[Call, Sequence[Any]], list[Related]]) -> Include:
    """Includes transactions, which can include their own relatives."""
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
    """Answers a page of the user's transactions, of those of one account, seen from its side, or of one label."""
    labelled = LabelFilter("accounts", account_id) if account_id else labelled
    book, at = Book(call.user_id, types_named(word), labelled), read_page_request(call)
    days = days or days_of(call)
    count = total(call.db, book, days)
    page_lines = lines.page(call.db, book, days, limit=at.size, offset=at.offset) if at.offset < count else []
    document = page(call, path, things(call, page_lines, account_id), count, {"type": word})
    return answer(call, document, page_lines, INCLUDES)


def of_label(call: Call, label: Label, label_id: int) -> Answer:
    path = f"/{label}/{label_id}/transactions"
    return answer_list(call, path, call.query.get("type") or "all", labelled=LabelFilter(label, label_id))


def page_with(label: Label) -> Include:
    """Includes a page of the transactions of a single label."""

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        at = read_page_request(call)
        book = Book(call.user_id, frozenset(Type), labelled=LabelFilter(label, labels[0].id))
        return [as_relatives(call, lines.page(call.db, book, days_of(call), limit=at.size, offset=at.offset))]

    return along(load)


def newest_with(label: Label) -> Include:
    """Includes the newest transactions of each label, because `page` pages the labels."""

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        ids, size = [each.id for each in labels], call.caller.page_size
        newest = lines.newest_of(call.db, call.user_id, label, ids, days_of(call), limit=size)
        return [as_relatives(call, newest[label_id]) for label_id in ids]

    return along(load)


def of_owner(call: Call, path: str, owner: lines.Owner, owner_id: int) -> Answer:
    """Lists the transactions that pay a bill, or that a recurrence created. `path` is the path of that object."""
    at, days = read_page_request(call), days_of(call)
    pages = lines.of_owners(call.db, call.user_id, owner, [owner_id], days, limit=at.size, offset=at.offset)
    page_lines = pages[owner_id]
    count = lines.count_of_owner(call.db, call.user_id, owner, owner_id, days)
    return answer(call, page(call, f"{path}/transactions", things(call, page_lines), count), page_lines, INCLUDES)


def page_of(owner: lines.Owner) -> Include:
    """Includes a page of the transactions of a single bill or recurrence."""

    def load(call: Call, owners: Sequence[Any]) -> list[Related]:
        at = read_page_request(call)
        return _load_of_owners(call, owner, owners, limit=at.size, offset=at.offset)

    return along(load)


def newest_of(owner: lines.Owner) -> Include:
    """Includes the newest transactions of each bill or recurrence, because `page` pages these."""
    return along(lambda call, owners: _load_of_owners(call, owner, owners, limit=call.caller.page_size, offset=0))


def _load_of_owners(call: Call, owner: lines.Owner, owners: Sequence[Any], *, limit: int, offset: int) -> list[Related]:
    ids = [each.id for each in owners]
    pages = lines.of_owners(call.db, call.user_id, owner, ids, days_of(call), limit=limit, offset=offset)
    return [as_relatives(call, pages[owner_id]) for owner_id in ids]
