"""When is a bill expected, when was it paid, when is it expected next? As the API shows it. Today is 2024-05-15."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from farthing.books.bills.model import Bill, Payment, PaymentShown, PaymentState, next_unpaid, periods
from farthing.schedule.frequency import Frequency

from ..builders import EUR, day
from ..conftest import Client, World
from .making import a_bill, a_transaction, asset, changed, errors, linked, made, paid, posted, seen, split, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


PAY_DATES = [
    ("monthly", 0, "2024-01-31", "2024-01-01", "2024-05-31",
     ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31"]),
    ("monthly", 0, "2023-01-31", "2023-02-01", "2023-03-31", ["2023-02-28", "2023-03-31"]),
    ("monthly", 1, "2024-01-01", "2024-01-01", "2024-06-30", ["2024-01-01", "2024-03-01", "2024-05-01"]),
    ("weekly", 0, "2024-02-26", "2024-02-28", "2024-03-11", ["2024-03-04", "2024-03-11"]),
    ("weekly", 2, "2024-02-26", "2024-02-01", "2024-04-30", ["2024-02-26", "2024-03-18", "2024-04-08", "2024-04-29"]),
    ("quarterly", 0, "2023-11-30", "2024-01-01", "2024-12-31",
     ["2024-02-29", "2024-05-30", "2024-08-30", "2024-11-30"]),
    ("half-year", 0, "2023-08-31", "2024-01-01", "2024-12-31", ["2024-02-29", "2024-08-31"]),
    ("yearly", 0, "2024-02-29", "2024-01-01", "2028-12-31",
     ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]),
    ("yearly", 31, "2024-02-29", "2024-02-29", "2044-02-29", ["2024-02-29"]),
    ("monthly", 0, "2024-06-01", "2024-01-01", "2024-05-31", []),
    ("monthly", 0, "2024-06-01", "2024-06-01", "2024-06-01", ["2024-06-01"]),
    ("yearly", 0, "9998-12-31", "9998-01-01", "9998-12-31", ["9998-12-31"]),
    ("weekly", 0, "2024-01-15", "9998-12-31", "9998-12-31", []),
    ("monthly", 0, "2024-01-15", "9998-12-16", "9998-12-31", []),
    ("monthly", 11, "2024-01-15", "9998-06-16", "9998-12-31", []),
    ("yearly", 31, "2024-02-29", "9998-12-31", "9998-12-31", []),
]  # fmt: skip


@pytest.mark.parametrize(("frequency", "skip", "first", "start", "end", "expected"), PAY_DATES)
def test_pay_dates_are_all_expected_days_of_the_range(
    me: Client, frequency: str, skip: int, first: str, start: str, end: str, expected: list[str]
) -> None:
    bill = stored(me, a_bill(repeat_freq=frequency, skip=skip, date=first))

    [in_list] = me.get("/bills", start=start, end=end).json()["data"]
    one = seen(me, bill, start=start, end=end)

    assert one["pay_dates"] == expected
    assert [period["expected_date"] for period in one["periods"]] == expected
    assert in_list["attributes"]["pay_dates"] == expected


@pytest.mark.parametrize("query", [{}, {"start": "2024-01-01"}, {"end": "2024-12-31"}, {"start": "", "end": ""}])
def test_both_ends_of_the_range_are_needed(me: Client, checking: str, query: dict[str, str]) -> None:
    bill = stored(me)
    paid(me, checking)

    for found in (seen(me, bill, **query), me.get("/bills", **query).json()["data"][0]["attributes"]):
        assert (found["pay_dates"], found["paid_dates"], found["periods"]) == ([], [], [])
        assert found["next_expected_match"] == "2024-06-01"


BAD_RANGES = [
    ({"start": "2024-02-30", "end": "2024-03-01"}, ["start"]),
    ({"start": "yesterday", "end": "20240301"}, ["start", "end"]),
    ({"start": "yesterday"}, ["start"]),
    ({"start": "2024-03-02", "end": "2024-03-01"}, ["start", "end"]),
    ({"start": "2004-01-01", "end": "2024-01-02"}, ["start", "end"]),
    ({"start": "0999-12-31", "end": "1000-01-01"}, ["start"]),
]


@pytest.mark.any_database
@pytest.mark.parametrize(("query", "fields"), BAD_RANGES)
def test_an_invalid_range_is_refused_everywhere(me: Client, query: dict[str, str], fields: list[str]) -> None:
    bill = stored(me)

    for path in ("/bills", *(f"/bills/{bill['id']}{rest}" for rest in ("", "/transactions", "/matches"))):
        assert list(errors(me.get(path, **query))) == fields


def test_a_range_of_twenty_years_is_accepted(me: Client) -> None:
    bill = stored(me, a_bill(repeat_freq="weekly", date="2004-01-01"))

    assert len(seen(me, bill, start="2004-01-01", end="2024-01-01")["pay_dates"]) == 1044


def test_paid_dates_are_the_days_of_linked_transactions_ascending(me: Client, checking: str) -> None:
    bill = stored(me)
    for on in ("2024-05-02", "2024-03-01", "2024-04-01", "2024-04-01", "2024-06-30"):
        paid(me, checking, on)

    assert seen(me, bill, start="2024-03-01", end="2024-05-02")["paid_dates"] == [
        "2024-03-01",
        "2024-04-01",
        "2024-04-01",
        "2024-05-02",
    ]
    assert seen(me, bill, start="2024-03-02", end="2024-03-31")["paid_dates"] == []


def test_what_was_paid_in_another_currency_counts_with_its_own_amount(me: Client, checking: str) -> None:
    bill = stored(me)
    dollars = made(me, asset(name="Dollars", currency_code="USD"))

    def in_dollars(*amounts: str, **fields: Any) -> None:
        sides = {"source_id": dollars, "destination_name": "Landlord", "currency_code": "USD", **fields}
        splits = [split(amount=amount, description=f"Rent {amount}", **sides) for amount in amounts]
        posted(me, a_transaction("withdrawal", *splits, date="2024-04-01", bill_id=bill["id"], description="Rent"))

    in_dollars("900", "5.25")
    in_dollars("880", foreign_amount="800", foreign_currency_code="EUR")
    paid(me, checking, "2024-04-02", "810.25")

    found = seen(me, bill, start="2024-04-01", end="2024-04-30")

    [period] = found["periods"]
    assert [(one["amount"], one["currency_code"], one["currency_dp"]) for one in period["payments"]] == [
        (Decimal("905.25"), "USD", 2), (800, "EUR", 2), (Decimal("810.25"), "EUR", 2),
    ]  # fmt: skip
    assert (period["state"], found["paid_dates"]) == ("paid", ["2024-04-01", "2024-04-01", "2024-04-02"])


# What was paid, and when the bill of every first of the month is expected next, seen from today (2024-05-15).
NEXT = [
    ([], {}, "2024-06-01"),
    (["2024-06-01"], {}, "2024-07-01"),
    (["2024-05-28"], {}, "2024-07-01"),
    (["2024-05-16"], {}, "2024-06-01"),
    (["2024-05-17"], {}, "2024-07-01"),
    (["2024-06-03", "2024-06-29"], {}, "2024-08-01"),
    (["2024-06-01", "2024-06-02", "2024-06-03"], {}, "2024-07-01"),
    (["2024-07-01"], {}, "2024-06-01"),
    (["2024-06-01", "2024-07-01", "2024-08-01", "2024-10-01"], {}, "2024-09-01"),
    ([], {"start": "2024-01-01", "end": "2024-01-31"}, "2024-01-01"),
    (["2024-01-02", "2024-02-05"], {"start": "2024-01-01", "end": "2024-01-31"}, "2024-03-01"),
    (["2023-12-28"], {"start": "2024-01-01", "end": "2024-03-31"}, "2024-02-01"),
    (["2023-12-02"], {"start": "2024-01-01", "end": "2024-03-31"}, "2024-02-01"),
    (["2023-12-01"], {"start": "2024-01-01", "end": "2024-03-31"}, "2024-01-01"),
    (["2020-05-05"], {"start": "2015-01-01", "end": "2024-12-31"}, "2024-01-01"),
    (["2024-05-01"], {"start": "2024-05-01"}, "2024-06-01"),
]


@pytest.mark.parametrize(("days", "query", "expected"), NEXT)
def test_the_next_expected_day_is_the_first_unpaid_one(
    me: Client, checking: str, days: list[str], query: dict[str, str], expected: str
) -> None:
    bill = stored(me)
    for on in days:
        paid(me, checking, on)

    assert seen(me, bill, **query)["next_expected_match"] == expected


def test_the_next_expected_day_may_be_today_in_the_users_time_zone(me: Client, world: World, checking: str) -> None:
    world.time.now = datetime(2024, 5, 31, 23, 30, tzinfo=UTC)
    bill = stored(me, a_bill(date="2024-05-31", repeat_freq="yearly"))
    assert seen(me, bill)["next_expected_match"] == "2024-05-31"

    me.put("/preferences/timezone", {"data": "Asia/Tokyo"})

    assert seen(me, bill)["next_expected_match"] == "2025-05-31"


def test_an_inactive_bill_expects_nothing_next_but_keeps_its_days(me: Client, checking: str) -> None:
    bill = stored(me)
    paid(me, checking, "2024-05-01")
    changed(me, bill, a_bill(active=False))

    found = seen(me, bill, start="2024-05-01", end="2024-06-30")

    assert found["next_expected_match"] is None
    assert found["pay_dates"] == ["2024-05-01", "2024-06-01"]
    assert found["paid_dates"] == ["2024-05-01"]


def test_periods_tell_what_was_paid_for_each_expected_day(me: Client, checking: str, world: World) -> None:
    bill = stored(me, a_bill(date="2024-01-15"))
    paid(me, checking, "2024-01-12", "800")
    paid(me, checking, "2024-02-20", "795.50")
    paid(me, checking, "2024-02-11", "801")
    paid(me, checking, "2024-07-03", "850")

    found = seen(me, bill, start="2024-01-15", end="2024-07-31")["periods"]

    assert [(one["expected_date"], one["state"]) for one in found] == [
        ("2024-01-15", "paid"),
        ("2024-02-15", "paid"),
        ("2024-03-15", "overdue"),
        ("2024-04-15", "overdue"),
        ("2024-05-15", "due"),
        ("2024-06-15", "upcoming"),
        ("2024-07-15", "paid"),
    ]
    assert found[1]["payments"] == [
        {"date": "2024-02-11", "amount": 801, "currency_code": "EUR", "currency_dp": 2},
        {"date": "2024-02-20", "amount": Decimal("795.5"), "currency_code": "EUR", "currency_dp": 2},
    ]
    assert [len(one["payments"]) for one in found] == [1, 2, 0, 0, 0, 0, 1]


def test_a_payment_outside_the_range_settles_a_day_inside_it(me: Client, checking: str) -> None:
    bill = stored(me)
    paid(me, checking, "2024-02-28")
    paid(me, checking, "2024-04-05")

    found = seen(me, bill, start="2024-03-01", end="2024-04-01")

    assert [one["state"] for one in found["periods"]] == ["paid", "paid"]
    assert found["paid_dates"] == []


def test_a_payment_of_several_splits_counts_with_its_sum_in_the_bills_currency(me: Client, checking: str) -> None:
    bill = stored(me, a_bill(currency_code="USD", match="hotel"))
    splits = [
        {"source_id": checking, "destination_name": "Hotel", "description": text, "amount": "1", "currency_code": "EUR"}
        for text in ("room", "food")
    ]
    splits[0] |= {"foreign_amount": "500.25", "foreign_currency_code": "USD"}
    splits[1] |= {"foreign_amount": "300.50", "foreign_currency_code": "USD"}
    body = {"type": "withdrawal", "date": "2024-05-01", "description": "Trip", "transactions": splits}
    assert me.post("/transactions", body).status_code == 200

    [period] = seen(me, bill, start="2024-05-01", end="2024-05-31")["periods"]

    [payment] = period["payments"]
    assert (payment["amount"], payment["currency_code"]) == (Decimal("800.75"), "USD")


def test_one_bill_in_a_list_does_not_change_the_days_of_another(me: Client, checking: str) -> None:
    """A long rhythm looks far back; what it finds there is not for a short one."""
    stored(me, a_bill(name="Roof", match="roof", repeat_freq="yearly", skip=31))
    rent = stored(me, a_bill(date="2024-06-01"))
    for on in ("2024-02-01", "2024-03-03", "2024-04-30"):
        paid(me, checking, on)

    in_list = me.get("/bills").json()["data"][1]["attributes"]

    assert len(linked(me, rent)) == 3
    assert in_list == me.get(f"/bills/{rent['id']}").json()["data"]["attributes"]
    assert in_list["next_expected_match"] == "2024-06-01"


def a_model(**fields: Any) -> Bill:
    usual: dict[str, Any] = {
        "id": 1, "name": "Rent", "words": ("rent",), "lowest_units": 1, "highest_units": 9, "currency": EUR,
        "first_on": day("2024-01-01"), "frequency": Frequency.MONTHLY, "skip": 0, "automatch": True, "active": True,
        "notes": None, "created_at": "", "updated_at": "",
    }  # fmt: skip
    return Bill(**{**usual, **fields})


def a_payment(bill: Bill, on: str) -> Payment:
    return Payment(bill.id, on, units=5, currency_id=EUR.id, code="EUR", places=2)


DAYS = st.dates(date(2022, 1, 1), date(2027, 12, 31))


@given(
    st.lists(DAYS, max_size=12), DAYS, st.sampled_from(list(Frequency)), st.integers(0, 3), DAYS, st.integers(0, 800)
)
def test_each_payment_counts_once_for_the_nearest_day(
    days: list[date], first: date, frequency: Frequency, skip: int, start: date, length: int
) -> None:
    """Against a reckoning that looks at every expected day for every payment."""
    bill = a_model(first_on=first, frequency=frequency, skip=skip)
    rhythm, end = bill.rhythm, start + timedelta(days=length)
    expected = rhythm.between(first, date(2036, 1, 1))
    paid: dict[date, list[PaymentShown]] = defaultdict(list)
    for on in sorted(days):
        if on.isoformat() > rhythm.before_span(0):
            nearest = min(expected, key=lambda one: (abs(one - on), one))
            paid[nearest].append(PaymentShown(on.isoformat(), Raw(b"0.05"), "EUR", 2))
    payments = [a_payment(bill, on.isoformat()) for on in sorted(days)]

    found = periods(bill, payments, start, end, date(2024, 5, 15))

    assert [(one.expected_date, one.payments) for one in found] == [
        (one.isoformat(), paid[one]) for one in expected if start <= one <= end
    ]
    assert all((one.state == PaymentState.PAID) == bool(one.payments) for one in found)
    days_paid = ",".join(on.isoformat() for on in days)
    unpaid = next(one for one in expected if one >= start and not paid[one])
    assert next_unpaid(bill.rhythm, days_paid, start) == unpaid.isoformat()


@pytest.mark.parametrize("weeks", [20, 100, 101, 500])
def test_many_payments_give_the_same_result_as_few(weeks: int) -> None:
    """Few payments are remembered, many are not."""
    bill, first = a_model(frequency=Frequency.WEEKLY), day("2024-01-01")
    days = [(first + timedelta(weeks=week)).isoformat() for week in range(weeks)]
    due = first + timedelta(weeks=weeks)

    found = periods(bill, [a_payment(bill, on) for on in days], first, due, due)

    assert [(one.expected_date, one.state) for one in found] == [*((on, "paid") for on in days), (f"{due}", "due")]
    assert next_unpaid(bill.rhythm, ",".join(reversed(days)), first) == due.isoformat()


def test_at_the_end_of_the_calendar_nothing_is_expected_any_more() -> None:
    bill = a_model(first_on=day("9998-12-31"))

    assert next_unpaid(bill.rhythm, "", day("9998-12-31")) == "9998-12-31"
    assert next_unpaid(bill.rhythm, "9998-12-31", day("9998-12-01")) is None
    early = a_model(first_on=day("9998-11-30"))
    assert next_unpaid(early.rhythm, "", day("9998-12-31")) is None
    assert periods(early, [], day("9998-12-31"), day("9998-12-31"), day("2024-05-15")) == []
