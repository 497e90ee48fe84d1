"""Ranges in parts: nothing is left out, nothing overlaps, and the parts end where calendars do."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.overviews.charts.model import ChartRange, closings
from farthing.schedule.periods import Period, last_day, parts

DAYS = st.dates(date(1999, 1, 1), date(2032, 12, 31))


@given(st.sampled_from(Period), DAYS, st.integers(0, 3000))
def test_the_parts_make_up_the_range(period, start, length):
    end = start + timedelta(days=length)

    found = parts(period, start, end)

    assert (found[0].first, found[-1].last) == (start, end)
    assert all(after.first == before.last + timedelta(days=1) for before, after in pairwise(found))
    assert all(last_day(period, part.first) == part.last for part in found[:-1])


@pytest.mark.parametrize(
    ("period", "last"),
    [("day", "2024-02-07"), ("week", "2024-02-11"), ("month", "2024-02-29"), ("quarter", "2024-03-31"),
     ("year", "2024-12-31")],
)  # fmt: skip
def test_periods_end_on_the_right_day(period, last):
    assert last_day(Period(period), date(2024, 2, 7)).isoformat() == last


@given(st.sampled_from(Period), DAYS, st.integers(0, 700), st.lists(st.tuples(DAYS, st.integers(-9, 9)), max_size=30))
def test_closings_are_sums_up_to_each_day(period, start, length, moves):
    chart = ChartRange(period, start, start + timedelta(days=length))
    first_last = chart.parts[0].last
    moved = chart.zeros_and_rest()
    for day, units in moves:
        if day > first_last:
            moved[chart.places[day.isoformat()]] += units

    found = closings(sum(units for _, units in moves), moved)

    assert found == [sum(units for day, units in moves if day <= part.last) for part in chart.parts]
