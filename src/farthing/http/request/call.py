"""Defines what a handler gets and what it returns: one request is one `Call`, one unit of work and one `Answer`."""

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
from farthing.schedule.months import day_in_month, month_number
from farthing.storage.blobs import Content
from farthing.storage.unit import Unit

from .visitor import Visitor

T = TypeVar("T")
RANGE_YEARS_MAX = 20
_DAYS = frozenset(("start", "end", "date"))


class Received(Struct, frozen=True):
    """Describes a file that came with the request. It is stored already, unless it is empty."""

    content: Content
    mime: str


class Unprepared(Exception):
    """Asks for the preparation to run again, outside the lock of the write, because its result is outdated."""


class Key(Struct, frozen=True):
    """Holds an idempotency key. `request` is a hash of address and body, which must be equal if the key comes again."""

    text: str
    request: str


class StoredFile(Struct, frozen=True):
    """Names a stored file that is the body of an answer."""

    user_id: int
    sha256: str
    size: int


class Produced(Struct, frozen=True):
    """Describes a file that a process of its own writes to its standard output. `words` is its command line."""

    words: tuple[str, ...]
    stdin: bytes


class Answer(Struct, frozen=True):
    """Holds what a handler returns. `document` is encoded before the commit; `Raw` is text of another media type.

    Without a document and without a file, the answer has no body.
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
    """Holds a request whose caller is identified, and its unit of work."""

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
    # The result of the slow step (`Runs.before`).
    prepared: object = None
    # Describes the client. It is a function, because few handlers need it.
    see: Callable[[], Visitor] | None = None

    @property
    def visitor(self) -> Visitor:
        """Describes the browser or program that sent the request."""
        assert self.see is not None, "every call that comes by HTTP has it"
        return self.see()

    @property
    def writes(self) -> bool:
        """Tells whether the call holds the lock of its user, which a read does not."""
        return self.db.author is not None

    @property
    def fields(self) -> dict[str, object]:
        """Returns the decoded body. An unreadable body is reported only here, so that a missing object is 404 first."""
        if isinstance(self.body, FarthingError):
            raise self.body
        return self.body

    @property
    def id(self) -> int:
        return self.whole("id")

    def whole(self, name: str) -> int:
        """Reads a number in the path. Raises NotFound for anything but digits."""
        return or_404(parse_id(self.path[name]))

    def number(self, name: str) -> int | None:
        """Reads a whole number in the query."""
        text = self.query.get(name, "")
        number = parse_id(text)
        if text and number is None:
            refuse_field(name, f"The {name.replace('_', ' ')} must be a whole number.")
        return number

    def flag(self, name: str) -> bool:
        """Reads a flag in the query."""
        return self.query.get(name, "").lower() in ("1", "true")

    def ids(self, *, most: int) -> list[int]:
        """Reads `ids` in the query, comma separated, without repeated ones."""
        text = self.query.get("ids", "")
        words = text.split(",") if text else []
        ids = [number for word in words if (number := parse_id(word.strip())) is not None]
        if len(ids) < len(words):
            refuse_field("ids", "The ids must be whole numbers, comma separated.")
        if len(ids) > most:
            refuse_field("ids", f"There may not be more than {most} ids.")
        return list(dict.fromkeys(ids))

    @property
    def day(self) -> date | None:
        """Reads `date` in the query."""
        return self.days()["date"] if self.query else None

    def days(self) -> dict[str, date | None]:
        """Reads `start`, `end` and `date`. Every address checks them, even if it does not use them, and reports all
        problems together."""
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
        """Reads `start` and `end` for lists, which use them only if both are there."""
        days = self.days()
        start, end = days["start"], days["end"]
        return Range(start=start, end=end) if start and end else None

    def whole_range(self) -> Range | None:
        """Reads `start` and `end`. One alone is refused, because a default for the other would mislead."""
        days = self.days()
        refuse(half_range_problems(days["start"], days["end"]))
        return self.range()

    def other_range(self, first: str, last: str) -> Range | None:
        """Reads a second range in the query, under names of its own. One day alone is refused, too."""
        start, end = (query_day(self.query.get(name), name) for name in (first, last))
        refuse(_range_problems(start, end, first, last) + half_range_problems(start, end, first, last))
        return Range(start=start, end=end) if start and end else None

    def required_range(self) -> Range:
        """Reads `start` and `end` for routes that need both."""
        days = self.days()
        refuse(Problem(name, f"The {name} field is required.") for name in ("start", "end") if days[name] is None)
        chosen = self.range()
        assert chosen is not None, "both days were just checked"
        return chosen

    def owner_only(self, action: str) -> None:
        if not self.caller.user.is_owner:
            raise Forbidden(f"Only the owner of this installation may {action}.")

    def session_only(self, action: str, instead: str = "Sign in first.") -> None:
        """Refuses tokens, because a stolen one could do what outlives its revocation."""
        if self.caller.session_id is None:
            raise Forbidden(f"A token cannot {action}. {instead}")

    def full_access_only(self, action: str) -> None:
        """Demands full access where a route needs it only in some cases; otherwise its gate demands it."""
        share = self.caller.share
        if share not in (None, Share.FULL):
            raise Forbidden(f"Only somebody with full access to these books may {action}.")


def half_range_problems(start: date | None, end: date | None, first: str = "start", last: str = "end") -> list[Problem]:
    """Refuses one day alone. `first` and `last` are the names of the two."""
    if (start is None) == (end is None):
        return []
    sent, missing = (first, last) if start else (last, first)
    return [Problem(missing, f"The {label(missing)} field is required when {label(sent)} is given.")]


def _range_problems(start: date | None, end: date | None, first: str = "start", last: str = "end") -> list[Problem]:
    """Refuses ranges that are upside down or too long. `first` and `last` are the names of the two days."""
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
    return day_in_month(month_number(day) + 12 * years, day.day)


def or_404(value: T | None) -> T:
    """Raises NotFound for None, whether the object does not exist or belongs to another user."""
    if value is None:
        raise NotFound("Resource not found")
    return value
