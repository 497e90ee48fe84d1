"""Bills as a resource: lists and pages, what comes along, deleting, and what belongs to others."""

from datetime import timedelta
from typing import Any

import pytest

from ..attachments.making import attached
from ..conftest import Client, World
from ..transactions.making import count_rows, findings
from .making import a_bill, asset, changed, exact, linked, made, paid, seen, split, stored

AT = "http://farthing.example/api/v1"


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def several(client: Client, many: int) -> list[dict[str, Any]]:
    return [stored(client, a_bill(name=f"Bill {number}", match=f"word{number}")) for number in range(many)]


def included(document: Any, kind: str) -> list[str]:
    return [one["id"] for one in document.get("included", []) if one["type"] == kind]


def test_the_list_is_ordered_by_id_and_holds_the_callers_own(me: Client, someone_else: Client) -> None:
    stored(someone_else)
    mine = [one["id"] for one in (*several(me, 3), stored(me, a_bill(name="A", match="a")))]

    assert [one["id"] for one in me.get("/bills").json()["data"]] == mine


def test_a_page_points_at_its_neighbours_and_carries_the_query(me: Client) -> None:
    several(me, 5)

    document = me.get("/bills", limit=2, page=2, start="2024-01-01", end="2024-01-31", include="user").json()

    assert document["meta"]["pagination"] == {
        "total": 5, "count": 2, "per_page": 2, "current_page": 2, "total_pages": 3,
    }  # fmt: skip
    carried = "start=2024-01-01&end=2024-01-31&limit=2&include=user"
    assert document["links"] == {
        "self": f"{AT}/bills?{carried}&page=2",
        "first": f"{AT}/bills?{carried}&page=1",
        "last": f"{AT}/bills?{carried}&page=3",
        "prev": f"{AT}/bills?{carried}&page=1",
        "next": f"{AT}/bills?{carried}&page=3",
    }
    assert [one["attributes"]["pay_dates"] for one in document["data"]] == [["2024-01-01"]] * 2
    again = me.request("GET", document["links"]["next"])
    assert [one["attributes"]["name"] for one in again.json()["data"]] == ["Bill 4"]


def test_without_bills_the_list_is_an_empty_page(me: Client) -> None:
    document = me.get("/bills").json()

    assert document["data"] == []
    assert document["meta"]["pagination"]["total_pages"] == 1
    assert document["links"]["self"] == f"{AT}/bills?page=1"


def test_past_the_end_there_is_an_empty_page(me: Client) -> None:
    several(me, 1)

    document = me.get("/bills", page=9).json()

    assert (document["data"], document["meta"]["pagination"]["current_page"]) == ([], 9)


def test_an_invalid_day_is_refused(me: Client) -> None:
    assert me.get("/bills", date="2024-02-30").status_code == 422


def test_the_user_can_be_included_with_one_bill_and_with_a_list(me: Client) -> None:
    [first, second] = several(me, 2)

    one, all_of_them = me.get(f"/bills/{first['id']}", include="user").json(), me.get("/bills", include="user").json()

    assert included(one, "users") == included(all_of_them, "users") == [str(me.user.id)]
    at = f"{AT}/bills/{first['id']}"
    assert one["data"]["relationships"] == {
        "user": {
            "links": {"self": f"{at}/relationships/user", "related": f"{at}/user"},
            "data": {"type": "users", "id": str(me.user.id)},
        }
    }
    assert [thing["relationships"]["user"]["data"]["id"] for thing in all_of_them["data"]] == [str(me.user.id)] * 2
    assert second["id"] != first["id"]


@pytest.mark.parametrize("names", ["", "nonsense", "USER", ","])
def test_nothing_is_included_unless_asked_for(me: Client, names: str) -> None:
    document = me.get(f"/bills/{stored(me)['id']}", include=names).json()

    assert "included" not in document
    assert "relationships" not in document["data"]


def test_attachments_can_be_included_and_are_counted(me: Client) -> None:
    bill, other = several(me, 2)
    ids = [attached(me, model="Bill", model_id=bill["id"]) for _ in range(2)]
    attached(me, model="Bill", model_id=other["id"])

    document = me.get(f"/bills/{bill['id']}", include="attachments").json()

    assert included(document, "attachments") == ids
    assert document["data"]["attributes"]["attachments_count"] == 2
    assert [one["id"] for one in me.get(f"/bills/{bill['id']}/attachments").json()["data"]] == ids
    assert [one["attributes"]["attachments_count"] for one in me.get("/bills").json()["data"]] == [2, 1]


def test_transactions_are_included_in_pages_newest_first(me: Client, checking: str) -> None:
    bill = stored(me)
    ids = [paid(me, checking, f"2024-0{month}-01")["id"] for month in (1, 2, 3, 4, 5)]

    pages = [
        included(me.get(f"/bills/{bill['id']}", include="transactions", limit=2, page=page).json(), "transactions")
        for page in (1, 2, 3, 4)
    ]

    assert pages == [[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]], []]


def test_a_range_limits_the_included_transactions(me: Client, checking: str) -> None:
    bill = stored(me)
    ids = [paid(me, checking, f"2024-0{month}-01")["id"] for month in (1, 2, 3)]
    narrowed = {"include": "transactions", "start": "2024-02-01", "end": "2024-02-29"}

    assert included(me.get(f"/bills/{bill['id']}", **narrowed).json(), "transactions") == [ids[1]]
    assert included(me.get("/bills", **narrowed).json(), "transactions") == [ids[1]]


def test_in_a_list_each_bill_includes_its_newest_transactions_and_page_pages_the_bills(
    me: Client, checking: str
) -> None:
    me.put("/preferences/listPageSize", {"data": 2})
    rent, gas = stored(me), stored(me, a_bill(name="Gas", match="gas", amount_min="1", amount_max="9"))
    stored(me, a_bill(name="Last", match="last"))
    rents = [paid(me, checking, f"2024-0{month}-01")["id"] for month in (1, 2, 3)]
    gases = [paid(me, checking, f"2024-0{month}-02", "5", description="Gas")["id"] for month in (1, 2)]

    document = me.get("/bills", include="transactions,user").json()

    brought = {
        thing["id"]: [one["id"] for one in thing["relationships"]["transactions"]["data"]] for thing in document["data"]
    }
    assert brought == {rent["id"]: [rents[2], rents[1]], gas["id"]: [gases[1], gases[0]]}
    second = me.get("/bills", include="transactions", page=2).json()
    assert [one["relationships"]["transactions"]["data"] for one in second["data"]] == [[]]


def test_the_transactions_of_a_bill_are_a_list_with_pages_and_a_range(me: Client, checking: str) -> None:
    bill = stored(me)
    for month in (1, 2, 3):
        paid(me, checking, f"2024-0{month}-01")
    paid(me, checking, "2024-02-02", description="something else")

    document = me.get(f"/bills/{bill['id']}/transactions", limit=2, include="user").json()

    assert [one["attributes"]["date"] for one in document["data"]] == ["2024-03-01", "2024-02-01"]
    assert document["data"][0]["attributes"]["bill_name"] == "Rent"
    assert document["meta"]["pagination"]["total"] == 3
    assert document["links"]["next"] == f"{AT}/bills/{bill['id']}/transactions?limit=2&include=user&page=2"
    assert linked(me, bill, start="2024-01-15", end="2024-02-15") == ["2024-02-01"]


def test_pages_of_its_transactions_count_splits_as_everywhere(me: Client, checking: str) -> None:
    bill = stored(me)
    splits = [
        split(source_id=checking, destination_name="Landlord", amount="400", description=f"rent {n}") for n in (1, 2)
    ]
    body = {"type": "withdrawal", "date": "2024-05-01", "description": "Home", "transactions": splits}
    assert me.post("/transactions", body).status_code == 200

    pages = [me.get(f"/bills/{bill['id']}/transactions", limit=1, page=page).json() for page in (1, 2)]

    assert [page["meta"]["pagination"]["total"] for page in pages] == [2, 2]
    assert [page["data"][0]["attributes"]["identifier"] for page in pages] == [0, 1]


def test_deleting_a_bill_leaves_its_transactions_as_they_are(me: Client, checking: str, world: World) -> None:
    bill = stored(me)
    transaction = paid(me, checking)
    by_hand = paid(me, checking, amount="5", bill_id=bill["id"])
    attached(me, model="Bill", model_id=bill["id"])
    world.time.now += timedelta(hours=1)

    response = me.delete(f"/bills/{bill['id']}")

    assert (response.status_code, response.content) == (204, b"")
    for before in (transaction, by_hand):
        [after] = exact(me.get(f"/transactions/{before['id']}"))["data"]
        assert after["attributes"] == {**without_id(before), "bill_id": None, "bill_name": None}
    assert me.get(f"/bills/{bill['id']}").status_code == 404
    assert me.delete(f"/bills/{bill['id']}").status_code == 404
    assert count_rows(world, me, "attachments") == 0
    assert findings(world, me) == []


def without_id(transaction: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in transaction.items() if name != "id"}


def test_linking_and_renaming_do_not_touch_the_transaction(me: Client, checking: str, world: World) -> None:
    transaction = paid(me, checking)
    world.time.now += timedelta(hours=1)
    bill = stored(me)
    changed(me, bill, a_bill(name="Home"))

    [after] = exact(me.get(f"/transactions/{transaction['id']}"))["data"]

    named = {"bill_id": int(bill["id"]), "bill_name": "Home"}
    assert after["attributes"] == {**without_id(transaction), **named}
    assert seen(me, bill)["updated_at"] == "2024-05-15T13:00:00+00:00"


def test_bills_of_other_users_are_not_found(me: Client, someone_else: Client) -> None:
    bill = stored(someone_else)

    for path in ("", "/transactions", "/attachments", "/matches"):
        assert me.get(f"/bills/{bill['id']}{path}").status_code == 404
    assert me.put(f"/bills/{bill['id']}", a_bill()).status_code == 404
    assert me.delete(f"/bills/{bill['id']}").status_code == 404
    assert seen(someone_else, bill) == bill["attributes"]


def test_every_change_is_logged(me: Client, checking: str, world: World) -> None:
    paid(me, checking)
    bill = stored(me)
    changed(me, bill, a_bill(name="Home"))
    me.delete(f"/bills/{bill['id']}")

    with world.books.reading() as db:
        rows = db.all(
            "SELECT kind, action FROM changes WHERE user_id = :id AND kind IN ('bills', 'entries') ORDER BY id",
            id=me.user.id,
        )
    assert rows == [
        ("entries", "created"), ("bills", "created"), ("entries", "changed"), ("bills", "changed"),
        ("entries", "changed"), ("bills", "removed"),
    ]  # fmt: skip
