"""E-mail addresses: written in one way, with nothing unseen in them, and none that looks like another."""

import pytest

from farthing.identity import users
from farthing.identity.addresses import find_problem, is_same, normalize
from farthing.kernel.clock import stamp

from ..conftest import Client, World


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.org",
        "ann.o'neil+money@mail-2.example.org",
        "jos\u00e9@example.es",
        "\u0430\u043d\u043d\u0430@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
        "anna@\u043f\u0440\u0438\u043c\u0435\u0440.com",
        "\u5c71\u7530taro@\u4f8b\u3048.jp",
        "\u30e6\u30fc\u30b6\u30fc1@example.jp",
        "\uae40minsu@example.kr",
    ],
)
def test_what_people_really_have_is_accepted(address: str) -> None:
    assert find_problem(normalize(address)) is None


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("ann", "must be a valid email address"),
        ("ann@@example.org", "must be a valid email address"),
        ("an n@example.org", "must be a valid email address"),
        ("p\u0430ul@example.org", "may not mix Cyrillic and Latin letters in 'p\u0430ul'"),
        ("paul@ex\u0430mple.org", "may not mix Cyrillic and Latin letters in 'ex\u0430mple'"),
        ("\u03bfwner@example.org", "may not mix Greek and Latin letters in '\u03bfwner'"),
        ("an\u200bn@example.org", "may not contain invisible characters"),
        ("an\u00adn@example.org", "may not contain invisible characters"),
        ("an\u202en@example.org", "may not contain invisible characters"),
        ("an\u3164n@example.org", "may not contain invisible characters"),
        ("ann\ufe0f@example.org", "may not contain invisible characters"),
    ],
)
def test_what_looks_like_another_address_is_not(address: str, problem: str) -> None:
    assert find_problem(normalize(address)) == problem


@pytest.mark.parametrize(
    ("named", "email", "same"),
    [
        ("Root@Example.org", "root@example.org", True),
        ("\u00c4nne@example.org", "\u00e4nne@example.org", True),
        ("\uff52oot@example.org", "root@example.org", False),
        ("\u212aarl@example.org", "karl@example.org", False),  # the sign for kelvin
        ("\u017fam@example.org", "sam@example.org", False),  # a long s
        ("\ufb01nn@example.org", "finn@example.org", False),  # a ligature
        ("stra\u00dfe@example.org", "strasse@example.org", False),
        ("a\u0308nne@example.org", "\u00e4nne@example.org", False),
    ],
)
def test_of_what_others_vouch_for_only_the_case_may_differ(named: str, email: str, same: bool) -> None:
    assert is_same(named, email) is same


def test_full_width_letters_become_plain_ones_so_that_an_address_is_taken_once(owner: Client) -> None:
    body = {"email": "\uff41\uff42\uff43@farthing.example", "blocked": False}

    assert owner.post("/users", body).json()["data"]["attributes"]["email"] == "abc@farthing.example"
    assert owner.post("/users", body).json()["errors"] == {
        "email": ["The email address is already used by another user."]
    }
    mixed = owner.post("/users", {"email": "p\u0430ul@example.org", "blocked": False})
    assert mixed.json()["errors"] == {
        "email": ["The email address may not mix Cyrillic and Latin letters in 'p\u0430ul'."]
    }


def test_users_who_are_there_already_keep_the_address_they_have(owner: Client, world: World) -> None:
    with world.books.writing() as db:
        old = users.add(db, "p\u0430ul@old.example", "no password", stamp(world.time.now))

    kept = owner.put(f"/users/{old.id}", {"email": old.email, "blocked": True})
    other = owner.put(f"/users/{old.id}", {"email": "p\u0430ula@old.example", "blocked": True})

    assert (kept.status_code, other.status_code) == (200, 422)
    assert (
        kept.json()["data"]["attributes"] | {"email": old.email, "blocked": True} == (kept.json()["data"]["attributes"])
    )
