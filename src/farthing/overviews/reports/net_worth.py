"""Reads the net worth of each account, in each currency it holds, at the end of each part of a range."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from farthing.ledger.kinds import ASSETS, KIND_OF, LIABILITIES, Kind
from farthing.storage.unit import Unit

from ..charts.model import closings
from ..charts.store import bounds, each, spans_after_first
from .ranges import ReportRange

_OWN = sorted(kind.value for kind in ASSETS | LIABILITIES)


class CountedAccount(Struct, frozen=True):
    """An account that counts towards the net worth."""

    id: int
    name: str
    kind: Kind


class AccountWorth(Struct, frozen=True):
    """The units at the end of each part."""

    id: int
    name: str
    kind: Kind
    closings: list[int]


def list_accounts(db: Unit, user_id: int, account_id: int | None) -> list[CountedAccount]:
    """Ordered by name."""
    narrowed, more = (" AND id = :id", {"id": account_id}) if account_id else ("", {})
    rows = db.all(
        f"""
        SELECT id, name, kind FROM accounts
        WHERE user_id = :user_id AND include_net_worth = 1 AND kind IN :kinds{narrowed} ORDER BY name_fold, id
        """,
        user_id=user_id,
        kinds=_OWN,
        **more,
    )
    return [CountedAccount(id=one, name=name, kind=KIND_OF[kind]) for one, name, kind in rows]


def read(
    db: Unit, user_id: int, accounts: Sequence[CountedAccount], within: ReportRange
) -> dict[int, list[AccountWorth]]:
    """By currency; accounts that never held a currency are left out."""
    totals, moved = _read_moves(db, user_id, [one.id for one in accounts], within)
    found: dict[int, list[AccountWorth]] = defaultdict(list)
    for account in accounts:
        for currency_id, total in sorted(totals.get(account.id, {}).items()):
            units = closings(total, moved[account.id, currency_id])
            found[currency_id].append(
                AccountWorth(id=account.id, name=account.name, kind=account.kind, closings=units)
            )
    return found


def _read_moves(
    db: Unit, user_id: int, account_ids: list[int], within: ReportRange
) -> tuple[dict[int, dict[int, int]], dict[tuple[int, int], list[int]]]:
    """The balances of all time, and what moved in each part after the first and after the last."""
    chosen = spans_after_first(within.parts, by_days=within.chart.by_days)
    totals: dict[int, dict[int, int]] = defaultdict(dict)
    moved: dict[tuple[int, int], list[int]] = defaultdict(lambda: [*within.nothing(), 0])
    rows = db.all(_of_accounts(len(chosen)), user_id=user_id, ids=account_ids, all_time="all", **bounds(chosen))
    for account_id, currency_id, period, units in rows:
        if period:
            moved[account_id, currency_id][within.places[period]] += units
        else:
            totals[account_id][currency_id] = units
    return totals, moved
