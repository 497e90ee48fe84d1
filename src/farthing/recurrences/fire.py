"""What is due, and what does it become? Each planned day fires exactly once, dated on the day it lands on."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from ..errors import FarthingError
from ..labels import store as labels
from ..ledger.entry import Entry, Party, Split
from ..money import Money
from ..schedule.occurrences import Occurrence
from ..storage.unit import Unit
from ..transactions import record
from . import store
from .model import KeptSplit, Recurrence

DAY = timedelta(days=1)
# What the log of changes calls it.
DOING = "recurrences.fire"


@dataclass(frozen=True)
class Fired:
    """What one recurrence made, as ids of entries, or why it could not."""

    recurrence_id: int
    title: str
    entry_ids: tuple[int, ...]
    failure: str | None = None


@dataclass(frozen=True)
class Moment:
    """Up to which day to fire, what is done with missed days, and what time it is for the user."""

    as_of: date
    today: date
    catch_up: str
    now: str


def fire_user(db: Unit, user_id: int, at: Moment) -> list[Fired]:
    """Everything of one user that is due; one recurrence that fails stops no other. The user is taken already."""
    fired = [fire(db, user_id, one, at) for one in store.due(db, user_id, at.as_of)]
    return [one for one in fired if one.entry_ids or one.failure]


def fire(db: Unit, user_id: int, one: Recurrence, at: Moment, *, most: int | None = None) -> Fired:
    """What lands up to a day, and settles it: nothing that lands on or before it fires again.

    Days to come are settled only before one that fired: an edit may still change the others. With `most`, a long
    catch-up stops at the end of the day that reaches so many; the rest stays due.
    """
    if not one.active:
        return Fired(one.id, one.title, ())
    chosen = _caught_up(_pending(one, at.as_of), at)
    if one.left is not None:
        chosen = chosen[: one.left]
    until = at.as_of
    if most is not None and len(chosen) > most:
        until = chosen[most - 1].landed_on or until
        chosen = [occurrence for occurrence in chosen if occurrence.landed_on and occurrence.landed_on <= until]
    try:
        with db.savepoint():
            entry_ids = _book(db, user_id, one, chosen, at.now)
            latest = max((day for occurrence in chosen if (day := occurrence.landed_on)), default=None)
            settled = max(one.settled_until, min(until, at.today), latest - DAY if latest else one.settled_until)
            store.settle(db, user_id, one.id, until=settled, fired=len(entry_ids), latest=latest, failure=None)
    except FarthingError as error:
        store.set_failure(db, user_id, one.id, str(error))
        return Fired(one.id, one.title, (), str(error))
    return Fired(one.id, one.title, tuple(entry_ids))


def _pending(one: Recurrence, as_of: date) -> list[Occurrence]:
    """What lands since the last settled day and has not fired.

    Firings are counted per planned day, whichever place they had: so moving a repetition within the list, or from
    one weekend rule to another, fires nothing twice.
    """
    fired = Counter(planned_on for _, planned_on in one.fired_lately)
    found = []
    for occurrence in one.plan.landing(one.settled_until + DAY, as_of):
        if fired[occurrence.planned_on]:
            fired[occurrence.planned_on] -= 1
        else:
            found.append(occurrence)
    return sorted(found, key=lambda each: (each.landed_on, each.planned_on, each.place))


def _caught_up(pending: list[Occurrence], at: Moment) -> list[Occurrence]:
    """What to do with days that were missed: make all of them, the latest only, or none but the last day's."""
    if at.catch_up == "latest":
        return pending[-1:]
    if at.catch_up == "none":
        return [one for one in pending if one.landed_on == at.as_of]
    return pending


def _book(db: Unit, user_id: int, one: Recurrence, chosen: list[Occurrence], now: str) -> list[int]:
    if not chosen:
        return []
    tag_ids = tuple(labels.ids_of(db, user_id, "tags", one.tags, now)) if one.tags else ()
    entries = [_entry(one, occurrence, tag_ids) for occurrence in chosen]
    entry_ids = record.record_all(db, user_id, entries, now)
    free = _free_places(one, chosen)
    store.add_firings(db, user_id, one.id, list(zip(free, entry_ids, strict=True)))
    return entry_ids


def _free_places(one: Recurrence, chosen: Iterable[Occurrence]) -> list[Occurrence]:
    """The place under which a firing is noted: another one where an edit left its own taken."""
    taken = set(one.fired_lately)
    noted = []
    for occurrence in chosen:
        place = occurrence.place
        while (place, occurrence.planned_on) in taken:
            place += len(one.repetitions)
        taken.add((place, occurrence.planned_on))
        noted.append(Occurrence(occurrence.planned_on, place, occurrence.landed_on))
    return noted


def _entry(one: Recurrence, occurrence: Occurrence, tag_ids: tuple[int, ...]) -> Entry:
    assert occurrence.landed_on is not None, "a dropped day is never chosen"
    single = len(one.splits) == 1
    return Entry(
        type=one.type,
        on=occurrence.landed_on,
        description=one.splits[0].description,
        splits=tuple(_split(split, described=not single) for split in one.splits),
        notes=f"Made by the recurrence “{one.title}”.",
        tag_ids=tag_ids,
        recurrence_id=one.id,
        piggy_bank_id=one.piggy_bank_id,
    )


def _split(kept: KeptSplit, *, described: bool) -> Split:
    foreign = Money(kept.foreign_units, kept.foreign_currency) if kept.foreign_units and kept.foreign_currency else None
    return Split(
        source=Party(kept.source_id, kept.source_currency, kept.source_name),
        destination=Party(kept.destination_id, kept.destination_currency, kept.destination_name),
        amount=Money(kept.units, kept.currency),
        foreign=foreign,
        description=kept.description if described else None,
        category_id=kept.category_id,
        budget_id=kept.budget_id,
    )
