"""Adds more to some of the books before they are measured, over HTTP like any client."""

from collections.abc import Mapping
from typing import Any

import msgspec

from .books import Facts
from .driver import Endpoint, ask

RECURRENCES, BILLS, RULES = 50, 200, 200


def recurrences(endpoint: Endpoint, facts: Facts) -> None:
    """Of all kinds, none of them due while we measure."""
    kinds = (("daily", ""), ("weekly", "3"), ("monthly", "31"), ("ndom", "2,3"), ("yearly", "2040-02-29"))
    for number in range(RECURRENCES):
        type_, moment = kinds[number % len(kinds)]
        split = {
            "description": f"Planned {number:02}",
            "amount": f"{number + 1}.50",
            "currency_code": "EUR",
            "source_id": facts.asset_ids[number],
            "destination_id": facts.expense_ids[number],
        }
        repetition = {"type": type_, "moment": moment, "skip": number % 3, "weekend": 1 + number % 4}
        _make(endpoint, "recurrences", {
            "type": "withdrawal", "title": f"Planned {number:02}", "first_date": "2040-01-01", "apply_rules": True,
            "active": True, "repetitions": [repetition], "transactions": [split],
        })  # fmt: skip


def bills(endpoint: Endpoint, _facts: Facts) -> None:
    """All of them check most creates, and none is paid; existing transactions are outside their range."""
    for number in range(BILLS):
        _make(endpoint, "bills", {
            "name": f"Subscription {number:03}", "match": f"subscription,number {number:03}", "amount_min": "201.01",
            "amount_max": f"{1001 + number}", "currency_code": "EUR", "date": "2024-01-01", "repeat_freq": "monthly",
            "skip": 0, "automatch": True, "active": True,
        })  # fmt: skip


def rules(endpoint: Endpoint, _facts: Facts) -> None:
    """Each rule checks two triggers on every create. None matches, because an action would be a write of its own."""
    _make(endpoint, "rule_groups", {"title": "Bench", "active": True})
    asked = ("description_contains", "to_account_starts", "amount_more", "from_account_ends")
    for number in range(RULES):
        name = asked[number % len(asked)]
        value = f"{100_000 + number}" if name == "amount_more" else f"somebody {number:03}"
        _make(endpoint, "rules", {
            "title": f"Rule {number:03}", "rule_group_title": "Bench", "trigger": "store-journal", "strict": True,
            "stop_processing": False, "active": True,
            "triggers": [{"name": "description_contains", "value": "shop"}, {"name": name, "value": value}],
            "actions": [{"name": "set_category", "value": "Found by a rule"}],
        })  # fmt: skip


def _make(endpoint: Endpoint, kind: str, fields: Mapping[str, Any]) -> None:
    answer = ask(endpoint, endpoint.request("POST", f"/api/v1/{kind}", msgspec.json.encode(fields)))
    assert answer.startswith(b"HTTP/1.1 200"), answer.decode(errors="replace")[:2000]
