"""Changes preferences.

When the bank holidays change, it reschedules recurrences so that no day is lost or fires twice.
"""

from collections.abc import Sequence

from farthing.kernel.errors import Problem
from farthing.schedule.weekend import DayOff
from farthing.storage.unit import Unit

from ..currencies import store as currencies
from ..preferences import store
from ..preferences.model import CURRENCY, HOLIDAYS, Preference, Value
from ..recurrences import exceptions
from ..recurrences import store as recurrences
from ..recurrences.model import Recurrence


def change(db: Unit, user_id: int, preference: Preference, data: Value, now: str) -> None:
    moving = recurrences.find_minding_holidays(db, user_id) if preference.name == HOLIDAYS else []
    store.change(db, user_id, preference.id, data, now)
    _relocate(db, user_id, moving, now)


def prefer_currency(db: Unit, user_id: int, code: str, now: str) -> None:
    kept = store.get_named(db, user_id, CURRENCY)
    assert kept is not None, "every user has all preferences from the start"
    store.change(db, user_id, kept.id, code, now)


def unknown_currency_problems(db: Unit, name: str, data: object) -> list[Problem]:
    if name != CURRENCY or not isinstance(data, str) or currencies.by_code(db, data):
        return []
    return [Problem("data", f"The data must be the code of a known currency: there is no {data}.")]


def _relocate(db: Unit, user_id: int, before: Sequence[Recurrence], now: str) -> None:
    """`before` are the recurrences that respect holidays, loaded before the change."""
    is_holiday = recurrences.holidays_of(db, user_id)
    for one in before:
        _keep_pending(db, user_id, one, is_holiday, now)
        recurrences.set_due(db, user_id, one.id)


def _keep_pending(db: Unit, user_id: int, one: Recurrence, is_holiday: DayOff, now: str) -> None:
    """Pins days that the new holidays would move into the settled past to the day they had before."""
    new = one.with_holidays(is_holiday).plan
    for pending in one.agenda.list_pending():
        if pending.planned_on in one.exceptions or pending.landed_on is None:
            continue
        if pending.landed_on > one.settled_until + new.reach:
            break
        lands_on = new.lands(pending.planned_on, pending.place)
        if lands_on and lands_on <= one.settled_until:
            exceptions.put(db, user_id, one.id, pending.planned_on, pending.landed_on, now)
