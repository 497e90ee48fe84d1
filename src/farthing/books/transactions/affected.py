"""Tells from what an undo changes which of the sums and indexes beside the entries it affects."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.storage.restoring import Columns

from . import sets


class Affected(Struct, frozen=True):
    """The tables of kept sums; and whether the words and payments are affected as well."""

    sums: frozenset[str]
    words: bool


EVERYTHING = Affected(sums=sets.TABLES, words=True)
_LABELS = {"category_id": "sums_of_categories", "budget_id": "sums_of_budgets"}
_SIDES = {"source_id", "destination_id"}
_OF_ACCOUNTS = frozenset(("balances", "net_worth", "sums_of_accounts"))
# Of an entry, these are in no sum and in no index.
_ASIDE = {"bill_id", "bill_by_hand", "updated_at"}


def find(changed: Mapping[str, Columns]) -> Affected:
    """`changed` are the columns by table that will differ.

    With another currency of an account, or another day, everything can be booked otherwise. Accounts alone change
    where they are merged, which only those can be that book the same amounts.
    """
    entry, split, account = (_known(changed, table) for table in ("entries", "splits", "accounts"))
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


def _known(changed: Mapping[str, Columns], table: str) -> Columns:
    """None if rows of the table were created or removed; no columns if it was not touched."""
    return changed.get(table, frozenset())
