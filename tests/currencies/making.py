"""How do tests make currencies? With codes of their own: the shared database keeps what others made."""

from itertools import product
from string import ascii_uppercase
from typing import Any

from ..conftest import Client

_codes = (f"Q{first}{second}" for first, second in product("BCDEFGHIJKLM", ascii_uppercase))  # none is built in


def a_currency(**fields: Any) -> dict[str, Any]:
    code = next(_codes)
    return {"name": f"Coin {code}", "code": code, "symbol": code, "decimal_places": 2, **fields}


def made(owner: Client, **fields: Any) -> dict[str, Any]:
    """The new currency as it is shown."""
    answer = owner.post("/currencies", a_currency(**fields))
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"])


def again(currency: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The body that changes nothing, but for these fields."""
    shown = currency["attributes"]
    return {name: shown[name] for name in ("name", "code", "symbol", "decimal_places")} | fields


def errors(answer: Any) -> dict[str, list[str]]:
    assert answer.status_code == 422, answer.text
    return dict(answer.json()["errors"])
