"""Checks the stored counts of entries and splits."""

from collections.abc import Iterator

from farthing.storage.unit import Unit

from .finding import Finding, Person, name_type
from .sums import MADE, SumRow, describe_period, find_drifts

_COUNTED = ("entries", "splits")
_COUNTS = f"""
SELECT type, grain, period, entries, splits FROM counts WHERE user_id = :user_id
UNION ALL
SELECT type, '{MADE}', on_day, COUNT(*), 0 FROM entries WHERE user_id = :user_id GROUP BY 1, 3
UNION ALL
SELECT type, '{MADE}', on_day, 0, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 3
ORDER BY 1
"""


def counts(db: Unit, person: Person) -> Iterator[Finding]:
    rows = db.stream(_COUNTS, user_id=person.id)
    for drift in find_drifts(
        SumRow(key=(type_,), grain=grain, period=period, figures=(entries, splits))
        for type_, grain, period, entries, splits in rows
    ):
        yield person.finding(
            "count",
            f"{_COUNTED[drift.place]} of type {name_type(drift.key[0])}, {describe_period(drift.period)}: "
            f"the stored count is {drift.kept}, but there are {drift.true}.",
            period=drift.period,
            kept=drift.kept,
            true=drift.true,
        )
