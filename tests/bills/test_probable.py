"""A payment just outside a bill's range on its day: probably paid, until somebody accepts it. Today is 2024-05-15."""

from decimal import Decimal

import pytest

from ..transactions.making import exact
from .making import a_bill, asset, changed, made, paid, seen, stored

MAY = {"start": "2024-05-01", "end": "2024-05-31"}


@pytest.fixture
def bill(me):
    return stored(me, a_bill(name="Power", match="power", amount_min="250", amount_max="270.03"))


@pytest.fixture
def checking(me):
    return made(me, asset())


def period_of(client, bill, **days):
    [period] = seen(client, bill, **(days or MAY))["periods"]
    return period


def upcoming(client, state=""):
    return exact(client.get("/upcoming", **MAY, state=state))["data"]


def test_a_payment_just_above_the_range_is_probable_and_not_overdue(me, bill, checking):
    payment = paid(me, checking, "2024-05-03", "271.43", description="Power bill")
    probable = {
        "transaction_id": payment["id"],
        "date": "2024-05-03",
        "amount": Decimal("271.43"),
        "beyond": Decimal("1.40"),
    }

    shown = period_of(me, bill)

    assert (shown["state"], shown["payments"], shown["probable"]) == ("probable", [], probable)
    [item] = upcoming(me, "probable")
    assert (item["id"], item["probable"]) == (bill["id"], probable)
    assert upcoming(me, "overdue") == []
    dashboard = exact(me.get("/dashboard", **MAY))["data"]
    assert [(one["date"], one["state"]) for one in dashboard["due"]["data"]][-1] == ("2024-05-01", "probable")


def test_it_is_settled_by_linking_it_or_by_a_wider_range_that_can_be_undone(me, bill, checking):
    payment = paid(me, checking, "2024-05-03", "249.00", description="Power bill")
    assert period_of(me, bill)["probable"]["beyond"] == Decimal(-1)

    changed(me, bill, a_bill(name="Power", match="power", amount_min="249", amount_max="270.03"))
    assert period_of(me, bill)["state"] == "paid"
    [last, *_] = me.get("/changes", limit=1).json()["data"]
    assert me.post(f"/changes/{last['id']}/undo").status_code == 200
    assert period_of(me, bill)["state"] == "probable"

    body = {"type": "withdrawal", "date": "2024-05-03", "description": "Power bill", "bill_id": bill["id"]}
    split = {"amount": "249.00", "currency_code": "EUR", "source_id": checking, "destination_name": "Grocer"}
    assert me.put(f"/transactions/{payment['id']}", {**body, "transactions": [split]}).status_code == 200
    assert period_of(me, bill)["state"] == "paid"


@pytest.mark.parametrize(
    ("on", "amount", "text"),
    [
        ("2024-05-09", "271.43", "Power bill"),  # not on its day
        ("2024-05-03", "330.00", "Power bill"),  # too far from the range
        ("2024-05-03", "271.43", "Gas bill"),
    ],
)
def test_anything_further_off_stays_overdue(me, bill, checking, on, amount, text):
    paid(me, checking, on, amount, description=text)

    assert period_of(me, bill)["state"] == "overdue"


def test_a_payment_is_guessed_for_one_day_only_and_never_for_a_paid_one(me, bill, checking):
    paid(me, checking, "2024-05-01", "260", description="Power bill")
    paid(me, checking, "2024-05-02", "271", description="Power bill again")
    stored(me, a_bill(name="Heat", match="power bill", amount_min="300", amount_max="310"))

    assert period_of(me, bill)["state"] == "paid"
    states = {item["name"]: item["state"] for item in upcoming(me) if item["date"] == "2024-05-01"}
    assert states == {"Power": "paid", "Heat": "probable"}
