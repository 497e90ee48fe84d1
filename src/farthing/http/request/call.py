"""Defines what a handler receives and returns. For each request, it gets one `Call` and returns one `Answer`."""

from collections.abc import Callable, Hashable, Mapping
from datetime import date
from typing import Any, TypeVar

from msgspec import Raw, Struct, field

from farthing.identity.user import ApiVersion, Caller, Share
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, Forbidden, Invalid, NotFound, Problem, refuse, refuse_field
from farthing.kernel.fields import query_day
from farthing.kernel.languages import ENGLISH, say
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
    """Describes a file that was uploaded with the request. The file is already stored, unless it is empty."""

    content: Content
    mime: str


class Unprepared(Exception):
    """The result of the slow step (`Runs.before`) is outdated. The step has to run again, outside the write's lock."""


class Key(Struct, frozen=True):
    """Holds an idempotency key. `request` is a hash of the address and the body.

    A later request with the same key must have the same hash.
    """

    text: str
    request: str


class StoredFile(Struct, frozen=True):
    """Identifies a stored file that is sent as the body of an answer."""

    user_id: int
    sha256: str
    size: int


class Produced(Struct, frozen=True):
    """Describes a file that a separate process writes to its standard output.

    `words` is the command line of the process, and `stdin` is its input.
    """

    words: tuple[str, ...]
    stdin: bytes


class Batch(Struct, frozen=True):
    """Holds an event as it is sent, and the position after it. `event` is empty if there is nothing to send.

    `revision` is that of the books, and `more` says that there is more to read.
    """

    event: bytes
    after: str
    revision: int
    more: bool


class Pushed(Struct, frozen=True):
    """Describes a stream of events, which goes on as long as the caller may listen.

    `opening` is sent at once. Without it, the stream begins with what comes after the position `after`. `read` reads
    the batch after a position, and batches of the same `topic` are the same for everybody.
    """

    caller: Caller
    after: str
    opening: bytes
    topic: Hashable
    read: Callable[..., Batch]


class Answer(Struct, frozen=True):
    """Holds what a handler returns. `document` is encoded before the commit. A `Raw` document is sent unchanged.

    Without a document and without a file, the answer has no body.
    """

    document: Struct | list[Any] | dict[str, Any] | Raw | None
    status: int = 200
    media_type: str = "application/vnd.api+json"
    headers: tuple[tuple[str, str], ...] = ()
    file: StoredFile | None = None
    produced: Produced | None = None
    pushed: Pushed | None = None


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
    api_version: ApiVersion = ApiVersion.V1
    # The address of the web app, to which the address of the API may add a prefix.
    root: str = ""
    # Describes the client. This is a function, because few handlers need the description.
    see: Callable[[], Visitor] | None = None
    # The language of the answer's sentences.
    language: str = ENGLISH

    @property
    def visitor(self) -> Visitor:
        """Describes the browser or program that sent the request."""
        assert self.see is not None, "every call that comes by HTTP has it"
        return self.see()

    def say(self, sentence: str) -> str:
        """Translates one of our sentences for the caller."""
        return say(sentence, self.language)

    @property
    def writes(self) -> bool:
        """Returns whether the call is a write, which holds the lock of its user."""
        return self.db.author is not None

    @property
    def fields(self) -> dict[str, object]:
        """Returns the decoded body. Only this reports an unreadable body, so that a missing object is reported
        first.
        """
        if isinstance(self.body, FarthingError):
            raise self.body
        return self.body

    @property
    def id(self) -> int:
        return self.whole("id")

    def whole(self, name: str) -> int:
        """Reads a whole number from the path. Raises NotFound if the text contains anything but digits."""
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

    def ids(self, name: str = "ids", *, most: int) -> list[int]:
        """Reads comma-separated ids in the query, without duplicates."""
        text = self.query.get(name, "")
        words = text.split(",") if text else []
        ids = [number for word in words if (number := parse_id(word.strip())) is not None]
        if len(ids) < len(words):
            refuse_field(name, f"The {name} must be whole numbers, separated by commas.")
        if len(ids) > most:
            refuse_field(name, f"There may not be more than {most} {name}.")
        return list(dict.fromkeys(ids))

    @property
    def day(self) -> date | None:
        """Reads `date` in the query."""
        return self.days()["date"] if self.query else None

    def days(self) -> dict[str, date | None]:
        """Reads `start`, `end` and `date` in the query. Every address checks these days, even if it does not use them.
        All problems are reported together."""
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
        """Reads `start` and `end` for lists. Returns None unless both are given, because lists ignore one day alone."""
        days = self.days()
        start, end = days["start"], days["end"]
        return Range(start=start, end=end) if start and end else None

    def whole_range(self) -> Range | None:
        """Reads `start` and `end`. Refuses one day alone, because a default for the missing day would mislead."""
        days = self.days()
        refuse(half_range_problems(days["start"], days["end"]))
        return self.range()

    def other_range(self, first: str, last: str) -> Range | None:
        """Reads a second range, from the query parameters that `first` and `last` name. Refuses one day alone."""
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
        """Refuses callers with a token, because what a stolen token does here could outlast its revocation."""
        if self.caller.session_id is None:
            raise Forbidden(f"A token cannot {action}. {instead}")

    def full_access_only(self, action: str) -> None:
        """Demands full access, for routes that need it only in some cases. Other routes demand it through their
        `gate`.
        """
        share = self.caller.share
        if share not in (None, Share.FULL):
            raise Forbidden(f"Only somebody with full access to these books may {action}.")


def half_range_problems(start: date | None, end: date | None, first: str = "start", last: str = "end") -> list[Problem]:
    """Reports a range with only one day. `first` and `last` are the names of the two parameters."""
    if (start is None) == (end is None):
        return []
    sent, missing = (first, last) if start else (last, first)
    return [Problem(missing, f"The {label(missing)} field is required when {label(sent)} is given.")]


def _range_problems(start: date | None, end: date | None, first: str = "start", last: str = "end") -> list[Problem]:
    """Reports ranges that end before they begin or are too long. `first` and `last` are the names of the two days."""
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
    """Returns the value, or raises NotFound for None. An object of another user is treated like one that is missing."""
    if value is None:
        raise NotFound("Resource not found")
    return value
