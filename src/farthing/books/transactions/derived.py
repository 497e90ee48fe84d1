"""Finds the sums and columns that are computed from rows restored by an undo, and updates these columns."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.storage.change_log import changes
from farthing.storage.change_log.records import find_id, find_ids
from farthing.storage.change_log.restoring import Columns
from farthing.storage.unit import Unit

from .stored_sums import sets


class Affected(Struct, frozen=True):
    """The tables of sums that an undo affects, and whether it affects words and payments."""

    sums: frozenset[str]
    words: bool


EVERYTHING = Affected(sums=sets.TABLES, words=True)
_LABELS = {"category_id": "sums_of_categories", "budget_id": "sums_of_budgets"}
_SIDES = {"source_id", "destination_id"}
_OF_ACCOUNTS = frozenset(("balances", "net_worth", "sums_of_accounts"))
# These columns of entries affect no sum and no index.
_ASIDE = {"bill_id", "bill_by_hand", "updated_at"}


def find_affected(changed: Mapping[str, Columns]) -> Affected:
    """Finds the sums that an undo affects. `changed` maps tables to the columns that will differ.

    Every sum may change if the currency of an account or the day of an entry changes. If only the accounts of splits
    change, the undo reverts a merge of accounts, and such merges never change the booked amounts.
    """
    # A value is None if rows of the table were created or removed, and empty if the table was not touched.
    entry, split, account = (changed.get(table, frozenset()) for table in ("entries", "splits", "accounts"))
    if entry is None or split is None or not entry <= _ASIDE or not split <= _SIDES | _LABELS.keys():
        return EVERYTHING
    if account and "currency_id" in account:
        return EVERYTHING
    sums = {_LABELS[column] for column in split & _LABELS.keys()}
    if "entry_tags" in changed:
        sums.add("sums_of_tags")
    if split & _SIDES:
        sums |= _OF_ACCOUNTS
    return Affected(sums=frozenset(sums), words=False)


def find_exchanging_entries(db: Unit, user_id: int, account_ids: list[int]) -> list[int]:
    """Finds the entries whose booked amounts may change if the currency of the given accounts changes."""
    sql = """
        SELECT entry_id FROM splits
        WHERE user_id = :user_id AND source_id IN :ids AND foreign_currency_id IS NOT NULL
        UNION
        SELECT entry_id FROM splits
        WHERE user_id = :user_id AND destination_id IN :ids AND foreign_currency_id IS NOT NULL
    """
    return find_ids(db, sql, user_id=user_id, ids=account_ids)


def find_account_opened_in_other_currency(
    db: Unit, user_id: int, entry_ids: list[int], account_ids: list[int]
) -> int | None:
    """Finds an account whose opening balance is not in the account's currency.

    Checks the given accounts, and the given entries if they are opening balances.
    """
    sql = """
        SELECT a.id FROM entries e
        JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id
        JOIN accounts a ON a.user_id = e.user_id AND a.id = e.opening_account_id
        WHERE e.user_id = :user_id AND (e.id IN :entry_ids OR e.opening_account_id IN :account_ids)
            AND s.currency_id <> a.currency_id ORDER BY a.id LIMIT 1
    """
    return find_id(db, sql, user_id=user_id, entry_ids=entry_ids, account_ids=account_ids)


def update(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Updates two kinds of outdated columns: the days of tags, and which amount each side of a split is booked with."""
    for table, columns in _FOLLOWING.items():
        misfits = " OR ".join(f"{column} <> {value}" for column, value in columns.items())
        where = f"entry_id IN :entry_ids AND ({misfits})"
        changes.log_changing(db, table, where, entry_ids=entry_ids)
        following = ", ".join(f"{column} = {value}" for column, value in columns.items())
        sql = f"UPDATE {table} SET {following} WHERE user_id = :user_id AND {where}"
        db.run(sql, user_id=user_id, entry_ids=entry_ids)


def _books_foreign(side: str) -> str:
    currency = f"(SELECT a.currency_id FROM accounts a WHERE a.user_id = splits.user_id AND a.id = splits.{side}_id)"
    return f"CASE WHEN foreign_currency_id = {currency} AND currency_id <> {currency} THEN 1 ELSE 0 END"


_ENTRY_DAY = "(SELECT e.on_day FROM entries e WHERE e.user_id = entry_tags.user_id AND e.id = entry_tags.entry_id)"
_FOLLOWING = {
    "entry_tags": {"on_day": _ENTRY_DAY},
    "splits": {f"{side}_foreign": _books_foreign(side) for side in ("source", "destination")},
}
