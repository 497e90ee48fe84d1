"""Changes preferences.

When the bank holidays change, recurrences are rescheduled so that no planned day is lost or fires twice.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date

from farthing.kernel.errors import Conflict, Problem
from farthing.schedule.weekend import DayOff
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ...currencies import store as currencies
from ...preferences import store
from ...preferences.model import CURRENCY, HOLIDAYS, FreeValue, Preference, Value
from ...recurrences import exceptions
from ...recurrences import store as recurrences
from ...recurrences.model import Recurrence


def change(db: Unit, user_id: int, preference: Preference, data: Value | FreeValue, now: str) -> None:
    moving = recurrences.find_minding_holidays(db, user_id) if preference.name == HOLIDAYS else []
    store.change(db, user_id, preference.id, data, now)
    _relocate(db, user_id, moving, now)


def prefer_currency(db: Unit, user_id: int, code: str, now: str) -> None:
    preference = store.get_named(db, user_id, CURRENCY)
    assert preference is not None, "every user has all preferences from the start"
    store.change(db, user_id, preference.id, code, now)


def unknown_currency_problems(db: Unit, name: str, data: object) -> list[Problem]:
    if name != CURRENCY or not isinstance(data, str) or currencies.by_code(db, data):
        return []
    return [Problem("data", f"The data must be the code of a currency, but there is no currency {data}.")]


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Reschedules recurrences if the undo changes the bank holidays.

    Refuses the undo if the preferred currency would be one that no longer exists.
    """
    touched = set(undoing.list_touched("preferences"))
    if not touched:
        yield
        return
    before = {preference.id: preference.data for preference in store.all_of(db, user_id)}
    moving = recurrences.find_minding_holidays(db, user_id)
    yield
    after = [
        preference
        for preference in store.all_of(db, user_id)
        if preference.id in touched and preference.data != before.get(preference.id)
    ]
    if any(preference.name == HOLIDAYS for preference in after):
        _relocate(db, user_id, moving, undoing.now)
    if any(unknown_currency_problems(db, preference.name, preference.data) for preference in after):
        raise Conflict("Not undone: the preferred currency would be one that no longer exists.")


def _relocate(db: Unit, user_id: int, before: Sequence[Recurrence], now: str) -> None:
    """Reschedules recurrences that respect bank holidays.

    `before` holds these recurrences as loaded before the change.
    """
    is_holiday = recurrences.holidays_of(db, user_id)
    pinned = {
        (recurrence.id, planned_on): lands_on
        for recurrence in before
        for planned_on, lands_on in _pin(recurrence, is_holiday)
    }
    exceptions.add_all(db, user_id, [(*planned, lands_on) for planned, lands_on in pinned.items()], now)
    recurrences.set_due(db, user_id, [recurrence.id for recurrence in before])


def _pin(recurrence: Recurrence, is_holiday: DayOff) -> Iterator[tuple[date, date]]:
    """Lists the planned days that the new holidays would move to days that are already settled.

    Returns each planned day with the date on which it would have fired under the old holidays.
    """
    new = recurrence.with_holidays(is_holiday).plan
    for pending in recurrence.agenda.list_pending():
        if pending.planned_on in recurrence.exceptions or pending.landed_on is None:
            continue
        if pending.landed_on > recurrence.settled_until + new.reach:
            break
        lands_on = new.lands(pending.planned_on, pending.place)
        if lands_on and lands_on <= recurrence.settled_until:
            yield pending.planned_on, pending.landed_on
