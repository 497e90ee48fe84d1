"""Reads what was spent and earned month by month, from kept sums."""

from datetime import date

from msgspec import Struct

from farthing.books.accounts.model import Account
from farthing.kernel.money import Currency, currency_of
from farthing.ledger.entry import Label
from farthing.ledger.kinds import Kind, Type
from farthing.storage.unit import Unit


class MonthSum(Struct, frozen=True):
    """What was spent or earned in a month, such as `2024-05`, in one currency."""

    month: str
    is_spent: bool
    currency: Currency
    units: int


def of_label(db: Unit, user_id: int, label: Label, label_id: int, within: tuple[date, date]) -> list[MonthSum]:
    """In every whole month that the range touches; months with nothing are left out."""
    rows = db.all(
        f"""
        SELECT period, type, units, c.id, c.code, c.name, c.symbol, c.places
        FROM sums_of_{label} JOIN currencies c ON c.id = currency_id
        WHERE user_id = :user_id AND label_id = :id AND grain = 'month' AND period >= :first AND period <= :last
            AND type IN :types AND units <> 0
        ORDER BY period, c.id
        """,
        user_id=user_id,
        id=label_id,
        first=within[0].isoformat()[:7],
        last=within[1].isoformat()[:7],
        types=[int(Type.WITHDRAWAL), int(Type.DEPOSIT)],
    )
    return [
        MonthSum(month=period, is_spent=type_ == Type.WITHDRAWAL, currency=currency_of(currency), units=units)
        for period, type_, units, *currency in rows
    ]


def of_payee(db: Unit, user_id: int, account: Account, within: tuple[date, date]) -> list[MonthSum]:
    """From the kept balances, in every currency; months with nothing are left out."""
    sign = -1 if account.kind == Kind.REVENUE else 1
    rows = db.all(
        """
        SELECT b.period, b.units, c.id, c.code, c.name, c.symbol, c.places
        FROM balances b JOIN currencies c ON c.id = b.currency_id
        WHERE b.user_id = :user_id AND b.account_id = :id AND b.currency_id IN (SELECT id FROM currencies)
            AND b.grain = 'month' AND b.period >= :first AND b.period <= :last AND b.units <> 0
        ORDER BY b.period, c.id
        """,
        user_id=user_id,
        id=account.id,
        first=within[0].isoformat()[:7],
        last=within[1].isoformat()[:7],
    )
    return [
        MonthSum(month=period, is_spent=sign > 0, currency=currency_of(currency), units=sign * units)
        for period, units, *currency in rows
    ]
