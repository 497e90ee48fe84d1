"""What happens to recurrences when their user's bank holidays become others? Nothing is lost, nothing fires twice."""

from collections.abc import Sequence

from ..schedule.weekend import DayOff
from ..storage.unit import Unit
from . import exceptions, store
from .model import Recurrence


def relocate(db: Unit, user_id: int, before: Sequence[Recurrence], now: str) -> None:
    """`before` are those that go by holidays, as they were under the old ones."""
    is_holiday = store.holidays_of(db, user_id)
    for one in before:
        _keep_awaited(db, user_id, one, is_holiday, now)
        store.set_due(db, user_id, one.id)


def _keep_awaited(db: Unit, user_id: int, one: Recurrence, is_holiday: DayOff, now: str) -> None:
    """What was still to land, and is put into the past by the new holidays, lands where it would have."""
    new = one.with_holidays(is_holiday).plan
    for awaited in one.agenda.awaited():
        if awaited.planned_on in one.exceptions or awaited.landed_on is None:
            continue
        if awaited.landed_on > one.settled_until + new.reach:
            break
        lands_on = new.lands(awaited.planned_on, awaited.place)
        if lands_on and lands_on <= one.settled_until:
            exceptions.put(db, user_id, one.id, awaited.planned_on, awaited.landed_on, now)
