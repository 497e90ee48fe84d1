"""Does a provider sign in the right person, and nobody else?"""

from datetime import timedelta
from itertools import count
from urllib.parse import parse_qsl, urlsplit

import pyotp
import pytest

from farthing.identity import users
from farthing.identity.providers import states
from farthing.kernel.clock import stamp

from ..sessions.browser import PASSWORD, Browser, signed_in, somebody
from .conftest import ADDRESS, CALLBACK, begins, comes_back, links

_numbers = count(1)


@pytest.fixture
def name(forger, other):
    """Somebody at both providers whom nobody has seen before."""
    subject = f"person{next(_numbers)}"
    for one in (forger, other):
        one.claims = {"sub": subject}
        one.user_info = {"sub": subject, "email": f"{subject}@provider.example", "email_verified": True}
    return subject


@pytest.fixture
def person(world):
    return somebody(world)


@pytest.fixture
def linked(world, person, forger, name):
    """The person, linked with `home`."""
    answer = links(signed_in(world, person), forger)
    assert answer.status_code == 200, answer.text
    return person


def events(world, user):
    return [one["attributes"]["event"] for one in signed_in(world, user).get("/audit").json()["data"]]


def refusal(answer, field="provider"):
    assert answer.status_code == 422, answer.text
    assert list(answer.json()["errors"]) == [field]
    return answer.json()["errors"][field][0]


def test_the_sign_in_page_learns_which_providers_there_are(world):
    ways = Browser(world).get("/providers").json()["data"]

    assert ways["providers"] == [
        {"id": "home", "name": "Home & Garden"},
        {"id": "new", "name": "New"},
        {"id": "away", "name": "Away"},
    ]
    assert ways["remote_user"] is False


def test_the_provider_is_asked_with_state_nonce_and_pkce(world, forger):
    asked = dict(parse_qsl(urlsplit(begins(Browser(world))).query))

    assert asked.pop("state") != asked.pop("nonce")
    assert len(asked.pop("code_challenge")) == 43
    assert asked == {
        "response_type": "code",
        "client_id": "farthing",
        "redirect_uri": CALLBACK,
        "scope": "openid email profile",
        "code_challenge_method": "S256",
    }


def test_a_linked_person_signs_in(world, linked, forger):
    browser = Browser(world)

    answer = comes_back(browser, forger)

    assert answer.status_code == 200, answer.text
    shown = answer.json()["data"]["attributes"]
    assert shown["email"] == linked.email
    assert shown["has_password"] is True
    assert shown["sign_out_url"] == f"{forger.issuer}/end?client_id=farthing"
    assert browser.is_in
    assert forger.sent["code"] == "a code"
    assert len(forger.sent["code_verifier"]) == 43
    assert events(world, linked)[:2] == ["signed_in", "provider_linked"]


def test_the_callback_leads_to_the_page_that_asked(world):
    def leads_to(query):
        answer = world.http.get(f"/sign-in/callback?{query}", follow_redirects=False)
        assert answer.status_code == 303
        assert answer.headers["cache-control"] == "no-store"
        return answer.headers["location"]

    assert leads_to("code=a%26b&state=c&more=d") == f"{ADDRESS}/#/sign-in/provider?code=a%26b&state=c"
    assert leads_to("error=access_denied&state=link.c") == (
        f"{ADDRESS}/#/settings/security?state=link.c&error=access_denied"
    )
    assert world.http.post("/sign-in/callback").status_code == 405


def test_who_is_not_linked_stays_out_and_no_user_is_made(world, forger, name):
    sentence = refusal(comes_back(Browser(world), forger))

    assert "No user here is linked to this account at Home & Garden." in sentence
    with world.books.reading() as db:
        assert users.find_by_email(db, f"{name}@provider.example") is None


@pytest.mark.parametrize("key", ["home", "new"])
def test_the_same_address_alone_never_links(key, world, forger, other, name):
    owner = somebody(world, f"{name}@provider.example")
    browser = Browser(world)

    sentence = refusal(comes_back(browser, other if key == "new" else forger, key))

    assert "A user with this email address exists" in sentence
    assert not browser.is_in
    assert events(world, owner) == ["provider_refused"]


def test_an_unverified_address_does_not_tell_whether_there_is_such_a_user(world, other, name):
    somebody(world, f"{name}@provider.example")
    other.user_info["email_verified"] = False

    assert "exists" not in refusal(comes_back(Browser(world), other, "new"))


def test_a_new_user_is_made_where_a_setting_allows_it(world, other, name):
    somebody(world)  # there is an owner
    browser = Browser(world)

    answer = comes_back(browser, other, "new")

    shown = answer.json()["data"]["attributes"]
    assert (shown["email"], shown["role"], shown["has_password"]) == (f"{name}@provider.example", None, False)
    assert browser.get("/accounts").status_code == 200
    again = comes_back(Browser(world), other, "new").json()["data"]["attributes"]
    assert again["user_id"] == shown["user_id"]
    assert Browser(world).sign_in(f"{name}@provider.example", "").status_code == 422


@pytest.mark.parametrize(
    "told",
    [
        {"email_verified": False},
        {"email": ""},
        {"email": "two words@x"},
        {"email": None},
        {"email": 7},
        {"email": "\uff52oot@provider.example"},
    ],
)
def test_without_a_verified_address_no_user_is_made(told, world, other, name):
    somebody(world)
    other.user_info |= told

    assert "no user was created" in refusal(comes_back(Browser(world), other, "new"))


def test_the_first_user_is_never_made_by_a_provider(new_world, other, name):
    from farthing.kernel.environment import RawSetting, read_providers

    given = {f"oidc_new_{key}": RawSetting(value) for key, value in
             {"issuer": other.issuer, "client_id": "farthing", "create": "1"}.items()}  # fmt: skip
    provider = read_providers(["new"], given)
    object.__setattr__(new_world.settings, "providers", provider)
    new_world.time.now += timedelta(seconds=other.now - new_world.time.now.timestamp())

    assert "no owner yet" in refusal(comes_back(Browser(new_world), other, "new"))


def test_owners_come_and_go_with_their_group(world, other, name):
    somebody(world)
    with world.books.writing() as db:
        owner = users.list_all(db)[0]
        users.change(db, _with_role(owner, "owner"), stamp(world.time.now))

    def role():
        return comes_back(Browser(world), other, "new").json()["data"]["attributes"]["role"]

    assert role() is None
    other.user_info["groups"] = ["owners", "others"]
    assert role() == "owner"
    other.user_info["groups"] = ["others"]
    assert role() is None


def test_the_last_owner_stays_one(world, other, name):
    somebody(world)
    other.user_info["groups"] = ["owners"]
    mine = comes_back(Browser(world), other, "new").json()["data"]["attributes"]
    assert mine["role"] == "owner"
    with world.books.writing() as db:
        for user in users.list_all(db):
            if user.is_owner and str(user.id) != mine["user_id"]:
                users.change(db, _with_role(user, None), stamp(world.time.now))
    other.user_info["groups"] = []

    assert comes_back(Browser(world), other, "new").json()["data"]["attributes"]["role"] == "owner"


def _with_role(user, role):
    from msgspec import structs

    return structs.replace(user, role=role)


def test_a_blocked_user_stays_out(world, linked, forger):
    with world.books.writing() as db:
        users.set_blocked(db, linked.id, True, stamp(world.time.now))
    browser = Browser(world)

    assert "may not sign in" in refusal(comes_back(browser, forger))
    assert not browser.is_in


def test_the_second_factor_is_asked_for_here_as_well(world, linked, forger):
    with_phone = signed_in(world, linked)
    made = with_phone.post("/factors", {"name": "Phone", "current_password": PASSWORD}).json()["data"]
    app = pyotp.parse_uri(made["attributes"]["address"])
    with_phone.post(f"/factors/{made['id']}/confirm", {"otp": app.at(world.time.now)})
    browser = Browser(world)
    world.time.now += timedelta(seconds=30)
    back = forger.answers(begins(browser))

    # A code that comes along at once is not counted as a guess, so it is not looked at.
    assert list(browser.post("/providers/session", back | {"otp": app.at(world.time.now)}).json()["errors"]) == ["otp"]
    assert not browser.is_in
    assert refusal(browser.post("/providers/session", back | {"otp": "123456"}), "otp")
    assert Browser(world).post("/providers/session", back | {"otp": app.at(world.time.now)}).status_code == 422
    assert browser.post("/providers/session", back | {"otp": app.at(world.time.now)}).status_code == 200
    assert browser.is_in
    assert browser.post("/providers/session", back | {"otp": app.at(world.time.now)}).status_code == 422


def test_guessing_the_second_factor_is_limited(world, linked, forger):
    with_phone = signed_in(world, linked)
    made = with_phone.post("/factors", {"name": "Phone", "current_password": PASSWORD}).json()["data"]
    app = pyotp.parse_uri(made["attributes"]["address"])
    with_phone.post(f"/factors/{made['id']}/confirm", {"otp": app.at(world.time.now)})
    browser = Browser(world)
    back = forger.answers(begins(browser))
    browser.post("/providers/session", back)

    statuses = [browser.post("/providers/session", back | {"otp": f"{n:06}"}).status_code for n in range(15)]

    assert statuses[0] == 422
    assert statuses[-1] == 429


def test_a_state_works_once_soon_and_in_one_browser(world, linked, forger):
    browser, thief = Browser(world), Browser(world)
    begins(thief)
    back = forger.answers(begins(browser))

    assert refusal(thief.post("/providers/session", back), "state")
    assert refusal(Browser(world).post("/providers/session", back), "state")
    assert browser.post("/providers/session", back).status_code == 200
    assert refusal(browser.post("/providers/session", back), "state")
    late = forger.answers(begins(browser))
    world.time.now += states.LASTS
    assert refusal(browser.post("/providers/session", late), "state")


def test_two_tabs_do_not_disturb_each_other(world, linked, forger):
    browser = Browser(world)
    first, second = begins(browser), begins(browser)

    assert browser.post("/providers/session", forger.answers(second)).status_code == 200
    assert browser.post("/providers/session", forger.answers(first)).status_code == 200


def test_states_and_browsers_are_only_hashes_here_and_swept(world, forger):
    browser = Browser(world)
    address = begins(browser)
    state = dict(parse_qsl(urlsplit(address).query))["state"]
    with world.books.reading() as db:
        rows = db.all("SELECT * FROM provider_states")
    assert rows
    assert not [row for row in rows if state in row or browser.trip in row]

    with world.books.writing() as db:
        states.forget_old(db, stamp(world.time.now + states.LASTS))
        assert db.all("SELECT * FROM provider_states") == []


def test_beginning_is_limited(world, forger):
    statuses = [Browser(world).post("/providers/start", {"provider": "home"}).status_code for _ in range(32)]

    assert statuses[0] == 200
    assert statuses[-1] == 429


def test_what_is_missing_or_unknown_is_named(world, forger):
    browser = Browser(world)

    assert refusal(browser.post("/providers/start", {}), "provider")
    assert refusal(browser.post("/providers/start", {"provider": "nobody"}), "provider")
    assert list(browser.post("/providers/session", {}).json()["errors"]) == ["state", "code"]
    assert refusal(browser.post("/providers/session", {"state": "made up", "code": "x"}), "state")


def test_the_provider_may_refuse(world, forger):
    browser = Browser(world)
    state = forger.answers(begins(browser))["state"]

    assert "did not let you in" in refusal(
        browser.post("/providers/session", {"state": state, "error": "access_denied"})
    )
    assert refusal(browser.post("/providers/session", {"state": state, "code": "x"}), "state")


def test_a_page_of_another_site_begins_nothing(world, forger):
    for path in ("/providers/start", "/providers/session", "/providers/remote_user"):
        answer = Browser(world).post(path, {"provider": "home"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403, path


def test_signing_out_at_the_provider_ends_its_sessions_here(world, linked, forger):
    forger.claims["sid"] = "session 1"
    browser, second = Browser(world), Browser(world)
    comes_back(browser, forger)
    forger.claims["sid"] = "session 2"
    comes_back(second, forger)
    event = {"http://schemas.openid.net/event/backchannel-logout": {}}
    order = {
        "iss": forger.issuer, "aud": "farthing", "iat": forger.now, "exp": forger.now + 60, "jti": "1", "events": event
    }  # fmt: skip

    def tells(**claims):
        return world.http.post(
            "/api/v1/providers/sign_out", data={"logout_token": forger.sign(order | claims)}
        ).status_code

    assert tells(sid="session 1", nonce="x") == 400
    assert tells(sid="session 1", aud="another") == 400
    assert tells(sid="session 1", events={}) == 400
    assert tells(sid="session 1", iat=forger.now - 3600) == 400
    assert tells() == 400
    assert world.http.post("/api/v1/providers/sign_out", data={"logout_token": "x.y.z"}).status_code == 400
    assert browser.is_in
    assert tells(sid="session 1") == 204
    assert (browser.is_in, second.is_in) == (False, True)
    assert tells(sub=forger.claims["sub"]) == 204
    assert not second.is_in
    assert "signed_out_by_provider" in events(world, linked)
