"""What is a piggy bank over HTTP? What it takes, what it shows, what it refuses."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from farthing.books.piggy_banks.model import PiggyBank, whole_months
from farthing.kernel.money import Currency

from .making import (
    a_piggy_bank,
    an_account,
    asset,
    changed,
    errors,
    exact,
    expense,
    findings,
    inside,
    liability,
    made,
    moves,
    refused,
    saving,
    seen,
)


def test_a_piggy_bank_shows_everything_it_was_given(me):
    savings = an_account(me)

    response = me.post(
        "/piggy_banks",
        a_piggy_bank(
            savings, current_amount="50.50", start_date="2024-05-01", target_date="2024-12-15", notes="A red one"
        ),
    )

    thing = exact(response)["data"]
    shown = thing["attributes"]
    assert thing["type"] == "piggy_banks"
    assert thing["links"]["0"] == {"rel": "self", "uri": f"/piggy_banks/{thing['id']}"}
    assert {name: str(value) for name, value in shown.items() if name not in ("created_at", "updated_at")} == {
        "name": "Bicycle",
        "account_id": savings,
        "account_name": "Savings",
        "accounts": str([{"account_id": int(savings), "account_name": "Savings", "current_amount": Decimal("50.5")}]),
        "currency_id": "1",
        "currency_code": "EUR",
        "currency_symbol": "€",
        "currency_dp": "2",
        "target_amount": "600",
        "percentage": "8",
        "current_amount": "50.5",
        "left_to_save": "549.5",
        "save_per_month": "78.5",
        "start_date": "2024-05-01",
        "target_date": "2024-12-15",
        "order": "1",
        "active": "True",
        "notes": "A red one",
        "object_group_id": "None",
        "object_group_title": "None",
        "object_group_order": "None",
    }


def test_hyphens_do_as_well(me):
    saving(me, an_account(me))

    assert me.get("/api/v1/piggy-banks").json()["meta"]["pagination"]["total"] == 1


def test_everything_that_is_missing_is_said_at_once(me):
    assert sorted(errors(me.post("/piggy_banks", {}))) == ["account_id", "name", "target_amount"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"target_amount": "0"}, "target_amount"),
        ({"target_amount": "-1"}, "target_amount"),
        ({"target_amount": "1.001"}, "target_amount"),
        ({"current_amount": "-0.01"}, "current_amount"),
        ({"current_amount": "600.01"}, "current_amount"),
        ({"start_date": "2024-05-02", "target_date": "2024-05-02"}, "target_date"),
        ({"target_date": "soon"}, "target_date"),
        ({"order": "0"}, "order"),
    ],
)
def test_what_cannot_be_is_refused(me, fields, field):
    assert list(refused(me, an_account(me), **fields)) == [field]


def test_it_lies_on_an_asset_account_of_ones_own(me, someone_else):
    for account_id in (made(me, expense()), made(me, liability()), an_account(someone_else)):
        assert "account_id" in refused(me, account_id)


def test_a_name_is_there_once_in_any_case_and_for_each_user(me, someone_else):
    savings = an_account(me)
    bicycle = saving(me, savings)

    assert "name" in refused(me, savings, name="BICYCLE")
    assert changed(me, bicycle, savings, name="bicycle")["name"] == "bicycle"
    assert saving(someone_else, an_account(someone_else))


def test_an_empty_one_and_a_full_one_are_fine(me):
    savings = an_account(me)

    empty, full = saving(me, savings, current_amount=0), saving(me, savings, name="Full", current_amount=600)

    assert (seen(me, empty)["percentage"], moves(me, empty)) == (0, [])
    assert (seen(me, full)["percentage"], str(seen(me, full)["left_to_save"])) == (100, "0")


# Money by hand


def test_setting_the_amount_by_hand_leaves_an_event(world, me):
    savings = an_account(me)
    bicycle = saving(me, savings, current_amount="100")
    changed(me, bicycle, savings, current_amount="150.25")
    changed(me, bicycle, savings, current_amount="0")

    assert inside(me, bicycle) == "0"
    assert moves(me, bicycle) == [("2024-05-15", "-150.25"), ("2024-05-15", "50.25"), ("2024-05-15", "100")]
    assert findings(world, me) == []


def test_an_amount_that_is_left_out_stays_as_it_is(me):
    savings = an_account(me)
    bicycle = saving(me, savings, current_amount="100", notes="A red one")

    shown = changed(me, bicycle, savings, target_amount="700")

    assert (str(shown["current_amount"]), str(shown["target_amount"]), shown["notes"]) == ("100", "700", None)
    assert len(moves(me, bicycle)) == 1


def test_the_target_cannot_fall_below_what_is_in_it(me):
    savings = an_account(me)
    bicycle = saving(me, savings, current_amount="100")

    answer = me.put(f"/piggy_banks/{bicycle}", a_piggy_bank(savings, target_amount="99.99"))

    assert list(errors(answer)) == ["target_amount"]


def test_no_more_is_set_aside_than_the_account_holds(me):
    savings = an_account(me, balance="100", virtual_balance="500")
    bicycle = saving(me, savings, current_amount="60")
    boat = saving(me, savings, name="Boat")

    too_much = errors(me.put(f"/piggy_banks/{boat}", a_piggy_bank(savings, name="Boat", current_amount="40.01")))
    enough = changed(me, boat, savings, name="Boat", current_amount="40")

    assert too_much == {"current_amount": ["The account “Savings” holds only 40.00 EUR that is not yet set aside."]}
    assert str(enough["current_amount"]) == "40"
    assert "current_amount" in refused(me, savings, name="Third", current_amount="0.01")
    assert inside(me, bicycle) == "60"


def test_money_that_comes_later_cannot_be_set_aside_today(world, me):
    savings = made(me, asset(name="Savings", opening_balance="100", opening_balance_date="2024-05-16"))
    bicycle = saving(me, savings)

    before = me.put(f"/piggy_banks/{bicycle}", a_piggy_bank(savings, current_amount="100"))
    world.time.now = datetime(2024, 5, 16, 12, 0, tzinfo=UTC)
    after = me.put(f"/piggy_banks/{bicycle}", a_piggy_bank(savings, current_amount="100"))

    assert (before.status_code, after.status_code) == (422, 200)


def test_taking_out_and_renaming_work_however_little_the_account_holds(me):
    savings = an_account(me, balance="100")
    bicycle = saving(me, savings, current_amount="100")
    spent = {"source_id": savings, "amount": "90", "currency_code": "EUR", "destination_name": "Shop"}
    body = {"type": "withdrawal", "date": "2024-05-10", "description": "x", "transactions": [spent]}
    assert me.post("/transactions", body).status_code == 200

    assert changed(me, bicycle, savings, name="Bike")["name"] == "Bike"
    assert str(changed(me, bicycle, savings, current_amount="50")["current_amount"]) == "50"
    answer = me.put(f"/piggy_banks/{bicycle}", a_piggy_bank(savings, current_amount="51"))
    assert list(errors(answer)) == ["current_amount"]


# Another account


def test_it_can_change_to_another_account_that_holds_enough(world, me):
    savings, other, poor = an_account(me), an_account(me, "Other", "100"), an_account(me, "Poor", "99")
    bicycle = saving(me, savings, current_amount="100")

    refused_for = errors(me.put(f"/piggy_banks/{bicycle}", a_piggy_bank(poor)))
    moved = changed(me, bicycle, other)

    assert list(refused_for) == ["account_id"]
    assert (moved["account_name"], str(moved["current_amount"])) == ("Other", "100")
    assert findings(world, me) == []


def test_its_currency_stays(me):
    savings, dollars = an_account(me), an_account(me, "Dollars", currency_code="USD")
    bicycle = saving(me, savings)

    moved = me.put(f"/piggy_banks/{bicycle}", a_piggy_bank(dollars))
    account = asset(name="Savings", currency_code="USD")

    assert list(errors(moved)) == ["account_id"]
    assert list(errors(me.put(f"/accounts/{savings}", account))) == ["currency_code"]
    assert me.delete(f"/piggy_banks/{bicycle}").status_code == 204
    assert me.put(f"/accounts/{savings}", account).status_code == 200


# Order, lists, includes


def names(client, path="/piggy_banks", **query):
    return [one["attributes"]["name"] for one in client.get(path, **query).json()["data"]]


def test_they_stand_in_the_order_one_likes(me):
    savings = an_account(me)
    ids = {name: saving(me, savings, name=name) for name in ("a", "b", "c", "d")}

    changed(me, ids["d"], savings, name="d", order=2)
    assert names(me) == ["a", "d", "b", "c"]
    changed(me, ids["a"], savings, name="a", order=99)
    assert names(me) == ["d", "b", "c", "a"]
    saving(me, savings, name="e", order=1)
    me.delete(f"/piggy_banks/{ids['b']}")
    assert names(me) == ["e", "d", "c", "a"]
    assert [one["attributes"]["order"] for one in me.get("/piggy_banks").json()["data"]] == [1, 2, 3, 4]


def test_pages_and_lists_of_an_account(me):
    savings, other = an_account(me), an_account(me, "Other")
    for name in ("a", "b", "c"):
        saving(me, savings, name=name)
    saving(me, other, name="x")

    assert names(me, page=2, limit=3) == ["x"]
    assert names(me, f"/accounts/{savings}/piggy_banks", limit=2) == ["a", "b"]
    assert me.get(f"/accounts/{other}/piggy_banks").json()["meta"]["pagination"]["total"] == 1


def test_account_user_and_events_come_along_when_asked(me):
    savings = an_account(me)
    bicycle = saving(me, savings, current_amount="5")

    one = me.get(f"/piggy_banks/{bicycle}", include="account,user,piggy_bank_events").json()
    page = me.get("/piggy_banks", include="account,user,piggy_bank_events").json()

    for document in (one, page):
        assert sorted(thing["type"] for thing in document["included"]) == ["accounts", "piggy_bank_events", "users"]
    relations = one["data"]["relationships"]
    assert relations["account"]["data"] == {"type": "accounts", "id": savings}
    assert "included" not in me.get(f"/piggy_banks/{bicycle}").json()


def test_accounts_bring_their_piggy_banks_along(me):
    savings, other = an_account(me), an_account(me, "Other")
    ids = [saving(me, savings, name=name) for name in ("a", "b")]

    one = me.get(f"/accounts/{savings}", include="piggy_banks").json()
    page = me.get("/accounts", type="asset", include="piggy_banks").json()

    assert [each["id"] for each in one["data"]["relationships"]["piggy_banks"]["data"]] == ids
    assert [each["attributes"]["name"] for each in one["included"]] == ["a", "b"]
    of = {each["id"]: len(each["relationships"]["piggy_banks"]["data"]) for each in page["data"]}
    assert of == {savings: 2, other: 0}


def test_an_event_says_what_moved_and_where(me):
    bicycle = saving(me, an_account(me), current_amount="5")

    [event] = exact(me.get(f"/piggy_banks/{bicycle}/events"))["data"]

    assert event["type"] == "piggy_bank_events"
    assert event["links"]["self"] == f"http://farthing.example/api/v1/piggy_banks/{bicycle}/events"
    shown = event["attributes"]
    assert (shown["date"], str(shown["amount"]), shown["currency_code"]) == ("2024-05-15", "5", "EUR")
    assert (shown["piggy_bank_id"], shown["journal_id"]) == (int(bicycle), None)


# What to put in each month


def a_bank(left: int, target_on: str | None) -> PiggyBank:
    eur = Currency(1, "EUR", "Euro", "€", 2)
    return PiggyBank(1, "x", 1, "y", eur, left + 100, 100, None, target_on, 1, True, None, "", "")


@pytest.mark.parametrize(
    ("target_on", "units"),
    [
        (None, 0),
        ("2024-05-14", 0),
        ("2024-05-15", 1000),
        ("2024-06-14", 1000),
        ("2024-06-15", 1000),
        ("2024-07-14", 1000),
        ("2024-07-15", 500),
        ("2024-08-15", 333),
        ("2024-11-20", 167),
        ("2025-05-15", 83),
    ],
)
def test_what_is_left_is_shared_among_the_whole_months_until_the_day(target_on, units):
    assert a_bank(1000, target_on).units_per_month(date(2024, 5, 15)) == units


def test_a_month_is_whole_on_the_same_day_of_the_next():
    assert whole_months(date(2024, 1, 31), date(2024, 2, 29)) == 0
    assert whole_months(date(2024, 1, 31), date(2024, 3, 31)) == 2
    assert whole_months(date(2023, 12, 1), date(2024, 1, 1)) == 1
