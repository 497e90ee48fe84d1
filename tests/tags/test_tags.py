"""Tags: what all labels do, tests/labels holds; this is what is theirs alone."""

from urllib.parse import quote

import pytest

from ..labels.making import TAG, a_label, asset, attributes, errors, exact, made, named, recorded, withdrawn
from ..transactions.making import listed, posted_one, transfer

PLACE = {"latitude": "52.3676", "longitude": -4.904100, "zoom_level": "12"}


def test_every_field_is_stored_and_shown(me):
    body = {"tag": "Holiday", "date": "2024-07-01", "description": "Three weeks", **PLACE}

    shown = exact(me.post("/tags", body))["data"]["attributes"]

    assert {name: str(value) for name, value in shown.items() if value is not None and value != []} == {
        "updated_at": "2024-05-15T12:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "tag": "Holiday",
        "date": "2024-07-01",
        "description": "Three weeks",
        "latitude": "52.3676",
        "longitude": "-4.9041",
        "zoom_level": "12",
        "transactions_count": "0",
    }


def test_a_change_clears_omitted_fields(me):
    holiday = a_label(me, TAG, "Holiday", date="2024-07-01", description="Three weeks", **PLACE)

    me.put(f"/tags/{holiday}", {"tag": "Holiday"})

    shown = attributes(me, TAG, holiday)
    assert {shown[name] for name in ("date", "description", "latitude", "longitude", "zoom_level")} == {None}


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"latitude": 91, "longitude": 0}, ["latitude"]),
        ({"latitude": 0, "longitude": "-180.1"}, ["longitude"]),
        ({"latitude": 10}, ["longitude"]),
        ({"longitude": 10}, ["latitude"]),
        ({"latitude": "north", "longitude": 10}, ["latitude"]),
        ({"latitude": "0.1234567890123", "longitude": 10}, ["latitude"]),
        ({"zoom_level": 81}, ["zoom_level"]),
        ({"zoom_level": "1.5"}, ["zoom_level"]),
        ({"date": "2024-02-30"}, ["date"]),
        ({"tag": "a,b"}, ["tag"]),
        (
            {"tag": "", "latitude": 91, "date": "x", "zoom_level": -1},
            ["date", "latitude", "longitude", "tag", "zoom_level"],
        ),
    ],
)
def test_all_problems_are_reported_at_once(me, fields, wrong):
    assert sorted(errors(me.post("/tags", {"tag": "Holiday", **fields}))) == wrong


@pytest.mark.parametrize("place", [{"latitude": 0, "longitude": 0}, {"latitude": "-90.000", "longitude": "180"}])
def test_zero_is_a_valid_coordinate(me, place):
    shown = attributes(me, TAG, a_label(me, TAG, "Here", **place))

    assert (int(shown["latitude"]), int(shown["longitude"])) == (
        int(float(place["latitude"])), int(float(place["longitude"])),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["Holiday", "two words", "Straße", "50%", "a+b", "a-b_c", "?#&", "日本"])
def test_a_tag_is_found_by_its_name_ignoring_case(me, name):
    tag_id = a_label(me, TAG, name)

    for spelling in (name, name.upper()):
        assert me.get(f"/tags/{quote(spelling, safe='')}").json()["data"]["id"] == tag_id
        assert me.get(f"/tags/{quote(spelling, safe='')}/transactions").status_code == 200


def test_a_tag_can_be_changed_and_deleted_by_its_name(me):
    tag_id = a_label(me, TAG, "Holiday")

    assert me.put("/tags/holiday", {"tag": "Trip"}).json()["data"]["id"] == tag_id
    assert me.delete("/tags/TRIP").status_code == 204
    assert me.get(f"/tags/{tag_id}").status_code == 404


def test_digits_are_always_an_id(me, someone_else):
    tag_id = a_label(me, TAG, "2024")

    assert me.get("/tags/2024").json().get("data", {}).get("id") != tag_id
    assert me.get(f"/tags/{tag_id}").json()["data"]["attributes"]["tag"] == "2024"


def test_tags_of_other_users_are_not_found_by_name(me, someone_else):
    a_label(me, TAG, "Secret")

    assert someone_else.get("/tags/Secret").status_code == 404
    assert someone_else.delete("/tags/Secret").status_code == 404
    assert named(me, TAG, "Secret")


def test_tags_included_with_transactions_are_the_same_objects(me):
    checking = made(me, asset())
    [split_id] = recorded(me, withdrawn(checking, tags="home,food"))
    recorded(me, withdrawn(checking, tags="food"))

    included = me.get(f"/transactions/{split_id}", include="tags").json()["included"]

    shown = {one["id"]: one["attributes"] for one in included if one["type"] == "tags"}
    assert {one["tag"]: one["transactions_count"] for one in shown.values()} == {"home": 1, "food": 2}
    for tag_id, one in shown.items():
        assert me.get(f"/tags/{tag_id}").json()["data"]["attributes"] == one


def test_a_transfer_can_be_tagged(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    seen = posted_one(me, transfer(checking, savings, tags="rainy day"))

    assert [one["id"] for one in listed(me, "/tags/rainy%20day/transactions", type="transfers")] == [seen["id"]]
    assert listed(me, "/tags/rainy%20day/transactions", type="withdrawal") == []


def test_a_recurrence_is_updated_when_its_tag_is_renamed(me):
    one = {"description": "Rent", "amount": "10", "currency_code": "EUR", "source_id": made(me, asset())}
    body = {
        "type": "withdrawal", "title": "Rent", "first_date": "2024-06-01", "apply_rules": True, "active": True,
        "repetitions": [{"type": "monthly", "moment": "1", "skip": 0, "weekend": 1}], "tags": "home, fixed",
        "transactions": [{**one, "destination_name": "Landlord"}],
    }  # fmt: skip
    response = me.post("/recurrences", body)
    assert response.status_code == 200, response.text
    a_label(me, TAG, "Fixed")

    me.put("/tags/fixed", {"tag": "Every month"})

    meta = me.get(f"/recurrences/{response.json()['data']['id']}").json()["data"]["meta"]
    assert [one["tags"] for one in meta if one["name"] == "tags"] == [["home", "Every month"]]
