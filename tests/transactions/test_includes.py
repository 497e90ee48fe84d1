"""Which related objects come along with transactions?"""

import pytest

from .making import a_transaction, asset, made, posted, posted_one, split, withdrawal


def included(answer, kind):
    return [one for one in answer.get("included", []) if one["type"] == kind]


@pytest.fixture
def tagged(me):
    checking = made(me, asset())
    splits = [split(source_id=checking, description=text) for text in ("one", "two")]
    both = posted(me, a_transaction("withdrawal", *splits, tags="Home,food"))
    posted(me, withdrawal(checking, tags="FOOD"))
    posted(me, withdrawal(checking))
    return both[0]["id"]


def test_nothing_comes_along_unasked(me, tagged):
    answer = me.get(f"/transactions/{tagged}").json()

    assert "included" not in answer
    assert all("relationships" not in one for one in answer["data"])


@pytest.mark.parametrize("path", ["/transactions", "/transactions/{id}", "/accounts/{account}/transactions"])
def test_the_user_comes_once(me, tagged, path):
    account = me.get("/accounts", type="asset").json()["data"][0]["id"]

    answer = me.get(path.format(id=tagged, account=account), include="user,nobody").json()

    [user] = included(answer, "users")
    assert user["attributes"]["email"] == me.user.email
    assert all(one["relationships"]["user"]["data"] == {"type": "users", "id": user["id"]} for one in answer["data"])


def test_each_transaction_names_its_tags_in_order(me, tagged):
    answer = me.get("/transactions", include="tags").json()

    tags = {one["id"]: one for one in included(answer, "tags")}
    named = [
        [tags[reference["id"]]["attributes"]["tag"] for reference in one["relationships"]["tags"]["data"]]
        for one in answer["data"]
    ]
    assert named == [[], ["food"], ["Home", "food"], ["Home", "food"]]
    assert len(tags) == 2


def test_a_tag_is_shown_with_the_members_that_clients_know(me, tagged):
    answer = me.get(f"/transactions/{tagged}", include="tags").json()

    home = included(answer, "tags")[0]
    known = {
        "updated_at": "2024-05-15T12:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "tag": "Home",
        "tag_mode": None,
        "date": None,
        "description": None,
        "latitude": None,
        "longitude": None,
        "zoom_level": None,
    }
    assert {name: home["attributes"][name] for name in known} == known
    assert home["links"]["self"] == f"http://farthing.example/api/v1/tags/{home['id']}"


def test_relations_lead_somewhere(me, tagged):
    relation = me.get(f"/transactions/{tagged}", include="tags").json()["data"][0]["relationships"]["tags"]

    at = f"http://farthing.example/api/v1/transactions/{tagged}"
    assert relation["links"] == {"self": f"{at}/relationships/tags", "related": f"{at}/tags"}


@pytest.mark.parametrize("name", ["attachments", "piggy_bank_events"])
def test_what_there_is_none_of_is_an_empty_relation(me, tagged, name):
    answer = me.get(f"/transactions/{tagged}", include=name).json()

    assert [one["relationships"][name]["data"] for one in answer["data"]] == [[], []]
    assert "included" not in answer


def test_create_and_change_answer_with_them_too(me):
    checking = made(me, asset())
    made_one = me.post("/transactions?include=tags", withdrawal(checking, tags="a"))
    changed = me.put(
        f"/transactions/{made_one.json()['data'][0]['id']}?include=tags,user", withdrawal(checking, tags="b")
    )

    assert [one["attributes"]["tag"] for one in included(made_one.json(), "tags")] == ["a"]
    assert {one["type"] for one in changed.json()["included"]} == {"tags", "users"}


def test_nobody_gets_the_tags_of_others(me, someone_else):
    posted_one(someone_else, withdrawal(made(someone_else, asset()), tags="theirs"))
    posted_one(me, withdrawal(made(me, asset()), tags="mine"))

    answer = me.get("/transactions", include="tags").json()

    assert [one["attributes"]["tag"] for one in included(answer, "tags")] == ["mine"]
