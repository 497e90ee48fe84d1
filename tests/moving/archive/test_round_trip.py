"""An archive that is brought into an empty Farthing gives equal books: every endpoint answers the same, ids aside."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

import pytest

from farthing.api.v1.routes import ROUTES
from farthing.care.doctor import examine
from farthing.http.route import Route
from farthing.kernel.clock import stamp
from farthing.moving.findings import Unreadable
from farthing.storage import blobs

from ...accounts.making import asset, liability, made
from ...conftest import NOW, Client, World, empty_database, running
from ...transactions.making import a_transaction, posted, split
from ...upgrade.household import moved_in
from ...v6.test_own_import import LISTS, listed
from ..exports.making import exported
from ..firefly.books import a_group, a_journal, an_archive
from ..import_jobs.making import a_csv, a_job, imported
from .loading import load_archive
from .making import packed

# Where these keys stand, the number is an id of that table.
TABLES = {
    "account": "accounts", "accounts": "accounts", "source": "accounts", "destination": "accounts", "asset": "accounts",
    "budget": "budgets", "budgets": "budgets", "category": "categories", "categories": "categories", "bill": "bills",
    "bills": "bills", "piggy_bank": "piggy_banks", "piggy_banks": "piggy_banks", "tag": "tags", "tags": "tags",
    "rule": "rules", "rules": "rules", "rule_group": "rule_groups", "rule_groups": "rule_groups",
    "recurrence": "recurrences", "recurrences": "recurrences", "transactions": "splits", "journal": "entries",
    "transaction": "splits", "attachments": "attachments", "attachment": "attachments", "preferences": "preferences",
    "available_budgets": "available_budgets", "budget_limits": "budget_limits", "budget_limit": "budget_limits",
    "currency": "currencies", "currencies": "currencies", "users": "users", "user": "users",
    "foreign_currency": "currencies", "transaction_currency": "currencies", "piggy_bank_events": "piggy_bank_events",
    "exchange_rates": "exchange_rates", "from_currency": "currencies", "to_currency": "currencies",
    "rule_triggers": "rule_triggers", "rule_actions": "rule_actions", "repetitions": "recurrence_repetitions",
    "import_jobs": "import_jobs", "payee": "accounts", "link_types": "link_types", "link_type": "link_types",
    "transaction_links": "entry_links", "inward": "splits", "outward": "splits",
}  # fmt: skip
ORDERS = {
    "splits": "entry_id, position",
    "rule_triggers": "rule_id, position",
    "rule_actions": "rule_id, position",
    "recurrence_repetitions": "recurrence_id, place",
}
# So many objects of a kind, the first and the last ones, are also looked at one by one; lists show all of them.
SHOWN_MAX = 5
# Not part of the books, or different in every installation.
LEFT_OUT = {
    "changes",
    "events",
    "revision",
    "sessions",
    "tokens",
    "apps",
    "audit",
    "about",
    "first_run",
    "exports",
    "users",
}


class Side:
    """One installation, and how its ids are told apart: each as how many of its table came before it."""

    def __init__(self, world: World, client: Client) -> None:
        self.world, self.client = world, client
        self.ids: dict[str, list[int]] = {}
        with world.books.reading() as db:
            for table in {*TABLES.values(), "entries"}:
                whose = "1 = 1 OR 0 = :user" if table in ("currencies", "users") else "user_id = :user"
                order = ORDERS.get(table, "id")
                rows = db.all(f"SELECT id FROM {table} WHERE {whose} ORDER BY {order}", user=client.user.id)
                self.ids[table] = [one for (one,) in rows]

    def rank(self, table: str, number: Any) -> Any:
        ids = self.ids[table]
        return f"{table} {ids.index(int(number))}" if str(number).isdigit() and int(number) in ids else number

    def normal(self, value: Any, under: str = "") -> Any:
        if isinstance(value, dict):
            told = value.get("type") if "id" in value else None
            under = told if isinstance(told, str) and told in TABLES else under
            return {key: self._field(key, one, under, value) for key, one in value.items()}
        if isinstance(value, list):
            return [self.normal(one, under) for one in value]
        if isinstance(value, str):
            return re.sub(r"/([a-z_]+)/([0-9]+)\b", self._address, value)
        return value

    def _address(self, found: re.Match[str]) -> str:
        return f"/{found[1]}/{self.rank(TABLES[found[1]], found[2])}" if found[1] in TABLES else found[0]

    def _filter(self, found: re.Match[str]) -> str:
        return f"{found[1]}_id={self.rank(TABLES[found[1]], found[2])}"

    def _field(self, key: str, value: Any, under: str, whole: dict[str, Any]) -> Any:
        if key == "id" and under in TABLES and not isinstance(value, dict | list):
            return self.rank(TABLES[under], value)
        if key in ("model_id", "attachable_id"):
            tables = {"Bill": "bills", "ImportJob": "import_jobs", "Account": "accounts"}
            model = str(whole.get("model") or whole.get("attachable_type")).rpartition("\\")[2]
            return self.rank(tables.get(model, "entries"), value)
        if key == "rows" and isinstance(value, dict):
            return {row: f"link:{self.rank('splits', decision[5:])}" for row, decision in value.items()}
        if key == "data" and whole.get("name") in ("frontPageAccounts", "accountOrder"):
            return [self.rank("accounts", one) for one in value]
        if key == "revision":
            return None  # of the log of changes
        if key == "query":
            return re.sub(r"(account|category)_id=([0-9]+)", self._filter, str(value))
        word = key.removesuffix("_id")
        if key.endswith("_id") and word in TABLES:
            return self.rank(TABLES[word], value)
        return self.normal(value, key if key in TABLES else under)


def asked(side: Side, route: Route) -> Iterator[tuple[str, Any]]:
    """Everything that a route answers about these books, by a name that is the same on both sides."""
    ranges = {"start": "2023-01-01", "end": "2025-12-31"}
    usual = {"limit": 1000, "type": "all", "query": "a", "date": "2024-05-12", **ranges}
    kind = route.path.split("/")[1]
    table = TABLES.get(kind, "")
    numbers = side.ids.get(table, []) if "{id}" in route.path else [0]
    if len(numbers) > 2 * SHOWN_MAX:
        numbers = [*numbers[:SHOWN_MAX], *numbers[-SHOWN_MAX:]]
    for place, number in enumerate(numbers):
        address = route.path.replace("{id}", str(number))
        query = usual | ({"include": ",".join(route.includes)} if route.includes else {})
        response = side.client.get(address, **query)
        body: Any = response.content
        if "json" in response.headers.get("content-type", ""):
            body = side.normal(json.loads(response.text, parse_float=str))
        yield f"{route.path} {place}", (response.status_code, body)


def differences(where: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(f"{where}.{key}", one[key], other[key])
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for number, (each, its) in enumerate(zip(one, other, strict=True)):
            yield from differences(f"{where}[{number}]", each, its)
    elif one != other:
        yield f"{where}: {str(one)[:200]} became {str(other)[:200]}"


@pytest.fixture
def target(dialect, tmp_path, request, check_answer) -> Iterator[World]:
    folder = tmp_path / "target"
    folder.mkdir()
    yield from running(empty_database(dialect, folder, request), folder, check_answer)


def test_an_archive_brought_into_an_empty_farthing_gives_equal_books(new_world, target):
    moved_in(new_world)
    ann = _sign_in(new_world, "ann@example.org")
    _use_the_rest(ann)
    _import_more(new_world, ann)
    source = Side(new_world, ann)
    archive = exported(new_world.books, source.client.user.id, "json", blobs.connect(new_world.settings))
    ann, carl = target.someone("Ann@Example.org"), target.someone("carl@example.org")
    wallet = made(carl, asset(name="Wallet"))
    posted(carl, a_transaction("withdrawal", split(source_id=wallet, destination_name="Kiosk"), tags="one, two"))
    target.time.now = new_world.time.now

    brought = load_archive(
        target.books, blobs.connect(target.settings), ann.user.id, io.BytesIO(archive), stamp(target.time.now)
    )

    here, there = source, Side(target, ann)
    count = 0
    differing: list[str] = []
    for route in ROUTES:
        if (
            route.method == "GET"
            and route.path.split("/")[1] not in LEFT_OUT
            and route.name.split(".")[0] not in LEFT_OUT
        ):
            answers, others = dict(asked(here, route)), dict(asked(there, route))
            differing += [line for name in answers for line in differences(name, answers[name], others[name])]
            count += sum(status == 200 for status, _ in answers.values())
    assert differing == []
    assert count > 250
    for name in LISTS:
        assert listed(here.client, name) == listed(there.client, name), name
    assert _places_of_files(new_world, here.client) == _places_of_files(target, ann) == [1]
    assert list(examine(target.books)) == []

    [change] = [one for one in ann.get("/changes").json()["data"] if one["attributes"]["revision"] == brought.revision]
    undone = ann.post(f"/changes/{change['id']}/undo")
    assert undone.status_code == 200, undone.text
    assert ann.get("/transactions", type="all").json()["data"] == []
    assert [one["attributes"]["name"] for one in ann.get("/accounts").json()["data"]] == ["Cash account"]
    assert list(examine(target.books)) == []


def _places_of_files(world: World, client: Client) -> list[int]:
    sql = """
        SELECT s.position FROM attachments a JOIN splits s ON s.user_id = a.user_id AND s.id = a.split_id
        WHERE a.user_id = :user_id
    """
    with world.books.reading() as db:
        return [position for (position,) in db.all(sql, user_id=client.user.id)]


def _use_the_rest(ann: Client) -> None:
    """What the household of the upgrades has not done: a tag on the map, files of transactions, accounts to be seen."""
    tag = {"tag": "lake", "date": "2024-05-01", "latitude": "47.65", "longitude": "9.175", "zoom_level": 9}
    lent = liability(name="Lent", liability_direction="credit", latitude="47.65", longitude="9.175", zoom_level=9)
    assert ann.post("/accounts", lent).status_code == 200
    assert ann.post("/tags", {**tag, "description": "Where we were"}).status_code == 200
    withdrawals = ann.get("/transactions", type="withdrawal", limit=1000).json()["data"]
    journal = withdrawals[0]["attributes"]["journal_id"]
    details = {"external_id": "E-1", "external_url": "https://shop.example/1", "sepa_ci": "DE98ZZZ", "zoom_level": 9}
    body = {"transactions": [{**details, "latitude": "47.65", "longitude": "9.175"}]}
    assert ann.v6.put(f"/transactions/{journal}", body).status_code == 200
    second = next(one["id"] for one in withdrawals if one["attributes"]["identifier"] == 1)
    body = {"filename": "receipt.bin", "attachable_type": "TransactionJournal", "attachable_id": second}
    made_id = ann.v6.post("/attachments", body).json()["data"]["id"]
    assert ann.request("POST", f"/attachments/{made_id}/upload", content=b"\0\1" * 5000).status_code == 204
    [account, *_] = ann.get("/accounts", type="asset").json()["data"]
    body = {"filename": "contract.txt", "attachable_type": "Account", "attachable_id": account["id"]}
    made_id = ann.v6.post("/attachments", body).json()["data"]["id"]
    assert ann.request("POST", f"/attachments/{made_id}/upload", content=b"signed").status_code == 204
    seen = [one["id"] for one in ann.get("/accounts", type="asset").json()["data"]]
    assert ann.put("/preferences/frontPageAccounts", {"data": seen}).status_code == 200
    [category, *_] = ann.get("/categories").json()["data"]
    saved = [{"name": "Mine", "query": f"type=withdrawal&account_id={seen[0]}&category_id={category['id']}"}]
    assert ann.put("/preferences/savedFilters", {"data": saved}).status_code == 200
    cards = [{"card": "bills", "shown": False}, {"card": "report", "report": "spending", **saved[0]}]
    looks = {"accountOrder": seen[::-1], "accountGroupOrder": ["cards", "savings"], "dashboardCards": cards}
    for name, data in looks.items():
        assert ann.put(f"/preferences/{name}", {"data": data}).status_code == 200
    own = {"name": "app settings", "data": {"dark": True, "sizes": [1, 2.5]}}
    assert ann.v6.post("/preferences", own).status_code == 200
    body = {"name": category["attributes"]["name"], "colour": "teal", "icon": "basket"}
    assert ann.put(f"/categories/{category['id']}", body).status_code == 200


def _import_more(world: World, ann: Client) -> None:
    """The books of another program; a job that failed, one that was undone, one whose file is gone, one for a link."""
    beancount = b'2024-01-01 open Assets:Tin\n2024-01-05 * "Baker"\n  Expenses:Bread  3.10 EUR\n  Assets:Tin\n'
    assert imported(world, ann, beancount, filename="main.beancount")["state"] == "done"
    firefly = an_archive(
        transactions=[a_group(a_journal(1, 1, 4)), a_group(a_journal(2, 5, 1))],
        link_types=[{"id": 9, "name": "Loan", "inward": "is lent by", "outward": "lends"}],
        transaction_links=[{"inward_id": "1", "outward_id": "2", "link_type_id": "9"}],
        exchange_rates=[{"from_currency_code": "USD", "to_currency_code": "GBP", "date": "2024-05-03", "rate": "0.8"}],
        preferences=[{"name": "of.a.client", "data": [1]}],
    )
    assert imported(world, ann, firefly.getvalue(), filename="firefly.zip")["state"] == "done"
    account = made(ann, asset(name="Imported"))
    assert imported(world, ann, a_csv("2024-06-01,Kiosk,Ice,two"), account_id=account)["state"] == "failed"
    assert imported(world, ann, a_csv("2024-06-02,Kiosk,Ice,-2"), account_id=account)["state"] == "done"
    jobs = ann.get("/import_jobs").json()["data"]
    assert ann.post(f"/import_jobs/{jobs[0]['id']}/undo").status_code == 200
    assert ann.delete(f"/attachments/{jobs[1]['attributes']['files'][0]['attachment_id']}").status_code == 204
    link = {"rows": {"2": f"link:{ann.get('/transactions').json()['data'][0]['id']}"}}
    a_job(ann, a_csv("2024-06-03,Kiosk,Ice,-3"), account_id=account, options=link)


def _sign_in(world: World, email: str) -> Client:
    from farthing.identity import tokens, users

    with world.books.writing() as db:
        user = users.find_by_email(db, email)
        assert user is not None
        token = tokens.issue(db, user.id, "second", None, stamp(world.time.now))
    return Client(world.http, token, user, world.check, books=world.books)


@pytest.mark.any_database
def test_an_attachment_that_is_not_its_content_is_refused(new_world, target):
    moved_in(new_world)
    ann = _sign_in(new_world, "ann@example.org")
    archive = exported(new_world.books, ann.user.id, "json", blobs.connect(new_world.settings))
    with ZipFile(io.BytesIO(archive)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    content = packed({**members, "attachments.jsonl": members["attachments.jsonl"].replace(b'"size":16', b'"size":17')})
    eve = target.someone("eve@example.org")

    with pytest.raises(Unreadable, match="do not match its content"):
        load_archive(target.books, blobs.connect(target.settings), eve.user.id, io.BytesIO(content), stamp(NOW))

    assert eve.get("/transactions", type="all").json()["data"] == []
