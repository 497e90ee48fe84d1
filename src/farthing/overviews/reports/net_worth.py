"""Reads the net worth of each account, in each currency it holds, at the end of each part of a range."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from farthing.ledger.kinds import ASSETS, KIND_OF, LIABILITIES, Kind
from farthing.storage.unit import Unit

from ..charts import store as charts
from .ranges import ReportRange

_OWN = sorted(kind.value for kind in ASSETS | LIABILITIES)


class CountedAccount(Struct, frozen=True):
    """An account that counts towards the net worth."""

    id: int
    name: str
    kind: Kind


class AccountWorth(Struct, frozen=True):
    """The units of one currency at the end of each part."""

    account: CountedAccount
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
    held = charts.closings_held(db, user_id, [one.id for one in accounts], within.chart)
    places = {one.id: place for place, one in enumerate(accounts)}
    found: dict[int, list[AccountWorth]] = defaultdict(list)
    for (account_id, currency_id), units in sorted(held.items(), key=lambda one: places[one[0][0]]):
        account = accounts[places[account_id]]
        closings = units if within.period else units[-1:]
        found[currency_id].append(AccountWorth(account=account, closings=closings))
    return found
