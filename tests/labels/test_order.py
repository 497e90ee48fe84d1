"""Budgets, bills, piggy banks and groups stand in an order of one's own, which is one change."""

import pytest

from ..accounts.making import asset, errors, made
from ..bills.making import a_bill, stored
from ..conftest import Client
from ..piggy_banks.making import saving
from .making import BUDGET, a_label


def budgets(me: Client, names: str) -> list[str]:
    return [a_label(me, BUDGET, name) for name in names]


def bills(me: Client, names: str) -> list[str]:
    return [stored(me, a_bill(name=name, match=f"w{name}", object_group_title=f"Group {name}"))["id"] for name in names]


def piggy_banks(me: Client, names: str) -> list[str]:
    account = made(me, asset())
    return [saving(me, account, name=name) for name in names]


def groups(me: Client, names: str) -> list[str]:
    bills(me, names)
    return [group["id"] for group in me.get("/object_groups").json()["data"]]


KINDS = {"budgets": budgets, "bills": bills, "piggy_banks": piggy_banks, "object_groups": groups}


def in_order(me: Client, path: str) -> list[str]:
    if path == "budgets":
        return [str(budget["id"]) for budget in me.get("/budgets/months").json()["data"]["budgets"]]
    return [thing["id"] for thing in me.get(f"/{path}", sort="order").json()["data"]]


@pytest.mark.parametrize("path", KINDS)
def test_the_chosen_come_first_and_one_undo_takes_it_back(me, path):
    a, b, c, d = KINDS[path](me, "abcd")

    assert me.put(f"/{path}/order", {"ids": [d, b]}).status_code == 204

    assert in_order(me, path) == [d, b, a, c]
    [last] = me.get("/changes", limit=1).json()["data"]
    assert me.post(f"/changes/{last['id']}/undo", {}).status_code == 200
    assert in_order(me, path) == [a, b, c, d]


@pytest.mark.parametrize("path", KINDS)
def test_unknown_and_repeated_ids_are_refused_and_nothing_moves(me, someone_else, path):
    a, b = KINDS[path](me, "ab")
    [foreign] = KINDS[path](someone_else, "z")

    for ids in ([b, a, foreign], [b, b], [b, "x"], None):
        assert errors(me.put(f"/{path}/order", {"ids": ids}))

    assert in_order(me, path) == [a, b]


def test_pages_of_bills_keep_the_order(me):
    a, b = bills(me, "ab")
    me.put("/bills/order", {"ids": [b]})

    page = me.get("/bills", sort="order", limit=1).json()

    assert [bill["id"] for bill in page["data"]] == [b]
    assert "sort=order" in page["links"]["next"]
    assert [bill["id"] for bill in me.get("/bills").json()["data"]] == [a, b]
    assert errors(me.get("/bills", sort="name")).keys() == {"sort"}
