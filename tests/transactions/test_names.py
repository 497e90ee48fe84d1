"""What are the accounts and labels of a transaction called? As they are called now, whoever renamed them, and where."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from farthing.app import build

from ..bills.making import a_bill
from ..conftest import Client, World
from .making import a_transaction, asset, expense, listed, made, posted, split


@pytest.fixture
def elsewhere(world: World, me: Client) -> Iterator[Client]:
    """The same user, at another server on the same database."""
    with TestClient(build(world.settings, world.time.clock()), base_url="http://farthing.example") as http:
        yield replace(me, http=http)


def renamed(client: Client, path: str, body: dict[str, Any]) -> None:
    response = client.put(path, body)
    assert response.status_code == 200, response.text


def names(client: Client, path: str = "/transactions") -> list[str | None]:
    [only] = listed(client, path)
    kinds = ("source", "destination", "category", "budget", "bill")
    return [only["attributes"][f"{kind}_name"] for kind in kinds]


def test_a_new_name_is_shown_at_once_by_every_server_that_knew_the_old_one(me: Client, elsewhere: Client) -> None:
    checking, grocer = made(me, asset(name="Checking")), made(me, expense(name="Grocer"))
    bill = me.post("/bills", a_bill(name="Food")).json()["data"]["id"]
    body = {"type": "withdrawal", "date": "2024-05-10", "description": "bread", "bill_id": bill}
    of_split = split(source_id=checking, destination_id=grocer, category_name="Eating", budget_name="Home")
    shown = posted(me, {**body, "transactions": [of_split]})[0]["attributes"]
    pages = ("/transactions", f"/accounts/{checking}/transactions", f"/categories/{shown['category_id']}/transactions")
    before = ["Checking", "Grocer", "Eating", "Home", "Food"]
    assert [names(one, path) for one in (me, elsewhere) for path in pages] == [before] * 6

    for at, (path, new) in enumerate(
        (
            (f"/accounts/{checking}", asset(name="Giro")),
            (f"/accounts/{grocer}", expense(name="Baker")),
            (f"/categories/{shown['category_id']}", {"name": "Meals"}),
            (f"/budgets/{shown['budget_id']}", {"name": "Household", "active": True}),
            (f"/bills/{bill}", a_bill(name="Bread")),
        )
    ):
        renamed((me, elsewhere)[at % 2], path, new)
        before[at] = new["name"]
        assert [names(one, path) for one in (me, elsewhere) for path in pages] == [before] * 6


def test_a_label_that_goes_takes_its_name_along(me: Client, elsewhere: Client) -> None:
    checking = made(me, asset(name="Checking"))
    of_split = split(source_id=checking, destination_name="Grocer", category_name="Eating")
    body = {"type": "withdrawal", "date": "2024-05-10", "description": "bread", "transactions": [of_split]}
    category_id = posted(me, body)[0]["attributes"]["category_id"]
    assert names(elsewhere)[2] == "Eating"

    assert me.delete(f"/categories/{category_id}").status_code == 204

    assert names(elsewhere)[2] is None


def test_a_currency_that_changes_its_symbol_does_so_on_every_page(new_world: World) -> None:
    owner = new_world.someone()
    with TestClient(build(new_world.settings, new_world.time.clock()), base_url="http://farthing.example") as http:
        elsewhere = replace(owner, http=http)
        checking = made(owner, asset(currency_code="EUR"))
        body = {"type": "withdrawal", "date": "2024-05-10", "description": "bread"}
        posted(owner, {**body, "transactions": [split(source_id=checking, destination_name="Grocer")]})
        assert listed(elsewhere)[0]["attributes"]["currency_symbol"] == "€"

        currency = owner.get("/currencies/EUR").json()["data"]["attributes"]
        kept = {name: currency[name] for name in ("code", "name", "decimal_places")}
        renamed(owner, "/currencies/EUR", {**kept, "symbol": "E"})

        assert listed(elsewhere)[0]["attributes"]["currency_symbol"] == "E"


def _as_written(client: Client, checking: str, savings: str) -> Iterator[dict[str, Any]]:
    """Transactions that name things in every way there is, and make some of them."""
    dollars = {"foreign_amount": "11.5", "foreign_currency_code": "USD"}
    grocer = made(client, expense(name="Grocer"))
    yield a_transaction("withdrawal", split(source_id=checking, destination_id=grocer))
    yield a_transaction("withdrawal", split(source_name="Checking", destination_name="grocer", **dollars))
    yield a_transaction("withdrawal", split(source_id=checking))
    yield a_transaction("deposit", split(source_name="Somebody new", destination_id=savings))
    yield a_transaction("transfer", split(source_id=checking, destination_id=savings), tags="red,green")
    labelled = split(source_id=checking, destination_name="Baker", category_name="Food", budget_name="Home")
    yield a_transaction("withdrawal", labelled, bill_name="Rent")


def test_what_a_write_answers_is_what_is_read_afterwards(me: Client) -> None:
    checking = made(me, asset(name="Checking", iban="DE89370400440532013000"))
    savings = made(me, asset(name="Savings", iban="NL91ABNA0417164300", currency_code="USD"))
    me.post("/bills", a_bill(name="Rent"))
    for body in _as_written(me, checking, savings):
        shown = posted(me, body)
        path = f"/transactions/{shown[0]['id']}"
        assert shown == me.get(path).json()["data"]

        changed = me.put(path, {**body, "description": "something else", "tags": "blue"}).json()["data"]
        assert changed == me.get(path).json()["data"]
        assert changed[0]["attributes"]["tags"] == "blue"


def withdrawn(client: Client, source_id: str, destination_id: str) -> Any:
    """Recorded by the ids of its accounts; what of these is shown, or what is wrong."""
    body = a_transaction("withdrawal", split(source_id=source_id, destination_id=destination_id))
    answer = client.post("/transactions", body).json()
    if "errors" in answer:
        return answer["errors"]
    [only] = answer["data"]
    return [only["attributes"][name] for name in ("source_name", "source_iban", "destination_name", "currency_code")]


@pytest.mark.parametrize("there", [False, True], ids=["here", "at another server"])
def test_what_happened_to_an_account_since_the_last_write_is_known_to_the_next(
    me: Client, elsewhere: Client, there: bool
) -> None:
    other = elsewhere if there else me
    checking, grocer = made(me, asset(name="Checking", currency_code="EUR")), made(me, expense(name="Grocer"))
    assert withdrawn(me, checking, grocer) == ["Checking", None, "Grocer", "EUR"]

    renamed(other, f"/accounts/{checking}", asset(name="Giro", iban="DE89370400440532013000"))
    renamed(other, f"/accounts/{grocer}", expense(name="Baker"))
    assert withdrawn(me, checking, grocer) == ["Giro", "DE89370400440532013000", "Baker", "EUR"]
    assert withdrawn(other, checking, grocer) == ["Giro", "DE89370400440532013000", "Baker", "EUR"]
    assert withdrawn(me, checking, grocer) == ["Giro", "DE89370400440532013000", "Baker", "EUR"]

    assert other.delete(f"/accounts/{grocer}").status_code == 204
    assert withdrawn(me, checking, grocer).keys() == {"transactions.0.destination_id"}


def test_a_write_after_an_undo_uses_the_old_name(me: Client) -> None:
    checking, grocer = made(me, asset(name="Checking")), made(me, expense(name="Grocer"))
    withdrawn(me, checking, grocer)
    revision = me.put(f"/accounts/{grocer}", expense(name="Baker")).headers["farthing-revision"]
    assert withdrawn(me, checking, grocer)[2] == "Baker"

    change = next(one for one in listed(me, "/changes") if one["attributes"]["revision"] == int(revision))
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200

    assert withdrawn(me, checking, grocer)[2] == "Grocer"
    assert {one["attributes"]["destination_name"] for one in listed(me)} == {"Grocer"}


def test_nobody_can_name_the_accounts_of_somebody_else(world: World, me: Client) -> None:
    checking, grocer = made(me, asset()), made(me, expense(name="Grocer"))
    withdrawn(me, checking, grocer)

    assert withdrawn(world.someone(), checking, grocer).keys() == {
        "transactions.0.source_id",
        "transactions.0.destination_id",
    }
