"""What a handler gets and what it returns: one request is one `Call`, one unit of work, one `Answer`."""

from calendar import isleap
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar

from msgspec import Raw, Struct, field

from farthing.identity.user import Caller, Share
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, Forbidden, Invalid, NotFound, Problem, refuse, refuse_field
from farthing.kernel.fields import query_day
from farthing.kernel.parsed import label, order_problems
from farthing.kernel.text import parse_id
from farthing.storage.blobs import Content
from farthing.storage.unit import Unit

from .visitor import Visitor

T = TypeVar("T")
RANGE_YEARS_MAX = 20
_DAYS = frozenset(("start", "end", "date"))


class Received(Struct, frozen=True):
    """A file that came with the request; it is stored already, unless it is empty."""

    content: Content
    mime: str


class Unprepared(Exception):
    """The prepared result is outdated and has to be prepared again, outside the lock of the write."""


class Key(Struct, frozen=True):
    """An idempotency key. `request` is a hash of address and body, which must be the same when the key is repeated."""

    text: str
    request: str


class StoredFile(Struct, frozen=True):
    """A stored content that is the body of an answer."""

    user_id: int
    sha256: str
    size: int


class Produced(Struct, frozen=True):
    """A file that a process of its own writes to its standard output. `words` is its command line."""

    words: tuple[str, ...]
    stdin: bytes


class Answer(Struct, frozen=True):
    """`document` is encoded before the commit; without one, and without a file, the answer has no body.

    `Raw` is sent as it is: text of another media type.
    """

    document: Struct | list[Any] | Raw | None
    status: int = 200
    media_type: str = "application/vnd.api+json"
    headers: tuple[tuple[str, str], ...] = ()
    file: StoredFile | None = None
    produced: Produced | None = None


NOTHING = Answer(None, status=204)


class Range(Struct, frozen=True):
    start: date
    end: date


class Call(Struct):
    db: Unit
    caller: Caller
    user_id: int
    now: str
    today: date
    base: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    settings: Settings
    body: "dict[str, object] | FarthingError" = field(default_factory=dict)
    received: Received | None = None
    key: Key | None = None
    # What was computed before (`Runs.before`).
    prepared: object = None
    # Describes the client; a function, because few handlers need it.
    see: Callable[[], Visitor] | None = None

    @property
    def visitor(self) -> Visitor:
        """The browser or program that asks, and where it is."""
        assert self.see is not None, "it came by HTTP"
        return self.see()

    @property
    def writes(self) -> bool:
        """Whether it holds the lock of its user; a read does not."""
        return self.db.author is not None

    @property
    def fields(self) -> dict[str, object]:
        """What was sent. An unreadable body is reported only here, so that a missing object is 404 first."""
        if isinstance(self.body, FarthingError):
            raise self.body
        return self.body

    @property
    def id(self) -> int:
        return self.whole("id")

    def whole(self, name: str) -> int:
        """A number in the path; anything but digits is not found."""
        return or_404(parse_id(self.path[name]))

    def number(self, name: str) -> int | None:
        """A whole number of the query."""
        text = self.query.get(name, "")
        number = parse_id(text)
        if text and number is None:
            refuse_field(name, f"The {name.replace('_', ' ')} must be a whole number.")
        return number

    def flag(self, name: str) -> bool:
        """Whether the query says yes."""
        return self.query.get(name, "").lower() in ("1", "true")

    def ids(self, *, most: int) -> list[int]:
        """`ids` of the query, comma separated, each once; none where it is left out."""
        text = self.query.get("ids", "")
        words = text.split(",") if text else []
        known = [one for word in words if (one := parse_id(word.strip())) is not None]
        if len(known) < len(words):
            refuse_field("ids", "The ids must be whole numbers, comma separated.")
        if len(known) > most:
            refuse_field("ids", f"The ids may not be more than {most}.")
        return list(dict.fromkeys(known))

    @property
    def day(self) -> date | None:
        """`date` of the query."""
        return self.days()["date"] if self.query else None

    def days(self) -> dict[str, date | None]:
        """`start`, `end` and `date`: every address checks them, even where it does not use them.

        All that is wrong with them is reported together.
        """
        if _DAYS.isdisjoint(self.query):
            return dict.fromkeys(_DAYS)
        problems: list[Problem] = []
        days: dict[str, date | None] = {}
        for name in ("start", "end", "date"):
            try:
                days[name] = query_day(self.query.get(name), name)
            except Invalid as error:
                problems += error.problems
        problems += _range_problems(days.get("start"), days.get("end"))
        refuse(problems)
        return days

    def range(self) -> Range | None:
        """`start` and `end`, for lists: they only act when both are given."""
        days = self.days()
        start, end = days["start"], days["end"]
        return Range(start=start, end=end) if start and end else None

    def whole_range(self) -> Range | None:
        """`start` and `end`, or neither: one alone is refused, because a usual range in its place misleads."""
        days = self.days()
        refuse(half_range_problems(days["start"], days["end"]))
        return self.range()

    def other_range(self, first: str, last: str) -> Range | None:
        """A second range of the query, under names of its own; one day alone is refused, too."""
        start, end = (query_day(self.query.get(name), name) for name in (first, last))
        refuse(_range_problems(start, end, first, last) + half_range_problems(start, end, first, last))
        return Range(start=start, end=end) if start and end else None

    def required_range(self) -> Range:
        """`start` and `end`, for routes that need both."""
        days = self.days()
        refuse(Problem(name, f"The {name} field is required.") for name in ("start", "end") if days[name] is None)
        chosen = self.range()
        assert chosen is not None, "both are there"
        return chosen

    def owner_only(self, doing: str) -> None:
        if not self.caller.user.is_owner:
            raise Forbidden(f"Only the owner of this installation may {doing}.")

    def full_access_only(self, doing: str) -> None:
        """For routes that need full access only in some cases; otherwise the gate of the route requires it."""
        share = self.caller.share
        if share not in (None, Share.FULL):
            raise Forbidden(f"Only somebody with full access to these books may {doing}.")


def half_range_problems(start: date | None, end: date | None, first: str = "start", last: str = "end") -> list[Problem]:
    """`first` and `last` are the names of the two days."""
    if (start is None) == (end is None):
        return []
    given, missing = (first, last) if start else (last, first)
    return [Problem(missing, f"The {label(missing)} field is required when {label(given)} is given.")]


def _range_problems(start: date | None, end: date | None, first: str = "start", last: str = "end") -> list[Problem]:
    """`first` and `last` are the names of the two days."""
    problems = order_problems(start, end, first, last)
    if problems or start is None or end is None:
        return problems
    if end > _years_later(start, RANGE_YEARS_MAX):
        sentence = f"The range from {label(first)} to {label(last)} may not be longer than {RANGE_YEARS_MAX} years."
        return [Problem(first, sentence), Problem(last, sentence)]
    return []


def _years_later(day: date, years: int) -> date:
    if day.year + years > date.max.year:
        return date.max
    year = day.year + years
    falls_away = (day.month, day.day) == (2, 29) and not isleap(year)
    return day.replace(year=year, day=28 if falls_away else day.day)


def or_404(value: T | None) -> T:
    """Raises NotFound, whether it does not exist or belongs to another user."""
    if value is None:
        raise NotFound("Resource not found")
    return value
