"""Is every kept amount what the splits make of it? Balances, their reconciled part, and what was spent and earned."""

from collections import Counter
from collections.abc import Iterator

from ..ledger.kinds import Type
from ..money import as_text
from ..storage.grains import HALVES, joined
from ..storage.unit import Unit
from .finding import Finding, Person, named_account, named_type
from .sums import MADE, Drift, Row, drifts, when

LEFT_CURRENCY = "CASE source_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END"
LEFT = "CASE source_foreign WHEN 1 THEN foreign_units ELSE units END"
ARRIVED_CURRENCY = "CASE destination_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END"
ARRIVED = "CASE destination_foreign WHEN 1 THEN foreign_units ELSE units END"
_SETTLED = f"CASE WHEN reconciled = 1 OR type = {int(Type.OPENING_BALANCE)} THEN 1 ELSE 0 END"
_EXCHANGES = f"AND {LEFT_CURRENCY} <> {ARRIVED_CURRENCY}"
_EXCHANGE = "CAST(:exchange_id AS BIGINT)"


def _posted(account: str, currency: str, units: str, condition: str = "") -> str:
    """What one side of the splits posts, and the settled part of it, by account, currency and day."""
    halves = f"{HALVES.format(column=f'({units})')}, {HALVES.format(column=f'({units} * {_SETTLED})')}"
    return f"""
        SELECT {account}, {currency}, '{MADE}', on_day, {halves}
        FROM splits WHERE user_id = :user_id {condition} GROUP BY 1, 2, 4
    """


_BALANCES = f"""
SELECT account_id, currency_id, grain, period,
    units >> 32, units & 4294967295, reconciled >> 32, reconciled & 4294967295
FROM balances WHERE user_id = :user_id
UNION ALL {_posted("source_id", LEFT_CURRENCY, f"-{LEFT}")}
UNION ALL {_posted("destination_id", ARRIVED_CURRENCY, ARRIVED)}
UNION ALL {_posted(_EXCHANGE, LEFT_CURRENCY, LEFT, _EXCHANGES)}
UNION ALL {_posted(_EXCHANGE, ARRIVED_CURRENCY, f"-{ARRIVED}", _EXCHANGES)}
ORDER BY 1, 2
"""
_KEPT = ("kept balance", "kept reconciled balance")


class Purse:
    """Writes units as amounts; a currency that does not exist is told by its id."""

    def __init__(self, db: Unit) -> None:
        self._known = {row[0]: row[1:] for row in db.all("SELECT id, code, places FROM currencies")}

    def code(self, currency_id: int) -> str:
        return str(self._known[currency_id][0]) if currency_id in self._known else f"of currency {currency_id}"

    def shown(self, units: int, currency_id: int) -> str:
        places = self._known[currency_id][1] if currency_id in self._known else 0
        return f"{as_text(units, places)} {self.code(currency_id)}"


def balances(db: Unit, person: Person) -> Iterator[Finding]:
    purse = Purse(db)
    totals: Counter[tuple[int, int]] = Counter()
    for drift in drifts(_balance_rows(db, person, totals)):
        yield _drifted(drift, purse, person, named_account(db, person, drift.key[0]))
    for (currency_id, place), units in sorted(totals.items()):
        if units:
            sentence = f"every {_KEPT[place]} in {purse.code(currency_id)} together makes"
            sentence = f"{sentence} {purse.shown(units, currency_id)}, but must be zero."
            yield person.finding("zero sum", sentence, kept=units, true=0)


def _drifted(drift: Drift, purse: Purse, person: Person, account: str) -> Finding:
    account_id, currency_id = drift.key
    kept, true = purse.shown(drift.kept, currency_id), purse.shown(drift.true, currency_id)
    return person.finding(
        "balance" if drift.place == 0 else "reconciled",
        f"{account}, {when(drift.period)}: the {_KEPT[drift.place]} is {kept}, but the transactions make {true}.",
        account_id=account_id,
        period=drift.period,
        kept=drift.kept,
        true=drift.true,
    )


def _balance_rows(db: Unit, person: Person, totals: Counter[tuple[int, int]]) -> Iterator[Row]:
    """On the way the kept totals of all accounts are added up: by currency, the balance and its reconciled part."""
    rows = db.stream(_BALANCES, user_id=person.id, exchange_id=person.exchange_id)
    for account_id, currency_id, grain, period, high, low, settled_high, settled_low in rows:
        if account_id is None:
            continue  # an exchange without an exchange account, which is told elsewhere
        figures = joined(high, low), joined(settled_high, settled_low)
        if grain == "all":
            for place, units in enumerate(figures):
                totals[currency_id, place] += units
        yield Row((account_id, currency_id), grain, period, figures)


def _flowed(type_: Type, currency: str, units: str) -> str:
    return f"""
        SELECT type, {currency}, '{MADE}', on_day, {HALVES.format(column=f"({units})")}
        FROM splits WHERE user_id = :user_id AND type = {int(type_)} GROUP BY 1, 2, 4
    """


_FLOWS = f"""
SELECT type, currency_id, grain, period, units >> 32, units & 4294967295 FROM flows WHERE user_id = :user_id
UNION ALL {_flowed(Type.WITHDRAWAL, LEFT_CURRENCY, LEFT)}
UNION ALL {_flowed(Type.DEPOSIT, ARRIVED_CURRENCY, ARRIVED)}
ORDER BY 1, 2
"""


def flows(db: Unit, person: Person) -> Iterator[Finding]:
    purse = Purse(db)
    rows = db.stream(_FLOWS, user_id=person.id)
    for drift in drifts(Row((type_, code), grain, on, (joined(*halves),)) for type_, code, grain, on, *halves in rows):
        type_, currency_id = drift.key
        kept, true = purse.shown(drift.kept, currency_id), purse.shown(drift.true, currency_id)
        yield person.finding(
            "flow",
            f"sum of type {named_type(type_)}, {when(drift.period)}: "
            f"the kept sum is {kept}, but the transactions make {true}.",
            period=drift.period,
            kept=drift.kept,
            true=drift.true,
        )
