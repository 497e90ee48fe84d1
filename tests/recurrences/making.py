"""How do tests make recurrences? One builder; a test states only what matters to it."""

from typing import Any

from ..accounts.making import asset, errors, liability, made
from ..conftest import Client

__all__ = ["asset", "errors", "liability", "made"]


def a_repetition(type: str = "monthly", moment: Any = "1", skip: Any = 0, weekend: Any = 1) -> dict[str, Any]:  # noqa: A002
    return {"type": type, "moment": moment, "skip": skip, "weekend": weekend}


def a_split(source_id: Any = None, **fields: Any) -> dict[str, Any]:
    usual = {"description": "Membership", "amount": "25.45", "currency_code": "EUR", "destination_name": "Gym Ltd"}
    return {**usual, **({"source_id": source_id} if source_id else {}), **fields}


def a_recurrence(source_id: Any, **fields: Any) -> dict[str, Any]:
    """From tests' usual today, 2024-05-15."""
    usual: dict[str, Any] = {
        "type": "withdrawal",
        "title": "Gym",
        "first_date": "2024-06-01",
        "apply_rules": True,
        "active": True,
        "repetitions": [a_repetition()],
        "transactions": [a_split(source_id)],
    }
    return {**usual, **fields}


def stored(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post("/recurrences", body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["data"]
    return found


def refused(client: Client, body: dict[str, Any]) -> dict[str, list[str]]:
    return errors(client.post("/recurrences", body))


def occurrences(thing: dict[str, Any], place: int = 0) -> list[str]:
    found: list[str] = thing["attributes"]["recurrence_repetitions"][place]["occurrences"]
    return found


def fired(client: Client, day: str, recurrence_id: str | None = None) -> list[str]:
    """The days of what a trigger made."""
    path = f"/recurrences/{recurrence_id}/trigger" if recurrence_id else "/recurrences/trigger"
    response = client.request("POST", f"{path}?date={day}")
    assert response.status_code in (200, 204), response.text
    return sorted(one["attributes"]["date"] for one in response.json()["data"]) if response.content else []
