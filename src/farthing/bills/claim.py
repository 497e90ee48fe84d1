"""Which withdrawals pay a bill that was just made or changed? Few are linked at once, many by a job, batch by batch."""

from dataclasses import replace

from ..jobs import queue
from ..jobs.queue import Held, Job
from ..storage.unit import Database, Unit
from ..transactions import links
from ..transactions.links import Place
from ..users import store as users
from . import store
from .matching import words_in
from .model import Bill

KIND = "bills.claim"
# More candidates than this are left to a job.
AT_ONCE_MAX = 1000
# So many withdrawals of the range are looked at, linked ones too, to find out whether there are more candidates.
_LOOKED_AT_MAX = 5000
# So many withdrawals are looked at in one unit of work.
BATCH = 100
# A job reads on through so many batches that nothing in them pays, before it notes how far it has come.
_BATCHES_READ_MAX = 50


def begin(db: Unit, user_id: int, bill: Bill, now: str) -> None:
    """Links what pays the bill and is free. Behind another bill's job it waits its turn: the first one wins."""
    queue.cancel(db, user_id, KIND, bill.id)
    if not bill.looks:
        return
    if queue.waiting_for(db, user_id, KIND) or _are_many(db, user_id, bill):
        queue.add(db, user_id, KIND, bill.id, _data(Place()), now)
        return
    place: Place | None = Place()
    while place is not None:
        paying, place = _next(db, user_id, bill, place)
        _link(db, user_id, bill, paying)


def end(db: Unit, user_id: int, bill: Bill) -> None:
    """The bill goes, and so do its links."""
    queue.cancel(db, user_id, KIND, bill.id)
    links.release(db, user_id, bill.id)


def _are_many(db: Unit, user_id: int, bill: Bill) -> bool:
    found = _payments(db, user_id, bill, Place(), _LOOKED_AT_MAX)
    return len(found) == _LOOKED_AT_MAX or sum(one.free for one in found) > AT_ONCE_MAX


def step(database: Database, job: Job, held: Held) -> Job | None:
    """A part of the work of one job; None when nothing is left of it, or it is no longer ours.

    Reading needs no lock; what pays is looked at once more under it, because it may have changed in between.
    """
    with database.reading() as db:
        place = _next_place(db, job)
    with database.writing() as db:
        users.take(db, job.user_id, token_id=None, now=held.now, doing=KIND)
        if not queue.is_held(db, job, held):
            return None
        bill = store.get(db, job.user_id, job.subject_id)
        if bill is None or not bill.looks or place is None:
            queue.finish(db, job, held)
            return None
        paying, place = _next(db, job.user_id, bill, place)
        _link(db, job.user_id, bill, paying)
        if place is None:
            queue.finish(db, job, held)
            return None
        job = replace(job, data=_data(place))
        queue.keep(db, job, held)
        return job


def _next_place(db: Unit, job: Job) -> Place | None:
    """From where on something pays, as far as we read; None when there is nothing more."""
    bill = store.get(db, job.user_id, job.subject_id)
    place: Place | None = Place(*job.data["place"])
    for _ in range(_BATCHES_READ_MAX):
        if bill is None or place is None:
            return None
        paying, after = _next(db, job.user_id, bill, place)
        if paying:
            break
        place = after
    return place


def _next(db: Unit, user_id: int, bill: Bill, place: Place) -> tuple[list[int], Place | None]:
    """Which entries of the next batch pay the bill, and where the batch after it begins, if there is one."""
    batch = _payments(db, user_id, bill, place, BATCH)
    free = [one.place.entry_id for one in batch if one.free]
    paying = _holding_all(db, user_id, bill.asking.words, free) if free else []
    return paying, batch[-1].place if len(batch) == BATCH else None


def _holding_all(db: Unit, user_id: int, words: tuple[str, ...], entry_ids: list[int]) -> list[int]:
    """In memory are the words that an entry still lacks, not its texts; names are looked up once for all."""
    lacking = {entry_id: set(words) for entry_id in entry_ids}
    named: dict[int, set[int]] = {entry_id: set() for entry_id in entry_ids}
    for entry_id, text, account_ids in links.texts_of(db, user_id, entry_ids):
        lacking[entry_id] -= words_in(lacking[entry_id], text)
        named[entry_id].update(account_ids)
    names = links.names_of(db, user_id, {account_id for ids in named.values() for account_id in ids})
    for entry_id, its_accounts in named.items():
        for account_id in its_accounts:
            lacking[entry_id] -= words_in(lacking[entry_id], names[account_id])
    return [entry_id for entry_id in entry_ids if not lacking[entry_id]]


def _payments(db: Unit, user_id: int, bill: Bill, after: Place, limit: int) -> list[links.Payment]:
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


def _data(place: Place) -> dict[str, list[int]]:
    return {"place": list(place)}
