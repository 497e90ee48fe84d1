"""Fires recurrences, that is, books their transactions: one per planned day, dated with the day on which it lands.

The two days can differ because of a weekend, a holiday or a change by hand.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice, takewhile

from msgspec import Struct

from farthing.kernel.errors import FarthingError, Invalid, Unavailable
from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Type
from farthing.schedule.occurrences import Occurrence
from farthing.storage.unit import Unit

from ..bills import pay
from ..bookkeeping import record
from ..labels import store as labels
from ..rules import apply as rules
from ..rules.foresee import foresee_new
from . import store
from .model import Recurrence, RecurrenceSplit

DAY = timedelta(days=1)
# The name of the write in the change log.
DOING = "recurrences.fire"
_LOG = logging.getLogger("farthing.recurrences")


class FiringResult(Struct, frozen=True):
    """Reports the ids of the entries that a recurrence created, or why the recurrence failed."""

    recurrence_id: int
    title: str
    entry_ids: tuple[int, ...]
    failure: str | None = None


class FiringTime(Struct, frozen=True):
    """`as_of` is the last day to fire, `today` the user's date, and `catch_up` the preference for missed days."""

    as_of: date
    today: date
    catch_up: str
    now: str


def fire_user(
    db: Unit, user_id: int, at: FiringTime, *, most: int, done: set[int] | None = None
) -> tuple[list[FiringResult], bool]:
    """Fires a user's due recurrences, while the caller holds the user's lock. If one fails, the others still fire.

    Stops after about `most` transactions, and then returns True as the second value, because more may be due. Skips
    the recurrences in `done`, and adds each finished recurrence to that set.
    """
    done = set() if done is None else done
    results: list[FiringResult] = []
    for recurrence in store.find_due(db, user_id, at.as_of):
        if recurrence.id in done:
            continue
        result = fire(db, user_id, recurrence, at, most=most)
        most -= len(result.entry_ids)
        if result.entry_ids or result.failure:
            results.append(result)
        if most <= 0:
            return results, True
        done.add(recurrence.id)
    return results, False


def fire(db: Unit, user_id: int, recurrence: Recurrence, at: FiringTime, *, most: int | None = None) -> FiringResult:
    """Fires all occurrences that land on or before `at.as_of`, and settles these days, so that they never fire again.

    A future day is settled only if a later day has fired, because an edit may still change that future day. With
    `most`, a catch-up stops after the day on which the limit is reached; later days stay due.
    """
    if not recurrence.active:
        return FiringResult(recurrence_id=recurrence.id, title=recurrence.title, entry_ids=())
    chosen = _choose(recurrence, at, most)
    until = at.as_of
    if most is not None and len(chosen) >= most:
        until = chosen[-1].landed_on or until
    try:
        with db.savepoint():
            entry_ids = _book(db, user_id, recurrence, chosen, at.now)
            latest = max((day for occurrence in chosen if (day := occurrence.landed_on)), default=None)
            settled = max(recurrence.settled_until, min(until, at.today), latest - DAY if latest else date.min)
            store.settle(db, user_id, recurrence.after(chosen, settled), latest=latest)
    except Unavailable:
        raise  # the database is at fault, and could not store a failure either
    except FarthingError as error:
        return _note_failure(db, user_id, recurrence, error.sentences if isinstance(error, Invalid) else str(error))
    except Exception as error:
        _LOG.exception("the recurrence %d of user %d could not fire", recurrence.id, user_id)
        internal = f"Internal error ({type(error).__name__}); the server's log has the details."
        return _note_failure(db, user_id, recurrence, internal)
    return FiringResult(recurrence_id=recurrence.id, title=recurrence.title, entry_ids=tuple(entry_ids))


def fire_day(db: Unit, user_id: int, recurrence: Recurrence, day: date, at: FiringTime) -> list[int]:
    """Books a planned day now, dated `at.as_of`, so that it does not fire again. Does nothing if it has fired."""
    fired = {firing.occurrence.place for firing in store.firings(db, user_id, recurrence.id, day, day, [])}
    chosen = [
        Occurrence(planned_on=day, place=place, landed_on=at.as_of)
        for place in recurrence.plan.places(day)
        if place not in fired
    ][: recurrence.left]
    entry_ids = _book(db, user_id, recurrence, chosen, at.now)
    store.settle(db, user_id, recurrence.after(chosen, recurrence.settled_until), latest=at.as_of if chosen else None)
    return entry_ids


def _note_failure(db: Unit, user_id: int, recurrence: Recurrence, failure: str) -> FiringResult:
    store.set_failure(db, user_id, recurrence.id, failure)
    return FiringResult(recurrence_id=recurrence.id, title=recurrence.title, entry_ids=(), failure=failure)


def _choose(recurrence: Recurrence, at: FiringTime, most: int | None) -> list[Occurrence]:
    """Chooses the occurrences to fire, in order. Respects the catch-up rule and the number of repetitions left."""
    pending = takewhile(lambda day: day.landed_on and day.landed_on <= at.as_of, recurrence.agenda.list_pending())
    due = islice(_catch_up(recurrence, pending, at), recurrence.left)
    return list(due) if most is None else _whole_days(due, most)


def _whole_days(due: Iterator[Occurrence], most: int) -> list[Occurrence]:
    """Takes up to `most` occurrences, and all others that land on the same day as the last one taken."""
    some = list(islice(due, most))
    return some + list(takewhile(lambda occurrence: occurrence.landed_on == some[-1].landed_on, due))


def _catch_up(recurrence: Recurrence, pending: Iterator[Occurrence], at: FiringTime) -> Iterator[Occurrence]:
    """Chooses which of the pending occurrences to fire: all, only the latest, or only those that land on `at.as_of`.

    Always includes occurrences that were moved by hand, because the user has chosen their days.
    """
    if at.catch_up == "all":
        return pending
    missed = list(pending)
    by_rule = [occurrence for occurrence in missed if occurrence.planned_on not in recurrence.exceptions]
    if at.catch_up == "latest":
        passed_over = by_rule[:-1]
    else:
        passed_over = [occurrence for occurrence in by_rule if occurrence.landed_on != at.as_of]
    return (occurrence for occurrence in missed if occurrence not in passed_over)


def _book(db: Unit, user_id: int, recurrence: Recurrence, chosen: list[Occurrence], now: str) -> list[int]:
    if not chosen:
        return []
    tag_ids = tuple(labels.ids_of(db, user_id, "tags", recurrence.tags, now)) if recurrence.tags else ()
    entries = [_entry(recurrence, occurrence, tag_ids) for occurrence in chosen]
    if recurrence.apply_rules:
        entries = rules.on_entries(db, user_id, entries, now)
    entry_ids = record.record_all(db, user_id, entries, now)
    free = _free_places(recurrence, chosen)
    store.add_firings(db, user_id, recurrence.id, list(zip(free, entry_ids, strict=True)))
    return entry_ids


def _free_places(recurrence: Recurrence, chosen: Iterable[Occurrence]) -> list[Occurrence]:
    """Assigns each occurrence a place that has not fired on its planned day.

    If the recurrence has been edited, the occurrence's own place may have fired on that day already.
    """
    taken = {(firing.place, firing.planned_on) for firing in recurrence.recent_firings}
    noted = []
    for occurrence in chosen:
        place = occurrence.place
        while (place, occurrence.planned_on) in taken:
            place += len(recurrence.repetitions)
        taken.add((place, occurrence.planned_on))
        noted.append(Occurrence(planned_on=occurrence.planned_on, place=place, landed_on=occurrence.landed_on))
    return noted


def next_entry(recurrence: Recurrence, today: date) -> Entry:
    """Returns the entry that the recurrence books next, before any rules are applied and without tags."""
    following = next(recurrence.agenda.list_pending(), Occurrence(planned_on=today, place=0, landed_on=today))
    return _entry(recurrence, following, ())


def _entry(recurrence: Recurrence, occurrence: Occurrence, tag_ids: tuple[int, ...]) -> Entry:
    assert occurrence.landed_on is not None, "a dropped day is never chosen"
    return Entry(
        type=recurrence.type,
        on=occurrence.landed_on,
        description=recurrence.splits[0].description,
        splits=tuple(_split(split, described=len(recurrence.splits) > 1) for split in recurrence.splits),
        notes=f"Made by the recurrence “{recurrence.title}”.",
        tag_ids=tag_ids,
        recurrence_id=recurrence.id,
        piggy_bank_id=recurrence.piggy_bank_id,
    )


def _split(stored: RecurrenceSplit, *, described: bool) -> Split:
    units, currency = stored.foreign_units, stored.foreign_currency
    return Split(
        source=Party(id=stored.source_id, currency=stored.source_currency, name=stored.source_name),
        destination=Party(id=stored.destination_id, currency=stored.destination_currency, name=stored.destination_name),
        amount=Money(stored.units, stored.currency),
        foreign=Money(units, currency) if units and currency else None,
        description=stored.description if described else None,
        category_id=stored.category_id,
        budget_id=stored.budget_id,
    )


def find_next_bills(db: Unit, user_id: int, recurrences: Sequence[Recurrence], today: date) -> dict[int, int]:
    """Predicts which bill the next transaction of each recurrence will pay. Returns bill ids by recurrence id.

    The number of queries does not depend on the number of recurrences.
    """
    paying = [recurrence for recurrence in recurrences if recurrence.type == Type.WITHDRAWAL]
    paying.sort(key=lambda recurrence: not recurrence.apply_rules)
    ruled = [recurrence for recurrence in paying if recurrence.apply_rules]
    entries = [next_entry(recurrence, today) for recurrence in paying]
    foreseen = foresee_new(db, user_id, entries[: len(ruled)], [recurrence.tags for recurrence in ruled])
    chosen = zip(paying, pay.choose_bills(db, user_id, [*foreseen, *entries[len(ruled) :]]), strict=True)
    return {recurrence.id: entry.bill_id for recurrence, entry in chosen if entry.bill_id}
