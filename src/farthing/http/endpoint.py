"""Turns a request into a call, runs its handler once and answers.

- The event loop receives requests and sends answers. A body is read before a unit of work begins.
- A handler is a plain function. It runs once, in one unit of work that reads (GET) or writes (all else), by
  `database.read` or `database.write`; a route may say otherwise (`Runs.mode`).
- SQLite runs short work on the event loop; a write waits in the driver's writer thread when the file is busy or the
  disk slow. PostgreSQL runs short work in fibers on the event loop. Work on thousands of rows (`Runs.large`), and what
  has proved to take long (`heaviness.py`), runs in a thread of the driver. In all of these users take turns, and large
  work is dropped when its client hangs up (`storage/fair`).
- Slow work before a handler (hashing a password, `Runs.before`) is asked for in a unit of work of its own and computed
  in threads of its own while no unit of work is open; the handler finds the result as `call.prepared`. Rules that take
  long run in a read of their own before a write, and again when the books have changed meanwhile.
- Files go through the runtime's threads too. An upload is admitted in a read, stored, and then runs like any write.
- Overviews may be answered by a replica of the database (`Runs.replica`, `replica.py`).
- When tokens were last used is written a second later, in a unit of work of its own.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct, structs
from starlette.types import Receive, Scope, Send

from farthing.identity import users
from farthing.identity.user import NOBODY, Caller
from farthing.kernel.clock import Clock, stamp, today_in
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, TooMany, TooSlow, Unavailable
from farthing.storage import blobs
from farthing.storage.fair.line import ANYBODY, Asker
from farthing.storage.outages import Outages
from farthing.storage.unit import Database, Unit

from . import auth
from .answer import encoding, etag, once, problems
from .answer.headers import NOT_STORED
from .answer.reply import LONG_BYTES, Refused, Reply, make_reply, send_reply
from .answer.unfinished import Unfinished
from .arriving import Body
from .productions import Productions
from .rates import Rates
from .replica import AWAY_S, NotUsed, Replica
from .request import body
from .request.askers import Askers
from .request.call import Call, Unprepared
from .request.heaviness import Heaviness
from .request.patience import LOOK_EVERY_S, SLOW_S, Patience
from .request.proxies import Proxies
from .request.request import Fields, Request, make_request
from .request.visitor import visitor_of
from .route import BOOKS, Before, Gate, Mode, Route
from .strangers import UnknownProxies
from .threads import Threads
from .uses import GATHER_S, Uses

T = TypeVar("T")
READING_FILES, STORING_FILES = "reading attachments", "storing attachments"
_READING, _WRITING = "reading from the database", "writing to the database"
_PREPARED_MAX = 5
_CHANGING_S = 5
_CHANGING = "Your books were changed again and again while your rules ran on this, so nothing was stored. Try again."


class Timing(Struct, frozen=True, kw_only=True):
    """How long the server waits for things; tests wait less."""

    slow_s: float = SLOW_S
    look_every_s: float = LOOK_EVERY_S
    gather_uses_s: float = GATHER_S
    replica_away_s: float = AWAY_S


DEFAULT_TIMING = Timing()


class Runtime:
    """What all endpoints of a process share: the database, the clock, the threads."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        clock: Clock,
        timing: Timing,
        replica: Replica | None = None,
        wake_jobs: Callable[[], None] = lambda: None,
    ) -> None:
        self.database = database
        self.settings = settings
        self.clock = clock
        self.outages = Outages()
        self._replica = replica
        self._wake_jobs = wake_jobs
        self.blobs = blobs.connect(settings)
        self.proxies = Proxies(settings.trusted_proxies, settings.remote_user_header)
        self.patience = Patience(slow_s=timing.slow_s, look_every_s=timing.look_every_s)
        self.unknown_proxies = UnknownProxies(database, clock)
        self.productions = Productions()
        self._askers = Askers(self.proxies)
        self._heaviness = Heaviness()
        self.unfinished = Unfinished(settings.upload_bytes_max)
        self._rates = Rates()
        self._uses = Uses(database, timing.gather_uses_s)
        self._threads = Threads(self._askers)

    async def answer(self, route: Route, request: Request) -> Reply:
        try:
            mode = route.mode
            if not isinstance(mode, Mode):
                mode = await self._call(route, request, Mode.READ, mode)
            if route.runs.before:
                return await self._answer_prepared(route, request, mode, route.runs.before)
            return await self._call(route, request, mode, lambda call: _answer(route, request, call, mode))
        except once.Repeated as done:
            return done.reply
        except FarthingError as error:
            return make_reply(problems.answer_to(error))
        finally:
            request.presence.end()

    async def identify(self, route: Route, request: Request) -> None:
        """Looks up the caller before the rest of the body has arrived. Raises if it is nobody we know."""
        now, asker = self.clock.now(), self._askers.of(request)
        await self._run(Mode.READ, lambda db: self._identify(db, route, request, now, stamp(now)), asker)

    async def admit(self, route: Route, request: Request, check: Callable[[Call], object]) -> int:
        """Asks in a read whether the caller may use a route that writes. Returns the user's id, or raises Refused."""

        def ask(call: Call) -> int:
            auth.refuse_forbidden(call.caller, route, Mode.WRITE, request.query)
            check(call)
            return call.user_id

        try:
            return await self._call(route, request, Mode.READ, ask, is_received=False)
        except FarthingError as error:
            raise Refused(make_reply(problems.answer_to(error))) from error

    async def reserve(self, route: Route, request: Request, reserve: Callable[[Call], None]) -> None:
        """Reserves quota for a file that an admitted caller is about to store; changes nothing in the books."""
        asker = self._askers.of(request)
        await self._run(Mode.WRITE, lambda db: reserve(self._make_call(db, route, request, Mode.READ)), asker)

    async def ask(self, question: Callable[[Unit], T]) -> T:
        """A short read without a caller."""
        return await self._run(Mode.READ, question, ANYBODY)

    def run_in_thread(self, work: Callable[..., T], *arguments: object) -> "asyncio.Future[T]":
        """For work that waits for a disk."""
        return self._threads.run_with_files(work, *arguments)

    async def _answer_prepared(self, route: Route, request: Request, mode: Mode, before: Before[Any]) -> Reply:
        """Prepares again if the books have changed meanwhile, a few times at most."""
        for _ in range(_PREPARED_MAX):
            prepared = await self._prepare(route, request, before.mode or mode, before)
            try:
                return await self._call(route, prepared, mode, partial(_answer, route, prepared, mode=mode))
            except Unprepared:
                continue
        raise TooMany(_CHANGING, retry_after_s=_CHANGING_S)

    async def _prepare(self, route: Route, request: Request, mode: Mode, before: Before[Any]) -> Request:
        question = await self._call(route, request, mode, before.ask)
        if question is None or before.compute is None:
            return structs.replace(request, prepared=question)
        return structs.replace(request, prepared=await self._threads.prepare(route, request, before, question))

    async def _call(
        self, route: Route, request: Request, mode: Mode, work: Callable[[Call], T], *, is_received: bool = True
    ) -> T:
        """Calls `work` once, in a unit of work in which the caller is known. Before the body is there, it is short."""

        # A step before a handler that reads may write, but not to the books, so it takes no revision.
        of_call = Mode.READ if route.mode is Mode.READ else mode
        unit: Unit | None = None

        def work_in(db: Unit) -> T:
            nonlocal unit
            unit, began = db, db.cpu_s()
            try:
                return work(self._make_call(db, route, request, of_call))
            finally:
                self._heaviness.note(asker.user, route.name, db.cpu_s() - began, writes=mode is Mode.WRITE)

        large = is_received and route.is_large(request.query)
        if large and not self._askers.is_known(request):
            await self.identify(route, request)
        asker = self._askers.of_large(request) if large else self._askers.of(request)
        if is_received and not large and self._heaviness.is_heavy(asker.user, route.name):
            asker, large = self._askers.of_heavy(request), True
        try:
            if self._replica and route.runs.replica and mode is Mode.READ and self._replica.is_there():
                call = await self._run(mode, lambda db: self._make_call(db, route, request, mode), asker)
                with suppress(NotUsed):
                    return await self._replica.read(call, work, asker, large=large)
            result = await self._run(mode, work_in, asker, large=large)
            if unit is not None and unit.has_new_jobs:
                self._wake_jobs()
            return result
        finally:
            if self._uses.is_waiting:
                self._uses.write_soon()

    async def _run(self, mode: Mode, work: Callable[[Unit], T], asker: Asker = ANYBODY, *, large: bool = False) -> T:
        """Also logs when the database begins to fail, and when it works again."""
        if mode is Mode.WRITE:
            run, doing = self.database.write, _WRITING
        else:
            run, doing = self.database.read, _READING
        try:
            result = await run(work, large=large, asker=asker)
        except Unavailable as error:
            self.outages.note(doing, error)
            raise
        self.outages.note_success(doing)
        return result

    def _make_call(self, db: Unit, route: Route, request: Request, mode: Mode) -> Call:
        now = self.clock.now()
        at = stamp(now)
        caller = self._identify(db, route, request, now, at)
        if not route.is_open:
            auth.refuse_forbidden(caller, route, mode, request.query)
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
            settings=self.settings,
            body=request.fields,
            received=request.received,
            key=request.key,
            prepared=request.prepared,
            see=partial(visitor_of, request.scope, request.headers, self.proxies),
        )

    def _identify(self, db: Unit, route: Route, request: Request, now: datetime, at: str) -> Caller:
        """One query for either credential. With a token, the cookie is ignored."""
        headers = request.headers
        if route.is_open:
            if route.is_unsafe and route.gate is Gate.OPEN:
                auth.refuse_foreign(headers, request.base)  # another site's page must not sign anybody in
            return NOBODY
        authorization = headers.get(b"authorization")
        if authorization is not None:
            caller = auth.by_token(db, authorization, at)
            if caller.networks:
                auth.refuse_other_networks(caller, self.proxies.client(request.scope, headers))
        else:
            idle = self.settings.session_idle_hours
            caller = auth.by_session(db, headers, request.base, at, idle, unsafe=route.is_unsafe)
        self._askers.note(headers, caller.user.id)
        self._uses.note(caller, now)
        if route.is_shared:
            caller = auth.enter_books(db, caller, headers, request.query.get(BOOKS) if route.is_linked else None)
        self._count_once(request, caller, now)
        return caller

    def _count_once(self, request: Request, caller: Caller, now: datetime) -> None:
        """Against the quota of the caller's token. A request may need several units of work, and counts as one."""
        state = request.scope["state"]
        if "is_counted" not in state:
            state["is_counted"] = True
            self._rates.count(caller, now)

    async def close(self) -> None:
        await self._uses.close()
        await self.unknown_proxies.close()
        self._threads.close()
        if self._replica:
            await self._replica.close()
        self.database.close()


class Endpoint:
    """One address with the routes behind its methods."""

    def __init__(self, runtime: Runtime, routes: Mapping[str, Route]) -> None:
        self._runtime = runtime
        self._routes = routes
        self._allowed = sorted({*routes, "HEAD"} if "GET" in routes else routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        route = self._routes.get("GET" if method == "HEAD" else method)
        if route is None:
            await send_reply(make_reply(problems.wrong_method(self._allowed)), send)
            return
        reply = await self._reply(route, scope, receive)
        scope["state"]["user_id"] = reply.user_id
        compress = partial(encoding.compress, reply, scope["state"]["headers"], may=route.is_of_books)
        sent = await self._runtime.run_in_thread(compress) if len(reply.body) > LONG_BYTES else compress()
        await send_reply(sent, send, head=method == "HEAD")

    async def _reply(self, route: Route, scope: Scope, receive: Receive) -> Reply:
        headers = scope["state"]["headers"]
        if route.method == "GET":
            return await self._runtime.answer(route, make_request(scope, headers, receive))
        sent, request = Body(headers, receive, self._runtime.patience), make_request(scope, headers, receive)
        try:
            if not route.is_open and (auth.is_stranger(headers, request.base) or await sent.is_long()):
                await self._runtime.identify(route, request)
            request = await self._receive(route, request, sent)
        except FarthingError as error:
            return sent.finish(make_reply(problems.answer_to(error)))
        return sent.finish(await self._runtime.answer(route, request))

    async def _receive(self, route: Route, request: Request, sent: Body) -> Request:
        """Reads the body before any lock is taken."""
        headers = request.headers
        try:
            whole = await sent.whole(self._runtime.settings.body_bytes_max)
        except TooSlow:  # the request is incomplete: nothing is looked up or done
            raise
        except FarthingError as error:
            return structs.replace(request, fields=error)
        request = structs.replace(request, fields=self._decode(route, headers, whole))
        reads_key = route.is_of_books or route.shows_secret
        return add_key(request, headers, whole) if reads_key and once.HEADER in headers else request

    def _decode(self, route: Route, headers: Mapping[bytes, bytes], sent: bytes) -> Fields:
        content_type = headers.get(b"content-type", b"").decode("latin-1") or None
        try:
            return body.decode(content_type, sent, self._runtime.settings.form_fields_max, route.text_field)
        except FarthingError as error:
            return error


def add_key(request: Request, headers: Mapping[bytes, bytes], *sent: bytes) -> Request:
    """Adds its idempotency key, if it has one."""
    return structs.replace(request, key=once.key_of(headers.get(once.HEADER), request.target, *sent))


def _answer(route: Route, request: Request, call: Call, mode: Mode) -> Reply:
    if not route.is_of_books:
        reply = make_reply(route.handler(call), call.user_id or None)
        reply.headers.append(NOT_STORED)
        return reply
    if mode is Mode.WRITE:
        return _answer_write(route, request, call)
    if route.method == "GET":
        return _answer_get(route, request, call)
    # A POST that only reads gets no ETag: its answer is not what a GET of its address returns.
    return make_reply(route.handler(call), call.user_id)


def _answer_get(route: Route, request: Request, call: Call) -> Reply:
    if route.is_produced:
        return make_reply(route.handler(call), call.user_id)
    varies = route.runs.varies
    tag = etag.of_reading(call, f"{request.target} {varies(call)}" if varies else request.target)
    known = None if route.is_download else request.if_none_match
    if known and etag.is_named(tag, known):
        return _unchanged(call, tag)
    answer = route.handler(call)
    if request.query:
        call.days()  # checked after the handler, so that a missing object is 404 first
    reply = _add_tag(make_reply(answer, call.user_id), tag)
    # `If-None-Match: *` matches any existing object; a missing one is still 404.
    return _unchanged(call, tag) if known and known.strip() == "*" else reply


def _unchanged(call: Call, tag: str) -> Reply:
    return Reply(304, [(b"etag", tag.encode())], b"", call.user_id)


def _answer_write(route: Route, request: Request, call: Call) -> Reply:
    if request.if_match is not None and route.method in ("PUT", "DELETE"):
        etag.refuse_outdated(call, route.path, request.if_match)
    if call.key and route.method == "POST":
        return once.once(call, call.key, lambda: _carry_out(route, request, call))
    return _carry_out(route, request, call)


def _carry_out(route: Route, request: Request, call: Call) -> Reply:
    reply = make_reply(route.handler(call), call.user_id)
    assert call.db.author is not None, "a write takes its user first"
    # Lets a client undo a mistake without looking for the change first.
    reply.headers.append((b"farthing-revision", b"%d" % call.db.author.revision))
    # The answer to a POST is not what a GET of its address returns, so its tag must differ.
    target = request.target if route.method == "PUT" else f"{route.method} {request.target}"
    return _add_tag(reply, etag.of_writing(call, route.path, target))


def _add_tag(reply: Reply, tag: str) -> Reply:
    if reply.body:
        reply.headers.append((b"etag", tag.encode()))
    return reply
