"""Sums up the last week for people who ask for it: money in and out, net worth, and what is expected next week."""

from collections.abc import Iterator
from datetime import timedelta

from farthing.books.preferences.notices import NoticeKind
from farthing.storage.unit import Unit

from ..summary.compute import SummaryKey, figures
from ..upcoming.gather import find_between
from .model import Facts, Figure, Look, NoticeDraft

_WEEK, _DAY = timedelta(days=7), timedelta(days=1)
_KEYS = (SummaryKey.EARNED, SummaryKey.SPENT, SummaryKey.NET_WORTH)
_COMING_MAX = 20


def find_summary(db: Unit, look: Look) -> Iterator[NoticeDraft]:
    """Makes the summary of the last whole week, from Monday to Sunday, if the books were already being searched when
    it ended.
    """
    monday = look.today - timedelta(days=look.today.weekday())
    if not look.wants(NoticeKind.WEEKLY_SUMMARY) or look.since[:10] > monday.isoformat():
        return
    sums = [
        Figure.of(figure.units, figure.currency, figure.key)
        for figure in figures(db, look.user_id, monday - _WEEK, monday - _DAY, look.today)
        if figure.key in _KEYS
    ]
    coming, _ = find_between(db, look.user_id, look.today, look.today + _WEEK - _DAY, look.today)
    payments = [
        Figure.of(amount.highest_units, amount.currency, "coming", item.name, item.on.isoformat())
        for item in coming[:_COMING_MAX]
        for amount in item.amounts
    ]
    yield NoticeDraft(
        key=f"{NoticeKind.WEEKLY_SUMMARY} {monday.isoformat()}",
        kind=NoticeKind.WEEKLY_SUMMARY,
        facts=Facts(on=(monday - _WEEK).isoformat(), figures=(*sums, *payments)),
    )
