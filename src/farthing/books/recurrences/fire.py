"""Fires recurrences: each planned day once, dated on the day it lands on."""

import logging
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import islice, takewhile

from msgspec import Struct

from farthing.kernel.errors import FarthingError, Invalid, Unavailable
from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.schedule.occurrences import Occurrence
from farthing.storage.unit import Unit

from ..bookkeeping import record
from ..labels import store as labels
from ..rules import apply as rules
from . import store
from .model import KeptSplit, Recurrence

DAY = timedelta(days=1)
# Its name in the change log.
DOING = "recurrences.fire"
_LOG = logging.getLogger("farthing.recurrences")


class FiringResult(Struct, frozen=True):
    """The ids of the entries that a recurrence made, or why it failed."""

    recurrence_id: int
    title: str
    entry_ids: tuple[int, ...]
    failure: str | None = None


class FiringTime(Struct, frozen=True):
    """The day up to which to fire, the user's date and time, and what to do about missed days."""

    as_of: date
    today: date
    catch_up: str
    now: str


def fire_user(
    db: Unit, user_id: int, at: FiringTime, *, most: int, done: set[int] | None = None
) -> tuple[list[FiringResult], bool]:
    """Fires what is due for one user, whose lock the caller holds; a recurrence that fails does not stop the others.

    When `most` is reached, the rest stays due, and the second value is True: there may be more. Recurrences in `done`
    are skipped; finished ones are added to it.
    """
    done = set() if done is None else done
    found: list[FiringResult] = []
    for one in store.find_due(db, user_id, at.as_of):
        if one.id in done:
            continue
        fired = fire(db, user_id, one, at, most=most)
        most -= len(fired.entry_ids)
        if fired.entry_ids or fired.failure:
            found.append(fired)
        if most <= 0:
            return found, True
        done.add(one.id)
    return found, False


def fire(db: Unit, user_id: int, one: Recurrence, at: FiringTime, *, most: int | None = None) -> FiringResult:
    """Fires what lands up to a day and settles it: nothing that lands on or before that day fires again.

    Future days are settled only before one that fired, because an edit may still change the others. With `most`, a long
    catch-up stops at the end of the day that reaches the limit; the rest stays due.
    """
    if not one.active:
        return FiringResult(recurrence_id=one.id, title=one.title, entry_ids=())
    chosen = _choose(one, at, most)
    until = at.as_of
    if most is not None and len(chosen) >= most:
        until = chosen[-1].landed_on or until
    try:
        with db.savepoint():
            entry_ids = _book(db, user_id, one, chosen, at.now)
            latest = max((day for occurrence in chosen if (day := occurrence.landed_on)), default=None)
            settled = max(one.settled_until, min(until, at.today), latest - DAY if latest else one.settled_until)
            store.settle(db, user_id, one.after(chosen, settled), latest=latest)
    except Unavailable:
        raise  # not the recurrence's fault, and its failure could not be stored either
    except FarthingError as error:
        return _note_failure(db, user_id, one, _reason(error))
    except Exception as error:
        _LOG.exception("the recurrence %d of user %d could not fire", one.id, user_id)
        return _note_failure(
            db, user_id, one, f"Something unexpected went wrong ({type(error).__name__}); the log says more."
        )
    return FiringResult(recurrence_id=one.id, title=one.title, entry_ids=tuple(entry_ids))


def _reason(error: FarthingError) -> str:
    return error.sentences if isinstance(error, Invalid) else str(error)


def _note_failure(db: Unit, user_id: int, one: Recurrence, failure: str) -> FiringResult:
    store.set_failure(db, user_id, one.id, failure)
    return FiringResult(recurrence_id=one.id, title=one.title, entry_ids=(), failure=failure)


def _choose(one: Recurrence, at: FiringTime, most: int | None) -> list[Occurrence]:
    """The occurrences to fire, in order: unsettled, within the catch-up rule and the repetitions left."""
    pending = takewhile(lambda each: each.landed_on and each.landed_on <= at.as_of, one.agenda.list_pending())
    wanted = islice(_catch_up(one, pending, at), one.left)
    return list(wanted) if most is None else _whole_days(wanted, most)


def _whole_days(wanted: Iterator[Occurrence], most: int) -> list[Occurrence]:
    """Up to `most`, plus the others that land on the day of the last one."""
    some = list(islice(wanted, most))
    return some + list(takewhile(lambda each: each.landed_on == some[-1].landed_on, wanted))


def _catch_up(one: Recurrence, pending: Iterator[Occurrence], at: FiringTime) -> Iterator[Occurrence]:
    """Which missed days to make up for: all, only the latest, or only those of the last day.

    Days moved by hand always fire, because somebody wanted them.
    """
    if at.catch_up == "all":
        return pending
    missed = list(pending)
    by_rule = [each for each in missed if each.planned_on not in one.exceptions]
    kept = by_rule[-1:] if at.catch_up == "latest" else [each for each in by_rule if each.landed_on == at.as_of]
    return iter([each for each in missed if each in kept or each.planned_on in one.exceptions])


def _book(db: Unit, user_id: int, one: Recurrence, chosen: list[Occurrence], now: str) -> list[int]:
    if not chosen:
        return []
    tag_ids = tuple(labels.ids_of(db, user_id, "tags", one.tags, now)) if one.tags else ()
    splits = tuple(_split(split, described=len(one.splits) > 1) for split in one.splits)
    entries = [_entry(one, occurrence, splits, tag_ids) for occurrence in chosen]
    if one.apply_rules:
        entries = rules.on_entries(db, user_id, entries, now)
    entry_ids = record.record_all(db, user_id, entries, now)
    free = _free_places(one, chosen)
    store.add_firings(db, user_id, one.id, list(zip(free, entry_ids, strict=True)))
    return entry_ids


def _free_places(one: Recurrence, chosen: Iterable[Occurrence]) -> list[Occurrence]:
    """Records a firing under another place if an edit has left its own occupied."""
    taken = {(each.place, each.planned_on) for each in one.recent_firings}
    noted = []
    for occurrence in chosen:
        place = occurrence.place
        while (place, occurrence.planned_on) in taken:
            place += len(one.repetitions)
        taken.add((place, occurrence.planned_on))
        noted.append(Occurrence(planned_on=occurrence.planned_on, place=place, landed_on=occurrence.landed_on))
    return noted


def next_entry(one: Recurrence, today: date) -> Entry:
    """What it books next, before the rules and without its tags."""
    following = next(one.agenda.list_pending(), Occurrence(planned_on=today, place=0, landed_on=today))
    return _entry(one, following, tuple(_split(split, described=len(one.splits) > 1) for split in one.splits), ())


def _entry(one: Recurrence, occurrence: Occurrence, splits: tuple[Split, ...], tag_ids: tuple[int, ...]) -> Entry:
    assert occurrence.landed_on is not None, "a dropped day is never chosen"
    return Entry(
        type=one.type,
        on=occurrence.landed_on,
        description=one.splits[0].description,
        splits=splits,
        notes=f"Made by the recurrence “{one.title}”.",
        tag_ids=tag_ids,
        recurrence_id=one.id,
        piggy_bank_id=one.piggy_bank_id,
    )


def _split(kept: KeptSplit, *, described: bool) -> Split:
    foreign = Money(kept.foreign_units, kept.foreign_currency) if kept.foreign_units and kept.foreign_currency else None
    return Split(
        source=Party(id=kept.source_id, currency=kept.source_currency, name=kept.source_name),
        destination=Party(id=kept.destination_id, currency=kept.destination_currency, name=kept.destination_name),
        amount=Money(kept.units, kept.currency),
        foreign=foreign,
        description=kept.description if described else None,
        category_id=kept.category_id,
        budget_id=kept.budget_id,
    )
