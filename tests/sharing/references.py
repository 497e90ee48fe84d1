"""Where can a request name an object by its id? Found in the OpenAPI document, so that no new field is forgotten.

`SENDS` says how a request is made that is right but for the one id: only then an answer tells how ids are treated.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from farthing.api.v1.routes import ROUTES
from farthing.http.route import Route
from farthing.kernel.limits import ID_MAX

from ..conftest import _numbers
from ..versions import describe

Ids = Mapping[str, str]
# What each name refers to; `into_id` and `ids` are of the resource of the address.
KINDS = {
    "account_id": "accounts",
    "accounts": "accounts",
    "bill_id": "bills",
    "books_id": "users",
    "budget_id": "budgets",
    "category_id": "categories",
    "client_id": "apps",
    "destination_id": "accounts",
    "from": "budgets",
    "inward_id": "transactions",
    "link_type_id": "link_types",
    "model_id": "bills",
    "object_group_id": "object_groups",
    "object_id": "accounts",
    "outward_id": "transactions",
    "parent_id": "categories",
    "payee_id": "payees",
    "piggy_bank_id": "piggy_banks",
    "rule_group_id": "rule_groups",
    "source_id": "accounts",
    "tag_id": "tags",
    "to": "budgets",
    "transactions": "transactions",
}
OF_THE_ADDRESS = {"into_id", "ids"}
# Everybody's.
OF_THE_HOUSE = {
    "auto_budget_currency_id", "currency_id", "foreign_currency_id", "from_currency_id", "to_currency_id",
    "transaction_currency_id",
}  # fmt: skip
# Queries are text to OpenAPI, so that their names have to tell.
# Addresses that name objects of another resource.
_OF_OTHERS = {"/chart/account/overview": "accounts", "/inbox": "transactions"}
_IN_QUERIES = ("_id", "ids", "accounts", "accounts[]")
_DAYS = {"start": "2024-05-01", "end": "2024-05-31"}


@dataclass(frozen=True)
class Reference:
    """One place of a request; `path` leads to it, with 0 for the first of a list."""

    route: Route
    place: str
    path: tuple[str | int, ...]
    kind: str

    def __str__(self) -> str:
        return f"{self.route.name} {self.place} {'.'.join(map(str, self.path))}"


@dataclass
class Sent:
    """A request but for the id of its address."""

    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)


def list_references() -> Iterator[Reference]:
    told = describe()
    for route in ROUTES:
        operation = told["paths"][f"/api/v1{route.path}"][route.method.lower()]
        for parameter in operation.get("parameters", ()):
            if parameter.get("in") == "query" and parameter["name"].endswith(_IN_QUERIES):
                yield _reference(route, "query", (parameter["name"],))
        for path in sorted(set(_paths_in_body(operation, told["components"]["schemas"])), key=str):
            if path[-1] not in OF_THE_HOUSE:
                yield _reference(route, "body", path)


def _reference(route: Route, place: str, path: tuple[str | int, ...]) -> Reference:
    name = next(str(word).removesuffix("[]") for word in reversed(path) if isinstance(word, str))
    of_address = _OF_OTHERS.get(route.path, route.path.split("/")[1])
    kind = of_address if name in OF_THE_ADDRESS else KINDS.get(name)
    assert kind, f"say in KINDS what {name} of {route.name} refers to"
    return Reference(route, place, path, kind)


def _paths_in_body(operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[tuple[str | int, ...]]:
    for media in operation.get("requestBody", {}).get("content", {}).values():
        yield from _walk(media["schema"], schemas, ())


def _walk(
    schema: dict[str, Any], schemas: dict[str, Any], at: tuple[str | int, ...]
) -> Iterator[tuple[str | int, ...]]:
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if schema.get("maximum") == ID_MAX and schema.get("minimum") == 1:
        yield at
    for other in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _walk(other, schemas, at)
    for name, below in schema.get("properties", {}).items():
        yield from _walk(below, schemas, (*at, name))
    if isinstance(schema.get("items"), dict):
        yield from _walk(schema["items"], schemas, (*at, 0))


def put_id(reference: Reference, sent: Sent, object_id: str) -> Sent:
    """The same request with this id in that place."""
    changed = deepcopy(sent)
    target: Any = changed.query if reference.place == "query" else changed.body
    *way, last = reference.path
    for word in way:
        target = target[word]
    target[last] = object_id
    return changed


def _entry(ids: Ids, reference: Reference) -> dict[str, Any]:
    """A transfer where only that can name the object."""
    split = {"amount": "5", "currency_code": "EUR", "source_id": ids["accounts"], "description": "Soap"}
    if reference.path[-1] in ("destination_id", "piggy_bank_id"):
        split |= {"destination_id": ids["other accounts"]}
        return {"type": "transfer", "date": "2024-05-02", "description": "Soap", "transactions": [split]}
    split |= {"destination_name": "Chemist"}
    return {"type": "withdrawal", "date": "2024-05-02", "description": "Soap", "transactions": [split]}


def _recurrence(ids: Ids, reference: Reference) -> dict[str, Any]:
    often = {"type": "daily", "moment": "", "skip": 0, "weekend": 1}
    entry = _entry(ids, reference)
    flags = {"apply_rules": True, "active": True, "title": f"Soap {next(_numbers)}", "first_date": "2024-06-01"}
    return {"type": entry["type"], "repetitions": [often], "transactions": entry["transactions"], **flags}


def _link(ids: Ids) -> dict[str, Any]:
    return {name: ids[KINDS[name]] for name in ("link_type_id", "inward_id", "outward_id")}


def _limit(ids: Ids) -> dict[str, Any]:
    return {"budget_id": ids["budgets"], "amount": "10", "start_date": "2025-05-01", "end_date": "2025-05-31"}


def _bill() -> dict[str, Any]:
    body = {"name": f"Rent {next(_numbers)}", "match": f"rent {next(_numbers)}", "currency_code": "EUR", "skip": 0}
    body |= {"amount_min": "1", "amount_max": "2", "date": "2024-05-01", "repeat_freq": "monthly"}
    return body | {"automatch": True, "active": True}


def _rule(ids: Ids) -> dict[str, Any]:
    does = {"rule_triggers": [{"name": "no_notes"}], "rule_actions": [{"name": "add_tag", "value": "new"}]}
    flags = {"trigger": "store-journal", "strict": True, "stop_processing": False, "active": True}
    return {"title": f"Tag {next(_numbers)}", "rule_group_id": ids["rule_groups"], **flags, **does}


def _piggy_bank(ids: Ids, reference: Reference) -> dict[str, Any]:
    held = {"accounts": [{"account_id": ids["accounts"]}]} if "accounts" in reference.path else {}
    return {"name": f"Boat {next(_numbers)}", "account_id": ids["accounts"], "target_amount": "600"} | held


def _file(ids: Ids) -> dict[str, Any]:
    return {"filename": "a.txt", "model": "Bill", "model_id": ids["bills"]}


_ASKED = {"response_type": "code", "code_challenge": "c" * 43, "code_challenge_method": "S256"}
Make = Callable[[Ids, Reference], Sent]
_NAMED: Make = lambda ids, reference: Sent(body={"name": f"Food {next(_numbers)}"})  # noqa: E731
_PLAIN: Make = lambda ids, reference: Sent()  # noqa: E731
_RANGED: Make = lambda ids, reference: Sent(query=dict(_DAYS))  # noqa: E731
_TRIED: Make = lambda ids, reference: Sent(query={"dry_run": "1", **_DAYS})  # noqa: E731
_RECURRENCE: Make = lambda ids, reference: Sent(body=_recurrence(ids, reference))  # noqa: E731
_ORDERED: Make = lambda ids, reference: Sent(body={"ids": [ids[reference.kind]]})  # noqa: E731
SENDS: dict[str, Make] = {
    "accounts.merge": _PLAIN,
    "accounts.reconcile": lambda ids, _: Sent(
        body={"date": "2024-05-15", "statement_balance": "0", "transactions": [ids["transactions"]]}
    ),
    "apps.decide": lambda ids, _: Sent(body={"client_id": ids["apps"], "allow": True, **_ASKED}),
    "apps.show_request": lambda ids, _: Sent(query=dict(_ASKED)),
    "attachments.change": lambda ids, _: Sent(body=_file(ids)),
    "attachments.create": lambda ids, _: Sent(body=_file(ids)),
    "bills.arrange": _ORDERED,
    "bills.change": lambda ids, _: Sent(body=_bill()),
    "bills.create": lambda ids, _: Sent(body=_bill()),
    "budget_limits.change": lambda ids, _: Sent(body=_limit(ids)),
    "budget_limits.create": lambda ids, _: Sent(body=_limit(ids)),
    "budget_limits.create_for_budget": lambda ids, _: Sent(body=_limit(ids)),
    "budget_limits.index": _PLAIN,
    "budgets.arrange": _ORDERED,
    "budgets.move": lambda ids, _: Sent(body={"from": ids["budgets"], "amount": "1", "month": "2024-05"}),
    "categories.change": _NAMED,
    "categories.create": _NAMED,
    "categories.merge": _PLAIN,
    "changes.index": lambda ids, _: Sent(query={"kind": "accounts"}),
    "charts.account_overview": _RANGED,
    "exports.export": lambda ids, _: Sent(query={"format": "csv"}),
    "import_jobs.change": _PLAIN,
    "import_jobs.create": _PLAIN,
    "inbox.mark_seen": lambda ids, _: Sent(body={"ids": [ids["transactions"]]}),
    "notices.change_settings": lambda ids, _: Sent(body={"lines": [{"account_id": ids["accounts"], "amount": "1"}]}),
    "object_groups.arrange": _ORDERED,
    "piggy_banks.arrange": _ORDERED,
    "piggy_banks.change": lambda ids, reference: Sent(body=_piggy_bank(ids, reference)),
    "piggy_banks.create": lambda ids, reference: Sent(body=_piggy_bank(ids, reference)),
    "recurrences.change": _RECURRENCE,
    "recurrences.create": _RECURRENCE,
    "recurrences.preview": _RECURRENCE,
    "recurrences.preview_change": _RECURRENCE,
    "reports.breakdown": lambda ids, _: Sent(query={"by": "category", **_DAYS}),
    "reports.budgets": _RANGED,
    "reports.cash_flow": _RANGED,
    "reports.income_expense": _RANGED,
    "reports.net_worth": _RANGED,
    "reports.totals": _RANGED,
    "rule_groups.run": _TRIED,
    "rule_groups.test": _RANGED,
    "rules.run": _TRIED,
    "rules.test": _RANGED,
    "rules.change": lambda ids, _: Sent(body=_rule(ids)),
    "rules.create": lambda ids, _: Sent(body=_rule(ids)),
    "search.transactions": _PLAIN,
    "suggestions.accept": lambda ids, _: Sent(body={"ids": [ids["transactions"]]}),
    "suggestions.index": _PLAIN,
    "tags.merge": _PLAIN,
    "tokens.create": lambda ids, _: Sent(body={"name": "Phone", "access": "read"}),
    "transaction_links.change": lambda ids, _: Sent(body=_link(ids)),
    "transaction_links.create": lambda ids, _: Sent(body=_link(ids)),
    "transactions.change": lambda ids, reference: Sent(body=_entry(ids, reference)),
    "transactions.change_many": lambda ids, _: Sent(body={"ids": [ids["transactions"]], "tags": ["soap"]}),
    "transactions.change_matching": lambda ids, reference: Sent(
        query={} if reference.place == "query" else {"account_id": ids["accounts"]}, body={"tags": ["soap"]}
    ),
    "transactions.count_matching": _PLAIN,
    "transactions.create": lambda ids, reference: Sent(body=_entry(ids, reference)),
    "transactions.create_many": lambda ids, reference: Sent(body={"transactions": [_entry(ids, reference)]}),
    "transactions.remove_many": _PLAIN,
    "transactions.remove_matching": lambda ids, _: Sent(query={"expected": "1"}),
}
