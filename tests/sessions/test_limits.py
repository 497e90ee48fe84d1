"""Guessing: after a few tries an account, and after some more an address, has to wait; on all servers alike."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from farthing.identity import devices, links, users
from farthing.identity.signing_in import attempts, passwords
from farthing.kernel.clock import stamp
from farthing.kernel.errors import TooMany

from ..conftest import running
from .browser import PASSWORD, Browser, signed_in, somebody

ACCOUNT_MAX, ADDRESS_MAX = 10, 30


@pytest.fixture
def proxied(new_database_url, tmp_path, check_answer):
    """Where browsers have addresses of their own."""
    yield from running(new_database_url, tmp_path, check_answer, trusted_proxies="*")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """These tests count; they need not hash."""
    monkeypatch.setattr(passwords, "check", lambda kept, password: passwords.Checked(password == PASSWORD, kept or ""))


def guess(world, email, address, password="wrong"):
    return Browser(world, address=address).sign_in(email, password)


def test_an_account_waits_after_ten_tries_from_wherever_they_come(proxied):
    email = somebody(proxied).email
    for number in range(ACCOUNT_MAX):
        assert guess(proxied, email, f"198.51.100.{number}").status_code == 422

    proxied.time.now += timedelta(minutes=5)
    answer = guess(proxied, email.upper(), "198.51.100.99", PASSWORD)

    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "600"
    assert answer.json() == {
        "message": "Too many attempts. Try again in 10 minutes.",
        "exception": "TooManyRequestsHttpException",
    }
    proxied.time.now += timedelta(minutes=10)
    assert guess(proxied, email, "198.51.100.99", PASSWORD).status_code == 200


def test_an_account_that_does_not_exist_waits_just_the_same(proxied):
    real, unreal = somebody(proxied).email, "nobody@farthing.example"

    answers = {
        email: [guess(proxied, email, f"203.0.113.{number}").content for number in range(ACCOUNT_MAX + 2)]
        for email in (real, unreal)
    }

    assert answers[real] == answers[unreal]
    assert b"Too many" in answers[unreal][-1]


def test_others_do_not_wait(proxied):
    one, other = somebody(proxied).email, somebody(proxied).email
    for _ in range(ACCOUNT_MAX + 1):
        guess(proxied, one, "198.51.100.7")

    assert guess(proxied, other, "198.51.100.7", PASSWORD).status_code == 200


def test_an_address_waits_after_thirty_tries_at_whatever_account(proxied):
    for number in range(ADDRESS_MAX):
        assert guess(proxied, f"somebody{number}@farthing.example", "198.51.100.7").status_code == 422

    assert guess(proxied, somebody(proxied).email, "198.51.100.7", PASSWORD).status_code == 429
    assert guess(proxied, somebody(proxied).email, "198.51.100.8", PASSWORD).status_code == 200


def test_who_waits_fills_no_table(proxied):
    for number in range(ADDRESS_MAX + 20):
        guess(proxied, f"somebody{number}@farthing.example", "198.51.100.7")

    with proxied.books.reading() as db:
        assert db.value("SELECT COUNT(*) FROM sign_in_attempts") == ADDRESS_MAX + 1


def test_whoever_gets_in_starts_anew(proxied):
    email = somebody(proxied).email
    for _ in range(3):
        for _ in range(ACCOUNT_MAX - 1):
            assert guess(proxied, email, "198.51.100.7").status_code == 422
        assert guess(proxied, email, "198.51.100.7", PASSWORD).status_code == 200


def test_getting_in_often_is_no_guessing(proxied):
    email = somebody(proxied).email

    answers = [guess(proxied, email, "198.51.100.7", PASSWORD).status_code for _ in range(ADDRESS_MAX + 10)]

    assert answers == [200] * (ADDRESS_MAX + 10)


def test_codes_are_counted_too(proxied):
    answers = [
        Browser(proxied, address="198.51.100.7").post("/session", {"code": f"wrong{number}"}).status_code
        for number in range(ADDRESS_MAX + 1)
    ]

    assert answers == [422] * ADDRESS_MAX + [429]


def test_guessing_the_current_password_in_a_session_counts_like_guessing_at_the_door(proxied, monkeypatch):
    monkeypatch.setattr(passwords, "change", lambda kept, old, new: None)
    user = somebody(proxied)
    browser = signed_in(proxied, user)
    body = {"current_password": "wrong", "password": "a better password"}

    answers = [browser.put("/password", body).status_code for _ in range(ACCOUNT_MAX + 1)]

    assert answers == [422] * ACCOUNT_MAX + [429]
    assert guess(proxied, user.email, "198.51.100.9", PASSWORD).status_code == 429


def test_what_is_not_even_an_attempt_does_not_count(proxied):
    for _ in range(ADDRESS_MAX + 5):
        assert Browser(proxied, address="198.51.100.7").post("/session", {}).status_code == 422

    assert guess(proxied, somebody(proxied).email, "198.51.100.7", PASSWORD).status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:198.51.100.7", "198.51.100.7", True),
        ("198.51.100.7", "198.51.100.8", False),
        ("no address", "no address", True),
    ],
)
def test_one_network_of_ipv6_is_one_address(world, one, other, same):
    assert (attempts._address_key(one) == attempts._address_key(other)) is same


@pytest.mark.parametrize(
    ("proxies", "forwarded", "meant"),
    [
        ("10.0.0.0/8", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.0/8", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.0/8", "1.2.3.4, 198.51.100.1, 10.0.0.9", "198.51.100.1"),
        ("10.0.0.0/8", "10.0.0.9", "10.0.0.9"),
        ("10.0.0.0/8", "", "10.0.0.1"),
        ("192.168.0.0/16", "198.51.100.1", "10.0.0.1"),
        ("", "198.51.100.1", "10.0.0.1"),
        ("*", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.0/8", "198.51.100.1:5678", "198.51.100.1"),
        ("10.0.0.0/8", "198.51.100.1:5678, 10.0.0.9:80", "198.51.100.1"),
        ("10.0.0.0/8", "[2001:db8::7]:443", "2001:db8::7"),
        ("10.0.0.0/8", "[2001:db8::7]", "2001:db8::7"),
        ("10.0.0.0/8", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.0/8", "198.51.100.1, ::ffff:10.0.0.9", "198.51.100.1"),
        ("*", "unknown", "unknown"),
    ],
)
def test_the_address_is_the_last_one_that_a_trusted_proxy_vouches_for(proxies, forwarded, meant):
    """Whatever a client writes into the header itself stands further left."""
    from farthing.http.request.proxies import Proxies
    from farthing.kernel.config import load

    trusted = load({"FARTHING_TRUSTED_PROXIES": proxies}).trusted_proxies
    headers = {b"x-forwarded-for": forwarded.encode()} if forwarded else {}

    assert Proxies(trusted).identify({"client": ("10.0.0.1", 5)}, headers).client == meant


def test_servers_agree_also_when_they_count_at_the_same_moment(new_database_url, tmp_path, check_answer):
    """Two servers on one database, and threads that all try at once: exactly ten get through."""
    for one in running(new_database_url, tmp_path / "one", check_answer):
        for other in running(new_database_url, tmp_path / "other", check_answer):
            now = stamp(one.time.now)

            def attempt(number, books=(one.books, other.books), now=now):
                try:
                    with books[number % 2].writing() as db:
                        attempts.count_for_account(db, "ann@farthing.example", now)
                except TooMany:
                    return False
                return True

            with ThreadPoolExecutor(8) as threads:
                assert sum(threads.map(attempt, range(40))) == ACCOUNT_MAX
            answers = [guess(world, "ann@farthing.example", "").status_code for world in (one, other)]
            assert answers == [429, 429]


def test_what_was_typed_is_kept_only_as_a_hash(world):
    guess(world, "my secret password", "")

    with world.books.reading() as db:
        keys = [key for (key,) in db.all("SELECT key FROM sign_in_attempts")]
    assert len(keys) == 2
    assert not [key for key in keys if "secret" in key]


# Browsers in which somebody has signed in before


def known_browser(world, email, **how):
    browser = Browser(world, **how)
    assert browser.sign_in(email).status_code == 200
    browser.cookie = browser.csrf = None
    return browser


def test_strangers_do_not_lock_out_a_browser_in_which_the_user_has_signed_in_before(proxied):
    """Neither those who guess at the account, nor those who share its address."""
    email = somebody(proxied).email
    browser = known_browser(proxied, email, address="198.51.100.7")
    for _ in range(ACCOUNT_MAX):
        guess(proxied, email, "198.51.100.7")
    for number in range(ADDRESS_MAX):
        guess(proxied, f"somebody{number}@farthing.example", "198.51.100.7")
    assert guess(proxied, email, "198.51.100.7", PASSWORD).status_code == 429
    assert guess(proxied, email, "198.51.100.8", PASSWORD).status_code == 429

    assert browser.sign_in(email).status_code == 200
    assert guess(proxied, email, "198.51.100.8", PASSWORD).status_code == 429, "strangers go on waiting"


def test_a_stolen_device_cookie_is_good_for_ten_guesses_and_no_more(proxied):
    email = somebody(proxied).email
    thief = Browser(proxied, address="198.51.100.9", device=known_browser(proxied, email).device)

    def guess_until_refused():
        return [thief.sign_in(email, "wrong").status_code for _ in range(ACCOUNT_MAX * 2 + 1)]

    assert guess_until_refused() == [422] * ACCOUNT_MAX * 2 + [429]  # ten of the device, ten as a stranger
    proxied.time.now += timedelta(minutes=15)
    assert guess_until_refused() == [422] * ACCOUNT_MAX + [429] * (ACCOUNT_MAX + 1)  # as a stranger only
    proxied.time.now += timedelta(minutes=15)
    thief.sign_in(email)
    assert thief.sign_in(email, "wrong").status_code == 422


def test_a_browser_is_known_for_its_own_users_only(proxied):
    one, other = somebody(proxied).email, somebody(proxied).email
    browser = known_browser(proxied, one)
    for _ in range(ACCOUNT_MAX):
        guess(proxied, other, "198.51.100.7")

    assert browser.sign_in(other).status_code == 429
    device = browser.device
    assert known_browser(proxied, one, device=device).device == device, "it keeps the secret that it was given"
    assert known_browser(proxied, one, device="A" * 43).device != "A" * 43, "but only one that was made here"


@pytest.mark.parametrize("shut_out", ["set_password", "block"])
def test_a_new_password_and_blocking_make_every_browser_a_stranger(proxied, shut_out):
    user = somebody(proxied)
    browser, now = known_browser(proxied, user.email), stamp(proxied.time.now)
    with proxied.books.writing() as db:
        if shut_out == "block":
            users.set_blocked(db, user.id, True, now)
            users.set_blocked(db, user.id, False, now)
        else:
            users.set_password(db, user.id, "another hash", now)
    for _ in range(ACCOUNT_MAX):
        guess(proxied, user.email, "198.51.100.7")

    assert browser.sign_in(user.email).status_code == 429


def test_a_link_works_in_a_known_browser_while_its_address_has_to_wait(proxied):
    user = somebody(proxied)
    browser = known_browser(proxied, user.email, address="198.51.100.7")
    for number in range(ADDRESS_MAX):
        guess(proxied, f"somebody{number}@farthing.example", "198.51.100.7")
    with proxied.books.writing() as db:
        code = links.make(db, user.id, stamp(proxied.time.now))

    assert Browser(proxied, address="198.51.100.7").post("/session", {"code": code}).status_code == 429
    assert browser.post("/session", {"code": code}).status_code == 200


def test_what_a_browser_keeps_is_in_the_database_only_as_a_hash_and_not_for_ever(proxied):
    email = somebody(proxied).email
    browsers = [known_browser(proxied, email) for _ in range(60)]

    with proxied.books.writing() as db:
        kept = [row for (row,) in db.all("SELECT hash FROM devices")]
        devices.forget_old(db, stamp(proxied.time.now + timedelta(days=400)))
        assert db.value("SELECT COUNT(*) FROM devices") == 0
    assert len(kept) == 50
    assert not {browser.device for browser in browsers} & set(kept)
