"""How often a write waits for PostgreSQL while it holds the lock of its user."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from farthing.http.handling.runtime import Timing

from ..answers import Check
from ..conftest import Client, running
from ..postgres import PostgresServer
from .line import Line

CREATES_MAX, CHANGES_MAX = 6, 10
# When a token was last used is written later, beside all this.
LATER = Timing(gather_uses_s=3600)


@pytest.fixture
def line(postgres_server: PostgresServer | None) -> Iterator[Line]:
    if postgres_server is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows how often a write waits for it")
    line = Line(postgres_server.new_books())
    yield line
    line.end()


@pytest.fixture
def me(line: Line, tmp_path: Path, check_answer: Check) -> Iterator[Client]:
    for world in running(line.url, tmp_path, check_answer, timing=LATER):
        yield world.someone()


def test_a_transaction_is_recorded_in_six_round_trips_and_changed_in_ten(line: Line, me: Client):
    def count(method: str, path: str, key: str | None = None, **body: Any) -> int:
        before = line.round_trips
        answer = me.request(method, path, json=body, headers={"Idempotency-Key": key} if key else {})
        assert answer.status_code == 200, answer.text
        return line.round_trips - before

    body = furnish(me)
    [split] = body["transactions"]
    plain = {name: split[name] for name in ("amount", "currency_id", "source_id", "destination_name")}
    first = me.post("/transactions", body).json()["data"][0]["id"]

    assert count("POST", "/transactions", **body | {"transactions": [plain], "tags": []}) <= CREATES_MAX
    assert count("POST", "/transactions", **body) <= CREATES_MAX, "with a category, a budget and tags"
    assert count("POST", "/transactions", "a-key", **body) <= CREATES_MAX
    made = body | {"transactions": [split | {"destination_name": "Butcher"}]}
    assert count("POST", "/transactions", **made) <= CREATES_MAX, "with an account that is made for it"
    assert count("PUT", f"/transactions/{first}", **body | {"notes": "and rolls"}) <= CHANGES_MAX
    two = [split | {"description": text} for text in ("white bread", "black bread")]
    assert count("PUT", f"/transactions/{first}", **body | {"transactions": two}) <= CHANGES_MAX, "with a new split"


def furnish(me: Client) -> dict[str, Any]:
    """A transaction as the web app sends it, with everything that it names; there is a bill that it does not pay."""
    account = {"type": "asset", "active": 1, "include_net_worth": 1, "currency_code": "EUR"}
    bank = me.post("/accounts", {"name": "Bank", "account_role": "defaultAsset", **account}).json()["data"]
    me.post("/categories", {"name": "Food"})
    me.post("/budgets", {"name": "Living"})
    split = {
        "amount": "2.50", "currency_id": bank["attributes"]["currency_id"], "source_id": bank["id"],
        "destination_name": "Baker", "category_name": "Food", "budget_name": "Living",
    }  # fmt: skip
    return {
        "type": "withdrawal", "date": "2024-05-01", "description": "bread", "tags": ["breakfast", "weekly"],
        "transactions": [split],
    }  # fmt: skip
