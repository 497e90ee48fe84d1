"""Every GET of version 6, on filled books, against the table of names and types that its clients rely on."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from farthing.demo import fill
from farthing.demo.story import tell
from farthing.identity.user import ApiVersion
from farthing.kernel.clock import stamp

from ..accounts.making import asset, made
from ..conftest import NOW, Client, World
from ..http.doors import KNOWN, NAMES, Door, one_of_each
from ..recurrences.making import a_recurrence, stored
from .types.make_table import TABLE

FACTS = json.loads(TABLE.read_text())
OPERATIONS: dict[str, str | None] = {NAMES.sub("{}", name): gives for name, gives in FACTS["operations"].items()}
TYPES: dict[str, Any] = FACTS["types"]
# It has its own token and no user, see `test_cron`.
OTHERS = {"GET /cron/{}"}
DOORS = [door for door in KNOWN if door.version is ApiVersion.V6]
READS = [door for door in DOORS if door.method == "GET" and not door.route.is_download]
# Nothing of ours fills these, nothing is sent anywhere while a test asks, and nobody asked for converted amounts.
ALWAYS_EMPTY = {"CategoryProperties.transferred", "WebhookAttemptArray.data"}
# The first page has none before it, and the last none after it.
MAY_BE_MISSING = {"PageLink.prev", "PageLink.next"}
# The table has no null here, but there may be none, and no id or name could say so.
NONE_IS_NULL = {
    "PiggyBankProperties.start_date",
    *(f"RecurrenceTransaction.{name}" for name in ("budget_id", "category_id", "category_name")),
}
_QUERY = {"start": "2024-01-01", "end": "2024-12-31", "limit": "50"}
# What some operations need to answer with anything.
_QUERIES = {
    "GET /search/accounts": {"query": "a", "field": "all"},
    "GET /search/transactions": {"query": "type:withdrawal"},
    "GET /search/transactions/count": {"query": "a"},
}
_PLAIN = {"string": str, "boolean": bool, "object": dict}


def about(door: Door) -> str:
    return f"{door.method} {NAMES.sub('{}', door.route.path)}"


@pytest.fixture(scope="module")
def household(shared_world: World) -> tuple[Client, dict[str, str]]:
    """The demo's books, one of everything that these lack, and the ids of those."""
    shared_world.time.now = NOW
    client = shared_world.someone()
    with shared_world.books.writing() as db:  # who may see all users
        db.run("UPDATE users SET role = 'owner' WHERE id = :id", id=client.user.id)
    story = tell(NOW.date(), 1)
    fill.fill(
        shared_world.books, client.user, story, shared_world.settings, today=NOW.date(), now=stamp(NOW),
        progress=lambda _: None,
    )  # fmt: skip
    ids = one_of_each(client)
    _book_plainly(client)
    ids["messages"] = client.v6.get(f"/webhooks/{ids['webhooks']}/messages").json()["data"][0]["id"]
    ids["piggy_banks"] = client.v6.get("/piggy-banks").json()["data"][0]["id"]
    return client.v6, ids


def _book_plainly(client: Client) -> None:
    """What the demo has no case of: money that comes in, or moves, without any label; a recurrence with tags."""
    own, other = made(client, asset(name="Own")), made(client, asset(name="Other"))
    stored(client, a_recurrence(own, tags="auto"))
    for kind, sides in (
        ("deposit", {"source_name": "Finder", "destination_id": own}),
        ("transfer", {"source_id": own, "destination_id": other}),
    ):
        split = {"amount": "5", "currency_code": "EUR", **sides}
        body = {"type": kind, "date": "2024-05-01", "description": "Plain", "transactions": [split]}
        assert client.post("/transactions", body).status_code == 200


@dataclass
class Held:
    """What was found wrong, and which lists had something in them."""

    wrong: list[str] = field(default_factory=list)
    lists: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)

    def hold(self, value: Any, kind: str, at: str, place: str = "") -> None:
        plain = kind.removesuffix("?")
        if isinstance(described := TYPES.get(plain), str) and not (value is None and plain != kind):
            self.hold(value, described, at, place)
        elif value is None:
            may_be_null = (
                plain != kind
                or place in NONE_IS_NULL
                or (at.rpartition(".")[2].startswith("pc_") and plain != "object")
            )
            self.wrong += [] if may_be_null else [f"{at} is null"]
        elif plain.endswith(("[]", "{}")):
            self._hold_many(value, plain, at, place)
        elif described is not None:
            self._hold_object(value, described, plain, at)
        elif plain != "anything" and not _is_of(value, plain):
            self.wrong.append(f"{at} is no {plain}: {value!r}")

    def _hold_many(self, value: Any, kind: str, at: str, place: str) -> None:
        if not isinstance(value, list if kind.endswith("[]") else dict):
            self.wrong.append(f"{at} is no {kind}: {value!r}")
            return
        self.lists.add(place or at)
        self.filled |= {place or at} if value else set()
        for one in value if isinstance(value, list) else value.values():
            self.hold(one, kind[:-2], at)

    def _hold_object(self, value: Any, described: dict[str, str], kind: str, at: str) -> None:
        if not isinstance(value, dict):
            self.wrong.append(f"{at} is no {kind}: {value!r}")
            return
        missing = [name for name in described.keys() - value.keys() if f"{kind}.{name}" not in MAY_BE_MISSING]
        self.wrong += [f"{at} has no {name}" for name in missing]
        for name in described.keys() & value.keys():
            self.hold(value[name], described[name], f"{at}.{name}", f"{kind}.{name}")


def _is_of(value: Any, kind: str) -> bool:
    if kind in ("integer", "number"):
        return not isinstance(value, bool) and isinstance(value, int if kind == "integer" else int | float)
    return isinstance(value, _PLAIN[kind])


def test_all_operations_are_built() -> None:
    built = {about(door) for door in DOORS}

    assert OPERATIONS.keys() - built == OTHERS


@pytest.mark.any_database
def test_every_object_has_every_field_with_its_type(household: tuple[Client, dict[str, str]]) -> None:
    client, ids = household
    held = Held()

    for door in READS:
        if (gives := OPERATIONS.get(about(door))) and "attempts" not in door.named.values():
            answer = client.get(door.address(ids), **_QUERY | _QUERIES.get(about(door), {}))
            if answer.status_code == 200:
                held.hold(answer.json(), gives, about(door))
            else:
                held.wrong.append(f"{about(door)} answers {answer.status_code}: {answer.text[:200]}")

    assert sorted({re.sub(r": .*", "", one): one for one in held.wrong}.values()) == []
    assert {one for one in held.lists - held.filled if ".pc_" not in one} - ALWAYS_EMPTY == set()


@pytest.mark.parametrize(
    ("value", "kind", "wrong"),
    [
        ({"self": "https://farthing.example/"}, "ObjectLink", 1),
        ([{"id": "1", "name": "a"}], "AutocompleteCategoryArray", 0),
        ([{"id": 1, "name": None}], "AutocompleteCategoryArray", 2),
        ([{"id": "1"}], "AutocompleteCategoryArray", 1),
        ({}, "AutocompleteCategoryArray", 1),
        (True, "integer", 1),
        (None, "integer?", 0),
    ],
)
def test_what_is_not_as_the_table_says_is_noticed(value: Any, kind: str, wrong: int) -> None:
    held = Held()
    held.hold(value, kind, "it")

    assert len(held.wrong) == wrong
