"""Days as points in time: whatever the zone, a day that is shown and sent back is the same day."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from farthing.api.v6.parts.moments import Moment, Sent, show_day, show_end_of_day

ZONES = st.sampled_from([
    "UTC", "Etc/GMT+12", "Pacific/Kiritimati", "Asia/Kathmandu", "Europe/Amsterdam", "America/New_York",
    "America/Sao_Paulo", "Africa/Cairo",  # here, clocks have skipped midnight
])  # fmt: skip
DAYS = st.dates(date(1980, 1, 1), date(2040, 12, 31))
OFFSETS = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


def read(text: str) -> Sent:
    sent: Sent = Moment.__metadata__[0].read(text)
    return sent


@given(day=DAYS, zone=ZONES)
def test_a_day_that_is_shown_and_sent_back_is_the_same_day(day, zone):
    for shown in (show_day(str(day), zone), show_end_of_day(str(day), zone), str(day), f"{day} 23:59"):
        assert read(shown).on_day(zone) == day


@given(day=DAYS, at=st.times(), offset=OFFSETS, zone=ZONES)
def test_a_time_with_an_offset_is_on_the_day_that_it_is_then_in_the_zone(day, at, offset, zone):
    sent = datetime.combine(day, at.replace(microsecond=0), offset)

    ahead = sent.astimezone(ZoneInfo(zone)).utcoffset()
    assert ahead is not None
    assert read(sent.isoformat()).on_day(zone) == (sent.astimezone(UTC) + ahead).date()
