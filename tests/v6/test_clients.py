"""What families of clients ask, one request after the other: a poll, an assistant's round, a walk over both versions.

Requests join by themselves when the routes that they ask are built.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from farthing.care.doctor import examine_user
from farthing.identity.user import ApiVersion

from ..conftest import Client
from ..http.doors import KNOWN, LATER
from ..http.makers import a_rule_group, an_account
from ..versions import AT, ROUTES
from .test_basics import data
from .test_types import household  # noqa: F401 -- a fixture

BUILT = {f"{route.method} {route.path}" for route in ROUTES[ApiVersion.V6]}
MONTH = {"start": "2024-05-01", "end": "2024-05-31"}
Body = dict[str, Any]


def is_built(path: str) -> bool:
    return f"GET {path}" in BUILT


# Home automation asks all of this every few minutes.
POLL: list[tuple[str, Body]] = [
    ("/about", {}), ("/currencies/primary", {}), ("/preferences", {}), ("/currencies", {}),
    *(("/accounts", {"type": kind, "limit": "50"}) for kind in ("asset", "cash", "liabilities", "expense")),
    ("/bills", MONTH), ("/budgets", MONTH), ("/budget-limits", MONTH), ("/categories", MONTH), ("/piggy-banks", {}),
]  # fmt: skip


@pytest.mark.any_database
def test_a_poll_gets_every_answer_once_and_then_only_hears_that_nothing_has_changed(household: Any) -> None:  # noqa: F811
    client, _ = household
    asked = [(path, query) for path, query in POLL if is_built(path)]

    first = [client.get(path, **query) for path, query in asked]
    again = [
        client.request("GET", path, params=query, headers={"If-None-Match": answer.headers["etag"]})
        for (path, query), answer in zip(asked, first, strict=True)
    ]

    assert [(path, answer.status_code) for (path, _), answer in zip(asked, first, strict=True)] == [
        (path, 200) for path, _ in asked
    ]
    assert {answer.status_code for answer in again} == {304}
    assert all(answer.json()["data"] for answer in first)


def a_split(client: Client) -> Body:
    sides = {"source_id": an_account(client), "destination_name": "Grocer"}
    return {"type": "withdrawal", "date": "2024-05-01", "amount": "12.50", "description": "Groceries", **sides}


def a_rule(client: Client) -> Body:
    does = {"triggers": [{"type": "description_is", "value": "Tea"}], "actions": [{"type": "add_tag", "value": "tea"}]}
    return {"title": "Tea", "rule_group_id": a_rule_group(client), "trigger": "store-journal", **does}


def a_recurrence(client: Client) -> Body:
    split = {"description": "Gym", "amount": "25", "source_id": an_account(client), "destination_name": "Gym"}
    often = {"type": "monthly", "moment": "1"}
    plan = {"type": "withdrawal", "first_date": "2024-06-01", "repetitions": [often], "transactions": [split]}
    return {"title": "Gym", "repeat_until": None, **plan}


# What makes one of each noun, and a partial change of it.
ROUND: dict[str, tuple[Callable[[Client], Body], Body]] = {
    "/accounts": (lambda _: {"name": "Wallet", "type": "asset", "account_role": "defaultAsset"}, {"notes": "old"}),
    "/attachments": (
        lambda client: {"filename": "a.txt", "attachable_type": "Account", "attachable_id": an_account(client)},
        {"title": "A text"},
    ),
    "/bills": (
        lambda _: {"name": "Rent", "amount_min": 7, "amount_max": 9, "date": "2024-05-01", "repeat_freq": "monthly"},
        {"notes": "by standing order"},
    ),
    "/budgets": (lambda _: {"name": "Living"}, {"name": "Life"}),
    "/categories": (lambda _: {"name": "Food"}, {"notes": "and drink"}),
    "/exchange-rates": (lambda _: {"from": "USD", "to": "EUR", "date": "2024-05-01", "rate": "0.9"}, {"rate": "0.93"}),
    "/link-types": (lambda _: {"name": "Deposit", "inward": "is back from", "outward": "is"}, {"inward": "returns"}),
    "/piggy-banks": (
        lambda client: {
            "name": "Boat", "accounts": [{"id": an_account(client)}], "target_amount": 600, "start_date": "2024-05-01",
        },
        {"name": "Ship"},
    ),
    "/recurrences": (a_recurrence, {"description": "Every month"}),
    "/rule-groups": (lambda _: {"title": "Daily life"}, {"description": "Of each day"}),
    "/rules": (a_rule, {"description": "What is tea"}),
    "/tags": (lambda _: {"tag": "holiday"}, {"description": "by the sea"}),
    "/transactions": (lambda client: {"transactions": [a_split(client)]}, {"group_title": "Market"}),
    "/webhooks": (
        lambda _: {
            "title": "Tell", "url": "https://hooks.example.org/", "triggers": ["STORE_TRANSACTION"],
            "responses": ["TRANSACTIONS"], "deliveries": ["JSON"],
        },
        {"title": "Say"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", [path for path in ROUND if f"POST {path}" in BUILT])
def test_an_assistant_makes_reads_lists_changes_and_deletes_one_of_everything(me: Client, path: str) -> None:
    body, change = ROUND[path][0](me), ROUND[path][1]

    made = data(me.v6.post(path, body))
    one = f"{path}/{made['id']}"
    assert data(me.v6.get(one)) == made
    # Uploaded files alone are listed.
    assert path == "/attachments" or made["id"] in {thing["id"] for thing in data(me.v6.get(path, limit=1000))}

    changed = data(me.v6.put(one, change))
    before, after = made["attributes"], changed["attributes"]
    assert {name for name in after if after[name] != before[name]} - {"updated_at"} <= change.keys()
    assert data(me.v6.put(one, {})) == changed == data(me.v6.get(one))

    assert (me.v6.delete(one).status_code, me.v6.get(one).status_code) == (204, 404)
    [undone, *_] = me.get("/changes", limit=1).json()["data"]
    assert me.post(f"/changes/{undone['id']}/undo", {}).status_code == 200
    assert data(me.v6.get(one))["attributes"].keys() == after.keys()


# Which list of version 1 has the same things, and by which name both show them.
SAME = [
    ("/accounts", "/accounts", "name"), ("/bills", "/bills", "name"), ("/budgets", "/budgets", "name"),
    ("/categories", "/categories", "name"), ("/tags", "/tags", "tag"), ("/piggy-banks", "/piggy_banks", "name"),
    ("/recurrences", "/recurrences", "title"), ("/rules", "/rules", "title"),
    ("/rule-groups", "/rule_groups", "title"), ("/available-budgets", "/available_budgets", ""),
]  # fmt: skip


@pytest.mark.any_database
@pytest.mark.parametrize(("path", "old", "name"), [one for one in SAME if is_built(one[0])])
def test_both_versions_list_the_same_things_under_the_same_ids(household: Any, path: str, old: str, name: str) -> None:  # noqa: F811
    client, _ = household

    def listed(api: str, path: str) -> dict[str, Any]:
        things = data(client.get(f"{api}/api/v1{path}", limit="1000"))
        return {thing["id"]: thing["attributes"].get(name) for thing in things}

    assert listed("/v6", path) == listed("", old)


@pytest.mark.any_database
def test_both_versions_show_the_same_balances_and_the_same_money_in_every_transaction(household: Any) -> None:  # noqa: F811
    client, _ = household
    groups = data(client.get("/transactions", limit="1000", start="2023-01-01", end="2024-12-31"))
    splits = {one["transaction_journal_id"]: one for group in groups for one in group["attributes"]["transactions"]}
    assert len(splits) > 500

    pages = [client.get("/api/v1/transactions", limit="1000", page=page, type="all").json() for page in (1, 2)]
    old = {thing["id"]: thing["attributes"] for page in pages for thing in page["data"]}

    shared = splits.keys() & old.keys()
    assert len(shared) > 500
    for split_id in shared:
        one, other = splits[split_id], old[split_id]
        assert float(one["amount"]) == abs(other["amount"]), split_id
        assert one["date"][:10] == other["date"], split_id
        assert (one["currency_code"], one["source_id"], one["destination_id"], one["category_name"]) == (
            other["currency_code"], str(other["source_id"]), str(other["destination_id"]), other["category_name"]
        ), split_id  # fmt: skip


@pytest.mark.any_database
def test_a_web_client_gets_the_same_transactions_by_every_filter(household: Any) -> None:  # noqa: F811
    """It asks for its lists, and then filters: what it gets is compared with all transactions of the year."""
    api, year = household[0], {"start": "2024-01-01", "end": "2024-04-30", "limit": "1000"}
    for path in ("/about/user", "/currencies/primary", "/preferences/viewRange"):
        assert data(api.get(path))["attributes"]
    everything = data(api.get("/transactions", **year))

    def ids_of(groups: list[Any], **wanted: Any) -> list[str]:
        return [
            group["id"]
            for group in groups
            if any(
                all(split[name] == value for name, value in wanted.items())
                for split in group["attributes"]["transactions"]
            )
        ]

    splits = [split for group in everything for split in group["attributes"]["transactions"]]
    for path, field in (("categories", "category_id"), ("budgets", "budget_id"), ("bills", "bill_id")):
        thing = next(split[field] for split in splits if split[field])
        assert data(api.get(f"/{path}/{thing}"))["id"] == thing
        listed = ids_of(data(api.get(f"/{path}/{thing}/transactions", **year)))
        assert listed == ids_of(everything, **{field: thing}) != []
    for kind in ("withdrawal", "deposit", "transfer"):
        assert ids_of(data(api.get("/transactions", type=kind, **year))) == ids_of(everything, type=kind) != []
    shop = next(split for split in splits if split["type"] == "withdrawal" and split["category_name"])
    paid = {"source_id": shop["source_id"], "type": "withdrawal"}
    of_account = data(api.get(f"/accounts/{shop['source_id']}/transactions", type="withdrawal", **year))
    assert ids_of(of_account) == ids_of(everything, **paid)

    names = {name: shop[name] for name in ("category_name", "destination_name", "source_name")}
    query = (
        f'category_is:"{names["category_name"]}" destination_account_is:"{names["destination_name"]}"'
        f' source_account_is:"{names["source_name"]}" type:withdrawal'
    )
    found = data(api.get("/search/transactions", query=query, limit=1000))
    assert {*ids_of(everything, **names)} == {*ids_of(found)} & {*ids_of(everything)}
    pages = [data(api.get("/search/transactions", query=query, limit=2, page=page)) for page in (1, 2)]
    assert ids_of([group for page in pages for group in page]) == ids_of(found)[:4]
    [one] = data(api.get("/search/transactions", query=f"journal_id:{shop['transaction_journal_id']}"))
    assert shop in one["attributes"]["transactions"]


def shown_by(client: Client, path: str) -> Body:
    return {**data(client.get(path))["attributes"], "updated_at": None}


@pytest.mark.any_database
def test_what_a_version_shows_may_be_sent_back_and_what_one_changes_the_other_shows_until_an_undo(
    household: Any,  # noqa: F811
) -> None:
    client, _ = household
    walked = 0
    for path, old, name in SAME[:-1]:  # version 6 only reads available budgets
        for thing in data(client.get(path, limit=1000))[::16]:
            one, other = f"{path}/{thing['id']}", f"/api/v1{old}/{thing['id']}"
            new, first = shown_by(client, one), shown_by(client, other)
            if new.get("type") in ("initial-balance", "reconciliation", "cash"):
                continue
            assert client.put(one, new).status_code == 200, one
            assert (shown_by(client, one), shown_by(client, other)) == (new, first)

            # Version 1 shows recurrences and credit cards in another form than it takes them.
            at, body = (one, {}) if path == "/recurrences" or new.get("credit_card_type") else (other, first)
            answer = client.put(at, body)
            assert answer.status_code == 200, f"{at}: {answer.text}"
            assert (shown_by(client, one), shown_by(client, other)) == (new, first)
            assert client.put(at, {**body, name: "Quite another"}).status_code == 200, at
            assert shown_by(client, one)[name] == shown_by(client, other)[name] == "Quite another"
            change = data(client.get("/api/v1/changes", limit=1))[0]
            assert client.post(f"/api/v1/changes/{change['id']}/undo", {}).status_code == 200
            assert (shown_by(client, one), shown_by(client, other)) == (new, first)
            walked += 1
    assert walked > 12
    for group in data(client.get("/transactions", limit=1000, type="default"))[::100]:
        shown = {**group["attributes"], "updated_at": None}
        if shown["transactions"][0]["type"] in ("withdrawal", "deposit", "transfer"):
            assert client.put(f"/transactions/{group['id']}", shown).status_code == 200, group["id"]
            assert shown_by(client, f"/transactions/{group['id']}") == shown
    with client.books.reading() as db:
        assert list(examine_user(db, client.user.id)) == []


READS = [
    door for door in KNOWN if door.version is ApiVersion.V6 and door.method == "GET" and not door.route.is_download
]


def list_links(value: Any, name: str = "") -> Iterator[str]:
    """Yields the addresses in an answer that a GET may follow."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else ((name, part) for part in value):
            yield from list_links(part, key)
    elif isinstance(value, str) and name in ("self", "first", "last", "next", "prev", "uri", "download_url"):
        yield value


@pytest.mark.any_database
def test_every_link_leads_to_something_in_this_version(household: Any) -> None:  # noqa: F811
    client, ids = household
    links: dict[str, str] = {}
    for door in READS:
        if not LATER & {*door.named.values()}:
            answer = client.get(door.address(ids), **MONTH, limit="2", query="type:withdrawal")
            if answer.status_code == 200 and answer.headers["content-type"].endswith("json"):
                links |= {re.sub(r"\d+", "1", link): link for link in list_links(answer.json())}

    base = f"http://farthing.example{AT[ApiVersion.V6]}/"
    paths = {f"{base}{link[1:]}" if link.startswith("/") else link for link in links.values()}
    assert {path for path in paths if not path.startswith(base)} == set()
    assert {path: code for path in paths if (code := client.request("GET", path).status_code) != 200} == {}
    assert len(paths) > 60
