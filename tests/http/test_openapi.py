"""Is the OpenAPI document complete and true, and can people read it?"""

import asyncio
import copy
import json
import re
from functools import reduce
from importlib.resources import files
from operator import getitem
from types import SimpleNamespace

import jsonschema_rs
import pytest

from farthing.api.v1.routes import ROUTES
from farthing.api.v6.routes import ROUTES as V6
from farthing.http.openapi.document import Fixed
from farthing.http.request.public_address import API
from farthing.identity.user import ApiVersion
from farthing.kernel.parsed import label
from tests import versions
from tests.answers import checker
from tests.conftest import running
from tests.http import promises
from tests.http.promises import FROZEN, find_broken
from tests.sessions.browser import Browser, signed_in

DOCUMENT = versions.describe()
OPERATIONS = {one["operationId"]: one for item in DOCUMENT["paths"].values() for one in item.values()}
SCHEMAS = DOCUMENT["components"]["schemas"]


def model_of(operation, schemas=SCHEMAS):
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return schemas[schema["$ref"].rpartition("/")[2]]


# The document


@pytest.mark.parametrize("version", ApiVersion)
def test_the_committed_copy_is_what_the_code_makes(version):
    """`make openapi` refuses to take anything out that clients rely on, so the copy only ever grows."""
    frozen, current = json.loads(FROZEN[version].read_text()), versions.describe(version)

    assert find_broken(frozen, current) == []
    assert frozen == current, f"{FROZEN[version].name} is out of date: run `make openapi`"


def test_no_description_is_indented_which_would_make_it_a_block_of_code():
    indented = [name for name, schema in SCHEMAS.items() if "\n " in schema.get("description", "")]

    assert indented == []


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"name": {"type": "string"}, "added": {"type": "string"}}, []),
        ({"renamed": {"type": "string"}}, ["Bill.name: string"]),
        ({"name": {"type": ["string", "null"]}}, ["Bill.name: string"]),
    ],
)
def test_a_promise_is_broken_by_what_is_gone_or_has_another_type(changes, broken):
    frozen = {"paths": {}, "components": {"schemas": {"Bill": {"properties": {"name": {"type": "string"}}}}}}
    changed = {"paths": {}, "components": {"schemas": {"Bill": {"properties": changes}}}}

    assert find_broken(frozen, changed) == broken


def test_what_clients_rely_on_is_not_taken_out_of_the_committed_copy(tmp_path, monkeypatch, capsys):
    more = copy.deepcopy(DOCUMENT)
    more["paths"]["/api/v1/bills"]["get"]["parameters"].append({"in": "query", "name": "promised"})
    frozen = tmp_path / "openapi.json"
    frozen.write_text(json.dumps(more))
    monkeypatch.setattr(promises, "FROZEN", {ApiVersion.V1: frozen})

    assert promises.main() == 1

    assert capsys.readouterr().err == "Clients rely on these:\nGET /api/v1/bills takes query promised\n"
    assert json.loads(frozen.read_text()) == more


# The validator of this package takes half a minute for what `jsonschema_rs` does in a moment.
OPENAPI = json.loads((files("openapi_spec_validator") / "resources/schemas/v3.1/schema.json").read_text())


@pytest.mark.parametrize("version", ApiVersion)
def test_the_document_is_valid_openapi(version):
    document = versions.describe(version)

    assert document["openapi"].startswith("3.1.")
    jsonschema_rs.Draft202012Validator(OPENAPI).validate(document)


@pytest.mark.parametrize("version", ApiVersion)
def test_each_reference_leads_somewhere_and_each_path_tells_its_parameters(version):
    document = versions.describe(version)

    for name in set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document))):
        assert reduce(getitem, name.split("/"), document), name
    for path, item in document["paths"].items():
        for verb, operation in item.items():
            told = {one["name"] for one in operation.get("parameters", []) if one.get("in") == "path"}
            assert told == set(re.findall(r"{(\w+)}", path)), f"{verb} {path}"


def test_every_schema_is_valid_json_schema():
    for schema in SCHEMAS.values():
        jsonschema_rs.meta.validate(schema)


def test_every_route_is_told_under_a_name_of_its_own():
    told = {(verb.upper(), path) for path, item in DOCUMENT["paths"].items() for verb in item}

    assert {(route.method, API + route.path) for route in ROUTES} < told
    assert len(OPERATIONS) == len(told)


def test_what_needs_no_token_is_told_too():
    without = {name for name, operation in OPERATIONS.items() if operation.get("security") == []}

    signing_in = {"first_run.show", "first_run.create", "sessions.sign_in", "members.show_offered", "members.register"}
    signing_in |= {"sessions.begin_with_passkey", "sessions.ask_for_link", "sessions.reset", "notices.unsubscribe"}
    signing_in |= {f"providers.{name}" for name in ("index", "start", "sign_in", "enter_by_proxy", "end_sessions")}
    service = {f"service.{name}" for name in ("live", "ready", "health", "security", "openapi", "reference")}
    apps = {f"service.{name}" for name in ("oauth", "authorize", "give_token", "revoke")}
    assert without == service | signing_in | apps


def test_either_a_token_or_a_session_will_do():
    schemes = DOCUMENT["components"]["securitySchemes"]
    told = {"sessions": schemes["session"], "csrf": schemes["csrf"], "token": schemes["token"]}

    assert {name: (one["type"], one.get("in")) for name, one in told.items()} == {
        "sessions": ("apiKey", "cookie"),
        "csrf": ("apiKey", "header"),
        "token": ("http", None),
    }
    assert DOCUMENT["security"] == [{"token": []}, {"session": []}]
    for route in ROUTES:
        needed = OPERATIONS[route.name].get("security", DOCUMENT["security"])
        session = {"session": []} if route.method == "GET" else {"session": [], "csrf": []}
        assert [list(one) for one in needed] == ([] if route.is_open else [["token"], list(session)])


def test_each_operation_tells_which_scopes_a_token_needs():
    told = {name: OPERATIONS[name]["security"][0]["token"] for name in ("bills.index", "bills.create", "tokens.index")}

    assert told == {"bills.index": ["bills:read"], "bills.create": ["bills:write"], "tokens.index": []}
    assert OPERATIONS["accounts.transactions"]["security"][0]["token"] == ["accounts:read", "transactions:read"]
    assert OPERATIONS["recurrences.preview"]["security"][0]["token"] == ["bills:read"]


def test_every_resource_says_what_it_is():
    silent = [tag["name"] for tag in DOCUMENT["tags"] if not tag["description"]]

    assert silent == [], "the docstring of the package is what the reference page says of it"


def test_names_of_schemas_are_plain_words():
    assert [name for name in SCHEMAS if not re.fullmatch("[A-Z][A-Za-z]+", name)] == []
    assert {"Account", "AccountItem", "AccountPage", "AccountBody", "PreferenceList"} <= SCHEMAS.keys()


def test_answers_are_told_exactly():
    account = SCHEMAS["AccountAttributes"]

    assert account["required"] == list(account["properties"])
    assert account["additionalProperties"] is False
    assert account["properties"]["opening_balance"] == {"type": ["number", "null"]}
    assert SCHEMAS["AccountPage"]["required"] == ["data", "meta", "links"]
    assert SCHEMAS["Included"]["properties"]["attributes"] == {"type": "object"}


def test_every_field_that_is_sent_may_be_null_unless_it_is_the_only_one():
    bodies = {name: one.get("requestBody", {"content": {}})["content"] for name, one in OPERATIONS.items()}
    taken = [model_of(OPERATIONS[name]) for name, content in bodies.items() if "application/json" in content]
    optional = [
        field for model in taken for name, field in model["properties"].items() if name not in model.get("required", ())
    ]

    assert optional
    assert [field for field in optional if not any(_takes_null(one) for one in (field, *field.get("anyOf", ())))] == []


def _takes_null(schema):
    return "null" in schema.get("type", ()) or None in schema.get("enum", ())


def test_bodies_are_told_in_every_encoding():
    assert list(OPERATIONS["accounts.create"]["requestBody"]["content"]) == [
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ]


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("accounts.index", "200 304 401 403 404 421 422 429 431 500 503"),
        ("accounts.create", "200 400 401 403 404 408 413 415 421 422 429 431 500 503"),
        ("accounts.show", "200 304 401 403 404 421 422 429 431 500 503"),
        ("accounts.remove", "204 401 403 404 408 412 421 422 429 431 500 503"),
        ("preferences.index", "200 304 401 403 404 421 422 429 431 500 503"),
        ("users.create", "200 400 401 403 408 413 415 421 422 429 431 500 503"),
        ("recurrences.preview", "200 400 401 403 404 408 413 415 421 422 429 431 500 503"),
        ("sessions.sign_in", "200 400 403 408 409 413 415 421 422 429 431 500 503"),
        ("sessions.end", "204 401 403 404 408 421 429 431 500 503"),
        ("tokens.index", "200 401 403 421 429 431 500 503"),
        ("service.health", "200 431 500 503"),
        ("service.reference", "200 421 431 500 503"),
    ],
)
def test_each_operation_tells_the_answers_it_can_give(name, statuses):
    assert list(OPERATIONS[name]["responses"]) == statuses.split()


def test_the_related_objects_that_may_be_asked_for_are_named():
    [include] = [one for one in OPERATIONS["accounts.show"]["parameters"] if one.get("name") == "include"]

    names = include["schema"]["items"]["enum"]
    assert [name for name in names if "." not in name] == ["user", "piggy_banks", "transactions"]
    assert {"transactions.tags", "transactions.attachments.notes"} < set(names)
    assert all(f"`{name}`" in include["description"] for name in names if "." not in name)


# The document and the service


CREATIONS = [route for route in ROUTES if route.takes and route.method == "POST" and "{" not in route.path]


@pytest.mark.any_database
@pytest.mark.parametrize("route", CREATIONS, ids=lambda route: route.name)
def test_the_fields_told_to_be_required_are_those_that_an_empty_body_lacks(route, new_world):
    """Whoever may make one asks: the first owner, somebody who is signed in, or a token."""
    if route.is_of_books:
        answer = new_world.someone().post(route.path, {}).json()
    else:
        browser = Browser(new_world) if route.is_open else signed_in(new_world)
        answer = browser.post(route.path, {}).json()

    errors = answer.get("errors", {})
    missing = {field for field, said in errors.items() if f"The {label(field)} field is required." in said}
    model = model_of(OPERATIONS[route.name])
    needed = {*route.requires, *model.get("required", ())}
    told = {name: field.get("description", "") for name, field in model["properties"].items()}
    missing -= {name for name, about in told.items() if "Either this or" in about or "Required unless" in about}
    assert missing <= needed, f"name {missing - needed} in `requires` of {route.name}"
    assert needed <= errors.keys(), f"{route.name} does not miss {needed - errors.keys()}"


@pytest.mark.any_database
def test_the_fields_told_to_be_required_in_version_6_are_those_that_an_empty_body_lacks(new_world):
    owner = new_world.someone()  # only the owner creates users and currencies
    told = versions.describe(ApiVersion.V6)
    operations = {one["operationId"]: one for item in told["paths"].values() for one in item.values()}
    for route in V6:
        if route.takes and route.method == "POST" and "{" not in route.path:
            errors = owner.v6.post(route.path, {}).json().get("errors", {})
            model = model_of(operations[route.name], told["components"]["schemas"])
            missing = {field for field, said in errors.items() if f"The {label(field)} field is required." in said}
            missing -= {name for name, field in model["properties"].items() if "Required unless" in str(field)}
            needed = {*route.requires, *model.get("required", ())}
            assert missing <= needed <= errors.keys(), f"{route.name} tells {needed}, but misses {missing}"


def test_the_examples_of_bodies_are_accepted(me):
    for route in CREATIONS:
        for example in model_of(OPERATIONS[route.name]).get("examples", ()):
            answer = me.post(route.path, example)

            assert answer.status_code == 200, f"{route.name}: {answer.text}"


def test_links_lead_from_a_new_object_to_what_can_be_done_with_it(me):
    made = me.post("/accounts", SCHEMAS["AccountBody"]["examples"][0]).json()
    links = OPERATIONS["accounts.create"]["responses"]["200"]["links"]

    assert {"accounts.show", "accounts.change", "accounts.remove"} <= links.keys()
    assert links["accounts.show"]["parameters"] == {"id": "$response.body#/data/id"}
    assert me.get(f"/accounts/{made['data']['id']}").status_code == 200


def test_links_lead_from_a_list_to_its_first_object():
    links = OPERATIONS["preferences.index"]["responses"]["200"]["links"]

    assert links["preferences.change"] == {
        "operationId": "preferences.change",
        "parameters": {"id": "$response.body#/data/0/id"},
    }


def test_the_document_is_served_without_a_token(world):
    answer = world.http.get("/api/openapi.json")

    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == DOCUMENT


def test_the_document_is_made_when_it_is_first_asked_for_and_then_kept():
    made = []
    fixed = Fixed(lambda: made.append(1) or b"{}", "application/json")
    assert made == []

    bodies = [_asked(fixed) for _ in range(3)]

    assert bodies == [b"{}"] * 3
    assert made == [1]


def _asked(app):
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/x", "raw_path": b"/x", "state": {"headers": {}}}
    asyncio.run(app(scope, None, send))
    return sent[1]["body"]


# The page


def test_the_reference_page_runs_only_our_own_files(world):
    page = world.http.get("/api/docs")

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
        " frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"<style|<script[^>]*>[^<]|\son\w+=|\sstyle=", page.text)


def test_the_page_finds_its_files_below_any_address(world):
    text = world.http.get("/api/docs").text

    files = [name for name in re.findall(r'(?:href|src)="([^"#][^"]*)"', text) if not name.startswith("data:")]
    assert files
    assert not [name for name in files if name.startswith("/") or ":" in name]
    assert [world.http.get(f"/api/{name}").status_code for name in files] == [200] * len(files)


def test_the_page_with_a_closing_slash_leads_to_the_one_without(world):
    answer = world.http.get("/api/docs/", follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (308, "../docs")
    assert world.http.get("/api/docs/").text == world.http.get("/api/docs").text


def test_the_document_and_the_page_hold_behind_a_path(new_database_url, tmp_path, check_answer):
    for world in running(new_database_url, tmp_path, check_answer, base_url="https://home.example/money"):
        assert world.http.get("/money/api/docs").status_code == 200
        assert world.http.get("/money/api/docs/reference.js").status_code == 200
        assert world.http.get("/money/api/openapi.json").json()["servers"][0]["url"] == ".."


def test_the_page_answers_to_get_and_head_only(world):
    head = world.http.head("/api/docs")
    assert (head.status_code, head.content) == (200, b"")

    answer = world.http.post("/api/openapi.json")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


# The check that every other test relies on


def answered(status=200, body=b'{"status":"ok"}', media_type="application/json"):
    return SimpleNamespace(
        status_code=status, content=body, headers={"content-type": media_type, "x-request-id": "12345678"}
    )


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (answered(status=418), "418"),
        (answered(media_type="text/plain"), "text/plain"),
        (answered(body=b'{"status": 1}'), "/status: "),
        (answered(body=b'{"status": "ok", "more": 1}'), "more"),
        (answered(body=b"{}"), "status"),
        (answered(body=b'{"status": 1.50}'), "1.50"),
        (answered(body=b'{"status": 1.5e3}'), "1.5e3"),
    ],
)
def test_an_answer_that_the_document_does_not_tell_is_noticed(answer, complaint):
    with pytest.raises(AssertionError, match=complaint):
        checker()("GET", "/health", answer)


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/api/v1/nowhere"), ("PATCH", "/api/v1/accounts"), ("GET", "/api/v1/accounts/1/no")]
)
def test_an_address_that_the_document_does_not_know_may_only_be_refused(method, path):
    with pytest.raises(AssertionError):
        checker()(method, path, answered())


def test_an_answer_is_found_under_every_spelling_of_its_address():
    check = checker()
    check("GET", "/health", answered())
    with pytest.raises(AssertionError, match=r"accounts\.show may answer 418"):
        check("GET", "https://home.example/money/api/v1/accounts/7/?include=user", answered(status=418))
