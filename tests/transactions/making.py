"""How do tests record transactions? One builder per type; a test states only what matters to it."""

from typing import Any

from ..accounts.making import asset, errors, exact, expense, liability, made, revenue, shown
from ..conftest import Client, World

__all__ = ["asset", "errors", "exact", "expense", "liability", "made", "revenue", "shown"]

_AMOUNT = {"amount": "12.50", "currency_code": "EUR"}


def split(**fields: Any) -> dict[str, Any]:
    return {**_AMOUNT, **fields}


def a_transaction(type: str, *splits: dict[str, Any], **fields: Any) -> dict[str, Any]:  # noqa: A002
    usual = {"type": type, "date": "2024-05-10", "description": "a transaction"}
    return {**usual, "transactions": list(splits), **fields}


def withdrawal(source_id: Any, amount: Any = "12.50", **fields: Any) -> dict[str, Any]:
    return a_transaction("withdrawal", split(source_id=source_id, amount=amount, destination_name="Grocer"), **fields)


def deposit(destination_id: Any, amount: Any = "12.50", **fields: Any) -> dict[str, Any]:
    return a_transaction("deposit", split(destination_id=destination_id, amount=amount, source_name="Work"), **fields)


def transfer(source_id: Any, destination_id: Any, amount: Any = "12.50", **fields: Any) -> dict[str, Any]:
    sides = {"source_id": source_id, "destination_id": destination_id}
    return a_transaction("transfer", split(amount=amount, **sides), **fields)


def posted(client: Client, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects of a new transaction, one per split, with every number as a Decimal."""
    response = client.post("/transactions", body)
    assert response.status_code == 200, response.text
    return list(exact(response)["data"])


def posted_one(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a new transaction with one split, and its id."""
    [only] = posted(client, body)
    return {"id": only["id"], **only["attributes"]}


def refused(client: Client, body: dict[str, Any]) -> dict[str, list[str]]:
    return errors(client.post("/transactions", body))


def listed(client: Client, path: str = "/transactions", **query: Any) -> list[dict[str, Any]]:
    response = client.get(path, **query)
    assert response.status_code == 200, response.text
    return list(exact(response)["data"])


def total(client: Client, path: str = "/transactions", **query: Any) -> int:
    return int(client.get(path, **query).json()["meta"]["pagination"]["total"])


def balance(client: Client, account_id: Any, **query: Any) -> str:
    return format(shown(client, str(account_id), **query)["current_balance"], "")


def account_named(client: Client, name: str, kind: str = "all") -> list[dict[str, Any]]:
    """All accounts of that name, in the order they were made."""
    found = [one for one in listed(client, "/accounts", type=kind, limit=1000) if one["attributes"]["name"] == name]
    return sorted(found, key=lambda one: int(one["id"]))


def cash_id(client: Client) -> str:
    return str(listed(client, "/accounts", type="cash")[0]["id"])


def held(world: World, client: Client, kind: str) -> dict[str, int]:
    """What the accounts of a kind hold in every currency, in units: also what `current_balance` does not show."""
    with world.books.reading() as db:
        rows = db.all(
            """
            SELECT c.code, SUM(b.units) FROM balances b
            JOIN accounts a ON a.user_id = b.user_id AND a.id = b.account_id JOIN currencies c ON c.id = b.currency_id
            WHERE b.user_id = :user_id AND a.kind = :kind AND b.grain = 'all' GROUP BY c.code
            """,
            user_id=client.user.id,
            kind=kind,
        )
    return {code: int(units) for code, units in rows if units}


def findings(world: World, client: Client) -> list[str]:
    """What doctor says of this user's books: nothing, when they are in order."""
    from farthing.care.doctor import examine_user

    with world.books.reading() as db:
        return [one.sentence for one in examine_user(db, client.user.id)]


def count_rows(world: World, client: Client, table: str) -> int:
    with world.books.reading() as db:
        return int(db.value(f"SELECT COUNT(*) FROM {table} WHERE user_id = :id", id=client.user.id))


def names_of(things: list[dict[str, Any]], attribute: str) -> list[Any]:
    return [one["attributes"][attribute] for one in things]
