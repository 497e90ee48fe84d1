"""Budget limits: a period, an amount, and what was spent of it; none overlaps another of its budget and currency."""

import random
from datetime import date, timedelta

import pytest

from ..labels.making import BUDGET, a_label, asset, errors, made, recorded, withdrawn
from ..transactions.making import count_rows, findings, listed, total
from .making import MAY, a_limit, limit


@pytest.fixture
def food(me) -> str:
    return a_label(me, BUDGET)


def ids(response) -> list[str]:
    assert response.status_code == 200, response.text
    return [one["id"] for one in response.json()["data"]]


def test_every_attribute_is_shown_and_the_budget_is_included(me, food):
    document = me.post("/budget_limits", {"budget_id": food, "amount": 150.5, "currency_code": "usd", **MAY}).json()

    thing = document["data"]
    assert thing["type"] == "budget_limits"
    assert thing["attributes"] == {
        "updated_at": "2024-05-15T12:00:00+00:00",
        "created_at": "2024-05-15T12:00:00+00:00",
        "budget_id": int(food),
        "start_date": "2024-05-01",
        "end_date": "2024-05-31",
        "amount": "150.50",
        "spent": "0.00",
        "currency_id": 7,
        "currency_code": "USD",
        "currency_symbol": "$",
        "currency_dp": 2,
        "notes": None,
    }
    assert thing["links"]["self"] == f"http://farthing.example/api/v1/budget_limits/{thing['id']}"
    assert thing["relationships"]["budget"]["data"] == {"type": "budgets", "id": food}
    assert document["included"][0]["attributes"]["name"] == "Food"
    assert me.get(f"/budget_limits/{thing['id']}").json() == document


def test_the_currency_defaults_to_the_users_own(me, food):
    assert limit(me, a_limit(me, food))["currency_code"] == "EUR"

    me.put("/preferences/currencyPreference", {"data": "JPY"})

    assert limit(me, a_limit(me, food, amount=5000))["amount"] == "5000"


def test_the_currency_is_required_if_the_users_own_was_deleted(world, me, food):
    """As after an older choice came back by an undo."""
    with world.books.writing() as db:
        statement = "UPDATE preferences SET data = :gone WHERE user_id = :id AND name = 'currencyPreference'"
        db.run(statement, gone='"QQQ"', id=me.user.id)

    for path in ("/budget_limits", f"/budgets/{food}/limits"):
        answer = me.post(path, {"budget_id": food, "amount": "100", **MAY})
        assert errors(answer).keys() == {"currency_id", "currency_code"}
    assert limit(me, a_limit(me, food, currency_code="EUR"))["currency_code"] == "EUR"


def test_field_names_of_later_clients_are_accepted(me, food):
    body = {"budget_id": food, "amount": "1", "start": "2024-05-01", "end": "2024-05-31"}

    shown = me.post("/budgets/limits", body).json()["data"]["attributes"]

    assert (shown["start_date"], shown["end_date"]) == ("2024-05-01", "2024-05-31")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"budget_id": None}, {"budget_id": "The budget id field is required."}),
        ({"budget_id": 999_999_999}, {"budget_id": "The selected budget id is invalid: there is no such budget."}),
        ({"amount": 0}, {"amount": "The amount must be more than zero."}),
        ({"amount": "1.001"}, {"amount": "The amount may have at most 2 decimal places in EUR."}),
        ({"start_date": ""}, {"start_date": "The start date field is required."}),
        (
            {"start_date": "2024-06-01"},
            {
                "start_date": "The start date must be a date on or before end date.",
                "end_date": "The end date must be a date on or after start date.",
            },
        ),
        (
            {"currency_code": "XXY"},
            {"currency_code": "The selected currency code is invalid: there is no such currency."},
        ),
        ({"currency_id": 999_999}, {"currency_id": "The selected currency id is invalid: there is no such currency."}),
    ],
)
def test_invalid_fields_are_reported(me, food, fields, wrong):
    body = {"budget_id": food, "amount": "100", **MAY, **fields}

    assert errors(me.post("/budget_limits", body)) == {field: [sentence] for field, sentence in wrong.items()}


def test_all_problems_are_reported_at_once(me, food):
    a_limit(me, food)
    body = {"budget_id": food, "amount": "-1", "currency_id": "x", **MAY}

    assert sorted(errors(me.post("/budget_limits", body))) == ["amount", "currency_id"]
    assert sorted(errors(me.post("/budget_limits", {**body, "currency_id": 1}))) == ["amount", "end_date", "start_date"]
    assert sorted(errors(me.post("/budget_limits", {}))) == ["amount", "budget_id", "end_date", "start_date"]


def test_budgets_of_other_users_are_not_found(me, someone_else):
    theirs = a_label(someone_else, BUDGET)

    assert list(errors(me.post("/budget_limits", {"budget_id": theirs, "amount": 1, **MAY}))) == ["budget_id"]


OVERLAPPING = [
    ("2024-05-01", "2024-05-31"),
    ("2024-05-31", "2024-06-30"),
    ("2024-04-01", "2024-05-01"),
    ("2024-05-10", "2024-05-10"),
    ("2024-01-01", "2024-12-31"),
]


@pytest.mark.parametrize(("start", "end"), OVERLAPPING)
def test_limits_of_one_budget_and_currency_may_not_overlap(me, food, start, end):
    other = a_limit(me, food)
    sentence = f"The period overlaps with limit {other} of this budget in EUR, from 2024-05-01 to 2024-05-31."

    response = me.post("/budget_limits", {"budget_id": food, "amount": 1, "start_date": start, "end_date": end})

    assert errors(response) == {"start_date": [sentence], "end_date": [sentence]}


def test_neighbours_other_budgets_and_other_currencies_do_not_overlap(me, food):
    a_limit(me, food)

    a_limit(me, food, start_date="2024-06-01", end_date="2024-06-01")
    a_limit(me, food, start_date="2024-04-30", end_date="2024-04-30")
    a_limit(me, food, currency_code="USD")
    a_limit(me, a_label(me, BUDGET, "Rent"))


def test_a_change_does_not_overlap_with_itself(me, food):
    may, june = a_limit(me, food), a_limit(me, food, start_date="2024-06-01", end_date="2024-06-30")
    body = {"budget_id": food, "amount": "20", "start_date": "2024-05-15", "end_date": "2024-05-31"}

    changed = me.put(f"/budget_limits/{may}", body)

    assert changed.json()["data"]["attributes"]["amount"] == "20.00"
    assert sorted(errors(me.put(f"/budget_limits/{june}", body))) == ["end_date", "start_date"]


def test_a_change_may_move_it_to_another_budget(me, food):
    rent = a_label(me, BUDGET, "Rent")
    moved = a_limit(me, food)

    me.put(f"/budget_limits/{moved}", {"budget_id": rent, "amount": "1", "currency_code": "JPY", **MAY})

    shown = limit(me, moved)
    assert (shown["budget_id"], shown["amount"], shown["currency_code"]) == (int(rent), "1", "JPY")


def test_deleting_a_limit_keeps_the_budget_and_its_transactions(world, me, food):
    checking = made(me, asset())
    recorded(me, BUDGET.on(withdrawn(checking), "Food"))
    gone = a_limit(me, food)

    assert me.delete(f"/budget_limits/{gone}").status_code == 204

    assert me.get(f"/budget_limits/{gone}").status_code == 404
    assert me.get(f"/budgets/{food}").json()["data"]["attributes"]["transactions_count"] == 1
    assert count_rows(world, me, "budget_limits") == 0


def test_spent_is_what_was_paid_from_the_budget_in_its_period_and_currency(me, food):
    euros, dollars = made(me, asset()), made(me, asset(name="Dollars", currency_code="USD"))
    days = ["2024-04-30", "2024-05-01", "2024-05-31", "2024-06-01"]
    recorded(
        me,
        *(BUDGET.on(withdrawn(euros, "10", on=day), "Food") for day in days),
        BUDGET.on(withdrawn(dollars, "3", code="USD"), "Food"),
        BUDGET.on(withdrawn(euros, "50"), "Rent"),
    )

    assert limit(me, a_limit(me, food))["spent"] == "20.00"
    assert limit(me, a_limit(me, food, currency_code="USD"))["spent"] == "3.00"


def test_spent_is_right_for_any_period(me, food):
    checking = made(me, asset())
    chance = random.Random(11)
    days = [date(2024, 1, 1) + timedelta(days=chance.randrange(150)) for _ in range(50)]
    bodies = [BUDGET.on(withdrawn(checking, "1", on=day.isoformat()), "Food") for day in days]
    me.post("/transactions/bulk", {"transactions": bodies})

    for _ in range(12):
        start = date(2023, 12, 15) + timedelta(days=chance.randrange(150))
        end = start + timedelta(days=chance.randrange(100))
        made_limit = a_limit(me, food, start_date=start.isoformat(), end_date=end.isoformat())
        assert limit(me, made_limit)["spent"] == f"{sum(start <= day <= end for day in days)}.00"
        me.delete(f"/budget_limits/{made_limit}")


def test_the_list_is_in_the_order_of_periods(me, food):
    rent = a_label(me, BUDGET, "Rent")
    june = a_limit(me, food, start_date="2024-06-01", end_date="2024-06-30")
    may, rents = a_limit(me, food), a_limit(me, rent)

    assert ids(me.get("/budget_limits")) == [may, rents, june]
    assert ids(me.get("/budget-limits", limit=2, page=2)) == [june]
    document = me.get("/budget_limits", budget_id=food).json()
    assert [one["id"] for one in document["data"]] == [may, june]
    assert document["links"]["self"].endswith(f"/budget_limits?budget_id={food}&page=1")
    assert [one["id"] for one in document["included"]] == [food]


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        ("2024-05-31", "2024-05-31", 1),
        ("2024-05-31", "2024-06-01", 2),
        ("2024-01-01", "2024-04-30", 0),
        ("2024-05-10", "2024-06-10", 2),
        ("2024-01-01", "2024-12-31", 2),
    ],
)
def test_a_range_finds_the_limits_that_overlap_it(me, food, start, end, found):
    for first, last in (("2024-05-01", "2024-05-31"), ("2024-06-01", "2024-06-30")):
        a_limit(me, food, start_date=first, end_date=last)

    for path in ("/budget_limits", f"/budgets/{food}/limits"):
        assert len(ids(me.get(path, start=start, end=end))) == found


def test_an_unknown_budget_has_no_limits_and_an_invalid_one_is_refused(me, food):
    a_limit(me, food)

    assert ids(me.get("/budget_limits", budget_id="999999999")) == []
    assert len(ids(me.get("/budget_limits", budget_id=""))) == 1
    for word in ("x", "-1", "1.5", "9" * 19):
        assert list(errors(me.get("/budget_limits", budget_id=word))) == ["budget_id"]


def test_a_budget_has_its_own_address_for_its_limits(me, food):
    rent = a_label(me, BUDGET, "Rent")
    a_limit(me, rent)

    response = me.post(f"/budgets/{food}/limits", {"budget_id": rent, "amount": "12", **MAY})

    shown = response.json()["data"]
    assert shown["attributes"]["budget_id"] == int(food)
    assert ids(me.get(f"/budgets/{food}/limits")) == [shown["id"]]
    assert sorted(errors(me.post(f"/budgets/{food}/limits", {"amount": "12"}))) == ["end_date", "start_date"]


def test_the_later_spelling_of_the_address_means_the_same(me, food):
    made_limit = a_limit(me, food)
    body = {"budget_id": food, "amount": "5", **MAY}

    assert ids(me.get("/budgets/limits")) == [made_limit]
    assert me.get(f"/budgets/limits/{made_limit}").json()["data"]["id"] == made_limit
    assert me.put(f"/budgets/limits/{made_limit}", body).json()["data"]["attributes"]["amount"] == "5.00"
    assert me.get(f"/budgets/limits/{made_limit}/transactions").status_code == 200
    assert me.delete(f"/budgets/limits/{made_limit}").status_code == 204


def test_its_transactions_are_those_of_the_budget_in_its_period(me, food):
    checking = made(me, asset())
    days = ["2024-04-30", "2024-05-01", "2024-05-20", "2024-05-31", "2024-06-01"]
    splits = recorded(me, *(BUDGET.on(withdrawn(checking, on=day), "Food") for day in days))
    recorded(me, withdrawn(checking))
    path = f"/budget_limits/{a_limit(me, food)}/transactions"

    assert [one["id"] for one in listed(me, path)] == [splits[3], splits[2], splits[1]]
    assert total(me, path) == 3
    narrower = {"start": "2024-05-02", "end": "2024-06-30"}
    assert [one["id"] for one in listed(me, path, **narrower)] == [splits[3], splits[2]]
    assert total(me, path, start="2024-07-01", end="2024-07-31") == 0
    assert listed(me, path, start="2024-07-01", end="2024-07-31") == []


def test_doctor_reports_overlapping_limits(world, me, food):
    may, june = a_limit(me, food), a_limit(me, food, start_date="2024-06-01", end_date="2024-06-30")
    with world.books.writing() as db:
        db.run("UPDATE budget_limits SET start_on = '2024-05-31' WHERE id = :id", id=int(june))

    assert findings(world, me) == [f"{me.user.email}: the limits {may} and {june} of budget {food} overlap."]

    me.delete(f"/budget_limits/{june}")
    assert findings(world, me) == []


def test_a_currency_that_a_limit_is_in_cannot_be_deleted(world, me):
    from ..users.people import an_owner

    owner = an_owner(world)
    body = {"name": "Air miles two", "code": "AM2", "symbol": "AM2", "decimal_places": 0}
    coin = owner.post("/currencies", body).json()["data"]["id"]
    rest = a_label(me, BUDGET, "Rest")
    made_limit = a_limit(me, rest, currency_id=coin)

    assert owner.delete(f"/currencies/{coin}").status_code == 422

    me.delete(f"/budget_limits/{made_limit}")
    checking = made(me, asset(currency_code="AM2"))
    [split_id] = recorded(me, BUDGET.on(withdrawn(checking, "5", code="AM2"), "Rest"))
    assert owner.delete(f"/currencies/{coin}").status_code == 422
    me.delete(f"/transactions/{split_id}")
    grocer = [one["id"] for one in listed(me, "/accounts", type="expense")]
    for account_id in (checking, *grocer):
        me.delete(f"/accounts/{account_id}")
    assert owner.delete(f"/currencies/{coin}").status_code == 204
    assert findings(world, me) == []
