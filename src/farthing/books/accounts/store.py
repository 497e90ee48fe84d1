"""Stores accounts, and reads their balances."""

from collections.abc import Collection, Sequence
from datetime import date

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.kinds import COUNTERPARTIES, SHOWN, Kind, Type
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_id, find_ids, values_by_id
from farthing.storage.grains import ALL_TIME, HALVES, Span, for_each_span, join_halves, parameters_of
from farthing.storage.unit import Unit, columns_of

from .model import Account, AccountDraft, CodedAccount, Dependents

# The balance is read by a subquery, because PostgreSQL would read all stored sums for a join.
# The opening balance is negative if it leaves the account.
_ACCOUNT = f"""
SELECT a.id, a.kind, a.name, a.active, a.include_net_worth, {columns_of(Currency, "c", "currency")}, a.virtual_units,
    a.role, a.card_type, a.card_payment_on, a.interest, a.interest_period, a.account_number, a.iban, a.bic, a.notes,
    a.direction, a.latitude, a.longitude, a.zoom_level, a.created_at, a.updated_at,
    COALESCE((SELECT b.units FROM balances b WHERE b.user_id = a.user_id AND b.account_id = a.id
        AND b.currency_id = a.currency_id AND b.grain = 'all' AND b.period = ''), 0) AS total_units,
    e.on_day AS opening_on, CASE s.destination_id WHEN a.id THEN s.units ELSE -s.units END AS opening_units
FROM accounts a
JOIN currencies c ON c.id = a.currency_id
LEFT JOIN entries e ON e.user_id = a.user_id AND e.opening_account_id = a.id
LEFT JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id AND s.position = 0
"""


_ACCOUNTS = Records[Account, AccountDraft](
    Account, "accounts", _ACCOUNT, alias="a.", order="a.name_fold, a.id", elsewhere=["opening"]
)
_SHOWN = f"a.kind <> '{Kind.EXCHANGE.value}'"
add, is_taken = _ACCOUNTS.add, _ACCOUNTS.is_taken


def get(db: Unit, user_id: int, account_id: int) -> Account | None:
    sql = f"{_ACCOUNT} WHERE a.user_id = :user_id AND a.id = :id AND {_SHOWN}"
    return db.struct(Account, sql, user_id=user_id, id=account_id)


def get_some(db: Unit, user_id: int, account_ids: Collection[int]) -> list[Account]:
    return _ACCOUNTS.find(db, user_id, f"a.id IN :ids AND {_SHOWN}", ids=sorted(account_ids))


def is_name_taken(db: Unit, user_id: int, name: str, *, except_id: int) -> bool:
    """Tells whether another account has this name, ignoring case. Several accounts may have the same name."""
    return is_taken(db, user_id, column="name_fold", value=fold(name), except_id=except_id)


def currencies(db: Unit, user_id: int, account_ids: Collection[int]) -> dict[int, int]:
    """Returns the id of each account's currency, keyed by the id of the account."""
    return values_by_id(db, user_id, "accounts", "currency_id", account_ids)


def find_named(db: Unit, user_id: int, name: str) -> list[int]:
    """Finds all accounts with this name, oldest first, except the hidden exchange account."""
    sql = "SELECT id FROM accounts WHERE user_id = :user_id AND name_fold = :fold AND kind <> :exchange ORDER BY id"
    return find_ids(db, sql, user_id=user_id, fold=fold(name), exchange=Kind.EXCHANGE.value)


def compact_iban(text: str) -> str:
    """Removes the spaces of an IBAN, as in stored ones."""
    return text.replace(" ", "").upper()


def find_coded(
    db: Unit, user_id: int, ibans: Collection[str], numbers: Collection[str]
) -> dict[tuple[str, str], CodedAccount]:
    """Maps columns and values to the accounts that have one of these IBANs or account numbers."""
    columns = "SELECT id, name, kind, active, iban, account_number FROM accounts WHERE user_id = :user_id"
    sql = f"{columns} AND iban IN :ibans UNION {columns} AND account_number IN :numbers"
    found = db.structs(CodedAccount, sql, user_id=user_id, ibans=sorted(ibans), numbers=sorted(numbers))
    pairs = ((column, account) for account in found for column in ("iban", "account_number"))
    return {(column, code): account for column, account in pairs if (code := getattr(account, column))}


def find_payee_ids(db: Unit, user_id: int, account_id: int) -> list[int]:
    """Finds the accounts of one payee: this account, and all others that are payees and have the same name.

    A shop may have an expense account and a revenue account of the same name.
    """
    sql = """
        SELECT same.id FROM accounts a JOIN accounts same ON same.user_id = a.user_id AND same.name_fold = a.name_fold
        WHERE a.user_id = :user_id AND a.id = :id AND a.kind IN :kinds AND same.kind IN :kinds ORDER BY same.id
    """
    return find_ids(db, sql, user_id=user_id, id=account_id, kinds=sorted(kind.value for kind in COUNTERPARTIES))


def known_id(db: Unit, user_id: int, account_id: int) -> int | None:
    sql = "SELECT id FROM accounts WHERE user_id = :user_id AND id = :id AND kind <> :exchange"
    return find_id(db, sql, user_id=user_id, id=account_id, exchange=Kind.EXCHANGE.value)


def list_kinds(db: Unit, user_id: int, kinds: Collection[Kind]) -> dict[int, Kind]:
    """Maps the ids of all accounts of these kinds to their kinds, by name."""
    sql = "SELECT id, kind FROM accounts WHERE user_id = :user_id AND kind IN :kinds ORDER BY name_fold, id"
    return {account_id: Kind(kind) for account_id, kind in db.all(sql, user_id=user_id, kinds=sorted(kinds))}


def page(
    db: Unit, user_id: int, kinds: frozenset[Kind], *, limit: int, offset: int, unused: bool = False
) -> tuple[int, list[Account]]:
    """Lists accounts by name. With `unused`, lists only accounts without transactions."""
    where, chosen = (_SHOWN, {}) if kinds == SHOWN else ("a.kind IN :kinds", {"kinds": sorted(kinds)})
    return _ACCOUNTS.page(db, user_id, where + (_UNUSED if unused else ""), limit=limit, offset=offset, **chosen)


_UNUSED = "".join(
    f" AND NOT EXISTS (SELECT 1 FROM splits s WHERE s.user_id = :user_id AND s.{side}_id = a.id)"
    for side in ("source", "destination")
)


_LAST_OF_TYPE = "SELECT MAX(period) AS day FROM counts WHERE user_id = :user_id AND type = {} AND grain = 'day'"
# Few users have transactions with a future date, so one query for the last day usually saves reading each account.
# MAX reads only the end of an index. To check whether any later day exists, PostgreSQL would read all earlier days.
_LAST_DAY = (
    f"SELECT MAX(day) FROM ({' UNION ALL '.join(_LAST_OF_TYPE.format(int(type_)) for type_ in Type)}) AS last_days"
)


def sum_booked_after(db: Unit, user_id: int, account_ids: Sequence[int], day: date) -> dict[int, int]:
    """Sums the amounts booked after the day on each account, in the account's own currency."""
    last = day.isoformat()
    later = dict.fromkeys(account_ids, 0)
    if (db.value(_LAST_DAY, user_id=user_id) or "") <= last:
        return later
    sql = f"""
        SELECT a.id, {HALVES.format(column="b.units")} FROM accounts a
        JOIN balances b ON b.user_id = a.user_id AND b.account_id = a.id AND b.currency_id = a.currency_id
            AND {{in_span}}
        WHERE a.user_id = :user_id AND a.id IN :ids GROUP BY a.id
    """
    after = [
        Span(grain="month", first=f"{last[:7]}~", beyond=ALL_TIME.beyond),
        Span(grain="day", first=f"{last}~", beyond=f"{last[:7]}~"),
    ]
    rows = db.all(for_each_span(sql, 2, "b"), user_id=user_id, ids=list(account_ids), **parameters_of(after))
    for account_id, high, low in rows:
        later[account_id] += join_halves(high, low)
    return later


def find_last_days(db: Unit, user_id: int, account_ids: Sequence[int]) -> dict[int, str | None]:
    """Finds the last day on which each account has a transaction."""
    sql = """
        SELECT a.id, (
            SELECT s.period FROM sums_of_accounts s
            WHERE s.user_id = a.user_id AND s.label_id = a.id AND s.grain = 'day' AND s.splits > 0
            ORDER BY s.period DESC LIMIT 1
        ) FROM accounts a WHERE a.user_id = :user_id AND a.id IN :ids
    """
    return dict(db.all(sql, user_id=user_id, ids=list(account_ids)))


def read_balance_on(db: Unit, user_id: int, account: Account, day: date) -> tuple[int, int]:
    """Returns the balance at the end of the day, and how much of it is reconciled."""
    last = day.isoformat()
    sql = f"""
        SELECT {_HALVES} FROM balances b
        WHERE user_id = :user_id AND account_id = :id AND currency_id = :currency_id AND {{in_span}}
    """
    until = [
        Span(grain="month", first="", beyond=last[:7]),
        Span(grain="day", first=last[:7], beyond=f"{last}~"),
    ]
    of_account = {"id": account.id, "currency_id": account.currency.id}
    rows = db.all(for_each_span(sql, 2, "b"), user_id=user_id, **of_account, **parameters_of(until))
    return sum(join_halves(*row[:2]) for row in rows), sum(join_halves(*row[2:]) for row in rows)


_HALVES = ", ".join(HALVES.format(column=column) for column in ("units", "reconciled"))


def has_own(db: Unit, user_id: int) -> bool:
    """Tells whether the user has more accounts than the cash account and the exchange account that every user has."""
    sql = "SELECT 1 FROM accounts WHERE user_id = :user_id AND NOT kind IN :kinds LIMIT 1"
    return db.value(sql, user_id=user_id, kinds=[Kind.CASH.value, Kind.EXCHANGE.value]) is not None


def helper_of(db: Unit, user_id: int, account_id: int, kind: Kind) -> int | None:
    sql = "SELECT id FROM accounts WHERE user_id = :user_id AND helps_id = :account_id AND kind = :kind"
    return find_id(db, sql, user_id=user_id, account_id=account_id, kind=kind.value)


def helpers_of(db: Unit, user_id: int, account_ids: Collection[int]) -> list[int]:
    sql = "SELECT id FROM accounts WHERE user_id = :user_id AND helps_id IN :account_ids"
    return find_ids(db, sql, user_id=user_id, account_ids=list(account_ids))


def find_of_kind(db: Unit, user_id: int, kind: Kind, name: str) -> int | None:
    """Finds the oldest account of this kind and name, ignoring case."""
    sql = """
        SELECT id FROM accounts WHERE user_id = :user_id AND kind = :kind AND name_fold = :name_fold
        ORDER BY id LIMIT 1
    """
    return find_id(db, sql, user_id=user_id, kind=kind.value, name_fold=fold(name))


def cash_id(db: Unit, user_id: int) -> int:
    """Returns the id of the user's cash account, which every user has."""
    sql = "SELECT id FROM accounts WHERE user_id = :user_id AND kind = :kind"
    return int(db.value(sql, user_id=user_id, kind=Kind.CASH.value))


# Columns that never change: the kind of an account and, for a helper account, the account that it helps.
_FIXED = ("kind", "helps_id")


def change(db: Unit, user_id: int, account_id: int, draft: AccountDraft, now: str) -> None:
    columns = {name: value for name, value in _ACCOUNTS.columns(draft).items() if name not in _FIXED}
    changes.update(db, "accounts", user_id, "id = :id", columns, now=now, id=account_id)


def dependents(db: Unit, user_id: int, account_id: int) -> Dependents:
    """Counts what is deleted with an account.

    As the number of transactions, returns the number of their splits, which is read from stored sums.
    """
    sql = f"""
        SELECT (SELECT CAST(COALESCE(SUM(splits), 0) AS BIGINT) FROM sums_of_accounts
                WHERE user_id = :user_id AND label_id = :id AND grain = 'all' AND period = '') AS transactions,
            (SELECT COUNT(*) FROM attachments f WHERE f.user_id = :user_id AND f.entry_id IS NOT NULL
                AND f.uploaded_at IS NOT NULL AND {_TOUCHES.format("f.entry_id")})
            + (SELECT COUNT(*) FROM attachments f WHERE f.user_id = :user_id AND f.account_id = :id
                AND f.uploaded_at IS NOT NULL) AS attachments,
            (SELECT COUNT(*) FROM piggy_banks WHERE user_id = :user_id AND account_id = :id) AS piggy_banks,
            (SELECT COUNT(*) FROM (
                SELECT recurrence_id FROM recurrence_splits WHERE user_id = :user_id AND source_id = :id
                UNION SELECT recurrence_id FROM recurrence_splits WHERE user_id = :user_id AND destination_id = :id
            ) AS used) AS recurrences,
            (SELECT COUNT(*) FROM entries e WHERE e.user_id = :user_id AND e.bill_id IS NOT NULL
                AND {_TOUCHES.format("e.id")}) AS bill_payments
    """
    dependents = db.struct(Dependents, sql, user_id=user_id, id=account_id)
    assert dependents is not None, "sums of nothing are a row, too"
    return dependents


_TOUCHES = """EXISTS (
    SELECT 1 FROM splits s
    WHERE s.user_id = :user_id AND s.entry_id = {} AND (s.source_id = :id OR s.destination_id = :id)
)"""


def remove(db: Unit, user_id: int, account_ids: list[int]) -> None:
    """Removes accounts and their stored sums. Remove the accounts' entries first."""
    changes.delete(db, "accounts", user_id, "id IN :ids", ids=account_ids)
