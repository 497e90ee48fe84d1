"""History under a balance that was typed as the current one: the import sees it, and can move the opening balance."""

from decimal import Decimal

from ...transactions.making import findings
from .making import a_csv, a_job, an_account, balance, run, shown

HISTORY = a_csv("2024-03-02,Grocer,Food,-52.10", "2024-03-03,Employer,Salary,2500.00", "2024-03-31,Grocer,Food,-10.00")


def test_history_under_a_typed_balance_is_seen_and_the_opening_balance_is_moved(me, world):
    account_id = an_account(me, opening_balance="2345.67", opening_balance_date="2024-03-31")
    job = a_job(me, HISTORY, account_id=account_id)
    meta = me.post(f"/import_jobs/{job['id']}/preview").json()["meta"]
    [clash] = meta["opening_balances"]
    assert (clash["account_id"], clash["date"], clash["balance"], clash["transactions"]) == (
        account_id, "2024-03-31", 2345.67, 3,
    )  # fmt: skip
    assert (clash["moved_date"], clash["moved_balance"]) == ("2024-03-01", -92.23)

    done = run(world, me, job)
    assert Decimal(str(balance(me, account_id))) == Decimal("4783.57")
    assert [finding["field"] for finding in done["findings"]] == ["opening_balance"]
    assert me.get(f"/import_jobs/{job['id']}/opening_balances").json()["data"] == [clash]
    moved = me.post(f"/import_jobs/{job['id']}/move_opening_balances")

    assert moved.status_code == 200, moved.text
    assert Decimal(str(balance(me, account_id))) == Decimal("2345.67")
    assert shown(me, job)["findings"] == []
    assert me.post(f"/import_jobs/{job['id']}/move_opening_balances").status_code == 409
    assert findings(world, me) == []

    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    assert Decimal(str(balance(me, account_id))) == Decimal("2345.67")
    opening = me.get(f"/accounts/{account_id}").json()["data"]["attributes"]
    assert opening["opening_balance_date"][:10] == "2024-03-31"
    assert findings(world, me) == []


def test_the_opening_balance_can_be_moved_by_the_import_itself(me, world):
    account_id = an_account(me, opening_balance="2345.67", opening_balance_date="2024-03-31")
    job = a_job(me, HISTORY, account_id=account_id, options={"move_opening_balances": True})

    done = run(world, me, job)

    assert done["findings"] == []
    assert Decimal(str(balance(me, account_id))) == Decimal("2345.67")
    assert me.get(f"/import_jobs/{job['id']}/opening_balances").json()["data"] == []
    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    opening = me.get(f"/accounts/{account_id}").json()["data"]["attributes"]
    assert (opening["opening_balance_date"][:10], opening["opening_balance"]) == ("2024-03-31", 2345.67)
    assert findings(world, me) == []


def test_the_day_of_the_opening_balance_alone_is_no_history(me):
    account_id = an_account(me, opening_balance="100", opening_balance_date="2024-03-02")

    meta = me.post(f"/import_jobs/{a_job(me, HISTORY, account_id=account_id)['id']}/preview").json()["meta"]

    assert meta["opening_balances"] == []
