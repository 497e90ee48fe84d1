"""Whoever has no password makes what outlasts a session only just after signing in."""

from datetime import timedelta

from farthing.identity.signing_in.passwords import NONE

from ..sessions.browser import signed_in, somebody


def without_password(world):
    person = somebody(world)
    with world.books.writing() as db:
        db.run("UPDATE users SET password_hash = :none WHERE id = :id", none=NONE, id=person.id)
    return signed_in(world, person)


def test_a_token_takes_a_fresh_sign_in(world):
    browser = without_password(world)
    assert browser.post("/tokens", {"name": "Phone", "access": "read"}).status_code == 200

    world.time.now += timedelta(minutes=11)
    answer = browser.post("/tokens", {"name": "Phone", "access": "read", "current_password": "anything"})

    assert answer.status_code == 403
    assert "Sign in again" in answer.json()["message"]


def test_a_second_factor_takes_a_fresh_sign_in(world):
    browser = without_password(world)
    assert browser.post("/factors", {"name": "Phone"}).status_code == 200

    world.time.now += timedelta(minutes=11)

    assert browser.post("/factors", {"name": "Phone"}).status_code == 403
    assert browser.post("/factors", {"name": "Phone", "current_password": ""}).status_code in (403, 422)
