"""How do tests make rules? One builder per noun; a test states only what matters to it."""

from typing import Any

from ..accounts.making import asset, errors, made
from ..conftest import Client

__all__ = ["asset", "errors", "made"]

Parts = list[dict[str, Any]]


def part(name: str, value: Any = None, **fields: Any) -> dict[str, Any]:
    return {"name": name, **({} if value is None else {"value": value}), **fields}


def parts(*words: Any) -> Parts:
    """Name and value as a pair, or a name alone."""
    return [part(*one) if isinstance(one, tuple) else part(one) if isinstance(one, str) else one for one in words]


def a_group(client: Client, title: str = "Daily life", **fields: Any) -> str:
    response = client.post("/rule_groups", {"title": title, "active": True, **fields})
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def a_rule(group_id: Any = None, triggers: Any = (), actions: Any = (), **fields: Any) -> dict[str, Any]:
    """Whatever is called groceries is food, unless something else is said."""
    usual: dict[str, Any] = {
        "title": "Groceries are food",
        "trigger": "store-journal",
        "strict": True,
        "stop_processing": False,
        "active": True,
        "rule_triggers": parts(*(triggers or [("description_contains", "groceries")])),
        "rule_actions": parts(*(actions or [("set_category", "Food")])),
    }
    return {**usual, **({"rule_group_id": group_id} if group_id else {"rule_group_title": "Daily life"}), **fields}


def stored(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    """The new rule as an object; its group is made if it is the usual one."""
    if "rule_group_id" not in body and not client.get("/rule_groups").json()["data"]:
        a_group(client)
    response = client.post("/rules", body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()["data"]
    return found


def refused(client: Client, body: dict[str, Any]) -> dict[str, list[str]]:
    return errors(client.post("/rules", body))


def run(client: Client, path: str, **query: Any) -> dict[str, Any]:
    """A trigger over a range, the usual one if nothing is said."""
    response = client.request("POST", path, params={"start": "2024-01-01", "end": "2024-12-31", **query})
    found: dict[str, Any] = response.json()
    assert response.status_code == (202 if found["meta"]["in_background"] else 200), response.text
    return found
