"""How do tests make exchange rates?"""

from typing import Any

from ..conftest import Client


def a_rate(client: Client, source: str = "USD", target: str = "EUR", on: str = "2024-05-01", rate: Any = "0.92") -> str:
    response = client.post("/exchange_rates", {"from": source, "to": target, "date": on, "rate": rate})
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def told(client: Client, **filters: str) -> list[str]:
    """`2024-05-01 USD EUR 0.92`, of all that are listed."""
    response = client.get("/exchange_rates", **filters)
    assert response.status_code == 200, response.text
    shown = [one["attributes"] for one in response.json()["data"]]
    return [f"{one['date']} {one['from_currency_code']} {one['to_currency_code']} {one['rate']}" for one in shown]
