"""The first run: whoever has the link that the server printed becomes the owner, once; nobody else does."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from farthing.care.doctor import examine
from farthing.identity import links
from farthing.kernel.clock import stamp

from ..sessions.browser import Browser, somebody

PASSWORD = "correct horse battery"


def a_link(world):
    with world.books.writing() as db:
        return links.make_first_run(db, stamp(world.time.now))


def first_run(browser, code, **changes):
    return browser.post("/first_run", {"code": code, "email": "ann@farthing.example", "password": PASSWORD, **changes})


def people(world):
    with world.books.reading() as db:
        return db.all("SELECT email, role FROM users ORDER BY id")


def test_the_link_makes_the_owner_and_signs_them_in(new_world):
    browser = Browser(new_world)
    assert browser.get("/first_run").json()["data"]["needed"] is True

    answer = first_run(browser, a_link(new_world))

    shown = answer.json()["data"]["attributes"]
    assert (answer.status_code, shown["email"], shown["role"]) == (200, "ann@farthing.example", "owner")
    assert browser.is_in
    assert browser.get("/users").status_code == 200
    assert browser.post("/tags", {"tag": "first"}).status_code == 200
    assert browser.get("/first_run").json() == {"data": {"needed": False, "currencies": []}}
    assert Browser(new_world).sign_in("ann@farthing.example", PASSWORD).status_code == 200
    assert list(examine(new_world.books, lambda _: None)) == []


def test_every_currency_is_offered(new_world):
    browser = Browser(new_world)
    offered = browser.get("/first_run").json()["data"]["currencies"]

    first_run(browser, a_link(new_world))

    known = [one["attributes"] for one in browser.get("/currencies", limit=1000).json()["data"]]
    assert [(one["code"], one["name"]) for one in offered] == sorted((one["code"], one["name"]) for one in known)
    assert {"code": "EUR", "name": "Euro"} in offered


def test_the_owner_may_say_where_they_live(new_world):
    browser = Browser(new_world)

    first_run(browser, a_link(new_world), currency_code="JPY", timezone="Asia/Tokyo", language="ja")

    kept = {one["attributes"]["name"]: one["attributes"]["data"] for one in browser.get("/preferences").json()["data"]}
    assert (kept["currencyPreference"], kept["timezone"], kept["language"]) == ("JPY", "Asia/Tokyo", "ja")
    [cash] = browser.get("/accounts").json()["data"]
    assert cash["attributes"]["currency_code"] == "JPY"


def test_without_the_link_nobody_becomes_anything(new_world):
    a_link(new_world)
    browser = Browser(new_world)

    wrong = first_run(browser, "A" * 43)
    none = first_run(browser, None)

    assert (wrong.status_code, list(wrong.json()["errors"])) == (422, ["code"])
    assert (none.status_code, list(none.json()["errors"])) == (422, ["code"])
    assert people(new_world) == []
    assert browser.cookie is None


def test_the_link_works_once(new_world):
    code = a_link(new_world)
    first_run(Browser(new_world), code)

    again = first_run(Browser(new_world), code, email="eve@farthing.example")

    assert (again.status_code, again.json()["message"]) == (409, "This installation already has an owner. Sign in.")
    assert people(new_world) == [("ann@farthing.example", "owner")]


def test_it_does_not_work_a_second_time_even_when_the_owner_is_gone(new_world):
    from farthing.identity import users as store

    code, other = a_link(new_world), a_link(new_world)
    first_run(Browser(new_world), code)
    with new_world.books.writing() as db:
        store.remove(db, store.list_all(db)[0].id)

    for used in (code, other):
        assert first_run(Browser(new_world), used).status_code == 422


def test_it_is_good_for_a_day(new_world):
    code = a_link(new_world)
    new_world.time.now += timedelta(hours=24)

    assert first_run(Browser(new_world), code).status_code == 422


def test_a_sign_in_link_makes_no_owner_and_this_one_signs_nobody_in(new_world):
    code = a_link(new_world)
    assert Browser(new_world).post("/session", {"code": code}).status_code == 422

    user = somebody(new_world)
    with new_world.books.writing() as db:
        sign_in = links.make(db, user.id, stamp(new_world.time.now))
    assert first_run(Browser(new_world), sign_in).status_code == 409
    assert Browser(new_world).post("/session", {"code": sign_in}).status_code == 200


def test_once_there_is_somebody_it_is_closed(new_world):
    code = a_link(new_world)
    somebody(new_world)

    assert first_run(Browser(new_world), code).status_code == 409
    assert len(people(new_world)) == 1


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"email": "no address"}, {"email"}),
        ({"email": None, "password": "short"}, {"email", "password"}),
        ({"password": "ann@farthing.example"}, {"password"}),
        ({"currency_code": "XXX-none"}, {"currency_code"}),
        ({"timezone": "Mars/Base", "language": "klingon"}, {"timezone", "language"}),
    ],
)
def test_everything_that_is_wrong_is_named_and_the_link_still_works(new_world, changes, wrong):
    code, browser = a_link(new_world), Browser(new_world)

    answer = first_run(browser, code, **changes)

    assert (answer.status_code, answer.json()["errors"].keys()) == (422, wrong)
    assert first_run(browser, code).status_code == 200


def test_of_many_at_the_same_moment_one_becomes_the_owner(new_world):
    codes = [a_link(new_world) for _ in range(4)]

    def begin(number):
        from starlette.testclient import TestClient

        http = TestClient(new_world.http.app, base_url="http://farthing.example")
        http.portal = new_world.http.portal  # the loop of the server
        body = {"code": codes[number % 4], "email": f"person{number}@farthing.example", "password": PASSWORD}
        return http.post("/api/v1/first_run", json=body).status_code

    with ThreadPoolExecutor(4) as threads:
        statuses = list(threads.map(begin, range(8)))

    assert statuses.count(200) == 1
    assert set(statuses) <= {200, 409, 422}
    assert [role for _, role in people(new_world)] == ["owner"]


def test_guessing_codes_is_limited(new_world):
    a_link(new_world)

    statuses = [first_run(Browser(new_world), f"wrong{number}").status_code for number in range(31)]

    assert statuses == [422] * 30 + [429]


def test_a_page_from_elsewhere_makes_no_owner(new_world):
    browser = Browser(new_world)
    body = {"code": a_link(new_world), "email": "ann@farthing.example", "password": PASSWORD}

    assert browser.post("/first_run", body, headers={"Origin": "https://evil.example"}).status_code == 403
    assert people(new_world) == []
