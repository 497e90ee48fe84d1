"""How access ends: at once, whoever ends it; and nobody goes on with a copy of a secret."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from farthing.identity import tokens as token_store
from farthing.identity import users
from farthing.identity.apps import codes, grants
from farthing.identity.sharing import handover
from farthing.jobs.sweeping import Sweeper
from farthing.kernel.clock import stamp
from farthing.storage import blobs

from ..sessions.browser import PASSWORD, signed_in, somebody
from .app import registered


@pytest.fixture
def user(world):
    return somebody(world)


@pytest.fixture
def app(world, user):
    return registered(signed_in(world, user))


@pytest.fixture
def tokens(app):
    return app.get_tokens()


def is_out(app, tokens):
    """Neither token works any more, nor does a code that is on its way."""
    renewed = app.renew(tokens["refresh_token"])
    return app.call(tokens["access_token"]).status_code == 401 and renewed.status_code in (400, 401)


def rows_of(world, user):
    with world.books.reading() as db:
        return [
            db.value(f"SELECT COUNT(*) FROM {table} WHERE user_id = :id", id=user.id)
            for table in ("tokens", "app_refresh_tokens", "app_codes")
        ]


def events_of(app):
    return [one["attributes"]["event"] for one in app.browser.get("/audit").json()["data"]]


def test_revoking_access_ends_it_at_once(app, tokens):
    [grant] = app.browser.get("/grants").json()["data"]

    assert app.browser.delete(f"/grants/{grant['id']}").status_code == 204

    assert is_out(app, tokens)
    assert app.browser.delete(f"/grants/{grant['id']}").status_code == 404
    assert events_of(app)[0] == "app_revoked"


def test_deleting_an_app_ends_the_access_of_everybody(new_world):
    owner = signed_in(new_world, new_world.someone().user)
    app = registered(owner, everybody=True)
    mine = app.get_tokens()
    app.browser = signed_in(new_world)
    theirs, code = app.get_tokens(), app.come_back()["code"]

    assert app.browser.delete(f"/apps/{app.client_id}").status_code == 404
    assert owner.delete(f"/apps/{app.client_id}").status_code == 204

    assert is_out(app, mine)
    assert is_out(app, theirs)
    assert app.exchange(code).json()["error"] == "invalid_client"
    assert app.browser.get("/grants").json()["data"] == []


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_an_app_can_end_its_access_itself(app, tokens, kind):
    answer = app.send("/oauth/revoke", token=tokens[kind], token_type_hint="whatever")

    assert (answer.status_code, answer.content) == (200, b"")
    assert is_out(app, tokens)
    assert events_of(app)[0] == "app_revoked"


def test_an_app_cannot_end_the_access_of_another_nor_a_token_of_the_user(world, app, tokens, user):
    other = registered(app.browser)
    with world.books.writing() as db:
        plain = token_store.issue(db, user.id, "plain", None, stamp(world.time.now))

    for token in (tokens["access_token"], tokens["refresh_token"], plain, "made up"):
        assert other.send("/oauth/revoke", token=token).status_code == 200

    assert app.call(tokens["access_token"]).status_code == 200
    assert app.call(plain).status_code == 200
    assert other.send("/oauth/revoke").json()["error"] == "invalid_request"


def test_a_blocked_user_is_out_with_their_apps(world, app, tokens, user):
    code = app.come_back()["code"]
    with world.books.writing() as db:
        users.set_blocked(db, user.id, True, stamp(world.time.now))

    assert is_out(app, tokens)
    assert app.exchange(code).json()["error"] == "invalid_grant"


def test_a_code_on_its_way_is_worth_nothing_after_blocking_and_unblocking(world, app, user):
    code = app.come_back()["code"]
    with world.books.writing() as db:
        users.set_blocked(db, user.id, True, stamp(world.time.now))
        users.set_blocked(db, user.id, False, stamp(world.time.now))

    assert app.exchange(code).json()["error"] == "invalid_grant"


def test_a_server_from_before_apps_blocks_somebody_with_their_codes(world, app, user):
    """During an upgrade: it does not know that there are codes."""
    code = app.come_back()["code"]
    with world.books.writing() as db:
        db.run("UPDATE users SET blocked = 1 WHERE id = :id", id=user.id)

    assert app.exchange(code).json()["error"] == "invalid_grant"


def test_a_new_password_ends_apps_if_tokens_are_to_end(world, app, tokens, user):
    code = app.come_back()["code"]
    change = {"current_password": PASSWORD, "password": "another password", "end_tokens": True}
    assert app.browser.put("/password", change).status_code == 200

    assert is_out(app, tokens)
    assert app.exchange(code).json()["error"] == "invalid_grant"
    assert rows_of(world, user) == [0, 0, 0]


def test_a_new_password_alone_leaves_apps_as_they_are_but_not_codes_on_their_way(app, tokens):
    code = app.come_back()["code"]

    assert app.browser.put("/password", {"current_password": PASSWORD, "password": "another one"}).status_code == 200

    assert app.call(tokens["access_token"]).status_code == 200
    assert app.exchange(code).json()["error"] == "invalid_grant"


def test_the_apps_of_both_are_out_when_books_are_handed_over(world, app, tokens, user):
    """They were let into books that their user no longer has. What somebody registered goes with them."""
    taker = registered(signed_in(world))
    theirs = taker.get_tokens()
    taker_id = int(taker.browser.get("/session").json()["data"]["attributes"]["user_id"])
    with world.books.writing() as db:
        handover.hand_over(db, user.id, taker_id, stamp(world.time.now))

    assert is_out(app, tokens)
    assert is_out(taker, theirs)
    assert [one["id"] for one in app.browser.get("/apps").json()["data"]] == [app.client_id]
    assert app.call(app.get_tokens()["access_token"]).status_code == 200


def test_a_deleted_user_leaves_nothing_behind(world, app, tokens, user):
    app.come_back()
    with world.books.writing() as db:
        users.remove(db, user.id)

    assert rows_of(world, user) == [0, 0, 0]


# Refresh tokens


def test_a_refresh_token_is_exchanged_for_the_next(app, tokens):
    before = tokens
    for _ in range(3):
        after = app.renew(before["refresh_token"]).json()
        assert app.call(before["access_token"]).status_code == 401
        assert app.call(after["access_token"]).status_code == 200
        before = after


def test_a_refresh_token_that_comes_again_later_ends_the_access(world, app, tokens):
    """Somebody has a copy. Who of the two is the thief, nobody knows: both are out."""
    newer = app.renew(tokens["refresh_token"]).json()
    world.time.now += timedelta(seconds=30)

    answer = app.renew(tokens["refresh_token"])

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert is_out(app, newer)
    assert events_of(app)[0] == "app_secret_reused"


def test_an_app_whose_answer_was_lost_may_ask_again_for_half_a_minute(world, app, tokens):
    app.renew(tokens["refresh_token"])
    world.time.now += timedelta(seconds=29)

    again = app.renew(tokens["refresh_token"])

    assert again.status_code == 200
    assert app.call(again.json()["access_token"]).status_code == 200
    world.time.now += timedelta(hours=1)
    assert app.renew(again.json()["refresh_token"]).status_code == 200


def test_the_answer_that_was_lost_is_worth_nothing_and_using_it_ends_the_access(app, tokens):
    """Else a thief who is quick would have tokens of his own, beside those of the app, and nobody would see it."""
    lost = app.renew(tokens["refresh_token"]).json()
    found = app.renew(tokens["refresh_token"]).json()
    assert app.call(lost["access_token"]).status_code == 401
    assert app.call(found["access_token"]).status_code == 200

    assert app.renew(lost["refresh_token"]).json()["error"] == "invalid_grant"
    assert is_out(app, found)


def test_whoever_has_used_the_next_one_has_lost_nothing(app, tokens):
    """Within the half minute, too: the answer has arrived, so the old one can only be a copy."""
    second = app.renew(tokens["refresh_token"]).json()
    third = app.renew(second["refresh_token"]).json()

    assert app.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert is_out(app, third)


def test_the_refresh_token_of_one_app_is_worth_nothing_to_another(app, tokens):
    other = registered(app.browser)

    assert other.renew(tokens["refresh_token"]).json()["error"] == "invalid_grant"
    assert app.renew(tokens["refresh_token"]).status_code == 200


def test_an_access_token_is_no_refresh_token_and_the_other_way_round(app, tokens):
    assert app.renew(tokens["access_token"]).json()["error"] == "invalid_grant"
    assert app.call(tokens["refresh_token"]).status_code == 401


@pytest.mark.parametrize(
    ("scope", "told"),
    [("accounts:read", 200), ("accounts:write", 200), ("accounts:write bills:read", 400), ("everything", 400)],
)
def test_renewing_gives_no_more_than_was_agreed_to(app, scope, told):
    tokens = app.get_tokens(scope="accounts:write")

    answer = app.renew(tokens["refresh_token"], scope=scope)

    assert answer.status_code == told
    assert answer.json().get("scope", answer.json().get("error")) == (
        "accounts:write" if told == 200 else "invalid_scope"
    )


# Two at the same time


def at_once(work, times=6):
    with ThreadPoolExecutor(times) as threads:
        return [one.result() for one in [threads.submit(work) for _ in range(times)]]


def test_of_two_who_use_a_code_at_the_same_time_one_wins_and_then_nobody_has_access(world, app, user):
    code = app.come_back()["code"]

    answers = at_once(lambda: app.exchange(code))

    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400, 400]
    [won] = [answer.json() for answer in answers if answer.status_code == 200]
    assert is_out(app, won)
    assert rows_of(world, user)[:2] == [0, 0]


def test_whatever_their_addresses_only_one_of_many_uses_a_code(world, app, user):
    """Requests from one address wait for each other, because their attempts are counted: here nobody counts."""
    text = app.come_back()["code"]
    with world.books.reading() as db:
        code = codes.find(db, int(app.client_id), text)

    def use():
        with world.books.writing() as db:
            return codes.use(db, code, stamp(world.time.now))

    assert sorted(at_once(use)) == [False] * 5 + [True]


def test_whatever_their_addresses_only_the_last_of_many_who_renew_has_access(world, app, tokens, user):
    def renew():
        with world.books.writing() as db:
            found = grants.find_renewable(db, int(app.client_id), tokens["refresh_token"])
            assert users.hold(db, user.id)
            return grants.renew(db, found, tokens["refresh_token"], stamp(world.time.now))

    issued = at_once(renew)

    assert len([one for one in issued if app.call(one.access_token).status_code == 200]) == 1
    with world.books.reading() as db:
        open_ = "SELECT COUNT(*) FROM app_refresh_tokens WHERE user_id = :id AND repeatable_until IS NULL"
        assert db.value(open_, id=user.id) == 1


def test_of_many_who_renew_at_the_same_time_only_the_last_answer_counts(world, app, tokens, user):
    answers = at_once(lambda: app.renew(tokens["refresh_token"]))

    assert {answer.status_code for answer in answers} == {200}
    alive = [one for one in answers if app.call(one.json()["access_token"]).status_code == 200]
    assert len(alive) == 1
    assert rows_of(world, user)[0] == 1


def test_who_renews_while_the_access_is_revoked_has_none_afterwards(world, app, user):
    for _ in range(5):
        tokens = app.get_tokens()
        [grant] = app.browser.get("/grants").json()["data"]
        with ThreadPoolExecutor(2) as threads:
            renewing = threads.submit(app.renew, tokens["refresh_token"])
            revoking = threads.submit(app.browser.delete, f"/grants/{grant['id']}")
            answer = renewing.result()
            assert revoking.result().status_code == 204
        assert answer.status_code in (200, 400)
        if answer.status_code == 200:
            assert is_out(app, answer.json())
        assert rows_of(world, user)[:2] == [0, 0]


def test_who_exchanges_a_code_while_the_app_is_deleted_has_no_access_afterwards(world, user):
    for _ in range(5):
        app = registered(signed_in(world, user))
        code = app.come_back()["code"]
        with ThreadPoolExecutor(2) as threads:
            exchanging = threads.submit(app.exchange, code)
            deleting = threads.submit(app.browser.delete, f"/apps/{app.client_id}")
            answer = exchanging.result()
            assert deleting.result().status_code == 204
        assert answer.status_code in (200, 400, 401)
        assert rows_of(world, user) == [0, 0, 0]


# What is no longer needed


def test_what_has_expired_is_put_away(world, app, tokens, user):
    app.come_back()
    assert rows_of(world, user) == [1, 1, 2]
    clock = world.time.clock()

    def sweep():
        Sweeper(world.settings, world.books, blobs.connect(world.settings), clock).turn()
        return rows_of(world, user)

    assert sweep() == [1, 1, 2]
    world.time.now += codes.LASTS + timedelta(days=1)
    assert sweep() == [1, 1, 0]
    world.time.now += grants.REFRESH_LASTS
    assert sweep() == [0, 0, 0]
