"""What holds for categories, budgets and tags alike?"""

import pytest

from ..transactions.making import a_transaction, count_rows, deposit, findings, listed, posted_one, split, total
from .making import (
    BUDGET,
    CATEGORY,
    KINDS,
    TAG,
    Kind,
    a_label,
    amounts,
    asset,
    attributes,
    errors,
    made,
    named,
    recorded,
    withdrawn,
)

each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.path)
SHOWN_AS = {"categories": "category_name", "budgets": "budget_name", "tags": "tags"}


def taken(kind: Kind) -> dict[str, list[str]]:
    field = kind.name_field
    return {field: [f"The {field} has already been taken by another of your {kind.path}."]}


@each_kind
def test_one_is_made_and_shown(me, kind):
    response = me.post(f"/{kind.path}", kind.body("  Food "))

    thing = response.json()["data"]
    assert thing["type"] == kind.path
    assert thing["attributes"][kind.name_field] == "Food"
    assert thing["attributes"]["spent"] == []
    assert thing["attributes"]["transactions_count"] == 0
    assert thing["links"] == {
        "self": f"http://farthing.example/api/v1/{kind.path}/{thing['id']}",
        "0": {"rel": "self", "uri": f"/{kind.path}/{thing['id']}"},
    }
    assert me.get(f"/{kind.path}/{thing['id']}").json() == response.json()


@each_kind
def test_its_owner_comes_along(me, kind):
    a_label(me, kind)

    document = me.get(f"/{kind.path}").json()

    assert document["data"][0]["relationships"]["user"]["data"] == {"type": "users", "id": str(me.user.id)}
    assert [(one["type"], one["id"]) for one in document["included"]] == [("users", str(me.user.id))]


@pytest.mark.any_database
@each_kind
@pytest.mark.parametrize("name", [None, "", "   "])
def test_a_name_is_needed(me, kind, name):
    field = kind.name_field

    assert errors(me.post(f"/{kind.path}", kind.body(name))) == {field: [f"The {field} field is required."]}


@each_kind
def test_a_name_has_at_most_255_characters(me, kind):
    assert a_label(me, kind, "n" * 255)
    assert list(errors(me.post(f"/{kind.path}", kind.body("n" * 256)))) == [kind.name_field]


@each_kind
def test_a_name_is_one_name_in_any_case(me, someone_else, kind):
    a_label(me, kind, "Straße")

    assert errors(me.post(f"/{kind.path}", kind.body("STRASSE"))) == taken(kind)
    assert a_label(someone_else, kind, "STRASSE")


@each_kind
def test_a_change_may_spell_the_same_name_otherwise_but_not_take_anothers(me, kind):
    food = a_label(me, kind, "food")
    a_label(me, kind, "Rent")

    changed = me.put(f"/{kind.path}/{food}", kind.body("FOOD"))

    assert changed.json()["data"]["attributes"][kind.name_field] == "FOOD"
    assert errors(me.put(f"/{kind.path}/{food}", kind.body("rent"))) == taken(kind)


@each_kind
def test_a_transaction_that_names_it_in_another_case_uses_the_same_one(world, me, kind):
    label_id = a_label(me, kind, "Food")

    recorded(me, kind.on(withdrawn(made(me, asset())), "fOOD"))

    assert attributes(me, kind, label_id)["transactions_count"] == 1
    assert count_rows(world, me, kind.path) == 1


@each_kind
def test_one_is_made_by_naming_it(me, kind):
    recorded(me, kind.on(withdrawn(made(me, asset()), "7.25"), "Food"))

    found = named(me, kind, "Food")
    assert (amounts(found["spent"]), found["transactions_count"]) == ({"EUR": "7.25"}, 1)


@each_kind
def test_a_new_name_shows_everywhere_at_once(me, kind):
    [split_id] = recorded(me, kind.on(withdrawn(made(me, asset())), "Food"))

    me.put(f"/{kind.path}/{named(me, kind, 'Food')['id']}", kind.body("Meals"))

    shown = me.get(f"/transactions/{split_id}").json()["data"][0]["attributes"]
    assert shown[SHOWN_AS[kind.path]] == "Meals"
    assert named(me, kind, "Meals")["transactions_count"] == 1


@each_kind
def test_lists_are_in_the_order_of_names_and_come_in_pages(me, kind):
    for name in ("pears", "Äpfel", "apples", "Bananas", "zebras"):
        a_label(me, kind, name)

    pages = [me.get(f"/{kind.path}", limit=2, page=number).json() for number in (1, 2, 3, 4)]

    shown = [[one["attributes"][kind.name_field] for one in page["data"]] for page in pages]
    assert shown == [["apples", "Bananas"], ["pears", "zebras"], ["Äpfel"], []]
    assert pages[0]["meta"]["pagination"]["total"] == 5
    assert pages[0]["links"]["next"].endswith(f"/{kind.path}?limit=2&page=2")


@each_kind
def test_deleting_it_leaves_its_transactions(world, me, kind):
    checking = made(me, asset())
    two = a_transaction(
        "withdrawal",
        split(source_id=checking, description="one"),
        split(source_id=checking, description="two"),
        date="2024-04-01",
    )
    recorded(me, kind.on(withdrawn(checking), "Food"), kind.on(two, "Food"), kind.on(withdrawn(checking), "Rent"))
    label_id = named(me, kind, "Food")["id"]
    before = listed(me)

    assert me.delete(f"/{kind.path}/{label_id}").status_code == 204

    after = listed(me)
    assert [one["id"] for one in after] == [one["id"] for one in before]
    assert [one["attributes"][SHOWN_AS[kind.path]] for one in after] == ["Rent", None, None, None]
    assert me.get(f"/{kind.path}/{label_id}").status_code == 404
    assert findings(world, me) == []


@each_kind
def test_a_deleted_name_is_free_again_and_begins_with_nothing(world, me, kind):
    checking = made(me, asset())
    recorded(me, kind.on(withdrawn(checking), "Food"))
    first = named(me, kind, "Food")["id"]
    me.delete(f"/{kind.path}/{first}")

    recorded(me, kind.on(withdrawn(checking, "1"), "Food"))

    found = named(me, kind, "Food")
    assert found["id"] != first
    assert (amounts(found["spent"]), found["transactions_count"]) == ({"EUR": "1"}, 1)
    assert findings(world, me) == []


@each_kind
def test_what_was_before_a_deletion_is_kept_in_the_log(world, me, kind):
    recorded(me, kind.on(withdrawn(made(me, asset())), "Food"))
    me.delete(f"/{kind.path}/{named(me, kind, 'Food')['id']}")

    with world.books.reading() as db:
        last = db.value("SELECT MAX(revision) FROM changes WHERE user_id = :id", id=me.user.id)
        rows = db.all(
            "SELECT kind, action FROM changes WHERE user_id = :id AND revision = :last", id=me.user.id, last=last
        )

    touched = ("entry_tags", "removed") if kind is TAG else ("splits", "changed")
    assert sorted(rows) == sorted([touched, (kind.path, "removed")])


@each_kind
def test_its_transactions_come_newest_first_with_a_true_total(me, kind):
    checking = made(me, asset())
    days = [f"2024-{month:02}-{day:02}" for month in (3, 4, 5) for day in (1, 15)]
    ids = recorded(
        me,
        *(kind.on(withdrawn(checking, on=day), "Food") for day in days),
        kind.on(withdrawn(checking, on="2024-04-20"), "Rent"),
    )
    path = f"/{kind.path}/{named(me, kind, 'Food')['id']}/transactions"

    pages = [me.get(path, limit=4, page=number).json() for number in (1, 2, 3)]

    assert [one["id"] for page in pages for one in page["data"]] == list(reversed(ids[:6]))
    assert pages[0]["meta"]["pagination"] == {
        "total": 6, "count": 4, "per_page": 4, "current_page": 1, "total_pages": 2,
    }  # fmt: skip
    assert pages[0]["links"]["next"].endswith(f"{path}?type=all&limit=4&page=2")


@each_kind
def test_its_transactions_may_be_narrowed_by_days_and_type(me, kind):
    checking = made(me, asset())
    recorded(me, *(kind.on(withdrawn(checking, on=day), "Food") for day in ("2024-03-31", "2024-04-01", "2024-04-30")))
    path = f"/{kind.path}/{named(me, kind, 'Food')['id']}/transactions"
    april = {"start": "2024-04-01", "end": "2024-04-30"}

    assert [one["attributes"]["date"] for one in listed(me, path, **april)] == ["2024-04-30", "2024-04-01"]
    assert total(me, path, **april) == 2
    assert total(me, path, type="withdrawal") == 3
    assert total(me, path, type="deposit") == 0
    assert listed(me, path, type="deposit") == []
    assert me.get(path, start="nonsense").status_code == 422


@each_kind
def test_each_split_of_a_whole_is_one_of_its_transactions(me, kind):
    checking = made(me, asset())
    splits = [split(source_id=checking, description=text) for text in ("one", "two", "three")]
    recorded(me, kind.on(a_transaction("withdrawal", *splits), "Food"))
    path = f"/{kind.path}/{named(me, kind, 'Food')['id']}/transactions"

    assert [one["attributes"]["transaction_description"] for one in listed(me, path)] == ["one", "two", "three"]
    assert [one["attributes"]["transaction_description"] for one in listed(me, path, limit=2, page=2)] == ["three"]
    assert total(me, path) == 3


@each_kind
def test_transactions_are_included_on_demand_and_paged_with_one(me, kind):
    checking = made(me, asset())
    ids = recorded(me, *(kind.on(withdrawn(checking, on=f"2024-05-0{day}"), "Food") for day in (1, 2, 3)))
    label_id = named(me, kind, "Food")["id"]

    def related(**query):
        thing = me.get(f"/{kind.path}/{label_id}", include="transactions", **query).json()["data"]
        return [one["id"] for one in thing["relationships"]["transactions"]["data"]]

    assert related() == [ids[2], ids[1], ids[0]]
    assert related(limit=2, page=2) == [ids[0]]
    assert related(start="2024-05-02", end="2024-05-02") == [ids[1]]


@each_kind
def test_in_a_list_each_brings_its_newest_transactions(me, kind):
    checking = made(me, asset())
    food = recorded(me, *(kind.on(withdrawn(checking, on=f"2024-05-0{day}"), "Food") for day in (1, 2, 3)))
    rent = recorded(me, kind.on(withdrawn(checking, on="2024-01-01"), "Rent"))
    a_label(me, kind, "Unused")
    me.put("/preferences/listPageSize", {"data": 2})

    document = me.get(f"/{kind.path}", include="transactions", limit=50).json()

    related = [[one["id"] for one in thing["relationships"]["transactions"]["data"]] for thing in document["data"]]
    assert related == [[food[2], food[1]], rent, []]
    assert {one["id"] for one in document["included"] if one["type"] == "transactions"} == {*food[1:], *rent}


@each_kind
def test_an_unknown_one_has_no_transactions_page(me, kind):
    assert me.get(f"/{kind.path}/999999999/transactions").status_code == 404


def test_a_split_may_carry_all_three(world, me):
    body = withdrawn(made(me, asset()), "5")
    for kind, name in ((CATEGORY, "Food"), (BUDGET, "Household"), (TAG, "home,shop")):
        body = kind.on(body, name)
    recorded(me, body)

    for kind, name in ((CATEGORY, "Food"), (BUDGET, "Household"), (TAG, "home"), (TAG, "shop")):
        assert amounts(named(me, kind, name)["spent"]) == {"EUR": "5"}
    assert findings(world, me) == []


def test_an_account_takes_what_was_spent_along(world, me):
    checking = made(me, asset())
    body = withdrawn(checking)
    for kind, name in ((CATEGORY, "Food"), (BUDGET, "Household"), (TAG, "home")):
        body = kind.on(body, name)
    recorded(me, body)

    me.delete(f"/accounts/{checking}")

    for kind, name in ((CATEGORY, "Food"), (BUDGET, "Household"), (TAG, "home")):
        found = named(me, kind, name)
        assert (found["spent"], found["transactions_count"]) == ([], 0)
    assert findings(world, me) == []


@pytest.mark.parametrize("kind", [CATEGORY, BUDGET], ids=lambda kind: kind.path)
def test_a_recurrence_stays_when_its_label_goes(me, kind):
    body = {
        "type": "withdrawal", "title": "Rent", "first_date": "2024-06-01", "apply_rules": True, "active": True,
        "repetitions": [{"type": "monthly", "moment": "1", "skip": 0, "weekend": 1}],
    }  # fmt: skip
    one = {"description": "Rent", "amount": "10", "currency_code": "EUR", "source_id": made(me, asset())}
    recurrence = kind.on({**body, "transactions": [{**one, "destination_name": "Landlord"}]}, "Housing")
    response = me.post("/recurrences", recurrence)
    assert response.status_code == 200, response.text
    recurrence_id = response.json()["data"]["id"]

    assert me.delete(f"/{kind.path}/{named(me, kind, 'Housing')['id']}").status_code == 204

    [kept] = me.get(f"/recurrences/{recurrence_id}").json()["data"]["attributes"]["transactions"]
    assert kept["meta"] == []


def test_only_spending_has_a_budget_and_a_deposit_has_a_category(me):
    body = BUDGET.on(CATEGORY.on(deposit(made(me, asset()), "100"), "Work"), "Household")

    posted_one(me, body)

    assert amounts(named(me, CATEGORY, "Work")["earned"]) == {"EUR": "100"}
    assert me.get("/budgets").json()["data"] == []
