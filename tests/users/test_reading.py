"""The owner sees all users, others see themselves."""

import pytest

from ..conftest import Client, World


def test_a_user_is_shown_with_address_role_and_state(owner: Client) -> None:
    shown = owner.get(f"/users/{owner.user.id}").json()["data"]

    assert shown == {
        "type": "users",
        "id": str(owner.user.id),
        "attributes": {
            "updated_at": "2024-05-15T12:00:00+00:00",
            "created_at": "2024-05-15T12:00:00+00:00",
            "email": owner.user.email,
            "blocked": False,
            "blocked_code": None,
            "role": "owner",
        },
        "links": {
            "self": f"http://farthing.example/api/v1/users/{owner.user.id}",
            "0": {"rel": "self", "uri": f"/users/{owner.user.id}"},
        },
    }


def test_the_list_is_paged_and_in_the_order_of_the_ids(new_world: World) -> None:
    owner, *others = [new_world.someone() for _ in range(3)]

    first = owner.get("/users", limit=2).json()
    second = owner.get("/users", limit=2, page=2).json()

    ids = [int(one["id"]) for one in first["data"] + second["data"]]
    assert ids == [owner.user.id, *(other.user.id for other in others)]
    assert first["meta"]["pagination"]["total"] == 3
    assert first["links"]["next"].endswith("/api/v1/users?limit=2&page=2")


def test_the_owner_sees_anyone(owner: Client, plain: Client) -> None:
    shown = owner.get(f"/users/{plain.user.id}")

    assert shown.json()["data"]["attributes"]["email"] == plain.user.email
    assert shown.json()["data"]["attributes"]["role"] is None


def test_a_user_sees_themselves(plain: Client) -> None:
    assert plain.get(f"/users/{plain.user.id}").json()["data"]["attributes"]["email"] == plain.user.email


def test_a_user_sees_nobody_else(plain: Client, owner: Client) -> None:
    assert plain.get(f"/users/{owner.user.id}").status_code == 404


def test_the_list_is_for_the_owner(plain: Client) -> None:
    answer = plain.get("/users")

    assert answer.status_code == 403
    assert answer.json() == {
        "message": "Only the owner of this installation may see all users.",
        "exception": "AuthorizationException",
    }


@pytest.mark.parametrize("user_id", ["abc", "999999999", "0", "-1", "1.0", "a%00b"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_an_id_that_is_not_there_is_not_found(owner: Client, plain: Client, method: str, user_id: str) -> None:
    assert owner.request(method, f"/users/{user_id}").status_code == 404
    assert plain.request(method, f"/users/{user_id}").status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("POST", ""), ("GET", "/1"), ("PUT", "/1"), ("DELETE", "/1")],
)
def test_without_a_token_nobody_is_there(world: World, method: str, path: str) -> None:
    assert world.http.request(method, f"/api/v1/users{path}").status_code == 401
