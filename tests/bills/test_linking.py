"""Which transactions are linked to which bill, and when? Tried with every write of either, on both databases."""

from typing import Any, cast

import pytest

from farthing.books.bills.pay import choose_bills
from farthing.ledger.entry import Entry
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..builders import a_split, day, money
from ..conftest import Client, World
from ..recurrences.making import a_recurrence, fired
from ..recurrences.making import stored as planned
from ..transactions.making import a_transaction, deposit, findings, posted, posted_one, split, transfer, withdrawal
from .making import a_bill, asset, bill_of, changed, linked, made, paid, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def test_a_new_transaction_is_linked_to_the_bill_that_it_pays(me: Client, checking: str) -> None:
    bill = stored(me)

    found = paid(me, checking)

    assert (found["bill_id"], found["bill_name"]) == (int(bill["id"]), "Rent")
    assert linked(me, bill) == ["2024-05-01"]


NOT_PAID: list[dict[str, Any]] = [
    {"amount": "794.99"},
    {"amount": "855.51"},
    {"description": "Rent only"},
]


@pytest.mark.parametrize("fields", NOT_PAID)
def test_a_transaction_that_does_not_match_is_not_linked(me: Client, checking: str, fields: dict[str, Any]) -> None:
    stored(me)

    assert paid(me, checking, **fields)["bill_id"] is None


@pytest.mark.parametrize("amount", ["795", "855.50"])
def test_both_ends_of_the_range_match(me: Client, checking: str, amount: str) -> None:
    stored(me)

    assert paid(me, checking, amount=amount)["bill_name"] == "Rent"


def test_words_are_also_searched_in_names_and_split_texts(me: Client, checking: str) -> None:
    stored(me, a_bill(match="checking,grocer,bread,weekly"))
    splits = [
        split(source_id=checking, destination_name="Grocer", amount="400", description=text) for text in ("Bread", "x")
    ]

    [first, _] = posted(me, a_transaction("withdrawal", *splits, description="Weekly"))

    assert first["attributes"]["bill_name"] == "Rent"


def test_the_amount_in_the_bills_currency_counts_also_when_it_is_the_foreign_one(me: Client, checking: str) -> None:
    stored(me, a_bill(currency_code="USD"))
    foreign = {"foreign_amount": "800", "foreign_currency_code": "USD"}
    texts = {"description": "Rent, landlord"}

    own = posted_one(me, withdrawal(checking, "800", **texts))
    both = a_transaction("withdrawal", split(source_id=checking, amount="1", destination_name="X", **foreign), **texts)

    assert own["bill_id"] is None
    assert posted_one(me, both)["bill_name"] == "Rent"


def test_deposits_and_transfers_pay_nothing(me: Client, checking: str) -> None:
    savings = made(me, asset(name="Savings"))
    stored(me)
    text = {"description": "Rent to the landlord"}

    assert posted_one(me, deposit(checking, "800", **text))["bill_id"] is None
    assert posted_one(me, transfer(checking, savings, "800", **text))["bill_id"] is None


@pytest.mark.parametrize("flag", ["active", "automatch"])
def test_a_bill_without_automatic_matching_finds_nothing(me: Client, checking: str, flag: str) -> None:
    before = paid(me, checking, "2024-04-01")
    bill = stored(me, a_bill(**{flag: False}))
    after = paid(me, checking, "2024-05-01")
    assert linked(me, bill) == []

    changed(me, bill, a_bill())

    assert [bill_of(me, one)[1] for one in (before, after)] == ["Rent", "Rent"]
    changed(me, bill, a_bill(**{flag: False}))
    assert linked(me, bill) == ["2024-05-01", "2024-04-01"], "what is linked stays"


def test_the_first_bill_in_the_order_of_ids_wins(me: Client, checking: str) -> None:
    first, second = stored(me, a_bill(name="Z", match="landlord")), stored(me, a_bill(name="A", match="rent"))

    assert paid(me, checking)["bill_id"] == int(first["id"])

    changed(me, first, a_bill(name="Z", match="landlord", amount_max="796"))
    assert paid(me, checking)["bill_id"] == int(second["id"])


def test_a_new_bill_takes_only_unlinked_transactions(me: Client, checking: str) -> None:
    taken = paid(me, checking, "2024-03-01", "850")
    first = stored(me, a_bill(name="First", match="rent", amount_min="840"))
    free = paid(me, checking, "2024-04-01")
    paid(me, checking, "2024-04-02", "5")

    second = stored(me, a_bill(name="Second", match="landlord"))

    assert bill_of(me, taken)[0] == int(first["id"])
    assert bill_of(me, free)[0] == int(second["id"])
    assert linked(me, second) == ["2024-04-01"]


def test_a_changed_bill_matches_again_and_keeps_its_links(me: Client, checking: str) -> None:
    bill = stored(me)
    old = paid(me, checking, "2024-03-01")
    other = paid(me, checking, "2024-04-01", "20", description="Gas")

    changed(me, bill, a_bill(match="gas", amount_min="10", amount_max="30"))

    assert [bill_of(me, one)[1] for one in (old, other)] == ["Rent", "Rent"]


def test_a_changed_transaction_is_matched_again(me: Client, checking: str) -> None:
    stored(me)
    stored(me, a_bill(name="Gas", match="gas", amount_min="10", amount_max="30"))
    found = paid(me, checking)
    path = f"/transactions/{found['id']}"

    def after(amount: str, text: str) -> Any:
        body = withdrawal(checking, amount, date="2024-05-01", description=text)
        return me.put(path, body).json()["data"][0]["attributes"]["bill_name"]

    assert after("800", "Rent only") is None
    assert after("20", "Gas") == "Gas"
    assert after("20", "Rent, landlord") is None
    assert after("800", "Rent, landlord") == "Rent"


def test_each_transaction_of_a_bulk_request_is_matched(me: Client, checking: str) -> None:
    stored(me)
    stored(me, a_bill(name="Gas", match="gas", amount_min="10", amount_max="30"))
    text = {"description": "Rent to the landlord"}
    bodies = [
        withdrawal(checking, "800", **text),
        withdrawal(checking, "20", description="Gas"),
        withdrawal(checking, "800", description="Gas"),
        deposit(checking, "800", **text),
        withdrawal(checking, "855.50", **text),
    ]

    answer = me.post("/transactions/bulk", {"transactions": bodies}).json()

    assert [one["data"][0]["attributes"]["bill_name"] for one in answer["data"]] == ["Rent", "Gas", None, None, "Rent"]


def test_a_dry_run_links_nothing(me: Client, checking: str) -> None:
    bill = stored(me)
    body = {"transactions": [withdrawal(checking, "800", description="Rent, landlord")], "dry_run": True}

    answer = me.post("/transactions/bulk", body).json()

    assert answer["data"][0]["data"][0]["attributes"]["bill_name"] == "Rent"
    assert linked(me, bill) == []


def test_a_transaction_of_a_recurrence_is_matched_and_keeps_its_recurrence_when_changed(
    me: Client, checking: str
) -> None:
    bill = stored(me, a_bill(match="membership", amount_min="20", amount_max="30"))
    recurrence = planned(me, a_recurrence(checking))
    fired(me, "2024-06-01")
    [made_one] = me.get("/transactions").json()["data"]
    assert made_one["attributes"]["bill_id"] == int(bill["id"])

    body = withdrawal(checking, "99", description="Membership and more")
    [after] = me.put(f"/transactions/{made_one['id']}", body).json()["data"]

    assert (after["attributes"]["bill_id"], after["attributes"]["recurrence_id"]) == (None, int(recurrence["id"]))


def test_bills_do_not_match_transactions_of_other_users(me: Client, someone_else: Client, checking: str) -> None:
    stored(someone_else)

    assert paid(me, checking)["bill_id"] is None
    assert changed(someone_else, me_less(someone_else), a_bill(notes="again"))["attributes"]["notes"] == "again"
    assert me.get("/transactions").json()["data"][0]["attributes"]["bill_id"] is None


def me_less(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/bills").json()["data"][0]
    return found


def test_after_a_bill_is_deleted_its_transactions_are_free_for_another(me: Client, checking: str) -> None:
    bill = stored(me)
    found = paid(me, checking)
    me.delete(f"/bills/{bill['id']}")

    other = stored(me, a_bill(name="Home"))

    assert bill_of(me, found)[0] == int(other["id"])


def test_deleting_a_transaction_removes_it_from_its_bill(me: Client, checking: str) -> None:
    bill = stored(me)
    found = paid(me, checking)

    me.delete(f"/transactions/{found['id']}")

    assert linked(me, bill) == []


def test_an_account_that_changes_its_currency_changes_no_link(me: Client, world: World, checking: str) -> None:
    bill = stored(me)
    foreign = {"foreign_amount": "900", "foreign_currency_code": "USD"}
    body = a_transaction(
        "withdrawal",
        split(source_id=checking, amount="800", destination_name="Landlord", **foreign),
        description="Rent",
    )
    posted(me, body)

    assert me.put(f"/accounts/{checking}", asset(currency_code="USD")).status_code == 200

    assert linked(me, bill) == ["2024-05-10"]
    assert findings(world, me) == []


def test_amounts_that_together_exceed_64_bits_are_reported(me: Client, checking: str) -> None:
    stored(me)
    huge = [
        split(source_id=checking, destination_name=name, amount="90000000000000000", description=name)
        for name in ("a", "b")
    ]

    response = me.post("/transactions", a_transaction("withdrawal", *huge))

    assert response.status_code == 422


ODD = [
    "100 %",
    "a_b",
    "it's",
    "x\\y",
    "STRAẞE",
    "İstanbul",
    "e\u0301t\u00e9",
    "two  spaces",
    "line\nbreak",
    "日本",
    "?",
    ":user_id",
]


@pytest.mark.parametrize("word", ODD)
def test_unusual_words_are_found_by_both_ways_of_matching(me: Client, checking: str, word: str) -> None:
    """Alone a transaction is held against the words by the database, among others by us; a new bill looks again."""
    bill = stored(me, a_bill(match=[word, "x"]))
    body = withdrawal(checking, "800", description=f"-x- {word.lower()} --")
    near = withdrawal(checking, "800", description=f"x {word[:-1]}")

    alone = [posted_one(me, one)["bill_name"] for one in (body, near)]
    among = me.post("/transactions/bulk", {"transactions": [body, near]}).json()["data"]
    me.delete(f"/bills/{bill['id']}")
    again = stored(me, a_bill(match=[word, "x"]))

    assert alone == ["Rent", None]
    assert [one["data"][0]["attributes"]["bill_name"] for one in among] == ["Rent", None]
    assert len(linked(me, again)) == 2


def test_matching_takes_one_query_for_any_number_of_bills(me: Client, checking: str, world: World) -> None:
    def asked() -> int:
        entry = Entry(Type.WITHDRAWAL, day("2024-05-01"), "Rent", (a_split(amount=money("800")),))
        with world.books.reading() as db:
            counting = Counting(db)
            choose_bills(cast(Unit, counting), me.user.id, [entry])
            choose_bills(cast(Unit, counting), me.user.id, [entry] * 3)
        return counting.asked

    none = asked()
    for number in range(30):
        stored(me, a_bill(name=f"Bill {number}", match=f"rent,{number}"))

    assert (none, asked()) == (2, 2)


class Counting:
    """A unit of work that counts what it is asked."""

    def __init__(self, db: Unit) -> None:
        self._db = db
        self.asked = 0

    def structs(self, model: Any, sql: str, **parameters: Any) -> list[Any]:
        self.asked += 1
        return self._db.structs(model, sql, **parameters)
