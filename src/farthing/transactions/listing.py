"""How is a page of transactions answered? The same for the general list and for an account's own."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from ..accounts.model import Account
from ..attachments.listing import related as related_attachments
from ..attachments.model import Model
from ..http.call import Answer, Call
from ..http.document import Thing, thing
from ..http.includes import Include, Related, Shown, include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from ..http.route import PAGED, RANGED, Parameter
from ..ledger.entry import Label
from ..ledger.kinds import Type
from ..piggy_banks.listing import EVENTS_OF_TRANSACTIONS
from ..shown import Day as ShownDay
from ..shown import Number, number
from ..tags import store as tags
from ..tags.listing import things as tag_things
from . import lines, wire
from .counts import Book, Days, Labelled, total
from .model import Line, types_named
from .reconcile import Reconciled

TransactionThing = Thing[wire.TransactionAttributes]


class BulkResult(Struct):
    """What became of one transaction: its splits, or what is wrong with it, under the keys of the whole body."""

    index: str
    status: int
    data: list[TransactionThing] | UnsetType = UNSET
    errors: dict[str, list[str]] | UnsetType = UNSET


class BulkMeta(Struct):
    recorded: int
    failed: int
    dry_run: bool


class BulkAnswer(Struct):
    """One result per transaction, in the order they were sent."""

    data: list[BulkResult]
    meta: BulkMeta


class Standing(Struct):
    """How much an account holds at the end of a day, and how much of it was found on statements; nothing virtual."""

    account_id: int
    date: ShownDay
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    balance: Number
    reconciled_balance: Number


class Reconciliation(Standing):
    """How the account stands on the day of its statement, afterwards; all balances are without the virtual one."""

    statement_balance: Number
    difference: Number
    marked: list[str]
    booked: TransactionThing | None


def standing(account: Account, on: date, balance_units: int, reconciled_units: int) -> Standing:
    currency = account.currency
    return Standing(
        account_id=account.id,
        date=on.isoformat(),
        currency_id=currency.id,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_dp=currency.places,
        balance=number(balance_units, currency.places),
        reconciled_balance=number(reconciled_units, currency.places),
    )


def reconciliation(call: Call, account: Account, done: Reconciled) -> Reconciliation:
    currency, statement = account.currency, done.statement
    booked = lines.of_entries(call.db, call.user_id, [done.entry_id]) if done.entry_id else []
    stands = standing(account, statement.on, done.balance_units, done.reconciled_units)
    return Reconciliation(
        **asdict(stands),
        statement_balance=number(statement.units, currency.places),
        difference=number(done.difference_units, currency.places),
        marked=[str(split_id) for split_id in statement.split_ids],
        booked=things(call, booked, account.id)[0] if booked else None,
    )


def _tags(call: Call, shown: Sequence[Line]) -> list[Related]:
    of_entry = tags.of_entries(call.db, call.user_id, [line.entry_id for line in shown])
    all_things = tag_things(call, (tag for of_one in of_entry.values() for tag in of_one))
    return [[all_things[tag.id] for tag in of_entry[line.entry_id]] for line in shown]


INCLUDES = registry(
    USER,
    Include("tags", _tags),
    related_attachments(Model.JOURNAL, lambda line: line.entry_id),
    EVENTS_OF_TRANSACTIONS,
)
PARAMETERS = (Parameter("type", {"type": "string"}, "Which types of transaction."), *RANGED, *PAGED)


def days_of(call: Call) -> Days:
    chosen = call.range()
    return Days(chosen.start.isoformat(), chosen.end.isoformat()) if chosen else Days()


def things(call: Call, of: Sequence[Line], viewed_id: int | None = None) -> list[TransactionThing]:
    return [
        thing(call.base, "transactions", line.id, wire.show(line, viewed_id), uri=f"/transactions/{line.id}")
        for line in of
    ]


def as_relatives(call: Call, of: Sequence[Line]) -> Shown:
    return Shown(things(call, of), of)


def as_relatives_of(call: Call, viewed: Mapping[int, Sequence[Line]]) -> list[Related]:
    """Of each account, seen from its side; but what two of them share is one object, and is seen from neither."""
    times = Counter(line.id for of in viewed.values() for line in of)
    return [
        Shown([one for line in of for one in things(call, [line], None if times[line.id] > 1 else viewed_id)], of)
        for viewed_id, of in viewed.items()
    ]


def along(load: Callable[[Call, Sequence[Any]], list[Related]]) -> Include:
    """Transactions as relatives; they can bring their own."""
    return Include("transactions", load, further=INCLUDES)


def listed(
    call: Call,
    path: str,
    word: str,
    account_id: int | None = None,
    *,
    labelled: Labelled | None = None,
    days: Days | None = None,
) -> Answer:
    """A page of the user's transactions, of those of one account seen from its side, or of those with one label."""
    book, at = Book(call.user_id, types_named(word), account_id, labelled), asked(call)
    days = days or days_of(call)
    count = total(call.db, book, days)
    shown = lines.page(call.db, book, days, limit=at.size, offset=at.offset) if at.offset < count else []
    document = page(call, path, things(call, shown, account_id), count, {"type": word})
    include(call, document, shown, INCLUDES)
    return Answer(document)


def of_label(call: Call, label: Label, label_id: int) -> Answer:
    """The transactions that carry it."""
    path = f"/{label}/{label_id}/transactions"
    return listed(call, path, call.query.get("type") or "all", labelled=Labelled(label, label_id))


def page_with(label: Label) -> Include:
    """With one label, `page` pages its transactions."""

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        at, book = asked(call), Book(call.user_id, frozenset(Type), labelled=Labelled(label, labels[0].id))
        return [as_relatives(call, lines.page(call.db, book, days_of(call), limit=at.size, offset=at.offset))]

    return along(load)


def newest_with(label: Label) -> Include:
    """In a list of labels `page` pages the list itself, and each brings its newest ones."""

    def load(call: Call, labels: Sequence[Any]) -> list[Related]:
        ids, size = [one.id for one in labels], call.caller.page_size
        newest = lines.newest_of_labels(call.db, call.user_id, label, ids, days_of(call), limit=size)
        return [as_relatives(call, newest[label_id]) for label_id in ids]

    return along(load)
