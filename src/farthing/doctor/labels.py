"""Is what categories, budgets and tags were given what the splits that carry them make?"""

from collections.abc import Iterator

from ..ledger.entry import LABELS, Label
from ..ledger.kinds import Type
from ..storage.grains import HALVES, joined
from ..storage.unit import Unit
from .balances import ARRIVED, ARRIVED_CURRENCY, LEFT, LEFT_CURRENCY, Purse
from .finding import Finding, Person, named_type
from .sums import MADE, Drift, Row, drifts, when

_CARRIED: dict[Label, tuple[str, str]] = {
    "categories": ("category_id", "splits"),
    "budgets": ("budget_id", "splits"),
    "tags": ("tag_id", "(SELECT s.*, t.tag_id FROM entry_tags t JOIN splits s USING (user_id, entry_id)) AS tagged"),
}
# A transfer is counted, in the currency that left, but neither spent nor earned.
_CURRENCY = f"CASE type WHEN {int(Type.DEPOSIT)} THEN {ARRIVED_CURRENCY} ELSE {LEFT_CURRENCY} END"
_UNITS = f"CASE type WHEN {int(Type.WITHDRAWAL)} THEN {LEFT} WHEN {int(Type.DEPOSIT)} THEN {ARRIVED} ELSE 0 END"


def _kept_and_made(label: Label) -> str:
    column, carrying = _CARRIED[label]
    return f"""
    SELECT label_id, type, currency_id, grain, period, units >> 32, units & 4294967295, splits
    FROM sums_of_{label} WHERE user_id = :user_id
    UNION ALL
    SELECT {column}, type, {_CURRENCY}, '{MADE}', on_day, {HALVES.format(column=f"({_UNITS})")}, COUNT(*)
    FROM {carrying} WHERE user_id = :user_id AND {column} IS NOT NULL GROUP BY 1, 2, 3, 5
    ORDER BY 1, 2, 3
    """


def labels(db: Unit, person: Person) -> Iterator[Finding]:
    purse = Purse(db)
    for label in LABELS:
        rows = db.stream(_kept_and_made(label), user_id=person.id)
        made = (
            Row((label_id, type_, currency_id), grain, period, (joined(high, low), splits))
            for label_id, type_, currency_id, grain, period, high, low, splits in rows
        )
        for drift in drifts(made):
            yield _drifted(drift, purse, person, _named(db, person, label, drift.key[0]))


def _drifted(drift: Drift, purse: Purse, person: Person, name: str) -> Finding:
    _, type_, currency_id = drift.key
    kept, true = (
        (purse.shown(units, currency_id) if drift.place == 0 else f"{units} splits")
        for units in (drift.kept, drift.true)
    )
    return person.finding(
        "label",
        f"{name}, type {named_type(type_)} in {purse.code(currency_id)}, {when(drift.period)}: "
        f"kept are {kept}, but the transactions make {true}.",
        period=drift.period,
        kept=drift.kept,
        true=drift.true,
    )


def _named(db: Unit, person: Person, label: Label, label_id: int) -> str:
    sql = f"SELECT name FROM {label} WHERE user_id = :user_id AND id = :id"
    return f"{label}: {label_id} '{db.value(sql, user_id=person.id, id=label_id)}'"
