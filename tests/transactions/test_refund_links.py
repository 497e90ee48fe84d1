"""A refund leads to its purchase, and the purchase to its refunds."""

from ..accounts.making import asset, made
from .making import a_transaction, exact, posted_one, split


def bought(client, account_id, on, amount, shop="Tailor"):
    one = split(source_id=account_id, amount=amount, destination_name=shop)
    return posted_one(client, a_transaction("withdrawal", one, date=on))["id"]


def given_back(client, account_id, on, amount, refund=True, currency="EUR"):
    one = split(destination_id=account_id, amount=amount, source_name="Tailor", currency_code=currency, refund=refund)
    return posted_one(client, a_transaction("deposit", one, date=on))["id"]


def related(client, transaction_id):
    data = exact(client.get(f"/transactions/{transaction_id}/refunds"))["data"]
    purchase = data["purchase"] and (data["purchase"]["transaction_id"], data["purchase"]["amount"])
    return purchase, [(one["transaction_id"], one["amount"]) for one in data["refunds"]]


def test_a_refund_and_its_purchase_lead_to_each_other(me):
    own = made(me, asset())
    first, jacket = bought(me, own, "2024-05-01", "30"), bought(me, own, "2024-05-02", "20")
    coat = bought(me, own, "2024-05-03", "90")
    bought(me, own, "2024-05-05", "20", shop="Baker")
    whole, part = given_back(me, own, "2024-05-08", "20"), given_back(me, own, "2024-05-09", "17.50")

    assert related(me, whole) == ((jacket, 20), [])
    assert related(me, part)[0] == (coat, 90)
    assert related(me, jacket) == (None, [(whole, 20)])
    assert [len(related(me, one)[1]) for one in (first, coat)] == [0, 1]


def test_nothing_is_related_to_a_plain_deposit_or_to_what_came_later(me):
    own = made(me, asset())
    income = given_back(me, own, "2024-05-08", "20", refund=False)
    early = given_back(me, own, "2024-05-01", "5")
    old = bought(me, own, "2023-04-30", "20")
    later = bought(me, own, "2024-05-02", "20")

    for one in (income, early, old, later):
        assert related(me, one) == (None, [])
    assert me.get("/transactions/999999/refunds").status_code == 404
