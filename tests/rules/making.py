"""How do tests make rules? One builder per noun; a test states only what matters to it."""

from typing import Any

from farthing.books.rule_groups import store as groups
from farthing.books.rule_groups.model import RuleGroupDraft
from farthing.books.rules import store as rules
from farthing.books.rules.model import RuleDraft, RuleEvent, RulePart
from farthing.identity import users
from farthing.storage.unit import Database

from ..accounts.making import asset, errors, made
from ..builders import AT
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


def add_many_rules(database: Database, user_id: int, event: RuleEvent, *, count: int, triggers: int) -> list[int]:
    """Straight into the database. Only the last trigger of each fits a withdrawal; the last rule's category stays."""
    texts = [RulePart("description_contains", f"nothing {number}") for number in range(triggers - 1)]
    with database.writing() as db:
        users.take(db, user_id, token_id=None, now=AT, doing="test")
        group_id = groups.add(db, user_id, RuleGroupDraft("Many", None, True, None), AT)
        drafts = [
            RuleDraft(
                rule_group_id=group_id,
                title=f"Rule {number}",
                description=None,
                moment=event,
                strict=False,
                stops=False,
                active=True,
                order=None,
                triggers=(*texts, RulePart("transaction_type", "withdrawal")),
                actions=(RulePart("set_category", f"Category {number}"),),
            )
            for number in range(count)
        ]
        return [rules.add(db, user_id, draft, AT) for draft in drafts]
