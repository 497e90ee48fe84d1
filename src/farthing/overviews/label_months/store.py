"""Reads spending and income by month from stored sums."""

from datetime import date

from msgspec import Struct

from farthing.books.accounts.model import Account
from farthing.kernel.money import Currency
from farthing.ledger.entry import Label
from farthing.ledger.kinds import FLOWING, Kind, Type
from farthing.storage.unit import Unit, columns_of


class MonthSum(Struct, frozen=True):
    """The amount spent or earned in a month, such as `2024-05`, in one currency."""

    month: str
    is_spent: bool
    currency: Currency
    units: int


def of_label(db: Unit, user_id: int, label: Label, label_id: int, within: tuple[date, date]) -> list[MonthSum]:
    """Reads all months that overlap the range, as whole months. Omits months without an amount."""
    sql = f"""
        SELECT period AS month, type = {Type.WITHDRAWAL:d} AS is_spent, units, {columns_of(Currency, "c", "currency")}
        FROM sums_of_{label} JOIN currencies c ON c.id = currency_id
        WHERE user_id = :user_id AND label_id = :id AND grain = 'month' AND period >= :first AND period <= :last
            AND type IN :types AND units <> 0
        ORDER BY period, c.id
    """
    first, last = (day.isoformat()[:7] for day in within)
    types = list(map(int, FLOWING))
    return db.structs(MonthSum, sql, user_id=user_id, id=label_id, first=first, last=last, types=types)


def of_payee(db: Unit, user_id: int, account: Account, within: tuple[date, date]) -> list[MonthSum]:
    """Reads the months from the stored balances of the payee, in every currency. Omits months without an amount."""
    sign = -1 if account.kind == Kind.REVENUE else 1
    sql = f"""
        SELECT b.period AS month, {int(sign > 0)} AS is_spent, b.units * {sign} AS units,
            {columns_of(Currency, "c", "currency")}
        FROM balances b JOIN currencies c ON c.id = b.currency_id
        WHERE b.user_id = :user_id AND b.account_id = :id AND b.currency_id IN (SELECT id FROM currencies)
            AND b.grain = 'month' AND b.period >= :first AND b.period <= :last AND b.units <> 0
        ORDER BY b.period, c.id
    """
    first, last = (day.isoformat()[:7] for day in within)
    return db.structs(MonthSum, sql, user_id=user_id, id=account.id, first=first, last=last)
