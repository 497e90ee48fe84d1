"""Does an app get what somebody agreed to, no more, and for no longer?"""

import base64
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from requests.adapters import BaseAdapter

from farthing.identity import scopes
from farthing.identity.sharing import members
from farthing.identity.user import Share
from farthing.kernel.clock import stamp

from ..accounts.making import asset
from ..conftest import Client
from ..sessions.browser import PASSWORD, signed_in, somebody
from .app import REDIRECT, STATE, Proof, registered


@pytest.fixture
def browser(world):
    return signed_in(world)


@pytest.fixture
def app(browser):
    return registered(browser)


class Wire(BaseAdapter):
    """Brings what the library sends to the app under test."""

    def __init__(self, world):
        super().__init__()
        self._http = world.http

    def send(self, request, **_options):
        answer = self._http.request(
            request.method, request.url, headers=dict(request.headers), content=request.body, follow_redirects=False
        )
        got = requests.Response()
        got.status_code, got._content, got.request, got.url = answer.status_code, answer.content, request, request.url
        got.headers.update(answer.headers)
        return got

    def close(self):
        pass


@pytest.mark.parametrize("how", ["none", "client_secret_basic", "client_secret_post"])
def test_the_whole_way_with_the_client_of_another_library(world, browser, how):
    """Authlib finds everything in the description of the server, and knows nothing of ours."""
    third = registered(browser, confidential=how != "none")
    base = "http://farthing.example"
    client = OAuth2Session(
        third.client_id,
        third.secret,
        scope="accounts:write",
        redirect_uri=REDIRECT,
        token_endpoint_auth_method=how,
        code_challenge_method="S256",
    )
    client.mount("http://", Wire(world))
    described = client.request("GET", f"{base}/.well-known/oauth-authorization-server", withhold_token=True).json()
    assert described["issuer"] == base
    assert how in described["token_endpoint_auth_methods_supported"]
    verifier = Proof().verifier

    address, state = client.create_authorization_url(described["authorization_endpoint"], code_verifier=verifier)
    page = client.get(address, withhold_token=True, allow_redirects=False).headers["location"]
    asked = dict(pair.split("=", 1) for pair in page.partition("#/oauth/authorize?")[2].split("&"))
    assert asked["state"] == state
    came_back = third.decide(code_challenge=asked["code_challenge"], state=state, scope="accounts:write").json()[
        "data"
    ]["redirect"]
    tokens = client.fetch_token(
        described["token_endpoint"], authorization_response=came_back, code_verifier=verifier, state=state
    )
    shown = client.get(f"{base}/api/v1/accounts")
    refused = client.get(f"{base}/api/v1/bills")
    renewed = client.refresh_token(described["token_endpoint"], tokens["refresh_token"])
    again = client.get(f"{base}/api/v1/accounts")
    ended = client.revoke_token(described["revocation_endpoint"], renewed["refresh_token"])

    assert parse_qs(urlsplit(came_back).query)["iss"] == [described["issuer"]]
    assert (shown.status_code, refused.status_code, again.status_code) == (200, 403, 200)
    assert tokens["access_token"] != renewed["access_token"]
    assert tokens["refresh_token"] != renewed["refresh_token"]
    assert ended.status_code == 200
    assert third.call(renewed["access_token"]).status_code == 401
    assert browser.get("/grants").json()["data"] == []


def test_the_page_is_told_who_asks_for_what_and_where_it_leads(app):
    told = app.ask(scope="accounts:read transactions:write").json()["data"]

    assert told == {
        "name": "Pocket Books",
        "mine": True,
        "leads_to": "app.example.org",
        "leads_to_kind": "site",
        "scopes": ["accounts:read", "transactions:write"],
        "allows": [scopes.describe("accounts:read"), scopes.describe("transactions:write")],
        "reads": [scopes.describe("accounts:read"), scopes.describe("transactions:read")],
        "needs_password": False,
        "refused": None,
    }


@pytest.mark.parametrize(
    ("redirect", "leads_to"),
    [
        ("https://app.example.org:8443/x?y=1", ("site", "app.example.org:8443")),
        ("http://importer.lan/callback", ("open_site", "importer.lan")),
        ("http://127.0.0.1:7000/callback", ("device", "127.0.0.1:7000")),
        ("http://[::1]/callback", ("device", "[::1]")),
        ("org.example.pocket:/callback", ("app", "org.example.pocket")),
        ("pocket://callback", ("app", "pocket")),
    ],
)
def test_where_the_answer_goes_is_said_in_words(browser, redirect, leads_to):
    app = registered(browser, redirect_uris=[redirect])
    app.redirect = redirect

    told = app.ask().json()["data"]
    back = app.come_back()

    assert (told["leads_to_kind"], told["leads_to"]) == leads_to
    assert app.exchange(back["code"]).status_code == 200


def test_the_answer_has_the_code_the_state_and_the_issuer(app):
    back = app.come_back()

    assert back.keys() == {"code", "state", "iss"}
    assert (back["state"], back["iss"]) == (STATE, "http://farthing.example")


def test_tokens_are_not_kept_in_any_cache(app):
    answer = app.exchange(app.come_back()["code"])

    assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["token_type"] == "Bearer"


def test_an_app_that_asks_for_no_scope_gets_everything_in_the_books_and_it_is_said(app):
    """As apps from before there were scopes need it. What belongs to nobody's books stays closed."""
    told = app.ask().json()["data"]
    token = app.get_tokens()["access_token"]

    assert told["allows"] == ["Full access: see and change everything in these books, as you can yourself"]
    assert app.call(token, "POST", "/accounts", json=asset()).status_code == 200
    for path in ("/tokens", "/sessions", "/members", "/audit", "/factors", "/apps", "/grants"):
        assert app.call(token, path=path).status_code == 403, path


def test_the_owner_is_told_that_full_access_includes_the_users(new_world):
    owner = new_world.someone()

    told = registered(signed_in(new_world, owner.user)).ask().json()["data"]

    assert told["allows"][1:] == [scopes.describe("users:write")]


def test_people_can_let_an_app_only_read(app):
    tokens = app.get_tokens(decision={"read_only": True})

    assert app.call(tokens["access_token"], path="/accounts").status_code == 200
    assert app.call(tokens["access_token"], "POST", "/accounts", json=asset()).status_code == 403
    assert tokens["scope"] == scopes.only_reading(scopes.everything())
    [shown] = app.browser.get("/grants").json()["data"]
    assert shown["attributes"]["access"] == "read"
    assert shown["attributes"]["allows"][0] == "See everything in these books, without changing anything"
    renewed = app.renew(tokens["refresh_token"]).json()
    assert app.call(renewed["access_token"], "POST", "/accounts", json=asset()).status_code == 403


def test_who_says_no_sends_the_app_away(app):
    assert app.come_back(allow=False) == {
        "error": "access_denied",
        "error_description": "the user denied access",
        "state": STATE,
        "iss": "http://farthing.example",
    }


def test_an_app_works_in_the_books_that_were_chosen(world, app):
    other = world.someone()
    with world.books.writing() as db:
        members.add(db, other.user.id, int(_user_id(app)), Share.BOOKKEEPER, stamp(world.time.now))
    made = other.post("/accounts", asset(name="Theirs")).json()["data"]["id"]

    own = app.get_tokens()["access_token"]
    theirs = app.get_tokens(decision={"books_id": other.user.id})["access_token"]

    assert app.call(theirs, path=f"/accounts/{made}").status_code == 200
    assert app.call(own, path=f"/accounts/{made}").status_code == 404
    listed = [one["attributes"]["books_id"] for one in app.browser.get("/grants").json()["data"]]
    assert listed == [str(other.user.id), None]
    with world.books.writing() as db:
        members.remove(db, other.user.id, int(_user_id(app)))
    assert app.call(theirs, path="/accounts").status_code == 404


def test_an_app_names_no_other_books_than_those_that_were_chosen(world, app):
    other, mine = world.someone(), _user_id(app)
    with world.books.writing() as db:
        members.add(db, other.user.id, int(mine), Share.FULL, stamp(world.time.now))
    own = app.get_tokens()["access_token"]
    theirs = app.get_tokens(decision={"books_id": other.user.id})["access_token"]

    def status(token, books_id):
        return app.call(token, path="/accounts", headers={"Farthing-Books": str(books_id)}).status_code

    assert [status(own, mine), status(theirs, other.user.id)] == [200, 200]
    assert [status(own, other.user.id), status(theirs, mine), status(own, 999999999)] == [403, 403, 403]
    export = app.call(own, path=f"/export?format=csv&books={other.user.id}")
    assert export.status_code == 403


def test_books_that_are_not_shared_cannot_be_chosen(world, app):
    answer = app.decide(decision={"books_id": world.someone().user.id})

    assert answer.json()["errors"] == {"books_id": ["These books are not shared with you."]}


def test_two_devices_are_two_accesses_that_end_apart(app):
    first, second = app.get_tokens(), app.get_tokens()
    newest, oldest = app.browser.get("/grants").json()["data"]

    assert app.browser.delete(f"/grants/{oldest['id']}").status_code == 204

    assert app.call(first["access_token"]).status_code == 401
    assert app.call(second["access_token"]).status_code == 200
    assert [one["id"] for one in app.browser.get("/grants").json()["data"]] == [newest["id"]]


def test_the_tokens_of_apps_are_listed_as_apps_only(app):
    app.get_tokens()

    assert app.browser.get("/tokens").json()["data"] == []
    [shown] = app.browser.get("/grants").json()["data"]
    assert app.browser.get(f"/grants/{shown['id']}").json()["data"] == shown
    assert (shown["attributes"]["name"], shown["attributes"]["client_id"]) == ("Pocket Books", app.client_id)


# How long it lasts


def test_an_app_that_proves_itself_renews_its_token_every_hour(world, app):
    tokens = app.get_tokens()
    assert tokens["expires_in"] == 3600
    world.time.now += timedelta(minutes=59, seconds=59)
    assert app.call(tokens["access_token"]).status_code == 200
    world.time.now += timedelta(seconds=1)
    assert app.call(tokens["access_token"]).status_code == 401

    renewed = app.renew(tokens["refresh_token"]).json()

    assert renewed["expires_in"] == 3600
    assert app.call(renewed["access_token"]).status_code == 200


def test_an_app_from_before_pkce_has_a_fortnight(world, browser):
    """As its developers know it from the program that it was made for."""
    app = registered(browser, confidential=True)
    back = app.come_back(code_challenge=None, code_challenge_method=None)

    tokens = app.exchange(back["code"], code_verifier=None).json()

    assert tokens["expires_in"] == 14 * 24 * 3600
    assert app.renew(tokens["refresh_token"]).json()["expires_in"] == 14 * 24 * 3600


def test_access_that_is_not_used_for_three_months_ends(world, app):
    tokens = app.get_tokens()
    for _ in range(2):
        world.time.now += timedelta(days=89)
        tokens = app.renew(tokens["refresh_token"]).json()
    world.time.now += timedelta(days=90)

    assert app.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert app.browser.get("/session").status_code == 401  # so much later


def test_the_same_row_keeps_its_last_use_and_its_name_in_the_log(world, app):
    tokens = app.get_tokens()
    [before] = app.browser.get("/grants").json()["data"]
    app.renew(tokens["refresh_token"])

    [after] = app.browser.get("/grants").json()["data"]

    assert after["id"] == before["id"]


# Who must be there


def test_nobody_is_asked_before_the_second_factor(world):
    """Property of the whole door: a password alone gives no session, and without one there is no consent."""
    from ..factors.test_factors import Phone

    user = somebody(world)
    first = signed_in(world, user)
    phone = Phone(world, first)
    assert first.post(f"/factors/{phone.id}/confirm", {"otp": phone.code()}).status_code == 200
    app = registered(first)
    app.browser = type(first)(world)

    half = app.browser.post("/session", {"email": user.email, "password": PASSWORD})

    assert "otp" in half.json()["errors"]
    assert (app.ask().status_code, app.decide().status_code) == (401, 401)
    with world.books.reading() as db:
        assert db.value("SELECT COUNT(*) FROM app_codes WHERE user_id = :id", id=user.id) == 0
    whole = app.browser.post("/session", {"email": user.email, "password": PASSWORD, "otp": phone.next_code()})
    assert whole.status_code == 200
    assert app.call(app.get_tokens()["access_token"]).status_code == 200


def test_a_session_that_began_a_while_ago_lets_an_app_in_only_with_the_password(world):
    """What an app gets outlasts the session: whoever has stolen one must not get it."""
    app = registered(signed_in(world, somebody(world)))
    assert app.ask().json()["data"]["needs_password"] is False
    world.time.now += timedelta(minutes=10)

    told = app.ask().json()["data"]
    missing, wrong = app.decide(), app.decide(decision={"current_password": "guessed"})
    denied, right = app.decide(allow=False), app.decide(decision={"current_password": PASSWORD})

    assert told["needs_password"] is True
    assert missing.json()["errors"].keys() == wrong.json()["errors"].keys() == {"current_password"}
    assert (denied.status_code, right.status_code) == (200, 200)


def test_guessing_the_password_there_counts_as_at_sign_in(world):
    app = registered(signed_in(world, somebody(world)))
    world.time.now += timedelta(minutes=10)

    answers = [app.decide(decision={"current_password": "guessed"}).status_code for _ in range(11)]

    assert answers == [422] * 10 + [429]


def test_a_token_lets_no_app_in_and_registers_none(world, me):
    app = registered(signed_in(world, me.user))

    let_in = me.post("/authorization", {**app.request(), "allow": True})
    made = me.post("/apps", {"name": "Other", "redirect_uris": [REDIRECT]})

    assert (let_in.status_code, made.status_code) == (403, 403)
    assert "Sign in" in let_in.json()["message"]


@pytest.mark.parametrize("proof", [None, "wrong"])
def test_no_other_page_can_say_yes_for_somebody(app, proof):
    app.browser.csrf = proof

    assert app.decide().status_code == 403


def test_the_page_is_shown_in_no_frame(world):
    page = world.http.get("/")
    door = world.http.get("/oauth/authorize?client_id=1", follow_redirects=False)

    for answer in (page, door):
        assert answer.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def _user_id(app):
    return app.browser.get("/session").json()["data"]["attributes"]["user_id"]


def _basic(client_id, secret):
    return {"Authorization": "Basic " + base64.b64encode(f"{client_id}:{secret}".encode()).decode()}


def test_a_json_body_will_do_and_so_will_a_number_as_client_id(world, browser):
    app = registered(browser, confidential=True)
    body = {
        "grant_type": "authorization_code",
        "client_id": int(app.client_id),
        "client_secret": app.secret,
        "code": app.come_back()["code"],
        "redirect_uri": app.redirect,
        "code_verifier": app.proof.verifier,
    }

    assert world.http.post("/oauth/token", json=body).status_code == 200


def test_an_app_may_say_by_http_basic_who_it_is(world, browser):
    app = registered(browser, confidential=True)
    code = app.come_back()["code"]
    client_id, secret, app.client_id, app.secret = app.client_id, app.secret, None, None

    answer = app.exchange(code, headers=_basic(client_id, secret))

    assert answer.status_code == 200


def test_a_page_of_another_origin_gets_tokens_where_the_api_is_open_to_it(tmp_path, check_answer):
    from ..conftest import running

    for world in running(
        f"sqlite:///{tmp_path}/f.sqlite3", tmp_path, check_answer, cors_origins="https://app.example.org"
    ):
        app = registered(signed_in(world))
        origin = {"Origin": "https://app.example.org", "Sec-Fetch-Site": "cross-site"}
        asking = {**origin, "Access-Control-Request-Method": "POST"}

        may = world.http.options("/oauth/token", headers=asking)
        got = app.exchange(app.come_back()["code"], headers=origin)

        assert may.status_code == 204
        assert got.status_code == 200
        assert got.headers["access-control-allow-origin"] == "https://app.example.org"
        assert "access-control-allow-credentials" not in got.headers


def test_below_a_path_everything_is_where_the_description_says(tmp_path, check_answer):
    from ..conftest import running

    base = "https://home.example.org/farthing"
    for world in running(f"sqlite:///{tmp_path}/f.sqlite3", tmp_path, check_answer, base_url=base):
        well_known = "/.well-known/oauth-authorization-server"
        inside, outside = world.http.get(f"/farthing{well_known}"), world.http.get(f"{well_known}/farthing")
        door = world.http.get("/farthing/oauth/authorize?client_id=7", follow_redirects=False)

        assert inside.json() == outside.json()
        assert inside.json()["issuer"] == base
        assert inside.json()["token_endpoint"] == f"{base}/oauth/token"
        assert world.http.get(f"{well_known}/elsewhere").status_code == 404
        assert door.headers["location"] == f"{base}/#/oauth/authorize?client_id=7"


def test_asking_by_another_method_is_answered_with_405(world):
    answers = [world.http.post("/oauth/authorize"), world.http.get("/oauth/token"), world.http.get("/oauth/revoke")]

    assert [answer.status_code for answer in answers] == [405, 405, 405]


def test_a_client_is_an_ordinary_caller(world, me):
    """The token of an app passes every check that others pass: limits, tags and the log of changes."""
    app = registered(signed_in(world, me.user))
    token = app.get_tokens()["access_token"]
    client = Client(world.http, token, me.user, world.check, books=world.books)

    made = client.post("/accounts", asset())

    assert made.headers["farthing-revision"]
    assert client.get("/accounts").headers["etag"]
