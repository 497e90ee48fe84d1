"""Shows insights. Expenses are negative."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number
from farthing.overviews.insight.model import InsightFlow, InsightRow, TransferRow, Units

from ..parts.amounts import show_amount

Currencies = Mapping[int, Currency]


class InsightTotal(Struct, gc=False, kw_only=True):
    """Holds the sum in one currency."""

    difference: str
    difference_float: Number
    currency_id: str
    currency_code: str


class InsightGroup(InsightTotal, gc=False, kw_only=True):
    """Holds the sum of one label or account in one currency."""

    id: str
    name: str


class InsightTransfer(InsightGroup, gc=False, kw_only=True, rename={"in_": "in"}):
    """Holds what transfers brought to an account (`in`), what they took away (`out`, negative), and the sum of both."""

    in_: str
    in_float: Number
    out: str
    out_float: Number


def show_rows(flow: InsightFlow, rows: Sequence[InsightRow], currencies: Currencies) -> list[InsightGroup]:
    return [
        InsightGroup(**_label(row), **_difference(_sign(flow) * row.units, currencies[row.currency_id])) for row in rows
    ]


def show_total(flow: InsightFlow, units: Units, currencies: Currencies) -> list[InsightTotal]:
    return [
        InsightTotal(**_difference(_sign(flow) * units[currency_id], currencies[currency_id]))
        for currency_id in sorted(units)
        if units[currency_id]
    ]


def show_transfers(rows: Sequence[TransferRow], currencies: Currencies) -> list[InsightTransfer]:
    return [
        InsightTransfer(
            **_label(row),
            **_difference(row.units, currency := currencies[row.currency_id]),
            in_=show_amount(row.arrived, currency.places),
            in_float=number(row.arrived, currency.places),
            out=show_amount(-row.left, currency.places),
            out_float=number(-row.left, currency.places),
        )
        for row in rows
    ]


def _sign(flow: InsightFlow) -> int:
    return -1 if flow is InsightFlow.EXPENSE else 1


def _label(row: InsightRow) -> dict[str, Any]:
    return {"id": str(row.label_id), "name": row.name}


def _difference(units: int, currency: Currency) -> dict[str, Any]:
    return {
        "difference": show_amount(units, currency.places),
        "difference_float": number(units, currency.places),
        "currency_id": str(currency.id),
        "currency_code": currency.code,
    }
