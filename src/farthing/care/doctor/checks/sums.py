"""Checks the stored balances, net worth, sums and counts."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from farthing.books.transactions.stored_sums.sums import COUNTS
from farthing.kernel.money import as_text
from farthing.ledger.entry import Summed
from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Unit

from .basics.drifts import MADE, Drift, SumRow, describe_period, find_drifts, read_sums, report_drift
from .basics.finding import DoctorFinding, Person, name_account, name_type
from .basics.run import try_quickly
from .independent_rule import (
    ARRIVED,
    ARRIVED_CURRENCY,
    FLOW,
    FLOW_CURRENCY,
    FLOWS,
    LEFT,
    LEFT_CURRENCY,
    POSTINGS,
    SETTLED,
    WITHDRAWAL,
)  # fmt: skip


def _posted(account: str, currency: str, units: str, condition: str) -> str:
    """Returns SQL that sums postings, and separately the reconciled ones, by account, currency and day."""
    halves = f"{HALVES.format(column=f'({units})')}, {HALVES.format(column=f'({units} * {SETTLED})')}"
    return f"""
        SELECT {account}, {currency}, '{MADE}', on_day, {halves}
        FROM splits WHERE user_id = :user_id AND {condition} GROUP BY 1, 2, 4
    """


_BALANCES = f"""
SELECT account_id, currency_id, grain, period,
    units >> 32, units & 4294967295, reconciled >> 32, reconciled & 4294967295
FROM balances WHERE user_id = :user_id
UNION ALL {" UNION ALL ".join(_posted(*posting) for posting in POSTINGS)}
ORDER BY 1, 2
"""
_STORED = ("stored balance", "stored reconciled balance")


class AmountFormatter:
    """Formats amounts that are stored in the smallest unit. Unknown currencies are named by their id."""

    def __init__(self, db: Unit) -> None:
        rows = db.all("SELECT id, code, places FROM currencies")
        self._known = {currency_id: (code, places) for currency_id, code, places in rows}

    def code(self, currency_id: int) -> str:
        return str(self._known[currency_id][0]) if currency_id in self._known else f"of currency {currency_id}"

    def show(self, units: int, currency_id: int) -> str:
        places = self._known[currency_id][1] if currency_id in self._known else 0
        return f"{as_text(units, places)} {self.code(currency_id)}"


def balances(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    totals: Counter[tuple[int, int]] = Counter()
    for drift in find_drifts(_balance_rows(db, person, totals)):
        account_id, currency_id = drift.key
        yield report_drift(
            person,
            "balance" if drift.index == 0 else "reconciled",
            drift,
            name_account(db, person, account_id),
            partial(formatter.show, currency_id=currency_id),
            claim=f"the {_STORED[drift.index]} is",
            account_id=account_id,
        )
    for (currency_id, index), units in sorted(totals.items()):
        if units:
            sentence = f"all {_STORED[index]}s in {formatter.code(currency_id)} add up to"
            sentence = f"{sentence} {formatter.show(units, currency_id)}, but the sum must be zero."
            yield person.finding("zero sum", sentence, stored=units, true=0)


def _balance_rows(db: Unit, person: Person, totals: Counter[tuple[int, int]]) -> Iterator[SumRow]:
    """Yields stored and computed balances. Adds the stored all-time balances to `totals`, by currency and figure."""
    rows = db.stream(_BALANCES, user_id=person.id, exchange_id=person.exchange_id)
    for account_id, currency_id, grain, period, high, low, settled_high, settled_low in rows:
        if account_id is None:
            continue  # the user has no exchange account, which another check reports
        figures = join_halves(high, low), join_halves(settled_high, settled_low)
        if grain == "all":
            for index, units in enumerate(figures):
                totals[currency_id, index] += units
        yield SumRow(key=(account_id, currency_id), grain=grain, period=period, figures=figures)


def _worth(side: str, currency: str, units: str) -> str:
    return f"""
        SELECT {currency}, '{MADE}', on_day, {HALVES.format(column=f"({units})")} FROM splits
        WHERE user_id = :user_id AND {side} IN (SELECT a.id FROM accounts a WHERE a.user_id = :user_id AND {COUNTS})
        GROUP BY 1, 3
    """


_NET_WORTH = f"""
SELECT currency_id, grain, period, units >> 32, units & 4294967295 FROM net_worth WHERE user_id = :user_id
UNION ALL {_worth("source_id", LEFT_CURRENCY, f"-{LEFT}")}
UNION ALL {_worth("destination_id", ARRIVED_CURRENCY, ARRIVED)}
ORDER BY 1
"""


def net_worth(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    for drift in find_drifts(read_sums(db.stream(_NET_WORTH, user_id=person.id), keys=1)):
        show = partial(formatter.show, currency_id=drift.key[0])
        yield report_drift(person, "net worth", drift, "net worth", show)


def _flowed(type_: int, currency: str, units: str, condition: str) -> str:
    return f"""
        SELECT {type_}, {currency}, '{MADE}', on_day, {HALVES.format(column=f"({units})")}
        FROM splits WHERE user_id = :user_id AND {condition} GROUP BY 1, 2, 4
    """


_FLOWS = f"""
SELECT type, currency_id, grain, period, units >> 32, units & 4294967295 FROM flows WHERE user_id = :user_id
UNION ALL {" UNION ALL ".join(_flowed(*flow) for flow in FLOWS)}
ORDER BY 1, 2
"""


def flows(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    for drift in find_drifts(read_sums(db.stream(_FLOWS, user_id=person.id), keys=2)):
        type_, currency_id = drift.key
        show = partial(formatter.show, currency_id=currency_id)
        yield report_drift(person, "flow", drift, f"sum of type {name_type(type_)}", show)


# The column with the id of a label, the splits that have it, and the condition that an earlier split `f` also has it.
_CARRIED: dict[Summed, tuple[str, str, str]] = {
    "accounts": (
        "account_id",
        """
        (
            SELECT s.*, s.source_id AS account_id FROM splits s WHERE s.user_id = :user_id
            UNION ALL SELECT s.*, s.destination_id FROM splits s WHERE s.user_id = :user_id
        )
        """,
        "(f.source_id = carried.account_id OR f.destination_id = carried.account_id)",
    ),
    "categories": ("category_id", "splits", "f.category_id = carried.category_id"),
    "budgets": ("budget_id", "splits", "f.budget_id = carried.budget_id"),
    "tags": ("tag_id", "(SELECT s.*, t.tag_id FROM entry_tags t JOIN splits s USING (user_id, entry_id))", "1 = 1"),
}


def _select_stored_and_true(label: Summed) -> str:
    column, carrying, had = _CARRIED[label]
    is_first = f"""
        position = 0 OR NOT EXISTS (
            SELECT 1 FROM splits f
            WHERE f.user_id = :user_id AND f.entry_id = carried.entry_id AND f.position < carried.position AND {had}
        )
    """
    return f"""
    SELECT label_id, type, currency_id, grain, period, units >> 32, units & 4294967295, splits, entries
    FROM sums_of_{label} WHERE user_id = :user_id
    UNION ALL
    SELECT {column}, type, {FLOW_CURRENCY}, '{MADE}', on_day, {HALVES.format(column=f"({FLOW})")}, COUNT(*),
        COUNT(CASE WHEN {is_first} THEN 1 END)
    FROM {carrying} AS carried WHERE user_id = :user_id AND {column} IS NOT NULL GROUP BY 1, 2, 3, 5
    UNION ALL
    SELECT {column}, {WITHDRAWAL}, {ARRIVED_CURRENCY}, '{MADE}', on_day,
        {HALVES.format(column=f"(-{ARRIVED})")}, 0, 0
    FROM {carrying} AS carried WHERE user_id = :user_id AND {column} IS NOT NULL AND refund = 1 GROUP BY 1, 2, 3, 5
    ORDER BY 1, 2, 3
    """


def labels(db: Unit, person: Person, label: Summed) -> Iterator[DoctorFinding]:
    formatter = AmountFormatter(db)
    sql = _select_stored_and_true(label)
    for drift in find_drifts(read_sums(db.stream(sql, user_id=person.id), keys=3)):
        yield _describe_drift(drift, formatter, person, _name_label(db, person, label, drift.key[0]), label)


_OF_LABEL = ("amount", "splits", "transactions")


def _describe_drift(
    drift: Drift, formatter: AmountFormatter, person: Person, name: str, label: Summed
) -> DoctorFinding:
    label_id, type_, currency_id = drift.key

    def show(figure: int) -> str:
        return formatter.show(figure, currency_id) if drift.index == 0 else f"{figure} {_OF_LABEL[drift.index]}"

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


_COUNTED = ("entries", "splits")
_STORED_COUNTS = "SELECT type, grain, period, entries, splits FROM counts WHERE user_id = :user_id"
_ENTRIES_AND_SPLITS = f"""
{_STORED_COUNTS}
UNION ALL
SELECT type, '{MADE}', on_day, COUNT(*), 0 FROM entries WHERE user_id = :user_id GROUP BY 1, 3
UNION ALL
SELECT type, '{MADE}', on_day, 0, COUNT(*) FROM splits WHERE user_id = :user_id GROUP BY 1, 3
ORDER BY 1
"""
# Other checks ensure that each entry has a first split of its type and day, so one ordered index suffices.
_BY_SPLITS = f"""
{_STORED_COUNTS}
UNION ALL
SELECT type, '{MADE}', on_day, COUNT(CASE WHEN position = 0 THEN 1 END), COUNT(*)
FROM splits WHERE user_id = :user_id GROUP BY 1, 3
ORDER BY 1
"""


def counts(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    """Checks stored counts. Counts entries by their first splits if that suffices, because it is faster."""
    if try_quickly(db, lambda: not any(_find_miscounts(db, person, _BY_SPLITS)), unknown=False):
        return
    for drift in _find_miscounts(db, person, _ENTRIES_AND_SPLITS):
        yield person.finding(
            "count",
            f"{_COUNTED[drift.index]} of type {name_type(drift.key[0])}, {describe_period(drift.period)}: "
            f"the stored count is {drift.stored}, but there are {drift.true}.",
            period=drift.period,
            stored=drift.stored,
            true=drift.true,
        )


def _find_miscounts(db: Unit, person: Person, sql: str) -> Iterator[Drift]:
    return find_drifts(
        SumRow(key=(type_,), grain=grain, period=period, figures=(entries, splits))
        for type_, grain, period, entries, splits in db.stream(sql, user_id=person.id)
    )
