"""Guessing: after a few tries an account, and after some more an address, has to wait; on all servers alike."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from farthing.identity import attempts, passwords
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

    assert Proxies(trusted).client({"client": ("10.0.0.1", 5)}, headers) == meant


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
