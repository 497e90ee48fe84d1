"""Who links a provider? Only somebody who has just signed in, and nobody loses their last way in."""

from datetime import timedelta

import pytest

from farthing.identity.sessions import RECENT_MINUTES

from ..cli.conftest import EMAIL, Terminal, settle
from ..conftest import migrated
from ..sessions.browser import PASSWORD, Browser, signed_in, somebody
from .conftest import begins, comes_back, links


@pytest.fixture
def person(world):
    with world.books.writing() as db:
        db.run("DELETE FROM identities")
    return somebody(world)


def listed(browser):
    return [one["attributes"] for one in browser.get("/identities").json()["data"]]


def test_a_linked_provider_is_listed_with_its_last_use(world, person, forger):
    browser = signed_in(world, person)

    made = links(browser, forger).json()["data"]

    assert made["attributes"]["last_used_at"] is None
    comes_back(Browser(world), forger)
    [shown] = listed(browser)
    assert shown["last_used_at"] is not None
    assert (shown["provider"], shown["name"], shown["email"]) == ("home", "Home & Garden", "mallory@provider.example")


def test_a_provider_that_is_no_longer_set_up_is_named_by_its_host(world, person):
    from farthing.identity.providers import store

    with world.books.writing() as db:
        store.add(db, person.id, issuer="https://old.example/x", subject="1", email="", now="2026-01-01T00:00:00+00:00")

    [shown] = listed(signed_in(world, person))
    assert (shown["provider"], shown["name"]) == (None, "old.example")


def test_linking_needs_a_recent_sign_in_and_never_a_token(world, person, forger):
    browser = signed_in(world, person)
    world.time.now += timedelta(minutes=RECENT_MINUTES)

    answer = browser.post("/identities/start", {"provider": "home"})

    assert answer.status_code == 403
    assert "10 minutes" in answer.json()["message"]
    someone = world.someone()
    assert someone.post("/identities/start", {"provider": "home"}).status_code == 403
    assert someone.post("/identities", {"state": "x", "code": "x"}).status_code == 403


def test_a_trip_to_sign_in_does_not_link_nor_the_other_way_round(world, person, forger):
    browser = signed_in(world, person)
    to_sign_in = forger.answers(begins(browser))
    assert browser.post("/identities", to_sign_in).json()["errors"].keys() == {"state"}

    to_link = forger.answers(browser.post("/identities/start", {"provider": "home"}).json()["data"]["address"])
    assert browser.post("/providers/session", to_link).json()["errors"].keys() == {"state"}
    assert listed(browser) == []


def test_nobody_finishes_the_link_of_another(world, person, forger):
    browser = signed_in(world, person)
    back = forger.answers(browser.post("/identities/start", {"provider": "home"}).json()["data"]["address"])
    thief = signed_in(world, somebody(world))
    thief.trip = browser.trip

    assert thief.post("/identities", back).status_code == 422
    assert listed(thief) == []


def test_a_users_identity_belongs_to_one_user_only(world, person, forger):
    links(signed_in(world, person), forger)

    answer = links(signed_in(world, somebody(world)), forger)

    assert answer.status_code == 409
    assert links(signed_in(world, person), forger).status_code == 409


def test_a_refusal_is_noted(world, person, forger):
    browser = signed_in(world, person)
    forger.make_token = forger.leave_unsigned

    assert links(browser, forger).status_code == 422
    assert [one["attributes"]["event"] for one in browser.get("/audit").json()["data"]] == ["provider_refused"]


def test_who_has_a_password_may_unlink(world, person, forger):
    browser = signed_in(world, person)
    identity = links(browser, forger).json()["data"]["id"]
    assert world.someone().delete(f"/identities/{identity}").status_code == 404

    assert browser.delete(f"/identities/{identity}").status_code == 204

    assert listed(browser) == []
    assert comes_back(Browser(world), forger).status_code == 422
    events = [one["attributes"]["event"] for one in browser.get("/audit").json()["data"]]
    assert events == ["provider_unlinked", "provider_linked"]


def test_nobody_loses_their_last_way_in(world, person, other):
    other.claims, other.user_info = {"sub": "new"}, {"sub": "new", "email": "new@x.example", "email_verified": True}
    browser = Browser(world)
    comes_back(browser, other, "new")
    [identity] = browser.get("/identities").json()["data"]

    refused = browser.delete(f"/identities/{identity['id']}")
    assert (refused.status_code, "password" in refused.json()["message"]) == (409, True)

    set_first = browser.put("/password", {"password": PASSWORD})
    assert set_first.status_code == 200
    assert set_first.json()["data"]["attributes"]["has_password"] is True
    assert browser.delete(f"/identities/{identity['id']}").status_code == 204
    assert Browser(world).sign_in("new@x.example").status_code == 200


def test_a_first_password_needs_a_recent_sign_in(world, person, other):
    other.claims, other.user_info = {"sub": "n2"}, {"sub": "n2", "email": "n2@x.example", "email_verified": True}
    browser = Browser(world)
    comes_back(browser, other, "new")
    world.time.now += timedelta(minutes=RECENT_MINUTES)

    assert browser.put("/password", {"password": PASSWORD}).status_code == 403
    assert Browser(world).sign_in("n2@x.example").status_code == 422


def test_who_has_a_password_still_needs_it_to_change_it(world, person):
    browser = signed_in(world, person)

    answer = browser.put("/password", {"password": "another password"})

    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["current_password"])


def test_an_identity_moves_with_the_person_when_books_are_handed_over(world, person, forger):
    from farthing.identity.providers import store
    from farthing.identity.sharing import handover
    from farthing.kernel.clock import stamp

    links(signed_in(world, person), forger)
    heir = somebody(world)
    with world.books.writing() as db:
        handover.hand_over(db, person.id, heir.id, stamp(world.time.now))
        assert [one.subject for one in store.list_for_user(db, heir.id)] == ["mallory"]
        assert store.list_for_user(db, person.id) == []


def test_the_operator_unlinks_what_a_user_cannot(tmp_path):
    from datetime import UTC, datetime

    from farthing.identity import users
    from farthing.identity.providers import store
    from farthing.kernel.clock import stamp

    terminal = settle(Terminal(tmp_path))
    with migrated("", tmp_path / "data") as books, books.writing() as db:
        user = users.find_by_email(db, EMAIL)
        store.add(db, user.id, issuer="https://x.example", subject="1", email="", now=stamp(datetime.now(UTC)))

    assert terminal.says("user", "unlink", EMAIL) == f"Unlinked 1 provider of {EMAIL}.\n"

    with migrated("", tmp_path / "data") as books, books.writing() as db:
        assert store.list_for_user(db, user.id) == []
        users.set_password(db, user.id, "", stamp(datetime.now(UTC)))
    assert "farthing user sign-in-link" in terminal.says("user", "unlink", EMAIL)
