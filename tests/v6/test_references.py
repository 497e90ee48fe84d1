"""The id of somebody else's object in a body is like one that does not exist."""

import re
from typing import Any

import pytest

from ..conftest import NOW, Client, World
from ..http.doors import one_of_each
from .test_clients import ROUND

UNKNOWN = "987654321"
LIMIT = {"amount": "5", "start": "2025-05-01", "end": "2025-05-31"}
# Where a body names an object, and of which kind: by the path that the body is sent to. The parts of a name are keys.
NAMED = [
    ("/attachments", "attachable_id", "accounts"),
    ("/bills", "object_group_id", "object_groups"),
    ("/piggy-banks", "accounts.0.id", "accounts"),
    ("/piggy-banks", "object_group_id", "object_groups"),
    ("/recurrences", "transactions.0.source_id", "accounts"),
    ("/recurrences", "transactions.0.category_id", "categories"),
    ("/recurrences", "transactions.0.budget_id", "budgets"),
    ("/recurrences", "transactions.0.piggy_bank_id", "piggy_banks"),
    ("/rules", "rule_group_id", "rule_groups"),
    ("/transactions", "transactions.0.source_id", "accounts"),
    ("/transactions", "transactions.0.destination_id", "accounts"),
    ("/transactions", "transactions.0.category_id", "categories"),
    ("/transactions", "transactions.0.budget_id", "budgets"),
    ("/transactions", "transactions.0.bill_id", "bills"),
    ("/transactions", "transactions.0.piggy_bank_id", "piggy_banks"),
    ("/transaction-links", "inward_id", "transactions"),
    ("/transaction-links", "link_type_id", "link_types"),
]  # fmt: skip


@pytest.fixture(scope="module")
def theirs(shared_world: World) -> dict[str, str]:
    """Of one person for all tests, because nobody changes anything of theirs."""
    shared_world.time.now = NOW
    return one_of_each(shared_world.someone())


def a_body(client: Client, path: str) -> Any:
    if path != "/transaction-links":
        return ROUND[path][0](client)
    body = ROUND["/transactions"][0](client)
    made = (client.v6.post("/transactions", body).json()["data"]["attributes"]["transactions"] for _ in range(2))
    inward, outward = (splits[0]["transaction_journal_id"] for splits in made)
    return {"link_type_id": "1", "inward_id": inward, "outward_id": outward}


@pytest.mark.any_database
@pytest.mark.parametrize(("path", "name", "kind"), NAMED)
def test_an_object_of_somebody_else_is_like_none(
    me: Client, theirs: dict[str, str], path: str, name: str, kind: str
) -> None:
    body = a_body(me, path)

    def send(object_id: str) -> tuple[int, str]:
        *keys, last = name.split(".")
        part = body
        for key in keys:
            part = part[int(key)] if key.isdecimal() else part[key]
        part[last] = object_id
        answer = me.v6.post(path, body)
        return answer.status_code, re.sub(rf"\b({object_id}|{UNKNOWN})\b", "…", answer.text)

    refused = send(UNKNOWN)

    assert refused[0] == 422
    assert send(theirs[kind]) == refused
