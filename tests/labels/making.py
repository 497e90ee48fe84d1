"""How do tests make labels, and transactions that carry them?"""

from dataclasses import dataclass
from typing import Any

from ..accounts.making import asset, errors, exact, made
from ..conftest import Client
from ..transactions.making import a_transaction, posted, split

__all__ = ["asset", "errors", "exact", "made"]


@dataclass(frozen=True)
class Kind:
    """One kind of label: where it is found, how it is named, and how a transaction names it."""

    path: str
    name_field: str

    def body(self, name: str, **fields: Any) -> dict[str, Any]:
        return {self.name_field: name, "active": True, **fields}

    def on(self, transaction: dict[str, Any], name: str | None) -> dict[str, Any]:
        """The transaction, with this label on it."""
        if self.path == "tags":
            return {**transaction, "tags": name}
        field = {"categories": "category_name", "budgets": "budget_name"}[self.path]
        return {**transaction, "transactions": [{**one, field: name} for one in transaction["transactions"]]}


CATEGORY, BUDGET, TAG = Kind("categories", "name"), Kind("budgets", "name"), Kind("tags", "tag")
KINDS = (CATEGORY, BUDGET, TAG)


def a_label(client: Client, kind: Kind, name: str = "Food", **fields: Any) -> str:
    """The id of a new one."""
    response = client.post(f"/{kind.path}", kind.body(name, **fields))
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def attributes(client: Client, kind: Kind, label_id: Any, **query: Any) -> dict[str, Any]:
    response = client.get(f"/{kind.path}/{label_id}", **query)
    assert response.status_code == 200, response.text
    return dict(exact(response)["data"]["attributes"])


def named(client: Client, kind: Kind, name: str, **query: Any) -> dict[str, Any]:
    """The label of that name, as the list shows it, and its id."""
    response = client.get(f"/{kind.path}", limit=1000, **query)
    [found] = [one for one in exact(response)["data"] if one["attributes"][kind.name_field] == name]
    return {"id": found["id"], **found["attributes"]}


def amounts(sums: list[dict[str, Any]]) -> dict[str, str]:
    return {one["currency_code"]: format(one["amount"], "") for one in sums}


def withdrawn(
    account_id: str, amount: Any = "12.50", on: str = "2024-05-10", code: str = "EUR", **fields: Any
) -> dict[str, Any]:
    one = split(source_id=account_id, amount=amount, currency_code=code, destination_name="Grocer")
    return a_transaction("withdrawal", one, date=on, **fields)


def recorded(client: Client, *transactions: dict[str, Any]) -> list[str]:
    """The ids of their splits."""
    return [one["id"] for body in transactions for one in posted(client, body)]
