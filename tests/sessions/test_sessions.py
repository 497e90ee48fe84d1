"""Where one is signed in: seen, ended one by one or all at once; and the password."""

from datetime import timedelta

import pytest

from farthing.identity import links, tokens
from farthing.identity.sessions import name_device
from farthing.kernel.clock import stamp

from .browser import PASSWORD, Browser, signed_in, somebody

CURL = "curl/8.5.0"


def shown(browser):
    return [(one["attributes"]["device"], one["attributes"]["current"]) for one in listed(browser)]


def listed(browser):
    answer = browser.get("/sessions")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["data"]


def test_sessions_are_listed_the_last_used_first(world):
    user = somebody(world)
    laptop = signed_in(world, user)
    world.time.now += timedelta(hours=1)
    script = signed_in(world, user, agent=CURL)
    signed_in(world)

    assert shown(laptop) == [("curl/8.5.0", False), ("Firefox on Linux", True)]
    assert shown(script) == [("curl/8.5.0", True), ("Firefox on Linux", False)]
    [newest, oldest] = listed(laptop)
    assert newest["attributes"]["created_at"] == stamp(world.time.now)
    assert oldest["attributes"]["expires_at"] == stamp(world.time.now - timedelta(hours=1) + timedelta(days=90))
    # Not the laptop's own: that it was used just now is written down a second later.
    assert laptop.get(f"/sessions/{newest['id']}").json()["data"] == newest
    assert "csrf" not in laptop.get("/sessions").text


def test_what_has_ended_is_not_listed(world):
    user = somebody(world)
    signed_in(world, user)
    world.time.now += timedelta(days=15)

    assert len(listed(signed_in(world, user))) == 1


def test_sessions_come_in_pages(world):
    user = somebody(world)
    browsers = [signed_in(world, user) for _ in range(3)]

    answer = browsers[0].get("/sessions", limit=2, page=2).json()

    assert (len(answer["data"]), answer["meta"]["pagination"]["total"]) == (1, 3)


def test_signing_out_here_ends_this_session_alone(world):
    user = somebody(world)
    here, there = signed_in(world, user), signed_in(world, user)
    copied = Browser(world, cookie=here.cookie)

    answer = here.delete("/session")

    assert answer.status_code == 204
    assert answer.headers["set-cookie"] == "farthing_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
    assert not copied.is_in
    assert there.is_in


def test_one_session_can_be_ended_from_another(world):
    user = somebody(world)
    here, there = signed_in(world, user), signed_in(world, user)
    [other] = [one["id"] for one in listed(here) if not one["attributes"]["current"]]

    answer = here.delete(f"/sessions/{other}")

    assert (answer.status_code, "set-cookie" in answer.headers) == (204, False)
    assert not there.is_in
    assert here.is_in
    assert here.delete(f"/sessions/{other}").status_code == 404


def test_ending_ones_own_by_its_id_signs_out(world):
    browser = signed_in(world)
    [mine] = listed(browser)

    answer = browser.delete(f"/sessions/{mine['id']}")

    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert browser.cookie is None


@pytest.mark.parametrize(
    ("query", "stays"), [("", False), ("?others=0", False), ("?others=1", True), ("?others=TRUE", True)]
)
def test_signing_out_everywhere(world, query, stays):
    user = somebody(world)
    browsers = [signed_in(world, user) for _ in range(3)]
    stranger, here = signed_in(world), browsers[0]

    answer = here.delete(f"/sessions{query}")

    assert answer.status_code == 204
    assert ("set-cookie" in answer.headers) is not stays
    assert [browser.is_in for browser in browsers] == [stays, False, False]
    assert stranger.is_in


def test_a_token_sees_and_ends_sessions_but_has_none(world, me):
    browser = signed_in(world, me.user)

    assert me.get("/session").status_code == 404
    assert me.delete("/session").status_code == 404
    [one] = me.get("/sessions").json()["data"]
    assert one["attributes"]["current"] is False
    assert me.delete("/sessions").status_code == 204
    assert not browser.is_in
    assert me.get("/sessions").json()["data"] == []


def test_without_a_session_there_is_none(world):
    assert Browser(world).get("/session").status_code == 401
    assert Browser(world).delete("/session").status_code == 401


# The password

NEW = "a better password"


def change(browser, current=PASSWORD, new=NEW):
    return browser.put("/password", {"current_password": current, "password": new})


def test_a_new_password_ends_every_other_session_and_every_link(world):
    user = somebody(world)
    here, there = signed_in(world, user), signed_in(world, user)
    copied = Browser(world, cookie=here.cookie)
    with world.books.writing() as db:
        code = links.make(db, user.id, stamp(world.time.now))

    answer = change(here)

    assert answer.status_code == 200
    assert answer.json()["data"]["attributes"]["email"] == user.email
    assert here.is_in
    assert not there.is_in
    assert not copied.is_in, "whoever has copied the cookie is out, too"
    assert here.post("/tags", {"tag": "new"}).status_code == 200
    assert Browser(world).post("/session", {"code": code}).status_code == 422
    assert Browser(world).sign_in(user.email).status_code == 422
    assert Browser(world).sign_in(user.email, NEW).status_code == 200


def test_tokens_outlive_a_new_password(world):
    user = somebody(world)
    with world.books.writing() as db:
        token = tokens.issue(db, user.id, "phone", None, stamp(world.time.now))
    assert change(signed_in(world, user)).status_code == 200

    headers = {"Authorization": f"Bearer {token}"}
    assert Browser(world).request("GET", "/about/user", headers=headers).status_code == 200


def test_a_new_password_revokes_tokens_if_it_is_asked_to(world):
    user = somebody(world)
    browser = signed_in(world, user)
    with world.books.writing() as db:
        token = tokens.issue(db, user.id, "phone", None, stamp(world.time.now))
    headers = {"Authorization": f"Bearer {token}"}

    body = {"current_password": PASSWORD, "password": NEW, "end_tokens": True}
    assert browser.put("/password", body).status_code == 200

    assert Browser(world).request("GET", "/about/user", headers=headers).status_code == 401
    assert browser.is_in


def test_the_current_password_is_needed(world):
    user = somebody(world)
    here, there = signed_in(world, user), signed_in(world, user)

    answer = change(here, current="not this one")

    assert answer.json()["errors"] == {"current_password": ["This is not the current password."]}
    assert there.is_in
    assert Browser(world).sign_in(user.email).status_code == 200


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {"current_password", "password"}),
        ({"current_password": PASSWORD}, {"password"}),
        ({"current_password": PASSWORD, "password": "short"}, {"password"}),
        ({"current_password": PASSWORD, "password": "x" * 1001}, {"password"}),
        ({"current_password": PASSWORD, "password": "   short   "}, {"password"}),
        ({"password": ["a", "list"]}, {"current_password", "password"}),
    ],
)
def test_a_password_that_will_not_do_is_refused_by_name(world, body, wrong):
    answer = signed_in(world).put("/password", body)

    assert (answer.status_code, answer.json()["errors"].keys()) == (422, wrong)


def test_the_address_is_no_password(world):
    user = somebody(world)

    answer = change(signed_in(world, user), new=user.email.upper())

    assert answer.json()["errors"] == {"password": ["The password may not be the email address."]}


def test_a_token_cannot_change_the_password(me):
    answer = me.put("/password", {"current_password": PASSWORD, "password": NEW})

    assert answer.status_code == 403
    assert answer.json()["message"].startswith("A token cannot change the password")


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0.0.0 Safari/537.36", "Chrome on Windows"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15", "Safari on macOS"),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("<script>alert(1)</script> x", "<script>alert(1)</script>"),
        ("\x00\x07", "unknown device"),
        ("", "unknown device"),
        ("x" * 5000, "x" * 80),
    ],
)  # fmt: skip
def test_a_device_goes_by_a_name_that_people_know(agent, device):
    assert name_device(agent) == device
