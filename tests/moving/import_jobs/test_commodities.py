"""Do currencies and commodities that are not known here come along with the books that hold them?"""

from .making import a_csv, a_job, an_account, an_owner, balance, imported, run, transactions

BOOKS = """
2024-05-01 open Assets:Bank
2024-05-01 open Assets:Broker
2024-05-01 open Assets:Coins
2024-05-01 open Equity:Opening
2024-05-01 * "Start"
  Assets:Bank      1000.00 EUR
  Equity:Opening
2024-05-02 * "Buy"
  Assets:Broker    3.908 ACM {92.12 EUR}
  Assets:Bank   -360.00 EUR
2024-05-03 * "Coins"
  Assets:Coins    0.01000000 BTC {5000.00 EUR}
  Assets:Bank   -50.00 EUR
"""


def accounts(client):
    found = client.get("/accounts", type="asset", limit=100).json()["data"]
    return {one["attributes"]["name"]: one["attributes"] for one in found}


def codes(client):
    return [one["attributes"]["code"] for one in client.get("/currencies", limit=1000).json()["data"]]


def books_with(code, more=""):
    """Each test has a commodity of its own: all share one installation."""
    return (BOOKS + more).replace("ACM", code).encode()


def brought(client, world, content):
    return imported(world, client, content, filename="books.beancount")


def test_whoever_moves_in_brings_their_commodities(me, world):
    mover, stranger, owner = world.someone(), world.someone(), an_owner(world)
    before = codes(stranger)

    job = brought(mover, world, books_with("QAA"))

    held = accounts(mover)
    assert (job["state"], job["counts"]["rejected"]) == ("done", 0), job["findings"]
    assert {name: (one["currency_code"], one["current_balance"]) for name, one in held.items()} == {
        "Assets:Bank": ("EUR", 590), "Assets:Broker": ("QAA", 3.908), "Assets:Coins": ("XBT", 0.01),
    }  # fmt: skip
    assert "QAA" in codes(mover)
    assert codes(stranger) == codes(owner) == before
    assert job["made"]["currencies"] == 1


def test_the_undo_takes_the_currencies_back_and_its_undo_brings_them_again(me, world):
    before = codes(me)
    job = a_job(me, books_with("QAB"), "books.beancount")
    run(world, me, job)
    held = accounts(me)

    undone = me.post(f"/import_jobs/{job['id']}/undo")
    after_undo = codes(me)
    change = me.get("/changes").json()["data"][0]["id"]
    redone = me.post(f"/changes/{change}/undo")

    assert (undone.status_code, after_undo, me.get("/currencies/QAB").status_code) == (200, before, 200)
    assert redone.status_code == 200, redone.text
    assert accounts(me) == held
    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    assert codes(me) == before
    assert me.get("/currencies/QAB").status_code == 404


def test_the_first_maker_of_a_code_decides_and_what_others_use_stays(me, world):
    other = world.someone()
    first = a_job(me, books_with("QAC"), "books.beancount")
    run(world, me, first)

    second = brought(other, world, books_with("QAC").replace(b"3.908 ", b"3.9081 "))
    undone = me.post(f"/import_jobs/{first['id']}/undo")

    assert any("QAC has 3 decimal places instead of 4" in one["message"] for one in second["findings"])
    assert accounts(other)["Assets:Broker"]["current_balance"] == 3.908
    assert undone.status_code == 200
    assert ("QAC" in codes(me), "QAC" in codes(other)) == (False, True)


def test_what_cannot_be_held_is_a_finding_and_its_money_is_booked(me, world):
    tiny = """
2024-05-04 * "Dust"
  Assets:Broker    0.0004 ACM {92.12 EUR}
  Assets:Bank   -0.04 EUR
"""
    first = world.someone()
    brought(first, world, books_with("QAD"))

    job = brought(me, world, books_with("QAD", tiny))

    assert (job["state"], job["counts"]["rejected"]) == ("done", 0)
    assert accounts(me)["Assets:Bank"]["current_balance"] == 589.96
    assert any("Only 0.04 EUR of" in one["message"] for one in job["findings"])


def test_an_amount_abroad_that_cannot_be_held_is_noted(me, world):
    account_id = an_account(me)
    header = "Date,Payee,Description,Amount,Original Amount,Original Currency"

    job = imported(world, me, a_csv("2024-05-01,Shop,Row,-1.00,-7.5,QQQ", header=header), account_id=account_id)

    assert (job["state"], balance(me, account_id)) == ("done", -1)
    assert any("cannot be stored" in one["message"] for one in job["findings"])
    assert "-7.5 QQQ" in transactions(me)[0]["notes"]


def test_a_row_in_an_unknown_currency_is_booked_as_what_it_was_elsewhere(me, world):
    account_id, coins = an_account(me), an_account(me, "Coins", currency_code="XBT")
    header = "Date,Payee,Description,Amount,Currency,Original Amount,Original Currency"
    points = a_csv("2024-05-01,Shop,Row,-100,QQQ,1.50,EUR", "2024-05-02,Shop,Next,-2,EUR,,", header=header)
    mined = a_csv(
        "2024-05-01,Pool,Mined,0.5,BTC", "2024-05-02,Pool,Fee,-0.1,BTC", header="Date,Payee,Text,Amount,Currency"
    )

    job = imported(world, me, points, account_id=account_id)
    imported(world, me, mined, account_id=coins)

    assert (job["state"], balance(me, account_id), balance(me, coins)) == ("done", -3.5, 0.4)
    assert any("100 QQQ cannot be stored" in one["message"] for one in job["findings"])
    assert any("100 QQQ" in (one["notes"] or "") for one in transactions(me))
