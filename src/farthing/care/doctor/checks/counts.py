"""Checks the stored counts of entries and splits."""

from collections.abc import Iterator

from farthing.storage.unit import Unit

from .basics.drifts import MADE, Drift, SumRow, describe_period, find_drifts
from .basics.finding import DoctorFinding, Person, name_type
from .basics.run import try_quickly

_COUNTED = ("entries", "splits")
_STORED = "SELECT type, grain, period, entries, splits FROM counts WHERE user_id = :user_id"
_COUNTS = f"""
{_STORED}
UNION ALL
SELECT type, '{MADE}', on_day, COUNT(*), 0 FROM entries WHERE user_id = :user_id GROUP BY 1, 3
UNION ALL
SELECT type, '{MADE}', on_day, 0, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 3
ORDER BY 1
"""
# Other checks ensure that each entry has a first split of its type and day, so one ordered index suffices.
_BY_SPLITS = f"""
{_STORED}
UNION ALL
SELECT type, '{MADE}', on_day, COUNT(CASE WHEN position = 0 THEN 1 END), COUNT(*)
FROM splits WHERE user_id = :user_id GROUP BY 1, 3
ORDER BY 1
"""


def counts(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Counts the entries themselves only if their first splits disagree, because that takes a sort."""
    if try_quickly(db, lambda: not any(_find_drifts(db, person, _BY_SPLITS)), unknown=False):
        return
    for drift in _find_drifts(db, person, _COUNTS):
        yield person.finding(
            "count",
            f"{_COUNTED[drift.index]} of type {name_type(drift.key[0])}, {describe_period(drift.period)}: "
            f"the stored count is {drift.stored}, but there are {drift.true}.",
            period=drift.period,
            stored=drift.stored,
            true=drift.true,
        )


def _find_drifts(db: Unit, person: Person, sql: str) -> Iterator[Drift]:
    return find_drifts(
        SumRow(key=(type_,), grain=grain, period=period, figures=(entries, splits))
        for type_, grain, period, entries, splits in db.stream(sql, user_id=person.id)
    )
