"""Recurrences over HTTP: every field, every rule, every shape."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ..conftest import Client, World
from .making import a_recurrence, a_repetition, a_split, asset, errors, liability, made, occurrences, refused, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def test_a_recurrence_shows_what_was_sent(me: Client, checking: str) -> None:
    extras = {"description": "Every month", "tags": "auto, sport", "repeat_until": "2024-12-31"}
    split = a_split(checking, category_name="Sport", budget_name="Health")

    thing = stored(me, a_recurrence(checking, transactions=[split], **extras))

    shown = thing["attributes"]
    assert {name: shown[name] for name in ("transaction_type_id", "transaction_type", "title", "description")} == {
        "transaction_type_id": 1,
        "transaction_type": "Withdrawal",
        "title": "Gym",
        "description": "Every month",
    }
    assert (shown["first_date"], shown["latest_date"], shown["repeat_until"]) == ("2024-06-01", None, "2024-12-31")
    assert (shown["apply_rules"], shown["active"], shown["repetitions"], shown["notes"]) == (True, True, 0, "")
    assert thing["type"] == "recurrences"
    assert thing["links"]["0"] == {"rel": "self", "uri": f"/recurring/{thing['id']}"}
    assert thing["meta"] == [{"name": "tags", "value": "auto,sport", "tags": ["auto", "sport"]}]


def test_both_its_links_lead_to_it(me: Client, checking: str) -> None:
    links = stored(me, a_recurrence(checking))["links"]

    assert me.get(links["0"]["uri"]).json() == me.get(links["self"].partition("/api/v1")[2]).json()


def test_its_repetition_has_the_names_of_the_contract(me: Client, checking: str) -> None:
    [shown] = stored(me, a_recurrence(checking))["attributes"]["recurrence_repetitions"]

    assert isinstance(shown.pop("id"), int)
    assert shown.pop("created_at") == shown.pop("updated_at")
    assert shown == {
        "repetition_type": "monthly",
        "repetition_moment": "1",
        "repetition_skip": 0,
        "weekend": 1,
        "holidays": False,
        "description": "Every month on the 1(st/nd/rd/th) day",
        "occurrences": ["2024-06-01", "2024-07-01", "2024-08-01", "2024-09-01", "2024-10-01"],
    }


def test_its_transaction_has_the_names_of_the_contract(me: Client, checking: str) -> None:
    foreign = {"foreign_amount": "27", "foreign_currency_code": "USD"}
    split = a_split(checking, category_name="Sport", budget_name="Health", **foreign)

    [shown] = stored(me, a_recurrence(checking, transactions=[split]))["attributes"]["transactions"]

    meta = {one["name"]: one for one in shown.pop("meta")}
    assert meta["category_name"]["value"] == meta["category_name"]["category_name"] == "Sport"
    assert meta["budget_id"]["value"] == str(meta["budget_id"]["budget_id"])
    assert meta["budget_id"]["budget_name"] == "Health"
    assert all(one.keys() >= {"name", "value", "category_id", "category_name"} for one in meta.values())
    assert isinstance(shown.pop("destination_id"), int)
    assert shown == {
        "currency_id": 1,
        "currency_code": "EUR",
        "currency_symbol": "€",
        "currency_dp": 2,
        "foreign_currency_id": 7,
        "foreign_currency_code": "USD",
        "foreign_currency_symbol": "$",
        "foreign_currency_dp": 2,
        "source_id": int(checking),
        "source_name": "Checking",
        "destination_name": "Gym Ltd",
        "amount": "25.45",
        "foreign_amount": "27.00",
        "description": "Membership",
    }


@pytest.mark.any_database
@pytest.mark.parametrize("name", ["type", "title", "first_date", "apply_rules", "active"])
def test_a_missing_required_field_is_reported(me: Client, checking: str, name: str) -> None:
    body = a_recurrence(checking)
    del body[name]

    assert name in refused(me, body)


def test_an_unknown_type_also_reports_that_accounts_cannot_be_checked(me: Client, checking: str) -> None:
    assert refused(me, a_recurrence(checking, type="gift")).keys() == {"type", "description"}


@pytest.mark.any_database
@pytest.mark.parametrize("nothing", [[], {}, None, ""], ids=repr)
def test_without_repetitions_or_transactions_three_fields_are_reported(me: Client, checking: str, nothing: Any) -> None:
    found = refused(me, a_recurrence(checking, repetitions=nothing, transactions=nothing))

    assert {"repetitions", "transactions", "description"} <= found.keys()


def test_all_problems_are_reported_at_once(me: Client) -> None:
    found = refused(me, {"repetitions": [{"type": "weekly", "moment": "8"}], "transactions": [{"amount": "x"}]})

    assert {
        "type", "title", "first_date", "apply_rules", "active", "repetitions.0.moment", "repetitions.0.skip",
        "repetitions.0.weekend", "transactions.0.amount", "transactions.0.description",
        "transactions.0.currency_id", "transactions.0.currency_code",
    } <= found.keys()  # fmt: skip


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("type_", "moment"),
    [("daily", "1"), ("weekly", "0"), ("weekly", "8"), ("weekly", ""), ("monthly", "32"), ("monthly", "0"),
     ("ndom", "6,1"), ("ndom", "1,8"), ("ndom", "3"), ("yearly", "2018-02-30"), ("yearly", "05-31")],
)  # fmt: skip
def test_a_moment_must_fit_its_type(me: Client, checking: str, type_: str, moment: str) -> None:
    assert "repetitions.0.moment" in refused(me, a_recurrence(checking, repetitions=[a_repetition(type_, moment)]))


@pytest.mark.parametrize(
    ("type_", "moment", "shown"),
    [("daily", "", ""), ("daily", None, ""), ("weekly", 7, "7"), ("ndom", "2, 3", "2,3"), ("monthly", 31, "31"),
     ("yearly", "2018-10-01", "2018-10-01"), ("monthly", "last", "last")],
)  # fmt: skip
def test_a_valid_moment_is_stored(me: Client, checking: str, type_: str, moment: Any, shown: str) -> None:
    thing = stored(me, a_recurrence(checking, repetitions=[a_repetition(type_, moment)]))

    assert thing["attributes"]["recurrence_repetitions"][0]["repetition_moment"] == shown


@pytest.mark.parametrize(
    ("name", "value"),
    [("type", "monthly-ish"), ("skip", -1), ("skip", 1000), ("skip", "x"), ("weekend", 0), ("weekend", 5)],
)
def test_a_repetition_is_checked_field_by_field(me: Client, checking: str, name: str, value: Any) -> None:
    repetition = {**a_repetition(), name: value}

    assert f"repetitions.0.{name}" in refused(me, a_recurrence(checking, repetitions=[repetition]))


@pytest.mark.parametrize("day", ["2024-05-15", "2024-05-14", "1999-01-01"])
def test_the_first_date_must_lie_in_the_future(me: Client, checking: str, day: str) -> None:
    assert "first_date" in refused(me, a_recurrence(checking, first_date=day))


def test_tomorrow_is_the_future(me: Client, checking: str) -> None:
    assert stored(me, a_recurrence(checking, first_date="2024-05-16"))


def test_today_follows_the_users_zone(me: Client, checking: str) -> None:
    me.put("/preferences/timezone", {"data": "Pacific/Kiritimati"})

    assert "first_date" in refused(me, a_recurrence(checking, first_date="2024-05-16"))


def test_an_end_date_and_a_number_exclude_each_other(me: Client, checking: str) -> None:
    found = refused(me, a_recurrence(checking, repeat_until="2024-12-01", nr_of_repetitions=3))

    assert {"repeat_until", "nr_of_repetitions"} <= found.keys()


def test_the_end_is_not_before_the_first_date(me: Client, checking: str) -> None:
    assert "repeat_until" in refused(me, a_recurrence(checking, repeat_until="2024-05-31"))
    assert stored(me, a_recurrence(checking, repeat_until="2024-06-01"))


@pytest.mark.parametrize("number", [0, -1, "x", 1.5])
def test_the_number_of_repetitions_is_at_least_one(me: Client, checking: str, number: Any) -> None:
    assert "nr_of_repetitions" in refused(me, a_recurrence(checking, nr_of_repetitions=number))


def test_the_number_of_repetitions_is_shown_and_limits_the_days(me: Client, checking: str) -> None:
    thing = stored(me, a_recurrence(checking, nr_of_repetitions=2))

    assert thing["attributes"]["repetitions"] == 2
    assert occurrences(thing) == ["2024-06-01", "2024-07-01"]


def test_a_paused_recurrence_shows_the_days_on_which_it_would_fire(me: Client, checking: str) -> None:
    paused, active = (stored(me, a_recurrence(checking, active=one)) for one in (False, True))

    assert occurrences(paused) == occurrences(active)
    assert len(occurrences(paused)) == 5


def test_a_pause_uses_up_none_of_a_number_of_repetitions(me: Client, checking: str, world: World) -> None:
    thing = stored(me, a_recurrence(checking, active=False, nr_of_repetitions=2))
    world.time.now = datetime(2024, 6, 15, 12, tzinfo=UTC)

    assert occurrences(me.get(f"/recurrences/{thing['id']}").json()["data"]) == ["2024-07-01", "2024-08-01"]


def test_titles_may_repeat(me: Client, checking: str) -> None:
    assert stored(me, a_recurrence(checking))["id"] != stored(me, a_recurrence(checking))["id"]


@pytest.mark.parametrize(
    ("type_", "sides", "key"),
    [
        ("withdrawal", {}, "source_id"),
        ("withdrawal", {"source_id": "own"}, "destination_id"),
        ("withdrawal", {"source_name": "Nobody", "destination_name": "x"}, "source_name"),
        ("withdrawal", {"source_id": 999_999_999, "destination_name": "x"}, "source_id"),
        ("withdrawal", {"source_id": "own", "destination_id": "own"}, "destination_id"),
        ("deposit", {"destination_id": "own"}, "source_id"),
        ("deposit", {"source_name": "Work"}, "destination_id"),
        ("deposit", {"source_id": "own", "destination_id": "own"}, "source_id"),
        ("transfer", {"source_id": "own"}, "destination_id"),
        ("transfer", {"source_id": "own", "destination_name": "Nobody"}, "destination_name"),
        ("transfer", {"source_id": "own", "destination_id": "own"}, "destination_id"),
    ],
)
def test_accounts_must_fit_the_type(me: Client, checking: str, type_: str, sides: dict[str, Any], key: str) -> None:
    split = {"description": "x", "amount": "1", "currency_code": "EUR"}
    split |= {name: checking if value == "own" else value for name, value in sides.items()}

    assert f"transactions.0.{key}" in refused(me, a_recurrence(checking, type=type_, transactions=[split]))


def test_a_liability_may_stand_on_the_own_side(me: Client, checking: str) -> None:
    loan = made(me, liability())
    split = a_split(checking, destination_id=loan)
    del split["destination_name"]

    thing = stored(me, a_recurrence(checking, type="transfer", transactions=[split]))

    assert thing["attributes"]["transactions"][0]["destination_id"] == int(loan)


def test_someone_elses_account_is_not_there(me: Client, someone_else: Client) -> None:
    theirs = made(someone_else, asset())

    assert "transactions.0.source_id" in refused(me, a_recurrence(theirs))


def test_a_name_on_the_other_side_is_found_or_created_once(me: Client, checking: str) -> None:
    first = stored(me, a_recurrence(checking))["attributes"]["transactions"][0]["destination_id"]
    second = stored(me, a_recurrence(checking))["attributes"]["transactions"][0]["destination_id"]

    assert first == second
    assert me.get(f"/accounts/{first}").json()["data"]["attributes"]["type"] == "Expense account"


def test_amounts_obey_their_currency(me: Client, checking: str) -> None:
    found = refused(me, a_recurrence(checking, transactions=[a_split(checking, amount="1.234")]))

    assert "at most 2 decimal places" in found["transactions.0.amount"][0]


def test_a_foreign_amount_needs_a_currency(me: Client, checking: str) -> None:
    found = refused(me, a_recurrence(checking, transactions=[a_split(checking, foreign_amount="1")]))

    assert {"transactions.0.foreign_amount", "transactions.0.foreign_currency_id"} <= found.keys()


def test_a_piggy_bank_must_exist_and_needs_a_transfer(me: Client, checking: str) -> None:
    assert "piggy_bank_id" in refused(me, a_recurrence(checking, piggy_bank_id=999_999))


def test_a_form_may_begin_its_indexes_anywhere(me: Client, checking: str) -> None:
    form = {
        "type": "withdrawal", "title": "Gym", "first_date": "2024-06-01", "apply_rules": "1", "active": "1",
        "repetitions[3][type]": "daily", "repetitions[3][moment]": "", "repetitions[3][skip]": "0",
        "repetitions[3][weekend]": "1", "transactions[7][description]": "x", "transactions[7][amount]": "abc",
        "transactions[7][currency_code]": "EUR", "transactions[7][source_id]": checking,
        "transactions[7][destination_name]": "Shop",
    }  # fmt: skip

    assert set(errors(me.request("POST", "/recurrences", data=form))) == {"transactions.7.amount"}
    assert me.request("POST", "/recurrences", data=form | {"transactions[7][amount]": "5"}).status_code == 200


def test_several_splits_share_their_source(me: Client, checking: str) -> None:
    other = made(me, asset(name="Other"))

    found = refused(me, a_recurrence(checking, transactions=[a_split(checking), a_split(other, description="y")]))

    assert "transactions.0.source_id" in found


def test_an_update_replaces_everything(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, tags="a", description="old", repeat_until="2024-12-01"))
    change = a_recurrence(checking, title="Pool", repetitions=[a_repetition("weekly", "2")])

    changed = me.put(f"/recurrences/{kept['id']}", change).json()["data"]

    shown = changed["attributes"]
    assert (shown["title"], shown["description"], shown["repeat_until"]) == ("Pool", "", None)
    assert shown["recurrence_repetitions"][0]["repetition_type"] == "weekly"
    assert changed["meta"] == []


def test_an_unchanged_first_date_may_lie_in_the_past(me: Client, checking: str, world: Any) -> None:
    kept = stored(me, a_recurrence(checking))
    world.time.now = world.time.now.replace(year=2025)

    assert me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, title="x")).status_code == 200
    other = me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, first_date="2024-06-02"))
    assert "first_date" in errors(other)


def test_the_list_has_active_ones_first_then_titles(me: Client, checking: str) -> None:
    for title, active in (("beta", True), ("alpha", False), ("Alpha", True), ("Gamma", False)):
        stored(me, a_recurrence(checking, title=title, active=active))

    response = me.get("/recurrences").json()

    assert [one["attributes"]["title"] for one in response["data"]] == ["Alpha", "beta", "alpha", "Gamma"]
    assert response["links"]["self"].endswith("/recurrences?&page=1")
    assert response["meta"]["pagination"]["total"] == 4


def test_deleting_keeps_the_transactions_it_made(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    me.request("POST", f"/recurrences/{kept['id']}/trigger?date=2024-06-01")

    assert me.delete(f"/recurrences/{kept['id']}").status_code == 204
    assert me.get(f"/recurrences/{kept['id']}").status_code == 404
    [left] = me.get("/transactions").json()["data"]
    assert left["attributes"]["recurrence_id"] is None


def test_deleting_an_account_deletes_its_recurrences(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))

    assert me.delete(f"/accounts/{checking}").status_code == 204
    assert me.get(f"/recurrences/{kept['id']}").status_code == 404


def test_the_caller_and_the_made_transactions_can_be_included(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    me.request("POST", f"/recurrences/{kept['id']}/trigger?date=2024-07-01")

    for path in (f"/recurrences/{kept['id']}", "/recurrences"):
        response = me.get(path, include="user,transactions,nonsense").json()
        thing = response["data"][0] if isinstance(response["data"], list) else response["data"]
        assert thing["relationships"]["user"]["data"] == {"type": "users", "id": str(me.user.id)}
        assert len(thing["relationships"]["transactions"]["data"]) == 2
        assert {one["type"] for one in response["included"]} == {"users", "transactions"}


def test_its_transactions_have_the_usual_limits(me: Client, checking: str) -> None:
    splits = [a_split(checking, description=f"part {number}") for number in range(501)]

    assert refused(me, a_recurrence(checking, tags=["x" * 256]))["tags"]
    assert refused(me, a_recurrence(checking, transactions=splits))["transactions"]
