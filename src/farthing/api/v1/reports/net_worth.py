"""Shows net worth by account and by kind."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number
from farthing.ledger.kinds import ASSETS, LIABILITY_WORDS
from farthing.overviews.net_worth.by_account import AccountWorth

from ..serializers.currencies import InCurrency, currency_fields
from .table import Cell
from .wire import ReportMeta, amounts

_WORDS = {**dict.fromkeys(ASSETS, "asset"), **{kind: word for word, kind in LIABILITY_WORDS.items()}}


class WorthOfAccount(Struct, gc=False):
    id: int
    name: str
    kind: str
    parts: list[Number]


class WorthOfKind(Struct, gc=False):
    kind: str
    parts: list[Number]


class WorthAmounts(InCurrency, gc=False, kw_only=True):
    """Holds amounts at the end of each part. `assets` are the positive balances, `debts` the negative ones.

    `opening` is the total on the day before the range, and null if it cannot be converted.
    """

    accounts: list[WorthOfAccount]
    kinds: list[WorthOfKind]
    assets: list[Number]
    debts: list[Number]
    total: list[Number]
    opening: Number | None


class NetWorthReport(Struct, gc=False):
    data: list[WorthAmounts]
    meta: ReportMeta


def show(
    worths: Mapping[int, Sequence[AccountWorth]], currencies: Sequence[Currency], meta: ReportMeta
) -> NetWorthReport:
    return NetWorthReport([_show_currency(currency, worths[currency.id]) for currency in currencies], meta)


def _show_currency(currency: Currency, accounts: Sequence[AccountWorth]) -> WorthAmounts:
    columns = list(zip(*(account.closings for account in accounts), strict=True))
    kinds = {
        word: [account for account in accounts if _WORDS[account.account.kind] == word]
        for word in dict.fromkeys(_WORDS.values())
    }
    return WorthAmounts(
        **currency_fields(currency),
        accounts=[
            WorthOfAccount(
                id=account.account.id,
                name=account.account.name,
                kind=_WORDS[account.account.kind],
                parts=amounts(account.closings, currency),
            )
            for account in accounts
        ],
        kinds=[WorthOfKind(kind=word, parts=amounts(_add(of), currency)) for word, of in kinds.items() if of],
        assets=amounts((sum(units for units in column if units > 0) for column in columns), currency),
        debts=amounts((sum(units for units in column if units < 0) for column in columns), currency),
        total=amounts(map(sum, columns), currency),
        opening=_add_openings(accounts, currency),
    )


def _add_openings(accounts: Sequence[AccountWorth], currency: Currency) -> Number | None:
    openings = [account.opening for account in accounts]
    converted = [opening for opening in openings if opening is not None]
    return number(sum(converted), currency.places) if len(converted) == len(openings) else None


def _add(accounts: Sequence[AccountWorth]) -> list[int]:
    return [sum(column) for column in zip(*(account.closings for account in accounts), strict=True)]


COLUMNS = ("date", "account_id", "account", "kind", "currency", "amount")


def tabulate(report: NetWorthReport) -> Iterator[tuple[Cell, ...]]:
    for of in report.data:
        for account in of.accounts:
            for part, amount in zip(report.meta.parts, account.parts, strict=True):
                yield (part.end, account.id, account.name, account.kind, of.currency_code, amount)
