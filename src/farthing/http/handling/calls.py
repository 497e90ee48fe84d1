"""Turns a request into a call, runs its handler once and answers.

- A handler is a plain function. It runs once, in one unit of work (`database.read` or `database.write`). GET reads and
  all other methods write, unless the route says otherwise (`Runs.mode`).
- SQLite runs short work on the event loop; a write waits in the driver's writer thread if the file is busy or the
  disk is slow. PostgreSQL runs short work in fibers on the event loop. Work on thousands of rows (`Runs.large`), and
  work that has proved slow (`Heaviness`), runs in a thread of the driver. In all these cases, users take turns, and
  large work is dropped when its client hangs up (`storage/fair`).
- A route may have a slow step before its handler, such as hashing a password (`Runs.before`). The step reads what it
  needs in a separate unit of work. It then computes in separate threads, while no unit of work is open. The handler
  finds the result as `call.prepared`. Slow rules also run this way: in a read before the write, and again if the books
  have changed meanwhile.
- Overviews may be answered by a replica of the database (`Runs.replica`, `replica.py`).
"""

from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from msgspec import structs

from farthing.identity import users
from farthing.kernel.clock import stamp, today_in
from farthing.kernel.errors import FarthingError, TooMany
from farthing.storage.fair.line import Asker
from farthing.storage.unit import Unit

from ..answer import etag, once, problems
from ..answer.headers import NOT_STORED
from ..answer.reply import NotAdmitted, Reply, make_reply
from ..callers.identification import Identification
from ..callers.last_used import LastUsed
from ..callers.permissions import refuse_forbidden
from ..request.call import Call, Unprepared
from ..request.language import language_of
from ..request.request import Request
from ..request.visitor import describe_visitor
from ..route import Before, Mode, Route
from .replica import NotUsed, Replica
from .runtime import Runtime

# The CPU seconds that a page of some hundred objects takes. A request that takes longer is slow. A write costs more in
# a thread, because it empties the other connection's page cache.
HEAVY_S, HEAVY_WRITE_S = 0.005, 0.01
_KEEP_S = 60.0
_ENTRIES_MAX = 10_000


class Heaviness:
    """Remembers for which users a route is slow. The cost of a route depends on the user's books and on the query.

    A route becomes heavy with its second slow request within a minute. The first one is not enough, because it may
    have been slow only because it filled caches.
    """

    def __init__(self) -> None:
        self._slow_until: dict[tuple[Hashable, str], float] = {}
        self._heavy_until: dict[tuple[Hashable, str], float] = {}

    def note(self, user: Hashable, route: str, cpu_s: float, *, writes: bool) -> None:
        if cpu_s <= (HEAVY_WRITE_S if writes else HEAVY_S):
            return
        if len(self._slow_until) >= _ENTRIES_MAX:
            self._slow_until.clear()
            self._heavy_until.clear()
        now = monotonic()
        if self._slow_until.get((user, route), 0.0) > now:
            self._heavy_until[user, route] = now + _KEEP_S
        self._slow_until[user, route] = now + _KEEP_S

    def is_heavy(self, user: Hashable, route: str) -> bool:
        return self._heavy_until.get((user, route), 0.0) > monotonic()


T = TypeVar("T")
_PREPARED_MAX = 5
_CHANGING_S = 5
_CHANGING = "Your books kept changing while your rules were running on this, so nothing was stored. Try again."


class Calls:
    def __init__(self, runtime: Runtime, replica: Replica | None = None) -> None:
        self.runtime = runtime
        self._replica = replica
        self._last_used = LastUsed(runtime.database, runtime.timing.gather_uses_s)
        self._identification = Identification(runtime.settings, runtime.askers, self._last_used)
        self._heaviness = Heaviness()

    async def answer(self, route: Route, request: Request) -> Reply:
        try:
            mode = route.mode
            if not isinstance(mode, Mode):
                mode = await self._run(route, request, Mode.READ, mode)
            if route.runs.before:
                return await self._answer_prepared(route, request, mode, route.runs.before)
            return await self._run(route, request, mode, lambda call: answer(route, request, call, mode))
        except once.Repeated as repeated:
            return repeated.reply
        except FarthingError as error:
            return make_reply(problems.answer_to(error, version=request.api_version), state=request.state)
        finally:
            request.presence.end()

    async def identify(self, route: Route, request: Request) -> None:
        """Identifies the caller before the rest of the body has arrived. Raises an error if the caller is unknown."""
        now = self.runtime.clock.now()
        asker = self.runtime.askers.of(request)
        await self.runtime.run(Mode.READ, lambda db: self._identification.identify(db, route, request, now), asker)

    async def admit(self, route: Route, request: Request, check: Callable[[Call], object]) -> int:
        """Checks whether the caller may use a route that writes, without writing anything yet.

        Returns the id of the user, or raises NotAdmitted.
        """

        def work(call: Call) -> int:
            refuse_forbidden(call.caller, route, Mode.WRITE, request.query)
            check(call)
            return call.user_id

        try:
            return await self._run(route, request, Mode.READ, work, is_received=False)
        except FarthingError as error:
            refusal = problems.answer_to(error, version=request.api_version)
            raise NotAdmitted(make_reply(refusal, state=request.state)) from error

    async def reserve(self, route: Route, request: Request, reserve: Callable[[Call], None]) -> None:
        """Reserves quota for a file that an admitted caller is about to store. Changes nothing in the books."""
        asker = self.runtime.askers.of(request)
        await self.runtime.run(Mode.WRITE, lambda db: reserve(self._make_call(db, route, request, Mode.READ)), asker)

    async def _answer_prepared(self, route: Route, request: Request, mode: Mode, before: Before[Any]) -> Reply:
        """Runs the slow step and then the handler. Repeats both, at most a few times, if the books change meanwhile."""
        for _ in range(_PREPARED_MAX):
            prepared = await self._prepare(route, request, before.mode or mode, before)
            try:
                return await self._run(route, prepared, mode, partial(answer, route, prepared, mode=mode))
            except Unprepared:
                continue
        raise TooMany(_CHANGING, retry_after_s=_CHANGING_S)

    async def _prepare(self, route: Route, request: Request, mode: Mode, before: Before[Any]) -> Request:
        question = await self._run(route, request, mode, before.ask)
        if question is None or before.compute is None:
            return structs.replace(request, prepared=question)
        prepared = await self.runtime.threads.prepare(route, request, before, question)
        return structs.replace(request, prepared=prepared)

    async def _run(
        self, route: Route, request: Request, mode: Mode, work: Callable[[Call], T], *, is_received: bool = True
    ) -> T:
        """Calls `work` once, in a unit of work in which the caller is identified.

        While the body is still arriving (`is_received=False`), `work` runs as short work.
        """
        asker, large = await self._choose_asker(route, request, is_received=is_received)
        try:
            if self._replica and route.runs.replica and mode is Mode.READ and self._replica.is_there():
                call = await self.runtime.run(mode, lambda db: self._make_call(db, route, request, mode), asker)
                with suppress(NotUsed):
                    return await self._replica.read(call, work, asker, large=large)
            return await self._run_here(route, request, mode, work, asker, large=large)
        finally:
            if self._last_used.is_waiting:
                self._last_used.write_soon()

    async def _choose_asker(self, route: Route, request: Request, *, is_received: bool) -> tuple[Asker, bool]:
        """Returns the asker in whose turn the work runs, and whether it runs as large work."""
        askers = self.runtime.askers
        if is_received and route.is_large(request.query):
            if not askers.is_known(request):
                await self.identify(route, request)
            return askers.of_large(request), True
        asker = askers.of(request)
        if is_received and self._heaviness.is_heavy(asker.user, route.name):
            return askers.of_heavy(request), True
        return asker, False

    async def _run_here(
        self, route: Route, request: Request, mode: Mode, work: Callable[[Call], T], asker: Asker, *, large: bool
    ) -> T:
        """Runs `work` in the primary database. If `work` has added background jobs, wakes the job process."""
        # If a handler only reads, the step before it may still write, but not to the books, and so needs no revision.
        mode_of_call = Mode.READ if route.mode is Mode.READ else mode
        unit: Unit | None = None

        def work_in(db: Unit) -> T:
            nonlocal unit
            unit, began = db, db.cpu_s()
            try:
                return work(self._make_call(db, route, request, mode_of_call))
            finally:
                self._heaviness.note(asker.user, route.name, db.cpu_s() - began, writes=mode is Mode.WRITE)

        result = await self.runtime.run(mode, work_in, asker, large=large)
        if unit is not None and unit.has_new_jobs:
            self.runtime.wake_jobs()
        return result

    def _make_call(self, db: Unit, route: Route, request: Request, mode: Mode) -> Call:
        now = self.runtime.clock.now()
        at = stamp(now)
        caller = self._identification.identify(db, route, request, now)
        if not route.is_open:
            refuse_forbidden(caller, route, mode, request.query)
        if request.key and route.shows_secret:
            once.refuse_key()
        if mode is Mode.WRITE and route.is_of_books:
            users.take(db, caller.id, token_id=caller.token_id, now=at, doing=route.name, by_id=caller.user.id)
        return Call(
            db=db,
            caller=caller,
            user_id=caller.id,
            now=at,
            today=today_in(caller.timezone, now),
            base=request.base,
            path=request.path,
            query=request.query,
            settings=self.runtime.settings,
            body=request.fields,
            received=request.received,
            key=request.key,
            prepared=request.prepared,
            api_version=request.api_version,
            root=request.root,
            see=partial(describe_visitor, request.root, request.peer, request.headers),
            language=language_of(request.state),
        )

    async def close(self) -> None:
        """Closes everything that requests use. The runtime is closed last, because everything else needs it."""
        await self._last_used.close()
        if self._replica:
            await self._replica.close()
        self.runtime.close()


def answer(route: Route, request: Request, call: Call, mode: Mode) -> Reply:
    if not route.is_of_books:
        reply = make_reply(route.handler(call), call.user_id or None, state=request.state)
        reply.headers.append(NOT_STORED)
        return reply
    if mode is Mode.WRITE:
        return _answer_write(route, request, call)
    if route.method == "GET":
        return _answer_get(route, request, call)
    # A POST that only reads gets no ETag, because its answer is not what a GET of the same address returns.
    return make_reply(route.handler(call), call.user_id, request.state)


def _answer_get(route: Route, request: Request, call: Call) -> Reply:
    if route.is_produced or route.is_pushed:
        return make_reply(route.handler(call), call.user_id, request.state)
    varies = route.runs.varies
    tag = etag.of_reading(call, f"{request.target} {varies(call)}" if varies else request.target)
    if_none_match = None if route.is_download else request.if_none_match
    if if_none_match and etag.is_named(tag, if_none_match):
        return _answer_304(call, tag)
    document = route.handler(call)
    if request.query:
        call.days()  # checked after the handler, so that a missing object is reported first
    reply = _add_tag(make_reply(document, call.user_id, request.state), tag)
    # `If-None-Match: *` matches any existing object; a missing one is still 404.
    return _answer_304(call, tag) if if_none_match and if_none_match.strip() == "*" else reply


def _answer_304(call: Call, tag: str) -> Reply:
    return Reply(304, [(b"etag", tag.encode())], b"", call.user_id)


def _answer_write(route: Route, request: Request, call: Call) -> Reply:
    if request.if_match is not None and route.method in ("PUT", "DELETE"):
        etag.refuse_outdated(call, route.path, request.if_match)
    if call.key and route.method == "POST":
        return once.run_once(call, call.key, lambda: _carry_out(route, request, call))
    return _carry_out(route, request, call)


def _carry_out(route: Route, request: Request, call: Call) -> Reply:
    reply = make_reply(route.handler(call), call.user_id, request.state)
    assert call.db.author is not None, "a write takes its user first"
    # With this header, a client can undo a mistake without searching for the change first.
    reply.headers.append((b"farthing-revision", b"%d" % call.db.author.revision))
    # The answer to a POST is not what a GET of the same address returns, so it must have another tag.
    target = request.target if route.method == "PUT" else f"{route.method} {request.target}"
    return _add_tag(reply, etag.of_writing(call, route.path, target))


def _add_tag(reply: Reply, tag: str) -> Reply:
    if reply.body:
        reply.headers.append((b"etag", tag.encode()))
    return reply
