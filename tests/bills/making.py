"""How do tests make bills, and pay them? One builder per noun; a test states only what matters to it."""

from typing import Any

from ..accounts.making import asset, errors, exact, made, without
from ..conftest import Client
from ..transactions.making import a_transaction, posted, posted_one, split, withdrawal

__all__ = ["a_transaction", "asset", "errors", "exact", "made", "posted", "split", "without"]


def a_bill(**fields: Any) -> dict[str, Any]:
    """Rent of about 800 euros on the first of the month, since the beginning of 2024."""
    usual: dict[str, Any] = {
        "name": "Rent",
        "match": "rent,landlord",
        "amount_min": "795",
        "amount_max": "855.50",
        "currency_code": "EUR",
        "date": "2024-01-01",
        "repeat_freq": "monthly",
        "skip": 0,
        "automatch": True,
        "active": True,
    }
    return {**usual, **fields}


def stored(client: Client, body: dict[str, Any] | None = None, **query: Any) -> dict[str, Any]:
    """The new bill as an object, every number as a Decimal."""
    response = client.request("POST", "/bills", json=body or a_bill(), params=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = exact(response)["data"]
    return found


def changed(client: Client, bill: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    response = client.put(f"/bills/{bill['id']}", body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = exact(response)["data"]
    return found


def refused(client: Client, body: dict[str, Any]) -> dict[str, list[str]]:
    return errors(client.post("/bills", body))


def seen(client: Client, bill: dict[str, Any], **query: Any) -> dict[str, Any]:
    """The attributes of a bill as they are now."""
    response = client.get(f"/bills/{bill['id']}", **query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = exact(response)["data"]["attributes"]
    return found


def paid(client: Client, source_id: Any, on: str = "2024-05-01", amount: Any = "800", **fields: Any) -> dict[str, Any]:
    """A withdrawal that pays the usual bill, unless something else is said."""
    text = {"description": "Rent to the landlord", **fields}
    return posted_one(client, withdrawal(source_id, amount, date=on, **text))


def linked(client: Client, bill: dict[str, Any], **query: Any) -> list[str]:
    """The days of what is linked to a bill, the newest first."""
    response = client.get(f"/bills/{bill['id']}/transactions", **query)
    assert response.status_code == 200, response.text
    return [one["attributes"]["date"] for one in response.json()["data"]]


def bill_of(client: Client, transaction: dict[str, Any]) -> tuple[int | None, str | None]:
    attributes = client.get(f"/transactions/{transaction['id']}").json()["data"][0]["attributes"]
    return attributes["bill_id"], attributes["bill_name"]
