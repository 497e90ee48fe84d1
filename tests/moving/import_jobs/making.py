"""How do tests import files? A file as text, a job for it, and a worker that runs it to its end."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from farthing.jobs.worker import Worker, with_imports

from ...accounts.making import asset, made
from ...conftest import Client, World

HEADER = "Date,Payee,Description,Amount"


def an_owner(world: World) -> Client:
    """Only owners make currencies, and some books have others than ours."""
    client = world.someone()
    with world.books.writing() as db:
        db.run("UPDATE users SET role = 'owner' WHERE id = :id", id=client.user.id)
    return client


def an_account(client: Client, name: str = "Checking", **fields: Any) -> str:
    return made(client, asset(name=name, **fields))


def a_csv(*rows: str, header: str = HEADER) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def a_job(client: Client, content: bytes, filename: str = "statement.csv", **fields: Any) -> dict[str, Any]:
    answer = post_job(client, content, filename, **fields)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"])


def post_job(client: Client, content: bytes, filename: str = "statement.csv", **fields: Any) -> Any:
    parts = {name: (None, _as_text(value)) for name, value in fields.items()}
    return client.request("POST", "/import_jobs", files={**parts, "file": (filename, content)})


def _as_text(value: object) -> str:
    return json.dumps(value) if isinstance(value, Mapping) else str(value)


def a_worker(world: World) -> Worker:
    return Worker(world.books, world.time.clock(), with_imports(world.settings))


def run(world: World, client: Client, job: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """To its end; the job as it is shown then."""
    answer = client.post(f"/import_jobs/{job['id']}/run", options or None)
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["attributes"]["state"] == "running"
    a_worker(world).work_off()
    return shown(client, job)


def imported(world: World, client: Client, content: bytes, **fields: Any) -> dict[str, Any]:
    options = fields.pop("options", {})
    return run(world, client, a_job(client, content, **fields), **options)


def shown(client: Client, job: Mapping[str, Any]) -> dict[str, Any]:
    return dict(client.get(f"/import_jobs/{job['id']}").json()["data"]["attributes"])


def preview(client: Client, job: Mapping[str, Any], **options: Any) -> list[dict[str, Any]]:
    answer = client.post(f"/import_jobs/{job['id']}/preview", options or None)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["data"])


def outcomes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [row["outcome"] for row in rows]


def transactions(client: Client) -> list[dict[str, Any]]:
    """Oldest first."""
    found = client.get("/transactions", limit=1000).json()["data"]
    return [one["attributes"] | {"id": one["id"]} for one in reversed(found)]


def balance(client: Client, account_id: str) -> Any:
    return client.get(f"/accounts/{account_id}").json()["data"]["attributes"]["current_balance"]


def counts(attributes: Mapping[str, Any]) -> tuple[int, ...]:
    """Read, new, duplicate, linked, rejected."""
    return tuple(attributes["counts"][name] for name in ("read", "new", "duplicate", "linked", "rejected"))
