"""Is everything its owner's alone? Every route that names an object answers 404 to others and 401 to nobody.

A resource joins by being registered in the routes of a version; `makers` says how one of it is made.
"""

import re

import pytest

from farthing.api.v1.routes import ROUTES

from ..conftest import Client
from .doors import DOORS, KNOWN, make_for
from .makers import MAKERS, SHARED, one_of, resource

OF_ONE = [route for route in ROUTES if "{" in route.path]
# The doors that show one of a kind, to see that nobody has changed it.
SHOWN = {
    (door.version, door.kind): door
    for door in DOORS
    if door.method == "GET" and door.route.path.count("/") == 2 and door.named
}


def seen(client: Client, path: str) -> str:
    """When it was last used changes by looking."""
    return re.sub(r'"last_used_at":(null|"[^"]*")', "", client.get(path).text)


def test_every_resource_with_an_id_says_how_one_is_made():
    assert {resource(route.path) for route in OF_ONE} == MAKERS.keys() | SHARED


@pytest.mark.parametrize("door", [door for door in DOORS if door.named], ids=str)
def test_what_is_somebody_elses_is_not_there(door, me, someone_else):
    ids = make_for(door, me)
    mine = SHOWN.get((door.version, door.kind), door).address(ids)
    before = seen(me, mine)

    refused = someone_else.request(door.method, door.address(ids), json={})
    unknown = someone_else.request(door.method, door.address(dict.fromkeys(ids, "999999999")), json={})

    assert refused.status_code == 404
    assert refused.json() == unknown.json() == {"message": "Resource not found", "exception": "NotFoundHttpException"}
    assert seen(me, mine) == before


@pytest.mark.any_database
@pytest.mark.parametrize("word", ["abc", "12abc", "-1", "1.0", "%20", "٣", "0", "9" * 19, "9" * 400, "%00", "1%2F2"])
def test_what_is_no_number_is_not_there(word, me):
    # Two words may be the address of a pair, which has other methods.
    refusals = {404, 405} if "%2F" in word else {404}
    for door in DOORS:
        if door.named:
            address = door.address(dict.fromkeys(door.named.values(), word))
            assert me.request(door.method, address, json={}).status_code in refusals, door


@pytest.mark.any_database
def test_nobody_gets_in_anywhere(world):
    for door in KNOWN:
        response = world.http.request(door.method, door.address({}), json={})

        assert response.status_code == 401, door
        assert response.json() == {"message": "Unauthenticated", "exception": "AuthenticationException"}


@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_a_list_holds_only_what_is_the_callers(kind, me, someone_else):
    object_id = one_of(kind, me)

    response = someone_else.get(f"/{kind}", limit=1000)

    # Who uses the installation is the business of its owner, and of nobody else.
    assert response.status_code == (403 if kind == "users" else 200)
    assert object_id not in [thing["id"] for thing in response.json().get("data", [])]
