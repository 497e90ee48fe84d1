"""Assembles the server: the database, the runtime and every address."""

import gc
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from farthing.api import metrics
from farthing.api.oauth import addresses as oauth
from farthing.api.v1.routes import ROUTES
from farthing.api.v6.routes import ROUTES as ROUTES_OF_V6
from farthing.care.watch import presence
from farthing.care.watch.meter import Key, Meter
from farthing.care.watch.waking import make_waker
from farthing.http.answer import problems
from farthing.http.answer.reply import make_reply, send_reply
from farthing.http.events.endpoint import EventEndpoint
from farthing.http.events.listeners import Listeners
from farthing.http.files.endpoint import FileEndpoint, FileLimits, handles_files
from farthing.http.handling.calls import Calls
from farthing.http.handling.endpoint import Endpoint
from farthing.http.handling.replica import Replica
from farthing.http.handling.runtime import DEFAULT_TIMING, Runtime, Timing
from farthing.http.openapi import document as openapi
from farthing.http.request.public_address import API
from farthing.http.route import Route
from farthing.http.routing.allowed_hosts import AllowedHosts
from farthing.http.routing.api_versions import PREFIX, write_with_hyphens
from farthing.http.routing.middleware import Middleware
from farthing.http.routing.path_router import PathRouter
from farthing.http.routing.unknown_proxies import UnknownProxyWarnings
from farthing.http.server.signals import noticing_stops, unblock_signals
from farthing.http.service import health, other_addresses
from farthing.http.service.web_app import WebApp
from farthing.identity.user import ApiVersion
from farthing.kernel import config, log
from farthing.kernel.clock import Clock
from farthing.kernel.config import Settings
from farthing.kernel.errors import NotFound
from farthing.storage.drivers import open as database
from farthing.storage.outages import wait_for_database
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing")
# A write on SQLite releases the interpreter's lock at every statement. If another thread is computing, for example slow
# rules, the write waits this long to get the lock back. A small write took 300 ms with Python's default of 5 ms, and
# takes 35 ms with this value.
_SWITCH_S = 0.0005


def create_worker(*, only_local: bool = False) -> ASGIApp:
    """Creates the app of a worker process of `serve`, which must not outlive the server that started it."""
    with noticing_stops() as is_stopped:
        unblock_signals()
        _leave_with_parent()

        def pause(seconds: float) -> None:
            time.sleep(seconds)
            if is_stopped():
                sys.exit()

        return wait_for_database("a worker", lambda: create(only_local=only_local), pause)


def create_local_worker() -> ASGIApp:
    """Creates the app of a worker of a server that listens on a loopback address."""
    return create_worker(only_local=True)


def create(*, only_local: bool = False) -> ASGIApp:
    """Creates the app from the settings in the environment. Does not change the database."""
    settings = config.load()
    log.configure(settings)
    app = build(settings, config.make_clock(settings), only_local=only_local)
    # The garbage collector skips everything loaded so far. It may run rarely, because answers leave no cycles.
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    sys.setswitchinterval(_SWITCH_S)
    return app


def _leave_with_parent() -> None:
    """Stops this worker when the process that started it has ended, because otherwise the port would stay in use.

    The standard library detects the end by a pipe that closes when the parent ends, even if the parent is killed.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent,), name="farthing-watch", daemon=True).start()


def _watch(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    _LOG.error("the server that started this worker is gone; the worker stops")
    os.kill(os.getpid(), signal.SIGTERM)


def build(settings: Settings, clock: Clock, *, only_local: bool = False) -> ASGIApp:
    presence.refuse_other_file(settings.data, settings.database_file)
    return assemble(database.open_current(settings, serve=True), settings, clock, only_local=only_local)


def assemble(
    books: Database, settings: Settings, clock: Clock, timing: Timing = DEFAULT_TIMING, *, only_local: bool = False
) -> ASGIApp:
    """Builds the app, which closes the database when it ends.

    `only_local` means that only programs on this machine can reach the server.
    """
    runtime = Runtime(books, settings, clock, timing, make_waker(settings.data))
    connect_replica = partial(database.connect_replica, settings)
    replica = Replica(books, connect_replica, timing.replica_away_s) if settings.read_url else None
    calls = Calls(runtime, replica)
    meter = Meter(_list_counted(), presence.own_folder())
    listeners = Listeners(runtime, meter.note_listeners)
    warnings = UnknownProxyWarnings(books, clock)
    documents = openapi.addresses({ApiVersion.V1: ROUTES, ApiVersion.V6: ROUTES_OF_V6})
    addresses = [*health.addresses(runtime), *metrics.addresses(runtime, meter), *documents]
    addresses += other_addresses.addresses(settings, clock)
    addresses += oauth.addresses(calls)
    addresses += WebApp().addresses()
    lifespan = _close_at_end(calls, listeners, warnings, meter)
    others = Router(addresses, redirect_slashes=False, default=_answer_404, lifespan=lifespan)
    hosts = AllowedHosts(settings, only_local=only_local)
    routers = {
        ApiVersion.V1: PathRouter(API, _make_endpoints(calls, listeners, ROUTES), others),
        ApiVersion.V6: PathRouter(
            API, _make_endpoints(calls, listeners, ROUTES_OF_V6), others, shown=PREFIX, spell=write_with_hyphens
        ),
    }

    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        version = scope["state"]["api_version"] if scope["type"] == "http" else ApiVersion.V1
        await routers[version](scope, receive, send)

    return Middleware(route, settings, meter.count, hosts, warnings.note)


def _make_endpoints(calls: Calls, listeners: Listeners, routes: Iterable[Route]) -> dict[str, ASGIApp]:
    limits = FileLimits(calls.runtime.settings)

    def make_endpoint(methods: Mapping[str, Route]) -> ASGIApp:
        if any(route.is_pushed for route in methods.values()):
            return EventEndpoint(calls, listeners, methods)
        return FileEndpoint(calls, limits, methods) if handles_files(methods) else Endpoint(calls, methods)

    return {path: make_endpoint(methods) for path, methods in _group_by_path(routes).items()}


def _list_counted() -> Iterator[Key]:
    """Lists the methods and paths whose requests are counted separately. All other requests are counted together."""
    for prefix, routes in ((API, ROUTES), (PREFIX + API, ROUTES_OF_V6)):
        for route in routes:
            yield route.method, prefix + route.path
            if route.method == "GET":
                yield "HEAD", prefix + route.path
    yield from (("GET", path) for path in health.PATHS)


def _group_by_path(routes: Iterable[Route]) -> dict[str, dict[str, Route]]:
    paths: dict[str, dict[str, Route]] = {}
    for route in routes:
        methods = paths.setdefault(route.path, {})
        assert route.method not in methods, f"{route.method} {route.path} is declared twice"
        methods[route.method] = route
    return paths


def _close_at_end(
    calls: Calls, listeners: Listeners, warnings: UnknownProxyWarnings, meter: Meter
) -> Callable[[Router], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: Router) -> AsyncIterator[None]:
        yield
        await listeners.close()
        await warnings.close()
        await calls.close()
        meter.close()

    return lifespan


async def _answer_404(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 -- ASGI's signature
    if scope["type"] == "http":
        await send_reply(make_reply(problems.answer_to(NotFound("Resource not found")), state=scope["state"]), send)
