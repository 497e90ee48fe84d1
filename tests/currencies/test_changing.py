"""What others rely on cannot be changed or deleted: codes, decimals, and currencies in use."""

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from farthing.books.currencies import store
from farthing.identity import users
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Unit

from ..accounts.making import asset, books_of
from ..accounts.making import made as made_account
from ..conftest import Client, World
from ..transactions.making import findings
from .making import a_currency, again, errors, made


def test_the_owner_changes_a_currency(owner: Client, world: World) -> None:
    currency = made(owner)
    world.time.now = world.time.now.replace(hour=13)
    body = a_currency(decimal_places=4)

    answer = owner.put(f"/currencies/{currency['id']}", body)

    shown = answer.json()["data"]["attributes"]
    assert answer.status_code == 200
    assert {name: shown[name] for name in body} == body
    assert (shown["created_at"], shown["updated_at"]) == ("2024-05-15T12:00:00+00:00", "2024-05-15T13:00:00+00:00")


def test_a_form_changes_a_currency_by_its_code_too(owner: Client) -> None:
    currency = made(owner)

    answer = owner.request(
        "PUT", f"/currencies/{currency['attributes']['code']}", data=again(currency, symbol="ƒ", default="1")
    )

    assert answer.json()["data"]["attributes"]["symbol"] == "ƒ"
    assert answer.json()["data"]["attributes"]["default"] is True


def test_there_is_always_a_default_so_false_changes_nothing(owner: Client) -> None:
    currency = made(owner, default=True)

    answer = owner.put(f"/currencies/{currency['id']}", again(currency, default=False))

    assert answer.json()["data"]["attributes"]["default"] is True


@pytest.mark.parametrize(("method", "doing"), [("PUT", "change"), ("DELETE", "delete")])
def test_changing_and_deleting_is_for_the_owner(owner: Client, plain: Client, method: str, doing: str) -> None:
    currency = made(owner)

    answer = plain.request(method, f"/currencies/{currency['id']}", json={})

    assert answer.status_code == 403
    assert answer.json()["message"] == f"Only the owner of this installation may {doing} currencies."


def test_a_change_asks_for_every_field_again(owner: Client) -> None:
    answer = owner.put("/currencies/EUR", {})

    assert list(errors(answer)) == ["name", "code", "symbol", "decimal_places"]


def test_a_change_may_not_take_what_another_has(owner: Client) -> None:
    currency = made(owner)

    answer = owner.put(f"/currencies/{currency['id']}", again(currency, name="Euro", code="EUR", symbol="€"))

    assert list(errors(answer)) == ["name", "code", "symbol"]


def test_a_built_in_currency_may_get_another_name_and_symbol(new_world: World) -> None:
    owner = new_world.someone()

    body = {"name": "Forint", "code": "huf", "symbol": "Ft", "decimal_places": 2}
    shown = owner.put("/currencies/HUF", body).json()["data"]["attributes"]

    assert (shown["name"], shown["code"], shown["symbol"]) == ("Forint", "HUF", "Ft")


def test_a_built_in_currency_keeps_its_code_and_its_decimals(owner: Client) -> None:
    body = {"name": "Forint", "code": "FOR", "symbol": "Ft", "decimal_places": 0}

    assert errors(owner.put("/currencies/HUF", body)) == {
        "code": ["The code cannot be changed: HUF is a built-in currency."],
        "decimal_places": ["The decimal places cannot be changed: HUF is a built-in currency."],
    }


def test_a_currency_that_amounts_are_kept_in_keeps_its_decimals(owner: Client, plain: Client) -> None:
    currency = made(owner)
    code = currency["attributes"]["code"]
    made_account(plain, asset(currency_code=code))

    answer = owner.put(f"/currencies/{currency['id']}", again(currency, decimal_places=3))

    sentence = f"The decimal places cannot be changed: amounts are stored in {code}."
    assert errors(answer) == {"decimal_places": [sentence]}
    assert owner.put(f"/currencies/{currency['id']}", again(currency, name=f"New {code}")).status_code == 200


def test_a_currency_in_which_an_undo_brings_amounts_back_keeps_its_decimals(owner: Client, plain: Client) -> None:
    currency = made(owner)
    path, code = f"/currencies/{currency['id']}", currency["attributes"]["code"]
    opening = {"opening_balance": "123.45", "opening_balance_date": "2024-01-01"}
    account = f"/accounts/{made_account(plain, asset(currency_code=code, **opening))}"
    revision = plain.delete(account).headers["farthing-revision"]

    answer = owner.put(path, again(currency, decimal_places=4))

    sentence = f"The decimal places cannot be changed: an undo could bring back amounts in {code}."
    assert errors(answer) == {"decimal_places": [sentence]}
    assert owner.put(path, again(currency, name=f"New {code}")).status_code == 200
    assert undone(plain, revision) == 200
    assert plain.get(account).json()["data"]["attributes"]["current_balance"] == 123.45


def test_an_amount_abroad_that_an_undo_brings_back_keeps_the_decimals(
    owner: Client, plain: Client, world: World
) -> None:
    currency = made(owner)
    books = books_of(world, plain)
    kept = f"2024-05-01 withdrawal Checking -> Groceries 12.50 EUR (99.00 {currency['attributes']['code']})"
    books.erase(*books.keep(kept))

    answer = owner.put(f"/currencies/{currency['id']}", again(currency, decimal_places=4))

    assert list(errors(answer)) == ["decimal_places"]


def test_without_its_currency_nothing_is_undone(owner: Client, plain: Client) -> None:
    currency = made(owner)
    account = made_account(plain, asset(currency_code=currency["attributes"]["code"]))
    revision = plain.delete(f"/accounts/{account}").headers["farthing-revision"]

    assert owner.delete(f"/currencies/{currency['id']}").status_code == 204
    made(owner, **again(currency, decimal_places=4))

    assert undone(plain, revision) == 409


def undone(client: Client, revision: str) -> int:
    [change] = client.get("/changes", revision=revision).json()["data"]
    return int(client.post(f"/changes/{change['id']}/undo").status_code)


def test_a_currency_that_is_somebodys_default_keeps_its_code(owner: Client, plain: Client) -> None:
    currency = made(owner)
    code = currency["attributes"]["code"]
    plain.post(f"/currencies/{code}/default")

    answer = owner.put(f"/currencies/{currency['id']}", again(currency, code="ZZZ"))

    sentence = f"The code cannot be changed while {code} is a user's default currency."
    assert errors(answer) == {"code": [sentence]}


def test_an_unused_custom_currency_can_be_deleted(owner: Client) -> None:
    currency = made(owner)

    answer = owner.delete(f"/currencies/{currency['attributes']['code']}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert owner.get(f"/currencies/{currency['id']}").status_code == 404
    assert made(owner, **again(currency))["id"] != currency["id"]


def test_a_built_in_currency_cannot_be_deleted(owner: Client) -> None:
    sentence = "The currency cannot be deleted: HUF is a built-in currency."

    assert errors(owner.delete("/currencies/HUF")) == {"id": [sentence]}


def test_somebodys_default_in_use_cannot_be_deleted(owner: Client, plain: Client) -> None:
    code = made(owner)["attributes"]["code"]
    plain.post(f"/currencies/{code}/default")
    made_account(plain, asset(currency_code=code))

    assert errors(owner.delete(f"/currencies/{code}")) == {
        "id": [
            f"The currency cannot be deleted: {code} is a user's default currency.",
            f"The currency cannot be deleted: {code} is in use.",
        ]
    }


def test_a_currency_that_was_only_an_amount_once_paid_abroad_is_in_use(
    owner: Client, plain: Client, world: World
) -> None:
    code = made(owner)["attributes"]["code"]
    books = books_of(world, plain)
    [entry_id] = books.keep(f"2024-05-01 withdrawal Checking -> Groceries 12.50 EUR (99.00 {code})")

    assert list(errors(owner.delete(f"/currencies/{code}"))) == ["id"]
    books.erase(entry_id)
    assert owner.delete(f"/currencies/{code}").status_code == 204


def test_sums_that_came_back_to_zero_do_not_hold_a_currency(owner: Client, plain: Client, world: World) -> None:
    code = made(owner)["attributes"]["code"]
    books = books_of(world, plain)
    books.account("Checking")
    books.account("Groceries")
    [entry_id] = books.keep(f"2024-05-01 withdrawal Checking -> Groceries 12.50 {code}")
    books.erase(entry_id)

    assert owner.delete(f"/currencies/{code}").status_code == 204
    assert findings(world, plain) == []


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_the_owner_waits_for_a_write_that_counts_in_the_currency(
    owner: Client, plain: Client, world: World, method: str
) -> None:
    """Otherwise the decimals could change between the reading of an amount and its booking."""
    currency = made(owner)
    code, body = currency["attributes"]["code"], again(currency, decimal_places=3)

    with ThreadPoolExecutor() as threads:
        with world.books.writing() as db:
            users.take(db, plain.user.id, token_id=None, now="2024-05-15T12:00:00+00:00", doing="test")
            assert store.by_code(db, code)
            asked = threads.submit(owner.request, method, f"/currencies/{code}", json=body)
            _until_it_waits(db, asked)
            books_of(world, plain)._account(db, "Coins", Kind.ASSET, code)
        answer = asked.result()

    assert answer.status_code == 422, answer.text
    assert owner.get(f"/currencies/{code}").json()["data"]["attributes"]["decimal_places"] == 2


def _until_it_waits(db: Unit, asked: Future[Any]) -> None:
    """PostgreSQL tells; on SQLite it waits from its first statement on."""
    while db.dialect == "postgresql" and not asked.done():
        if db.value("SELECT 1 FROM pg_locks WHERE NOT granted LIMIT 1"):
            return
