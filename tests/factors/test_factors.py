"""Does the password alone let nobody in who has a second factor, and does the factor work once at a time?"""

from datetime import timedelta

import pyotp
import pytest

from farthing.identity import links
from farthing.kernel.clock import stamp

from ..sessions.browser import PASSWORD, Browser, somebody
from ..sessions.browser import signed_in as opened


@pytest.fixture
def person(world):
    return somebody(world)


def signed_in(world, person, **more):
    browser = Browser(world)
    return browser, browser.post("/session", {"email": person.email, "password": PASSWORD, **more})


class Phone:
    """An authenticator app; its clock is that of the world."""

    def __init__(self, world, browser):
        self._world = world
        made = browser.post("/factors", {"name": "Phone", "current_password": PASSWORD})
        assert made.status_code == 200, made.text
        self.id, self.shown = made.json()["data"]["id"], made.json()["data"]["attributes"]
        self._app = pyotp.parse_uri(self.shown["address"])

    def code(self, seconds=0):
        return self._app.at(self._world.time.now + timedelta(seconds=seconds))

    def next_code(self):
        """Each works once: half a minute passes."""
        self._world.time.now += timedelta(seconds=30)
        return self.code()


@pytest.fixture
def browser(world, person):
    return signed_in(world, person)[0]


@pytest.fixture
def phone(world, browser):
    return Phone(world, browser)


@pytest.fixture
def recovery(browser, phone):
    """The person has a second factor, and these codes."""
    answer = browser.post(f"/factors/{phone.id}/confirm", {"otp": phone.code()})
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]["recovery_codes"]


def test_an_app_that_was_never_confirmed_is_not_asked_for(world, person, browser, phone):
    assert phone.shown["secret"] in phone.shown["address"]
    assert phone.shown["picture"].startswith("<svg")
    assert browser.post(f"/factors/{phone.id}/confirm", {"otp": "000000"}).status_code == 422

    assert browser.get("/factors").json()["data"] == []
    assert signed_in(world, person)[1].status_code == 200


def test_no_session_before_the_second_factor(world, person, phone, recovery):
    browser, asked = signed_in(world, person)

    assert asked.status_code == 422
    assert list(asked.json()["errors"]) == ["otp"]
    assert "set-cookie" not in asked.headers
    assert browser.get("/accounts").status_code == 401
    wrong = signed_in(world, person, otp="123456")[1]
    assert (wrong.status_code, list(wrong.json()["errors"])) == (422, ["otp"])
    assert signed_in(world, person, otp=phone.next_code())[1].status_code == 200


def test_a_wrong_password_says_nothing_of_the_second_factor(world, person, recovery):
    answer = Browser(world).post("/session", {"email": person.email, "password": "wrong one"})

    assert list(answer.json()["errors"]) == ["password"]


def test_a_code_works_once_and_not_for_long(world, person, phone, recovery):
    code, old = phone.next_code(), phone.code(-60)
    assert signed_in(world, person, otp=code)[1].status_code == 200

    assert signed_in(world, person, otp=code)[1].status_code == 422
    assert signed_in(world, person, otp=old)[1].status_code == 422
    assert signed_in(world, person, otp=f" {phone.code(30)[:3]} {phone.code(30)[3:]} ")[1].status_code == 200


def test_a_recovery_code_works_once(world, person, recovery):
    assert len(set(recovery)) == 10
    assert signed_in(world, person, otp=recovery[0])[1].status_code == 200
    assert signed_in(world, person, otp=recovery[0])[1].status_code == 422
    assert signed_in(world, person, otp=recovery[1].upper().replace("-", " "))[1].status_code == 200


def test_whoever_knows_the_password_guesses_ten_codes(world, person, browser, phone, recovery):
    """The right password on its own, a link and the settings do not begin the count anew."""

    def clears_the_password():
        assert signed_in(world, person)[1].status_code == 422
        assert thief.post("/factors", {"name": "Other", "current_password": PASSWORD}).status_code == 200

    def guess(way, code):
        clears_the_password()
        if way == "password":
            return signed_in(world, person, otp=code)[1]
        if way == "link":
            with world.books.writing() as db:
                link = links.make(db, person.id, stamp(world.time.now))
            return Browser(world).post("/session", {"code": link, "otp": code})
        return thief.request("DELETE", f"/factors/{phone.id}", json={"otp": code})

    thief = opened(world, person)
    ways = ["password", "password", "link", "settings", "link"] * 3
    statuses = [guess(way, f"{n:06}" if n % 2 else f"abcd-{n:04}").status_code for n, way in enumerate(ways)]

    assert statuses == [422] * 10 + [429] * 5
    assert guess("password", recovery[0]).status_code == 429
    # Her own browser does not wait for strangers, and a right code there does not help them.
    assert (
        browser.post("/session", {"email": person.email, "password": PASSWORD, "otp": recovery[0]}).status_code == 200
    )
    assert guess("password", recovery[1]).status_code == 429
    world.time.now += timedelta(minutes=15)
    assert guess("settings", "123456").status_code == 422
    assert guess("password", recovery[1]).status_code == 200
    assert [guess("password", "123456").status_code for _ in range(11)] == [422] * 10 + [429]


def test_a_known_browser_is_good_for_ten_codes_as_well(world, person, browser, recovery):
    """A new password resets what its browser has failed, but no codes."""

    def guess():
        same = {"password": PASSWORD + "!", "current_password": PASSWORD}
        back = {"password": PASSWORD, "current_password": PASSWORD + "!"}
        assert browser.put("/password", same).status_code == browser.put("/password", back).status_code == 200
        return browser.post("/factors/recovery_codes", {"otp": "123456"}).status_code

    assert [guess() for _ in range(12)] == [422] * 10 + [429] * 2


def test_new_recovery_codes_take_a_proof_and_replace_the_old(world, browser, phone, person, recovery):
    assert browser.post("/factors/recovery_codes", {"otp": "123456"}).status_code == 422
    new = browser.post("/factors/recovery_codes", {"otp": phone.next_code()}).json()["data"]["recovery_codes"]

    assert set(new).isdisjoint(recovery)
    assert signed_in(world, person, otp=recovery[0])[1].status_code == 422
    assert signed_in(world, person, otp=new[0])[1].status_code == 200


def test_a_factor_is_removed_with_a_proof_only(world, browser, phone, person, recovery):
    assert browser.request("DELETE", f"/factors/{phone.id}", json={}).status_code == 422
    assert browser.request("DELETE", f"/factors/{phone.id}", json={"otp": "123456"}).status_code == 422

    assert browser.request("DELETE", f"/factors/{phone.id}", json={"otp": phone.next_code()}).status_code == 204
    assert signed_in(world, person)[1].status_code == 200


def test_it_is_set_up_with_the_password_and_never_with_a_token(world, browser, me):
    wrong = browser.post("/factors", {"name": "Phone", "current_password": "not it"})

    assert (wrong.status_code, list(wrong.json()["errors"])) == (422, ["current_password"])
    assert me.post("/factors", {"name": "Phone", "current_password": PASSWORD}).status_code == 403


def test_the_preference_tells_the_truth(browser, phone, me):
    def told():
        return browser.get("/preferences/twoFactorAuthEnabled").json()["data"]["attributes"]["data"]

    assert told() is False
    refused = browser.put("/preferences/twoFactorAuthEnabled", {"data": True})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["data"])
    browser.post(f"/factors/{phone.id}/confirm", {"otp": phone.code()})

    assert told() is True
    assert browser.put("/preferences/twoFactorAuthEnabled", {"data": "1"}).status_code == 200
    assert browser.put("/preferences/twoFactorAuthEnabled", {"data": False}).status_code == 422


def test_a_sign_in_link_is_used_up_by_the_second_factor_only(world, person, phone, recovery):
    from farthing.identity import links
    from farthing.kernel.clock import stamp

    with world.books.writing() as db:
        code = links.make(db, person.id, stamp(world.time.now))

    asked = Browser(world).post("/session", {"code": code})
    assert list(asked.json()["errors"]) == ["otp"]
    assert Browser(world).post("/session", {"code": code, "otp": "123456"}).status_code == 422
    assert Browser(world).post("/session", {"code": code, "otp": phone.next_code()}).status_code == 200
    assert Browser(world).post("/session", {"code": code, "otp": phone.next_code()}).status_code == 422


def test_the_audit_knows(browser, world, person, phone, recovery):
    signed_in(world, person, otp="123456")

    events = [one["attributes"]["event"] for one in browser.get("/audit").json()["data"]]
    assert events == ["second_factor_refused", "factor_added", "signed_in"]
