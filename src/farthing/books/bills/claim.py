"""Links withdrawals to the new or changed bill that they pay.

A few withdrawals are linked immediately; many are linked by a background job, batch by batch.
"""

from collections.abc import Sequence

from farthing.storage import queue
from farthing.storage.change_log.records import values_by_id
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
    """Links the withdrawals that pay the bill, unless they have a bill or the user chose that they have none.

    If there are many candidates, or jobs of other bills are waiting, leaves the linking to a job.
    """
    queue.cancel(db, user_id, KIND, bill.id)
    if not bill.matches_automatically:
        return
    payments = _payments(db, user_id, bill, PaymentCursor(), _LOOKED_AT_MAX)
    are_many = len(payments) == _LOOKED_AT_MAX or sum(payment.free for payment in payments) > AT_ONCE_MAX
    if are_many or queue.list_waiting_subjects(db, user_id, KIND):
        queue.add(db, user_id, KIND, bill.id, _data(PaymentCursor()), now)
        return
    cursor: PaymentCursor | None = PaymentCursor()
    while cursor is not None:
        paying, cursor = _next(db, user_id, bill, cursor)
        _link(db, user_id, bill, paying)


def begin_all(db: Unit, user_id: int, bills: Sequence[Bill], now: str) -> None:
    """Links the withdrawals that pay these bills. For several bills, queues jobs, which run one after the other."""
    if len(bills) == 1:
        begin(db, user_id, bills[0], now)
    elif bills:
        queue.replace_all(db, user_id, KIND, [bill.id for bill in bills], _data(PaymentCursor()), now)


def end(db: Unit, user_id: int, bill: Bill) -> None:
    """Unlinks all transactions of a bill that is about to be deleted."""
    queue.cancel(db, user_id, KIND, bill.id)
    links.release(db, user_id, bill.id)


def write(db: Unit, job: Job, cursor: PaymentCursor | None, _now: str) -> JobProgress:
    """Links the withdrawals of the batch that `look` found.

    Matches the batch again, because it may have changed meanwhile.
    """
    bill = store.get(db, job.user_id, job.subject_id)
    if bill is None or not bill.matches_automatically or cursor is None:
        return JobProgress(data=job.data, more=False)
    paying, cursor = _next(db, job.user_id, bill, cursor)
    _link(db, job.user_id, bill, paying)
    return JobProgress(data=_data(cursor) if cursor else job.data, more=cursor is not None)


def look(db: Unit, job: Job, _now: str) -> PaymentCursor | None:
    """Reads ahead to the next batch with a match, up to a limit.

    Returns the cursor of the batch to write, or None at the end.
    """
    bill = store.get(db, job.user_id, job.subject_id)
    units, entry_id = job.data["place"]
    cursor: PaymentCursor | None = PaymentCursor(units=units, entry_id=entry_id)
    for _ in range(_BATCHES_READ_MAX):
        if bill is None or cursor is None:
            return None
        paying, after = _next(db, job.user_id, bill, cursor)
        if paying:
            break
        cursor = after
    return cursor


def _next(db: Unit, user_id: int, bill: Bill, cursor: PaymentCursor) -> tuple[list[int], PaymentCursor | None]:
    """Returns the entries of the next batch that pay the bill, and the cursor of the batch after it, if any."""
    batch = _payments(db, user_id, bill, cursor, BATCH)
    free = [payment.cursor.entry_id for payment in batch if payment.free]
    paying = _select_containing(db, user_id, bill.criteria.words, free) if free else []
    return paying, batch[-1].cursor if len(batch) == BATCH else None


def _select_containing(db: Unit, user_id: int, words: tuple[str, ...], entry_ids: list[int]) -> list[int]:
    """Selects the entries whose texts contain all the words.

    To save memory, keeps only the words that each entry still lacks, not the texts. Reads each account name only once.
    """
    lacking = {entry_id: set(words) for entry_id in entry_ids}
    named: dict[int, set[int]] = {entry_id: set() for entry_id in entry_ids}
    for text in links.texts_of(db, user_id, entry_ids):
        lacking[text.entry_id] -= words_in(lacking[text.entry_id], text.text)
        named[text.entry_id].update(text.account_ids)
    account_ids = {account_id for ids in named.values() for account_id in ids}
    names = values_by_id(db, user_id, "accounts", "name", account_ids)
    for entry_id, its_accounts in named.items():
        for account_id in its_accounts:
            lacking[entry_id] -= words_in(lacking[entry_id], names[account_id])
    return [entry_id for entry_id in entry_ids if not lacking[entry_id]]


def _payments(db: Unit, user_id: int, bill: Bill, after: PaymentCursor, limit: int) -> list[links.PaymentCandidate]:
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


def _data(cursor: PaymentCursor) -> dict[str, list[int]]:
    return {"place": [cursor.units, cursor.entry_id]}
