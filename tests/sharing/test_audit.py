"""Does the audit keep what happened at somebody's doors, and who may read it?"""

import csv
import io
from pathlib import Path

import pytest

from farthing.identity.audit import Event

from ..conftest import World
from ..sessions.browser import PASSWORD, Browser, signed_in, somebody
from .people import in_books, member_of


def events(client, **query):
    return [one["attributes"]["event"] for one in client.get("/audit", **query).json()["data"]]


@pytest.fixture
def person(world):
    return somebody(world)


def sign_in(world: World, person, password=PASSWORD, browser=None):
    browser = browser or Browser(world)
    return browser, browser.post("/session", {"email": person.email, "password": password})


def test_sign_ins_and_refusals_are_kept_with_device_and_address(world, person):
    assert sign_in(world, person, "wrong password")[1].status_code == 422
    browser, _ = sign_in(world, person)
    sign_in(world, person, browser=browser)

    again, first, refused = [one["attributes"] for one in browser.get("/audit").json()["data"]]

    assert (refused["event"], refused["known_device"], refused["device"]) == (
        "sign_in_refused", False, "Firefox on Linux"
    )  # fmt: skip
    assert (first["event"], first["known_device"]) == ("signed_in", False)
    assert (again["event"], again["known_device"]) == ("signed_in", True)
    assert {one["address"] for one in (again, first, refused)} == {"testclient"}


def test_tokens_passwords_and_leaving_are_kept(world, person):
    browser, _ = sign_in(world, person)
    token = browser.post("/tokens", {"name": "Phone", "access": "read"}).json()["data"]
    browser.delete(f"/tokens/{token['id']}")
    browser.delete("/sessions?others=1")
    browser.put("/password", {"current_password": PASSWORD, "password": "another good one"})

    assert events(browser) == [
        "password_changed", "signed_out_everywhere", "token_revoked", "token_made", "signed_in"
    ]  # fmt: skip
    assert [one["attributes"]["about"] for one in browser.get("/audit", event="token_made").json()["data"]] == ["Phone"]


def test_shares_are_kept_in_the_audit_of_the_books_with_who_did_it(world, me, someone_else):
    code = me.post("/invitations", {"role": "full", "name": "Sam"}).json()["data"]["attributes"]["code"]
    someone_else.post("/books", {"code": code})
    there = in_books(someone_else, me)
    there.post("/invitations", {"role": "viewer", "name": "Kim"})
    someone_else.delete(f"/books/{me.user.id}")

    kept = [(one["attributes"]["event"], one["attributes"]["by"]) for one in me.get("/audit").json()["data"]]

    by = someone_else.user.email
    assert kept == [("sharing_ended", by), ("invited", by), ("joined", by), ("invited", None)]


def test_an_export_is_kept_and_changes_nothing(world, me):
    full = member_of(world, me, "full")
    tag = me.get("/accounts").headers["etag"]

    assert full.get("/export", format="csv").status_code == 200

    [kept] = me.get("/audit").json()["data"]
    assert (kept["attributes"]["event"], kept["attributes"]["about"]) == ("exported", "csv")
    assert kept["attributes"]["by"]
    assert me.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 304


def test_settings_of_the_books_are_kept_with_who_changed_them(world, me):
    full = member_of(world, me, "full")

    full.put("/preferences/viewRange", {"data": "1W"})
    me.put("/preferences/viewRange", {"data": "nonsense"})
    me.post("/currencies/USD/default")

    kept = [one["attributes"] for one in me.get("/audit").json()["data"]]
    assert [(one["event"], one["about"], one["by"]) for one in kept] == [
        ("setting_changed", "currencyPreference", None),
        ("setting_changed", "viewRange", full.user.email),
    ]


def test_it_can_be_taken_along_as_a_table(world, person):
    browser, _ = sign_in(world, person)

    answer = browser.get("/audit", format="csv")

    [head, row] = csv.reader(io.StringIO(answer.text))
    assert dict(zip(head, row, strict=True))["event"] == "signed_in"


def test_only_the_owner_sees_that_of_everybody(new_world):
    owner, other = new_world.someone(), new_world.someone()
    signed_in(new_world, other.user)
    other.post("/invitations", {"role": "full", "name": "Sam"})

    assert events(owner, everybody="1") == ["invited"]
    assert events(owner) == []
    assert other.get("/audit", everybody="1").status_code == 403


def test_what_is_asked_for_wrongly_is_said(me):
    assert list(me.get("/audit", event="burgled").json()["errors"]) == ["event"]
    assert list(me.get("/audit", format="pdf").json()["errors"]) == ["format"]


@pytest.mark.any_database
def test_the_web_app_has_words_for_every_event():
    words = (Path(__file__).parents[2] / "web" / "src" / "messages" / "en" / "sharing-pages.ts").read_text()

    assert [event.value for event in Event if f"\n    {event.value}: '" not in words] == []
