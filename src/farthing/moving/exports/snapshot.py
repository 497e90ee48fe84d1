"""Reads the books for an export: the transactions one after the other, everything else at the beginning."""

import heapq
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import groupby, islice
from operator import attrgetter
from zoneinfo import ZoneInfo

from msgspec import Struct

from farthing.books.preferences import store as preferences
from farthing.books.transactions import details
from farthing.kernel.money import Currency
from farthing.ledger.details import NO_DETAILS, EntryDetails
from farthing.ledger.kinds import Kind, Type
from farthing.storage.grains import HALVES, join_halves, spans
from farthing.storage.unit import Unit, columns_of

from .model import FIRST_DAY, ExportRequest

# The number of transactions in memory at once.
BATCH = 500
Balances = dict[tuple[int, int], int]


class ExportedAccount(Struct, frozen=True, kw_only=True):
    id: int
    kind: Kind
    name: str
    active: bool
    include_net_worth: bool
    currency: Currency
    virtual_units: int
    role: str | None
    account_number: str | None
    iban: str | None
    bic: str | None
    notes: str | None


class ExportedHead(Struct, frozen=True):
    """Holds the fields that all splits of a transaction share."""

    description: str
    notes: str | None
    internal_reference: str | None
    interest_on: str | None
    book_on: str | None
    process_on: str | None
    due_on: str | None
    payment_on: str | None
    invoice_on: str | None
    bill_id: int | None
    recurrence_id: int | None
    created_at: str
    updated_at: str

    @property
    def dates(self) -> tuple[str | None, ...]:
        return self.interest_on, self.book_on, self.process_on, self.due_on, self.payment_on, self.invoice_on


class ExportedSplit(Struct, frozen=True):
    id: int
    position: int
    type: Type
    on: str
    entry_id: int
    description: str | None
    reconciled: bool
    units: int
    currency_id: int
    foreign_units: int | None
    foreign_currency_id: int | None
    source_id: int
    left_units: int
    left_currency_id: int
    destination_id: int
    arrived_units: int
    arrived_currency_id: int
    category_id: int | None
    budget_id: int | None
    refund: bool
    head: ExportedHead

    @property
    def left(self) -> tuple[int, int]:
        """Returns the amount that leaves the source, as units and currency id."""
        return self.left_units, self.left_currency_id

    @property
    def arrived(self) -> tuple[int, int]:
        """Returns the amount that arrives at the destination, as units and currency id."""
        return self.arrived_units, self.arrived_currency_id


class ExportedEntry(Struct, frozen=True, kw_only=True):
    id: int
    type: Type
    on: str
    head: ExportedHead
    tags: tuple[str, ...]
    details: EntryDetails
    splits: tuple[ExportedSplit, ...]


class Snapshot(Struct, frozen=True, kw_only=True):
    """Holds maps from ids, in ascending order, to accounts, currencies or names. `parents` maps the id of a
    sub-category to the name of its parent.
    """

    db: Unit
    request: ExportRequest
    zone: ZoneInfo
    currencies: Mapping[int, Currency]
    accounts: Mapping[int, ExportedAccount]
    categories: Mapping[int, str]
    parents: Mapping[int, str]
    budgets: Mapping[int, str]
    bills: Mapping[int, str]


def take(db: Unit, request: ExportRequest) -> Snapshot:
    user_id = request.user_id
    listed = db.structs(Currency, "SELECT id, code, name, symbol, places FROM currencies")
    currencies = {currency.id: currency for currency in listed}
    zone = preferences.values(db, user_id, ["timezone"]).get("timezone", "UTC")
    parents = """
    SELECT c.id, p.name FROM categories c JOIN categories p ON p.user_id = c.user_id AND p.id = c.parent_id
    WHERE c.user_id = :user_id ORDER BY c.id
    """
    return Snapshot(
        db=db,
        request=request,
        zone=ZoneInfo(str(zone)),
        currencies=currencies,
        accounts=_load_accounts(db, user_id),
        categories=_load_names(db, user_id, "categories"),
        parents=dict(db.all(parents, user_id=user_id)),
        budgets=_load_names(db, user_id, "budgets"),
        bills=_load_names(db, user_id, "bills"),
    )


def _load_accounts(db: Unit, user_id: int) -> dict[int, ExportedAccount]:
    sql = f"""
    SELECT a.id, a.kind, a.name, a.active, a.include_net_worth, {columns_of(Currency, "c", "currency")},
        a.virtual_units, a.role, a.account_number, a.iban, a.bic, a.notes
    FROM accounts a JOIN currencies c ON c.id = a.currency_id
    WHERE a.user_id = :user_id AND a.kind <> :exchange ORDER BY a.id
    """
    accounts = db.structs(ExportedAccount, sql, user_id=user_id, exchange=Kind.EXCHANGE.value)
    return {account.id: account for account in accounts}


def _load_names(db: Unit, user_id: int, table: str) -> dict[int, str]:
    return dict(db.all(f"SELECT id, name FROM {table} WHERE user_id = :user_id ORDER BY id", user_id=user_id))


# Exports the whole transaction if one of the accounts is on either side of any of its splits.
_OF_ACCOUNTS = """
AND EXISTS (
    SELECT 1 FROM splits o WHERE o.user_id = s.user_id AND o.entry_id = s.entry_id
        AND (o.source_id IN :accounts OR o.destination_id IN :accounts)
)
"""


def _chosen(request: ExportRequest) -> str:
    narrowed = _OF_ACCOUNTS if request.account_ids else ""
    return f"s.user_id = :user_id AND s.type = :type AND s.on_day >= :first AND s.on_day <= :last {narrowed}"


def _values(request: ExportRequest) -> dict[str, object]:
    values: dict[str, object] = {"user_id": request.user_id, "first": request.first, "last": request.last}
    return values | ({"accounts": list(request.account_ids)} if request.account_ids else {})


def _stream(snapshot: Snapshot, type_: Type) -> Iterator[ExportedSplit]:
    """Reads splits, the last of an entry first: by scanning the index backwards, the database need not sort them."""
    sql = f"""
    SELECT s.id, s.position, s.type, s.on_day AS "on", s.entry_id, s.description, s.reconciled, s.units,
        s.currency_id, s.foreign_units, s.foreign_currency_id, s.source_id, s.left_units, s.left_currency_id,
        s.destination_id, s.arrived_units, s.arrived_currency_id, s.category_id, s.budget_id, s.refund,
        {columns_of(ExportedHead, "e", "head")}
    FROM booked_splits s JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
    WHERE {_chosen(snapshot.request)} ORDER BY s.on_day, s.entry_id, s.position DESC
    """
    return snapshot.db.stream_structs(ExportedSplit, sql, type=int(type_), **_values(snapshot.request))


_by_entry = attrgetter("on", "entry_id")


def entries(snapshot: Snapshot) -> Iterator[ExportedEntry]:
    """Yields every requested transaction, oldest first."""
    merged = heapq.merge(*(_stream(snapshot, type_) for type_ in Type), key=_by_entry)
    grouped = (tuple(splits) for _, splits in groupby(merged, key=_by_entry))
    while batch := list(islice(grouped, BATCH)):
        entry_ids = [splits[0].entry_id for splits in batch]
        sql = """
        SELECT l.entry_id, t.name FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.entry_id, l.id
        """
        rows = snapshot.db.all(sql, user_id=snapshot.request.user_id, entry_ids=entry_ids)
        tags = {entry_id: tuple(name for _, name in of) for entry_id, of in groupby(rows, key=lambda row: row[0])}
        known = details.of_entries(snapshot.db, snapshot.request.user_id, entry_ids)
        for last, *others in batch:
            yield ExportedEntry(
                id=last.entry_id,
                type=last.type,
                on=last.on,
                head=last.head,
                tags=tags.get(last.entry_id, ()),
                details=known.get(last.entry_id, NO_DETAILS),
                splits=(*reversed(others), last),
            )


def load_used_accounts(snapshot: Snapshot) -> dict[int, ExportedAccount]:
    """Loads the accounts that the exported transactions use, and the requested accounts. If the request names no
    accounts, also loads all active accounts; if it is not restricted at all, loads every account.
    """
    request = snapshot.request
    if not (request.start or request.end or request.account_ids):
        return dict(snapshot.accounts)
    used = set(request.account_ids or (account.id for account in snapshot.accounts.values() if account.active))
    for type_ in Type:
        sql = f"SELECT DISTINCT s.source_id, s.destination_id FROM splits s WHERE {_chosen(request)}"
        rows = snapshot.db.stream(sql, type=int(type_), **_values(request))
        for sides in rows:
            used.update(sides)
    return {id_: account for id_, account in snapshot.accounts.items() if id_ in used}


def load_used_currencies(snapshot: Snapshot) -> list[Currency]:
    """Loads the currencies of bookings, accounts and rates, sorted by code."""
    sql = """
    SELECT currency_id FROM balances WHERE user_id = :user_id AND grain = 'all'
    UNION SELECT from_currency_id FROM exchange_rates WHERE user_id = :user_id
    UNION SELECT to_currency_id FROM exchange_rates WHERE user_id = :user_id
    """
    rows = snapshot.db.all(sql, user_id=snapshot.request.user_id)
    used = {snapshot.currencies[currency_id] for (currency_id,) in rows}
    used.update(account.currency for account in snapshot.accounts.values())
    return sorted(used, key=lambda currency: currency.code)


class ExportedRate(Struct, frozen=True):
    """States that one unit of `sold` buys `rate` units of `bought`."""

    on: str
    sold: Currency
    rate: str
    bought: Currency


def rates(snapshot: Snapshot) -> Iterator[ExportedRate]:
    """Yields the user's own rates up to the end of the range, including those before its start."""
    sql = """
    SELECT on_day, from_currency_id, rate, to_currency_id FROM exchange_rates
    WHERE user_id = :user_id AND on_day <= :last ORDER BY on_day, id
    """
    rows = snapshot.db.stream(sql, user_id=snapshot.request.user_id, last=snapshot.request.last)
    for on, sold, rate, bought in rows:
        yield ExportedRate(on, snapshot.currencies[sold], rate, snapshot.currencies[bought])


def find_days(snapshot: Snapshot) -> tuple[str, str] | None:
    days: list[str] = []
    for type_ in Type:
        sql = f"SELECT MIN(s.on_day), MAX(s.on_day) FROM splits s WHERE {_chosen(snapshot.request)}"
        row = snapshot.db.one(sql, type=int(type_), **_values(snapshot.request))
        days += [day for day in row or () if day]
    return (min(days), max(days)) if days else None


def load_balances(snapshot: Snapshot, until: str | None) -> Balances:
    """Loads each account's balances by currency at the end of a day, from the stored sums."""
    if until is None:
        sql = "SELECT account_id, currency_id, units, 0 FROM balances WHERE user_id = :user_id AND grain = 'all'"
        rows = snapshot.db.all(sql, user_id=snapshot.request.user_id)
        return {(account_id, currency_id): units for account_id, currency_id, units, _ in rows if units}
    held: Balances = {}
    for span in spans(date.min, date.fromisoformat(until)):
        rows = snapshot.db.all(
            f"""
            SELECT account_id, currency_id, {HALVES.format(column="units")} FROM balances
            WHERE user_id = :user_id AND grain = :grain AND period >= :first AND period < :beyond
            GROUP BY account_id, currency_id
            """,
            user_id=snapshot.request.user_id,
            grain=span.grain,
            first=span.first,
            beyond=span.beyond,
        )
        for account_id, currency_id, *halves in rows:
            held[account_id, currency_id] = held.get((account_id, currency_id), 0) + join_halves(*halves)
    return {key: units for key, units in held.items() if units}


def load_opening_balances(snapshot: Snapshot) -> Balances:
    start = snapshot.request.start
    if start is None or start == FIRST_DAY:
        return {}
    return load_balances(snapshot, (date.fromisoformat(start) - timedelta(days=1)).isoformat())
