"""What happens to every request? Who may enter, what is found, which answer leaves, and what it points at."""

import asyncio
import logging
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from msgspec import structs
from starlette.testclient import TestClient

from farthing.api.v1.routes import ROUTES
from farthing.app import assemble
from farthing.care.watch.meter import Meter
from farthing.http.route import Mode, Route
from farthing.http.routing.allowed_hosts import AllowedHosts
from farthing.http.routing.middleware import Middleware
from farthing.identity import tokens, users
from farthing.kernel.clock import stamp
from farthing.storage.drivers.sqlite import SqliteDatabase

from ..accounts.making import asset, errors, expense, made
from ..conftest import running
from ..versions import ALL

UNAUTHENTICATED = {"message": "Unauthenticated", "exception": "AuthenticationException"}
NOT_FOUND = {"message": "Resource not found", "exception": "NotFoundHttpException"}
JSON = {"Content-Type": "application/json"}


# Who may enter


def entered(world, authorization):
    headers = {"Authorization": authorization} if authorization is not None else {}
    return world.http.get("/api/v1/accounts", headers=headers)


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer nonsense",
        "Basic {}",
        "Token {}",
        "{}",
        "Bearer {}x",
        "Bearer ü",
        "B" * 9000,
    ],
)
def test_without_a_token_that_counts_nobody_enters(world, me, authorization):
    given = authorization.format(me.token) if authorization else authorization

    response = entered(world, given.encode() if given else given)

    assert (response.status_code, response.json()) == (401, UNAUTHENTICATED)
    assert response.headers["content-type"] == "application/json"
    assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("authorization", ["Bearer {}", "bearer {}", "BEARER   {} "])
def test_a_token_is_enough(world, me, authorization):
    assert entered(world, authorization.format(me.token)).status_code == 200


def test_a_token_counts_until_the_moment_it_expires(world, me):
    with world.books.writing() as db:
        ends = stamp(world.time.now + timedelta(hours=1))
        token = tokens.issue(db, me.user.id, "short", ends, stamp(world.time.now))

    assert entered(world, f"Bearer {token}").status_code == 200
    world.time.now += timedelta(hours=1)
    assert entered(world, f"Bearer {token}").json() == UNAUTHENTICATED
    assert entered(world, f"Bearer {me.token}").status_code == 200


def test_a_revoked_token_no_longer_counts(world, me):
    with world.books.writing() as db:
        tokens.revoke(db, tokens.of_user(db, me.user.id)[0].id)

    assert entered(world, f"Bearer {me.token}").json() == UNAUTHENTICATED


def test_a_blocked_user_stays_outside_until_unblocked(world, me):
    def block(blocked):
        with world.books.writing() as db:
            users.set_blocked(db, me.user.id, blocked, stamp(world.time.now))

    block(True)
    assert entered(world, f"Bearer {me.token}").json() == UNAUTHENTICATED
    block(False)
    assert entered(world, f"Bearer {me.token}").status_code == 200


# What is looked at first


BAD_BODIES = [b"{", b"[]", b"{}", b'{"name": 1}', b"\xff"]


@pytest.mark.parametrize("body", BAD_BODIES)
def test_the_token_comes_first_then_the_object_then_the_body(world, me, body):
    account_id = made(me, asset())

    nobody = world.http.put(f"/api/v1/accounts/{account_id}", content=body, headers=JSON)
    nowhere = me.request("PUT", "/accounts/999999999", content=body, headers=JSON)
    here = me.request("PUT", f"/accounts/{account_id}", content=body, headers=JSON)

    assert (nobody.status_code, nobody.json()) == (401, UNAUTHENTICATED)
    assert (nowhere.status_code, nowhere.json()) == (404, NOT_FOUND)
    assert here.status_code in (400, 422)


def test_a_wrong_query_comes_after_the_object_too(me):
    assert me.get("/accounts/999999999", date="never").status_code == 404


@pytest.mark.parametrize("size", [10, 3 * 1024**2])
def test_a_body_that_is_too_large_or_of_unknown_type_waits_its_turn(world, me, size):
    odd = {"content": b"x" * size, "headers": {"Content-Type": "text/plain"}}

    assert world.http.post("/api/v1/accounts", **odd).status_code == 401
    assert me.request("PUT", "/accounts/999999999", **odd).status_code == 404
    assert me.request("POST", "/accounts", **odd).status_code == (415 if size == 10 else 413)


# Addresses


@pytest.mark.any_database
@pytest.mark.parametrize(
    "path",
    ["/api", "/api/v1", "/api/v1/", "/api/v1/nonsense", "/api/v2/accounts", "/api/v1/accounts/1/nonsense",
     "/accounts", "/api/v1/Accounts", "/api/v1/accounts;x=1", "/api/v1/%61ccounts%00", "/..%2f"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PATCH"])
def test_an_unknown_address_is_not_found(me, path, method):
    response = me.http.request(method, path, headers={"Authorization": f"Bearer {me.token}"})

    assert (response.status_code, response.json()) == (404, NOT_FOUND)
    assert response.headers["content-type"] == "application/json"


@pytest.mark.any_database
@pytest.mark.parametrize("method", ["PATCH", "OPTIONS", "TRACE", "QUERY"])
def test_a_wrong_method_says_which_are_right(world, method):
    for path in sorted({path for path, _ in ALL}):
        known = {route.method for other, route in ALL if other == path}
        allowed = ", ".join(sorted(known | {"HEAD"} if "GET" in known else known))

        response = world.http.request(method, re.sub(r"{\w+}", "1", path))

        assert (response.status_code, response.headers["allow"]) == (405, allowed), path
        assert response.json()["exception"] == "MethodNotAllowedHttpException"
        assert response.json()["message"] == f"This address only supports {allowed}."


def test_a_closing_slash_makes_no_difference(me):
    account_id = made(me, asset())

    assert me.get("/accounts/").json()["meta"]["pagination"]["total"] == 2
    assert me.get(f"/accounts/{account_id}/").json()["data"]["id"] == account_id


@pytest.mark.any_database
@pytest.mark.parametrize(
    "address", ["//api/v1/accounts", "/api/v1//accounts", "/api//v1/accounts//", "///api/v1/accounts"]
)
def test_two_slashes_are_one(me, address):
    """As clients ask to whom somebody gave our address with a slash at its end."""
    headers = {"Authorization": f"Bearer {me.token}"}

    response = me.http.get(f"{me.http.base_url}{address}", headers=headers)

    assert (response.status_code, response.json()) == (200, me.get("/accounts").json())


def test_head_is_get_without_the_body(me):
    account_id = made(me, asset())

    for path, status in ((f"/accounts/{account_id}", 200), ("/accounts", 200), ("/accounts/0", 404)):
        whole, head = me.get(path), me.request("HEAD", path)
        assert (head.status_code, head.content) == (status, b"")
        assert head.headers["content-length"] == whole.headers["content-length"]
        assert head.headers["content-type"] == whole.headers["content-type"]


# Answers


@pytest.mark.any_database
@pytest.mark.parametrize("accept", [None, "*/*", "text/html", "application/xml", "application/json"])
def test_answers_are_json_whatever_is_accepted(me, accept):
    headers = {"Accept": accept} if accept else {}

    assert me.request("GET", "/accounts", headers=headers).headers["content-type"] == "application/vnd.api+json"
    assert me.request("GET", "/accounts/0", headers=headers).headers["content-type"] == "application/json"
    assert me.request("POST", "/accounts", headers=headers).headers["content-type"] == "application/json"


@pytest.mark.any_database
@pytest.mark.parametrize("path", ["/accounts", "/accounts/0", "/nonsense"])
def test_every_answer_carries_what_keeps_browsers_safe(me, path):
    headers = me.get(path).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["content-security-policy"] == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "private, no-cache"


@pytest.mark.any_database
def test_every_answer_has_a_request_id_of_its_own_or_the_callers(me):
    first, second = (me.get("/accounts").headers["x-request-id"] for _ in range(2))
    assert first != second

    assert (
        me.request("GET", "/accounts", headers={"X-Request-Id": "my-own.id_42"}).headers["x-request-id"]
        == "my-own.id_42"
    )
    for odd in ("short", "x" * 65, "with space in it", "semi;colon;"):
        assert me.request("GET", "/accounts", headers={"X-Request-Id": odd}).headers["x-request-id"] != odd


def test_a_bug_of_ours_shows_a_request_id_and_nothing_of_the_inside(world, caplog):
    async def broken(scope, receive, send):
        raise RuntimeError("the secret of the house")

    http = TestClient(
        Middleware(broken, world.settings, Meter([], None).count, AllowedHosts(world.settings, only_local=False))
    )
    response = http.get("/api/v1/accounts", headers={"X-Request-Id": "request-42"})

    assert response.status_code == 500
    assert response.json() == {
        "message": "Internal error. The server's log has the details under the request id request-42.",
        "exception": "InternalError",
        "request_id": "request-42",
    }
    assert [(record.levelno, record.request_id) for record in caplog.records] == [(logging.ERROR, "request-42")]


def test_only_the_lines_of_refusals_name_an_address(world, me, caplog):
    with caplog.at_level(logging.INFO, "farthing.request"):
        me.get("/accounts")
        me.get("/accounts/999999")
        world.http.get("/api/v1/accounts")
        world.http.portal.call(asyncio.sleep, 0)  # lines are written in the next turn of the loop

    lines = [(one.status, getattr(one, "address", None)) for one in caplog.records if one.name == "farthing.request"]
    assert lines == [(200, None), (404, None), (401, "testclient")]


def test_requests_that_end_together_are_each_counted_and_told(world, caplog):
    """Those of one turn of the event loop, once it is over."""

    async def answering(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def nothing(*_message):
        return {"type": "http.request"}

    meter = Meter([("GET", "/a"), ("GET", "/b")], None)
    edge = Middleware(answering, world.settings, meter.count, AllowedHosts(world.settings, only_local=False))

    async def ask(*paths):
        for path in paths:
            scope = {"type": "http", "method": "GET", "path": path, "scheme": "http", "headers": [(b"host", b"x")]}
            await edge(scope, nothing, nothing)
        assert not meter.counted()
        await asyncio.sleep(0)

    with caplog.at_level(logging.INFO, "farthing.request"):
        asyncio.run(ask("/a", "/b", "/a"))

    assert {key: sum(one.statuses) for key, one in meter.counted().items()} == {("GET", "/a"): 2, ("GET", "/b"): 1}
    assert [record.getMessage() for record in caplog.records] == ["GET /a 200", "GET /b 200", "GET /a 200"]
    assert len({record.request_id for record in caplog.records}) == 3


def test_a_file_that_stays_locked_is_no_fault_of_the_caller(tmp_path, check_answer):
    for world in running(f"sqlite:///{tmp_path / 'books.sqlite3'}", tmp_path, check_answer):
        me = world.someone()
        hurried = SqliteDatabase(world.books.path, wait_ms=50)
        with TestClient(assemble(hurried, world.settings, world.time.clock())) as http:
            with world.books.writing():
                response = replace(me, http=http).post("/accounts", asset())

            assert (response.status_code, response.headers["retry-after"]) == (503, "5")
            assert replace(me, http=http).post("/accounts", asset()).status_code == 200


# Routes


def test_a_route_stays_small():
    assert len(structs.fields(Route)) <= 13


def test_a_get_reads_and_everything_else_writes_but_for_previews_and_dry_runs():
    usual = {route.name for route in ROUTES if route.mode is (Mode.READ if route.method == "GET" else Mode.WRITE)}
    previews = {route.name for route in ROUTES if route.only_reads}
    dry_runs = {route.name for route in ROUTES if not isinstance(route.mode, Mode)}

    drafts = {"recurrences.preview", "recurrences.preview_change", "suggestions.suggest_drafts"}
    assert previews == {*drafts, "import_jobs.show_preview"}
    assert dry_runs == {"rules.run", "rule_groups.run"}
    assert usual | previews | dry_runs == {route.name for route in ROUTES}


# Bodies


def fields_of(body):
    return {name: str(int(value) if isinstance(value, bool) else value) for name, value in body.items()}


def parts(body):
    return {name: (None, value) for name, value in fields_of(body).items()}


ENCODINGS = {
    "json": lambda body: {"json": body},
    "vnd.api+json": lambda body: {"json": body, "headers": {"Content-Type": "application/vnd.api+json"}},
    "json with charset": lambda body: {"json": body, "headers": {"Content-Type": "Application/JSON; charset=UTF-8"}},
    "form": lambda body: {"data": fields_of(body)},
    "multipart": lambda body: {"files": parts(body)},
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_body_may_come_in_any_encoding_on_post_and_put(me, encoding):
    encoded = ENCODINGS[encoding]

    account = me.request("POST", "/accounts", **encoded(asset(name="Åse 1+1=2 & more"))).json()["data"]
    changed = me.request("PUT", f"/accounts/{account['id']}", **encoded(asset(name="50% off"))).json()["data"]

    assert account["attributes"]["name"] == "Åse 1+1=2 & more"
    assert changed["attributes"]["name"] == "50% off"


@pytest.mark.any_database
@pytest.mark.parametrize("content_type", [None, "application/json", "application/x-www-form-urlencoded", "text/plain"])
def test_an_empty_body_of_whatever_type_reports_what_is_required(me, content_type):
    headers = {"Content-Type": content_type} if content_type else {}

    assert "name" in errors(me.request("POST", "/accounts", headers=headers))


def test_fields_in_the_query_of_a_post_or_put_do_not_count(me):
    query = "name=Query&type=asset&active=1&include_net_worth=1&currency_code=EUR&account_role=defaultAsset&date=never"

    assert "name" in errors(me.post(f"/accounts?{query}", {}))
    account_id = made(me, asset(name="Body"))
    answer = me.put(f"/accounts/{account_id}?{query}&notes=query", asset(name="Body"))
    assert (answer.status_code, answer.json()["data"]["attributes"]["notes"]) == (200, None)


def test_a_method_in_the_body_does_not_count(me):
    account_id = made(me, asset())

    created = me.request("POST", "/accounts", data=fields_of(expense(_method="DELETE")))
    wrong = me.request("POST", f"/accounts/{account_id}", data={"_method": "DELETE"})

    assert (created.status_code, wrong.status_code) == (200, 405)
    assert me.request("GET", f"/accounts/{account_id}", headers={"X-HTTP-Method-Override": "DELETE"}).status_code == 200


@pytest.mark.any_database
@pytest.mark.parametrize("content_type", ["application/json", "application/vnd.api+json", "text/plain", "nonsense"])
def test_get_and_delete_may_name_a_content_type_without_a_body(me, content_type):
    account_id, headers = made(me, asset()), {"Content-Type": content_type}

    assert me.request("GET", f"/accounts/{account_id}", headers=headers).status_code == 200
    assert me.request("GET", f"/accounts/{account_id}", headers=headers, content=b"{broken").status_code == 200
    assert me.request("DELETE", f"/accounts/{account_id}", headers=headers).status_code == 204


# Ranges of days


@pytest.mark.any_database
@pytest.mark.parametrize(
    "query",
    [
        "start=&end=",
        "start=2024-01-01&end=",
        "start=2024-01-01",
        "start=2024-01-01&end=2024-01-01",
        "start=2024-01-01&end=2044-01-01",
        "start=2004-02-29&end=2024-02-29",
        "start=2080-02-29&end=2100-02-28",
        "start=9990-01-01&end=9998-12-31",
        "start=2024-01-01T10:00:00Z&end=2024-01-31",
        "start=%202024-01-01%20&end=2024-01-31",
    ],
)
def test_a_range_that_makes_sense_is_accepted(me, query):
    assert me.request("GET", f"/accounts?{query}").status_code == 200


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("start=2024-01-02&end=2024-01-01", ["end", "start"]),
        ("start=2024-01-01&end=2044-01-02", ["end", "start"]),
        ("start=2080-02-29&end=2100-03-01", ["end", "start"]),
        ("start=1000-01-01&end=9998-12-31", ["end", "start"]),
        ("start=2023-02-29&end=2024-01-01", ["start"]),
        ("start=2024-01-01&end=tomorrow", ["end"]),
        ("start=x", ["start"]),
        ("start=x&end=y&date=z", ["date", "end", "start"]),
        ("date=20240101", ["date"]),
    ],
)
def test_a_range_that_makes_none_is_refused_by_name(me, query, wrong):
    found = errors(me.request("GET", f"/accounts?{query}"))

    assert sorted(found) == wrong
    assert all(sentence.endswith(".") for sentences in found.values() for sentence in sentences)


@pytest.mark.parametrize(
    "query",
    [
        "&&&",
        "=",
        "page",
        "page=1&page=abc",
        "%",
        "%zz=1",
        "type=%ff%fe",
        "type=%ed%a0%80",
        "include=%00",
        "a=1&" * 5000,
    ],
)
def test_an_odd_query_harms_nobody(me, query):
    assert me.request("GET", f"/accounts?{query}").status_code == 200
