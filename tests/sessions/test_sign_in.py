"""Signing in: with a password or a link, into a session of one's own, until it ends."""

from datetime import timedelta

import pytest

from farthing.http.handling.runtime import Timing
from farthing.identity import links, users
from farthing.identity.signing_in import passwords
from farthing.identity.signing_in.passwords import hasher as real_hasher
from farthing.kernel.clock import stamp

from ..accounts.making import asset
from ..conftest import running
from .browser import PASSWORD, Browser, signed_in, somebody

UNAUTHENTICATED = {"message": "Unauthenticated", "exception": "AuthenticationException"}
WRONG = {"password": ["Wrong email address or password."]}


def attributes(response):
    assert response.status_code == 200, response.text
    return response.json()["data"]["attributes"]


def end_of(world, **later):
    return stamp(world.time.now + timedelta(**later))


# With a password


def test_whoever_knows_the_password_is_signed_in(world):
    user, browser = somebody(world), Browser(world)

    shown = attributes(browser.sign_in(user.email))

    assert (shown["email"], shown["user_id"], shown["role"]) == (user.email, str(user.id), user.role)
    assert (shown["device"], shown["current"]) == ("Firefox on Linux", True)
    assert shown["expires_at"] == end_of(world, days=90)
    assert browser.get("/about/user").json()["data"]["attributes"]["email"] == user.email
    assert attributes(browser.get("/session")) == shown


def test_the_address_is_the_same_in_any_case_and_spaces_around_the_password_do_not_count(world):
    user = somebody(world)

    assert Browser(world).sign_in(f" {user.email.upper()} ", f"  {PASSWORD}\n").status_code == 200


def test_a_password_is_the_same_however_its_letters_are_composed(world):
    user = somebody(world, kept=passwords.hash_password("Bl\u00fctenstaub"))

    assert Browser(world).sign_in(user.email, "Blu\u0308tenstaub").status_code == 200


@pytest.mark.parametrize("body", [{}, {"email": "a@b.example"}, {"password": "x"}, {"email": "", "password": " "}])
def test_what_is_missing_is_named(world, body):
    answer = Browser(world).post("/session", body)

    missing = {"email", "password"} - {name for name, value in body.items() if value.strip()}
    assert (answer.status_code, answer.json()["errors"].keys()) == (422, missing)


def test_a_wrong_password_an_unknown_address_and_a_blocked_user_get_the_same_answer(world):
    user, blocked = somebody(world), somebody(world)
    with world.books.writing() as db:
        users.set_blocked(db, blocked.id, True, stamp(world.time.now))
    browser = Browser(world)

    answers = [
        browser.sign_in(user.email, "not the password"),
        browser.sign_in("nobody@farthing.example"),
        browser.sign_in(blocked.email),
        browser.sign_in("no address at all"),
    ]

    assert [(answer.status_code, answer.json()["errors"]) for answer in answers] == [(422, WRONG)] * 4
    assert len({answer.content for answer in answers}) == 1
    assert len({tuple(sorted(answer.headers.keys())) for answer in answers}) == 1
    assert browser.cookie is None


@pytest.fixture
def real_costs(monkeypatch):
    """Of hashing, as on every server."""
    monkeypatch.setattr(passwords, "hasher", real_hasher)


def test_a_password_is_hashed_also_where_there_is_none_to_compare_with(world, monkeypatch, real_costs):
    """So that the time it takes tells nothing: every way leads through argon2 exactly once, with the same costs."""
    from argon2 import PasswordHasher

    costs = []
    verify = PasswordHasher.verify
    monkeypatch.setattr(
        PasswordHasher,
        "verify",
        lambda self, kept, given: costs.append(kept.rsplit("$", 2)[0]) or verify(self, kept, given),
    )
    user = somebody(world, kept=passwords.hash_password(PASSWORD))
    broken = somebody(world, kept="no password")
    for email in (user.email, "nobody@farthing.example", broken.email):
        costs.clear()
        Browser(world).sign_in(email, "not the password")
        # What is no hash at all is found out before anything is computed.
        assert costs[-1].startswith("$argon2id$v=19$m=65536,t=3,p=4")
        assert len([cost for cost in costs if cost.startswith("$argon2id")]) == 1


def test_no_unit_of_work_is_open_while_a_password_is_hashed(world, monkeypatch):
    """Others may write meanwhile; and the event loop is free."""
    import threading

    user, me = somebody(world), world.someone()
    check = passwords.check
    seen = []

    def checking(kept, password):
        seen.append(threading.current_thread().name)
        with world.books.writing() as db:
            users.take(db, me.user.id, token_id=None, now=stamp(world.time.now), doing="test")
        return check(kept, password)

    monkeypatch.setattr(passwords, "check", checking)

    assert Browser(world).sign_in(user.email).status_code == 200
    assert len(seen) == 1
    assert seen[0].startswith("farthing-hashing")


def test_a_hash_of_old_costs_is_renewed_when_its_password_is_given(world, real_costs):
    from argon2 import PasswordHasher

    old = PasswordHasher(time_cost=1, memory_cost=8192).hash(PASSWORD)
    user = somebody(world, kept=old)

    assert Browser(world).sign_in(user.email).status_code == 200

    with world.books.reading() as db:
        kept = users.password_hash(db, user.email)
    assert kept != old
    assert "m=65536,t=3" in kept
    assert Browser(world).sign_in(user.email).status_code == 200


def test_a_password_that_is_changed_while_it_is_checked_no_longer_counts(world, monkeypatch):
    user = somebody(world)
    check = passwords.check

    def checking(kept, password):
        with world.books.writing() as db:
            users.set_password(db, user.id, "another hash", stamp(world.time.now))
        return check(kept, password)

    monkeypatch.setattr(passwords, "check", checking)

    assert Browser(world).sign_in(user.email).json()["errors"] == WRONG


# Cookies


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(world):
    answer = Browser(world).sign_in(somebody(world).email)

    cookies = [line.split("; ") for line in answer.headers.get_list("set-cookie")]
    for (given, *rest), name, days in zip(cookies, ("farthing_session", "farthing_device"), (90, 400), strict=True):
        assert given.startswith(f"{name}=")
        assert rest == ["Path=/", f"Max-Age={days * 86_400}", "HttpOnly", "SameSite=Lax"]
    assert answer.headers["cache-control"] == "no-store"
    assert "etag" not in answer.headers


@pytest.mark.parametrize(
    ("base_url", "name", "rest"),
    [
        ("https://money.example", "__Host-farthing_session", ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"]),
        ("https://home.example/money", "farthing_session", ["Path=/money", "HttpOnly", "SameSite=Lax", "Secure"]),
        ("http://home.example/my/money", "farthing_session", ["Path=/my/money", "HttpOnly", "SameSite=Lax"]),
    ],
)
def test_the_cookie_fits_the_public_address(new_database_url, tmp_path, check_answer, base_url, name, rest):
    for world in running(new_database_url, tmp_path, check_answer, base_url=base_url):
        user = somebody(world)
        answer = world.http.post("/api/v1/session", json={"email": user.email, "password": PASSWORD})

        session, device = answer.headers.get_list("set-cookie")
        given, *attributes = [part for part in session.split("; ") if "Max-Age" not in part]
        secret = given.partition("=")[2]
        assert (given.partition("=")[0], attributes) == (name, rest)
        assert device.startswith(f"{name.replace('session', 'device')}=")
        assert device.endswith("; ".join(rest[1:]))
        world.http.cookies.clear()
        named = world.http.get("/api/v1/session", headers={"Cookie": f"{name}={secret}"})
        assert named.status_code == 200


def test_over_tls_a_cookie_without_the_prefix_does_not_count(new_database_url, tmp_path, check_answer):
    """A neighbouring host name could set that one."""
    for world in running(new_database_url, tmp_path, check_answer, base_url="https://money.example"):
        browser = signed_in(world)
        plain = world.http.get("/api/v1/session", headers={"Cookie": f"farthing_session={browser.cookie}"})
        host = world.http.get("/api/v1/session", headers={"Cookie": f"__Host-farthing_session={browser.cookie}"})

        assert (plain.status_code, host.status_code) == (401, 200)


@pytest.mark.any_database
@pytest.mark.parametrize(("proxies", "is_secure"), [("*", True), ("10.0.0.0/8", False), ("", False)])
def test_tls_is_believed_only_of_proxies_that_are_trusted(new_database_url, tmp_path, check_answer, proxies, is_secure):
    for world in running(new_database_url, tmp_path, check_answer, trusted_proxies=proxies):
        user = somebody(world)
        body = {"email": user.email, "password": PASSWORD}
        answer = world.http.post("/api/v1/session", json=body, headers={"X-Forwarded-Proto": "https"})
        world.http.cookies.clear()

        assert ("Secure" in answer.headers["set-cookie"]) is is_secure
        assert ("strict-transport-security" in answer.headers) is is_secure


def test_a_session_that_somebody_prepared_is_never_entered(world):
    """Fixation: neither a made-up secret nor a real one of the attacker becomes the victim's."""
    user, attacker = somebody(world), signed_in(world)
    for planted in ("A" * 43, attacker.cookie):
        browser = Browser(world, cookie=planted)
        assert browser.sign_in(user.email).status_code == 200
        assert browser.cookie != planted
        thief = Browser(world, cookie=planted)
        assert thief.get("/session").json() == UNAUTHENTICATED


def test_signing_in_again_ends_the_session_that_the_browser_had(world):
    browser = signed_in(world, somebody(world))
    before = Browser(world, cookie=browser.cookie)
    assert before.is_in

    browser.sign_in(somebody(world).email)

    assert browser.is_in
    assert not before.is_in


@pytest.mark.parametrize(
    "cookie",
    ["farthing_session", "farthing_session=", "farthing_session=x", "farthing_session=ü", "farthing_session=%00" * 9,
     "Farthing_Session={}", "x-farthing_session={}", "farthing_session={}x", "; ; =; {}",
     "farthing_session=x; farthing_session={}"],
)  # fmt: skip
def test_only_our_own_cookie_counts(world, cookie):
    secret = signed_in(world).cookie
    sent = {"Cookie": cookie.format(secret).encode("latin-1")}

    assert world.http.get("/api/v1/session", headers=sent).json() == UNAUTHENTICATED


def test_only_a_hash_of_the_secret_is_kept(world):
    browser = signed_in(world)

    with world.books.reading() as db:
        rows = db.all("SELECT * FROM sessions")
    assert rows
    assert not [row for row in rows if browser.cookie in row]


def test_with_a_token_the_cookie_is_not_looked_at(world, me):
    browser = signed_in(world)

    both = browser.request("GET", "/about/user", headers={"Authorization": f"Bearer {me.token}"})
    wrong = browser.request("GET", "/about/user", headers={"Authorization": "Bearer nonsense"})

    assert both.json()["data"]["id"] == str(me.user.id)
    assert (wrong.status_code, wrong.json()) == (401, UNAUTHENTICATED)


# How long


def test_a_session_says_for_how_many_days_a_change_can_be_undone(new_database_url, tmp_path, check_answer):
    for world in running(new_database_url, tmp_path, check_answer, trash_days=7):
        browser = Browser(world)

        shown = attributes(browser.sign_in(somebody(world).email))

        assert shown["undo_days"] == 7
        assert attributes(browser.get("/session"))["undo_days"] == 7


def test_a_session_ends_when_it_was_idle_for_too_long(world):
    browser = signed_in(world)

    world.time.now += timedelta(days=14)

    assert browser.get("/accounts").json() == UNAUTHENTICATED


def test_use_keeps_a_session_alive_but_not_for_ever(new_database_url, tmp_path, check_answer):
    for world in running(new_database_url, tmp_path, check_answer, timing=Timing(gather_uses_s=0)):
        browser = signed_in(world)
        for _ in range(9):  # nearly ninety days, ten at a time
            world.time.now += timedelta(days=10) - timedelta(minutes=1)
            assert browser.is_in
            used(world)

        world.time.now += timedelta(minutes=9)

        assert not browser.is_in


def used(world):
    """Until what was noted is written down, which is done beside the requests."""
    import time

    until = time.monotonic() + 60
    while time.monotonic() < until:
        with world.books.reading() as db:
            if db.value("SELECT MAX(last_used_at) FROM sessions") == stamp(world.time.now):
                return
        time.sleep(0.05)
    raise AssertionError("the last use was not written down")


def test_settings_say_how_long(new_database_url, tmp_path, check_answer):
    for world in running(new_database_url, tmp_path, check_answer, session_idle_hours=1, session_days=2):
        user, browser = somebody(world), Browser(world)
        answer = browser.sign_in(user.email)

        assert "Max-Age=172800;" in answer.headers["set-cookie"]
        assert attributes(answer)["expires_at"] == end_of(world, days=2)
        world.time.now += timedelta(minutes=59)
        assert browser.is_in
        world.time.now += timedelta(minutes=1)
        assert not browser.is_in


# Who is out


def test_the_sessions_of_a_deleted_user_are_gone(world):
    user = somebody(world)
    browser = signed_in(world, user)
    with world.books.writing() as db:
        links.make(db, user.id, stamp(world.time.now))
        users.remove(db, user.id)

    assert browser.get("/accounts").json() == UNAUTHENTICATED


# In use


def test_books_are_kept_in_a_session_as_with_a_token(world):
    browser = signed_in(world)

    made = browser.post("/accounts", asset())
    account_id = made.json()["data"]["id"]
    tag = browser.get(f"/accounts/{account_id}").headers["etag"]
    changed = browser.put(f"/accounts/{account_id}", asset(name="Other"), headers={"If-Match": tag})
    stale = browser.put(f"/accounts/{account_id}", asset(name="Third"), headers={"If-Match": tag})
    same = browser.request("GET", "/accounts", headers={"If-None-Match": browser.get("/accounts").headers["etag"]})

    assert (made.status_code, changed.status_code, stale.status_code, same.status_code) == (200, 200, 412, 304)
    [change, *_] = browser.get("/changes").json()["data"]
    assert change["attributes"]["token_id"] is None
    assert browser.delete(f"/accounts/{account_id}").status_code == 204


def test_signing_in_and_out_is_no_change_of_the_books(world):
    user = somebody(world)
    browser = Browser(world)
    browser.sign_in(user.email)
    tag = browser.get("/accounts").headers["etag"]

    browser.sign_in(user.email)
    signed_in(world, user).delete("/session")

    assert browser.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 304


# Links


def a_link(world, user):
    with world.books.writing() as db:
        return links.make(db, user.id, stamp(world.time.now))


def test_a_link_signs_in_once(world):
    user, browser = somebody(world), Browser(world)
    code = a_link(world, user)

    assert attributes(browser.post("/session", {"code": code}))["email"] == user.email
    again = Browser(world).post("/session", {"code": code})

    assert browser.is_in
    assert again.status_code == 422
    assert again.json()["errors"] == {"code": ["This link was used before, or has expired. Ask for a new one."]}


def test_a_link_is_good_for_a_quarter_of_an_hour(world):
    user = somebody(world)
    early, late = a_link(world, user), a_link(world, user)
    world.time.now += timedelta(minutes=14, seconds=59)
    assert Browser(world).post("/session", {"code": early}).status_code == 200

    world.time.now += timedelta(seconds=1)
    assert Browser(world).post("/session", {"code": late}).status_code == 422


@pytest.mark.parametrize("code", ["x", "A" * 43, "A" * 500, "ü", 7])
def test_a_code_that_is_none_gets_nowhere(world, code):
    answer = Browser(world).post("/session", {"code": code})

    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["code"])


def test_the_code_of_a_link_is_kept_as_a_hash(world):
    code = a_link(world, somebody(world))

    with world.books.reading() as db:
        assert not [row for row in db.all("SELECT * FROM sign_in_links") if code in row]


def test_of_many_who_use_one_link_at_the_same_moment_one_gets_in(world):
    from concurrent.futures import ThreadPoolExecutor

    code = a_link(world, somebody(world))

    def use(_):
        with world.books.writing() as db:
            return links.use(db, code)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(use, range(8)))

    assert len([one for one in found if one]) == 1


# Where from


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://farthing.example"}, 200),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://elsewhere.example"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://farthing.example.evil.example"}, 403),
        ({"Origin": "http://farthing.example:8080"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://farthing.example"}, 403),
    ],
)
def test_nobody_is_signed_in_by_the_page_of_somebody_else(world, headers, status):
    user, browser = somebody(world), Browser(world)

    answer = browser.post("/session", {"email": user.email, "password": PASSWORD}, headers=headers)

    assert answer.status_code == status
    assert (browser.cookie is not None) is (status == 200)


def test_a_browser_that_says_nothing_of_itself_is_an_unknown_device(world):
    assert attributes(Browser(world, agent="").sign_in(somebody(world).email))["device"] == "unknown device"
