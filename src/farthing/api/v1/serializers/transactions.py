"""Shows transactions in the general list, in the list of an account, and as related objects."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from farthing.books.attachments.model import Model
from farthing.books.tags import store as tags
from farthing.books.transactions import lines
from farthing.books.transactions.counts import Book, Days, LabelFilter, total
from farthing.books.transactions.model import Line, LineDates, types_named
from farthing.http.answer.document import Page, Thing, thing
from farthing.http.answer.includes import Include, Related, Shown, answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import PAGED, RANGED, Parameter, Route
from farthing.kernel.shown import Dated, Number, ShownDay, number
from farthing.ledger.entry import Label
from farthing.ledger.kinds import Type

from ..resources.resource import Resource
from .attachments import relate as relate_attachments
from .piggy_banks import EVENTS_OF_TRANSACTIONS
from .tags import things as tag_things
from .users import USER


class TransactionAttributes(Dated, gc=False):
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
    category_colour: str | None
    category_icon: str | None
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
    external_id: str | None
    external_url: str | None


_TYPES = {int(type_): type_.label for type_ in Type}
_NO_DATES = LineDates(*[None] * len(LineDates.__struct_fields__))


def show(line: Line, viewed_id: int | None = None) -> TransactionAttributes:
    """Shows withdrawals as negative, deposits as positive, and other types as seen from the viewed account, if any."""
    entry, currency, foreign, sign = line.entry, line.currency, line.foreign_currency, _sign(line, viewed_id)
    bill, category, budget, dates = entry.bill, line.category, line.budget, entry.dates or _NO_DATES
    source, destination = line.source, line.destination
    # Passes the attributes by position, in their order: 46 keywords take several times as long.
    return TransactionAttributes(
        entry.updated_at, entry.created_at,
        _description(line), line.description, entry.description, line.on, _TYPES[line.type],
        line.position, entry.id, line.reconciled, line.refund,
        number(sign * line.units, currency.places), currency.id, currency.code, currency.symbol, currency.places,
        number(sign * line.foreign_units, foreign.places) if foreign and line.foreign_units else None,
        foreign.id if foreign else None, foreign.code if foreign else None,
        foreign.symbol if foreign else None, foreign.places if foreign else None,
        bill.id if bill else None, bill.name if bill else None,
        category.id if category else None, category.name if category else None,
        category.colour if category else None, category.icon if category else None,
        budget.id if budget else None, budget.name if budget else None,
        ",".join(entry.tags) if entry.tags else None, entry.notes, entry.internal_reference, entry.recurrence_id,
        dates.interest_on, dates.book_on, dates.process_on, dates.due_on, dates.payment_on, dates.invoice_on,
        source.id, source.name, source.iban, source.kind,
        destination.id, destination.name, destination.iban, destination.kind, entry.external_id, entry.external_url,
    )  # fmt: skip


def _description(line: Line) -> str:
    """Returns the transaction's description, preceded by the split's own description if there is one."""
    whole = line.entry.description
    return f"{line.description} ({whole})" if line.description and line.description != whole else whole


def _sign(line: Line, viewed_id: int | None) -> int:
    if line.type == _WITHDRAWAL:
        return -1
    return -1 if line.type != _DEPOSIT and line.source.id == viewed_id else 1


# These are plain integers, because looking up an enum member would take longer than the rest of `_sign`.
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
PARAMETERS = (
    Parameter("type", {"type": "string"}, "The type of transactions to list, such as `withdrawal` or `all`."),
    *RANGED,
    *PAGED,
)
# The options shared by all routes that list the transactions of another object.
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
    """Shows the transactions of each account as seen from that account.

    A transaction between two of the accounts is shown as one object, as seen from neither.
    """
    times = Counter(line.id for of in viewed.values() for line in of)

    def show_of(viewed_id: int, of: Sequence[Line]) -> Shown:
        sides = (None if times[line.id] > 1 else viewed_id for line in of)
        return Shown([things(call, [line], side)[0] for line, side in zip(of, sides, strict=True)], of)

    return [show_of(viewed_id, of) for viewed_id, of in viewed.items()]


def along(load: Callable[[Call, Sequence[Any]], list[Related]]) -> Include:
    """Includes transactions, which can include their own related objects."""
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
    """Answers with a page of transactions: all of the user's, or only those of one account or of one label.

    The transactions of an account are shown as seen from that account.
    """
    labelled = LabelFilter("accounts", account_id) if account_id else labelled
    book, at = Book(call.user_id, types_named(word), labelled), read_page_request(call)
    days = days or days_of(call)
    count = total(call.db, book, days)
    page_lines = lines.page(call.db, book, days, limit=at.size, offset=at.offset) if at.offset < count else []
    document = page(call, path, things(call, page_lines, account_id), count, {"type": word})
    return answer(call, document, page_lines, INCLUDES)


def label_route(resource: Resource[Any, Any], label: Label, summary: str) -> Route:
    """Makes the route that lists the transactions with a label."""

    @resource.adopt
    def transactions(call: Call) -> Answer:
        label_id = resource.find(call).id
        path = f"/{label}/{label_id}/transactions"
        return answer_list(call, path, call.query.get("type") or "all", labelled=LabelFilter(label, label_id))

    return resource.own("GET", "transactions", transactions, summary, *PARAMETERS, **LISTED)


def page_with(label: Label) -> Include:
    """Includes a page of the transactions of a single label."""

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        at = read_page_request(call)
        book = Book(call.user_id, frozenset(Type), labelled=LabelFilter(label, labels[0].id))
        return [as_relatives(call, lines.page(call.db, book, days_of(call), limit=at.size, offset=at.offset))]

    return along(load)


def newest_with(label: Label) -> Include:
    """Includes the newest transactions of each label.

    In a list of labels, `page` selects a page of labels, not of transactions.
    """

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        ids, size = [stored.id for stored in labels], call.caller.page_size
        newest = lines.newest_of(call.db, call.user_id, label, ids, days_of(call), limit=size)
        return [as_relatives(call, newest[label_id]) for label_id in ids]

    return along(load)


def owner_route(resource: Resource[Any, Any], owner: lines.Owner, summary: str, *parameters: Parameter) -> Route:
    """Makes the route that lists the transactions that pay a bill, or that a recurrence created."""

    @resource.adopt
    def transactions(call: Call) -> Answer:
        owner_id, at, days = resource.find(call).id, read_page_request(call), days_of(call)
        pages = lines.of_owners(call.db, call.user_id, owner, [owner_id], days, limit=at.size, offset=at.offset)
        count = lines.count_of_owner(call.db, call.user_id, owner, owner_id, days)
        path = f"{resource.path}/{owner_id}/transactions"
        return answer(call, page(call, path, things(call, pages[owner_id]), count), pages[owner_id], INCLUDES)

    return resource.own("GET", "transactions", transactions, summary, *parameters, **LISTED)


def page_of(owner: lines.Owner, *, newest: bool = False) -> Include:
    """Includes a page of the transactions of a single bill or recurrence.

    With `newest`, includes the newest transactions of each bill or recurrence in a list, because `page` then selects
    a page of that list, not of transactions.
    """

    def load(call: Call, owners: Sequence[Any]) -> list[Related]:
        ids, at = [stored.id for stored in owners], read_page_request(call)
        limit, offset = (call.caller.page_size, 0) if newest else (at.size, at.offset)
        pages = lines.of_owners(call.db, call.user_id, owner, ids, days_of(call), limit=limit, offset=offset)
        return [as_relatives(call, pages[owner_id]) for owner_id in ids]

    return along(load)
