"""How does a resource declare itself? Each route once: what it takes, what it gives, who answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, BinaryIO

from pydantic import BaseModel

from ..errors import FarthingError
from .call import Answer, Call
from .includes import Include, brings_heavy

# Computes without the database, in a thread, and returns what the handler finds as `call.outcome`.
Slow = Callable[[], object]


@dataclass(frozen=True)
class Parameter:
    """A query parameter as OpenAPI tells it."""

    name: str
    schema: Mapping[str, Any]
    about: str
    required: bool = False


_DATE = {"type": "string", "format": "date"}
PAGE = Parameter("page", {"type": "integer", "minimum": 1, "default": 1}, "The page of the list.")
LIMIT = Parameter(
    "limit", {"type": "integer", "minimum": 1, "maximum": 1000}, "Objects per page; else the user's `listPageSize`."
)
START = Parameter("start", _DATE, "First day of the range; acts together with `end`.")
END = Parameter("end", _DATE, "Last day of the range; acts together with `start`.")
DATE = Parameter("date", _DATE, "The day whose closing balance is shown; else today.")
PAGED = (PAGE, LIMIT)
RANGED = (START, END)
RANGE_NEEDED = (
    Parameter("start", _DATE, "First day of the range.", required=True),
    Parameter("end", _DATE, "Last day of the range.", required=True),
)


@dataclass(frozen=True)
class Upload:
    """A file that a route takes: it goes to disk piece by piece, and the handler finds it as `call.received`.

    Without a `part` the whole body is the file, whatever its type; with one, a multipart body may hold it under that
    name, and every other body is read as usual. `admits` is a handler that answers nothing, or refuses; it is asked
    before the file is kept, and before anything is read where the whole body is the file. `examine` tells the kind of
    the content from its bytes, in a thread. `names` is the field that the file's own name stands in for.
    """

    admits: Callable[[Call], Answer]
    examine: Callable[[BinaryIO], str]
    part: str | None = None
    names: str | None = None


@dataclass(frozen=True)
class Route:
    """`gives` is the type of the whole answer, None for an answer without body; `download` answers with a file.

    `requires` names the fields of `takes` that are always needed here. `parameters` are those of the query; one with a
    name that is in the path describes that. `heavy` calls may touch thousands of rows: they never run on the event
    loop. `may_be_silent`: it may have nothing to say, and answers 204. `may_be_later`: it may leave the work to a job,
    and answers 202. `looks_with` is a parameter with which a call that would write begins as one that only reads, and
    holds no lock; its handler raises MustWrite when that is not enough. `fails` names errors that the shape of the
    route does not tell: Forbidden, Conflict, Invalid without a body. `plain`: the answer is JSON without our envelope.

    `only_reads`: a POST that stores nothing, so that a token may do it that may only read. `books=False`: what it deals
    with is none of the user's books (sessions, tokens): no revision, no tag, no keys, and it is not stored anywhere on
    the way. `open`: anybody may ask, and the handler sees who it is. `before` runs in a unit of work of its own, and
    returns what has to be computed before the handler's begins. `gate_of`: asks whether that route may be used.
    """

    method: str
    path: str
    handler: Callable[[Call], Answer]
    summary: str
    gives: Any = None
    takes: type[BaseModel] | None = None
    requires: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    includes: Mapping[str, Include] = field(default_factory=dict)
    heavy: bool = False
    may_be_silent: bool = False
    may_be_later: bool = False
    looks_with: str | None = None
    upload: Upload | None = None
    download: bool = False
    fails: tuple[type[FarthingError], ...] = ()
    plain: bool = False
    only_reads: bool = False
    books: bool = True
    open: bool = False
    before: Callable[[Call], Slow] | None = None
    gate_of: "Route | None" = None

    @cached_property
    def writes(self) -> bool:
        return self.method != "GET" and not self.only_reads

    def is_heavy(self, query: Mapping[str, str]) -> bool:
        """Some relatives take long to make, and only come when they are asked for."""
        names = query.get("include")
        return self.heavy or (names is not None and brings_heavy(self.includes, names))

    @cached_property
    def is_unsafe(self) -> bool:
        """May it change anything? What a gate leads to counts."""
        return (self.gate_of or self).method != "GET"

    @cached_property
    def leads_to_a_write(self) -> bool:
        return self.gate_of is not None and self.gate_of.writes

    @cached_property
    def name(self) -> str:
        """`accounts.index`: the resource's folder and the handler."""
        return f"{self.handler.__module__.split('.')[-2]}.{self.handler.__name__}"
