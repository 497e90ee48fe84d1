"""Categories: what all labels do, tests/labels holds; this is what is theirs alone."""

from ..accounts.making import asset, made
from ..labels.making import CATEGORY, a_label, errors
from ..transactions.making import a_transaction, posted, split


def test_every_attribute_is_shown(me):
    shown = me.post("/categories", {"name": "Food"}).json()["data"]["attributes"]

    assert shown == {
        "updated_at": "2024-05-15T12:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "name": "Food",
        "spent": [],
        "earned": [],
        "transactions_count": 0,
        "parent_id": None,
        "budget_id": None,
        "colour": None,
        "icon": None,
        "notes": None,
    }


def test_active_is_accepted_and_ignored(me):
    for number, active in enumerate((True, 0, "no", None, {"nested": 1})):
        assert me.post("/categories", {"name": f"Food {number}", "active": active}).status_code == 200


def test_a_form_is_accepted(me):
    food = a_label(me, CATEGORY)

    response = me.request("PUT", f"/categories/{food}", data={"name": "Meals"})

    assert response.json()["data"]["attributes"]["name"] == "Meals"


def test_all_problems_are_reported_at_once_and_nothing_changes(me):
    food = a_label(me, CATEGORY)

    assert errors(me.put(f"/categories/{food}", {"name": ["a", "list"]})) == {"name": ["The name must be text."]}
    assert me.get(f"/categories/{food}").json()["data"]["attributes"]["name"] == "Food"


def test_a_change_keeps_the_creation_date(world, me):
    food = a_label(me, CATEGORY)
    world.time.now = world.time.now.replace(year=2025)

    shown = me.put(f"/categories/{food}", {"name": "Meals"}).json()["data"]["attributes"]

    assert (shown["created_at"][:4], shown["updated_at"][:4]) == ("2024", "2025")


def test_a_category_has_a_colour_and_an_icon_of_a_short_list(me):
    made_id = me.post("/categories", {"name": "Food", "colour": "teal", "icon": "basket"}).json()["data"]["id"]

    me.put(f"/categories/{made_id}", {"name": "Groceries", "icon": None})
    shown = me.get(f"/categories/{made_id}").json()["data"]["attributes"]

    assert (shown["colour"], shown["icon"]) == ("teal", None)
    assert sorted(errors(me.post("/categories", {"name": "Fun", "colour": "mauve", "icon": "x"}))) == ["colour", "icon"]


def test_transactions_and_reports_show_how_a_category_looks(me):
    me.post("/categories", {"name": "Food", "colour": "teal", "icon": "basket"})
    bread = split(source_id=made(me, asset()), amount="3", category_name="Food")
    posted(me, a_transaction("withdrawal", bread, date="2024-05-01"))

    [shown, *_] = me.get("/transactions").json()["data"]
    [row] = me.get("/reports/breakdown", by="category", start="2024-05-01", end="2024-05-31").json()["data"]

    assert [shown["attributes"][name] for name in ("category_colour", "category_icon")] == ["teal", "basket"]
    assert (row["colour"], row["icon"]) == ("teal", "basket")
