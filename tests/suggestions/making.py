"""How do tests make earlier transactions, and ask what they suggest?"""

from typing import Any

from ..accounts.making import asset, errors, made
from ..conftest import Client
from ..transactions.making import a_transaction, posted_one, split

__all__ = ["asset", "errors", "made"]


def bought(client: Client, checking: str, description: str, payee: str | None, **labels: Any) -> dict[str, Any]:
    """A withdrawal with these labels: `category_name`, `budget_name`, `tags`, `amount`, `date`."""
    fields = {name: labels.pop(name) for name in ("tags", "date") if name in labels}
    part = split(source_id=checking, **labels, **({"destination_name": payee} if payee else {}))
    return posted_one(client, a_transaction("withdrawal", part, description=description, **fields))


def suggested(client: Client, *drafts: dict[str, Any]) -> list[dict[str, Any]]:
    response = client.post("/suggestions", {"transactions": list(drafts)})
    assert response.status_code == 200, response.text
    return list(response.json()["data"])


def suggested_for(client: Client, *transactions: dict[str, Any]) -> list[dict[str, Any]]:
    response = client.get("/transactions/suggestions", ids=",".join(str(one["id"]) for one in transactions))
    assert response.status_code == 200, response.text
    return list(response.json()["data"])


def accepted(client: Client, *transactions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    response = client.put("/transactions/suggestions", {"ids": [one["id"] for one in transactions], **fields})
    assert response.status_code == 200, response.text
    return dict(response.json())


def name_of(suggestion: dict[str, Any] | None) -> str | None:
    return suggestion["name"] if suggestion else None
