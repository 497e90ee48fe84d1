"""How does a request become a call? The one place that knows about the event loop, threads and the unit of work."""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import TypeVar
from urllib.parse import parse_qsl

from msgspec import Struct, structs
from starlette.types import Receive, Scope, Send

from ..clock import Clock, stamp, today_in
from ..config import Settings
from ..errors import FarthingError, Locked, TooSlow, Unavailable
from ..storage import blobs
from ..storage.memory import Memory
from ..storage.outages import Outages
from ..storage.unit import Busy, Database, Remembered, Unit
from ..users import store as users
from ..users.model import NOBODY, Caller
from . import auth, body, etag, once, problems
from .arriving import Body
from .call import NOTHING, Answer, Call, Key, MustWrite, Received
from .headers import NOT_STORED
from .patience import Patience
from .proxies import Proxies
from .reply import Reply, encoded, send_reply
from .route import Route, Slow
from .uses import Uses
from .visitor import Visitor, visitor_of

T = TypeVar("T")
# What was sent, or what is wrong with it.
Fields = dict[str, object] | FarthingError
_FILE_THREADS = 4
# Whoever has stood in line for so long does not wait any longer for the file itself.
_IN_LINE_S = 20.0
_READING, _WRITING = "reading from the database", "writing to the database"
FILES = "reading and writing attachments"
# Each takes 64 MiB while it hashes a password.
_SLOW_THREADS = 2


class Request(Struct, frozen=True):
    """Everything of a request that the work needs, read before any lock is taken."""

    headers: Mapping[bytes, bytes]
    base: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    fields: Fields
    received: Received | None = None
    # What makes two requests the same but for their body.
    target: str = ""
    key: Key | None = None
    if_match: str | None = None
    if_none_match: str | None = None
    visitor: Visitor | None = None
    outcome: object = None


class Kernel:
    """Runs handlers on the event loop: plainly on SQLite, in fibers on PostgreSQL. What is heavy or waits has threads.

    Files have threads of their own, so that a slow disk keeps nobody from the database.
    """

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self.database = database
        self.settings = settings
        self.clock = clock
        threads = 1 if database.on_loop else settings.postgres_connections_max
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="farthing-work")
        # On SQLite a long read must not stand behind a write that waits for the file.
        self._readers = ThreadPoolExecutor(1, "farthing-read") if database.on_loop else self._threads
        self.outages = Outages()
        self.blobs = blobs.connect(settings)
        self._files = ThreadPoolExecutor(_FILE_THREADS, thread_name_prefix="farthing-files")
        self._slow = ThreadPoolExecutor(_SLOW_THREADS, thread_name_prefix="farthing-slow")
        self._uses = Uses(database)
        self._memory = Memory()
        # When the file is held for long this waits as well, but nobody stands in line behind it.
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="farthing-uses")
        self.proxies = Proxies(settings.trusted_proxies)
        self.patience = Patience()

    async def perform(self, route: Route, request: Request) -> Reply:
        if route.before:
            return await self._staged(route, route.before, request)
        try:
            if not (route.is_heavy(request.query) or (self.database.is_slow and _begins_as_write(route, request))):
                try:
                    if self.database.on_loop:
                        return self._work(route, request, patient=False)
                    return await self.database.run(self._work, route, request)
                except Busy:
                    pass  # someone else is writing: the whole call waits in the thread, and blocks nobody
            threads = self._threads if _begins_as_write(route, request) else self._readers
            came_at, loop = time.monotonic(), asyncio.get_running_loop()
            return await loop.run_in_executor(threads, self._patient_work, route, request, came_at)
        finally:
            if self._uses.is_waiting:
                self._uses.write_soon(self._beside)

    async def _staged(self, route: Route, before: Callable[[Call], Slow], request: Request) -> Reply:
        """No unit of work is open while the thread computes, so nobody waits for it."""
        found: list[Slow] = []

        def ask(call: Call) -> Answer:
            found.append(before(call))
            return NOTHING

        asked = await self.perform(replace(route, handler=ask, before=None), request)
        if asked.status != NOTHING.status:
            return asked
        outcome = await asyncio.get_running_loop().run_in_executor(self._slow, found[-1])
        return await self.perform(replace(route, before=None), structs.replace(request, outcome=outcome))

    async def read(self, ask: Callable[[Unit], T]) -> T:
        """A short question without a caller."""
        return await self.database.run(self._ask, ask)

    def aside(self, work: Callable[..., T], *arguments: object) -> "asyncio.Future[T]":
        """What waits for the disk, or computes long without the interpreter, beside the event loop."""
        return asyncio.get_running_loop().run_in_executor(self._files, work, *arguments)

    def _ask(self, ask: Callable[[Unit], T]) -> T:
        try:
            with self.database.reading(patient=False) as db:
                answered = ask(db)
        except Unavailable as error:
            self.outages.note(_READING, error)
            raise
        self.outages.passed(_READING)
        return answered

    def _patient_work(self, route: Route, request: Request, came_at: float) -> Reply:
        """When the file is held for long, those in line are not each kept waiting anew."""
        try:
            return self._work(route, request, patient=time.monotonic() - came_at < _IN_LINE_S)
        except Busy as error:
            return self._refused(Locked(str(error)), writes=True)

    def _refused(self, error: FarthingError, *, writes: bool) -> Reply:
        if isinstance(error, Unavailable):
            self.outages.note(_WRITING if writes else _READING, error)
        return encoded(problems.answer_to(error))

    def _work(self, route: Route, request: Request, *, patient: bool = True) -> Reply:
        if _begins_as_write(route, request):
            return self._unit(route, request, patient=patient, writes=True)
        try:
            return self._unit(route, request, patient=patient, writes=False)
        except MustWrite:
            return self._unit(route, request, patient=patient, writes=True)

    def _unit(self, route: Route, request: Request, *, patient: bool, writes: bool) -> Reply:
        now = self.clock.now()
        at = stamp(now)
        begin = self.database.writing if writes else self.database.reading
        try:
            with begin(patient=patient) as db:
                caller = NOBODY if route.open else self._caller(db, route, request, now, at, writes=writes)
                if writes and route.books:
                    users.take(db, caller.id, token_id=caller.token_id, now=at, doing=route.name)
                call = Call(
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
                    recalled=self._recalled(db, caller),
                    visitor=request.visitor,
                    outcome=request.outcome,
                )
                reply = _answered(route, request, call, writes=writes)
        except once.Repeated as done:
            return done.reply
        except FarthingError as error:
            return self._refused(error, writes=writes)
        if db.author and db.memory is not None:
            self._memory.keep(caller.id, (db.author.revision, caller.house_revision), db.memory)
        self.outages.passed(_WRITING if writes else _READING)
        return reply

    def _recalled(self, db: Unit, caller: Caller) -> Remembered | None:
        if db.author is None or db.author.revision != caller.revision + 1:
            return None
        return self._memory.at(caller.id, (caller.revision, caller.house_revision))

    def _caller(self, db: Unit, route: Route, request: Request, now: datetime, at: str, *, writes: bool) -> Caller:
        """One query, whichever key it is. With a token the cookie is not looked at."""
        headers = request.headers
        authorization = headers.get(b"authorization")
        if authorization is not None:
            caller = auth.by_token(db, authorization, at)
        else:
            idle = self.settings.session_idle_hours
            caller = auth.by_session(db, headers, request.base, at, idle, unsafe=route.is_unsafe)
        if writes or route.leads_to_a_write:
            auth.refuse_read_only(caller)
        if not writes:
            db.memory = self._memory.at(caller.id, (caller.revision, caller.house_revision))
        self._uses.note(caller, now)
        return caller

    def close(self) -> None:
        self._threads.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self._files.shutdown(wait=True)
        self._slow.shutdown(wait=True)
        self._beside.shutdown(wait=True)
        self._uses.write()
        self.database.close()


class Endpoint:
    """One address with the routes behind its methods."""

    def __init__(self, kernel: Kernel, routes: Mapping[str, Route]) -> None:
        self._kernel = kernel
        self._routes = routes
        self._allowed = sorted({*routes, "HEAD"} if "GET" in routes else routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        route = self._routes.get("GET" if method == "HEAD" else method)
        if route is None:
            await send_reply(encoded(problems.wrong_method(self._allowed)), send)
            return
        reply = await self._reply(route, scope, receive)
        scope["state"]["user_id"] = reply.user_id
        await send_reply(reply, send, head=method == "HEAD")

    async def _reply(self, route: Route, scope: Scope, receive: Receive) -> Reply:
        headers = scope["state"]["headers"]
        if route.method == "GET":
            return await self._kernel.perform(route, self._request(route, scope, headers, {}))
        sent = Body(headers, receive, self._kernel.patience)
        try:
            request = await self._filled(route, scope, headers, sent)
        except TooSlow as error:  # whoever it is, they did not ask in full: nothing is looked up, and nothing done
            return await sent.answered(encoded(problems.answer_to(error)))
        return await sent.answered(await self._kernel.perform(route, request), anybody=route.open)

    async def _filled(self, route: Route, scope: Scope, headers: Mapping[bytes, bytes], sent: Body) -> Request:
        """With what was sent, read before any lock is taken."""
        try:
            whole = await sent.whole(self._kernel.settings.body_bytes_max)
        except TooSlow:
            raise
        except FarthingError as error:
            return self._request(route, scope, headers, error)
        request = self._request(route, scope, headers, self._fields(headers, whole))
        return keyed(request, headers, whole) if route.books and once.HEADER in headers else request

    def _request(self, route: Route, scope: Scope, headers: Mapping[bytes, bytes], fields: Fields) -> Request:
        request = request_of(scope, headers, fields)
        if route.books:
            return request
        return structs.replace(request, visitor=visitor_of(scope, headers, self._kernel.proxies))

    def _fields(self, headers: Mapping[bytes, bytes], sent: bytes) -> Fields:
        content_type = headers.get(b"content-type", b"").decode("latin-1") or None
        try:
            return body.decode(content_type, sent, fields_max=self._kernel.settings.form_fields_max)
        except FarthingError as error:
            return error


def _begins_as_write(route: Route, request: Request) -> bool:
    """An answer that is to be kept for its key is kept by a write; whoever only looks may look twice."""
    return route.writes and not (route.looks_with in request.query and request.key is None)


def request_of(scope: Scope, headers: Mapping[bytes, bytes], fields: Fields) -> Request:
    query = scope["query_string"].decode("latin-1")
    return Request(
        headers=headers,
        base=scope["state"]["base"],
        path=scope["path_params"],
        query={name: value.strip() for name, value in _pairs(query)} if query else {},
        fields=fields,
        target=f"{scope['path']}?{query}",
        if_match=_text(headers, b"if-match") if b"if-match" in headers else None,
        if_none_match=_text(headers, b"if-none-match") if b"if-none-match" in headers else None,
    )


def keyed(request: Request, headers: Mapping[bytes, bytes], *sent: bytes) -> Request:
    """With the key by which it is done only once, if it has one."""
    return structs.replace(request, key=once.key_of(headers.get(once.HEADER), request.target, *sent))


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return headers[name].decode("latin-1")


def _answered(route: Route, request: Request, call: Call, *, writes: bool) -> Reply:
    if not route.books:
        return _at_the_door(route, request, call)
    return _written(route, request, call) if writes else _read(route, request, call)


def _at_the_door(route: Route, request: Request, call: Call) -> Reply:
    if route.open and route.is_unsafe:
        auth.refuse_foreign(request.headers, request.base)  # nobody is signed in by somebody else's page
    reply = encoded(route.handler(call), call.user_id or None)
    reply.headers.append(NOT_STORED)
    return reply


def _read(route: Route, request: Request, call: Call) -> Reply:
    if route.method != "GET":  # it only looks: what it answers is not what can be read at its address
        return encoded(route.handler(call), call.user_id)
    tag = etag.of_reading(call, request.target)
    known = None if route.download else request.if_none_match
    if known and etag.is_named(tag, known):
        return _unchanged(call, tag)
    answer = route.handler(call)
    if request.query and not route.is_unsafe:
        call.days()  # what is not there is 404 before anything about it is wrong
    reply = _tagged(encoded(answer, call.user_id), tag)
    # Whoever has anything at all needs nothing; but what is not there is still 404.
    return _unchanged(call, tag) if known and known.strip() == "*" else reply


def _unchanged(call: Call, tag: str) -> Reply:
    return Reply(304, [(b"etag", tag.encode())], b"", call.user_id)


def _written(route: Route, request: Request, call: Call) -> Reply:
    if request.if_match is not None and route.method in ("PUT", "DELETE"):
        etag.refuse_outdated(call, route.path, request.if_match)
    if call.key and route.method == "POST":
        return once.once(call, call.key, lambda: _done(route, request, call))
    return _done(route, request, call)


def _done(route: Route, request: Request, call: Call) -> Reply:
    reply = encoded(route.handler(call), call.user_id)
    assert call.db.author is not None, "a write takes its user first"
    # So that whoever did it by mistake can undo it, without looking for it first.
    reply.headers.append((b"farthing-revision", b"%d" % call.db.author.revision))
    # What a POST answers with is not what can be read at its address.
    target = request.target if route.method == "PUT" else f"{route.method} {request.target}"
    return _tagged(reply, etag.of_writing(call, route.path, target))


def _tagged(reply: Reply, tag: str) -> Reply:
    if reply.body:
        reply.headers.append((b"etag", tag.encode()))
    return reply


def _pairs(query: str) -> list[tuple[str, str]]:
    """Beyond any sensible number of parameters the rest is left unread: reading a million of them would block us."""
    pieces = query.split("&", _PARAMETERS_MAX)[:_PARAMETERS_MAX]
    return parse_qsl("&".join(pieces), keep_blank_values=True, errors="replace")


_PARAMETERS_MAX = 100
