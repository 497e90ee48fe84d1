"""Which version of the API does a request use? Its host, its path or its token decide, and nothing else."""

import pytest

from farthing.identity import tokens
from farthing.identity.user import ApiVersion
from farthing.kernel.clock import stamp

from ..apps.app import REDIRECT, ThirdParty
from ..conftest import Client, asked_at, running
from ..sessions.browser import signed_in

DESCRIBED = "6.6.2"


def made_for_v6(world, me):
    with world.books.writing() as db:
        token = tokens.issue(db, me.user.id, "phone", None, stamp(world.time.now), version=ApiVersion.V6)
    return Client(world.http, token, me.user, world.check, books=world.books)


def version_of(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]["version"]


def test_below_the_prefix_every_token_uses_version_6(world, me):
    assert version_of(me.v6.get("/about")) == DESCRIBED
    assert version_of(me.get("/about")) != DESCRIBED
    assert version_of(made_for_v6(world, me).v6.get("/about")) == DESCRIBED


def test_a_token_for_version_6_works_without_the_prefix(world, me):
    """An important client drops any path from the address."""
    phone = made_for_v6(world, me)

    answer = phone.get("/about")

    assert phone.token.startswith("v6.")
    assert version_of(answer) == DESCRIBED


def test_a_mark_does_not_make_a_token(me):
    """The answer is that of a wrong token, in the version that it asked for."""
    for wrong in (f"v6.{me.token}", "v6.", "v6.x"):
        answer = Client(me.http, wrong, me.user, me.check).get("/about")
        assert (answer.status_code, answer.json()["exception"]) == (401, "AuthenticationException")


def test_the_same_address_has_another_tag_in_another_version(world, me):
    """Else a client of one version would be told that the other version's answer is still right."""
    old, new = me.get("/about"), made_for_v6(world, me).get("/about")

    assert old.headers["etag"] != new.headers["etag"]
    again = me.request("GET", "/about", headers={"If-None-Match": new.headers["etag"]})
    assert again.status_code == 200


def test_an_idempotency_key_is_not_answered_by_another_version(world, me):
    """The same request in another version is another request."""
    body, key = {"name": "viewRange", "data": "1W"}, {"Idempotency-Key": "once"}
    first = me.v6.post("/preferences", body, headers=key)
    again = me.v6.post("/preferences", body, headers=key)

    assert (first.status_code, again.headers["idempotent-replay"]) == (200, "true")
    assert me.post("/tags", body, headers=key).status_code == 422


@pytest.mark.parametrize("path", ["/v6/api/v1/preferences/viewRange", "/v6//api/v1/preferences/viewRange/"])
def test_paths_are_read_generously(me, path):
    assert me.get(path).json()["data"]["attributes"]["name"] == "viewRange"


def test_hyphens_and_underscores_are_the_same_but_in_values(me):
    for word in ("preferences-list", "preferences_list"):
        shown = me.v6.get(f"/{word}/transaction_journal_optional_fields,viewRange").json()["data"]
        assert {thing["attributes"]["name"] for thing in shown} == {"transaction_journal_optional_fields", "viewRange"}


def test_what_one_version_lacks_is_not_found_in_it(me):
    assert me.v6.get("/dashboard").status_code == 404
    assert me.get("/configuration").status_code == 404


def test_links_follow_the_address_that_was_used(world, me):
    below, phone = me.v6.get("/about/user"), made_for_v6(world, me).get("/about/user")

    assert below.json()["data"]["links"]["self"] == f"http://farthing.example/v6/api/v1/users/{me.user.id}"
    assert phone.json()["data"]["links"]["self"] == f"http://farthing.example/api/v1/users/{me.user.id}"


def test_the_web_app_is_only_at_the_main_address(world):
    answer = world.http.get("/v6/", follow_redirects=False)

    assert (answer.status_code, answer.headers["location"]) == (308, "http://farthing.example/")


def test_each_version_has_its_own_description(world):
    assert "/api/v1/bills" in world.http.get("/api/openapi.json").json()["paths"]
    v6 = world.http.get("/v6/api/openapi.json").json()
    assert "/api/v1/configuration" in v6["paths"]
    assert "version 6" in v6["info"]["title"]
    assert world.http.get("/v6/api/docs").status_code == 200


def test_the_first_problem_is_the_message_because_clients_show_only_that(me):
    answer = me.v6.put("/preferences/viewRange", {"data": "1X"})

    assert answer.status_code == 422
    assert answer.json()["message"] == answer.json()["errors"]["data"][0]
    assert me.put("/preferences/viewRange", {"data": "1X"}).json()["message"] == "The given data was invalid."


def test_a_host_of_its_own_speaks_version_6(new_database_url, tmp_path, check_answer):
    own = {"base_url": "http://money.example", "v6_url": "http://v6.money.example"}
    for world in running(new_database_url, tmp_path, check_answer, **own):
        me = world.someone()
        who = {"Authorization": f"Bearer {me.token}"}

        shown = world.http.get("/api/v1/about/user", headers={**who, "Host": "v6.money.example"}).json()["data"]
        app = world.http.get("/", headers={"Host": "v6.money.example"}, follow_redirects=False)
        other = world.http.get("/api/v1/about", headers={**who, "Host": "else.example"})

        assert shown["links"]["self"].startswith("http://v6.money.example/api/v1/users/")
        assert app.headers["location"] == f"{asked_at(world.settings)}/"
        assert other.status_code == 421
        assert version_of(me.get("/about")) != DESCRIBED


def test_an_app_gets_a_token_of_the_version_at_whose_address_it_asks(world):
    browser = signed_in(world)
    made = browser.post("/apps", {"name": "Phone", "redirect_uris": [REDIRECT]}).json()["data"]["attributes"]
    app = ThirdParty(world, browser, made["client_id"], None)

    given = app.exchange(app.come_back()["code"], path="/v6/oauth/token").json()
    renewed = app.send("/oauth/token", grant_type="refresh_token", refresh_token=given["refresh_token"]).json()

    assert given["access_token"].startswith("v6.")
    assert renewed["access_token"].startswith("v6."), "its version does not change when it is renewed"


def test_an_app_for_version_6_gets_its_tokens_anywhere(world):
    """For apps that drop the path of the address."""
    browser = signed_in(world)
    body = {"name": "Hub", "redirect_uris": [REDIRECT], "api_version": "v6"}
    made = browser.post("/apps", body).json()["data"]["attributes"]
    app = ThirdParty(world, browser, made["client_id"], None)

    assert made["api_version"] == "v6"
    assert app.exchange(app.come_back()["code"]).json()["access_token"].startswith("v6.")


def test_the_metadata_of_oauth_names_the_addresses_below_the_prefix(world):
    told = world.http.get("/v6/.well-known/oauth-authorization-server").json()

    assert told["token_endpoint"] == "http://farthing.example/v6/oauth/token"
    assert told["issuer"] == "http://farthing.example"
    asked = world.http.get("/v6/oauth/authorize?client_id=1", follow_redirects=False)
    assert asked.headers["location"] == "http://farthing.example/#/oauth/authorize?client_id=1"


def test_a_token_of_the_web_app_says_for_which_version_it_is(world):
    browser = signed_in(world)
    body = {"name": "phone", "access": "full", "api_version": "v6"}

    made = browser.post("/tokens", body).json()["data"]["attributes"]

    assert made["token"].startswith("v6.")
    assert made["api_version"] == "v6"
    assert [one["attributes"]["api_version"] for one in browser.get("/tokens").json()["data"]][-1] == "v6"
    assert browser.post("/tokens", {**body, "api_version": "v7"}).status_code == 422


def test_lists_in_a_query_are_read_however_they_are_written(me):
    from farthing.http.request.request import read_query_of_v6

    for query in ("accounts[]=1&accounts[]=2", "accounts=1&accounts=2", "accounts=1,2", "accounts%5B%5D=1,2"):
        assert read_query_of_v6(query) == {"accounts": "1,2"}
    many = "&".join(f"accounts[]={number}" for number in range(600))
    assert len(read_query_of_v6(many)["accounts"].split(",")) == 600
