"""Expected days of bills: tables for what people expect, a plodding oracle and dateutil for everything else."""

from calendar import monthrange
from datetime import date, timedelta
from itertools import count, takewhile

import pytest
from dateutil.relativedelta import relativedelta
from hypothesis import given
from hypothesis import strategies as st

from farthing.schedule.frequency import Frequency, Rhythm
from farthing.schedule.months import day_in_month, month_number

DAY = timedelta(days=1)
LAST = date(9998, 12, 31)
WORDS = {"monthly": 1, "quarterly": 3, "half-year": 6, "yearly": 12}


def day(text: str) -> date:
    return date.fromisoformat(text)


def a_rhythm(first: str, frequency: str = "monthly", skip: int = 0) -> Rhythm:
    return Rhythm.of(day(first), Frequency(frequency), skip)


def days_of(rhythm: Rhythm, many: int) -> list[str | None]:
    found = [rhythm.day(number) for number in range(many)]
    return [one.isoformat() if one else None for one in found]


@pytest.mark.parametrize(
    ("frequency", "skip", "first", "expected"),
    [
        ("weekly", 0, "2024-02-22", ["2024-02-22", "2024-02-29", "2024-03-07", "2024-03-14"]),
        ("weekly", 1, "2023-12-25", ["2023-12-25", "2024-01-08", "2024-01-22", "2024-02-05"]),
        ("weekly", 31, "2024-01-01", ["2024-01-01", "2024-08-12", "2025-03-24", "2025-11-03"]),
        ("monthly", 0, "2024-01-31", ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]),
        ("monthly", 0, "2023-01-31", ["2023-01-31", "2023-02-28", "2023-03-31", "2023-04-30"]),
        ("monthly", 0, "2023-12-30", ["2023-12-30", "2024-01-30", "2024-02-29", "2024-03-30"]),
        ("monthly", 0, "2024-02-29", ["2024-02-29", "2024-03-29", "2024-04-29", "2024-05-29"]),
        ("monthly", 1, "2024-01-01", ["2024-01-01", "2024-03-01", "2024-05-01", "2024-07-01"]),
        ("monthly", 1, "2024-12-31", ["2024-12-31", "2025-02-28", "2025-04-30", "2025-06-30"]),
        ("monthly", 31, "2024-01-31", ["2024-01-31", "2026-09-30", "2029-05-31", "2032-01-31"]),
        ("quarterly", 0, "2023-11-30", ["2023-11-30", "2024-02-29", "2024-05-30", "2024-08-30"]),
        ("quarterly", 1, "2024-03-31", ["2024-03-31", "2024-09-30", "2025-03-31", "2025-09-30"]),
        ("half-year", 0, "2024-08-31", ["2024-08-31", "2025-02-28", "2025-08-31", "2026-02-28"]),
        ("half-year", 1, "2024-02-29", ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28"]),
        ("yearly", 0, "2024-02-29", ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28"]),
        ("yearly", 3, "2024-02-29", ["2024-02-29", "2028-02-29", "2032-02-29", "2036-02-29"]),
        ("yearly", 31, "2024-02-29", ["2024-02-29", "2056-02-29", "2088-02-29", "2120-02-29"]),
    ],
)
def test_expected_days_are_counted_from_the_first_and_never_drift(
    frequency: str, skip: int, first: str, expected: list[str]
) -> None:
    assert days_of(a_rhythm(first, frequency, skip), 4) == expected


def test_the_31st_comes_back_every_year_for_a_century() -> None:
    found = [one for one in a_rhythm("2000-01-31").between(day("2000-01-01"), day("2099-12-31")) if one.month == 1]

    assert found == [date(year, 1, 31) for year in range(2000, 2100)]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2024-02-01", "2024-02-29", ["2024-02-29"]),
        ("2024-02-29", "2024-02-29", ["2024-02-29"]),
        ("2024-03-01", "2024-03-30", []),
        ("2023-01-01", "2024-02-28", ["2024-01-31"]),
        ("2023-01-01", "2024-01-30", []),
        ("2024-01-31", "2024-03-31", ["2024-01-31", "2024-02-29", "2024-03-31"]),
    ],
)
def test_a_range_holds_both_its_ends_and_nothing_before_the_first_day(
    start: str, end: str, expected: list[str]
) -> None:
    assert [one.isoformat() for one in a_rhythm("2024-01-31").between(day(start), day(end))] == expected


def settled(rhythm: Rhythm, paid_on: str) -> date | None:
    """The expected day that a payment on this day is for."""
    if paid_on <= rhythm.before_span(0):
        return None
    return next(date.fromisoformat(expected) for expected, until in rhythm.spans_from(0) if paid_on <= until)


@pytest.mark.parametrize(
    ("paid_on", "expected"),
    [
        ("2024-01-01", "2024-01-01"),
        ("2024-01-16", "2024-01-01"),
        ("2024-01-17", "2024-02-01"),
        ("2024-01-31", "2024-02-01"),
        ("2024-02-10", "2024-02-01"),
        ("2024-02-15", "2024-02-01"),
        ("2024-02-16", "2024-03-01"),
        ("2023-12-20", "2024-01-01"),
        ("2023-12-02", "2024-01-01"),
    ],
)
def test_a_payment_is_for_the_nearest_expected_day(paid_on: str, expected: str) -> None:
    assert settled(a_rhythm("2024-01-01"), paid_on) == day(expected)


def test_on_a_tie_the_earlier_day_is_paid() -> None:
    rhythm = a_rhythm("2023-01-01")

    # February 2023 has 28 days: the 15th is as far from the 1st as from 1 March.
    assert [settled(rhythm, text) for text in ("2023-02-15", "2023-02-16")] == [day("2023-02-01"), day("2023-03-01")]


@pytest.mark.parametrize(
    ("frequency", "skip", "last_unsettling"),
    [
        ("weekly", 0, "2024-03-24"),
        ("weekly", 1, "2024-03-17"),
        ("monthly", 0, "2024-02-29"),
        ("yearly", 1, "2022-03-31"),
    ],
)
def test_a_payment_a_whole_period_before_the_first_day_pays_nothing(
    frequency: str, skip: int, last_unsettling: str
) -> None:
    rhythm = a_rhythm("2024-03-31", frequency, skip)

    assert settled(rhythm, last_unsettling) is None
    assert settled(rhythm, "1000-01-01") is None
    assert settled(rhythm, (day(last_unsettling) + DAY).isoformat()) == day("2024-03-31")


@pytest.mark.parametrize("frequency", [one.value for one in Frequency])
@pytest.mark.parametrize("skip", [0, 31])
def test_at_the_end_of_the_calendar_there_is_simply_no_next_day(frequency: str, skip: int) -> None:
    rhythm = a_rhythm("9998-12-31", frequency, skip)

    assert days_of(rhythm, 3) == ["9998-12-31", None, None]
    assert rhythm.between(day("9997-01-01"), LAST) == [LAST]
    assert rhythm.number_from(LAST) == 0
    assert list(rhythm.spans_from(0)) == [(LAST.isoformat(), LAST.isoformat())]
    assert list(rhythm.spans_from(1)) == []
    assert rhythm.before_span(1) >= rhythm.before_span(0)
    assert rhythm.between(date.max, date.max) == []


@pytest.mark.parametrize("frequency", [one.value for one in Frequency])
@pytest.mark.parametrize("skip", [0, 1, 31])
def test_days_are_still_right_eight_thousand_years_later(frequency: str, skip: int) -> None:
    rhythm = a_rhythm("1000-01-31", frequency, skip)

    number = rhythm.number_from(day("9998-01-01"))

    before, after = rhythm.day(number - 1), rhythm.day(number)
    assert before is not None
    assert before < day("9998-01-01")
    assert after is None or after >= day("9998-01-01")
    days = rhythm.between(day("9998-01-01"), LAST) or [before]
    assert list(rhythm.spans_from(number))[-1:] in ([], [(days[-1].isoformat(), LAST.isoformat())])


def test_there_is_no_day_before_the_first() -> None:
    assert a_rhythm("2024-01-31").day(-1) is None


# The oracle plods: month by month, or seven days at a time, and looks at every expected day there is.
def oracle(first: date, frequency: str, skip: int, until: date) -> list[date]:
    return list(takewhile(lambda one: one <= until, _plodding(first, frequency, skip)))


def _plodding(first: date, frequency: str, skip: int):
    found = first
    for number in count(1):
        yield found
        if frequency == "weekly":
            for _ in range(skip + 1):
                found += 7 * DAY
        else:
            found = _months_on(first, number * WORDS[frequency] * (skip + 1))


def _months_on(first: date, months: int) -> date:
    year, month = first.year, first.month
    for _ in range(months):
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return date(year, month, min(first.day, monthrange(year, month)[1]))


FIRSTS = st.dates(date(1990, 1, 1), date(2030, 12, 31)) | st.sampled_from(
    [date(2024, 1, 31), date(2024, 2, 29), date(2023, 11, 30), date(2024, 8, 31), date(2023, 2, 28)]
)
FREQUENCIES = st.sampled_from([one.value for one in Frequency])
SKIPS = st.integers(0, 3) | st.integers(0, 31)
AWAY = st.integers(-800, 3000)


@given(FIRSTS, FREQUENCIES, SKIPS, AWAY, st.integers(0, 1500))
def test_a_range_holds_what_the_oracle_finds(first: date, frequency: str, skip: int, away: int, length: int) -> None:
    start = first + away * DAY
    end = start + length * DAY

    found = Rhythm.of(first, Frequency(frequency), skip).between(start, end)

    assert found == [one for one in oracle(first, frequency, skip, end) if one >= start]


@given(FIRSTS, FREQUENCIES, SKIPS, AWAY)
def test_the_number_from_a_day_on_is_that_of_the_oracle(first: date, frequency: str, skip: int, away: int) -> None:
    asked = first + away * DAY
    rhythm = Rhythm.of(first, Frequency(frequency), skip)

    number = rhythm.number_from(asked)

    days = oracle(first, frequency, skip, max(asked, first) + rhythm.longest)
    assert days[number] == next(one for one in days if one >= asked)


@given(FIRSTS, FREQUENCIES, SKIPS, AWAY, st.integers(0, 5))
def test_every_day_belongs_to_the_expected_day_that_is_nearest_of_all(
    first: date, frequency: str, skip: int, away: int, number: int
) -> None:
    paid_on = first + away * DAY
    rhythm = Rhythm.of(first, Frequency(frequency), skip)
    days = oracle(first, frequency, skip, max(paid_on, first) + (number + 2) * rhythm.longest)
    nearest = min(range(len(days)), key=lambda each: (abs(days[each] - paid_on), each))

    before, on = rhythm.before_span(number), paid_on.isoformat()
    found = next(place for place, (_, until) in enumerate(rhythm.spans_from(number), number) if on <= until)

    if on > before:
        assert found == nearest
    elif number == 0:
        assert on <= before < first.isoformat()
    else:
        assert nearest < number


@given(FIRSTS, FREQUENCIES, SKIPS, st.integers(0, 200))
def test_dateutil_agrees(first: date, frequency: str, skip: int, number: int) -> None:
    steps = number * (skip + 1)
    away = relativedelta(weeks=steps) if frequency == "weekly" else relativedelta(months=steps * WORDS[frequency])

    assert Rhythm.of(first, Frequency(frequency), skip).day(number) == first + away


@given(st.dates(date(1000, 1, 1), LAST), st.integers(-400, 5000))
def test_dateutil_agrees_on_months(first: date, months: int) -> None:
    if first.year + months // 12 < 9998:
        assert day_in_month(month_number(first) + months, first.day) == first + relativedelta(months=months)


@given(FIRSTS, FREQUENCIES, SKIPS, st.integers(0, 100))
def test_consecutive_days_are_never_further_apart_than_the_longest(
    first: date, frequency: str, skip: int, number: int
) -> None:
    rhythm = Rhythm.of(first, Frequency(frequency), skip)
    one, next_one = rhythm.day(number), rhythm.day(number + 1)

    assert one is not None
    assert next_one is not None
    assert timedelta(0) < next_one - one <= rhythm.longest


@given(FIRSTS, FREQUENCIES, SKIPS)
def test_a_payment_is_early_by_less_than_a_period(first: date, frequency: str, skip: int) -> None:
    rhythm = Rhythm.of(first, Frequency(frequency), skip)
    months = WORDS.get(frequency, 0) * (skip + 1)

    expected = first - relativedelta(months=months) if months else first - relativedelta(weeks=skip + 1)

    assert rhythm.before_span(0) == expected.isoformat()
