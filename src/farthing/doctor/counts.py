"""Is every kept count what there is?"""

from collections.abc import Iterator

from ..storage.unit import Unit
from .finding import Finding, Person, named_account, named_type
from .sums import MADE, Row, drifts, when

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
    for drift in drifts(Row((type_,), grain, period, tuple(both)) for type_, grain, period, *both in rows):
        yield person.finding(
            "count",
            f"{_COUNTED[drift.place]} of type {named_type(drift.key[0])}, {when(drift.period)}: "
            f"the kept count is {drift.kept}, but there are {drift.true}.",
            period=drift.period,
            kept=drift.kept,
            true=drift.true,
        )


_ACCOUNT_COUNTS = f"""
SELECT account_id, type, grain, period, splits FROM account_counts WHERE user_id = :user_id
UNION ALL
SELECT source_id, type, '{MADE}', on_day, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 2, 4
UNION ALL
SELECT destination_id, type, '{MADE}', on_day, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 2, 4
ORDER BY 1, 2
"""


def account_counts(db: Unit, person: Person) -> Iterator[Finding]:
    rows = db.stream(_ACCOUNT_COUNTS, user_id=person.id)
    for drift in drifts(Row((account, type_), grain, period, (n,)) for account, type_, grain, period, n in rows):
        account_id, type_ = drift.key
        yield person.finding(
            "account count",
            f"{named_account(db, person, account_id)}, splits of type {named_type(type_)}, {when(drift.period)}: "
            f"the kept count is {drift.kept}, but there are {drift.true}.",
            account_id=account_id,
            period=drift.period,
            kept=drift.kept,
            true=drift.true,
        )
