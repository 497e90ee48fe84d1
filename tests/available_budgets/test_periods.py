"""The days that several available budgets cover together."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from farthing.books.available_budgets.model import count_days_from, merge_periods
from farthing.schedule.periods import DayRange

_periods = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=6)


@given(_periods)
def test_merged_periods_have_the_same_days_once(periods):
    first = date(2024, 1, 1)
    given_ = [DayRange(first + timedelta(start), first + timedelta(start + more)) for start, more in periods]

    merged = merge_periods(given_)

    days = [day for one in merged for day in _each_day(one)]
    assert days == sorted({day for one in given_ for day in _each_day(one)})
    for day in (first - timedelta(1), first + timedelta(30), first + timedelta(99)):
        assert count_days_from(day, merged) == sum(one >= day for one in days)


def _each_day(period):
    return [period.first + timedelta(one) for one in range((period.last - period.first).days + 1)]
