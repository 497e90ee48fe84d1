"""Links by hand: a bill named on a transaction, or an empty one. What a hand decides, the machine never undoes."""

from typing import Any

import pytest

from ..conftest import Client, World
from ..transactions.making import a_transaction, deposit, findings, posted_one, refused, split, transfer, withdrawal
from .making import a_bill, asset, bill_of, changed, errors, linked, made, paid, stored

GAS = {"name": "Gas", "match": "gas", "amount_min": "10", "amount_max": "30"}
FITS = {"description": "Rent to the landlord"}


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def put(client: Client, transaction: dict[str, Any], source_id: str, amount: str = "800", **fields: Any) -> str | None:
    """Changes the transaction, and tells the bill that it then pays."""
    body = withdrawal(source_id, amount, date="2024-05-01", **{**FITS, **fields})
    response = client.put(f"/transactions/{transaction['id']}", body)
    assert response.status_code == 200, response.text
    found: str | None = response.json()["data"][0]["attributes"]["bill_name"]
    return found


@pytest.mark.parametrize("how", ["id", "text", "name", "other case", "both", "id wins"])
def test_a_new_transaction_may_name_its_bill(me: Client, checking: str, how: str) -> None:
    stored(me)
    gas = stored(me, a_bill(**GAS))
    named: dict[str, Any] = {
        "id": {"bill_id": int(gas["id"])},
        "text": {"bill_id": gas["id"]},
        "name": {"bill_name": "Gas"},
        "other case": {"bill_name": " gAS "},
        "both": {"bill_id": gas["id"], "bill_name": "Gas"},
        "id wins": {"bill_id": gas["id"], "bill_name": "Rent"},
    }[how]

    found = paid(me, checking, **named)

    assert (found["bill_id"], found["bill_name"]) == (int(gas["id"]), "Gas")


@pytest.mark.parametrize("how", ["form", "multipart"])
def test_forms_may_name_it_too(me: Client, checking: str, how: str) -> None:
    bill = stored(me, a_bill(**GAS))
    fields = {
        "type": "withdrawal", "date": "2024-05-01", "description": "x", "bill_id": bill["id"],
        "transactions[0][amount]": "1", "transactions[0][currency_code]": "EUR", "transactions[0][source_id]": checking,
    }  # fmt: skip
    sent = {"data": fields} if how == "form" else {"files": {name: (None, value) for name, value in fields.items()}}

    made_one = me.request("POST", "/transactions", **sent).json()["data"][0]
    assert made_one["attributes"]["bill_name"] == "Gas"

    empty = {"data": {**fields, "bill_id": ""}}
    [after] = me.request("PUT", f"/transactions/{made_one['id']}", **empty).json()["data"]
    assert after["attributes"]["bill_name"] is None


def test_a_bill_that_is_not_the_callers_is_refused(me: Client, someone_else: Client, checking: str) -> None:
    theirs = stored(someone_else)
    gone = stored(me, a_bill(**GAS))
    me.delete(f"/bills/{gone['id']}")

    for bill_id in (theirs["id"], gone["id"], 999999999):
        assert refused(me, withdrawal(checking, bill_id=bill_id)) == {
            "bill_id": ["The selected bill id is invalid: there is no such bill."]
        }
    for name in ("Rent", "Gas", "nothing"):
        assert refused(me, withdrawal(checking, bill_name=name)) == {
            "bill_name": ["The selected bill name is invalid: there is no such bill."]
        }
    found = paid(me, checking)
    body = withdrawal(checking, bill_name="Gas")
    assert list(errors(me.put(f"/transactions/{found['id']}", body))) == ["bill_name"]


def test_a_wrong_id_is_refused_even_with_a_right_name(me: Client, checking: str) -> None:
    stored(me)

    assert list(refused(me, withdrawal(checking, bill_id=999999999, bill_name="Rent"))) == ["bill_id"]


@pytest.mark.parametrize("bill_id", ["abc", -1, 0, "1.5", True, [], 2**64])
def test_an_invalid_bill_is_reported_with_all_other_problems(me: Client, checking: str, bill_id: Any) -> None:
    found = refused(me, withdrawal(checking, "0", bill_id=bill_id, date="never"))

    expected = {"transactions.0.amount", "date"} | (set() if bill_id == [] else {"bill_id"})
    assert set(found) >= expected


def test_a_name_is_at_most_255_characters(me: Client, checking: str) -> None:
    assert list(refused(me, withdrawal(checking, bill_name="x" * 256))) == ["bill_name"]


def test_the_bill_of_anything_but_a_withdrawal_is_ignored(me: Client, checking: str) -> None:
    bill = stored(me)
    savings = made(me, asset(name="Savings"))

    for body in (deposit(checking, "800", bill_id=bill["id"]), transfer(checking, savings, "800", bill_name="nothing")):
        found = posted_one(me, body)
        assert found["bill_id"] is None
        again = me.put(f"/transactions/{found['id']}", body)
        assert again.json()["data"][0]["attributes"]["bill_id"] is None


def test_a_link_by_hand_need_not_match_and_may_be_to_a_paused_bill(me: Client, checking: str) -> None:
    bill = stored(me, a_bill(active=False))

    found = paid(me, checking, amount="1", description="x", bill_id=bill["id"])

    assert found["bill_name"] == "Rent"
    assert linked(me, bill) == ["2024-05-01"]


def test_a_link_by_hand_survives_changes_of_the_transaction_and_of_bills(me: Client, checking: str) -> None:
    gas, rent = stored(me, a_bill(**GAS)), stored(me)
    found = paid(me, checking, bill_name="Gas")

    assert put(me, found, checking) == "Gas"
    assert put(me, found, checking, "20", description="nothing") == "Gas"
    changed(me, rent, a_bill(notes="again"))
    changed(me, gas, a_bill(**GAS, active=False))
    assert bill_of(me, found)[1] == "Gas"


def test_a_link_can_be_moved_by_hand(me: Client, checking: str) -> None:
    stored(me, a_bill(**GAS))
    stored(me)
    found = paid(me, checking)

    assert put(me, found, checking, bill_name="gas") == "Gas"
    assert put(me, found, checking) == "Gas"
    assert put(me, found, checking, bill_name="Rent") == "Rent"


EMPTY: list[dict[str, Any]] = [
    {"bill_id": ""},
    {"bill_id": None},
    {"bill_name": ""},
    {"bill_name": "  "},
    {"bill_id": None, "bill_name": None},
]


@pytest.mark.parametrize("empty", EMPTY)
@pytest.mark.parametrize("by", ["machine", "hand"])
def test_an_empty_bill_unlinks_permanently(me: Client, checking: str, empty: dict[str, Any], by: str) -> None:
    bill = stored(me)
    found = paid(me, checking, **({"bill_name": "Rent"} if by == "hand" else {}))

    assert put(me, found, checking, **empty) is None

    assert put(me, found, checking) is None, "left out, the decision stays"
    changed(me, bill, a_bill(notes="again"))
    stored(me, a_bill(name="Other", match="rent"))
    assert bill_of(me, found) == (None, None), "no bill takes it back"
    assert put(me, found, checking, bill_name="Rent") == "Rent", "but a hand may"


def test_of_an_empty_and_a_named_bill_the_named_one_counts(me: Client, checking: str) -> None:
    stored(me)
    found = paid(me, checking, description="x")

    assert put(me, found, checking, description="x", bill_id=None, bill_name="Rent") == "Rent"


def test_an_empty_bill_on_an_unlinked_transaction_decides_nothing(me: Client, checking: str) -> None:
    """A client that sends back what it was shown, without a bill, does not want to be left alone for ever."""
    found = paid(me, checking)
    assert put(me, found, checking, bill_id=None, bill_name=None) is None

    stored(me)

    assert bill_of(me, found)[1] == "Rent"


def test_an_empty_bill_prevents_automatic_linking_in_the_same_request(me: Client, checking: str) -> None:
    stored(me)
    found = paid(me, checking, description="x")

    assert put(me, found, checking, bill_id="") is None
    assert put(me, found, checking) is None


@pytest.mark.parametrize("empty", EMPTY)
def test_on_a_new_transaction_an_empty_bill_counts_as_absent(me: Client, checking: str, empty: dict[str, Any]) -> None:
    stored(me)

    assert paid(me, checking, **empty)["bill_name"] == "Rent"


def test_an_automatic_link_is_matched_again_when_the_bill_is_left_out(me: Client, checking: str) -> None:
    stored(me)
    found = paid(me, checking)

    assert put(me, found, checking, "1") is None
    assert put(me, found, checking) == "Rent"


def test_deleting_a_bill_also_forgets_decisions_by_hand(me: Client, checking: str) -> None:
    gas = stored(me, a_bill(**GAS))
    found = paid(me, checking, bill_name="Gas")
    me.delete(f"/bills/{gas['id']}")

    stored(me)

    assert bill_of(me, found)[1] == "Rent"


def test_bulk_requests_may_name_bills_and_report_which_are_wrong(me: Client, checking: str) -> None:
    gas = stored(me, a_bill(**GAS))
    bodies = [
        withdrawal(checking, bill_id=gas["id"]),
        withdrawal(checking, bill_name="GAS"),
        withdrawal(checking, bill_name="nothing"),
        withdrawal(checking, bill_id=999999999),
    ]

    answer = me.post("/transactions/bulk?partial=1", {"transactions": bodies}).json()

    assert [one["status"] for one in answer["data"]] == [200, 200, 422, 422]
    assert answer["data"][0]["data"][0]["attributes"]["bill_name"] == "Gas"
    assert list(answer["data"][2]["errors"]) == ["transactions.2.bill_name"]
    assert list(answer["data"][3]["errors"]) == ["transactions.3.bill_id"]


def test_links_by_hand_keep_the_books_consistent(me: Client, checking: str, world: World) -> None:
    stored(me)
    several = [split(source_id=checking, destination_name="A", description=text) for text in ("a", "b")]
    found = posted_one_of(me, a_transaction("withdrawal", *several, bill_name="Rent"))
    put(me, found, checking, bill_id="")

    assert findings(world, me) == []


def posted_one_of(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post("/transactions", body)
    assert {one["attributes"]["bill_name"] for one in response.json()["data"]} == {"Rent"}
    found: dict[str, Any] = response.json()["data"][0]
    return found
