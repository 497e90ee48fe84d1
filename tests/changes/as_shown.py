"""How does a client send an object back exactly as it was shown? What no PUT takes is left out by the server."""

from typing import Any

from ..conftest import Client

Thing = dict[str, Any]


def body_of(kind: str, things: list[Thing]) -> dict[str, Any]:
    """`things` are the objects of one answer: several for the splits of a transaction, else one."""
    shown = things[0]["attributes"]
    body = {name: value for name, value in shown.items() if value is not None}
    return {**body, **_MORE[kind](things)} if kind in _MORE else body


def _account(things: list[Thing]) -> dict[str, Any]:
    """Debts are told by the type of the debt, and what is said of cards has other names in requests."""
    shown = things[0]["attributes"]
    renamed = {"cc_type": shown["credit_card_type"], "cc_monthly_payment_date": shown["monthly_payment_date"]}
    kind = "liability" if shown["liability_type"] else shown["type"].removesuffix(" account").lower()
    return {"type": kind, **{name: value for name, value in renamed.items() if value is not None}}


def _rule(things: list[Thing]) -> dict[str, Any]:
    shown = things[0]["attributes"]
    return {
        f"rule_{parts}": [
            {"name": one["type"], "value": one["value"], "stop_processing": one["stop_processing"]}
            for one in shown[parts]
        ]
        for parts in ("triggers", "actions")
    }


def _recurrence(things: list[Thing]) -> dict[str, Any]:
    shown, told = things[0]["attributes"], {one["name"]: one for one in things[0]["meta"] or []}
    repetitions = [
        {
            "type": one["repetition_type"], "moment": one["repetition_moment"], "skip": one["repetition_skip"],
            "weekend": one["weekend"], "holidays": one["holidays"],
        }
        for one in shown["recurrence_repetitions"]
    ]  # fmt: skip
    splits = [
        {key: value for key, value in one.items() if value is not None and key != "meta"}
        | {key: meta[key] for meta in one["meta"] for key in ("category_id", "budget_id") if meta.get(key)}
        for one in shown["transactions"]
    ]
    return {
        "type": shown["transaction_type"].lower(),
        "repetitions": repetitions,
        "transactions": splits,
        **({"nr_of_repetitions": shown["repetitions"]} if shown["repetitions"] else {}),
        **({"tags": told["tags"]["tags"]} if "tags" in told else {}),
        **({"piggy_bank_id": told["piggy_bank_id"]["piggy_bank_id"]} if "piggy_bank_id" in told else {}),
    }


_OF_SPLIT = (
    "amount", "currency_id", "foreign_amount", "foreign_currency_id", "category_id", "budget_id", "reconciled",
    "refund", "source_id", "destination_id",
)  # fmt: skip


def _transaction(things: list[Thing]) -> dict[str, Any]:
    shown = things[0]["attributes"]
    splits = [
        {key: one["attributes"][key] for key in _OF_SPLIT if one["attributes"][key] is not None}
        | {"description": one["attributes"]["transaction_description"]}
        | {key: abs(amount) for key in ("amount", "foreign_amount") if (amount := one["attributes"][key])}
        for one in things
    ]
    return {"type": shown["type"].lower(), "description": shown["journal_description"], "transactions": splits}


_MORE = {"accounts": _account, "rules": _rule, "recurrences": _recurrence, "transactions": _transaction}
# When it was written, and what a PUT makes anew.
_FLEETING = {"updated_at", "created_at", "failure", "running", "matching", "relationships"}
_RENEWED = {"triggers", "actions", "recurrence_repetitions", "periods"}


def lasting(value: Any, under: str = "") -> Any:
    """What an answer says, apart from what writing the same again changes."""
    if isinstance(value, dict):
        dropped = _FLEETING | ({"id"} if under in _RENEWED else set())
        return {key: lasting(one, key) for key, one in value.items() if key not in dropped}
    if isinstance(value, list):
        return [lasting(one, under) for one in value]
    return value


def things_at(client: Client, path: str) -> list[Thing] | None:
    response = client.get(path)
    if response.status_code == 404:
        return None
    assert response.status_code == 200, response.text
    data = response.json()["data"]
    return data if isinstance(data, list) else [data]


def differences(before: Any, after: Any, at: str = "") -> list[str]:
    """Where two answers differ, and how."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        return [line for key in keys for line in differences(before.get(key), after.get(key), f"{at}.{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [line for place, (one, other) in pairs for line in differences(one, other, f"{at}.{place}")]
    return [] if before == after else [f"{at}: {before} -> {after}"]
