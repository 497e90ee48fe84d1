"""Declares the routes of a resource: what each takes and gives, who may use it, how its handler runs."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from types import UnionType
from typing import Any, BinaryIO, Generic, TypeVar, Union, get_args, get_origin

from msgspec import Struct, field
from pydantic import BaseModel

from farthing.identity.scopes import find_group
from farthing.kernel.apart.reader import Reader
from farthing.kernel.errors import FarthingError

from .answer.includes import Include, brings_large
from .request.call import Answer, Call, Stored

Q = TypeVar("Q")


class Parameter(Struct, frozen=True):
    """A query parameter as OpenAPI tells it."""

    name: str
    schema: Mapping[str, Any]
    about: str
    required: bool = False
    # The answer can be asked for as text of this type.
    media_type: str | None = None


_DATE = {"type": "string", "format": "date"}
FLAG_SCHEMA = {"type": "string", "enum": ["0", "1", "true", "false"]}
PAGE = Parameter("page", {"type": "integer", "minimum": 1, "default": 1}, "The page of the list.")
LIMIT = Parameter(
    "limit", {"type": "integer", "minimum": 1, "maximum": 1000}, "Objects per page; else the user's `listPageSize`."
)
START = Parameter("start", _DATE, "First day of the range; acts together with `end`.")
END = Parameter("end", _DATE, "Last day of the range; acts together with `start`.")
DATE = Parameter("date", _DATE, "The day whose closing balance is shown; else today.")
# The books that a link to a download is about: links cannot send the header `Farthing-Books`.
BOOKS = "books"
PAGED = (PAGE, LIMIT)
RANGED = (START, END)
RANGE_NEEDED = (
    Parameter("start", _DATE, "First day of the range.", required=True),
    Parameter("end", _DATE, "Last day of the range.", required=True),
)


class Upload(Struct, frozen=True, kw_only=True):
    """A file that a route takes: it goes to disk piece by piece, and the handler finds it as `call.received`.

    Without a `part` the whole body is the file, whatever its type; with one, a multipart body may hold it under that
    name, and every other body is read as usual, into `fields`; with `or_whole`, every other body is the file. `check`
    refuses what may not be uploaded; it is called before the file is kept, and before anything is read where the whole
    body is the file. `reserve` counts the file against the user's quota, in a unit of work of its own, right before it
    is kept. `examine` tells the kind of the content from its bytes, in a thread. `names` is the field that the file's
    own name stands in for.
    """

    check: Callable[[Call], object]
    reserve: Callable[[Call], None]
    examine: Callable[[BinaryIO], str]
    fields: type[BaseModel] | None = None
    part: str | None = None
    or_whole: bool = False
    names: str | None = None


class Later(Struct):
    """Stands in `gives` of a route that may leave its work to a job: it then answers 202."""


class Produces(Struct, frozen=True):
    """Stands in `gives` of a route that answers with a file that is made now, of one of these media types."""

    media_types: tuple[str, ...]


class Gate(StrEnum):
    """Who may use a route, and what for."""

    BOOKS = "a user, for their books, or those that are shared with them"
    # Somebody with whom the books are shared needs the fullest role, also to read.
    WHOLE = "a user, for their books, or those that are wholly shared with them"
    # Like books, but always the caller's own.
    SELF = "a user, for themselves"
    # No revision, no ETag, no idempotency keys, and no cache may store the answer.
    IDENTITY = "a user, for their sessions and tokens"
    OPEN = "anybody, to become known"
    # Pages of others may use it as well: it looks at no cookie.
    APP = "an app, which says who it is in the request"


class Mode(StrEnum):
    """Whether a unit of work reads or writes."""

    READ = "read"
    WRITE = "write"


class Before(Struct, Generic[Q], frozen=True, kw_only=True):
    """A slow step before the handler: `ask` reads what is needed in a unit of work of its own, `compute` uses it after
    that unit has ended, in a thread. The handler finds the result as `call.prepared`: None where `ask` returned None.

    Without `compute` it is what `ask` returned. `mode` is that of the unit in which it asks, else that of the handler.
    `waits`: it asks another server, so it must not hold up those that compute. `reads`: it reads files of strangers,
    with the reader that is its second argument (`kernel/apart`); under the same `key` it is not done again.
    """

    ask: Callable[[Call], Q | None]
    compute: Callable[[Q], object] | Callable[[Q, Reader], object] | None = None
    mode: Mode | None = None
    waits: bool = False
    reads: bool = False
    key: Callable[[Q], bytes] | None = None


class Runs(Struct, frozen=True, kw_only=True):
    """How a handler runs. Without a `mode`, GET reads and everything else writes.

    A POST that reads stores nothing, so a token may do it that may only read. A function decides from the request and
    what it finds in a read of its own. `large` calls may touch thousands of rows: they do not run on the event loop.
    `replica`: a copy of the database may answer, if it is as far as the caller. `varies` tells on what else than the
    books the answer to a GET depends, so that its ETag does as well.
    """

    mode: Mode | Callable[[Call], Mode] | None = None
    large: bool = False
    replica: bool = False
    before: Before[Any] | None = None
    varies: Callable[[Call], str] | None = None


LARGE = Runs(large=True)
OVERVIEW = Runs(replica=True)
LARGE_OVERVIEW = Runs(large=True, replica=True)
ONLY_READS = Runs(mode=Mode.READ)


class Route(Struct, frozen=True, dict=True):
    """One method of one address.

    `gives` is the type of the whole answer: `Stored` for a file, `Produces(…)` for one that is made now, None for an
    answer without body, `... | None` where there may be nothing to say (204), `... | Later` where a job may do it
    (202). `requires` names the fields of `takes` that are always needed here. `parameters` are those of the query; one
    with a name that is in the path describes that. `fails` names errors that the shape of the route does not tell:
    Forbidden, Conflict, Invalid without a body. `shows_secret`: its answer holds what is shown this once, so no copy is
    kept of it, and an `Idempotency-Key` is refused.
    """

    method: str
    path: str
    handler: Callable[[Call], Answer]
    summary: str
    gives: Any = None
    takes: type[BaseModel] | Upload | None = None
    requires: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    includes: Mapping[str, Include] = field(default_factory=dict)
    fails: tuple[type[FarthingError], ...] = ()
    gate: Gate = Gate.BOOKS
    runs: Runs = Runs()
    shows_secret: bool = False

    @cached_property
    def text_field(self) -> str | None:
        """A field of the body that may also be sent as a file, or as the whole body, as text."""
        return getattr(self.takes, "text_field", None)

    @cached_property
    def or_text(self) -> str | None:
        """Another media type in which the answer can be asked for."""
        return next((one.media_type for one in self.parameters if one.media_type), None)

    @cached_property
    def mode(self) -> Mode | Callable[[Call], Mode]:
        return self.runs.mode or (Mode.WRITE if self.is_unsafe else Mode.READ)

    def is_large(self, query: Mapping[str, str]) -> bool:
        """Some relatives take long to make, and only come when they are asked for."""
        names = query.get("include")
        return self.runs.large or (names is not None and brings_large(self.includes, names))

    @cached_property
    def is_unsafe(self) -> bool:
        """May it change anything?"""
        return self.method != "GET"

    @cached_property
    def is_open(self) -> bool:
        return self.gate in (Gate.OPEN, Gate.APP)

    @cached_property
    def is_of_books(self) -> bool:
        return self.gate in (Gate.BOOKS, Gate.WHOLE, Gate.SELF)

    @cached_property
    def takes_key(self) -> bool:
        """May a request have an `Idempotency-Key`?"""
        return self.method == "POST" and self.is_of_books and not self.only_reads and not self.shows_secret

    @cached_property
    def is_shared(self) -> bool:
        """Can it be used in the books of another?"""
        return self.gate in (Gate.BOOKS, Gate.WHOLE)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """What a token with scopes needs one for: `/accounts/{id}/transactions` is about both."""
        words = [word for word in self.path.split("/")[1:] if not word.startswith("{")]
        ends = (words[-1],) if words[0] == "autocomplete" else (words[0], words[-1])
        found = dict.fromkeys(group for word in ends if (group := find_group(word)))
        return tuple(found)

    @cached_property
    def only_reads(self) -> bool:
        return self.is_unsafe and self.mode is Mode.READ

    @cached_property
    def upload(self) -> Upload | None:
        return self.takes if isinstance(self.takes, Upload) else None

    @cached_property
    def fields(self) -> type[BaseModel] | None:
        """What a body may have."""
        return self.takes.fields if isinstance(self.takes, Upload) else self.takes

    @cached_property
    def is_download(self) -> bool:
        return self.gives is Stored or self.is_produced

    @cached_property
    def is_linked(self) -> bool:
        """Do pages link to it, so that it is downloaded? Then the query may name the books."""
        return self.is_shared and self.method == "GET" and (self.is_download or self.or_text is not None)

    @cached_property
    def is_produced(self) -> bool:
        return isinstance(self.gives, Produces)

    @cached_property
    def is_plain(self) -> bool:
        """Is the answer JSON without our envelope?"""
        return get_origin(self.document) is list

    @cached_property
    def may_be_silent(self) -> bool:
        return type(None) in _alternatives(self.gives)

    @cached_property
    def may_be_later(self) -> bool:
        return Later in _alternatives(self.gives)

    @cached_property
    def document(self) -> Any:
        """The type of its answer with a body, if it has one."""
        return None if self.is_download else next(iter(_alternatives(self.gives)), self.gives)

    @cached_property
    def name(self) -> str:
        """`accounts.index`: the resource's folder and the handler. Stored in the log of changes: must not change."""
        return f"{self.handler.__module__.split('.')[-2]}.{self.handler.__name__}"


def _alternatives(gives: Any) -> tuple[Any, ...]:
    return get_args(gives) if get_origin(gives) in (Union, UnionType) else ()
