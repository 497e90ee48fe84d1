"""How do tests make piggy banks, and look into them? One builder; a test states only what matters to it."""

from typing import Any

from farthing.care.doctor.checks.basics.finding import Person
from farthing.care.doctor.checks.planning import piggy_banks

from ..accounts.making import asset, errors, exact, expense, liability, made
from ..conftest import Client, World
from ..transactions.making import count_rows, posted_one, split, transfer, withdrawal

__all__ = [
    "asset", "count_rows", "errors", "exact", "expense", "liability", "made", "posted_one", "split",
    "transfer", "withdrawal",
]  # fmt: skip


def an_account(client: Client, name: str = "Savings", balance: str = "1000", **fields: Any) -> str:
    """With money on it."""
    return made(client, asset(name=name, opening_balance=balance, opening_balance_date="2024-01-01", **fields))


def a_piggy_bank(account_id: Any, **fields: Any) -> dict[str, Any]:
    return {"name": "Bicycle", "account_id": account_id, "target_amount": "600", **fields}


def saving(client: Client, account_id: Any, **fields: Any) -> str:
    """The id of a new piggy bank."""
    response = client.post("/piggy_banks", a_piggy_bank(account_id, **fields))
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def refused(client: Client, account_id: Any, **fields: Any) -> dict[str, list[str]]:
    return errors(client.post("/piggy_banks", a_piggy_bank(account_id, **fields)))


def seen(client: Client, piggy_bank_id: str) -> dict[str, Any]:
    """The attributes, with every number as a Decimal."""
    response = client.get(f"/piggy_banks/{piggy_bank_id}")
    assert response.status_code == 200, response.text
    return dict(exact(response)["data"]["attributes"])


def inside(client: Client, piggy_bank_id: str) -> str:
    return str(seen(client, piggy_bank_id)["current_amount"])


def changed(client: Client, piggy_bank_id: str, account_id: Any, **fields: Any) -> dict[str, Any]:
    response = client.put(f"/piggy_banks/{piggy_bank_id}", a_piggy_bank(account_id, **fields))
    assert response.status_code == 200, response.text
    return dict(exact(response)["data"]["attributes"])


def moves(client: Client, piggy_bank_id: str) -> list[tuple[str, str]]:
    """The days and amounts of its events, the newest first."""
    response = client.get(f"/piggy_banks/{piggy_bank_id}/events")
    assert response.status_code == 200, response.text
    return [(one["attributes"]["date"], str(one["attributes"]["amount"])) for one in exact(response)["data"]]


def findings(world: World, client: Client) -> list[str]:
    """What doctor says of this user's piggy banks: nothing, when they are in order."""
    with world.books.reading() as db:
        return [one.sentence for one in piggy_banks(db, Person(client.user.id, "me", None))]
