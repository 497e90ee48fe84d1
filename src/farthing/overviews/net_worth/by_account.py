"""Reads the worth of each account at the end of each part of a range, in each currency that the account holds."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from farthing.books.transactions.stored_sums.sums import COUNTS
from farthing.ledger.kinds import Kind
from farthing.storage.grains import ALL_TIME, HIGH, LOW, join_halves
from farthing.storage.unit import Unit

from ..charts.model import closings
from ..reports.reading.converting import Converter
from ..reports.reading.ranges import Piece, ReportRange, as_table


class CountedAccount(Struct, frozen=True):
    id: int
    name: str
    kind: Kind


class AccountWorth(Struct, frozen=True):
    """The worth of one account in one currency: `opening` before the range, `closings` at the end of each part.

    `opening` is None if there was no exchange rate to convert it.
    """

    account: CountedAccount
    opening: int | None
    closings: list[int]


def list_accounts(db: Unit, user_id: int, account_id: int | None) -> list[CountedAccount]:
    """Lists the accounts that are part of the net worth, ordered by name. Charts include the same accounts."""
    narrowed, more = (" AND a.id = :id", {"id": account_id}) if account_id else ("", {})
    sql = f"""
        SELECT a.id, a.name, a.kind FROM accounts a
        WHERE a.user_id = :user_id AND {COUNTS}{narrowed} ORDER BY a.name_fold, a.id
    """
    return db.structs(CountedAccount, sql, user_id=user_id, **more)


def read(
    db: Unit, user_id: int, accounts: Sequence[CountedAccount], within: ReportRange
) -> dict[int, list[AccountWorth]]:
    """Reads the worth of each account, grouped by the currencies that the accounts have held."""
    moved: dict[tuple[int, int], list[int]] = defaultdict(lambda: [*within.zeros(), 0, 0])
    sql = _MOVED.format(pieces=as_table([*within.pieces_and_rest, Piece(_ALL, ALL_TIME)]))
    rows = db.all(sql, user_id=user_id, ids=[account.id for account in accounts])
    for account_id, currency_id, index, halves in rows:
        if halves:
            moved[account_id, currency_id][index] += join_halves(*_unpack(halves))
    order = {account.id: (index, account) for index, account in enumerate(accounts)}
    by_currency: dict[int, list[AccountWorth]] = defaultdict(list)
    for account_id, currency_id in sorted(moved, key=lambda held: order[held[0]][0]):
        *of_parts, total = moved[account_id, currency_id]
        ends = closings(total, of_parts)
        account = order[account_id][1]
        by_currency[currency_id].append(AccountWorth(account=account, opening=ends[0] - of_parts[0], closings=ends))
    return by_currency


def convert(
    into: Converter, by_currency: dict[int, list[AccountWorth]], within: ReportRange
) -> dict[int, list[AccountWorth]]:
    accounts = {worth.account.id: worth.account for held in by_currency.values() for worth in held}
    held: dict[int, dict[int, list[int]]] = {account_id: {} for account_id in accounts}
    opened: dict[int, dict[int, list[int]]] = {account_id: {} for account_id in accounts}
    for currency_id, worths in by_currency.items():
        for worth in worths:
            held[worth.account.id][currency_id] = worth.closings
            opened[worth.account.id][currency_id] = [worth.opening or 0]
    before = into.like()
    openings = before.convert(opened.values(), [within.day_before])
    converted: dict[int, list[AccountWorth]] = defaultdict(list)
    every = zip(accounts.values(), openings, into.convert(held.values(), within.lasts), strict=True)
    for account, opening, amounts in every:
        for currency_id, units in amounts.items():
            [first] = opening.get(currency_id, [0])
            is_known = before.missing <= into.missing
            converted[currency_id].append(
                AccountWorth(account=account, opening=first if is_known else None, closings=units)
            )
    return converted


# The index of the all-time sum: the last one, after the indexes of the parts and of the time after the range.
_ALL = -1
_NEXT_HELD = (
    "(SELECT MIN(b.currency_id) FROM balances b WHERE b.user_id = :user_id AND b.account_id = {} AND b.units <> 0{})"
)
# First finds the currencies of each account, because balances are indexed by account and currency. Skips balances of
# zero, which undone entries leave. Then sums each currency and piece with a subquery of its own: GROUP BY would sort
# all days, which takes longer than reading them.
_MOVED = f"""
WITH RECURSIVE held (account_id, currency_id) AS (
    SELECT a.id, {_NEXT_HELD.format("a.id", "")} FROM accounts a WHERE a.user_id = :user_id AND a.id IN :ids
    UNION ALL
    SELECT h.account_id, {_NEXT_HELD.format("h.account_id", " AND b.currency_id > h.currency_id")} FROM held h
    WHERE h.currency_id IS NOT NULL
), {{pieces}}
SELECT h.account_id, h.currency_id, p.place, (
    SELECT '[' || {HIGH.format(column="s.units")} || ',' || {LOW.format(column="s.units")} || ']' FROM balances s
    WHERE s.user_id = :user_id AND s.account_id = h.account_id AND s.currency_id = h.currency_id
    AND s.grain = p.grain AND s.period >= p.first AND s.period < p.beyond
)
FROM held h CROSS JOIN pieces p WHERE h.currency_id IS NOT NULL
"""
_unpack = msgspec.json.Decoder(tuple[int, int]).decode
