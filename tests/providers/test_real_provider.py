"""Does it work with a real provider: npm's `oidc-provider`, certified by the OpenID Foundation?"""

from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from farthing.identity import users

from ..cli.conftest import Terminal, settle
from ..conftest import empty_database, running
from ..sessions.browser import Browser, signed_in, somebody
from . import real
from .conftest import CALLBACK, begins, free_port, settings_of
from .real import CLIENT_ID, SignedInThere


@pytest.fixture(scope="module")
def provider(installed):
    with real.serving(free_port(), CALLBACK) as running_provider:
        yield running_provider


@pytest.fixture(scope="module")
def shared(dialect, tmp_path_factory, check_answer, request, provider):
    folder = tmp_path_factory.mktemp("real")
    settings = settings_of("real", provider.issuer, create="1", owner_group="owners", scopes="email groups")
    url = empty_database(dialect, folder, request)
    with contextmanager(running)(url, folder, check_answer, oidc="real", **settings) as world:
        somebody(world)
        yield world


@pytest.fixture
def world(shared):
    shared.time.now = datetime.now(UTC)
    with shared.books.writing() as db:
        db.run("DELETE FROM sign_in_attempts")
    return shared


def signs_in(world, provider, login):
    browser = Browser(world)
    answer = browser.post("/providers/session", provider.lets_in(begins(browser, "real"), login))
    return browser, answer


def test_somebody_new_becomes_a_user(world, provider):
    browser, answer = signs_in(world, provider, "carol")

    assert answer.status_code == 200, answer.text
    shown = answer.json()["data"]["attributes"]
    assert (shown["email"], shown["role"]) == ("carol@provider.example", None)
    assert shown["sign_out_url"] == f"{provider.issuer}/session/end?client_id=farthing"
    assert browser.is_in
    assert signs_in(world, provider, "carol")[1].json()["data"]["attributes"]["user_id"] == shown["user_id"]


def test_a_user_links_it_and_signs_in(world, provider):
    user = somebody(world)
    browser = signed_in(world, user)
    address = browser.post("/identities/start", {"provider": "real"}).json()["data"]["address"]

    linked = browser.post("/identities", provider.lets_in(address, "dan"))

    assert linked.status_code == 200, linked.text
    assert signs_in(world, provider, "dan")[1].json()["data"]["attributes"]["user_id"] == str(user.id)


def test_an_address_that_is_taken_or_not_verified_signs_nobody_in(world, provider):
    somebody(world, "erin@provider.example")
    provider.says_of("frank", email_verified=False)

    assert "exists" in signs_in(world, provider, "erin")[1].json()["errors"]["provider"][0]
    assert "no user was created" in signs_in(world, provider, "frank")[1].json()["errors"]["provider"][0]
    with world.books.reading() as db:
        assert users.find_by_email(db, "frank@provider.example") is None


def test_groups_make_owners(world, provider):
    provider.says_of("grace", groups=["owners"])
    assert signs_in(world, provider, "grace")[1].json()["data"]["attributes"]["role"] == "owner"
    provider.says_of("grace", groups=["others"])
    assert signs_in(world, provider, "grace")[1].json()["data"]["attributes"]["role"] is None


def test_a_code_works_once_at_the_provider_and_here(world, provider):
    browser = Browser(world)
    back = provider.lets_in(begins(browser, "real"), "carol")
    assert browser.post("/providers/session", back).status_code == 200
    another = begins(browser, "real")
    state = dict(pair.split("=") for pair in another.partition("?")[2].split("&"))["state"]

    replayed = browser.post("/providers/session", {**back, "state": state})

    assert replayed.status_code == 422
    assert list(replayed.json()["errors"]) == ["provider"]


def test_a_code_of_another_browser_fails_by_pkce(world, provider):
    """Somebody who has stolen a code still lacks the verifier, which only the browser's cookie makes."""
    victim, thief = Browser(world), Browser(world)
    code = provider.lets_in(begins(victim, "real"), "carol")["code"]
    own = provider.lets_in(begins(thief, "real"), "mallory")

    assert thief.post("/providers/session", {**own, "code": code}).status_code == 422
    assert not thief.is_in


@pytest.mark.any_database
@pytest.mark.long
def test_the_provider_signs_people_out(installed, dialect, tmp_path):
    """Server and provider talk with each other, without any browser between them."""
    port, terminal = free_port(), Terminal(tmp_path)
    settings = settings_of("real", f"http://127.0.0.1:{port}", create="1")
    environment = {f"FARTHING_{name.upper()}": value for name, value in settings.items()}
    with settle(terminal).serving(FARTHING_OIDC="real", **environment) as server:
        callback, sign_out = (f"{server.address}{path}" for path in ("/sign-in/callback", "/api/v1/providers/sign_out"))
        with real.serving(port, callback, sign_out=sign_out) as provider, SignedInThere() as person:
            api = f"{server.address}/api/v1"
            address = person.http.post(f"{api}/providers/start", json={"provider": "real"}).json()["data"]["address"]
            back = person.goes_to(address, "heidi")
            assert person.http.post(f"{api}/providers/session", json=back).status_code == 200
            assert person.http.get(f"{api}/session").status_code == 200

            ended = person.http.get(f"{provider.issuer}/session/end?client_id={CLIENT_ID}")
            form = {"xsrf": ended.text.partition('name="xsrf" value="')[2].partition('"')[0], "logout": "yes"}
            person.http.post(f"{provider.issuer}/session/end/confirm", data=form)

            assert person.http.get(f"{api}/session").status_code == 401
