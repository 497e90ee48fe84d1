"""Links between transactions and their types, in both versions: their shapes, changes, undo and removal."""

from typing import Any

from ..conftest import Client, World
from ..transactions.making import asset, findings, made, posted, posted_one, split, withdrawal
from .test_basics import data

_BUILT_IN = ["Related", "Refund", "Paid", "Reimbursement"]


def two_transactions(client: Client) -> tuple[str, str]:
    bank = made(client, asset())
    first = posted_one(client, withdrawal(bank, "5", description="Shoes"))
    second = posted_one(client, withdrawal(bank, "5", description="Shoes again", date="2024-05-11"))
    return str(first["id"]), str(second["id"])


def a_link(client: Client, inward: str, outward: str, **fields: Any) -> dict[str, Any]:
    body = {"link_type_id": "2", "inward_id": inward, "outward_id": outward, "notes": "Wrong size", **fields}
    return dict(data(client.v6.post("/transaction-links", body)))


def test_a_link_has_all_its_fields_and_is_the_same_in_both_versions(me):
    inward, outward = two_transactions(me)

    link = a_link(me, inward, outward)

    shown = link["attributes"]
    assert link["type"] == "transaction_links"
    assert shown.keys() == {
        "created_at", "updated_at", "link_type_id", "link_type_name", "inward_id", "outward_id", "notes",
    }  # fmt: skip
    assert (shown["link_type_id"], shown["link_type_name"], shown["notes"]) == ("2", "Refund", "Wrong size")
    assert (shown["inward_id"], shown["outward_id"]) == (inward, outward)
    assert me.v6.get("/transaction-links").json()["data"] == [link]
    for split_id in (inward, outward):
        assert me.v6.get(f"/transaction-journals/{split_id}/links").json()["data"] == [link]
        [old] = me.get(f"/transactions/{split_id}/links").json()["data"]
        assert (old["id"], old["attributes"]["inward_id"]) == (link["id"], int(inward))
        assert (old["attributes"]["inward"], old["attributes"]["outward"]) == ("is refunded by", "refunds")
    included = me.get(f"/transactions/{inward}/links", include="transactions").json()["included"]
    assert [one["attributes"]["description"] for one in included] == ["Shoes", "Shoes again"]
    listed = me.v6.get("/link-types/2/transactions").json()
    assert [len(group["attributes"]["transactions"]) for group in listed["data"]] == [1, 1]
    assert listed["meta"]["pagination"]["total"] == 2
    assert me.v6.get("/link-types/1/transactions").json()["data"] == []


def test_a_put_changes_only_what_it_names_and_can_be_undone(me):
    inward, outward = two_transactions(me)
    link = a_link(me, inward, outward)
    path = f"/transaction-links/{link['id']}"

    changed = data(me.v6.put(path, {"link_type_name": "paid"}))["attributes"]
    emptied = data(me.v6.put(path, {"notes": ""}))["attributes"]

    assert (changed["link_type_id"], changed["notes"], changed["inward_id"]) == ("3", "Wrong size", inward)
    assert (emptied["link_type_id"], emptied["notes"]) == ("3", None)
    replaced = me.put(
        f"/transaction_links/{link['id']}", {"link_type_id": 1, "inward_id": outward, "outward_id": inward}
    )
    assert data(replaced)["attributes"]["inward_id"] == int(outward)
    for change in me.get("/changes").json()["data"][:3]:
        assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert data(me.v6.get(path))["attributes"] == link["attributes"]


def test_a_link_goes_with_either_transaction_and_comes_back_with_it(me, world: World):
    inward, outward = two_transactions(me)
    link = a_link(me, inward, outward)

    assert me.delete(f"/transactions/{outward}").status_code == 204
    assert me.v6.get(f"/transaction-links/{link['id']}").status_code == 404
    change = me.get("/changes").json()["data"][0]
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200

    assert data(me.v6.get(f"/transaction-links/{link['id']}")) == link
    assert findings(world, me) == []


def test_a_link_leads_to_the_first_split_if_its_own_is_gone(me):
    bank, (inward, _) = made(me, asset(name="Other")), two_transactions(me)
    several = withdrawal(bank, "5", description="Two")
    several["transactions"] = [
        split(source_id=bank, destination_name="A", description="a"),
        split(source_id=bank, destination_name="B", description="b"),
    ]
    first, second = posted(me, several)
    link = a_link(me, inward, second["id"])
    assert link["attributes"]["outward_id"] == second["id"]

    me.put(f"/transactions/{first['id']}", {**several, "transactions": several["transactions"][:1]})

    assert data(me.v6.get(f"/transaction-links/{link['id']}"))["attributes"]["outward_id"] == first["id"]


def test_what_is_wrong_is_named(me, new_world: World):
    inward, outward = two_transactions(me)
    a_link(me, inward, outward)
    body = {"link_type_id": "2", "inward_id": inward, "outward_id": outward}

    def errors(**more: Any) -> set[str]:
        answer = me.v6.post("/transaction-links", {**body, **more})
        assert answer.status_code == 422, answer.text
        return set(answer.json()["errors"])

    assert errors() == {"outward_id"}, "they are linked already"
    assert errors(outward_id=inward) == {"outward_id"}
    assert errors(link_type_id="99", inward_id="99999") == {"link_type_id", "inward_id"}
    empty = set(me.v6.post("/transaction-links", {}).json()["errors"])
    assert empty == {"link_type_id", "link_type_name", "inward_id", "outward_id"}


def test_types_of_links_are_the_users_own_but_those_that_are_built_in(me, world: World):
    kind = data(me.v6.post("/link-types", {"name": "Gift", "inward": "was given for", "outward": "gives"}))

    assert kind["type"] == "link_types"
    assert (kind["attributes"]["name"], kind["attributes"]["editable"]) == ("Gift", True)
    renamed = data(me.v6.put(f"/link-types/{kind['id']}", {"name": "Present"}))["attributes"]
    assert (renamed["name"], renamed["inward"]) == ("Present", "was given for")
    names = [one["attributes"]["name"] for one in me.v6.get("/link-types").json()["data"]]
    assert names == [*_BUILT_IN, "Present"]
    assert [one["attributes"]["name"] for one in me.get("/link_types").json()["data"]] == names
    other = world.someone()
    assert [one["attributes"]["name"] for one in other.v6.get("/link-types").json()["data"]] == _BUILT_IN
    assert other.v6.get(f"/link-types/{kind['id']}").status_code == 404
    for refused in (me.v6.put("/link-types/1", {"name": "X"}), me.v6.delete("/link-types/1")):
        assert refused.status_code == 403
    taken = me.v6.post("/link-types", {"name": "refund", "inward": "a", "outward": "b"})
    assert set(taken.json()["errors"]) == {"name"}
    link = a_link(me, *two_transactions(me), link_type_id=kind["id"])
    assert me.v6.delete(f"/link-types/{kind['id']}").status_code == 204
    assert me.v6.get(f"/transaction-links/{link['id']}").status_code == 404
    me.post(f"/changes/{me.get('/changes').json()['data'][0]['id']}/undo")
    assert data(me.v6.get(f"/transaction-links/{link['id']}"))["attributes"]["link_type_name"] == "Present"


def test_a_link_is_not_changed_if_somebody_else_has_changed_it(me):
    link = a_link(me, *two_transactions(me))
    path = f"/transaction-links/{link['id']}"
    tag = me.v6.get(path).headers["etag"]
    changed = me.v6.put(path, {"notes": "first"}, headers={"If-Match": tag})

    refused = me.v6.put(path, {"notes": "second"}, headers={"If-Match": tag})

    assert (changed.status_code, refused.status_code) == (200, 412)
