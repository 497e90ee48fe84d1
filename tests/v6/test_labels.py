"""Categories, tags, budgets and their limits in version 6."""

import pytest

from ..labels.making import BUDGET, CATEGORY, asset, made, recorded, withdrawn
from .making import converts, data, own, primary, refused, shown, undone

MAY = {"start": "2024-05-01", "end": "2024-05-31"}
NOW = "2024-05-15T12:00:00+00:00"
EURO = {"currency_id": "1", "currency_code": "EUR", "currency_symbol": "€", "currency_decimal_places": 2}


@pytest.fixture
def food(me) -> str:
    return str(data(me.v6.post("/budgets", {"name": "Food"}))["id"])


def spend(me, kind, name: str, amount: str = "50") -> None:
    recorded(me, kind.on(withdrawn(made(me, asset()), amount=amount, on="2024-05-02"), name))


def test_every_attribute_of_a_category(me):
    thing = data(me.v6.post("/categories", {"name": "Food", "notes": "All of it"}))

    empty = {key: [] for key in ("spent", "earned", "transferred", "pc_spent", "pc_earned", "pc_transferred")}
    assert thing["attributes"] == {
        "created_at": NOW, "updated_at": NOW, "name": "Food", "notes": "All of it",
        "object_has_currency_setting": False, **empty, **primary(),
    }  # fmt: skip
    assert (thing["type"], thing["id"]) == ("categories", str(int(thing["id"])))
    assert thing["links"]["self"] == f"http://farthing.example/v6/api/v1/categories/{thing['id']}"


def test_sums_of_categories_are_shown_only_with_a_range(me):
    spend(me, CATEGORY, "Food")

    [listed] = data(me.v6.get("/categories"))
    one = shown(me.v6.get(f"/categories/{listed['id']}", **MAY))

    assert listed["attributes"]["spent"] == []
    assert one["spent"] == [{**EURO, "sum": "-50.00"}]
    assert one["pc_spent"] == []


def test_sums_are_converted_if_the_user_wants_it(me):
    converts(me)
    spend(me, CATEGORY, "Food")
    yen = made(me, asset(name="Yen", currency_code="JPY"))
    recorded(me, CATEGORY.on(withdrawn(yen, amount="500", on="2024-05-02", code="JPY"), "Travel"))
    body = {"from": "JPY", "to": "EUR", "date": "2024-05-01", "rate": "0.006"}
    assert me.post("/exchange_rates", body).status_code == 200

    food, travel = (one["attributes"] for one in data(me.v6.get("/categories", **MAY)))

    assert food["pc_spent"] == food["spent"]
    assert (travel["spent"][0]["sum"], travel["pc_spent"]) == ("-500", [{**EURO, "sum": "-3.00"}])


def test_a_put_keeps_what_it_omits_in_either_version(me):
    made_by_v1 = me.post("/categories", {"name": "Food", "colour": "red", "notes": "Old"}).json()["data"]["id"]

    renamed = shown(me.v6.put(f"/categories/{made_by_v1}", {"name": "Groceries"}))

    assert (renamed["name"], renamed["notes"]) == ("Groceries", "Old")
    old = me.get(f"/categories/{made_by_v1}").json()["data"]["attributes"]
    assert (old["name"], old["colour"], old["notes"]) == ("Groceries", "red", "Old")
    assert shown(me.v6.put(f"/categories/{made_by_v1}", {"notes": ""}))["notes"] is None
    undone(me)
    assert shown(me.v6.get(f"/categories/{made_by_v1}"))["notes"] == "Old"
    assert list(refused(me.v6.put(f"/categories/{made_by_v1}", {"name": None}))) == ["name"]
    assert list(refused(me.v6.post("/categories", {"name": "groceries"}))) == ["name"]


def test_every_attribute_of_a_tag(me):
    body = {"tag": "Trip", "date": "2024-05-14T23:30:00-02:00", "latitude": "52.5", "longitude": 13.25}
    answer = me.v6.post("/tags", body | {"zoom_level": 6})

    assert shown(answer) == {
        "created_at": NOW, "updated_at": NOW, "tag": "Trip", "date": "2024-05-15", "description": None,
        "latitude": 52.5, "longitude": 13.25, "zoom_level": 6,
    }  # fmt: skip
    assert {"links", "meta", "data"} <= me.v6.get("/tags").json().keys()
    changed = shown(me.v6.put("/tags/trip", {"description": "Berlin", "zoom_level": None}))
    assert changed == {**shown(answer), "description": "Berlin", "zoom_level": None}
    assert list(refused(me.v6.put("/tags/trip", {"latitude": ""}))) == ["latitude"]


@pytest.mark.parametrize("name", ["a b", "50% off", "2024", "Ünïversity", "my_tag"])
def test_tags_are_found_by_their_names(me, name):
    from urllib.parse import quote

    tag_id = data(me.v6.post("/tags", {"tag": name}))["id"]

    assert data(me.v6.get(f"/tags/{quote(name, safe='')}"))["id"] == tag_id
    assert data(me.v6.get(f"/tags/{tag_id}"))["attributes"]["tag"] == name


def test_a_number_is_first_the_id_of_a_tag(me):
    first = data(me.v6.post("/tags", {"tag": "first"}))["id"]
    me.v6.post("/tags", {"tag": first})

    assert data(me.v6.get(f"/tags/{first}"))["attributes"]["tag"] == "first"
    assert me.v6.delete("/tags/first").status_code == 204
    assert data(me.v6.get(f"/tags/{first}"))["attributes"]["tag"] == first


def test_every_attribute_of_a_budget(me):
    automatic = {"auto_budget_type": "adjusted", "auto_budget_amount": 400.10000000000002, "notes": "Ours"}
    made_now = me.v6.post("/budgets", {"name": "Food", "auto_budget_period": "monthly", **automatic})

    assert shown(made_now) == {
        "created_at": NOW, "updated_at": NOW, "active": True, "name": "Food", "order": 1, "notes": "Ours",
        "auto_budget_type": "adjusted", "auto_budget_period": "monthly", "auto_budget_amount": "400.10",
        "pc_auto_budget_amount": None, "object_group_id": None, "object_group_order": None,
        "object_group_title": None, "spent": [], "pc_spent": [], "object_has_currency_setting": True, **own(),
    }  # fmt: skip
    budget_id = data(made_now)["id"]
    assert me.get(f"/budgets/{budget_id}").json()["data"]["attributes"]["carry"] == "overspent"
    assert len(data(me.v6.get(f"/budgets/{budget_id}/limits"))) == 1, "that of this month"


def test_a_budget_without_automatic_limits_has_no_type(me, food):
    budget = shown(me.v6.get(f"/budgets/{food}"))

    assert (budget["auto_budget_type"], budget["auto_budget_amount"]) == (None, None)
    assert (budget["object_has_currency_setting"], budget["currency_code"]) == (False, "EUR")
    zeros = {"auto_budget_type": "none", "auto_budget_amount": "0", "auto_budget_currency_id": "0"}
    assert shown(me.v6.put(f"/budgets/{food}", zeros)) == budget
    assert list(refused(me.v6.put(f"/budgets/{food}", {"auto_budget_amount": "5"}))) == ["auto_budget_type"]
    assert set(refused(me.v6.put(f"/budgets/{food}", {"auto_budget_type": "reset"}))) == {
        "auto_budget_amount", "auto_budget_period",
    }  # fmt: skip


AUTOMATIC = {"auto_budget_type": "rollover", "auto_budget_amount": "75.50", "auto_budget_period": "weekly"}


@pytest.mark.parametrize(
    "change",
    [{}, {"notes": "New"}, {"active": False}, {"auto_budget_type": "reset"}, {"auto_budget_amount": "80"},
     {"auto_budget_currency_code": "USD"}, {"auto_budget_type": "none"}, {"notes": ""}],
)  # fmt: skip
def test_a_partial_put_is_a_whole_put_with_what_was_read(me, change):
    """Clients of either habit must get the same result."""
    twins = [data(me.v6.post("/budgets", {"name": name, "notes": "Old", **AUTOMATIC})) for name in ("One", "Two")]
    sent = ("name", "active", "notes", *AUTOMATIC)
    whole = {name: twins[1]["attributes"][name] for name in sent} | {"auto_budget_currency_code": "EUR"}

    partly = shown(me.v6.put(f"/budgets/{twins[0]['id']}", change))
    wholly = shown(me.v6.put(f"/budgets/{twins[1]['id']}", whole | change))

    assert {**partly, "name": "", "order": 0} == {**wholly, "name": "", "order": 0}


def test_budgets_have_an_order(me):
    ids = {name: data(me.v6.post("/budgets", {"name": name}))["id"] for name in ("A", "B", "C")}
    spend(me, BUDGET, "D")

    me.v6.put(f"/budgets/{ids['C']}", {"order": 1})

    listed = [(one["attributes"]["name"], one["attributes"]["order"]) for one in data(me.v6.get("/budgets"))]
    assert listed == [("C", 1), ("A", 2), ("B", 3), ("D", 4)]
    assert [one["attributes"]["name"] for one in me.get("/budgets").json()["data"]] == ["A", "B", "C", "D"]
    undone(me)
    assert [one["attributes"]["name"] for one in data(me.v6.get("/budgets"))] == ["A", "B", "C", "D"]


def test_every_attribute_of_a_limit(me, food):
    me.v6.put("/preferences/timezone", {"data": "Europe/Berlin"})
    thing = data(me.v6.post(f"/budgets/{food}/limits", {"amount": "100", "notes": "Less", **MAY}))

    spend(me, BUDGET, "Food")

    [listed] = data(me.v6.get(f"/budgets/{food}/limits"))
    assert (listed["id"], listed["type"]) == (thing["id"], "budget_limits")
    assert {**listed["attributes"], "created_at": "", "updated_at": ""} == {
        "created_at": "", "updated_at": "", "start": "2024-05-01T00:00:00+02:00", "end": "2024-05-31T00:00:00+02:00",
        "budget_id": food, "amount": "100.00", "pc_amount": None, "period": None, "notes": "Less",
        "spent": [{**EURO, "sum": "-50.00"}], "pc_spent": [], "object_has_currency_setting": True, **own(),
    }  # fmt: skip
    assert thing["links"]["self"].endswith(f"/v6/api/v1/budgets/{food}/limits/{thing['id']}")
    converts(me)
    spend(me, BUDGET, "Food")
    converted = shown(me.v6.get(f"/budgets/{food}/limits/{thing['id']}"))
    assert (converted["pc_amount"], converted["pc_spent"]) == ("100.00", [{**EURO, "sum": "-100.00"}])
    assert me.get(f"/budget_limits/{thing['id']}").json()["data"]["attributes"]["notes"] == "Less"


def test_limits_are_listed_by_their_range(me, food):
    may = data(me.v6.post(f"/budgets/{food}/limits", {"amount": "100", **MAY}))["id"]
    june = {"start": "2024-06-01", "end": "2024-06-30"}
    data(me.v6.post(f"/budgets/{food}/limits", {"amount": "90", **june}))

    assert [one["id"] for one in data(me.v6.get("/budget-limits", **MAY))] == [may]
    assert [one["id"] for one in data(me.v6.get(f"/budgets/{food}/limits", **MAY))] == [may]
    assert len(data(me.v6.get(f"/budgets/{food}/limits"))) == 2
    assert set(refused(me.v6.get("/budget-limits"))) == {"start", "end"}


def test_a_limit_is_changed_only_below_its_own_budget(me, food):
    other = data(me.v6.post("/budgets", {"name": "Rent"}))["id"]
    limit = data(me.v6.post(f"/budgets/{food}/limits", {"amount": "100", "notes": "Less", **MAY}))["id"]

    changed = shown(me.v6.put(f"/budgets/{food}/limits/{limit}", {"amount": "120.5"}))

    assert (changed["amount"], changed["notes"], changed["start"][:10]) == ("120.50", "Less", MAY["start"])
    for method in ("get", "put", "delete"):
        assert getattr(me.v6, method)(f"/budgets/{other}/limits/{limit}").status_code == 404
    wrong = refused(me.v6.put(f"/budgets/{food}/limits/{limit}", {"end": "2024-04-30", "amount": "0.001"}))
    assert set(wrong) == {"start", "end", "amount"}
    assert set(refused(me.v6.post(f"/budgets/{food}/limits", {"amount": "1", **MAY}))) == {"start", "end"}
    assert me.v6.delete(f"/budgets/{food}/limits/{limit}").status_code == 204
    undone(me)
    assert shown(me.v6.get(f"/budgets/{food}/limits/{limit}")) == changed


def test_a_limit_that_has_changed_since_it_was_read_stays_as_it_is(me, food):
    path = f"/budgets/{food}/limits/{data(me.v6.post(f'/budgets/{food}/limits', {'amount': '1', **MAY}))['id']}"
    read = me.v6.get(path).headers["etag"]
    me.v6.put(f"/budgets/{food}", {"notes": "Of the budget"})

    first = me.v6.request("PUT", path, json={"amount": "2"}, headers={"If-Match": read})
    second = me.v6.request("PUT", path, json={"amount": "3"}, headers={"If-Match": read})

    assert (first.status_code, second.status_code) == (200, 412)


def test_a_list_is_as_long_as_it_was_asked_for(me):
    for number in range(3):
        me.v6.post("/tags", {"tag": f"tag {number}"})

    answer = me.v6.get("/tags", limit=9_999_999_999).json()

    assert answer["meta"]["pagination"]["total_pages"] == 1
    assert len(answer["data"]) == 3
    assert me.v6.get("/tags", page=9, limit=2).json()["data"] == []


def test_transactions_of_labels_are_listed(me, food):
    spend(me, BUDGET, "Food")
    body = {"amount": "100", "start": "2024-04-01", "end": "2024-04-30"}
    april = data(me.v6.post(f"/budgets/{food}/limits", body))["id"]
    may = data(me.v6.post(f"/budgets/{food}/limits", {"amount": "100", **MAY}))["id"]
    account = me.get("/accounts", type="asset").json()["data"][0]["id"]
    recorded(me, CATEGORY.on(withdrawn(account, on="2024-06-01"), "Food"))
    category = data(me.v6.get("/categories"))[0]["id"]
    me.v6.post("/tags", {"tag": "Trip"})

    assert len(data(me.v6.get(f"/budgets/{food}/transactions"))) == 1
    [without] = data(me.v6.get("/budgets/transactions-without-budget"))
    assert without["attributes"]["transactions"][0]["category_name"] == "Food"
    assert data(me.v6.get("/budgets/transactions-without-budget", **MAY)) == []
    assert data(me.v6.get(f"/budgets/{food}/attachments")) == data(me.v6.get("/tags/Trip/attachments")) == []
    assert len(data(me.v6.get(f"/categories/{category}/transactions", type="withdrawal"))) == 1
    assert data(me.v6.get("/tags/Trip/transactions")) == []
    assert len(data(me.v6.get(f"/budgets/{food}/limits/{may}/transactions"))) == 1
    assert data(me.v6.get(f"/budgets/{food}/limits/{april}/transactions")) == []


def test_the_name_of_a_tag_may_contain_a_slash(me):
    tag = data(me.v6.post("/tags", {"tag": "a/b c"}))

    assert data(me.v6.get("/tags/a%2Fb%20c"))["id"] == tag["id"]
    assert data(me.v6.get("/tags/a%2fb%20c/transactions")) == []
    assert me.v6.get("/tags/a/b%20c").status_code == 404
