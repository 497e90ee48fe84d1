"""Links the withdrawals that pay a new or changed bill: a few at once, many in a job, batch by batch."""

from collections.abc import Sequence

from farthing.storage import queue
from farthing.storage.queue import Job, JobProgress
from farthing.storage.unit import Unit

from ..transactions import links
from ..transactions.links import PaymentCursor
from . import store
from .matching import words_in
from .model import Bill

KIND = "bills.claim"
# With more candidates than this, a job does the linking.
AT_ONCE_MAX = 1000
# How many withdrawals in the amount range to read, linked ones included, when counting candidates.
_LOOKED_AT_MAX = 5000
# Withdrawals read per unit of work.
BATCH = 100
# Batches without a match that a job reads before it saves its cursor.
_BATCHES_READ_MAX = 50


def begin(db: Unit, user_id: int, bill: Bill, now: str) -> None:
    """Links the free withdrawals that pay the bill. If other bills have jobs waiting, this one queues behind them."""
    queue.cancel(db, user_id, KIND, bill.id)
    if not bill.matches_automatically:
        return
    if queue.list_waiting_subjects(db, user_id, KIND) or _are_many(db, user_id, bill):
        queue.add(db, user_id, KIND, bill.id, _data(PaymentCursor()), now)
        return
    place: PaymentCursor | None = PaymentCursor()
    while place is not None:
        paying, place = _next(db, user_id, bill, place)
        _link(db, user_id, bill, paying)


def begin_all(db: Unit, user_id: int, bills: Sequence[Bill], now: str) -> None:
    """The same for several bills, in jobs, which scan one after the other."""
    if len(bills) == 1:
        begin(db, user_id, bills[0], now)
    elif bills:
        queue.replace_all(db, user_id, KIND, [bill.id for bill in bills], _data(PaymentCursor()), now)


def end(db: Unit, user_id: int, bill: Bill) -> None:
    """Unlinks all transactions of a bill that is about to be deleted."""
    queue.cancel(db, user_id, KIND, bill.id)
    links.release(db, user_id, bill.id)


def _are_many(db: Unit, user_id: int, bill: Bill) -> bool:
    found = _payments(db, user_id, bill, PaymentCursor(), _LOOKED_AT_MAX)
    return len(found) == _LOOKED_AT_MAX or sum(one.free for one in found) > AT_ONCE_MAX


def write(db: Unit, job: Job, place: PaymentCursor | None, _now: str) -> JobProgress:
    """Matches the batch again under the lock, because it may have changed since `look` read it."""
    bill = store.get(db, job.user_id, job.subject_id)
    if bill is None or not bill.matches_automatically or place is None:
        return JobProgress(data=job.data, more=False)
    paying, place = _next(db, job.user_id, bill, place)
    _link(db, job.user_id, bill, paying)
    return JobProgress(data=_data(place) if place else job.data, more=place is not None)


def look(db: Unit, job: Job, _now: str) -> PaymentCursor | None:
    """Reads ahead to the next batch with a match; None when there is nothing left."""
    bill = store.get(db, job.user_id, job.subject_id)
    units, entry_id = job.data["place"]
    place: PaymentCursor | None = PaymentCursor(units=units, entry_id=entry_id)
    for _ in range(_BATCHES_READ_MAX):
        if bill is None or place is None:
            return None
        paying, after = _next(db, job.user_id, bill, place)
        if paying:
            break
        place = after
    return place


def _next(db: Unit, user_id: int, bill: Bill, place: PaymentCursor) -> tuple[list[int], PaymentCursor | None]:
    """The matching entries of the next batch, and the cursor of the batch after it, if any."""
    batch = _payments(db, user_id, bill, place, BATCH)
    free = [one.place.entry_id for one in batch if one.free]
    paying = _select_containing(db, user_id, bill.criteria.words, free) if free else []
    return paying, batch[-1].place if len(batch) == BATCH else None


def _select_containing(db: Unit, user_id: int, words: tuple[str, ...], entry_ids: list[int]) -> list[int]:
    """Tracks the words that each entry still lacks instead of keeping texts in memory; reads each account name once."""
    lacking = {entry_id: set(words) for entry_id in entry_ids}
    named: dict[int, set[int]] = {entry_id: set() for entry_id in entry_ids}
    for one in links.texts_of(db, user_id, entry_ids):
        lacking[one.entry_id] -= words_in(lacking[one.entry_id], one.text)
        named[one.entry_id].update(one.account_ids)
    names = links.names_of(db, user_id, {account_id for ids in named.values() for account_id in ids})
    for entry_id, its_accounts in named.items():
        for account_id in its_accounts:
            lacking[entry_id] -= words_in(lacking[entry_id], names[account_id])
    return [entry_id for entry_id in entry_ids if not lacking[entry_id]]


def _payments(db: Unit, user_id: int, bill: Bill, after: PaymentCursor, limit: int) -> list[links.Payment]:
    return links.payments_between(
        db,
        user_id,
        bill.currency.id,
        lowest=bill.lowest_units,
        highest=bill.highest_units,
        after=after,
        limit=limit,
    )


def _link(db: Unit, user_id: int, bill: Bill, paying: list[int]) -> None:
    if paying:
        links.link(db, user_id, paying, bill.id)


def _data(place: PaymentCursor) -> dict[str, list[int]]:
    return {"place": [place.units, place.entry_id]}
