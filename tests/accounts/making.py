"""How do tests make accounts, and put money on them? One builder per kind; a test states only what matters to it."""

import json
from decimal import Decimal
from typing import Any

from ..builders import Books
from ..conftest import Client, World

_COMMON = {"active": True, "include_net_worth": True, "currency_code": "EUR"}


def asset(**fields: Any) -> dict[str, Any]:
    return {"name": "Checking", "type": "asset", "account_role": "defaultAsset", **_COMMON, **fields}


def card(**fields: Any) -> dict[str, Any]:
    cards = {"account_role": "ccAsset", "cc_type": "monthlyFull", "cc_monthly_payment_date": "2024-05-25"}
    return asset(**{"name": "Card", **cards, **fields})


def expense(**fields: Any) -> dict[str, Any]:
    return {"name": "Grocer", "type": "expense", **_COMMON, **fields}


def revenue(**fields: Any) -> dict[str, Any]:
    return {"name": "Employer", "type": "revenue", **_COMMON, **fields}


def liability(**fields: Any) -> dict[str, Any]:
    owed = {
        "liability_type": "loan",
        "liability_amount": "123",
        "liability_start_date": "2024-01-31",
        "interest": "3.5",
        "interest_period": "yearly",
    }
    return {"name": "Student loan", "type": "liability", **_COMMON, **owed, **fields}


def without(body: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in names}


def made(client: Client, body: dict[str, Any]) -> str:
    """The id of a new account."""
    response = client.post("/accounts", body)
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def shown(client: Client, account_id: str, **query: Any) -> dict[str, Any]:
    """The attributes, with every number as a Decimal: what was sent must be what is seen."""
    response = client.get(f"/accounts/{account_id}", **query)
    assert response.status_code == 200, response.text
    return exact(response)["data"]["attributes"]


def exact(response: Any) -> Any:
    return json.loads(response.text, parse_float=Decimal)


def errors(response: Any) -> dict[str, list[str]]:
    assert response.status_code == 422, response.text
    assert response.json()["message"] == "The given data was invalid."
    return dict(response.json()["errors"])


def names(response: Any) -> list[str]:
    assert response.status_code == 200, response.text
    return [thing["attributes"]["name"] for thing in response.json()["data"]]


def books_of(world: World, client: Client) -> Books:
    """The client's books, for stories about money."""
    return Books(world.books, client.user.id)
