"""Tokens: made where somebody is signed in, shown once, able to read or to do everything, and gone at once."""

import time
from datetime import timedelta

import pytest

from farthing.http.handling.runtime import Timing
from farthing.identity import callers, tokens, users
from farthing.identity.signing_in import passwords
from farthing.kernel.clock import stamp

from ..accounts.making import asset
from ..conftest import running
from ..sessions.browser import PASSWORD, Browser, signed_in, somebody


def making(browser, **changes):
    return browser.post("/tokens", {"name": "phone", "access": "full", **changes})


def asking(world, token, method="GET", path="/about/user", **options):
    headers = {"Authorization": f"Bearer {token}"}
    return Browser(world).request(method, path, headers=headers, **options)


def test_a_token_is_shown_once_and_works(world):
    browser = signed_in(world)

    answer = making(browser)
    shown = answer.json()["data"]["attributes"]

    assert answer.headers["cache-control"] == "no-store"
    assert (shown["name"], shown["access"], shown["expires_at"], shown["current"]) == ("phone", "full", None, False)
    assert len(shown["token"]) >= 43
    listed = browser.get("/tokens")
    assert shown["token"] not in listed.text
    [one] = listed.json()["data"]
    assert one["attributes"] == {name: value for name, value in shown.items() if name != "token"}
    assert browser.get(f"/tokens/{one['id']}").json()["data"] == one
    assert asking(world, shown["token"]).status_code == 200


def test_a_token_ends_when_it_was_said_to(world):
    shown = making(signed_in(world), expires_in_days=30).json()["data"]["attributes"]

    assert shown["expires_at"] == stamp(world.time.now + timedelta(days=30))
    world.time.now += timedelta(days=30, seconds=-1)
    assert asking(world, shown["token"]).status_code == 200
    world.time.now += timedelta(seconds=1)
    assert asking(world, shown["token"]).status_code == 401


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {"name", "access"}),
        ({"name": "phone"}, {"access"}),
        ({"name": "phone", "access": "write"}, {"access"}),
        ({"name": "x" * 256, "access": "read"}, {"name"}),
        ({"name": "phone", "access": "read", "expires_in_days": 0}, {"expires_in_days"}),
        ({"name": "phone", "access": "read", "expires_in_days": "soon"}, {"expires_in_days"}),
        ({"name": "phone", "access": "read", "expires_in_days": 36501}, {"expires_in_days"}),
    ],
)
def test_what_will_not_do_is_named(world, body, wrong):
    answer = signed_in(world).post("/tokens", body)

    assert (answer.status_code, answer.json()["errors"].keys()) == (422, wrong)


@pytest.mark.parametrize("access", ["read", "full"])
def test_a_token_makes_no_tokens(world, access):
    """Else one in the wrong hands would outlive its own revocation."""
    token = making(signed_in(world), access=access).json()["data"]["attributes"]["token"]

    answer = asking(world, token, "POST", "/tokens", json={"name": "another", "access": "read"})

    assert answer.status_code == 403


def test_a_revoked_token_is_out_at_once(world):
    browser = signed_in(world)
    shown = making(browser).json()["data"]

    assert browser.delete(f"/tokens/{shown['id']}").status_code == 204
    assert asking(world, shown["attributes"]["token"]).status_code == 401
    assert browser.delete(f"/tokens/{shown['id']}").status_code == 404


def test_a_token_can_end_itself(me):
    [mine] = me.get("/tokens").json()["data"]

    assert mine["attributes"]["current"] is True
    assert me.delete(f"/tokens/{mine['id']}").status_code == 204
    assert me.get("/tokens").status_code == 401


def test_the_tokens_of_a_blocked_user_are_out_at_once(world):
    user = somebody(world)
    token = making(signed_in(world, user)).json()["data"]["attributes"]["token"]
    with world.books.writing() as db:
        users.set_blocked(db, user.id, True, stamp(world.time.now))

    assert asking(world, token).status_code == 401


def test_tokens_come_in_pages(world):
    browser = signed_in(world)
    for number in range(3):
        making(browser, name=str(number))

    answer = browser.get("/tokens", limit=2).json()

    assert ([one["attributes"]["name"] for one in answer["data"]], answer["meta"]["pagination"]["total"]) == (
        ["0", "1"],
        3,
    )


# The password once more


def test_a_session_that_began_a_while_ago_makes_a_token_only_with_the_password(world):
    """Whoever has got hold of a session must not make what outlasts it."""
    user = somebody(world)
    browser = signed_in(world, user)
    world.time.now += timedelta(minutes=9, seconds=59)
    assert making(browser).status_code == 200
    world.time.now += timedelta(seconds=1)

    missing = browser.post("/tokens", {"name": "phone"})
    wrong = making(browser, current_password="not the password")

    assert missing.json()["errors"] == {
        "access": ["The access field is required."],
        "current_password": ["You signed in more than 10 minutes ago. Enter your password again."],
    }
    assert (wrong.status_code, wrong.json()["errors"]) == (
        422, {"current_password": ["This is not the current password."]}
    )  # fmt: skip
    assert len(browser.get("/tokens").json()["data"]) == 1
    shown = making(browser, current_password=PASSWORD).json()["data"]["attributes"]
    assert asking(world, shown["token"]).status_code == 200


def test_guessing_the_password_for_a_token_counts_like_guessing_at_the_door(world, monkeypatch):
    monkeypatch.setattr(passwords, "check", lambda kept, _password: passwords.Checked(right=False, hash=kept))
    with world.books.writing() as db:
        db.run("DELETE FROM sign_in_attempts")
    browser = signed_in(world)

    answers = [making(browser, current_password="wrong").status_code for _ in range(11)]

    assert answers == [422] * 10 + [429]


# Last use


def last_use(world, user_id):
    with world.books.reading() as db:
        return [token.last_used_at for token in tokens.of_user(db, user_id)]


def until(condition):
    give_up = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < give_up, "it was not written down"
        time.sleep(0.05)


@pytest.fixture
def hasty_world(new_database_url, tmp_path, check_answer):
    """Here each use is written down on its own, without gathering those of a second."""
    yield from running(new_database_url, tmp_path, check_answer, timing=Timing(gather_uses_s=0))


def test_when_a_token_was_last_used_is_written_down_every_few_minutes(hasty_world, monkeypatch):
    """And not for every request in between."""
    me, written = hasty_world.someone(), []
    touch = callers.touch
    monkeypatch.setattr(callers, "touch", lambda db, of, at: written.append(dict(at)) or touch(db, of, at))
    with hasty_world.books.reading() as db:
        ours = (me.user.id, db.value("SELECT id FROM tokens WHERE user_id = :id", id=me.user.id))
    first = stamp(hasty_world.time.now)
    assert last_use(hasty_world, me.user.id) == [None]

    for _ in range(20):
        me.get("/accounts")
    until(lambda: last_use(hasty_world, me.user.id) == [first])
    hasty_world.time.now += timedelta(minutes=4, seconds=59)
    me.get("/accounts")
    hasty_world.time.now += timedelta(seconds=1)
    second = stamp(hasty_world.time.now)
    me.get("/accounts")

    until(lambda: last_use(hasty_world, me.user.id) == [second])
    # Other worlds of this process may write theirs meanwhile, usually many at once.
    assert [used_at[ours] for used_at in written if list(used_at) == [ours]] == [first, second]


def test_it_changes_neither_the_revision_nor_any_tag(hasty_world):
    me = hasty_world.someone()
    tag = me.get("/accounts").headers["etag"]
    users_tag = me.get("/users").headers["etag"]
    until(lambda: last_use(hasty_world, me.user.id) != [None])

    assert me.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 304
    assert me.request("GET", "/users", headers={"If-None-Match": users_tag}).status_code == 304
    assert [one["attributes"]["doing"] for one in me.get("/changes").json()["data"]] == ["users.found"]


def test_a_server_that_stops_writes_down_what_it_has_noted(new_database_url, tmp_path, check_answer):
    from farthing.storage.drivers import open as database

    from ..conftest import running

    for world in running(new_database_url, tmp_path, check_answer):
        me = world.someone()
        me.get("/accounts")
    books = database.connect(world.settings)
    with books.reading() as db:
        assert [token.last_used_at for token in tokens.of_user(db, me.user.id)] == [stamp(world.time.now)]
    books.close()


# Making them is no change of the books


def test_making_one_changes_no_tag(world):
    browser = signed_in(world)
    browser.post("/accounts", asset())
    tag = browser.get("/accounts").headers["etag"]

    making(browser)

    assert browser.request("GET", "/accounts", headers={"If-None-Match": tag}).status_code == 304
