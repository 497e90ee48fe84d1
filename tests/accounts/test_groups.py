"""The user's own accounts by group: subtotals that add up to the net worth, in an order of one's own."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from farthing.books.accounts.model import group_of
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Kind
from farthing.overviews.net_worth import by_group
from farthing.overviews.net_worth.by_group import Amounts, Group, Grouping

from ..conftest import Client
from ..exchange_rates.making import a_rate
from .making import asset, card, errors, exact, liability, made

_OPENED = {"opening_balance_date": "2024-01-01"}


@pytest.fixture
def household(me: Client) -> dict[str, str]:
    """The day is 15 May 2024."""
    return {
        "Checking": made(me, asset(opening_balance="1000.10", **_OPENED)),
        "Abroad": made(me, asset(name="Abroad", currency_code="USD", opening_balance="33.33", **_OPENED)),
        "Rainy day": made(
            me, asset(name="Rainy day", account_role="savingAsset", opening_balance="7", virtual_balance="5", **_OPENED)
        ),
        "Child's": made(me, asset(name="Child's", include_net_worth=False, opening_balance="50", **_OPENED)),
        "Card": made(me, card(opening_balance="-20", **_OPENED)),
        "Student loan": made(me, liability(interest="3.5", interest_period="quarterly")),
    }


def grouped(me: Client, **query: str):
    response = me.get("/accounts/groups", **query)
    assert response.status_code == 200, response.text
    found = exact(response)
    totals = {
        group["group"]: {one["currency_code"]: one["amount"] for one in group["totals"]} for group in found["data"]
    }
    names = {group["group"]: [account["name"] for account in group["accounts"]] for group in found["data"]}
    return totals, names, found["meta"]


def test_the_groups_add_up_to_the_net_worth_in_each_currency(me: Client, household: dict[str, str]) -> None:
    totals, names, meta = grouped(me)

    assert names == {
        "everyday": ["Abroad", "Checking", "Child's"], "savings": ["Rainy day"], "cards": ["Card"],
        "debts": ["Student loan"],
    }  # fmt: skip
    assert totals == {
        "everyday": {"EUR": Decimal("1000.10"), "USD": Decimal("33.33")}, "savings": {"EUR": 7}, "cards": {"EUR": -20},
        "debts": {"EUR": -123},
    }  # fmt: skip
    debts = exact(me.get("/accounts/groups"))["data"][-1]["accounts"]
    assert [(one["interest"], one["interest_period"]) for one in debts] == [(Decimal("3.5"), "quarterly")]
    charted = exact(me.get("/chart/net_worth", start="2024-05-15", end="2024-05-15"))["data"]
    assert {one["currency_code"]: one["amount"] for one in meta["net_worth"]} == {
        one["currency_code"]: one["entries"][-1]["amount"] for one in charted
    }
    assert exact(me.get("/dashboard"))["data"]["accounts"] == exact(me.get("/accounts/groups"))
    assert grouped(me, date="2023-12-31")[0] == {"everyday": {}, "savings": {}, "cards": {}, "debts": {}}
    assert list(errors(me.get("/accounts/groups", convert="XXX"))) == ["convert"]


def test_converted_totals_add_up_to_the_converted_net_worth(me: Client, household: dict[str, str]) -> None:
    a_rate(me, "USD", "EUR", "2024-03-01", "0.9")

    totals, _, meta = grouped(me, convert="1")

    [worth] = meta["net_worth"]
    day = exact(me.get("/chart/net_worth", start="2024-05-15", end="2024-05-15", convert="1"))["converted"]["entries"]
    assert worth["amount"] == day[-1]["amount"] == sum(of["EUR"] for of in totals.values())
    assert meta["converted"]["rates"] == [{"currency_code": "USD", "date": "2024-03-01"}]


def test_accounts_and_groups_have_an_order_of_ones_own_that_can_be_undone(me: Client, household) -> None:
    ids = [household["Checking"], household["Child's"]]
    me.put("/preferences/accountOrder", {"data": ids})
    change = me.get("/changes", limit=1).json()["data"][0]
    me.put("/preferences/accountGroupOrder", {"data": ["debts", "savings"]})

    _, names, _ = grouped(me)

    assert list(names) == ["debts", "savings", "everyday", "cards"]
    assert names["everyday"] == ["Checking", "Child's", "Abroad"]
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert grouped(me)[1]["everyday"] == ["Abroad", "Checking", "Child's"]


class _Halves:
    """Converts every currency at one half, rounded once a row, as the real converter does."""

    to = Currency(id=1, code="EUR", name="Euro", symbol="€", places=2)

    def convert(self, many, _days):
        return [
            {1: [round(sum(units if id_ == 1 else units / 2 for id_, [units] in of.items()))]} if of else {}
            for of in many
        ]


_AMOUNTS: st.SearchStrategy[Amounts] = st.dictionaries(st.integers(1, 3), st.integers(-99, 99))


@given(st.lists(_AMOUNTS, max_size=6))
@settings(suppress_health_check=list(HealthCheck))
def test_rounding_never_keeps_groups_from_adding_up(totals: list[Amounts]) -> None:
    groups = [Group(group=None, accounts=[], totals=of) for of in totals]  # type: ignore[arg-type]
    whole = Grouping(groups, by_group._add(totals))

    converted = by_group.convert(_Halves(), whole, date(2024, 5, 15))  # type: ignore[arg-type]

    assert sum(group.totals[1] for group in converted.groups) == converted.totals[1]


@pytest.mark.parametrize(
    ("kind", "role", "group"),
    [
        (Kind.ASSET, "sharedAsset", "everyday"), (Kind.DEFAULT, None, "everyday"), (Kind.ASSET, "ccAsset", "cards"),
        (Kind.CREDIT_CARD, None, "cards"), (Kind.MORTGAGE, None, "debts"),
        (Kind.ASSET, "investmentAsset", "investments"),
        (Kind.ASSET, "vehicleAsset", "property"), (Kind.ASSET, "cashWalletAsset", "cash"),
    ],
)  # fmt: skip
def test_an_account_belongs_to_a_group_by_its_kind_and_role(kind: Kind, role: str | None, group: str) -> None:
    assert group_of(kind, role) == group
