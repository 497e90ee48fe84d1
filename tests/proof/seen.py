"""What does a user see? Everything in every list, but for what merely follows from something else there."""

from collections.abc import Iterable, Mapping
from typing import Any

Key = tuple[str, str]
# What is known of each object. Of what was made along with something else that is only its name.
Seen = Mapping[Key, Mapping[str, Any]]

LISTS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("accounts", {"type": "all"}),
    ("transactions", {"type": "default"}),
    ("transactions", {"type": "reconciliation"}),
    ("bills", {}),
    ("available_budgets", {}),
    ("budgets", {}),
    ("budget_limits", {}),
    ("categories", {}),
    ("tags", {}),
    ("piggy_banks", {}),
    ("attachments", {}),
    ("recurrences", {}),
    ("rule_groups", {}),
    ("rules", {}),
    ("preferences", {}),
)
LISTS_OF_THE_OWNER: tuple[tuple[str, Mapping[str, str]], ...] = (("currencies", {}), ("users", {}))
PROMISED = "promised attachments"  # without content they are in no list

_HELPERS = ("Initial balance account", "Reconciliation account", "Exchange account", "Cash account")
# Sums, counts and places, which the doctor proves; and names that other things have.
_FOLLOWS: Mapping[str, frozenset[str]] = {
    "accounts": frozenset(("current_balance", "current_balance_date")),
    "transactions": frozenset(("bill_id", "bill_name", "source_iban", "destination_iban")),
    "bills": frozenset(
        ("attachments_count", "pay_dates", "paid_dates", "periods", "next_expected_match", "matching"),
    ),
    "available_budgets": frozenset(("spent",)),
    "budgets": frozenset(("spent", "transactions_count")),
    "budget_limits": frozenset(("spent",)),
    "categories": frozenset(("spent", "earned", "transactions_count")),
    "tags": frozenset(("spent", "earned", "transactions_count")),
    "piggy_banks": frozenset(
        (
            "percentage",
            "current_amount",
            "left_to_save",
            "save_per_month",
            "order",
            "active",
            "account_name",
            "accounts",
        ),
    ),
    "recurrences": frozenset(("latest_date", "failure")),
    "rule_groups": frozenset(("order", "running")),
    "rules": frozenset(("order", "running")),
    "attachments": frozenset(("mime", "download_uri", "upload_uri")),
    "currencies": frozenset(("default",)),
}


def key_of(thing: Mapping[str, Any]) -> Key:
    """A tag goes by its name: a transaction that makes one does not say its id."""
    return thing["type"], thing["attributes"]["tag"] if thing["type"] == "tags" else thing["id"]


def shown(thing: Mapping[str, Any]) -> dict[str, Any]:
    kind = thing["type"]
    follows = _FOLLOWS.get(kind, frozenset())
    attributes = {name: value for name, value in thing["attributes"].items() if name not in follows}
    del attributes["updated_at"]
    if kind == "transactions":
        _shape_transaction(attributes)
    elif kind == "recurrences":
        _shape_recurrence(attributes)
    elif kind == "rules":
        for parts in ("triggers", "actions"):
            attributes[parts] = [(one["type"], one["value"]) for one in attributes[parts]]
    elif kind == "tags":
        attributes["id"] = thing["id"]
    return attributes


def _shape_transaction(attributes: dict[str, Any]) -> None:
    """Signs are a matter of the side that one looks from; helpers are named after their accounts."""
    attributes["amount"] = abs(attributes["amount"])
    attributes["tags"] = sorted(attributes["tags"].split(",")) if attributes["tags"] else []
    for side in ("source", "destination"):
        if attributes[f"{side}_type"] in _HELPERS:
            del attributes[f"{side}_name"]


def _shape_recurrence(attributes: dict[str, Any]) -> None:
    splits, repetitions = attributes["transactions"], attributes.pop("recurrence_repetitions")
    attributes["transactions"] = [
        (one["amount"], one["description"], one["source_id"], one["destination_id"]) for one in splits
    ]
    attributes["rhythm"] = [(one["repetition_type"], one["repetition_skip"], one["weekend"]) for one in repetitions]


def is_listed(thing: Mapping[str, Any]) -> bool:
    """Helpers come and go with what they help; currencies and users that nobody here made stay as they are."""
    kind, attributes = thing["type"], thing["attributes"]
    if kind == "accounts":
        return attributes["type"] not in _HELPERS
    if kind == "currencies":
        return str(attributes["name"]).startswith("torture")
    return kind != "users" or str(attributes["email"]).startswith("torture")


def seen_in(things: Iterable[Mapping[str, Any]]) -> Seen:
    found: dict[Key, dict[str, Any]] = {}
    for thing in things:
        if is_listed(thing):
            assert key_of(thing) not in found, f"{key_of(thing)} is listed twice"
            found[key_of(thing)] = shown(thing)
    return found


def differences(expected: Seen, found: Seen) -> list[str]:
    """Nothing missing, nothing besides, nothing otherwise."""
    listed = {key: value for key, value in expected.items() if key[0] != PROMISED}
    told = [f"{key} is missing: {listed[key]}" for key in listed.keys() - found.keys()]
    told += [f"{key} is there: {found[key]}" for key in found.keys() - listed.keys()]
    for key in listed.keys() & found.keys():
        for name, value in listed[key].items():
            if found[key].get(name) != value:
                told.append(f"{key} {name} is {found[key].get(name)!r}, expected {value!r}")
    return told
