"""Looks up the names of accounts, labels and currencies for transactions: one query per table for all lines."""

from collections.abc import Iterable, Mapping, Set

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.ledger.entry import Entry
from farthing.storage.unit import Answer, Unit

from ..currencies import store as currencies
from .model import LabelName, Side


class LineNames(Struct, frozen=True):
    """The names of what some lines refer to, by id. `labels` has one such mapping for each table."""

    accounts: Mapping[int, Side]
    currencies: Mapping[int, Currency]
    labels: Mapping[str, Mapping[int, LabelName]]


class NamedIds(Struct, frozen=True):
    """The ids that some lines refer to; `labels` has the ids of bills, categories and budgets, by table."""

    accounts: Set[int]
    currencies: Set[int]
    labels: Mapping[str, Set[int]]

    @classmethod
    def of(cls, entry: Entry) -> "NamedIds":
        splits = entry.splits
        amounts = [money for split in splits for money in (split.amount, split.foreign) if money]
        return cls(
            accounts={party.id for split in splits for party in (split.source, split.destination)},
            currencies={money.currency.id for money in amounts},
            labels={
                "bills": {entry.bill_id} if entry.bill_id else set(),
                "categories": {split.category_id for split in splits if split.category_id},
                "budgets": {split.budget_id for split in splits if split.budget_id},
            },
        )


class AskedNames:
    """Sends all queries for names together; call `read` when the names are needed."""

    def __init__(self, db: Unit, user_id: int, ids: NamedIds) -> None:
        self._accounts = _ask_sides(db, user_id, ids.accounts)
        self._currencies = currencies.ask_by_ids(db, ids.currencies)
        self._labels = {table: _ask_labels(db, user_id, table, of) for table, of in ids.labels.items()}

    def read(self) -> LineNames:
        return LineNames(
            accounts=_read_sides(self._accounts),
            currencies={currency.id: currency for currency in self._currencies.rows()},
            labels={table: _read_labels(answer) for table, answer in self._labels.items()},
        )


def sides(db: Unit, user_id: int, ids: Set[int]) -> dict[int, Side]:
    return _read_sides(_ask_sides(db, user_id, ids))


def _ask_sides(db: Unit, user_id: int, ids: Set[int]) -> Answer[Side]:
    sql = "SELECT id, name, iban, kind FROM accounts WHERE user_id = :user_id AND id IN :ids"
    return db.ask_structs(Side, sql, user_id=user_id, ids=sorted(ids))


def _read_sides(answer: Answer[Side]) -> dict[int, Side]:
    return {side.id: side for side in answer.rows()}


def label_names(db: Unit, user_id: int, table: str, ids: Iterable[int | None]) -> dict[int, LabelName]:
    """Returns the names of bills, categories, budgets or tags."""
    return _read_labels(_ask_labels(db, user_id, table, {label_id for label_id in ids if label_id is not None}))


def _ask_labels(db: Unit, user_id: int, table: str, ids: Set[int]) -> Answer[LabelName] | None:
    if not ids:
        return None
    look = ", colour, icon" if table == "categories" else ""
    sql = f"SELECT id, name{look} FROM {table} WHERE user_id = :user_id AND id IN :ids"
    return db.ask_structs(LabelName, sql, user_id=user_id, ids=sorted(ids))


def _read_labels(answer: Answer[LabelName] | None) -> dict[int, LabelName]:
    return {label.id: label for label in answer.rows()} if answer else {}
