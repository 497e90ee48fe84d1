"""What runs here, and who is asking?"""

import re

import pytest

from farthing import __version__

from ..conftest import Client, World


def test_about_tells_versions_system_and_database(me: Client, world: World) -> None:
    answer = me.get("/about")

    about = answer.json()["data"]
    assert answer.headers["content-type"] == "application/vnd.api+json"
    assert list(answer.json()) == ["data"]
    assert list(about) == ["version", "api_version", "php_version", "os", "driver"]
    assert all(isinstance(value, str) and value for value in about.values())
    assert (about["version"], about["api_version"], about["driver"]) == (__version__, "0.7", world.books.dialect)


@pytest.mark.parametrize("name", ["version", "api_version", "php_version"])
def test_versions_read_as_versions(me: Client, name: str) -> None:
    assert re.match(r"[0-9]+(\.[0-9]+)+", me.get("/about").json()["data"][name])


def test_about_user_shows_who_is_asking(me: Client) -> None:
    shown = me.get("/about/user").json()["data"]

    assert (shown["type"], shown["id"]) == ("users", str(me.user.id))
    assert shown["attributes"]["email"] == me.user.email
    assert shown["links"] == {
        "self": f"http://farthing.example/api/v1/users/{me.user.id}",
        "0": {"rel": "self", "uri": f"/users/{me.user.id}"},
    }


def test_the_first_user_is_shown_as_the_owner(new_world: World) -> None:
    first, second = new_world.someone(), new_world.someone()

    assert first.get("/about/user").json()["data"]["attributes"]["role"] == "owner"
    assert second.get("/about/user").json()["data"]["attributes"]["role"] is None


@pytest.mark.parametrize("path", ["/about", "/about/user"])
def test_without_a_token_nothing_is_told(world: World, path: str) -> None:
    assert world.http.get(f"/api/v1{path}").status_code == 401


@pytest.mark.parametrize("path", ["/about", "/about/user"])
def test_there_is_nothing_to_change(me: Client, path: str) -> None:
    assert me.put(path, {}).status_code == 405
