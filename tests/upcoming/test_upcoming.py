"""What is to come: the same days that bills and recurrences tell by themselves, all in one answer."""

from decimal import Decimal

import pytest

from farthing.overviews.upcoming import gather

from ..accounts.making import asset, errors, exact, made
from ..bills.making import a_bill, paid, stored
from ..recurrences.making import a_recurrence, a_repetition, a_split, fired
from ..recurrences.making import stored as stored_recurrence
from ..rules.making import a_rule
from ..rules.making import stored as stored_rule
from ..transactions.making import withdrawal


def upcoming(client, **query):
    response = client.get("/upcoming", **query)
    assert response.status_code == 200, response.text
    return exact(response)


def days(client, **query):
    return [(one["kind"], one["name"], one["date"], one["state"]) for one in upcoming(client, **query)["data"]]


def test_the_next_thirty_days_are_listed_by_day(me):
    account_id = made(me, asset())
    stored(me)
    weekly = a_repetition("weekly", "5")
    stored_recurrence(me, a_recurrence(account_id, first_date="2024-05-16", repetitions=[weekly]))

    assert days(me) == [
        ("recurrence", "Gym", "2024-05-17", "upcoming"),
        ("recurrence", "Gym", "2024-05-24", "upcoming"),
        ("recurrence", "Gym", "2024-05-31", "upcoming"),
        ("bill", "Rent", "2024-06-01", "upcoming"),
        ("recurrence", "Gym", "2024-06-07", "upcoming"),
        ("recurrence", "Gym", "2024-06-14", "upcoming"),
    ]
    assert upcoming(me)["meta"] == {"start": "2024-05-15", "end": "2024-06-14", "next_start": None}


def test_each_item_has_all_attributes(me):
    account_id = made(me, asset())
    bill = stored(me)
    moved = a_repetition("monthly", "1", weekend=4)  # 1 June 2024 is a Saturday
    splits = [a_split(account_id), a_split(account_id, amount="4.55", description="Towel")]
    one = stored_recurrence(me, a_recurrence(account_id, repetitions=[moved], transactions=splits))

    data = upcoming(me, start="2024-06-01", end="2024-06-30")["data"]

    euros = {"currency_id": 1, "currency_code": "EUR", "currency_symbol": "€", "currency_dp": 2}
    assert data == [
        {
            "kind": "bill", "id": bill["id"], "name": "Rent", "date": "2024-06-01", "planned_date": "2024-06-01",
            "state": "upcoming", "reason": None, "transaction_type": "Withdrawal",
            "amounts": [{**euros, "amount_min": 795, "amount_max": Decimal("855.5")}], "counterpart": None,
        },
        {
            "kind": "recurrence", "id": one["id"], "name": "Gym", "date": "2024-06-03", "planned_date": "2024-06-01",
            "state": "upcoming", "reason": "weekend", "transaction_type": "Withdrawal",
            "amounts": [{**euros, "amount_min": 30, "amount_max": 30}], "counterpart": None,
        },
    ]  # fmt: skip


def paired(client):
    found = upcoming(client, start="2024-05-15", end="2024-07-31")["data"]
    return [(one["name"], one["date"], one["counterpart"] and tuple(one["counterpart"].values())) for one in found]


def test_a_bill_and_the_recurrence_that_pays_it_know_each_other(me, world):
    account_id = made(me, asset())
    bill = stored(me)["id"]
    rent = a_split(account_id, amount="800", description="Rent to the landlord")
    moved = a_repetition("monthly", "1", weekend=4)  # 1 June 2024 is a Saturday
    transfer = a_recurrence(account_id, title="Transfer", repetitions=[moved], transactions=[rent])
    one = stored_recurrence(me, transfer)["id"]
    stored_recurrence(me, a_recurrence(account_id, first_date="2024-07-02"))

    assert paired(me) == [
        ("Rent", "2024-06-01", ("recurrence", one, "Transfer", "2024-06-03")),
        ("Transfer", "2024-06-03", ("bill", bill, "Rent", "2024-06-01")),
        ("Rent", "2024-07-01", ("recurrence", one, "Transfer", "2024-07-01")),
        ("Transfer", "2024-07-01", ("bill", bill, "Rent", "2024-07-01")),
    ]

    world.time.now = world.time.now.replace(month=6, day=3)
    fired(me, "2024-06-03")
    assert paired(me) == [
        ("Rent", "2024-06-01", None),
        ("Rent", "2024-07-01", ("recurrence", one, "Transfer", "2024-07-01")),
        ("Transfer", "2024-07-01", ("bill", bill, "Rent", "2024-07-01")),
    ]


RENT = {"amount": "800", "description": "Rent to the landlord"}


@pytest.mark.parametrize(
    ("split", "fields", "rule", "pays"),
    [
        (RENT, {}, None, True),
        (RENT | {"description": "Transfer"}, {"description": "Rent to the landlord"}, None, False),
        (RENT | {"amount": "900"}, {}, None, False),
        (RENT | {"amount": "900", "foreign_amount": "800", "foreign_currency_code": "EUR", "currency_code": "USD"},
         {}, None, True),
        (RENT, {"tags": "private"}, ("set_description", "Private"), False),
        (RENT | {"amount": "900"}, {"tags": "private"}, ("link_to_bill", "rent"), True),
        (RENT | {"amount": "900"}, {"tags": "private", "apply_rules": False}, ("link_to_bill", "rent"), False),
    ],
)  # fmt: skip
def test_only_the_recurrence_that_will_pay_a_bill_is_paired_with_it(me, world, split, fields, rule, pays):
    """Whatever its last transaction paid: that was linked by hand."""
    account_id = made(me, asset())
    bill = stored(me)["id"]
    if rule:
        stored_rule(me, a_rule(triggers=[("tag_is", "private")], actions=[rule]))
    body = a_recurrence(account_id, title="Transfer", transactions=[a_split(account_id, **split)], **fields)
    stored_recurrence(me, body)
    world.time.now = world.time.now.replace(month=6, day=1)
    fired(me, "2024-06-01")
    [last] = me.get("/transactions").json()["data"]
    by_hand = withdrawal(account_id, "700", date="2024-06-01", bill_id=bill)
    assert me.put(f"/transactions/{last['id']}", by_hand).status_code == 200
    before = [one[2] for one in paired(me) if one[0] == "Transfer"]

    world.time.now = world.time.now.replace(month=7)
    fired(me, "2024-07-01")

    newest = me.get("/transactions").json()["data"][0]["attributes"]
    assert [one and one[0] for one in before] == ["bill" if pays else None]
    assert (newest["date"], newest["bill_id"]) == ("2024-07-01", int(bill) if pays else None)


def test_what_is_paid_already_has_no_counterpart(me):
    account_id = made(me, asset())
    stored(me)
    rent = a_split(account_id, amount="800", description="Rent to the landlord")
    stored_recurrence(me, a_recurrence(account_id, title="Transfer", transactions=[rent], nr_of_repetitions=1))
    paid(me, account_id, "2024-05-31")

    assert paired(me) == [("Rent", "2024-06-01", None), ("Transfer", "2024-06-01", None), ("Rent", "2024-07-01", None)]


def test_bills_can_be_paid_due_or_overdue(me):
    account_id = made(me, asset())
    stored(me)
    stored(me, a_bill(name="Milk", match="milk", date="2024-05-15"))
    stored(me, a_bill(name="Old", match="old", active=False))
    paid(me, account_id, "2024-04-01")

    assert days(me, start="2024-04-01", end="2024-05-20") == [
        ("bill", "Rent", "2024-04-01", "paid"),
        ("bill", "Rent", "2024-05-01", "overdue"),
        ("bill", "Milk", "2024-05-15", "due"),
    ]


def test_a_filter_lists_only_what_is_overdue(me, monkeypatch):
    """What is left out does not count for what one answer holds."""
    monkeypatch.setattr(gather, "ITEMS_MAX", 1)
    account_id = made(me, asset())
    stored(me, a_bill(date="2024-02-01"))
    paid(me, account_id, "2024-02-01")
    paid(me, account_id, "2024-03-01")
    stored(me, a_bill(name="Milk", match="milk", date="2024-04-01"))
    paid(me, account_id, "2024-05-01")

    assert days(me, start="2024-02-01", end="2024-04-30", state="overdue") == [
        ("bill", "Rent", "2024-04-01", "overdue"),
        ("bill", "Milk", "2024-04-01", "overdue"),
    ]
    assert upcoming(me, start="2024-02-01", end="2024-04-30", state="overdue")["meta"]["next_start"] is None
    assert list(errors(me.get("/upcoming", state="lost"))) == ["state"]


def test_moved_skipped_paused_and_counted_recurrences_are_respected(me, world):
    account_id = made(me, asset())
    daily = [a_repetition("daily", "")]
    moved = stored_recurrence(me, a_recurrence(account_id, title="Moved"))
    skipped = stored_recurrence(me, a_recurrence(account_id, title="Skipped"))
    stored_recurrence(me, a_recurrence(account_id, title="Paused", active=False))
    stored_recurrence(me, a_recurrence(account_id, title="Twice", repetitions=daily, nr_of_repetitions=2))
    me.put(f"/recurrences/{moved['id']}/occurrences/2024-06-01", {"date": "2024-06-05"})
    me.put(f"/recurrences/{skipped['id']}/occurrences/2024-06-01", {"skip": True})

    found = upcoming(me, start="2024-06-02", end="2024-06-30")["data"]

    assert [(one["name"], one["planned_date"], one["date"], one["reason"]) for one in found] == [
        ("Twice", "2024-06-02", "2024-06-02", None),
        ("Moved", "2024-06-01", "2024-06-05", "hand"),
    ]


def test_what_has_fired_is_no_longer_upcoming(me, world):
    account_id = made(me, asset())
    stored_recurrence(me, a_recurrence(account_id, repetitions=[a_repetition("daily", "")]))
    world.time.now = world.time.now.replace(month=6, day=3)

    june = {"start": "2024-06-01", "end": "2024-06-04"}
    assert [one[2:] for one in days(me, **june)] == [
        ("2024-06-01", "overdue"), ("2024-06-02", "overdue"), ("2024-06-03", "due"), ("2024-06-04", "upcoming"),
    ]  # fmt: skip
    fired(me, "2024-06-02")

    assert [one[2:] for one in days(me, **june)] == [("2024-06-03", "due"), ("2024-06-04", "upcoming")]


@pytest.mark.parametrize("weekend", [1, 2, 3, 4])
def test_upcoming_days_agree_with_the_days_of_recurrences(me, weekend):
    account_id = made(me, asset())
    repetitions = [a_repetition("monthly", "31", weekend=weekend), a_repetition("weekly", "6", weekend=weekend)]
    body = a_recurrence(account_id, first_date="2024-05-16", repetitions=repetitions, nr_of_repetitions=9)
    one = stored_recurrence(me, body)
    query = {"start": "2024-05-20", "end": "2024-08-15"}

    own = me.get(f"/recurrences/{one['id']}/occurrences", **query).json()["data"]

    assert [(each["planned_date"], each["date"], each["reason"]) for each in upcoming(me, **query)["data"]] == [
        (each["planned_date"], each["date"], each["reason"]) for each in own if each["date"]
    ]


def test_a_long_list_is_split_into_several_answers(me, monkeypatch):
    monkeypatch.setattr(gather, "ITEMS_MAX", 3)
    account_id = made(me, asset())
    for title in ("One", "Two"):
        stored_recurrence(me, a_recurrence(account_id, title=title, repetitions=[a_repetition("daily", "")]))
    week = {"start": "2024-06-01", "end": "2024-06-04"}

    first = upcoming(me, **week)
    rest = upcoming(me, start=first["meta"]["next_start"], end="2024-06-04")

    assert [one["date"] for one in first["data"]] == ["2024-06-01"] * 2 + ["2024-06-02"] * 2
    assert [one["date"] for one in rest["data"]] == ["2024-06-03"] * 2 + ["2024-06-04"] * 2
    assert rest["meta"]["next_start"] is None


def test_a_range_of_more_than_a_year_is_refused(me):
    assert upcoming(me, start="2024-01-01", end="2024-12-31")["data"] == []
    assert list(errors(me.get("/upcoming", start="2024-01-01", end="2025-01-01"))) == ["end"]
    assert list(errors(me.get("/upcoming", start="2024-01-02", end="2024-01-01"))) == ["start", "end"]


def test_items_of_other_users_are_left_out(me, someone_else):
    stored(me)
    stored_recurrence(me, a_recurrence(made(me, asset())))

    assert upcoming(someone_else)["data"] == []
