"""Holds what one person was promised in plain dictionaries, and compares every way to read it with that."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..conftest import Client

KINDS = ("payee", "category", "budget", "tag")
_PATHS = {"payee": "/accounts", "category": "/categories", "budget": "/budgets", "tag": "/tags"}
_COMPLETED = {"payee": "accounts", "category": "categories", "budget": "budgets", "tag": "tags"}


@dataclass(frozen=True)
class Booked:
    """One withdrawal with one split, in the words in which it was sent."""

    description: str
    amount: str
    payee: str
    category: str
    budget: str
    tags: tuple[str, ...]

    def body(self, source_id: str) -> dict[str, Any]:
        split = {
            "amount": self.amount, "currency_code": "EUR", "source_id": source_id, "destination_name": self.payee,
            "category_name": self.category, "budget_name": self.budget,
        }  # fmt: skip
        shared = {"type": "withdrawal", "date": "2024-05-10", "description": self.description}
        return {**shared, "tags": ",".join(self.tags), "transactions": [split]}

    def names(self) -> Iterable[tuple[str, str]]:
        yield from (("payee", self.payee), ("category", self.category), ("budget", self.budget))
        yield from (("tag", tag) for tag in self.tags)


def seen(attributes: dict[str, Any]) -> Booked:
    """A line of an answer, in the same words."""
    return Booked(
        description=attributes["description"],
        amount=f"{-attributes['amount']:.2f}",
        payee=attributes["destination_name"],
        category=attributes["category_name"],
        budget=attributes["budget_name"],
        tags=tuple(sorted(attributes["tags"].split(","))),
    )


def seen_by_id(lines: Iterable[dict[str, Any]]) -> dict[int, Booked]:
    return {int(line["id"]): seen(line["attributes"]) for line in lines}


def same(found: object, expected: object) -> None:
    assert found == expected, f"shown is {found}, but it should be {expected}"


@dataclass
class Ledger:
    """`booked` is by the id of the line. A name that was made stays when nothing bears it any more."""

    client: Client
    source_id: str
    booked: dict[int, Booked] = field(default_factory=dict)
    made: dict[str, set[str]] = field(default_factory=lambda: {kind: set() for kind in KINDS})

    def acknowledge(self, data: list[dict[str, Any]], sent: Booked) -> None:
        """The answer shows what was sent, and from now on so does everything else."""
        [line] = data
        same(seen(line["attributes"]), sent)
        self.booked[int(line["id"])] = sent
        for kind, name in sent.names():
            self.made[kind].add(name)

    def assert_lists_are_right(self) -> None:
        lines = self._data("/transactions", limit=1000, include="tags")
        same(seen_by_id(lines), self.booked)
        called = {kind: self._called(kind) for kind in KINDS}
        for kind in KINDS:
            same(sorted(called[kind].values()), sorted(self.made[kind]))
        for line in lines:
            told = line["attributes"]
            same(called["payee"][str(told["destination_id"])], told["destination_name"])
            same(called["category"][str(told["category_id"])], told["category_name"])
            same(called["budget"][str(told["budget_id"])], told["budget_name"])
            tags = line["relationships"]["tags"]["data"]
            same(sorted(called["tag"][one["id"]] for one in tags), sorted(told["tags"].split(",")))

    def assert_everything_is_right(self) -> None:
        self.assert_lists_are_right()
        for line_id, booked in self.booked.items():
            same(seen_by_id(self._data(f"/transactions/{line_id}")), {line_id: booked})
        for kind in KINDS:
            for object_id, name in self._called(kind).items():
                self._assert_one_is_right(kind, object_id, name)
        self._assert_suggestions_are_right()

    def _assert_one_is_right(self, kind: str, object_id: str, name: str) -> None:
        """By itself, with what is included, in its own list, and in the search."""
        bearing = {line_id: one for line_id, one in self.booked.items() if (kind, name) in one.names()}
        path = f"{_PATHS[kind]}/{object_id}"
        document = self._document(path, include="transactions.tags", limit=1000)
        same(_name(kind, document["data"]), name)
        included = [one for one in document.get("included", ()) if one["type"] == "transactions"]
        ways = [included, self._data(f"{path}/transactions", limit=1000)]
        if kind != "budget":  # the search does not look for the names of budgets
            ways.append(self._data("/search/transactions", query=name, limit=1000))
        for lines in ways:
            same(seen_by_id(lines), bearing)

    def _assert_suggestions_are_right(self) -> None:
        for kind in KINDS:
            narrowed = {"type": "expense"} if kind == "payee" else {}
            for word in (kind, *sorted(self.made[kind])):
                offered = self._data(f"/autocomplete/{_COMPLETED[kind]}", query=word, limit=50, **narrowed)
                expected = sorted(name for name in self.made[kind] if word in name)
                same(sorted(one["name"] for one in offered), expected)
        for booked in self.booked.values():
            [offered] = self._data("/autocomplete/descriptions", query=booked.description)
            shown = {**offered, "amount": -offered["amount"], "tags": ",".join(offered["tags"])}
            same(seen(shown), booked)

    def _called(self, kind: str) -> dict[str, str]:
        narrowed = {"type": "expense"} if kind == "payee" else {}
        return {one["id"]: _name(kind, one) for one in self._data(_PATHS[kind], limit=1000, **narrowed)}

    def _data(self, path: str, **query: Any) -> list[dict[str, Any]]:
        return list(self._document(path, **query)["data"])

    def _document(self, path: str, **query: Any) -> dict[str, Any]:
        answer = self.client.get(path, **query)
        assert answer.status_code == 200, f"{path}: {answer.text}"
        return dict(answer.json())


def _name(kind: str, thing: dict[str, Any]) -> str:
    return str(thing["attributes"]["tag" if kind == "tag" else "name"])
