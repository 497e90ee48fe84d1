"""Notices by web push, sent to a push service that checks and decrypts them."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from farthing.identity.user import User
from farthing.jobs.noticing import Noticer
from farthing.jobs.pushing import Pusher
from farthing.overviews.notices.search import find_available

from ..bills.making import a_bill, stored
from ..conftest import Check, Client, World, running
from ..sessions.browser import Browser, signed_in, somebody
from ..sharing.people import with_token
from ..transactions.making import asset, errors, made, posted, withdrawal
from .push_service import PushService, UserAgent, claims_of, decoded, open_service, pushes


@pytest.fixture
def service() -> Iterator[PushService]:
    with open_service() as opened:
        yield opened


@pytest.fixture
def push_world(new_database_url: str, tmp_path: Path, check_answer: Check) -> Iterator[World]:
    how = {"mail_from": "farthing@example.org", "outgoing_private": True}
    yield from running(new_database_url, tmp_path, check_answer, **how)


def subscribed(world: World, service: PushService, user: User | None = None) -> tuple[Browser, UserAgent]:
    """A browser in which somebody has turned notices on."""
    browser, agent = signed_in(world, user), service.subscribe()
    answer = browser.post("/notices/push", agent.fields)
    assert answer.status_code == 200, answer.text
    return browser, agent


def works(world: World, **moved: int) -> None:
    finds(world, **moved)
    pushes(world)


def finds(world: World, **moved: int) -> None:
    """Looks for occasions, some time later."""
    world.time.now += timedelta(**moved)
    Noticer(world.books, world.time.clock(), find_available(world.settings)).turn()


def chosen(browser: Browser, **fields: Any) -> None:
    assert browser.put("/notices/settings", fields).status_code == 200


def titles(agent: UserAgent) -> list[str]:
    return [one["title"] for one in agent.shown]


def devices(browser: Browser) -> list[tuple[str, bool]]:
    things = browser.get("/notices/push").json()["data"]
    return [(one["attributes"]["device"], one["attributes"]["current"]) for one in things]


def test_the_service_decrypts_the_example_of_the_standard():
    """RFC 8291, section 5."""
    number = int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    agent = UserAgent("", ec.derive_private_key(number, ec.SECP256R1()), decoded("BTBZMqHH6r4Tts7J_aSIgg"))
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )

    assert agent.decrypt(decoded(body)) == b"When I grow up, I want to be a watermelon"


def test_an_occasion_is_pushed_once_to_each_browser_of_its_person(push_world: World, service: PushService):
    ann = somebody(push_world)
    first, phone = subscribed(push_world, service, ann)
    _, laptop = subscribed(push_world, service, ann)
    bob, other = subscribed(push_world, service)
    works(push_world)
    for browser in (first, bob):
        chosen(browser, channels={"bill_due": ["push"]})
    bill = stored(first, a_bill(date="2024-05-16"))
    finds(push_world)
    quick, slow = (Pusher(push_world.settings, push_world.books, push_world.time.clock()) for _ in range(2))
    quick.turn()
    slow.turn()
    for pusher in (slow, quick):
        pusher.finish()
    works(push_world, hours=1)

    tag = phone.shown[0]["tag"]
    assert phone.shown == laptop.shown
    assert phone.shown == [
        {
            "title": "Rent is due on May 16, 2024",
            "body": "€795.00 to €855.50",
            "path": f"bills/{bill['id']}",
            "tag": tag,
        }
    ]
    assert other.shown == []
    sent = service.requests[0]
    assert (sent["TTL"], sent["Urgency"], sent["Topic"], sent["Content-Encoding"]) == (
        "259200", "normal", tag, "aes128gcm",
    )  # fmt: skip
    claims = claims_of(sent["Authorization"], first.post("/notices/push/key").json()["data"]["public_key"])
    assert claims["aud"] == service.origin
    assert claims["sub"] == "mailto:farthing@example.org"
    assert 0 < claims["exp"] - push_world.time.now.timestamp() < 86_400
    assert first.get("/notices/push").json()["data"][0]["attributes"]["last_used_at"] is not None
    with push_world.books.reading() as db:
        assert db.all("SELECT attempts, failure FROM notice_deliveries WHERE channel = 'push'") == [(1, None)]


def test_amounts_are_hidden_and_quiet_hours_kept(push_world: World, service: PushService):
    browser, phone = subscribed(push_world, service)
    works(push_world)
    chosen(
        browser,
        channels={"large_withdrawal": ["push"]},
        large_withdrawal="10",
        amounts=False,
        quiet_from="22:00",
        quiet_until="12:30",
    )
    posted(browser, withdrawal(made(browser, asset()), "12.34", description="Bicycle"))
    works(push_world, minutes=29)
    assert phone.shown == []
    works(push_world, minutes=1)

    [notice] = phone.shown
    assert (notice["title"], notice["body"]) == ("Large withdrawal on May 10, 2024: Bicycle", "")


def test_only_the_browsers_that_failed_are_tried_again(push_world: World, service: PushService):
    ann = somebody(push_world)
    browser, phone = subscribed(push_world, service, ann)
    _, tablet = subscribed(push_world, service, ann)
    _, refused = subscribed(push_world, service, ann)
    works(push_world)
    chosen(browser, channels={"bill_due": ["push"]})
    stored(browser, a_bill(date="2024-05-16"))
    service.answer(tablet, 503, 429)
    service.answer(refused, 400)
    counts = []
    for minutes in (0, 1, 5, 115):
        works(push_world, minutes=minutes)
        counts.append((len(phone.shown), len(tablet.shown)))

    assert counts == [(1, 0), (1, 0), (1, 0), (1, 1)]
    assert (phone.shown, refused.shown, service.asked) == (tablet.shown, [], 5)


def test_a_browser_that_is_no_longer_subscribed_is_removed(push_world: World, service: PushService):
    ann = somebody(push_world)
    browser, phone = subscribed(push_world, service, ann)
    _, gone = subscribed(push_world, service, ann)
    works(push_world)
    chosen(browser, channels={"bill_due": ["push"]})
    service.answer(gone, 410)
    for name in ("Rent", "Power"):
        stored(browser, a_bill(name=name, match=name, date="2024-05-16"))
    works(push_world)
    works(push_world, days=1)

    assert (len(phone.shown), gone.shown) == (2, [])
    assert devices(browser) == [("Firefox on Linux", True)]


def test_without_a_browser_nothing_is_planned_and_what_waits_is_given_up(push_world: World, service: PushService):
    browser, phone = subscribed(push_world, service)
    works(push_world)
    chosen(browser, channels={"bill_due": ["push"]})
    stored(browser, a_bill(name="Rent", match="rent", date="2024-05-16"))
    finds(push_world)
    [subscription] = browser.get("/notices/push").json()["data"]
    assert browser.delete(f"/notices/push/{subscription['id']}").status_code == 204
    stored(browser, a_bill(name="Power", match="power", date="2024-05-16"))
    works(push_world)

    assert phone.shown == []
    with push_world.books.reading() as db:
        assert db.all("SELECT given_up, failure FROM notice_deliveries") == [
            (1, "No device of this user is subscribed.")
        ]


def test_addresses_of_the_operators_network_are_refused(world: World, me: Client, service: PushService):
    browser, phone = subscribed(world, service, me.user)
    assert browser.post("/notices/push/test").status_code == 204
    works(world)

    assert (phone.shown, service.asked) == ([], 0)
    with world.books.reading() as db:
        sql = "SELECT given_up, failure FROM notice_deliveries WHERE user_id = :user_id"
        [(given_up, failure)] = db.all(sql, user_id=me.user.id)
    assert given_up == 1
    assert "a private or reserved address" in failure


def test_a_test_comes_at_once_and_only_a_few_times(push_world: World, service: PushService):
    browser, phone = subscribed(push_world, service)
    chosen(browser, quiet_from="00:00", quiet_until="23:59")
    answers = [browser.post("/notices/push/test").status_code for _ in range(11)]
    works(push_world)

    assert answers == [204] * 10 + [429]
    assert titles(phone) == ["Notices from Farthing work on this device"] * 10
    assert signed_in(push_world).post("/notices/push/test").status_code == 409


def test_a_browser_shows_only_the_notices_of_whoever_came_last(push_world: World, service: PushService):
    ann, phone = subscribed(push_world, service)
    bob = signed_in(push_world)
    assert bob.post("/notices/push", phone.fields).status_code == 200
    assert (devices(ann), devices(bob)) == ([], [("Firefox on Linux", True)])

    renewed = service.subscribe()
    assert bob.post("/notices/push", renewed.fields).status_code == 200
    assert len(devices(bob)) == 1
    assert bob.post("/notices/push/test").status_code == 204
    works(push_world)
    assert (phone.shown, len(renewed.shown)) == ([], 1)

    elsewhere = signed_in(push_world, somebody(push_world))
    theirs = bob.get("/notices/push").json()["data"][0]["id"]
    assert elsewhere.delete(f"/notices/push/{theirs}").status_code == 404
    assert bob.delete("/session").status_code == 204
    with push_world.books.reading() as db:
        assert db.all("SELECT id FROM push_subscriptions") == []


@pytest.mark.any_database
def test_subscriptions_are_checked(world: World, me: Client):
    browser, agent = signed_in(world, me.user), UserAgent("https://push.example/1")
    assert errors(browser.post("/notices/push", {})).keys() == {"endpoint", "p256dh", "auth"}
    off_curve = {"endpoint": "ftp://push.example", "p256dh": "BA" * 43, "auth": "c2hvcnQ"}
    for wrong in (off_curve, {"endpoint": "x", "p256dh": "€", "auth": [1]}):
        assert errors(browser.post("/notices/push", wrong)).keys() == {"endpoint", "p256dh", "auth"}
    assert with_token(world, me).post("/notices/push", agent.fields).status_code == 403

    keys = {one.post("/notices/push/key").json()["data"]["public_key"] for one in (browser, signed_in(world))}
    assert [len(decoded(key)) for key in keys] == [65]
    for number in range(20):
        other = signed_in(world, me.user)
        assert other.post("/notices/push", agent.fields | {"endpoint": f"https://push.example/{number}"}).is_success
    assert browser.post("/notices/push", agent.fields | {"endpoint": "https://push.example/21"}).status_code == 409
    assert other.post("/notices/push", agent.fields | {"endpoint": "https://push.example/21"}).status_code == 200
