"""Planned and landed days: tables for what people expect, and a day-by-day oracle for everything else."""

from calendar import monthrange
from datetime import date, timedelta
from itertools import islice, takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from farthing.schedule.agenda import Agenda
from farthing.schedule.occurrences import Occurrence, RecurrencePlan, landing_order
from farthing.schedule.repetition import Repetition, RepetitionType, in_words, moment_problem, nth_weekday, tidy_moment
from farthing.schedule.weekend import Weekend, land

from ..length import examples

DAY = timedelta(days=1)


def landing(plan: RecurrencePlan, start: date, end: date) -> list[Occurrence]:
    """All that land from start to end, in that order."""
    by_rule = takewhile(lambda one: one.landed_on and one.landed_on <= end, plan.by_rule(start))
    moved = [one for one in plan.by_hand() if one.landed_on and start <= one.landed_on <= end]
    return sorted([*by_rule, *moved], key=landing_order)


def day(text: str) -> date:
    return date.fromisoformat(text)


def a_repetition(type_: str, moment: str = "", skip: int = 0, weekend: int = 1) -> Repetition:
    return Repetition(RepetitionType(type_), moment, skip, Weekend(weekend))


def first_days(repetition: Repetition, first: str, count: int = 4) -> list[str]:
    found = repetition.planned(day(first))
    return [next(found).isoformat() for _ in range(count)]


def upcoming(plan: RecurrencePlan, today: str, left: int | None = None) -> list[list[date]]:
    return Agenda(plan, day(today) - DAY, left=left).upcoming(day(today))


@pytest.mark.parametrize(
    ("type_", "moment", "skip", "first", "expected"),
    [
        ("daily", "", 0, "2024-02-28", ["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"]),
        ("daily", "", 2, "2023-12-30", ["2023-12-30", "2024-01-02", "2024-01-05", "2024-01-08"]),
        ("weekly", "1", 0, "2024-05-15", ["2024-05-20", "2024-05-27", "2024-06-03", "2024-06-10"]),
        ("weekly", "3", 1, "2024-05-15", ["2024-05-15", "2024-05-29", "2024-06-12", "2024-06-26"]),
        ("monthly", "31", 0, "2024-01-31", ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]),
        ("monthly", "31", 0, "2023-02-01", ["2023-02-28", "2023-03-31", "2023-04-30", "2023-05-31"]),
        ("monthly", "10", 2, "2024-01-11", ["2024-02-10", "2024-05-10", "2024-08-10", "2024-11-10"]),
        ("monthly", "last", 0, "2024-01-15", ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"]),
        ("ndom", "2,2", 0, "2024-01-10", ["2024-02-13", "2024-03-12", "2024-04-09", "2024-05-14"]),
        ("ndom", "5,5", 0, "2024-01-01", ["2024-03-29", "2024-05-31", "2024-08-30", "2024-11-29"]),
        ("ndom", "last,5", 0, "2024-01-01", ["2024-01-26", "2024-02-23", "2024-03-29", "2024-04-26"]),
        ("yearly", "2016-02-29", 0, "2024-01-01", ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28"]),
        ("yearly", "2018-12-31", 1, "2024-06-01", ["2024-12-31", "2026-12-31", "2028-12-31", "2030-12-31"]),
    ],
)
def test_planned_days(type_: str, moment: str, skip: int, first: str, expected: list[str]) -> None:
    assert first_days(a_repetition(type_, moment, skip), first) == expected


@pytest.mark.parametrize(
    ("planned", "keep", "drop", "friday", "monday"),
    [
        ("2024-05-13", "2024-05-13", "2024-05-13", "2024-05-13", "2024-05-13"),
        ("2024-05-14", "2024-05-14", "2024-05-14", "2024-05-14", "2024-05-14"),
        ("2024-05-15", "2024-05-15", "2024-05-15", "2024-05-15", "2024-05-15"),
        ("2024-05-16", "2024-05-16", "2024-05-16", "2024-05-16", "2024-05-16"),
        ("2024-05-17", "2024-05-17", "2024-05-17", "2024-05-17", "2024-05-17"),
        ("2024-05-18", "2024-05-18", None, "2024-05-17", "2024-05-20"),
        ("2024-05-19", "2024-05-19", None, "2024-05-17", "2024-05-20"),
    ],
)
def test_every_weekend_rule_on_every_weekday(
    planned: str, keep: str, drop: str | None, friday: str, monday: str
) -> None:
    found = [land(day(planned), rule) for rule in Weekend]

    assert found == [day(keep), drop and day(drop), day(friday), day(monday)]


def test_a_planned_day_beyond_the_range_may_land_inside_it() -> None:
    plan = RecurrencePlan(day("2024-01-31"), (a_repetition("monthly", "31", weekend=3),))

    found = landing(plan, day("2024-03-29"), day("2024-03-29"))

    assert [one.planned_on for one in found] == [day("2024-03-31")]


def test_three_planned_days_may_land_on_one_friday() -> None:
    plan = RecurrencePlan(day("2024-05-15"), (a_repetition("daily", weekend=3),))

    found = landing(plan, day("2024-05-17"), day("2024-05-17"))

    assert [one.planned_on for one in found] == [day("2024-05-17"), day("2024-05-18"), day("2024-05-19")]


def test_the_end_counts_planned_days_whichever_day_they_land_on() -> None:
    plan = RecurrencePlan(day("2024-06-01"), (a_repetition("monthly", "1", weekend=4),), until=day("2024-06-01"))

    assert upcoming(plan, "2024-05-15", None) == [[day("2024-06-03")]]


def test_five_landed_days_are_shown_each_once() -> None:
    plan = RecurrencePlan(day("2024-05-17"), (a_repetition("daily", weekend=4), a_repetition("weekly", "6", weekend=2)))

    found = upcoming(plan, "2024-05-15", None)

    assert [one.isoformat() for one in found[0]] == [
        "2024-05-17", "2024-05-20", "2024-05-21", "2024-05-22", "2024-05-23",
    ]  # fmt: skip
    assert found[1] == [], "a Saturday that is dropped never lands"


def test_the_number_left_is_shared_by_all_repetitions() -> None:
    plan = RecurrencePlan(day("2024-05-20"), (a_repetition("weekly", "1"), a_repetition("weekly", "2")))

    assert upcoming(plan, "2024-05-15", 3) == [[day("2024-05-20"), day("2024-05-27")], [day("2024-05-21")]]


@pytest.mark.parametrize(
    ("type_", "moment", "words"),
    [
        ("daily", "", "Every day"),
        ("weekly", "7", "Every week on Sunday"),
        ("monthly", "1", "Every month on the 1(st/nd/rd/th) day"),
        ("monthly", "last", "Every month on the last day"),
        ("ndom", "2,3", "Every month on the 2(st/nd/rd/th) Wednesday"),
        ("ndom", "last,5", "Every month on the last Friday"),
        ("yearly", "2018-10-01", "Every year on October 1"),
    ],
)
def test_a_repetition_in_words(type_: str, moment: str, words: str) -> None:
    assert in_words(a_repetition(type_, moment)) == words


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        ("daily", [""], ["1", "x"]),
        ("weekly", ["1", "7"], ["", "0", "8", "1.5", "x", "-1"]),
        ("monthly", ["1", "31", "last"], ["", "0", "32", "x"]),
        ("ndom", ["1,1", "5,7", "2, 3", "last,5"], ["", "1", "0,1", "6,1", "1,0", "1,8", "1,2,3", ",", "x,1"]),
        ("yearly", ["2018-01-31", "2020-02-29"], ["", "2018-02-30", "01-31", "2018-1-5", "x"]),
    ],
)
def test_moments_fit_their_type(type_: str, good: list[str], bad: list[str]) -> None:
    assert [moment_problem(RepetitionType(type_), moment) for moment in good] == [None] * len(good)
    assert all(moment_problem(RepetitionType(type_), moment) for moment in bad)


def test_moments_are_normalized() -> None:
    assert [tidy_moment(text) for text in ("2, 3", "02", "last", "")] == ["2,3", "2", "last", ""]


def plans_without_skip(repetition: Repetition, on: date) -> bool:
    """The oracle: is this one day planned? Asked of every day in turn."""
    last = monthrange(on.year, on.month)[1]
    moment = repetition.moment
    match repetition.type:
        case RepetitionType.DAILY:
            return True
        case RepetitionType.WEEKLY:
            return on.isoweekday() == int(moment)
        case RepetitionType.MONTHLY:
            return on.day == (last if moment == "last" else min(int(moment), last))
        case RepetitionType.NDOM:
            place, weekday = moment.split(",")
            in_week = on.day > last - 7 if place == "last" else (on.day - 1) // 7 + 1 == int(place)
            return on.isoweekday() == int(weekday) and in_week
        case RepetitionType.YEARLY:
            wanted = min(int(moment[8:]), monthrange(on.year, int(moment[5:7]))[1])
            return (on.month, on.day) == (int(moment[5:7]), wanted)


def oracle(repetition: Repetition, first: date, end: date) -> list[date]:
    days = [first + DAY * number for number in range((end - first).days + 1)]
    return [one for one in days if plans_without_skip(repetition, one)][:: repetition.skip + 1]


moments = st.one_of(
    st.just(("daily", "")),
    st.tuples(st.just("weekly"), st.integers(1, 7).map(str)),
    st.tuples(st.just("monthly"), st.one_of(st.integers(1, 31).map(str), st.just("last"))),
    st.tuples(
        st.just("ndom"),
        st.tuples(st.sampled_from(["1", "2", "3", "4", "5", "last"]), st.integers(1, 7)).map(
            lambda p: f"{p[0]},{p[1]}"
        ),
    ),
    st.tuples(st.just("yearly"), st.dates(day("2018-01-01"), day("2020-12-31")).map(date.isoformat)),
)
repetitions = st.builds(
    lambda moment, skip, weekend: a_repetition(*moment, skip=skip, weekend=weekend),
    moments,
    st.one_of(st.integers(0, 3), st.integers(0, 40)),
    st.integers(1, 4),
)
starts = st.dates(day("2019-01-01"), day("2026-12-31"))


# Every example is four cases, one for each weekend rule: 10 000 in all.
@settings(max_examples=examples(2_500), deadline=None)
@given(repetitions, starts, st.integers(0, 300), st.integers(0, 400))
def test_planned_and_landed_days_equal_the_oracle(drawn: Repetition, first: date, after: int, days: int) -> None:
    start = first + DAY * after
    end = start + DAY * days
    planned = oracle(drawn, first, end + DAY * 2)

    for weekend in Weekend:
        found = landing(RecurrencePlan(first, (replace(drawn, weekend=weekend),)), start, end)

        expected = [(one, on) for one in planned if (on := land(one, weekend)) and start <= on <= end]
        assert [(one.planned_on, one.landed_on) for one in found] == expected


@settings(max_examples=examples(1_500), deadline=None)
@given(repetitions, starts, st.integers(0, 120))
def test_both_ways_of_asking_agree_whether_a_day_is_planned(repetition: Repetition, first: date, days: int) -> None:
    planned = oracle(repetition, first, first + DAY * days)

    asked = [one for number in range(-3, days + 1) if repetition.plans(one := first + DAY * number, first)]

    assert asked == planned


@pytest.mark.parametrize(
    ("type_", "moment", "skip"),
    [("daily", "", 6), ("weekly", "3", 4), ("monthly", "31", 8), ("ndom", "5,1", 6), ("ndom", "5,7", 0),
     ("ndom", "last,2", 12), ("yearly", "2020-02-29", 2)],
)  # fmt: skip
def test_far_away_days_are_in_step_with_the_first(type_: str, moment: str, skip: int) -> None:
    repetition, first, far = a_repetition(type_, moment, skip), day("2024-02-29"), day("3305-07-01")

    near = islice(repetition.planned(first, far), 3)

    assert list(near) == list(islice((one for one in repetition.planned(first) if one >= far), 3))


def test_a_last_weekday_is_never_a_week_early() -> None:
    for month in range(1, 13):
        for weekday in range(1, 8):
            found = nth_weekday(2024, month, "last", weekday)
            assert found
            assert found.isoweekday() == weekday
            assert (found + DAY * 7).month != month
