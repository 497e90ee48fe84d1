"""A COMMIT that fails leaves nothing behind: no name of it is ever shown, also when its ids are given to others."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ..accounts.making import asset, made
from ..answers import Check
from ..conftest import Client, World, running
from ..transactions.making import findings
from .commits import Failing, disk_beneath, prepare
from .ledger_of_names import Booked, Ledger
from .test_at_once import LONG

STEPS = 300 if LONG else 40
SEEDS = range(10 if LONG else 1)


@pytest.fixture
def failing_world(new_database_url: str, tmp_path: Path, check_answer: Check) -> Iterator[tuple[World, Failing]]:
    with (
        disk_beneath(new_database_url) as disk,
        contextmanager(running)(new_database_url, tmp_path, check_answer) as world,
    ):
        yield world, prepare(new_database_url, disk)


def a_ledger(world: World) -> Ledger:
    client = world.someone()
    return Ledger(client, made(client, asset()))


def a_booking(word: str) -> Booked:
    """Every name in it is new."""
    return Booked(f"bought{word}", "12.50", f"payee{word}", f"category{word}", f"budget{word}", (f"tag{word}",))


def create(ledger: Ledger, sent: Booked) -> None:
    ledger.acknowledge(done(ledger.client.post("/transactions", sent.body(ledger.source_id))), sent)


def change(ledger: Ledger, line_id: int, sent: Booked) -> None:
    ledger.acknowledge(done(ledger.client.put(f"/transactions/{line_id}", sent.body(ledger.source_id))), sent)


def done(answer: Any) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    return list(answer.json()["data"])


def assert_not_stored(client: Client, method: str, path: str, sent: Any, failing: Failing) -> None:
    with failing():
        answer = client.request(method, path, json=sent)
    assert answer.status_code == 503, answer.text


@pytest.mark.parametrize("what", ["create", "change"])
def test_no_name_of_a_failed_commit_is_shown_for_what_others_made_afterwards(failing_world, what):
    world, failing = failing_world
    ann, bob = ledgers = a_ledger(world), a_ledger(world)
    for ledger in ledgers:
        create(ledger, a_booking("first"))
        ledger.assert_lists_are_right()
    path = "/transactions" if what == "create" else f"/transactions/{next(iter(ann.booked))}"
    method = "POST" if what == "create" else "PUT"

    assert_not_stored(ann.client, method, path, a_booking("ghost").body(ann.source_id), failing)
    for ledger, word in ((ann, "second"), (bob, "third"), (ann, "fourth")):
        create(ledger, a_booking(word))

    for ledger in ledgers:
        ledger.assert_everything_is_right()
        assert findings(world, ledger.client) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_fails_to_commit_everybody_reads_what_was_acknowledged(failing_world, seed):
    world, failing = failing_world
    ledgers = [a_ledger(world) for _ in range(2)]
    writing = Writing(random.Random(seed), failing)

    for _ in range(STEPS):
        writing.step(writing.chance.choice(ledgers))
        if writing.chance.random() < 0.5:
            writing.chance.choice(ledgers).assert_lists_are_right()

    for ledger in ledgers:
        ledger.assert_everything_is_right()
        assert findings(world, ledger.client) == []
    assert writing.failed > STEPS / 5


class Writing:
    """One write after another; two of five do not commit."""

    def __init__(self, chance: random.Random, failing: Failing) -> None:
        self.chance, self._failing, self._numbers = chance, failing, count(1)
        self.failed = 0

    def step(self, ledger: Ledger) -> None:
        acts = [self.create, self.create, self.change, self.write_back, self.remove] if ledger.booked else [self.create]
        self.chance.choice(acts)(ledger)

    def create(self, ledger: Ledger) -> None:
        sent = self.booking(ledger)
        if not self.fails(ledger, "POST", "/transactions", sent.body(ledger.source_id)):
            create(ledger, sent)

    def change(self, ledger: Ledger) -> None:
        line_id, sent = self.chance.choice(sorted(ledger.booked)), self.booking(ledger)
        if not self.fails(ledger, "PUT", f"/transactions/{line_id}", sent.body(ledger.source_id)):
            change(ledger, line_id, sent)

    def write_back(self, ledger: Ledger) -> None:
        """As forms do: what was shown is sent again, by its ids."""
        line_id = self.chance.choice(sorted(ledger.booked))
        [line] = ledger.client.get(f"/transactions/{line_id}").json()["data"]
        shown = line["attributes"]
        ids = {name: shown[name] for name in ("source_id", "destination_id", "category_id", "budget_id")}
        kept = {name: shown[name] for name in ("date", "description", "tags")}
        body = {**kept, "transactions": [{"amount": f"{-shown['amount']:.2f}", "currency_code": "EUR", **ids}]}
        if not self.fails(ledger, "PUT", f"/transactions/{line_id}", body):
            ledger.acknowledge(done(ledger.client.put(f"/transactions/{line_id}", body)), ledger.booked[line_id])

    def remove(self, ledger: Ledger) -> None:
        line_id = self.chance.choice(sorted(ledger.booked))
        if not self.fails(ledger, "DELETE", f"/transactions/{line_id}", None):
            assert ledger.client.delete(f"/transactions/{line_id}").status_code == 204
            del ledger.booked[line_id]

    def booking(self, ledger: Ledger) -> Booked:
        """Some names are new, some were used before."""
        word = f"{next(self._numbers):04}"
        new = a_booking(word)
        old = self.chance.choice(list(ledger.booked.values())) if ledger.booked else new
        payee, category, budget = (
            getattr(self.chance.choice((new, new, old)), name) for name in ("payee", "category", "budget")
        )
        tags = tuple(sorted({*new.tags, *self.chance.choice(((), old.tags))}))
        return Booked(new.description, f"{self.chance.randint(1, 9999) / 100:.2f}", payee, category, budget, tags)

    def fails(self, ledger: Ledger, method: str, path: str, body: Any) -> bool:
        if self.chance.random() > 0.4:
            return False
        assert_not_stored(ledger.client, method, path, body, self._failing)
        self.failed += 1
        return True
