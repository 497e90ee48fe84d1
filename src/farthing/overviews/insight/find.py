"""Finds the rows of an insight, with the names of their labels."""

from collections.abc import Collection
from typing import TypeVar

from farthing.storage.unit import Unit

from ..reports.breakdown import RowName, join_payees, keep_apart, load_from
from . import sums
from .model import InsightBy, InsightQuery, InsightRow, Sums, TransferRow, Units

R = TypeVar("R", bound=InsightRow)
_TABLES = {
    InsightBy.ACCOUNT: "accounts",
    InsightBy.PAYEE: "accounts",
    InsightBy.CATEGORY: "categories",
    InsightBy.BUDGET: "budgets",
    InsightBy.TAG: "tags",
    InsightBy.BILL: "bills",
}


def find_rows(
    db: Unit, user_id: int, query: InsightQuery, by: InsightBy, label_ids: Collection[int] = ()
) -> list[InsightRow]:
    """Lists the sums of each label, or only of `label_ids`. Accounts with the same name are one payee."""
    by_label = sums.sum_by(db, user_id, query, by)
    rows = []
    for name in _load_names(db, user_id, by, by_label):
        if label_ids and not set(label_ids).intersection(name.label_ids):
            continue
        total = Units()
        for label_id in name.label_ids:
            total.update(by_label.get(label_id, Units()))
        rows += [
            InsightRow(label_id=name.label.id, name=name.label.name, currency_id=currency_id, units=units)
            for currency_id, units in total.items()
            if units
        ]
    return _in_order(rows)


def find_transfers(db: Unit, user_id: int, query: InsightQuery) -> list[TransferRow]:
    arrived, left = sums.sum_transfers(db, user_id, query)
    rows = []
    for label in load_from(db, user_id, "accounts", {*arrived, *left}):
        if query.account_ids and label.id not in query.account_ids:
            continue
        in_, out = arrived.get(label.id, Units()), left.get(label.id, Units())
        rows += [
            TransferRow(
                label_id=label.id,
                name=label.name,
                currency_id=currency_id,
                units=in_[currency_id] - out[currency_id],
                arrived=in_[currency_id],
                left=out[currency_id],
            )
            for currency_id in {**in_, **out}
        ]
    return _in_order(rows)


def _load_names(db: Unit, user_id: int, by: InsightBy, by_label: Sums) -> list[RowName]:
    labels = load_from(db, user_id, _TABLES[by], by_label)
    if by is not InsightBy.PAYEE:
        return keep_apart(labels)
    # A payee is named after the account with the purchases, not after the one with the refunds.
    return join_payees(sorted(labels, key=lambda label: max(by_label[label.id].values(), default=0) <= 0))


def _in_order(rows: list[R]) -> list[R]:
    """Orders rows by currency; within a currency, the largest amount comes first."""
    return sorted(rows, key=lambda row: (row.currency_id, -abs(row.units), row.name, row.label_id))
