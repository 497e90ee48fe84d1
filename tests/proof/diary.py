"""What must be there after a kill? Each writer notes what it sent and what was acknowledged, and nobody forgets."""

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from .requests import Request

# All that makes a transaction what it is, its splits included; None is one that is not there.
Version = tuple[Any, ...] | None

SHOPS = ("Baker", "Grocer", "Garage")
TAGS = ("red", "green", "blue")


def sent_version(body: dict[str, Any]) -> Version:
    splits = ((-Decimal(one["amount"]), one["destination_name"], one["description"]) for one in body["transactions"])
    return body["date"], body["description"], body["notes"], tuple(sorted(body["tags"])), tuple(splits)


def shown_version(things: list[Any]) -> Version:
    lines = [thing["attributes"] for thing in things]
    splits = ((one["amount"], one["destination_name"], one["transaction_description"]) for one in lines)
    first = lines[0]
    tags = tuple(sorted((first["tags"] or "").split(",")))
    return first["date"], first["journal_description"], first["notes"], tags, tuple(splits)


@dataclass
class Diary:
    """One writer's; `possible` are the versions in which a transaction may be found, by its word."""

    name: str
    account_id: int
    possible: dict[str, set[Version]] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    payees: set[str] = field(default_factory=set)
    uncertain: dict[str, tuple[str, Version]] = field(default_factory=dict)  # what came with each new payee
    acknowledged: int = 0

    def request(self, chance: random.Random) -> tuple[str, Request, Version]:
        """A word, what is asked for it, and what it will be then; only what was seen before is changed."""
        known = [word for word, versions in self.possible.items() if None not in versions and word in self.ids]
        what = chance.choices(("record", "change", "remove"), (60, 25, 15))[0] if known else "record"
        if what == "record":
            word = f"{self.name}n{len(self.possible)}"
            body = self._body(chance, word)
            return word, Request(what, "POST", "/transactions", body=body), sent_version(body)
        word = chance.choice(known)
        path = f"/transactions/{self.ids[word]}"
        if what == "remove":
            return word, Request(what, "DELETE", path), None
        body = self._body(chance, word)
        return word, Request(what, "PUT", path, body=body), sent_version(body)

    def _body(self, chance: random.Random, word: str) -> dict[str, Any]:
        splits = [
            {
                "amount": str(Decimal(chance.randint(1, 10**6)).scaleb(-2)),
                "currency_code": "EUR",
                "source_id": self.account_id,
                "destination_name": self._payee(chance),
                "description": f"part {place}",
            }
            for place in range(chance.randint(1, 4))
        ]
        return {
            "type": "withdrawal",
            "date": f"2024-0{chance.randint(1, 9)}-{chance.randint(10, 28)}",
            "description": word,
            "notes": f"noted {chance.random()}",
            "tags": chance.sample(TAGS, chance.randint(1, 2)),
            "transactions": splits,
        }

    def _payee(self, chance: random.Random) -> str:
        if chance.random() < 0.7:
            return chance.choice(SHOPS)
        return f"{self.name} payee {chance.getrandbits(64)}"

    def sent(self, word: str, version: Version) -> None:
        """From now on it may be there."""
        self.possible.setdefault(word, {None}).add(version)
        for name in _payees_in(version):
            self.uncertain[name] = word, version

    def is_acknowledged(self, word: str, version: Version) -> None:
        """From now on it must be there, and nothing else."""
        self.acknowledged += 1
        self.possible[word] = {version}
        for name in _payees_in(version):
            self.payees.add(name)
            del self.uncertain[name]

    def compare(self, found: dict[str, list[Any]], payees: set[str]) -> None:
        """What is found decides what nobody knew; a payee is there if and only if its transaction is."""
        for word, versions in self.possible.items():
            things = found.get(word)
            version = shown_version(things) if things else None
            assert version in versions, f"{word} is {version}, but may only be one of {versions}"
            self.possible[word] = {version}
            if things:
                self.ids[word] = int(things[0]["id"])
        self.payees |= {name for name, (word, version) in self.uncertain.items() if self.possible[word] == {version}}
        self.uncertain.clear()
        assert {name for name in payees if name.startswith(f"{self.name} ")} == self.payees


def _payees_in(version: Version) -> set[str]:
    """Those that came with this version and no other."""
    return {name for _, name, _ in version[-1] if name not in SHOPS} if version else set()


def by_word(things: Iterable[Any]) -> dict[str, list[Any]]:
    """The splits of each transaction in their order; nothing is there twice."""
    of_entry: dict[int, list[Any]] = defaultdict(list)
    for thing in things:
        of_entry[thing["attributes"]["journal_id"]].append(thing)
    found = {of[0]["attributes"]["journal_description"]: of for of in of_entry.values()}
    assert len(found) == len(of_entry), "something is there twice"
    return found
