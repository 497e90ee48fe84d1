"""Users, and books under the name of user groups."""

from dataclasses import replace

from ..conftest import World
from ..sharing.people import member_of
from .test_basics import data


def test_the_owner_manages_users(new_world: World):
    owner = new_world.someone()
    made = data(owner.v6.post("/users", {"email": "ann@farthing.example"}))

    assert (made["type"], made["attributes"]["blocked"], made["attributes"]["role"]) == ("users", False, None)
    assert made["attributes"]["blocked_code"] is None
    changed = data(owner.v6.put(f"/users/{made['id']}", {"blocked": True, "blocked_code": "email_changed"}))
    assert changed["attributes"]["email"] == "ann@farthing.example"
    assert data(owner.get(f"/users/{made['id']}"))["attributes"]["blocked_code"] == "email_changed"
    kept = data(owner.v6.put(f"/users/{made['id']}", {"email": "bob@farthing.example", "blocked_code": ""}))
    assert (kept["attributes"]["blocked"], kept["attributes"]["blocked_code"]) == (True, None)
    assert len(data(owner.v6.get("/users"))) == 2
    assert owner.v6.delete(f"/users/{made['id']}").status_code == 204
    assert list(owner.v6.post("/users", {"email": owner.user.email}).json()["errors"]) == ["email"]
    assert list(owner.v6.put(f"/users/{owner.user.id}", {"email": ""}).json()["errors"]) == ["email"]


def test_others_see_only_themselves(new_world: World):
    owner, other = new_world.someone(), new_world.someone()

    assert other.v6.get("/users").status_code == 403
    assert other.v6.post("/users", {"email": "x@farthing.example"}).status_code == 403
    assert data(other.v6.get(f"/users/{other.user.id}")) == data(other.v6.get("/about/user"))
    assert other.v6.get(f"/users/{owner.user.id}").status_code == 404


def own(member):
    """The member in their own books."""
    return replace(member, headers={})


def test_books_are_listed_as_user_groups(world: World):
    ann = world.someone()
    bob = own(member_of(world, ann, "viewer"))

    mine, others = data(bob.v6.get("/user-groups"))

    assert mine["id"] == str(bob.user.id)
    assert mine["attributes"]["in_use"] is True
    assert mine["attributes"]["members"][0] == {
        "user_id": str(bob.user.id), "user_email": bob.user.email, "you": True, "roles": ["owner"],
    }  # fmt: skip
    assert (others["attributes"]["title"], others["attributes"]["in_use"]) == (ann.user.email, False)
    assert "ro" in others["attributes"]["members"][1]["roles"]
    assert data(bob.v6.get(f"/user-groups/{ann.user.id}")) == others
    [alone] = data(ann.v6.get("/user-groups"))
    assert [member["you"] for member in alone["attributes"]["members"]] == [True, False]


def test_the_primary_currency_of_own_books_is_changed(world: World):
    ann = world.someone()
    bob = own(member_of(world, ann, "full"))
    body = {"title": bob.user.email, "primary_currency_code": "USD"}

    changed = data(bob.v6.put(f"/user-groups/{bob.user.id}", body))

    assert changed["attributes"]["primary_currency_code"] == "USD"
    assert data(bob.v6.get("/currencies/primary"))["attributes"]["code"] == "USD"
    assert bob.v6.put(f"/user-groups/{ann.user.id}", body).status_code == 404
    renamed = bob.v6.put(f"/user-groups/{bob.user.id}", {"title": "Ours", "primary_currency_code": "QQQ"})
    assert set(renamed.json()["errors"]) == {"title", "primary_currency_code"}
