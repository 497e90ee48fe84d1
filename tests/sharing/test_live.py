"""Whoever shares books learns cheaply that something has changed, and whether they may still work there."""

from dataclasses import replace

import pytest

from ..accounts.making import asset
from ..http.makers import a_tag
from ..sessions.browser import Browser, signed_in, somebody
from .people import in_books, member_of


def look(client, tag=None):
    return client.request("GET", "/revision", headers={"If-None-Match": tag} if tag else {})


def test_a_change_of_another_makes_a_new_revision(world, me):
    bookkeeper = member_of(world, me, "bookkeeper")
    first = look(me)

    a_tag(bookkeeper)
    second = look(me, first.headers["etag"])

    assert second.status_code == 200
    assert second.json()["data"]["revision"] == first.json()["data"]["revision"] + 1
    assert look(me, second.headers["etag"]).status_code == 304
    assert look(bookkeeper).json()["data"]["revision"] == second.json()["data"]["revision"]


def test_as_long_as_nothing_changes_only_the_caller_is_found(world, me, monkeypatch):
    viewer = member_of(world, me, "viewer")
    tags = {one.token: look(one).headers["etag"] for one in (me, viewer)}

    def refuse(*_):
        raise AssertionError("it was asked for more")

    monkeypatch.setattr("farthing.identity.sharing.members.list_of_books", refuse)

    assert [look(one, tags[one.token]).status_code for one in (me, viewer)] == [304, 304]


def test_it_says_whose_books_they_are_and_what_one_may_do(world, me):
    alone = look(me).json()["data"]
    viewer = member_of(world, me, "viewer")

    theirs = look(viewer).json()["data"]

    assert (alone["role"], alone["email"], alone["is_shared"]) == ("owner", me.user.email, False)
    assert (theirs["role"], theirs["email"], theirs["is_shared"]) == ("viewer", me.user.email, True)
    assert theirs["books_id"] == str(me.user.id)


def test_who_joins_changes_role_or_leaves_is_noticed(world, me, someone_else):
    before = look(me).headers["etag"]
    code = me.post("/invitations", {"role": "viewer", "name": "Sam"}).json()["data"]["attributes"]["code"]
    someone_else.post("/books", {"code": code})

    joined = look(me, before)
    assert (joined.status_code, joined.json()["data"]["is_shared"]) == (200, True)

    there = in_books(someone_else, me)
    tag = look(there).headers["etag"]
    [member] = me.get("/members").json()["data"]
    me.put(f"/members/{member['id']}", {"role": "full"})
    assert look(there, tag).json()["data"]["role"] == "full"

    me.delete(f"/members/{member['id']}")
    assert look(there).status_code == 404


def test_a_session_names_the_books_that_are_shared_with_its_user(world, me):
    viewer = member_of(world, me, "viewer")
    browser = signed_in(world, viewer.user)

    shown = browser.get("/session").json()["data"]["attributes"]

    mine = signed_in(world, me.user).get("/session").json()["data"]["attributes"]
    assert shown["shared_books"] == [{"id": str(me.user.id), "email": me.user.email, "role": "viewer"}]
    assert (shown["is_shared"], mine["is_shared"], mine["shared_books"]) == (False, True, [])
    assert mine["revision"] == look(me).json()["data"]["revision"]


def test_a_session_opens_the_books_of_another_until_the_user_has_an_account(world, me):
    member = member_of(world, me, "viewer")
    viewer = replace(member, headers={k: v for k, v in member.headers.items() if k != "Farthing-Books"})
    viewer.put("/preferences/language", {"data": "de_DE"})
    browser = signed_in(world, viewer.user)

    shown = browser.get("/session").json()["data"]["attributes"]
    viewer.post("/accounts", asset())
    later = browser.get("/session").json()["data"]["attributes"]

    assert (shown["home_books_id"], shown["language"]) == (str(me.user.id), "de_DE")
    assert later["home_books_id"] == str(viewer.user.id)


@pytest.fixture
def person(world):
    return somebody(world)


def new_devices(browser):
    return [one["device"] for one in browser.get("/session").json()["data"]["attributes"]["new_devices"]]


def test_a_sign_in_on_a_new_device_is_pointed_out_elsewhere(world, person):
    here = Browser(world)
    here.sign_in(person.email)
    assert new_devices(here) == []
    world.time.now = world.time.now.replace(hour=13)

    there = Browser(world, agent="Mozilla/5.0 (Windows NT 10.0) Chrome/130.0")
    there.sign_in(person.email)

    assert new_devices(here) == ["Chrome on Windows"]
    assert new_devices(there) == ["Firefox on Linux"], "the page knows what it has shown before"


def test_a_known_device_and_a_refused_attempt_are_not_new_devices(world, person):
    here, there = Browser(world), Browser(world)
    there.sign_in(person.email)
    world.time.now = world.time.now.replace(month=7)
    here.sign_in(person.email)
    assert new_devices(here) == [], "it is long ago"
    world.time.now = world.time.now.replace(hour=13)

    there.sign_in(person.email)
    Browser(world).sign_in(person.email, "wrong password")

    assert new_devices(here) == []
    assert new_devices(replace(there)) == ["Firefox on Linux"]
