"""What was spent and earned month by month, and which labels nobody uses."""

from ..transactions.making import account_named, deposit
from .making import CATEGORY, TAG, a_label, asset, errors, exact, made, named, recorded, withdrawn


def months(client, path, **query):
    response = client.get(f"{path}/months", **query)
    assert response.status_code == 200, response.text
    return [
        (one["currency_code"], [(month["month"], int(month["spent"]), int(month["earned"])) for month in one["months"]])
        for one in exact(response)["data"]
    ]


def test_categories_tags_and_payees_show_their_months(me):
    checking = made(me, asset())
    for body in (withdrawn(checking, "5", on="2024-03-31"), withdrawn(checking, "7"), deposit(checking, "9")):
        recorded(me, TAG.on(CATEGORY.on(body, "Food"), "home"))
    spring = {"start": "2024-03-15", "end": "2024-05-31"}
    expected = [("EUR", [("2024-03", 5, 0), ("2024-04", 0, 0), ("2024-05", 7, 9)])]
    grocer, work = account_named(me, "Grocer")[0]["id"], account_named(me, "Work")[0]["id"]

    for kind, name in ((CATEGORY, "Food"), (TAG, "home")):
        assert months(me, f"/{kind.path}/{named(me, kind, name)['id']}", **spring) == expected
    assert months(me, f"/accounts/{grocer}", **spring)[0][1][2] == ("2024-05", 7, 0)
    assert months(me, f"/accounts/{work}", **spring)[0][1][2] == ("2024-05", 0, 9)
    assert months(me, f"/accounts/{grocer}", start="2024-03-01", end="2024-03-30") == []
    [(_, usual)] = months(me, f"/accounts/{grocer}")
    assert (usual[0][0], usual[-1][0], len(usual)) == ("2023-06", "2024-05", 12)
    assert list(errors(me.get(f"/accounts/{checking}/months"))) == ["id"]


def test_the_unused_ones_are_listed_alone(me):
    checking = made(me, asset())
    for kind in (CATEGORY, TAG):
        unused = a_label(me, kind, "Unused")
        [split_id] = recorded(me, kind.on(withdrawn(checking), "Used"))

        listed = me.get(f"/{kind.path}", unused=1, limit=1).json()

        assert [one["id"] for one in listed["data"]] == [unused]
        assert [one["attributes"]["name"] for one in me.get("/accounts", unused=1, type="expense").json()["data"]] == []
        me.delete(f"/transactions/{split_id}")
        assert len(me.get(f"/{kind.path}", unused=1).json()["data"]) == 2
        [shop] = me.get("/accounts", unused=1, type="expense").json()["data"]
        assert shop["attributes"]["name"] == "Grocer"
