"""How do tests attach files? A bill and a transaction to attach them to, and the two steps; a test states the rest."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from farthing.storage import blobs

from ..accounts.making import asset, errors, made
from ..conftest import Client, World
from ..transactions.making import a_transaction as transaction
from ..transactions.making import posted, split

__all__ = ["asset", "errors", "made"]

_numbers = count(1)
OCTETS = "application/octet-stream"
NOT_FOUND = {"message": "Resource not found", "exception": "NotFoundHttpException"}


def a_bill(client: Client, name: str | None = None) -> str:
    name = name or f"Bill {next(_numbers)}"
    period = {"date": "2024-05-01", "repeat_freq": "monthly", "skip": 0, "automatch": False, "active": True}
    amounts = {"amount_min": "10", "amount_max": "20", "currency_code": "EUR"}
    response = client.post("/bills", {"name": name, "match": name, **amounts, **period})
    assert response.status_code == 200, response.text
    return str(response.json()["data"]["id"])


def a_transaction(client: Client) -> dict[str, Any]:
    """The second split of a withdrawal: its id is not that of its journal."""
    sides = {"source_id": made(client, asset()), "destination_name": "Grocer"}
    splits = [split(**sides, description=f"part {number}") for number in range(2)]
    [_, second] = posted(client, transaction("withdrawal", *splits))
    return {"id": second["id"], **second["attributes"]}


def body(client: Client, **fields: Any) -> dict[str, Any]:
    """The file belongs to a new bill, unless it is said to whom."""
    if "model_id" not in fields:
        fields = {"model": "Bill", "model_id": a_bill(client), **fields}
    return {"filename": "invoice.pdf", **fields}


def promised(client: Client, **fields: Any) -> dict[str, Any]:
    """The object of a record that has no content yet."""
    response = client.post("/attachments", body(client, **fields))
    assert response.status_code == 200, response.text
    return dict(response.json()["data"])


def attached(client: Client, content: bytes = b"a text", **fields: Any) -> str:
    """The id of an attachment with its content."""
    attachment_id = str(promised(client, **fields)["id"])
    uploaded(client, attachment_id, content)
    return attachment_id


def uploaded(client: Client, attachment_id: str, content: bytes | Iterator[bytes], media_type: str = OCTETS) -> None:
    response = upload(client, attachment_id, content, media_type)
    assert (response.status_code, response.content) == (204, b""), response.text


def upload(client: Client, attachment_id: str, content: bytes | Iterator[bytes], media_type: str = OCTETS) -> Any:
    headers = {"Content-Type": media_type}
    return client.request("POST", f"/attachments/{attachment_id}/upload", content=content, headers=headers)


def download(client: Client, attachment_id: str, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.request("GET", f"/attachments/{attachment_id}/download", headers=named)


def shown(client: Client, attachment_id: str) -> dict[str, Any]:
    response = client.get(f"/attachments/{attachment_id}")
    assert response.status_code == 200, response.text
    return dict(response.json()["data"]["attributes"])


def listed(client: Client, path: str = "/attachments", **query: Any) -> list[str]:
    response = client.get(path, **query)
    assert response.status_code == 200, response.text
    return [one["id"] for one in response.json()["data"]]


def refused(client: Client, **fields: Any) -> dict[str, list[str]]:
    return errors(client.post("/attachments", body(client, **fields)))


def files(world: World, client: Client) -> list[str]:
    """The names of the contents that are stored for a user."""
    return sorted(one.sha256 for one in blobs.connect(world.settings).of_user(client.user.id))


def incoming(world: World) -> list[str]:
    """What is on its way in, or was left behind."""
    return [path.name for path in (world.settings.data / "attachments" / "incoming").glob("*")]
