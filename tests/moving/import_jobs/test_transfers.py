"""Two rows of two own accounts that are one transfer: found by what they say, and nothing else taken for it."""

import pytest

from ...conftest import Client
from .making import a_csv, an_account, balance, counts, imported, transactions

HEADER = "Date,Payee,IBAN,Description,Amount"
FOREIGN = "Date,Payee,IBAN,Description,Amount,Currency,Foreign amount,Foreign currency"
GIRO, SAVINGS, STRANGER = "DE89370400440532013000", "DE75512108001245126199", "FR1420041010050500013M02606"


def a_pair(client: Client, **savings: str) -> tuple[str, str]:
    return an_account(client, "Giro", iban=GIRO), an_account(client, "Savings", iban=SAVINGS, **savings)


def dollars(client: Client) -> str:
    found = client.get("/currencies", limit=1000).json()["data"]
    return next(one["id"] for one in found if one["attributes"]["code"] == "USD")


def test_a_transfer_that_has_both_halves_takes_no_third_row(me, world):
    giro, savings = a_pair(me)
    imported(world, me, a_csv(f"2024-05-01,Me,{SAVINGS},To savings,-50", header=HEADER), account_id=giro)
    imported(world, me, a_csv("2024-05-01,Me,From giro,50"), account_id=savings)

    gift = imported(world, me, a_csv("2024-05-03,Grandma,Birthday,50"), account_id=savings)

    assert counts(gift) == (1, 1, 0, 0, 0)
    assert balance(me, savings) == 100


def test_a_row_that_names_a_stranger_is_no_half_though_it_comes_first(me, world):
    giro, savings = a_pair(me)
    imported(world, me, a_csv(f"2024-05-01,Me,{SAVINGS},To savings,-50", header=HEADER), account_id=giro)

    rows = (f"2024-05-01,Grandma,{STRANGER},Birthday,50", f"2024-05-03,Me,{GIRO},From giro,50")
    job = imported(world, me, a_csv(*rows, header=HEADER), account_id=savings)

    assert counts(job) == (2, 1, 0, 1, 0)
    assert [(one["type"], one["description"]) for one in transactions(me)] == [
        ("Transfer", "To savings"),
        ("Deposit", "Birthday"),
    ]


@pytest.mark.parametrize("first", ["giro", "savings"])
def test_halves_that_name_each_other_may_be_a_week_apart(me, world, first):
    giro, savings = a_pair(me)
    files = [
        (giro, a_csv(f"2024-05-01,Me,{SAVINGS},To savings,-100", header=HEADER)),
        (savings, a_csv(f"2024-05-08,Me,{GIRO},From giro,100", header=HEADER)),
    ]

    for account_id, content in files if first == "giro" else reversed(files):
        imported(world, me, content, account_id=account_id)

    assert [one["type"] for one in transactions(me)] == ["Transfer"]
    assert (balance(me, giro), balance(me, savings)) == (-100, 100)


@pytest.mark.parametrize("first", ["euros", "dollars"])
def test_a_transfer_between_currencies_is_paired_where_one_half_says_both_amounts(me, world, first):
    giro, savings = a_pair(me, currency_id=dollars(me))
    files = [
        (giro, a_csv(f"2024-05-01,Me,{SAVINGS},To savings,-100,EUR,108,USD", header=FOREIGN)),
        (savings, a_csv(f"2024-05-02,Me,{GIRO},From giro,108", header=HEADER)),
    ]

    jobs = [
        imported(world, me, content, account_id=account_id)
        for account_id, content in (files if first == "euros" else reversed(files))
    ]

    assert [counts(job) for job in jobs] == [(1, 1, 0, 0, 0), (1, 0, 0, 1, 0)]
    assert [one["type"] for one in transactions(me)] == ["Transfer"]
    assert (balance(me, giro), balance(me, savings)) == (-100, 108)


def test_undoing_the_half_with_both_amounts_leaves_the_other_as_it_was(me, world):
    giro, savings = a_pair(me, currency_id=dollars(me))
    imported(world, me, a_csv(f"2024-05-02,Me,{GIRO},From giro,108", header=HEADER), account_id=savings)
    before = transactions(me)
    imported(
        world,
        me,
        a_csv(f"2024-05-01,Me,{SAVINGS},To savings,-100,EUR,108,USD", header=FOREIGN),
        account_id=giro,
    )

    job_id = me.get("/import_jobs").json()["data"][0]["id"]
    me.post(f"/import_jobs/{job_id}/undo")

    assert [one | {"updated_at": None} for one in transactions(me)] == [one | {"updated_at": None} for one in before]
    assert (balance(me, giro), balance(me, savings)) == (0, 108)


def test_equal_numbers_in_two_currencies_are_no_transfer(me, world):
    giro, savings = a_pair(me, currency_id=dollars(me))
    imported(world, me, a_csv("2024-05-01,,To savings,-100"), account_id=giro)

    job = imported(world, me, a_csv("2024-05-01,,From giro,100"), account_id=savings)

    assert counts(job) == (1, 1, 0, 0, 0)


def test_two_imports_that_share_a_transfer_can_be_undone_one_after_the_other(me, world):
    giro, savings = a_pair(me)
    imported(world, me, a_csv("2024-05-01,,To savings,-100"), account_id=giro)
    imported(world, me, a_csv("2024-05-01,,From giro,100"), account_id=savings)
    second, first = (job["id"] for job in me.get("/import_jobs").json()["data"])

    too_early = me.post(f"/import_jobs/{first}/undo")
    in_order = [me.post(f"/import_jobs/{job_id}/undo") for job_id in (second, first)]

    assert too_early.status_code == 409
    assert [answer.status_code for answer in in_order] == [200, 200]
    assert transactions(me) == []
