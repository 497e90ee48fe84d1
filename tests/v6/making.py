"""How do tests of version 6 read answers?"""

from typing import Any

from farthing.storage import tables


def data(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def shown(answer: Any) -> dict[str, Any]:
    found: dict[str, Any] = data(answer)["attributes"]
    return found


def refused(answer: Any) -> dict[str, list[str]]:
    assert answer.status_code == 422, answer.text
    errors: dict[str, list[str]] = answer.json()["errors"]
    return errors


def primary(code: str = "EUR") -> dict[str, Any]:
    names = {"EUR": "Euro"}
    fields = {"id": "1", "name": names[code], "code": code, "symbol": "€", "decimal_places": 2}
    return {f"primary_currency_{name}": value for name, value in fields.items()}


def own(code: str = "EUR") -> dict[str, Any]:
    """The fields of an object with a currency, here the primary one."""
    fields = primary(code)
    return fields | {name.removeprefix("primary_"): value for name, value in fields.items()}


def converts(client: Any) -> None:
    """Lets amounts be converted into the primary currency. Call it before anything is read."""
    fields = {"name": "convertToPrimary", "data": "true", "created_at": "", "updated_at": ""}
    with client.books.writing() as db:
        tables.add(db, "preferences", user_id=client.user.id, **fields)


def undone(client: Any) -> None:
    """Takes the last change back."""
    change = client.get("/changes", limit=1).json()["data"][0]
    answer = client.post(f"/changes/{change['id']}/undo", {})
    assert answer.status_code == 200, answer.text
