"""Writes expected payments as an iCalendar (RFC 5545), which calendar apps subscribe to."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from farthing.books.bills.model import PaymentState

from ..notices.letters import show_figure
from ..notices.model import Figure
from ..upcoming.gather import Expected, ExpectedItem

MEDIA_TYPE = "text/calendar"
# Apps ask again after this time if they follow the hint at all.
_REFRESH = "PT6H"
# A line may have 75 bytes. One that continues another begins with a space.
_LINE_BYTES_MAX = 75
_PAID = (PaymentState.PAID, PaymentState.PROBABLE)


def write(items: Iterable[ExpectedItem], *, name: str, host: str, language: str, root: str, now: str) -> bytes:
    """Writes one event for each expected payment. A bill that a recurrence pays appears once, as the recurrence.

    `host` makes the ids of the events unique in the world. `now` is when the calendar was made, as
    `2024-05-15T12:00:00+00:00`.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Farthing//Calendar//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_escape(name)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{_REFRESH}",
        f"X-PUBLISHED-TTL:{_REFRESH}",
    ]
    made_at = f"{now[:19].replace('-', '').replace(':', '')}Z"
    for item in items:
        if item.state in _PAID or (item.kind == "bill" and item.counterpart):
            continue
        lines += _list_event(item, host=host, language=language, root=root, made_at=made_at)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _fold(line)).encode()


def _list_event(item: ExpectedItem, *, host: str, language: str, root: str, made_at: str) -> Iterator[str]:
    page = f"{root}/#/{item.kind}s/{item.id}"
    amounts = " + ".join(_show_amount(amount, language) for amount in item.amounts)
    yield "BEGIN:VEVENT"
    # The planned day identifies the payment, so an event that is moved stays the same event.
    yield f"UID:{item.kind}-{item.id}-{item.planned_on.isoformat()}@{host}"
    yield f"DTSTAMP:{made_at}"
    yield f"DTSTART;VALUE=DATE:{_show_day(item.on)}"
    yield f"DTEND;VALUE=DATE:{_show_day(item.on + timedelta(days=1))}"
    yield f"SUMMARY:{_escape(f'{item.name} · {amounts}' if amounts else item.name)}"
    yield f"URL:{page}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _show_amount(amount: Expected, language: str) -> str:
    ends = dict.fromkeys((amount.lowest_units, amount.highest_units))
    return "–".join(show_figure(Figure.of(units, amount.currency), language) for units in ends)


def _show_day(day: date) -> str:
    return day.strftime("%Y%m%d")


def _escape(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return escaped.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def _fold(line: str) -> Sequence[str]:
    """Splits a long line without cutting a character in half."""
    folded, size = [""], 0
    for character in line:
        bytes_of_it = len(character.encode())
        if size + bytes_of_it > _LINE_BYTES_MAX:
            folded.append(" ")
            size = 1
        folded[-1] += character
        size += bytes_of_it
    return folded
