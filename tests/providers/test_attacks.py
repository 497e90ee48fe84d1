"""What does a provider have to prove? Whoever forges, replays, mixes up or does not answer signs nobody in."""

import pytest

from farthing.identity.providers import documents, signed
from farthing.kernel.network.outgoing import RequestLimits

from ..sessions.browser import Browser, signed_in, somebody
from .conftest import begins, comes_back, links

pytestmark = pytest.mark.any_database


@pytest.fixture
def victim(world, forger):
    """Linked with the provider's user `mallory`, to whom every forged token belongs."""
    with world.books.writing() as db:
        db.run("DELETE FROM identities")
    user = somebody(world)
    assert links(signed_in(world, user), forger).status_code == 200
    forger.asked.clear()
    return user


def is_refused(browser, answer, saying="could not be trusted"):
    assert answer.status_code == 422, answer.text
    assert saying in answer.json()["errors"]["provider"][0]
    assert "farthing_session" not in str(answer.headers)
    return not browser.is_in


FORGERIES = """
leave_unsigned sign_with_another_key sign_with_the_public_key_as_a_secret sign_with_the_client_secret
"""


@pytest.mark.parametrize("how", FORGERIES.split())
def test_only_the_keys_of_the_provider_sign(how, world, forger, victim):
    forger.make_token = getattr(forger, how)
    browser = Browser(world)

    assert is_refused(browser, comes_back(browser, forger))


@pytest.mark.parametrize("text", ["", "x", "a.b.c", "a.b", ".", "e30.e30.", "é.é.é", "a.b.c.d.e"])
def test_what_is_no_token_is_refused(text, world, forger, victim):
    forger.make_token = lambda claims: text
    browser = Browser(world)

    assert is_refused(browser, comes_back(browser, forger))


@pytest.mark.parametrize(
    "wrong",
    [
        {"iss": "https://another.example"},
        {"aud": "another"},
        {"aud": ["another", "third"]},
        {"aud": ["farthing", "another"]},
        {"aud": ["farthing", "another"], "azp": "another"},
        {"azp": "another"},
        {"nonce": "another"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
        {"iss": None},
        {"aud": None},
        {"exp": None},
        {"iat": None},
        {"exp": "soon"},
        {"iat": "now"},
        {"at_hash": "wrong"},
    ],
    ids=str,
)
def test_every_claim_is_checked(wrong, world, forger, victim):
    forger.claims = wrong
    browser = Browser(world)

    assert is_refused(browser, comes_back(browser, forger))


@pytest.mark.parametrize(
    ("claim", "seconds", "is_in"),
    [("exp", -60, True), ("exp", -300, False), ("iat", 60, True), ("iat", 300, False), ("nbf", 300, False)],
)
def test_clocks_may_differ_a_little(claim, seconds, is_in, world, forger, victim):
    forger.now = int(world.time.now.timestamp())
    forger.claims = {claim: forger.now + seconds}
    browser = Browser(world)

    assert (comes_back(browser, forger).status_code == 200) is is_in
    assert browser.is_in is is_in


def test_several_audiences_are_right_if_we_are_the_party(world, forger, victim):
    forger.claims = {"aud": ["farthing", "another"], "azp": "farthing"}

    assert comes_back(Browser(world), forger).status_code == 200


def test_a_code_for_another_client_is_the_providers_to_refuse(world, forger, victim):
    forger.token_status = 400
    browser = Browser(world)

    assert is_refused(browser, comes_back(browser, forger))


def test_user_information_about_another_is_refused(world, forger, victim):
    forger.user_info["sub"] = "somebody else"
    browser = Browser(world)

    assert is_refused(browser, comes_back(browser, forger))


def test_the_answer_of_another_provider_is_not_taken_for_this_ones(world, forger, other, victim):
    browser = Browser(world)
    assert is_refused(browser, comes_back(browser, forger, iss=other.issuer))
    assert comes_back(browser, forger, iss=forger.issuer).status_code == 200

    documents.documents_of.cache_clear()
    forger.discovery = {"authorization_response_iss_parameter_supported": True}
    stranger = Browser(world)
    assert is_refused(stranger, comes_back(stranger, forger))


def test_a_state_of_one_provider_does_not_exchange_codes_at_another(world, forger, other, victim):
    browser = Browser(world)
    forger.answers(begins(browser, "home"))
    state = other.answers(begins(browser, "new"))["state"]

    # It goes to the provider that the state was made for, whatever the page believes.
    other.claims, other.user_info = {"sub": "mallory"}, {"sub": "mallory", "email": "", "email_verified": False}
    answer = browser.post("/providers/session", {"state": state, "code": "a code of home"})
    assert answer.status_code == 422
    assert other.sent["code"] == "a code of home"
    assert not browser.is_in


def test_new_keys_are_fetched_when_a_token_names_one(world, forger, victim):
    from joserfc.jwk import RSAKey

    assert comes_back(Browser(world), forger).status_code == 200
    forger.asked.clear()
    forger.key = RSAKey.generate_key(2048, {"kid": "second", "use": "sig"}, private=True)

    assert comes_back(Browser(world), forger).status_code == 200
    assert forger.asked.count("/keys") == 1
    assert comes_back(Browser(world), forger).status_code == 200
    assert forger.asked.count("/keys") == 1
    assert "/.well-known/openid-configuration" not in forger.asked


def test_strangers_do_not_make_us_ask_for_keys_again_and_again(world, forger, victim):
    comes_back(Browser(world), forger)
    forger.asked.clear()
    text = forger.sign_with_another_key({"iss": forger.issuer})

    for _ in range(3):
        assert world.http.post("/api/v1/providers/sign_out", data={"logout_token": text}).status_code == 400
    assert forger.asked == []


def test_a_provider_that_is_away_is_a_sentence(world):
    answer = Browser(world).post("/providers/start", {"provider": "away"})

    assert answer.status_code == 422
    assert "Away cannot be reached" in answer.json()["errors"]["provider"][0]


def test_a_slow_provider_is_not_waited_for(world, forger, monkeypatch):
    monkeypatch.setattr(documents, "LIMITS", RequestLimits(connect_s=1, total_s=0.3))
    forger.waits_s = 1

    answer = Browser(world).post("/providers/start", {"provider": "home"})

    assert answer.status_code == 422
    assert "cannot be reached" in answer.json()["errors"]["provider"][0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "https://another.example"},
        {"token_endpoint": None},
        {"authorization_endpoint": 7},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": "http://169.254.169.254/keys"},
        {"token_endpoint": "http://169.254.169.254/token"},
        {"userinfo_endpoint": "gopher://127.0.0.1/"},
    ],
    ids=str,
)
def test_a_discovery_document_that_leads_astray_leads_nowhere(wrong, world, forger, victim):
    documents.documents_of.cache_clear()
    forger.discovery = wrong
    browser = Browser(world)
    started = browser.post("/providers/start", {"provider": "home"})
    if started.status_code == 200:
        started = browser.post("/providers/session", forger.answers(started.json()["data"]["address"]))

    assert is_refused(browser, started, "cannot be reached")


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b"<html>", b"[" * 100_000, b'{"keys": 7}', b"x" * 2**21])
def test_an_answer_that_is_no_document_is_a_sentence(body, world, forger, victim):
    documents.documents_of.cache_clear()
    right = forger.document
    forger.document = lambda path: body if path == "/keys" else right(path)  # type: ignore[method-assign]
    browser = Browser(world)
    try:
        assert is_refused(browser, comes_back(browser, forger), "cannot be reached")
    finally:
        del forger.document


def test_only_signatures_by_public_keys_count():
    assert not [one for one in signed.ALGORITHMS if one.startswith("HS") or one == "none"]
