"""The owner makes and changes users; an installation always has an owner who can act."""

from typing import Any

import pytest

from farthing.identity import users
from farthing.identity.signing_in import passwords

from ..conftest import Client, World
from .people import an_owner


def errors(answer: Any) -> dict[str, list[str]]:
    assert answer.status_code == 422, answer.text
    return dict(answer.json()["errors"])


def role_of(client: Client) -> str | None:
    role: str | None = client.get("/about/user").json()["data"]["attributes"]["role"]
    return role


def test_the_owner_makes_a_user(owner: Client) -> None:
    answer = owner.post("/users", {"email": "new@farthing.example", "blocked": True, "blocked_code": "email_changed"})

    assert answer.status_code == 200
    shown = answer.json()["data"]
    assert shown["attributes"] | {"updated_at": "", "created_at": ""} == {
        "updated_at": "",
        "created_at": "",
        "email": "new@farthing.example",
        "blocked": True,
        "blocked_code": "email_changed",
        "role": None,
    }
    assert owner.get(f"/users/{shown['id']}").json() == answer.json()


def test_the_answer_tells_of_the_revision_of_whoever_made_the_user(owner: Client) -> None:
    owner.post("/tags", {"tag": "before"})
    before = int(owner.post("/tags", {"tag": "just before"}).headers["farthing-revision"])

    answer = owner.post("/users", {"email": "counted@farthing.example", "blocked": False})

    assert answer.headers["farthing-revision"] == f"{before + 1}"
    assert answer.headers["etag"].startswith(f'"{owner.user.id}.{before + 1}.')
    assert owner.get("/changes", revision=before + 1).json()["data"][0]["attributes"]["doing"] == "users.create"


def test_a_form_makes_a_user_too(owner: Client) -> None:
    answer = owner.request("POST", "/users", data={"email": "form@farthing.example", "blocked": "0"})

    assert answer.json()["data"]["attributes"]["blocked"] is False


def test_a_new_user_has_preferences_and_a_cash_account_from_the_start(owner: Client, world: World) -> None:
    made = owner.post("/users", {"email": "whole@farthing.example", "blocked": False}).json()["data"]

    with world.books.reading() as db:
        preferences = db.value("SELECT COUNT(*) FROM preferences WHERE user_id = :id", id=int(made["id"]))
        kinds = db.all("SELECT kind FROM accounts WHERE user_id = :id ORDER BY kind", id=int(made["id"]))
    assert preferences == 16
    assert kinds == [("Cash account",), ("Exchange account",)]


def test_a_new_user_has_no_password_that_anyone_could_know(owner: Client, world: World) -> None:
    made = owner.post("/users", {"email": "mute@farthing.example", "blocked": False}).json()["data"]

    with world.books.reading() as db:
        kept = users.password_hash(db, "mute@farthing.example")
        assert not users.has_password(db, int(made["id"]))
    assert not [word for word in ("", " ", "None") if passwords.check(kept, word).right]


@pytest.mark.parametrize("role", ["owner", "demo"])
def test_a_new_user_may_have_a_role(owner: Client, role: str) -> None:
    answer = owner.post("/users", {"email": f"{role}@farthing.example", "blocked": False, "role": role})

    assert answer.json()["data"]["attributes"]["role"] == role


def test_making_users_is_for_the_owner(plain: Client) -> None:
    answer = plain.post("/users", {})

    assert answer.status_code == 403
    assert answer.json()["message"] == "Only the owner of this installation may make users."


def test_everything_wrong_is_said_at_once(owner: Client) -> None:
    answer = owner.post("/users", {"email": "nobody", "blocked_code": "rude", "role": "king"})

    assert errors(answer) == {
        "email": ["The email address must be a valid email address."],
        "blocked": ["The blocked field is required."],
        "blocked_code": ["The selected blocked code is invalid: it must be one of email_changed."],
        "role": ["The selected role is invalid: it must be one of owner, demo."],
    }


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_address_and_state_are_required(owner: Client, method: str) -> None:
    answer = owner.request(method, "/users" if method == "POST" else f"/users/{owner.user.id}", json={})

    assert errors(answer) == {
        "email": ["The email address field is required."],
        "blocked": ["The blocked field is required."],
    }


@pytest.mark.parametrize("spelled", [str, str.upper])
def test_an_address_belongs_to_one_user_whatever_its_case(owner: Client, plain: Client, spelled: Any) -> None:
    body = {"email": spelled(plain.user.email), "blocked": False}
    taken = {"email": ["The email address is already used by another user."]}

    assert errors(owner.post("/users", body)) == taken
    assert errors(owner.put(f"/users/{owner.user.id}", body)) == taken


def test_a_user_may_keep_their_own_address(owner: Client, plain: Client) -> None:
    body = {"email": plain.user.email.upper(), "blocked": False}

    answer = owner.put(f"/users/{plain.user.id}", body)

    assert answer.json()["data"]["attributes"]["email"] == plain.user.email.upper()


def test_a_blocked_user_is_shut_out_until_unblocked(owner: Client, plain: Client) -> None:
    path, body = f"/users/{plain.user.id}", {"email": plain.user.email}

    owner.put(path, {**body, "blocked": 1})
    assert plain.get("/accounts").status_code == 401

    owner.request("PUT", path, data={**body, "blocked": "0"})
    assert plain.get("/accounts").status_code == 200


def test_what_is_left_out_is_blanked_but_the_role_stays(owner: Client, plain: Client) -> None:
    path, body = f"/users/{plain.user.id}", {"email": plain.user.email, "blocked": False}
    owner.put(path, {**body, "blocked_code": "email_changed", "role": "demo"})

    shown = owner.put(path, body).json()["data"]["attributes"]

    assert (shown["blocked_code"], shown["role"]) == (None, "demo")


@pytest.mark.parametrize("empty", ["", None])
def test_an_empty_role_takes_it_away(owner: Client, plain: Client, empty: str | None) -> None:
    path, body = f"/users/{plain.user.id}", {"email": plain.user.email, "blocked": False}
    owner.put(path, {**body, "role": "owner"})
    assert role_of(plain) == "owner"

    owner.put(path, {**body, "role": empty})

    assert role_of(plain) is None


def test_users_do_not_change_themselves_unless_they_own_the_installation(plain: Client, owner: Client) -> None:
    body = {"email": plain.user.email, "blocked": False, "role": "owner"}

    assert plain.put(f"/users/{plain.user.id}", body).status_code == 403
    assert plain.put(f"/users/{owner.user.id}", body).status_code == 404
    assert role_of(plain) is None


def test_an_owner_cannot_block_themselves(owner: Client) -> None:
    answer = owner.put(f"/users/{owner.user.id}", {"email": "wrong", "blocked": True})

    assert errors(answer) == {
        "email": ["The email address must be a valid email address."],
        "blocked": ["You cannot block yourself."],
    }


@pytest.mark.parametrize("role", ["demo", ""])
def test_the_last_owner_stays_owner(new_world: World, role: str) -> None:
    owner = new_world.someone("first@farthing.example")

    answer = owner.put(f"/users/{owner.user.id}", {"email": owner.user.email, "blocked": False, "role": role})

    sentence = "This installation must have an owner, and first@farthing.example is the last one."
    assert errors(answer) == {"role": [sentence]}
    assert role_of(owner) == "owner"


def test_one_of_two_owners_may_step_back(new_world: World) -> None:
    first, second = new_world.someone(), an_owner(new_world)

    first.put(f"/users/{first.user.id}", {"email": first.user.email, "blocked": False, "role": ""})

    assert (role_of(first), role_of(second)) == (None, "owner")


def test_a_blocked_owner_does_not_count(new_world: World) -> None:
    first, second = new_world.someone(), an_owner(new_world)
    first.put(f"/users/{second.user.id}", {"email": second.user.email, "blocked": True})

    answer = first.put(f"/users/{first.user.id}", {"email": first.user.email, "blocked": False, "role": ""})

    assert list(errors(answer)) == ["role"]


def test_an_owner_may_block_and_demote_another(new_world: World) -> None:
    first, second = new_world.someone(), an_owner(new_world)
    body = {"email": second.user.email, "blocked": True, "role": ""}

    answer = first.put(f"/users/{second.user.id}", body)

    assert answer.json()["data"]["attributes"]["role"] is None
    assert second.get("/about/user").status_code == 401


def test_a_wrong_role_is_not_taken_for_none(new_world: World) -> None:
    owner = new_world.someone()

    answer = owner.put(f"/users/{owner.user.id}", {"email": owner.user.email, "blocked": False, "role": "king"})

    assert errors(answer) == {"role": ["The selected role is invalid: it must be one of owner, demo."]}
