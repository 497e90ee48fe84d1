"""What was spent and earned under a label: kept, in any range, never with transfers, each currency by itself."""

import random
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.storage.grains import spans

from ..transactions.making import deposit, findings, transfer
from .making import (
    CATEGORY,
    KINDS,
    TAG,
    Kind,
    amounts,
    asset,
    attributes,
    made,
    named,
    recorded,
    withdrawn,
)

each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.path)
earning = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=lambda kind: kind.path)


def spent(client, kind: Kind, name: str = "Food", **query) -> dict[str, str]:
    return amounts(named(client, kind, name, **query)["spent"])


@earning
def test_withdrawals_are_spent_deposits_are_earned_and_transfers_are_neither(world, me, kind):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    bodies = [withdrawn(checking, "10"), deposit(checking, "25.50"), transfer(checking, savings, "500")]
    recorded(me, *(kind.on(body, "Food") for body in bodies))

    found = named(me, kind, "Food")

    assert (amounts(found["spent"]), amounts(found["earned"])) == ({"EUR": "10"}, {"EUR": "25.5"})
    assert found["transactions_count"] == 3
    assert findings(world, me) == []


@each_kind
def test_each_currency_is_a_sum_of_its_own(me, kind):
    euros, yen, dinars = (made(me, asset(name=code, currency_code=code)) for code in ("EUR", "JPY", "KWD"))
    recorded(
        me,
        kind.on(withdrawn(yen, "1000", code="JPY"), "Food"),
        kind.on(withdrawn(euros, "0.30"), "Food"),
        kind.on(withdrawn(dinars, "0.125", code="KWD"), "Food"),
        kind.on(withdrawn(euros, "0.10"), "Food"),
    )

    sums = named(me, kind, "Food")["spent"]

    assert sums[0] == {
        "currency_id": 1, "currency_code": "EUR", "currency_symbol": "€", "currency_dp": 2, "amount": Decimal("0.4"),
    }  # fmt: skip
    assert amounts(sums) == {"EUR": "0.4", "JPY": "1000", "KWD": "0.125"}


@each_kind
def test_what_left_the_account_counts_not_what_was_paid_abroad(me, kind):
    body = withdrawn(made(me, asset()), "11", code="USD")
    body["transactions"][0] |= {"foreign_amount": "10", "foreign_currency_code": "EUR"}
    recorded(me, kind.on(body, "Food"))

    assert spent(me, kind) == {"EUR": "10"}


@each_kind
def test_a_change_and_a_deletion_move_the_sums(world, me, kind):
    checking = made(me, asset())
    [first] = recorded(me, kind.on(withdrawn(checking, "10"), "Food"))
    [second] = recorded(me, kind.on(withdrawn(checking, "5"), "Food"))

    me.put(f"/transactions/{first}", kind.on(withdrawn(checking, "7", on="2024-04-30"), "Rent"))
    assert (spent(me, kind, "Food"), spent(me, kind, "Rent")) == ({"EUR": "5"}, {"EUR": "7"})

    me.put(f"/transactions/{first}", kind.on(withdrawn(checking, "7", on="2024-04-30"), None))
    me.delete(f"/transactions/{second}")
    assert (spent(me, kind, "Food"), spent(me, kind, "Rent")) == ({}, {})
    assert named(me, kind, "Food")["transactions_count"] == 0
    assert findings(world, me) == []


@each_kind
def test_many_at_once_count_as_each_alone_would(world, me, kind):
    checking = made(me, asset())
    bodies = [kind.on(withdrawn(checking, "0.01", on=f"2024-05-{day:02}"), "Food") for day in range(1, 29)]

    assert me.post("/transactions/bulk", {"transactions": bodies}).status_code == 200

    assert spent(me, kind) == {"EUR": "0.28"}
    assert findings(world, me) == []


RANGES = [
    ("2024-01-01", "2024-12-31"),
    ("2024-02-01", "2024-02-29"),
    ("2024-02-15", "2024-02-20"),
    ("2024-01-20", "2024-02-10"),
    ("2024-01-15", "2024-04-15"),
    ("2023-12-31", "2024-01-01"),
    ("2024-03-01", "2024-05-15"),
    ("2024-03-31", "2024-05-31"),
    ("2024-02-29", "2024-02-29"),
    ("2010-01-01", "2029-12-31"),
    ("2030-01-01", "2030-12-31"),
]


@each_kind
def test_any_range_sums_exactly_its_own_days(me, kind):
    checking = made(me, asset())
    chance = random.Random(7)
    first = date(2023, 12, 20)
    days = [(first + timedelta(days=chance.randrange(170))).isoformat() for _ in range(60)]
    cents = [chance.randrange(1, 10_000) for _ in days]
    bodies = [
        kind.on(withdrawn(checking, format(Decimal(units) / 100, "f"), on=day), "Food")
        for day, units in zip(days, cents, strict=True)
    ]
    me.post("/transactions/bulk", {"transactions": bodies})
    label_id = named(me, kind, "Food")["id"]

    for start, end in RANGES:
        found = attributes(me, kind, label_id, start=start, end=end)
        inside = [units for day, units in zip(days, cents, strict=True) if start <= day <= end]
        assert [one["amount"] * 100 for one in found["spent"]] == ([sum(inside)] if inside else []), (start, end)
        assert found["transactions_count"] == len(inside)


@pytest.mark.any_database
@each_kind
@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"start": "2024-02-30", "end": "2024-03-01"}, ["start"]),
        ({"start": "2024-03-02", "end": "2024-03-01"}, ["end", "start"]),
        ({"start": "2000-01-01", "end": "2024-03-01"}, ["end", "start"]),
    ],
)
def test_a_range_must_be_one(me, kind, query, wrong):
    response = me.get(f"/{kind.path}", **query)

    assert (response.status_code, sorted(response.json()["errors"])) == (422, wrong)


@each_kind
def test_half_a_range_is_none(me, kind):
    recorded(me, kind.on(withdrawn(made(me, asset()), "3"), "Food"))

    assert spent(me, kind, start="2030-01-01") == spent(me, kind, start="2030-01-01", end="") == {"EUR": "3"}


@each_kind
def test_sums_of_huge_amounts_are_exact(me, kind):
    first, second = made(me, asset()), made(me, asset(name="Other"))
    huge = "46116860184273879.03"  # half of what 64 bits hold
    recorded(
        me,
        kind.on(withdrawn(first, huge, on="2024-01-31"), "Food"),
        kind.on(withdrawn(second, "46116860184273879.04", on="2024-02-01"), "Food"),
    )

    assert spent(me, kind, start="2024-01-31", end="2024-02-01") == {"EUR": "92233720368547758.07"}

    response = me.post("/transactions", kind.on(withdrawn(made(me, asset(name="Third")), "0.01"), "Food"))
    assert response.status_code == 422


DAYS = st.dates(date(2019, 11, 1), date(2021, 3, 31))


@given(DAYS, DAYS)
def test_spans_hold_every_day_of_the_range_once_and_whole_months_as_one(one, other):
    start, end = min(one, other), max(one, other)
    chosen = spans(start, end)

    held = [
        day.isoformat()
        for day in (date(2019, 9, 1) + timedelta(days=number) for number in range(700))
        for span in chosen
        if span.first <= day.isoformat()[: {"month": 7, "day": 10}[span.grain]] < span.beyond
    ]

    assert held == [(start + timedelta(days=number)).isoformat() for number in range((end - start).days + 1)]
    for span in chosen:
        days = date.fromisoformat(span.beyond) - date.fromisoformat(span.first) if span.grain == "day" else None
        assert days is None or days < timedelta(days=61)


def test_a_year_is_twelve_rows():
    [months] = spans(date(2024, 1, 1), date(2024, 12, 31))

    assert (months.grain, months.first, months.beyond) == ("month", "2024-01", "2025-01")
