"""Every user has all preferences from the start; they can be read and changed, by id or by name."""

from typing import Any

import pytest

from ..conftest import Client, World

IN_ORDER = {
    "language": "en_US",
    "customFiscalYear": False,
    "fiscalYearStart": "01-01",
    "currencyPreference": "EUR",
    "transaction_journal_optional_fields": [],
    "frontPageAccounts": [],
    "viewRange": "1M",
    "listPageSize": 50,
    "twoFactorAuthEnabled": False,
    "timezone": "UTC",
    "recurrenceCatchUp": "all",
    "holidayCountry": "",
    "savedFilters": [],
    "accountOrder": [],
    "accountGroupOrder": [],
    "dashboardCards": [],
}


def id_of(client: Client, name: str) -> str:
    return str(client.get(f"/preferences/{name}").json()["data"]["id"])


def test_a_new_user_has_every_preference_in_the_order_of_the_manual(me: Client) -> None:
    answer = me.get("/preferences")

    listed = [one["attributes"] for one in answer.json()["data"]]
    assert answer.status_code == 200
    assert {one["name"]: one["data"] for one in listed} == IN_ORDER
    assert [one["name"] for one in listed] == list(IN_ORDER)


def test_the_list_is_never_paged(me: Client) -> None:
    me.put("/preferences/listPageSize", {"data": 1})

    answer = me.get("/preferences", page=2)

    assert list(answer.json()) == ["data"]
    assert len(answer.json()["data"]) == len(IN_ORDER)


def test_a_preference_links_to_itself_and_to_nothing_else(me: Client) -> None:
    shown = me.get("/preferences/viewRange").json()["data"]

    assert shown["type"] == "preferences"
    assert shown["links"] == {"self": f"http://farthing.example/api/v1/preferences/{shown['id']}"}
    assert shown["attributes"] == {
        "updated_at": "2024-05-15T12:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "name": "viewRange",
        "data": "1M",
    }


def test_a_preference_is_found_by_its_id_as_well_as_by_its_name(me: Client) -> None:
    by_name = me.get("/preferences/viewRange")

    assert me.get(f"/preferences/{id_of(me, 'viewRange')}").json() == by_name.json()


@pytest.mark.parametrize("path", ["/preferences", "/preferences/viewRange"])
def test_the_user_goes_along_when_asked_for(me: Client, path: str) -> None:
    answer = me.get(path, include="user").json()

    things = answer["data"] if isinstance(answer["data"], list) else [answer["data"]]
    assert [(one["type"], one["id"]) for one in answer["included"]] == [("users", str(me.user.id))]
    assert all(one["relationships"]["user"]["data"]["id"] == str(me.user.id) for one in things)


def test_the_user_goes_along_with_a_change_too(me: Client) -> None:
    answer = me.put("/preferences/viewRange?include=user", {"data": "1W"}).json()

    assert answer["included"][0]["attributes"]["email"] == me.user.email


@pytest.mark.parametrize("name", ["999999999", "0", "abc", "12abc", "-1", "viewrange", "access_token", "a%00b", "%ff"])
@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_anything_but_an_id_or_a_known_name_is_not_there(me: Client, method: str, name: str) -> None:
    answer = me.request(method, f"/preferences/{name}", json={} if method == "PUT" else None)

    assert answer.status_code == 404
    assert answer.json() == {"message": "Resource not found", "exception": "NotFoundHttpException"}


def test_another_users_preference_is_not_there(me: Client, someone_else: Client) -> None:
    theirs = f"/preferences/{id_of(someone_else, 'viewRange')}"

    assert me.get(theirs).status_code == 404
    assert me.put(theirs, {"data": "1W"}).status_code == 404
    assert someone_else.get(theirs).json()["data"]["attributes"]["data"] == "1M"


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("GET", "/viewRange"), ("PUT", "/viewRange")])
def test_without_a_token_there_is_nothing_to_see(world: World, method: str, path: str) -> None:
    assert world.http.request(method, f"/api/v1/preferences{path}").status_code == 401


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_preferences_are_neither_made_nor_deleted(me: Client, method: str) -> None:
    assert me.request(method, "/preferences/viewRange").status_code == 405


def test_a_change_shows_the_new_value_and_stays(me: Client, world: World) -> None:
    world.time.now = world.time.now.replace(hour=13)
    answer = me.put(f"/preferences/{id_of(me, 'viewRange')}", {"data": "3M"})

    assert answer.status_code == 200
    assert answer.json()["data"]["attributes"] == {
        "updated_at": "2024-05-15T13:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "name": "viewRange",
        "data": "3M",
    }
    assert me.get("/preferences/viewRange").json() == answer.json()


def test_a_change_is_kept_with_what_was_there_before(me: Client, world: World) -> None:
    me.put("/preferences/viewRange", {"data": "3M"})

    with world.books.reading() as db:
        kept = db.all("SELECT kind, action, before FROM changes WHERE user_id = :id ORDER BY id", id=me.user.id)
    assert kept[-1][:2] == ("preferences", "changed")
    assert "1M" in kept[-1][2]


def test_nobody_elses_preference_changes_along(me: Client, someone_else: Client) -> None:
    me.put("/preferences/viewRange", {"data": "3M"})

    assert someone_else.get("/preferences/viewRange").json()["data"]["attributes"]["data"] == "1M"


@pytest.mark.parametrize(
    ("name", "form", "data"),
    [
        ("viewRange", {"data": "1Y"}, "1Y"),
        ("listPageSize", {"data": "434"}, 434),
        ("customFiscalYear", {"data": "1"}, True),
        ("frontPageAccounts", {"data": "4,5,6"}, ["4", "5", "6"]),
        ("frontPageAccounts", {"data[]": ["4", "5"]}, ["4", "5"]),
        ("frontPageAccounts", {"data[7]": "4", "data[3]": "5"}, ["5", "4"]),
        ("frontPageAccounts", {"data[]": ""}, []),
        ("transaction_journal_optional_fields", {"data[notes]": "1", "data[due_date]": "0"}, ["notes"]),
    ],
)
def test_a_form_changes_a_preference_too(me: Client, name: str, form: dict[str, Any], data: object) -> None:
    answer = me.request("PUT", f"/preferences/{name}", data=form)

    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["attributes"]["data"] == data


def test_a_multipart_body_changes_a_preference_too(me: Client) -> None:
    answer = me.request("PUT", "/preferences/viewRange", data={"data": "1Y"}, files={"other": b"a file"})

    assert answer.json()["data"]["attributes"]["data"] == "1Y"


def test_two_tabs_do_not_overwrite_each_others_saved_filters(me: Client) -> None:
    path, food = "/preferences/savedFilters", {"name": "Food", "query": "category_id=4"}
    seen = me.get(path).headers["etag"]

    assert me.put(path, {"data": [food]}, headers={"If-Match": seen}).status_code == 200
    assert me.put(path, {"data": []}, headers={"If-Match": seen}).status_code == 412
    assert me.get(path).json()["data"]["attributes"]["data"] == [food]
