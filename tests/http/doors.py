"""Every route of both versions as a door: an address that is filled with the ids of things that there are."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from farthing.http.route import Route
from farthing.identity.user import ApiVersion

from ..conftest import Client, _numbers
from ..versions import AT, ROUTES
from .makers import MAKERS, a_transaction

NAMES = re.compile(r"{(\w+)}")
# What names in addresses stand for that belong to nobody.
_FIXED = {
    "day": "2024-05-01", "date": "2024-05-01", "code": "EUR", "from": "USD", "to": "EUR", "name": "viewRange",
    "names": "viewRange", "cliToken": "nonsense",
}  # fmt: skip
# Version 6 finds these things by ids of other tables than version 1, or under other words.
_KINDS_OF_V6 = {"transactions": "entries", "transaction_journals": "transactions", "subscriptions": "bills"}
# What `{id}` and the names after it stand for, where the first word of the address does not say it.
_NESTED = {
    "limitId": "budget_limits",
    "tag": "tags",
    "messageId": "messages",
    "attemptId": "attempts",
    "delivery_id": "messages",
}


def an_entry(client: Client) -> str:
    split_id = a_transaction(client)
    return str(client.get(f"/transactions/{split_id}").json()["data"][0]["attributes"]["journal_id"])


def an_object_group(client: Client) -> str:
    body = {"name": f"Rent {next(_numbers)}", "amount_min": "1", "amount_max": "2", "date": "2024-05-01"}
    return _attribute(
        client, "/bills", body | {"repeat_freq": "monthly", "object_group_title": "Home"}, "object_group_id"
    )


def a_webhook(client: Client) -> str:
    body = {"title": f"Tell {next(_numbers)}", "url": "https://hooks.example.org/", "active": True}
    said = {"triggers": ["STORE_TRANSACTION"], "responses": ["TRANSACTIONS"], "deliveries": ["JSON"]}
    return _attribute(client, "/webhooks", body | said)


def books(client: Client) -> str:
    return str(client.user.id)


def _attribute(client: Client, path: str, body: dict[str, object], name: str = "") -> str:
    response = client.v6.post(path, body)
    assert response.status_code == 200, response.text
    data = response.json()["data"]
    return str(data["attributes"][name] if name else data["id"])


# How one of each is made that has an address in version 6 alone.
_MAKERS_OF_V6: dict[str, Callable[[Client], str]] = {
    "entries": an_entry,
    "object_groups": an_object_group,
    "webhooks": a_webhook,
    "user_groups": books,
}
# They belong to nobody: everyone may see these.
SHARED = {"currencies", "published_rates", "configuration"}


@dataclass(frozen=True)
class Door:
    version: ApiVersion
    route: Route

    def __str__(self) -> str:
        return f"{self.route.method} {self.path}"

    @property
    def method(self) -> str:
        return self.route.method

    @property
    def path(self) -> str:
        return AT[self.version] + self.route.path

    @cached_property
    def kind(self) -> str:
        word = self.route.path.split("/")[1].replace("-", "_")
        return _KINDS_OF_V6.get(word, word) if self.version is ApiVersion.V6 else word

    @cached_property
    def named(self) -> dict[str, str]:
        """Maps the names in the address that stand for somebody's objects to the kinds of these objects."""
        names = NAMES.findall(self.path)
        kinds = {name: _NESTED.get(name, self.kind if name == "id" else "") for name in names}
        if "limitId" in kinds:
            kinds["id"] = "limited budgets"
        return {name: kind for name, kind in kinds.items() if kind and kind not in SHARED}

    def address(self, ids: Mapping[str, str]) -> str:
        return NAMES.sub(lambda found: self._value(found[1], ids), self.path)

    def _value(self, name: str, ids: Mapping[str, str]) -> str:
        if name in self.named:
            return ids.get(self.named[name], "1")
        return "app.timezone" if self.kind == "configuration" else _FIXED.get(name, "1")


DOORS = [Door(version, route) for version, routes in ROUTES.items() for route in routes]
KNOWN = [door for door in DOORS if not door.route.is_open]


def make(kind: str, client: Client) -> str:
    assert kind in MAKERS | _MAKERS_OF_V6, f"say in MAKERS how one of {kind} is made"
    return (MAKERS | _MAKERS_OF_V6)[kind](client)


def make_for(door: Door, client: Client) -> dict[str, str]:
    """What the address of this door names."""
    kinds = [kind for kind in door.named.values() if kind not in _OF_OTHERS]
    return _with_others({kind: make(kind, client) for kind in kinds}, client)


def one_of_each(client: Client) -> dict[str, str]:
    """What the addresses of all doors name."""
    kinds = {kind for door in KNOWN for kind in door.named.values()} - _OF_OTHERS | MAKERS.keys() | {"object_groups"}
    return _with_others({kind: make(kind, client) for kind in sorted(kinds)}, client)


# Nobody has them before something has happened.
LATER = {"messages", "attempts"}
_OF_OTHERS = {"limited budgets", *LATER}


def _with_others(ids: dict[str, str], client: Client) -> dict[str, str]:
    if "budget_limits" in ids:
        limit = client.get(f"/budget_limits/{ids['budget_limits']}").json()["data"]["attributes"]
        ids["limited budgets"] = str(limit["budget_id"])
    return ids
