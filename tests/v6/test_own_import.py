"""The importer for Firefly III reads a running Farthing, at version 6 of its API, into empty books."""

import io
import re
from typing import Any

import pytest

from farthing.care.doctor import examine_user
from farthing.moving.programs.firefly.fetch import fetch
from farthing.moving.programs.firefly.read import read

from ..conftest import Client, World
from ..moving.firefly.server import Replay, served
from ..moving.import_jobs.making import a_job, an_owner, run
from .making import data
from .test_types import household  # noqa: F401 -- a fixture

LISTS = (
    "accounts", "attachments", "available-budgets", "bills", "budgets", "categories", "exchange-rates", "link-types",
    "object-groups", "piggy-banks", "recurrences", "rule-groups", "rules", "tags", "transaction-links", "transactions",
    "webhooks",
)  # fmt: skip
# What differs between two copies of the same things.
OTHERS = re.compile(
    r"id|\w+_ids?|created_at|updated_at|links|(download|upload)_url|secret|hash|user|active_webhook|"
    # Transactions are not tied to the recurrences that made them, and planned days begin with the import.
    r"recurrence_(total|count)|latest_date|occurrences|nr_of_repetitions"
)
# A webhook is only switched on once its receiver knows the new secret.
OFF = {"active": False}


class Relay(Replay):
    """A server in front of version 6."""

    def __init__(self, client: Client) -> None:
        super().__init__(root="/v6")
        self._client = client

    def answer(self, target: str, authorization: str | None) -> tuple[int, dict[str, str], bytes]:
        answer = self._client.request("GET", target, headers={"Authorization": str(authorization)})
        return answer.status_code, {"Content-Type": answer.headers["content-type"]}, answer.content


def fetched(client: Client) -> bytes:
    archive = io.BytesIO()
    with served(Relay(client)) as url:
        fetch(url, client.token, archive, allow_private=True)
    return archive.getvalue()


def month_ends(archive: bytes) -> dict[tuple[str, ...], Any]:
    books = read({"archive.zip": io.BytesIO(archive)})
    names = {account.key: (account.kind.value, account.name) for account in books.accounts}
    return {(*names[end.account], str(end.on), end.currency): end.amount for end in books.balances}


def listed(client: Client, name: str) -> list[Any]:
    things = data(client.v6.get(f"/{name}", limit=10_000, **({"type": "all"} if name == "transactions" else {})))
    return [without_ids(thing["attributes"]) for thing in things]


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_ids(each) for name, each in value.items() if not OTHERS.fullmatch(name)}
    return [without_ids(each) for each in value] if isinstance(value, list) else value


@pytest.fixture
def odd(household: tuple[Client, dict[str, str]]) -> Client:  # noqa: F811
    """The household, with what the demo does not have: things in another order than by name, and settings."""
    client = household[0]
    assert client.put("/currencies/CHF", {"enabled": True}).status_code == 200
    for path, body in (
        ("/preferences", {"name": "of.a.client", "data": {"list": [1, "2"], "exact": 0.1}}),
        ("/budgets", {"name": "Zoo", "auto_budget_type": "rollover", "auto_budget_amount": "50.5",
                      "auto_budget_period": "quarterly", "auto_budget_currency_code": "USD"}),
        ("/piggy-banks", {"name": "Boat", "target_amount": "9", "start_date": "2024-05-01", "accounts": [
            {"id": account_of(client), "current_amount": "2"}, {"id": account_of(client, 1), "current_amount": "3.5"}
        ], "object_group_title": "Wishes"}),
    ):  # fmt: skip
        data(client.post(path, body))
    data(client.put(f"/accounts/{account_of(client, -1)}", {"order": 1}))
    return client


def account_of(client: Client, place: int = 0) -> str:
    """Returns an account in euros that holds some money."""
    accounts = data(client.get("/accounts", type="asset", limit=100))
    is_rich = (float(one["attributes"]["current_balance"]) > 500 for one in accounts)
    rich = [one for one, is_ in zip(accounts, is_rich, strict=True) if is_]
    return str([one["id"] for one in rich if one["attributes"]["currency_code"] == "EUR"][place])


@pytest.mark.any_database
def test_a_household_read_from_version_6_into_empty_books_is_the_same(odd: Client, shared_world: World) -> None:
    copy = an_owner(shared_world)
    archive = fetched(odd)

    job = a_job(copy, archive, "firefly.zip")
    done = run(shared_world, copy, job)

    assert (done["state"], [one["message"] for one in done["findings"] if one["rejected"]]) == ("done", [])
    report = done["report"]
    assert report["balances_compared"] == report["balances_equal"] > 500
    assert {kind: of for kind, of in report["counts"].items() if of["source"] != of["here"]} == {}
    assert month_ends(fetched(copy)) == month_ends(archive)
    for name in LISTS:
        assert listed(copy, name) == [one | OFF if name == "webhooks" else one for one in listed(odd, name)], name
    enabled = {
        one["attributes"]["code"]
        for one in data(copy.v6.get("/currencies", limit=1000))
        if one["attributes"]["enabled"]
    }
    assert "CHF" in enabled
    assert data(copy.v6.get("/preferences/of.a.client"))["attributes"]["data"] == {"list": [1, "2"], "exact": 0.1}
    with shared_world.books.reading() as db:
        assert list(examine_user(db, copy.user.id)) == []

    assert copy.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    left = {name: len(listed(copy, name)) for name in LISTS}
    # The cash account, and the types of links that are built in.
    assert {name: count for name, count in left.items() if count} == {"accounts": 1, "link-types": 4}
    settings = {one["attributes"]["name"]: one["attributes"]["data"] for one in data(copy.v6.get("/preferences"))}
    assert "of.a.client" not in settings
    assert (settings["accountOrder"], settings["currenciesEnabled"]) == ([], {})
