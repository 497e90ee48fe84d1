"""Shows net worth by account and by kind."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from farthing.http.request.call import Answer, Call
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number
from farthing.ledger.kinds import ASSETS, LIABILITY_WORDS
from farthing.overviews.net_worth import by_account as worths
from farthing.overviews.net_worth.by_account import AccountWorth

from ..serializers.currencies import InCurrency, currency_fields
from . import query
from .report import ReportMeta, amounts, answer, describe, in_order, read, route
from .table import Cell, Table

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
    """Holds amounts at the end of each period. `assets` adds up the positive balances, `debts` the negative ones.

    `opening` is the total on the day before the range, or null if it cannot be converted.
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


def net_worth(call: Call) -> Answer:
    query.refuse_others(call, ("account_id",))
    values, request = read(call)
    accounts = worths.list_accounts(call.db, call.user_id, request.question.filters.account_id)
    query.refuse_figures(request.within, len(accounts))
    account_worths = worths.read(call.db, call.user_id, accounts, request.within)
    if request.question.into:
        account_worths = worths.convert(request.question.into, account_worths, request.within)
    currencies = in_order(call, account_worths, request.own_currency_id)
    data = [_show_currency(currency, account_worths[currency.id]) for currency in currencies]
    report = NetWorthReport(data, describe(call, request))
    return answer(values, report, Table(_COLUMNS, _list_rows(report)), "net-worth")


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


_COLUMNS = ("date", "account_id", "account", "kind", "currency", "amount")


def _list_rows(report: NetWorthReport) -> Iterator[tuple[Cell, ...]]:
    for of in report.data:
        for account in of.accounts:
            for part, amount in zip(report.meta.parts, account.parts, strict=True):
                yield (part.end, account.id, account.name, account.kind, of.currency_code, amount)


ROUTE = route(
    "net_worth", net_worth, "Report net worth by account and by kind of account", NetWorthReport, query.NET_WORTH
)
