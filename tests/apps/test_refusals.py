"""What is refused, and how: attacks that RFC 6819 and RFC 9700 describe, and mistakes of apps."""

import base64
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.identity.apps.authorization import AppRequest, find_redirect
from farthing.identity.apps.codes import Code, is_proven
from farthing.identity.apps.model import App

from ..sessions.browser import signed_in
from .app import REDIRECT, STATE, Proof, registered


@pytest.fixture
def browser(world):
    return signed_in(world)


@pytest.fixture
def app(browser):
    return registered(browser)


def error(answer):
    return answer.status_code, answer.json()["error"]


# Nobody is sent anywhere


@pytest.mark.parametrize("client_id", [None, "", "999999999", "abc", "-1", "1 OR 1=1", "9" * 30, "٣"])
def test_an_app_that_nobody_registered_leads_nowhere(app, client_id):
    for answer in (app.ask(client_id=client_id), app.decide(client_id=client_id), app.decide(client_id="0")):
        assert answer.status_code == 422
        assert answer.json()["errors"].keys() == {"client_id"}


@pytest.mark.parametrize(
    "redirect",
    [
        "https://evil.example.org/callback",
        f"{REDIRECT}/",
        f"{REDIRECT}?more=1",
        f"{REDIRECT}#part",
        f"{REDIRECT}/../elsewhere",
        "https://app.example.org/Callback",
        "http://app.example.org/callback",
        "https://app.example.org:443/callback",
        "https://app.example.org@evil.example.org/callback",
        "https://app.example.org.evil.example.org/callback",
        "//app.example.org/callback",
        "javascript:alert(1)",
        "https://app.example.org/callbac%6b",
    ],
)
def test_an_address_that_is_not_registered_letter_by_letter_leads_nowhere(app, redirect):
    for answer in (app.ask(redirect_uri=redirect), app.decide(redirect_uri=redirect), app.decide(allow=False)):
        if answer.status_code == 200:
            assert answer.json()["data"]["redirect"].startswith(f"{REDIRECT}?"), "the one that names none of these"
        else:
            assert (answer.status_code, answer.json()["errors"].keys()) == (422, {"redirect_uri"})
    assert app.ask(redirect_uri=redirect).status_code == 422


@pytest.mark.parametrize("loopback", ["127.0.0.1", "[::1]", "localhost"])
def test_only_the_port_may_differ_on_the_persons_own_device(browser, loopback):
    app = registered(browser, redirect_uris=[f"http://{loopback}/callback"])

    assert app.ask(redirect_uri=f"http://{loopback}:51004/callback").status_code == 200
    for other in (
        f"http://{loopback}:51004/elsewhere",
        f"https://{loopback}:51004/callback",
        f"http://{loopback}:51004/callback?x=1",
        f"http://evil@{loopback}:51004/callback",
        f"http://{loopback}:99999999/callback",
        f"http://{loopback}.evil.example.org/callback",
        "http://127.0.0.2:51004/callback",
    ):
        assert app.ask(redirect_uri=other).status_code == 422, other


@given(st.text(max_size=60))
def test_no_text_is_an_address_of_the_app_but_its_own(text):
    app = App(
        id=1, user_id=1, name="", redirects=f"{REDIRECT} http://127.0.0.1/x", hash=None, for_everybody=False,
        created_at="",
    )  # fmt: skip

    for address in (text, f"{REDIRECT}{text}", f"{text}{REDIRECT}", f"http://127.0.0.1{text}/x"):
        found = find_redirect(app, AppRequest(redirect_uri=address))
        on_device = address.startswith("http://127.0.0.1:") and address.endswith("/x")
        assert found is None or address == REDIRECT or address == "http://127.0.0.1/x" or on_device


def test_with_several_addresses_the_request_must_name_one(browser):
    app = registered(browser, redirect_uris=[REDIRECT, "https://other.example.org/"])

    assert app.ask(redirect_uri=None).status_code == 422
    alone = registered(browser)
    back = alone.come_back(redirect_uri=None)
    assert alone.exchange(back["code"], redirect_uri=None).status_code == 200


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "scope", "state"])
def test_a_parameter_that_comes_twice_leads_to_the_page_and_no_further(world, name):
    answer = world.http.get(f"/oauth/authorize?client_id=1&{name}=a&{name}=b", follow_redirects=False)

    assert answer.headers["location"] == f"http://farthing.example/#/oauth/authorize?repeated={name}"


def test_the_door_passes_on_what_is_known_and_nothing_else(world):
    query = "client_id=1&allow=1&current_password=x&scope=%0d%0aSet-Cookie:x&" + "&".join(["a=b"] * 200)

    answer = world.http.get(f"/oauth/authorize?{query}", follow_redirects=False)

    assert answer.status_code == 302
    assert answer.headers["location"].partition("?")[2] == "client_id=1&scope=%0D%0ASet-Cookie%3Ax"
    assert "set-cookie" not in answer.headers


def test_an_app_of_somebody_else_is_unknown_unless_it_is_for_everybody(world, new_world):
    other = registered(signed_in(world))
    other.browser = signed_in(world)
    assert other.ask().json()["errors"].keys() == {"client_id"}

    owner = signed_in(new_world, new_world.someone().user)
    shared = registered(owner, everybody=True)
    shared.browser = signed_in(new_world)
    assert shared.ask().json()["data"]["mine"] is False
    assert shared.call(shared.get_tokens()["access_token"]).status_code == 200


# What is wrong with the request is told to the app


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"response_type": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unsupported_response_type"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"scope": 'accounts:read "\\\n<b>'}, "invalid_scope"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "x" * 42}, "invalid_request"),
        ({"code_challenge": "=" * 43}, "invalid_request"),
    ],
)
def test_a_wrong_request_goes_back_to_the_app_with_the_reason(app, changes, told):
    page, back = app.ask(**changes), app.come_back(**changes)

    assert back["error"] == told
    assert back["state"] == STATE
    assert "code" not in back
    assert page.json()["data"]["refused"].startswith(f"{REDIRECT}?error={told}&")
    assert page.json()["data"]["allows"] == []


def test_an_app_with_a_secret_may_leave_pkce_out_but_not_half_of_it(browser):
    app = registered(browser, confidential=True)

    assert "code" in app.come_back(code_challenge=None, code_challenge_method=None)
    assert app.come_back(code_challenge_method="plain")["error"] == "invalid_request"


# Codes


def test_a_code_works_once_and_the_second_time_takes_away_what_it_gave(app):
    code = app.come_back()["code"]
    tokens = app.exchange(code).json()

    again = app.exchange(code)

    assert error(again) == (400, "invalid_grant")
    assert app.call(tokens["access_token"]).status_code == 401
    assert error(app.renew(tokens["refresh_token"])) == (400, "invalid_grant")
    events = [one["attributes"] for one in app.browser.get("/audit").json()["data"]]
    assert [(one["event"], one["about"]) for one in events][:3] == [
        ("app_secret_reused", "Pocket Books"),
        ("app_let_in", "Pocket Books"),
        ("app_registered", "Pocket Books"),
    ]


def test_a_code_is_good_for_two_minutes(world, app):
    early, late = app.come_back()["code"], app.come_back()["code"]
    world.time.now += timedelta(minutes=1, seconds=59)
    assert app.exchange(early).status_code == 200
    world.time.now += timedelta(seconds=1)

    assert error(app.exchange(late)) == (400, "invalid_grant")


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": None},
        {"code_verifier": "x" * 43},
        {"code_verifier": "x" * 42},
        {"code_verifier": "x" * 4001},
        {"redirect_uri": None},
        {"redirect_uri": f"{REDIRECT}/"},
        {"redirect_uri": "https://evil.example.org/"},
    ],
)
def test_a_stolen_code_is_worth_nothing(app, changes):
    code = app.come_back()["code"]

    assert error(app.exchange(code, **changes)) == (400, "invalid_grant")
    assert error(app.exchange(code)) == (400, "invalid_grant"), "who guesses, guesses once"


def test_the_challenge_itself_is_no_proof(app):
    assert error(app.exchange(app.come_back()["code"], code_verifier=app.proof.challenge)) == (400, "invalid_grant")


def test_a_proof_that_nobody_announced_means_that_the_challenge_was_removed(browser):
    """PKCE downgrade, RFC 9700, section 4.8.2."""
    app = registered(browser, confidential=True)
    code = app.come_back(code_challenge=None, code_challenge_method=None)["code"]

    assert error(app.exchange(code)) == (400, "invalid_grant")


@given(st.text(max_size=140))
def test_nothing_but_the_verifier_fits_its_challenge(text):
    proof = Proof()
    code = Code(
        hash="", user_id=1, app_id=1, redirect=None, challenge=proof.challenge, access="full", scopes="", books_id=None,
        token_id=None,
    )  # fmt: skip

    assert is_proven(code, proof.verifier)
    assert not is_proven(code, text)


def test_the_code_of_one_app_is_worth_nothing_to_another(world, browser):
    """Mix-up and code injection, RFC 9700, sections 4.4 and 4.5."""
    one, other = registered(browser), registered(browser, confidential=True)
    code = one.come_back()["code"]

    stolen = other.exchange(code, code_verifier=one.proof.verifier)

    assert error(stolen) == (400, "invalid_grant")
    assert one.exchange(code).status_code == 200


@pytest.mark.parametrize("code", ["", "made-up", "x" * 5000, "\0"])
def test_a_code_that_nobody_made_is_refused(app, code):
    assert app.exchange(code).status_code == 400


# Who the app is


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ({"client_secret": None}, (401, "invalid_client")),
        ({"client_secret": "guessed"}, (401, "invalid_client")),
        ({"client_id": "999999999"}, (401, "invalid_client")),
        ({"client_id": None}, (400, "invalid_request")),
        ({"client_id": "x" * 5000}, (400, "invalid_request")),
    ],
)
def test_an_app_with_a_secret_must_know_it(browser, who, told):
    app = registered(browser, confidential=True)
    code, tokens = app.come_back()["code"], app.get_tokens()

    assert error(app.exchange(code, **who)) == told
    assert error(app.renew(tokens["refresh_token"], **who)) == told
    assert error(app.send("/oauth/revoke", token=tokens["access_token"], **who)) == told
    assert app.exchange(code).status_code == 200
    assert app.call(tokens["access_token"]).status_code == 200


def test_a_public_app_has_no_secret_to_show(app):
    assert error(app.exchange(app.come_back()["code"], client_secret="made up")) == (401, "invalid_client")


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("Basic !!!", (400, "invalid_request")),
        ("Basic " + base64.b64encode(b"no colon").decode(), (400, "invalid_request")),
        ("Basic " + base64.b64encode(b"\xff:\xff").decode(), (400, "invalid_request")),
        ("Basic " + base64.b64encode(b"1:guessed").decode(), (401, "invalid_client")),
    ],
)
def test_http_basic_that_will_not_do_is_refused(world, header, told):
    answer = world.http.post("/oauth/token", data={"grant_type": "refresh_token"}, headers={"Authorization": header})

    assert error(answer) == told
    assert answer.headers.get("www-authenticate", "").startswith("Basic" if told[0] == 401 else "")


def test_an_app_says_once_who_it_is(browser):
    app = registered(browser, confidential=True)
    both = {"Authorization": "Basic " + base64.b64encode(f"{app.client_id}:{app.secret}".encode()).decode()}

    assert error(app.exchange(app.come_back()["code"], headers=both)) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (None, "invalid_request"),
        ("password", "unsupported_grant_type"),
        ("client_credentials", "unsupported_grant_type"),
        ("implicit", "unsupported_grant_type"),
    ],
)
def test_there_is_no_other_way_to_a_token(browser, kind, told):
    app = registered(browser, confidential=True)

    answer = app.send(grant_type=kind, username="ann@example.org", password="secret", scope="accounts:read")

    assert error(answer) == (400, told)


@pytest.mark.parametrize(
    "sent",
    [
        {"content": b"{", "headers": {"Content-Type": "application/json"}},
        {"content": b"x", "headers": {"Content-Type": "text/plain"}},
        {"content": b"[1]", "headers": {"Content-Type": "application/json"}},
        {"json": {"client_id": ["1"], "grant_type": {"a": 1}}},
        {"content": b"client_id[a]=1&client_id=2"},
        {"content": b""},
    ],
)
@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
def test_what_cannot_be_read_is_an_invalid_request(world, path, sent):
    answer = world.http.post(path, **sent)

    assert error(answer) == (400, "invalid_request")


def test_who_guesses_too_often_waits_and_people_at_the_same_address_do_not(world, app):
    tokens = app.get_tokens()
    for _ in range(30):
        assert error(app.renew("guessed")) == (400, "invalid_grant")

    answer = app.renew(tokens["refresh_token"])

    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert app.browser.sign_in("nobody@farthing.example", "guessed").status_code == 422
    world.time.now += timedelta(minutes=15)
    assert app.renew(tokens["refresh_token"]).status_code == 200


def test_an_app_that_does_everything_right_never_waits(app):
    for _ in range(35):
        tokens = app.get_tokens()
        assert app.renew(tokens["refresh_token"]).status_code == 200


def test_a_token_in_an_address_counts_for_nothing(world, app):
    """It would stand in logs and histories (RFC 9700, section 4.3.2)."""
    token = app.get_tokens()["access_token"]

    assert world.http.get(f"/api/v1/about/user?access_token={token}").status_code == 401


# Secrets


def test_codes_tokens_and_secrets_are_kept_only_as_hashes(world, browser):
    app = registered(browser, confidential=True)
    code = app.come_back()["code"]
    tokens = app.exchange(code).json()
    kept = (app.secret, code, tokens["access_token"], tokens["refresh_token"])

    with world.books.reading() as db:
        for table in ("apps", "tokens", "app_codes", "app_refresh_tokens", "audit", "answers"):
            for row in db.all(f"SELECT * FROM {table}"):
                assert not any(secret in str(cell) for secret in kept for cell in row), table


def test_the_code_goes_to_the_app_only_in_the_query(app):
    address = app.decide().json()["data"]["redirect"]

    assert urlsplit(address).fragment == ""
    assert urlsplit(address)._replace(query="").geturl() == REDIRECT


def test_an_address_with_a_query_keeps_it(browser):
    app = registered(browser, redirect_uris=[f"{REDIRECT}?from=here&a=b"])
    app.redirect = f"{REDIRECT}?from=here&a=b"

    address = app.decide().json()["data"]["redirect"]

    assert address.startswith(f"{REDIRECT}?from=here&a=b&code=")
    assert parse_qs(urlsplit(address).query)["state"] == [STATE]
