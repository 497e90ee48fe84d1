"""Checks the stored sums of accounts, categories, budgets and tags."""

from collections.abc import Iterator

from farthing.ledger.entry import Summed
from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Unit

from .balances import AmountFormatter
from .basics.drifts import MADE, Drift, SumRow, find_drifts, report_drift
from .basics.finding import DoctorFinding, Person, name_type
from .independent_rule import ARRIVED, ARRIVED_CURRENCY, FLOW, FLOW_CURRENCY, WITHDRAWAL

_CARRIED: dict[Summed, tuple[str, str]] = {
    "accounts": (
        "account_id",
        """
        (
            SELECT s.*, s.source_id AS account_id FROM splits s WHERE s.user_id = :user_id
            UNION ALL SELECT s.*, s.destination_id FROM splits s WHERE s.user_id = :user_id
        ) AS touched
        """,
    ),
    "categories": ("category_id", "splits"),
    "budgets": ("budget_id", "splits"),
    "tags": ("tag_id", "(SELECT s.*, t.tag_id FROM entry_tags t JOIN splits s USING (user_id, entry_id)) AS tagged"),
}


def _kept_and_made(label: Summed) -> str:
    column, carrying = _CARRIED[label]
    return f"""
    SELECT label_id, type, currency_id, grain, period, units >> 32, units & 4294967295, splits
    FROM sums_of_{label} WHERE user_id = :user_id
    UNION ALL
    SELECT {column}, type, {FLOW_CURRENCY}, '{MADE}', on_day, {HALVES.format(column=f"({FLOW})")}, COUNT(*)
    FROM {carrying} WHERE user_id = :user_id AND {column} IS NOT NULL GROUP BY 1, 2, 3, 5
    UNION ALL
    SELECT {column}, {WITHDRAWAL}, {ARRIVED_CURRENCY}, '{MADE}', on_day,
        {HALVES.format(column=f"(-{ARRIVED})")}, 0
    FROM {carrying} WHERE user_id = :user_id AND {column} IS NOT NULL AND refund = 1 GROUP BY 1, 2, 3, 5
    ORDER BY 1, 2, 3
    """


def labels(db: Unit, person: Person, label: Summed) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    rows = db.stream(_kept_and_made(label), user_id=person.id)
    made = (
        SumRow(key=(label_id, type_, currency_id), grain=grain, period=period, figures=(join_halves(high, low), splits))
        for label_id, type_, currency_id, grain, period, high, low, splits in rows
    )
    for drift in find_drifts(made):
        yield _describe_drift(drift, formatter, person, _name_label(db, person, label, drift.key[0]), label)


def _describe_drift(
    drift: Drift, formatter: AmountFormatter, person: Person, name: str, label: Summed
) -> DoctorFinding:
    label_id, type_, currency_id = drift.key

    def show(figure: int) -> str:
        return formatter.show(figure, currency_id) if drift.index == 0 else f"{figure} splits"

    return report_drift(
        person,
        "account" if label == "accounts" else "label",
        drift,
        f"{name}, type {name_type(type_)} in {formatter.code(currency_id)}",
        show,
        claim="it stores",
        account_id=label_id if label == "accounts" else None,
    )


def _name_label(db: Unit, person: Person, label: Summed, label_id: int) -> str:
    sql = f"SELECT name FROM {label} WHERE user_id = :user_id AND id = :id"
    return f"{label}: {label_id} '{db.value(sql, user_id=person.id, id=label_id)}'"
