"""Checks the firings of recurrences, and when they are due."""

from collections.abc import Iterator

from farthing.books.recurrences import exceptions, store
from farthing.storage.unit import Unit

from .basics.finding import DoctorFinding, Person

_KEPT = """
SELECT r.id, r.fired, r.latest_on, r.due_on, COUNT(f.id), MAX(f.landed_on)
FROM recurrences r LEFT JOIN firings f ON f.user_id = r.user_id AND f.recurrence_id = r.id
WHERE r.user_id = :user_id GROUP BY r.id, r.fired, r.latest_on, r.due_on ORDER BY r.id
"""


def recurrences(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    _, planned = store.page(db, person.id, limit=_EVERY, offset=0)
    by_id = {recurrence.id: recurrence for recurrence in planned}
    for recurrence_id, fired, latest_on, due_on, made, latest in db.all(_KEPT, user_id=person.id):
        recurrence = by_id[recurrence_id]
        name = f"the recurrence {recurrence.id} '{recurrence.title}'"
        if fired != made:
            yield person.finding("recurrence", f"{name} has fired {made} times, not {fired}.", stored=fired, true=made)
        if latest_on != latest:
            yield person.finding("recurrence", f"{name} fired last on {latest}, not on {latest_on}.")
        day = recurrence.agenda.next_day() if recurrence.active else None
        if due_on != (day.isoformat() if day else None):
            yield person.finding("recurrence", f"{name} is due on {day}, but stored as due on {due_on}.")
        for by_hand in exceptions.find_pending(db, person.id, [recurrence.id]):
            if not recurrence.plan.plans(by_hand.planned_on):
                sentence = f"{name} has a manual change for {by_hand.planned_on}, which is not a planned day."
                yield person.finding("recurrence", sentence, period=str(by_hand.planned_on))
    yield from _unlisted(db, person)


_EVERY = 2**31


def _unlisted(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks that transactions of a recurrence are listed among its firings."""
    rows = db.stream(
        """
        SELECT id, on_day, recurrence_id FROM entries WHERE user_id = :user_id AND recurrence_id IS NOT NULL
        EXCEPT
        SELECT e.id, e.on_day, f.recurrence_id FROM firings f
        JOIN entries e ON e.user_id = f.user_id AND e.id = f.entry_id WHERE f.user_id = :user_id
        ORDER BY 1
        """,
        user_id=person.id,
    )
    for entry_id, on, recurrence_id in rows:
        sentence = f"transaction {entry_id} of {on} was made by recurrence {recurrence_id}, which does not list it."
        yield person.finding("recurrence", sentence, period=on)
