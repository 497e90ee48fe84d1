"""What pays a bill, what nearly does, and why? Today is 2024-05-15."""

from typing import Any

import pytest

from farthing.books.bills import explain

from ..conftest import Client
from ..transactions.making import a_transaction, deposit, posted, posted_one, split, withdrawal
from .making import a_bill, asset, changed, made, paid, stored

FITS = "contains 'rent', 'landlord'; 800.00 is between 795.00 and 855.50 EUR"


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def matches(client: Client, bill: dict[str, Any], **query: Any) -> list[tuple[bool, str]]:
    response = client.get(f"/bills/{bill['id']}/matches", **query)
    assert response.status_code == 200, response.text
    return [(one["attributes"]["linked"], one["attributes"]["why"]) for one in response.json()["data"]]


def test_a_linked_transaction_says_why_it_matched(me: Client, checking: str) -> None:
    bill = stored(me)
    found = paid(me, checking)

    [match] = me.get(f"/bills/{bill['id']}/matches").json()["data"]

    assert (match["type"], match["id"]) == ("bill_matches", str(found["journal_id"]))
    assert (match["attributes"]["linked"], match["attributes"]["why"]) == (True, FITS)
    [inside] = match["attributes"]["transactions"]
    assert (inside["type"], inside["id"], inside["attributes"]["bill_name"]) == ("transactions", found["id"], "Rent")


NEAR = [
    ({"amount": "900"}, "the amount is 44.50 EUR too large"),
    ({"amount": "794.99"}, "the amount is 0.01 EUR too small"),
    ({"description": "Rent"}, "does not contain 'landlord'"),
]


@pytest.mark.parametrize(("fields", "why"), NEAR)
def test_a_near_miss_says_what_is_missing(me: Client, checking: str, fields: dict[str, Any], why: str) -> None:
    bill = stored(me)
    paid(me, checking, **fields)

    assert matches(me, bill) == [(False, why)]


def test_a_deposit_or_another_currency_is_a_near_miss(me: Client, checking: str) -> None:
    bill = stored(me)
    posted_one(me, deposit(checking, "800", date="2024-05-02", description="Rent, landlord"))
    dollars = split(source_id=checking, destination_name="X", amount="800", currency_code="USD")
    posted_one(me, a_transaction("withdrawal", dollars, date="2024-05-01", description="Rent, landlord"))

    assert matches(me, bill) == [(False, "is not a withdrawal"), (False, "has no amount in EUR")]


def test_what_misses_by_two_things_is_not_listed(me: Client, checking: str) -> None:
    bill = stored(me)
    paid(me, checking, amount="1", description="Rent")
    paid(me, checking, description="neither word")
    posted_one(me, deposit(checking, "1", description="Rent, landlord"))

    assert matches(me, bill) == []


def test_a_transaction_that_pays_another_bill_says_so(me: Client, checking: str) -> None:
    stored(me, a_bill(name="It's home", match="rent"))
    bill = stored(me)
    paid(me, checking)

    assert matches(me, bill) == [(False, f"pays 'It's home' already; {FITS}")]


def test_decisions_by_hand_are_explained(me: Client, checking: str) -> None:
    bill = stored(me)
    paid(me, checking, "2024-05-03", "1", description="x", bill_id=bill["id"])
    paid(me, checking, "2024-05-02", bill_id=bill["id"])
    undone = paid(me, checking, "2024-05-01")
    body = withdrawal(checking, "800", date="2024-05-01", description="Rent to the landlord", bill_id="")
    assert me.put(f"/transactions/{undone['id']}", body).status_code == 200

    assert matches(me, bill) == [
        (True, "linked by hand; does not contain 'rent', 'landlord'; the amount is 794.00 EUR too small"),
        (True, f"linked by hand; {FITS}"),
        (False, f"unlinked by hand; {FITS}"),
    ]


def test_a_link_from_before_the_bill_changed_says_so(me: Client, checking: str) -> None:
    bill = stored(me)
    paid(me, checking)

    changed(me, bill, a_bill(amount_min="801"))

    assert matches(me, bill) == [(True, "linked earlier; the amount is 1.00 EUR too small")]


@pytest.mark.parametrize(
    ("flag", "why"), [("active", "the bill is not active"), ("automatch", "the bill does not match automatically")]
)
def test_a_bill_without_automatic_matching_says_so(me: Client, checking: str, flag: str, why: str) -> None:
    bill = stored(me, a_bill(**{flag: False}))
    paid(me, checking)

    assert matches(me, bill) == [(False, f"{FITS}, but {why}")]


def test_a_transaction_that_became_free_later_says_so(me: Client, checking: str) -> None:
    first = stored(me, a_bill(name="First", match="rent"))
    bill = stored(me)
    paid(me, checking)
    me.delete(f"/bills/{first['id']}")

    [(linked, why)] = matches(me, bill)
    assert not linked
    assert why == f"{FITS}, but has not been linked: save the bill or the transaction to link it"

    changed(me, bill, a_bill())
    assert matches(me, bill) == [(True, FITS)]


def test_a_range_limits_the_matches_and_defaults_to_the_last_year(me: Client, checking: str) -> None:
    bill = stored(me)
    for on in ("2023-05-15", "2023-05-16", "2024-05-15", "2024-05-16"):
        paid(me, checking, on)

    def days(**query: str) -> list[str]:
        found = me.get(f"/bills/{bill['id']}/matches", **query).json()["data"]
        return [one["attributes"]["transactions"][0]["attributes"]["date"] for one in found]

    assert days() == ["2024-05-15", "2023-05-16"]
    assert days(start="2023-05-01", end="2023-05-15") == ["2023-05-15"]
    assert days(start="2024-01-01", end="2025-01-01") == ["2024-05-16", "2024-05-15"]


def test_a_transaction_of_several_splits_is_one_match_with_its_sum(me: Client, checking: str) -> None:
    bill = stored(me)
    splits = [
        split(source_id=checking, destination_name=name, amount="450", description=name)
        for name in ("Rent", "Landlord")
    ]
    posted(me, a_transaction("withdrawal", *splits, description="Home"))

    [match] = me.get(f"/bills/{bill['id']}/matches").json()["data"]

    assert match["attributes"]["why"] == "the amount is 44.50 EUR too large"
    assert len(match["attributes"]["transactions"]) == 2


def test_beyond_the_newest_only_linked_transactions_are_listed(
    me: Client, checking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explain, "LOOKED_AT_MAX", 3)
    bill = stored(me)
    paid(me, checking, "2024-01-01", "900")
    paid(me, checking, "2024-01-02")
    halves = [split(source_id=checking, destination_name="X", amount="700", description=text) for text in "ab"]
    posted(me, a_transaction("withdrawal", *halves, date="2024-02-01", description="Rent, landlord"))
    paid(me, checking, "2024-03-01", "900")
    paid(me, checking, "2024-03-02", "900")

    # Of the newest three splits the last is half of a transaction: half of it would seem to be another amount.
    assert matches(me, bill) == [
        (False, "the amount is 44.50 EUR too large"),
        (False, "the amount is 44.50 EUR too large"),
        (True, FITS),
    ]
