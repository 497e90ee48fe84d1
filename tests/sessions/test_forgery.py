"""Forged requests: what a cookie authorises must prove that it comes from a page of ours, on every route."""

import re

import pytest

from ..accounts.making import asset
from ..attachments.making import attached
from ..conftest import Client
from ..versions import ALL
from .browser import Browser, signed_in

FORGED = "CsrfTokenMismatchException"
UNSAFE = [(path, route) for path, route in ALL if route.method != "GET" and not route.is_open]


def address(path):
    return re.sub(r"{\w+}", "1", path.replace("{day}", "2024-05-01"))


def refused(answer):
    return answer.status_code == 403 and answer.json()["exception"] == FORGED


@pytest.mark.any_database
@pytest.mark.parametrize(("path", "route"), UNSAFE, ids=[f"{route.method} {path}" for path, route in UNSAFE])
def test_every_route_that_changes_something_wants_the_token_of_this_very_session(path, route, world):
    browser, other = signed_in(world), signed_in(world)
    good = browser.csrf

    for wrong in (None, "", "x", other.csrf, good[:-1], f"{good}x", good.swapcase(), browser.cookie):
        headers = {} if wrong is None else {"X-CSRF-Token": wrong}
        browser.csrf = None
        assert refused(browser.request(route.method, address(path), json={}, headers=headers)), wrong
    for foreign in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        headers = {"X-CSRF-Token": good, **foreign}
        assert refused(browser.request(route.method, address(path), json={}, headers=headers)), foreign
    ours = {"X-CSRF-Token": good, "Origin": "http://farthing.example"}
    assert not refused(browser.request(route.method, address(path), json={}, headers=ours))


def test_nothing_happens_without_it(world):
    browser = signed_in(world)
    account_id = browser.post("/accounts", asset()).json()["data"]["id"]
    before = browser.get("/accounts").content
    forged = Browser(world, cookie=browser.cookie)

    answers = [
        forged.post("/accounts", asset(name="Theirs")),
        forged.request("POST", "/accounts", data={"name": "Theirs", "type": "expense", "active": "1"}),
        forged.put(f"/accounts/{account_id}", asset(name="Theirs")),
        forged.delete(f"/accounts/{account_id}"),
        forged.delete("/sessions"),
    ]

    assert all(refused(answer) for answer in answers)
    assert browser.get("/accounts").content == before
    assert browser.is_in


def test_an_upload_is_refused_before_anything_of_it_is_kept(world):
    browser = signed_in(world)
    account = browser.post("/accounts", asset()).json()["data"]["id"]
    client = Client(world.http, "", None, world.check)  # type: ignore[arg-type]
    client.request = browser.request  # type: ignore[method-assign]
    attachment_id = attached(client, b"mine")
    forged = Browser(world, cookie=browser.cookie)
    incoming = world.settings.data / "attachments"
    before = sorted(incoming.rglob("*"))

    raw = forged.request("POST", f"/attachments/{attachment_id}/upload", content=b"theirs")
    part = forged.request("POST", "/attachments", files={"file": ("a.txt", b"theirs")}, data={"filename": "a.txt"})

    assert refused(raw)
    assert refused(part)
    assert sorted(incoming.rglob("*")) == before
    assert browser.get(f"/attachments/{attachment_id}/download").content == b"mine"
    assert account


def test_a_token_needs_none(me):
    answer = me.request("POST", "/accounts", json=asset(), headers={"Origin": "https://evil.example"})

    assert answer.status_code == 200


def test_reading_needs_none(world):
    browser = signed_in(world)
    browser.csrf = None

    for method in ("GET", "HEAD"):
        headers = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert browser.request(method, "/accounts", headers=headers).status_code == 200


def test_an_ended_session_is_401_whatever_token_comes_along(world):
    browser = signed_in(world)
    browser.delete("/session")
    gone = Browser(world, cookie="A" * 43, csrf=browser.csrf)

    assert gone.post("/accounts", asset()).status_code == 401


def test_the_public_address_counts_as_ours_behind_a_proxy_that_changes_the_host(
    new_database_url, tmp_path, check_answer
):
    from ..conftest import running

    settings = {"base_url": "http://money.example/books", "trusted_proxies": "*"}
    for world in running(new_database_url, tmp_path, check_answer, **settings):
        browser = signed_in(world)
        for origin, status in (("http://money.example", 200), ("http://money.example:81", 403)):
            headers = {"Origin": origin, "Host": "127.0.0.1:8000", "X-Forwarded-Host": "money.example"}
            assert browser.post("/accounts", asset(name=origin), headers=headers).status_code == status
