"""Is a proxy believed that has asked already, and nobody else?"""

from contextlib import contextmanager

import pytest

from farthing.identity import users
from farthing.kernel.clock import stamp

from ..conftest import running
from ..sessions.browser import Browser, signed_in, somebody

HEADER = "Remote-Email"


@pytest.fixture
def behind(new_database_url, tmp_path, check_answer):
    """An app that the proxy at `testclient`'s address may name users to."""

    @contextmanager
    def at(**settings):
        with contextmanager(running)(
            new_database_url,
            tmp_path,
            check_answer,
            remote_user_header=HEADER,
            trusted_proxies="127.0.0.0/8",
            **settings,
        ) as world:
            yield world

    return at


def from_address(world, address):
    """The same app, asked from elsewhere."""
    world.http._transport._client = (address, 50000)
    return Browser(world)


def enters(browser, email=None, body=None, **headers):
    sent = {HEADER: email} if email else {}
    return browser.post("/providers/remote_user", body or {}, headers=sent | headers)


def test_the_proxy_signs_people_in(behind):
    with behind() as world:
        user = somebody(world)
        browser = from_address(world, "127.0.0.1")

        assert browser.request("GET", "/providers", headers={HEADER: user.email}).json()["data"]["remote_user"] is True
        answer = enters(browser, user.email.upper())

        assert answer.status_code == 200, answer.text
        assert answer.json()["data"]["attributes"]["email"] == user.email
        assert browser.is_in


def test_the_header_is_refused_from_anybody_else_at_every_address(behind):
    with behind() as world:
        user = somebody(world)
        stranger = from_address(world, "203.0.113.7")

        for method, path in (("POST", "/providers/remote_user"), ("GET", "/about"), ("GET", "/api/v1/session")):
            answer = stranger.request(method, path, headers={HEADER: user.email})
            assert answer.status_code == 403, path
            assert "only from trusted proxies" in answer.json()["message"]
        assert world.http.get("/", headers={HEADER.lower(): user.email}).status_code == 403
        assert not stranger.is_in
        assert enters(stranger).status_code == 422


def test_a_header_that_came_twice_is_refused(behind):
    with behind() as world:
        user = somebody(world)
        from_address(world, "127.0.0.1")

        answer = world.http.post(
            "/api/v1/providers/remote_user", headers=[(HEADER, "mallory@x.example"), (HEADER, user.email)], json={}
        )

        assert answer.status_code == 403


def test_the_header_counts_at_one_address_only(behind):
    with behind() as world:
        user = somebody(world)
        browser = from_address(world, "127.0.0.1")

        assert browser.request("GET", "/accounts", headers={HEADER: user.email}).status_code == 401


def test_without_the_setting_the_header_means_nothing(new_world):
    user = somebody(new_world)

    assert enters(Browser(new_world), user.email).status_code == 422


def test_a_page_of_another_site_signs_nobody_in(behind):
    with behind() as world:
        user = somebody(world)
        browser = from_address(world, "127.0.0.1")

        assert enters(browser, user.email, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
        assert not browser.is_in


def test_who_is_unknown_or_blocked_stays_out(behind):
    with behind() as world:
        user = somebody(world)
        browser = from_address(world, "127.0.0.1")
        assert "No user here" in enters(browser, "new@x.example").json()["errors"]["remote_user"][0]
        with world.books.writing() as db:
            users.set_blocked(db, user.id, True, stamp(world.time.now))

        assert "may not sign in" in enters(browser, user.email).json()["errors"]["remote_user"][0]
        assert not browser.is_in


@pytest.mark.parametrize("create", ["0", "1"])
def test_what_only_looks_like_an_address_is_not_that_address(behind, create):
    with behind(remote_user_create=create) as world:
        somebody(world, "kassis@farthing.example")
        browser = from_address(world, "127.0.0.1")

        for first in ("\uff4b", "\u212a"):
            assert enters(browser, f"{first}assis@farthing.example".encode()).status_code == 422
        for looks in ("ka\u00dfis", "ka\u017fsis"):
            refused = enters(browser, f"{looks}@farthing.example".encode())
            assert "looks like that of a user here" in refused.json()["errors"]["remote_user"][0]
        assert not browser.is_in
        with world.books.reading() as db:
            assert [user.email for user in users.list_all(db)] == ["kassis@farthing.example"]
        assert enters(browser, "Kassis@Farthing.example").status_code == 200


def test_a_user_is_made_where_a_setting_allows_it_but_never_the_first(behind):
    with behind(remote_user_create="1") as world:
        browser = from_address(world, "127.0.0.1")
        assert "no owner yet" in enters(browser, "new@x.example").json()["errors"]["remote_user"][0]
        somebody(world)

        shown = enters(browser, "new@x.example").json()["data"]["attributes"]

        assert (shown["email"], shown["role"], shown["has_password"]) == ("new@x.example", None, False)
        assert enters(browser, "not an address").status_code == 422


def test_the_second_factor_is_asked_for(behind):
    import pyotp

    from ..sessions.browser import PASSWORD

    with behind() as world:
        user = somebody(world)
        from_address(world, "127.0.0.1")
        with_phone = signed_in(world, user)
        made = with_phone.post("/factors", {"name": "Phone", "current_password": PASSWORD}).json()["data"]
        app = pyotp.parse_uri(made["attributes"]["address"])
        codes = with_phone.post(f"/factors/{made['id']}/confirm", {"otp": app.at(world.time.now)}).json()["data"]
        browser = Browser(world)

        assert list(enters(browser, user.email).json()["errors"]) == ["otp"]
        assert not browser.is_in
        guesses = [enters(browser, user.email, {"otp": f"{n:06}"}).status_code for n in range(15)]
        assert (guesses[0], guesses[-1]) == (422, 429)
        with world.books.writing() as db:
            db.run("DELETE FROM sign_in_attempts")
        assert enters(browser, user.email, {"otp": codes["recovery_codes"][0]}).status_code == 200
