"""Reads the net worth of each account, in each currency it holds, at the end of each part of a range."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind
from farthing.storage.grains import ALL_TIME, HIGH, LOW, join_halves
from farthing.storage.unit import Unit

from ..charts.model import closings
from .converting import Converter
from .ranges import Piece, ReportRange, as_table

_OWN = sorted(kind.value for kind in ASSETS | LIABILITIES)


class CountedAccount(Struct, frozen=True):
    """An account that counts towards the net worth."""

    id: int
    name: str
    kind: Kind


class AccountWorth(Struct, frozen=True):
    """The units of one currency before the range, and at the end of each part.

    `opening` is None if there was no rate to convert it.
    """

    account: CountedAccount
    opening: int | None
    closings: list[int]


def list_accounts(db: Unit, user_id: int, account_id: int | None) -> list[CountedAccount]:
    """Ordered by name."""
    narrowed, more = (" AND id = :id", {"id": account_id}) if account_id else ("", {})
    return db.structs(
        CountedAccount,
        f"""
        SELECT id, name, kind FROM accounts
        WHERE user_id = :user_id AND include_net_worth = 1 AND kind IN :kinds{narrowed} ORDER BY name_fold, id
        """,
        user_id=user_id,
        kinds=_OWN,
        **more,
    )


def read(
    db: Unit, user_id: int, accounts: Sequence[CountedAccount], within: ReportRange
) -> dict[int, list[AccountWorth]]:
    """By currency; accounts that never held a currency are left out."""
    moved: dict[tuple[int, int], list[int]] = defaultdict(lambda: [*within.zeros(), 0, 0])
    rows = db.all(
        _MOVED.format(pieces=as_table([*within.pieces_and_rest, Piece(_ALL, ALL_TIME)])),
        user_id=user_id,
        ids=[one.id for one in accounts],
    )
    for account_id, currency_id, place, halves in rows:
        if halves:
            moved[account_id, currency_id][place] += join_halves(*_unpack(halves))
    known = {one.id: (place, one) for place, one in enumerate(accounts)}
    found: dict[int, list[AccountWorth]] = defaultdict(list)
    for account_id, currency_id in sorted(moved, key=lambda held: known[held[0]][0]):
        *of_parts, total = moved[account_id, currency_id]
        ends = closings(total, of_parts)
        account = known[account_id][1]
        found[currency_id].append(AccountWorth(account=account, opening=ends[0] - of_parts[0], closings=ends))
    return found


def convert(
    into: Converter, found: dict[int, list[AccountWorth]], within: ReportRange
) -> dict[int, list[AccountWorth]]:
    """What an account holds in several currencies becomes one."""
    accounts = {one.account.id: one.account for held in found.values() for one in held}
    held: dict[int, dict[int, list[int]]] = {one: {} for one in accounts}
    opened: dict[int, dict[int, list[int]]] = {one: {} for one in accounts}
    for currency_id, worths in found.items():
        for one in worths:
            held[one.account.id][currency_id] = one.closings
            opened[one.account.id][currency_id] = [one.opening or 0]
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


# The index of the sum of all time, behind those of the parts and of the days after them.
_ALL = -1
_NEXT_HELD = (
    "(SELECT MIN(b.currency_id) FROM balances b WHERE b.user_id = :user_id AND b.account_id = {} AND b.units <> 0{})"
)
# First finds which currencies each account holds, because balances are indexed by account and currency; what was undone
# leaves zeros. Then one sum for each of them and each piece: grouping would sort all days, which takes longer than
# reading them.
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
