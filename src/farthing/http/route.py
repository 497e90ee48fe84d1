"""Declares the routes of a resource: what each route accepts and returns, who may use it and how its handler runs."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from types import UnionType
from typing import Any, BinaryIO, Generic, TypeVar, Union, get_args, get_origin

from msgspec import Struct, field
from pydantic import BaseModel

from farthing.identity.scopes import find_group
from farthing.identity.user import PAGE_SIZE_MAX
from farthing.kernel.apart.reader import Reader
from farthing.kernel.errors import FarthingError

from .answer.includes import Include, includes_large
from .request.call import Answer, Call, StoredFile

Q = TypeVar("Q")


class Parameter(Struct, frozen=True):
    name: str
    schema: Mapping[str, Any]
    about: str
    required: bool = False
    # The media type of the text that the answer contains instead of JSON, if this parameter asks for it.
    media_type: str | None = None


_DATE = {"type": "string", "format": "date"}
FLAG_SCHEMA = {"type": "string", "enum": ["0", "1", "true", "false"]}
PAGE = Parameter("page", {"type": "integer", "minimum": 1, "default": 1}, "Page of the list, starting at 1.")
LIMIT = Parameter(
    "limit",
    {"type": "integer", "minimum": 1},
    "Objects per page; defaults to the user's `listPageSize`. Version 1 returns at most 1000.",
)
START = Parameter("start", _DATE, "First day of the range. It is used only together with `end`.")
END = Parameter("end", _DATE, "Last day of the range. It is used only together with `start`.")
DATE = Parameter("date", _DATE, "Day for which the closing balance is shown; defaults to today.")
# The parameter by which a download link names the books, because links cannot send the `Farthing-Books` header.
BOOKS = "books"
# The parameter by which an address contains its token.
ADDRESS_KEY = "token"
PAGED = (PAGE, LIMIT)
RANGED = (START, END)
RANGE_NEEDED = (
    Parameter("start", _DATE, "First day of the range.", required=True),
    Parameter("end", _DATE, "Last day of the range.", required=True),
)


class FileUpload(Struct, frozen=True, kw_only=True):
    """Describes the file that a route accepts. The file is written to disk piece by piece, and the handler finds it as
    `call.received`.

    Without a `part`, the whole body is the file, whatever its type. With a `part`, a multipart body may contain the
    file under that name, and a body of any other type is decoded into `fields` as usual. With `or_whole`, a body of any
    other type is the file.

    `check` refuses what may not be uploaded. It runs before the file is stored; if the whole body is the file, it runs
    before anything is read. `reserve` counts the file against the user's quota, in a separate unit of work, right
    before the file is stored. `examine` derives the media type from the content, in a thread. If the field called
    `names` is omitted, it is set to the name of the file.
    """

    check: Callable[[Call], object]
    reserve: Callable[[Call], None]
    examine: Callable[[BinaryIO], str]
    fields: type[BaseModel] | None = None
    part: str | None = None
    or_whole: bool = False
    names: str | None = None


class Later(Struct):
    """Marks, in `gives`, a route that may pass its work to a background job. It then answers 202."""


class Produces(Struct, frozen=True):
    """Marks, in `gives`, a route that answers with a file made on request, in one of these media types."""

    media_types: tuple[str, ...]


class Text(Struct, frozen=True):
    """Marks, in `gives`, a route that answers with a text of this media type.

    `address_scope` allows the token to be part of the address, if this is the only scope of the token: addresses are
    stored and shown in more places than headers.
    """

    media_type: str
    address_scope: str | None = None


class Pushes(Struct):
    """Marks, in `gives`, a route that pushes events and does not end by itself."""


class Gate(StrEnum):
    """Defines who may use a route, and for what."""

    BOOKS = "a user, for their own books or those shared with them"
    # A member needs full access to shared books even to read.
    WHOLE = "a user, for their own books or those they have full access to"
    # Like BOOKS, but always for the caller's own books.
    SELF = "a user, for themselves"
    # The routes of this kind and the next ones have no revision, no ETag and no idempotency keys, and no cache may
    # store their answers.
    IDENTITY = "a user, for their sessions and tokens"
    OPEN = "anybody, to sign in or up"
    # Pages of other sites may also use these routes, because the routes read no cookie.
    APP = "an app, which identifies itself in the request"


class Mode(StrEnum):
    READ = "read"
    WRITE = "write"


class Before(Struct, Generic[Q], frozen=True, kw_only=True):
    """Describes a slow step before the handler. First, `ask` reads the data for the step in a separate unit of work.
    Then `compute` runs in a thread, with no unit of work open. The handler finds the result as `call.prepared`, which
    is None if `ask` returned None. Without `compute`, the result is what `ask` returned.

    `mode` is the mode of the unit of work in which `ask` runs; it defaults to the mode of the handler. `waits` marks a
    step that waits for another server, and so must not occupy a thread that computes. `reads` marks a step that reads
    untrusted files, with the reader that it gets as its second argument (`kernel/apart`). Its result is cached by
    `key`.
    """

    ask: Callable[[Call], Q | None]
    compute: Callable[[Q], object] | Callable[[Q, Reader], object] | None = None
    mode: Mode | None = None
    waits: bool = False
    reads: bool = False
    key: Callable[[Q], bytes] | None = None


class Runs(Struct, frozen=True, kw_only=True):
    """Describes how a handler runs. Without a `mode`, GET reads and every other method writes.

    A POST that only reads stores nothing, so a read-only token may use it. If `mode` is a function, it runs in a
    separate read and chooses the mode from what it finds. `large` calls may touch thousands of rows, so they do not run
    on the event loop. With `replica`, a replica of the database may answer, if it has everything that the caller has
    written. `varies` returns what the answer to a GET depends on besides the books; the ETag includes this.
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
    """Declares one method of one address.

    `gives` is the type of the whole answer: `StoredFile` for a stored file, `Produces(…)` for a file that is made on
    request, `Pushes` for events, None for an answer without a body, `... | None` if the body may be missing (204), or
    `... | Later` if a background job may do the work (202). `requires` names the fields of `takes` that this route
    always needs. `parameters` belong to the query, except those that describe a name in the path. `fails` adds errors
    that do not follow from the other fields: Forbidden, Conflict, Invalid without a body. `shows_secret` marks an
    answer with a secret that is shown only once, so no copy of it is kept and an `Idempotency-Key` is refused.
    """

    method: str
    path: str
    handler: Callable[[Call], Answer]
    summary: str
    gives: Any = None
    takes: type[BaseModel] | FileUpload | None = None
    requires: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    includes: Mapping[str, Include] = field(default_factory=dict)
    fails: tuple[type[FarthingError], ...] = ()
    gate: Gate = Gate.BOOKS
    runs: Runs = Runs()
    shows_secret: bool = False

    @cached_property
    def text_field(self) -> str | None:
        """Returns the name of the field whose text may also be sent as a file or as the whole body, if there is one."""
        return getattr(self.takes, "text_field", None)

    @cached_property
    def or_text(self) -> str | None:
        """Returns the media type other than JSON that a client can ask for, if there is one."""
        return next((parameter.media_type for parameter in self.parameters if parameter.media_type), None)

    @cached_property
    def mode(self) -> Mode | Callable[[Call], Mode]:
        return self.runs.mode or (Mode.WRITE if self.is_unsafe else Mode.READ)

    def is_large(self, query: Mapping[str, str]) -> bool:
        """Returns whether a request is large work: always, or because the query includes large relations or asks for a
        long page.
        """
        names = query.get("include")
        if self.runs.large or (names is not None and includes_large(self.includes, names)):
            return True
        limit = query.get("limit", "")[:9]
        return limit.isdecimal() and int(limit) > PAGE_SIZE_MAX

    @cached_property
    def is_unsafe(self) -> bool:
        """Returns whether the method may change anything."""
        return self.method != "GET"

    @cached_property
    def is_open(self) -> bool:
        return self.gate in (Gate.OPEN, Gate.APP)

    @cached_property
    def is_of_books(self) -> bool:
        return self.gate in (Gate.BOOKS, Gate.WHOLE, Gate.SELF)

    @cached_property
    def takes_key(self) -> bool:
        """Returns whether a request may have an `Idempotency-Key`."""
        return self.method == "POST" and self.is_of_books and not self.only_reads and not self.shows_secret

    @cached_property
    def is_shared(self) -> bool:
        """Returns whether the route can be used in the books of another user."""
        return self.gate in (Gate.BOOKS, Gate.WHOLE)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Lists the scope groups that a token needs. For `/accounts/{id}/transactions`: accounts and transactions.

        Below `/data`, only exports and bulk changes have a group, whatever they contain. A test of a webhook needs no
        other group.
        """
        words = [word for word in self.path.split("/")[1:] if not word.startswith("{")]
        ends = {"autocomplete": words[-1:], "data": words[1:2], "webhooks": words[:1]}.get(
            words[0], [words[0], words[-1]]
        )
        return tuple(dict.fromkeys(group for word in ends if (group := find_group(word))))

    @cached_property
    def only_reads(self) -> bool:
        return self.is_unsafe and self.mode is Mode.READ

    @cached_property
    def upload(self) -> FileUpload | None:
        return self.takes if isinstance(self.takes, FileUpload) else None

    @cached_property
    def fields(self) -> type[BaseModel] | None:
        """Returns the model of the fields that a body may have."""
        return self.takes.fields if isinstance(self.takes, FileUpload) else self.takes

    @cached_property
    def is_download(self) -> bool:
        return self.gives is StoredFile or self.is_produced

    @cached_property
    def is_paged(self) -> bool:
        """Returns whether the client chooses the length of the answer. A separate process may make a long one."""
        return LIMIT in self.parameters

    @cached_property
    def is_linked(self) -> bool:
        """Returns whether browsers open this route without headers of a page, so that the query may name the books."""
        is_opened = self.is_download or self.is_pushed or self.or_text is not None
        return self.is_shared and self.method == "GET" and is_opened

    @cached_property
    def is_produced(self) -> bool:
        return isinstance(self.gives, Produces)

    @cached_property
    def is_pushed(self) -> bool:
        return self.gives is Pushes

    @cached_property
    def is_text(self) -> bool:
        return isinstance(self.gives, Text)

    @cached_property
    def address_scope(self) -> str | None:
        return self.gives.address_scope if isinstance(self.gives, Text) else None

    @cached_property
    def is_plain(self) -> bool:
        """Returns whether the answer is plain JSON, such as a list or a map, without our usual envelope."""
        kind = get_origin(self.document) or self.document
        is_struct = kind is not None and kind not in (list, dict)
        return kind in (list, dict) or (is_struct and "data" not in getattr(kind, "__struct_fields__", ("data",)))

    @cached_property
    def may_be_silent(self) -> bool:
        return type(None) in _alternatives(self.gives)

    @cached_property
    def may_be_later(self) -> bool:
        return Later in _alternatives(self.gives)

    @cached_property
    def document(self) -> Any:
        """Returns the type of the document in the route's answers, or None if they contain no document."""
        alternatives = _alternatives(self.gives)
        documents = [each for each in alternatives or (self.gives,) if each not in (type(None), Later)]
        is_document = not (self.is_download or self.is_pushed or self.is_text)
        return documents[0] if documents and is_document else None

    @cached_property
    def name(self) -> str:
        """Returns a name such as `accounts.index`, from the handler and its folder. It is stored in the log of changes,
        so it must not change."""
        return f"{self.handler.__module__.split('.')[-2]}.{self.handler.__name__}"


def _alternatives(gives: Any) -> tuple[Any, ...]:
    return get_args(gives) if get_origin(gives) in (Union, UnionType) else ()
