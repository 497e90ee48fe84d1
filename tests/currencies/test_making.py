"""The owner makes currencies; everyone may choose one as their default."""

from typing import Any

import pytest

from ..accounts.making import asset
from ..accounts.making import made as made_account
from ..conftest import Client
from .making import a_currency, errors, made


def test_the_owner_makes_a_currency(owner: Client) -> None:
    body = a_currency(decimal_places=3)

    answer = owner.post("/currencies", body)

    shown = answer.json()["data"]
    assert answer.status_code == 200
    assert {name: shown["attributes"][name] for name in body} == body
    assert shown["attributes"]["default"] is False
    assert owner.get(f"/currencies/{body['code']}").json() == answer.json()


def test_everyone_uses_it_at_once(owner: Client, plain: Client) -> None:
    code = made(owner, decimal_places=3)["attributes"]["code"]

    account = made_account(plain, asset(currency_code=code, virtual_balance="0.125"))

    assert plain.get(f"/accounts/{account}").json()["data"]["attributes"]["virtual_balance"] == 0.125


def test_a_form_makes_a_currency_too(owner: Client) -> None:
    body = a_currency(decimal_places="0")

    shown = owner.request("POST", "/currencies", data=body).json()["data"]["attributes"]

    assert (shown["code"], shown["decimal_places"]) == (body["code"], 0)


def test_a_code_is_kept_in_capitals(owner: Client) -> None:
    code = a_currency()["code"]

    assert made(owner, code=f" {code.lower()} ")["attributes"]["code"] == code


def test_making_currencies_is_for_the_owner(plain: Client) -> None:
    answer = plain.post("/currencies", {})

    assert answer.status_code == 403
    assert answer.json()["message"] == "Only the owner of this installation may create currencies."


@pytest.mark.parametrize("body", [{}, {"name": "", "code": " ", "symbol": None}])
def test_every_field_but_default_is_required(owner: Client, body: dict[str, Any]) -> None:
    assert errors(owner.post("/currencies", body)) == {
        "name": ["The name field is required."],
        "code": ["The code field is required."],
        "symbol": ["The symbol field is required."],
        "decimal_places": ["The decimal places field is required."],
    }


def test_what_another_currency_has_is_taken_and_everything_is_said_at_once(owner: Client) -> None:
    body = {"name": "Euro", "code": "eur", "symbol": "€", "decimal_places": 13}

    assert errors(owner.post("/currencies", body)) == {
        "name": ["The name is already used by another currency."],
        "code": ["The code is already used by another currency."],
        "symbol": ["The symbol is already used by another currency."],
        "decimal_places": ["The decimal places must be between 0 and 12."],
    }


@pytest.mark.parametrize("code", ["Q", "QQQQ", "Q-1", "123", 123, "ÄÖÜ", "ßß", "Q\u0000Q", ["QQQ"]])
def test_a_code_is_three_letters_or_digits_with_a_letter(owner: Client, code: object) -> None:
    assert list(errors(owner.post("/currencies", a_currency(code=code)))) == ["code"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "n" * 256, "The name may not be greater than 255 characters."),
        ("symbol", "123456", "The symbol may not be greater than 5 characters."),
        ("decimal_places", -1, "The decimal places must be between 0 and 12."),
        ("decimal_places", 1.5, "The decimal places must be a whole number."),
        ("decimal_places", "two", "The decimal places must be a number, written like 1234.56."),
        ("default", "maybe", "The default field must be true or false."),
    ],
)
def test_a_wrong_field_is_refused_with_a_reason(owner: Client, field: str, value: object, sentence: str) -> None:
    assert errors(owner.post("/currencies", a_currency(**{field: value}))) == {field: [sentence]}


def test_a_new_currency_may_become_the_makers_default(owner: Client, plain: Client) -> None:
    shown = made(owner, default=True)["attributes"]

    assert shown["default"] is True
    assert owner.get("/preferences/currencyPreference").json()["data"]["attributes"]["data"] == shown["code"]
    assert owner.get(f"/currencies/{shown['code']}").json()["data"]["attributes"]["default"] is True
    assert plain.get(f"/currencies/{shown['code']}").json()["data"]["attributes"]["default"] is False


@pytest.mark.parametrize("word", ["16", "JPY", "jpy"])
def test_everyone_chooses_their_own_default(plain: Client, word: str) -> None:
    answer = plain.post(f"/currencies/{word}/default")

    assert answer.status_code == 200
    assert answer.json()["data"]["attributes"]["default"] is True
    assert plain.get("/preferences/currencyPreference").json()["data"]["attributes"]["data"] == "JPY"
    assert plain.get("/currencies/EUR").json()["data"]["attributes"]["default"] is False


def test_a_default_must_be_there(plain: Client) -> None:
    assert plain.post("/currencies/9Q9/default").status_code == 404
