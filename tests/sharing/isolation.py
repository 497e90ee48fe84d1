"""Does anything of one user's books reach another? Looks through every door that reads, and says what it found."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..accounts.making import asset, made
from ..conftest import Client
from ..http import doors
from ..http.doors import Door
from ..http.makers import resource
from .references import SENDS, Ids, Reference, Sent, list_references, put_id

UNKNOWN = "999999999"
READS = [door for door in doors.KNOWN if door.method == "GET" and not door.route.is_produced]
_DAYS = {"start": "2024-05-01", "end": "2024-05-31"}
# What some addresses need to answer at all.
_QUERIES: dict[str, dict[str, str]] = {
    "exchange_rates.show_converted": {"from": "USD", "to": "EUR", "amount": "1"},
    "reports.breakdown": {"by": "category"},
    "search.transactions": {"query": "groceries"},
}
# Looking changes when a token was last used.
_VOLATILE = re.compile(r'"last_used_at":\s*("[^"]*"|null)')


def own_ids(client: Client) -> dict[str, str]:
    """One of each, and a second account for money to go to. Filters by any of them find the transaction."""
    ids = doors.one_of_each(client) | {"other accounts": made(client, asset())}
    ids["rule_groups"] = str(client.get(f"/rules/{ids['rules']}").json()["data"]["attributes"]["rule_group_id"])
    period = {"start_date": "2024-05-01", "end_date": "2024-05-31"}
    client.post("/budget_limits", {"budget_id": ids["budgets"], "amount": "150", **period})
    ids["tag name"] = client.get(f"/tags/{ids['tags']}").json()["data"]["attributes"]["tag"]
    spent = spent_with_everything(client, ids)
    payee = client.get(f"/transactions/{spent}").json()["data"][0]["attributes"]["destination_id"]
    return ids | {"transactions": spent, "payees": str(payee)}


def live_differently(client: Client, ids: Ids) -> None:
    """More of most things, on other days and in another currency: sums and first days of two people then differ."""
    dollars = made(client, asset(currency_code="USD"))
    for day, account, code in (
        ("2023-02-03", dollars, "USD"),
        ("2024-05-20", dollars, "USD"),
        ("2024-05-03", ids["accounts"], "EUR"),
    ):
        split = {"amount": "77", "currency_code": code, "source_id": account, "destination_name": f"Miller {day}"}
        labels = {"category_id": ids["categories"], "budget_id": ids["budgets"], "description": f"Flour {day}"}
        body = {"type": "withdrawal", "date": day, "description": "Flour", "transactions": [split | labels]}
        assert client.post("/transactions", body).status_code == 200
    for first, last, code in (("2023-01-01", "2023-01-31", "EUR"), ("2024-05-01", "2024-05-31", "USD")):
        period = {"start_date": first, "end_date": last, "currency_code": code, "amount": "99"}
        assert client.post("/budget_limits", {"budget_id": ids["budgets"], **period}).status_code == 200
    for code, day, rate in (("JPY", "2024-05-02", "0.006"), ("USD", "2024-05-10", "0.5")):
        body = {"from": code, "to": "EUR", "date": day, "rate": rate}
        assert client.post("/exchange_rates", body).status_code == 200
    for name, data in (("viewRange", "1Y"), ("listPageSize", 7), ("customFiscalYear", True), ("frontPageAccounts", [])):
        assert client.put(f"/preferences/{name}", {"data": data}).status_code == 200, name


def spent_with_everything(client: Client, ids: Ids) -> str:
    labels = {"category_id": ids["categories"], "budget_id": ids["budgets"]}
    split = {"amount": "12.50", "currency_code": "EUR", "source_id": ids["accounts"], "destination_name": "Grocer"}
    body = {"type": "withdrawal", "date": "2024-05-01", "description": "Groceries", "transactions": [split | labels]}
    response = client.post("/transactions", body | {"tags": [ids["tag name"]], "bill_id": ids["bills"]})
    assert response.status_code == 200, response.text
    return str(response.json()["data"][0]["id"])


def send(client: Client, reference: Reference, sent: Sent, address_id: str) -> Any:
    path = reference.route.path.replace("{id}", address_id)
    if reference.route.name == "import_jobs.create":
        parts = {name: (None, text) for name, text in sent.body.items()}
        file = ("may.csv", b"Date,Description,Amount\n2024-05-01,Coffee,-2.50\n")
        return client.request("POST", path, files={**parts, "file": file})
    return client.request(reference.route.method, path, params=sent.query, json=sent.body)


def without_ids(answer: Any, reference: Reference, object_id: str) -> tuple[int, str]:
    """What may differ although the same was said: the id that was asked for, and what is made anew each time."""
    name = re.escape(next(str(word) for word in reversed(reference.path) if isinstance(word, str)))
    text = re.sub(rf'({name}(?:=|":\s*\[?"?)|there is no \w+ ){object_id}\b', r"\1ID", answer.text)
    text = re.sub(r'"(id|self|last_used_at|created_at|updated_at|token)":\s*"[^"]*"', "", text)
    return answer.status_code, text


def look_everywhere(client: Client, ids: Ids) -> dict[str, tuple[int, str]]:
    """Every answer that somebody can read, with everything that can be included."""
    answers = {str(door): _look(client, door, ids) for door in READS}
    # Some are found by name as well.
    named = client.get("/preferences/viewRange")
    return answers | {"preferences by name": (named.status_code, named.text)}


def _look(client: Client, door: Door, ids: Ids) -> tuple[int, str]:
    query = {"limit": "50", **_DAYS, **_QUERIES.get(door.route.name, {})}
    if door.route.includes:
        query["include"] = ",".join(_all_of(door.route.includes))
    answer = client.request("GET", door.address(ids), params=query)
    return answer.status_code, _VOLATILE.sub("", answer.text)


def _all_of(includes: Mapping[str, Any]) -> Iterator[str]:
    for name, one in includes.items():
        yield name
        yield from (f"{name}.{below}" for below in one.further)


def find_leaks(client: Client, ids: Ids, theirs: Ids, before: dict[str, tuple[int, str]]) -> Iterator[str]:
    """`before` is what the client could read before there was anybody else; `theirs` are ids of somebody else."""
    after = look_everywhere(client, ids)
    yield from (f"{name} shows something of another" for name in after if after[name] != before[name])
    for door in READS:
        if door.named and _look(client, door, theirs)[0] != 404:
            yield f"{door} shows what is another's"
    if client.get(f"/tags/{theirs['tag name']}").status_code != 404:
        yield "tags by name show what is another's"
    for reference in list_references():
        is_read = reference.route.method == "GET" and not reference.route.is_produced
        if is_read and _differs(client, reference, ids, theirs):
            yield f"{reference} tells of another"


def _differs(client: Client, reference: Reference, ids: Ids, theirs: Ids) -> bool:
    sent = SENDS[reference.route.name](ids, reference)
    address_id = ids.get(resource(reference.route.path), "")

    def ask(object_id: str) -> tuple[int, str]:
        answer = send(client, reference, put_id(reference, sent, object_id), address_id)
        return without_ids(answer, reference, object_id)

    return ask(theirs[reference.kind]) != ask(UNKNOWN)
