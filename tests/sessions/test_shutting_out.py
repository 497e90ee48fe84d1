"""Who is out? Whoever is blocked, and whoever came in with the password of before: at once, for good, in any order."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from farthing.api.v1.sessions import entrance
from farthing.identity import links, users
from farthing.identity.signing_in import passwords
from farthing.identity.signing_in.passwords import Changed, Checked
from farthing.kernel.clock import stamp

from ..conftest import World
from .browser import Browser, password_hash, signed_in, somebody

# Long enough for the other one to get as far as it can.
_A_MOMENT_S = 0.5


def a_link(world: World, user) -> str:
    with world.books.writing() as db:
        return links.make(db, user.id, stamp(world.time.now))


def blocked_at_the_machine(world, user, blocked):
    with world.books.writing() as db:
        users.set_blocked(db, user.id, blocked, stamp(world.time.now))


def blocked_by_the_owner(world, user, blocked):
    owner = somebody(world)
    with world.books.writing() as db:
        db.run("UPDATE users SET role = 'owner' WHERE id = :id", id=owner.id)
    answer = signed_in(world, owner).put(f"/users/{user.id}", {"email": user.email, "blocked": blocked})
    assert answer.status_code == 200, answer.text


def new_password(world, user):
    with world.books.writing() as db:
        users.set_password(db, user.id, "another hash", stamp(world.time.now))


@pytest.mark.parametrize("set_blocked", [blocked_at_the_machine, blocked_by_the_owner])
def test_a_blocked_user_is_out_at_once_and_no_session_or_link_comes_back_to_life(world, set_blocked):
    user = somebody(world)
    browser, code = signed_in(world, user), a_link(world, user)

    set_blocked(world, user, True)
    assert browser.get("/accounts").status_code == 401
    assert Browser(world).post("/session", {"code": code}).status_code == 422

    set_blocked(world, user, False)
    assert browser.get("/accounts").status_code == 401
    assert Browser(world).post("/session", {"code": code}).status_code == 422
    assert Browser(world).sign_in(user.email).status_code == 200


def test_to_block_somebody_leaves_others_alone(world):
    other, user = somebody(world), somebody(world)
    browser, code = signed_in(world, other), a_link(world, other)

    blocked_at_the_machine(world, user, True)

    assert browser.is_in
    assert Browser(world).post("/session", {"code": code}).status_code == 200


# At the same moment


def at_once(monkeypatch):
    """The password of before is right, whatever is given: what matters here is what comes after."""
    monkeypatch.setattr(passwords, "check", lambda kept, _: Checked(kept == password_hash(), kept))
    monkeypatch.setattr(passwords, "change", lambda kept, current, new: Changed(kept, f"hash of {new}"))


@pytest.mark.parametrize("way", ["password", "link"])
@pytest.mark.parametrize("shut_out", [new_password, lambda world, user: blocked_at_the_machine(world, user, True)])
def test_whoever_is_just_coming_in_is_shut_out_as_well(world, monkeypatch, way, shut_out):
    """On a database with many writers the session that is not yet committed must be waited for."""
    user, browser = somebody(world), Browser(world)
    body = {"code": a_link(world, user)} if way == "link" else {"email": user.email, "password": "whatever it is"}
    begin, begun = entrance.begin, threading.Event()

    def beginning(*given, **named):
        session = begin(*given, **named)
        begun.set()
        threading.Event().wait(_A_MOMENT_S)
        return session

    at_once(monkeypatch)
    monkeypatch.setattr(entrance, "begin", beginning)
    with ThreadPoolExecutor(1) as other:
        done = other.submit(lambda: begun.wait(60) and shut_out(world, user))
        assert browser.post("/session", body).status_code == 200
        done.result(60)

    assert browser.cookie
    assert not browser.is_in


def test_a_password_that_is_being_changed_lets_nobody_in(world, monkeypatch):
    user, browser = somebody(world), Browser(world)
    at_once(monkeypatch)

    with ThreadPoolExecutor(1) as other:
        with world.books.writing() as db:
            users.set_password(db, user.id, "another hash", stamp(world.time.now))
            db.flush()
            coming = other.submit(browser.sign_in, user.email)
            threading.Event().wait(_A_MOMENT_S)
        assert coming.result(60).status_code == 422


def test_of_two_who_change_one_password_at_the_same_moment_one_does(world, monkeypatch):
    user = somebody(world)
    browser = signed_in(world, user)
    at_once(monkeypatch)

    with ThreadPoolExecutor(1) as other:
        with world.books.writing() as db:
            assert users.change_password(db, user.id, password_hash(), "hash of the first", stamp(world.time.now))
            second = other.submit(
                browser.put, "/password", {"current_password": "whatever it is", "password": "the second one"}
            )
            threading.Event().wait(_A_MOMENT_S)
        assert second.result(60).status_code in (401, 422)

    with world.books.reading() as db:
        assert users.password_hash(db, user.email) == "hash of the first"
