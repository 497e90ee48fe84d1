"""Puts the server together: the database, the runtime, every address."""

import gc
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from farthing.api import metrics
from farthing.api.oauth import addresses as oauth
from farthing.api.v1.routes import ROUTES
from farthing.care.watch import presence
from farthing.care.watch.meter import Key, Meter
from farthing.care.watch.waking import make_waker
from farthing.http.answer import problems
from farthing.http.answer.reply import make_reply, send_reply
from farthing.http.door import health, security_txt, sign_in_callback
from farthing.http.door.directory import Directory
from farthing.http.door.edge import Edge
from farthing.http.door.hosts import Hosts
from farthing.http.door.web_app import WebApp
from farthing.http.door.workers import unblock_signals
from farthing.http.endpoint import DEFAULT_TIMING, Endpoint, Runtime, Timing
from farthing.http.openapi import document as openapi
from farthing.http.replica import Replica
from farthing.http.request.public_address import API
from farthing.http.route import Route
from farthing.http.stream import StreamEndpoint, streams
from farthing.kernel import config, log
from farthing.kernel.clock import Clock
from farthing.kernel.config import Settings
from farthing.kernel.errors import NotFound
from farthing.storage.drivers import open as database
from farthing.storage.outages import wait_for_database
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing")
# A write on SQLite gives up the interpreter's lock at every statement. While a thread computes, such as long rules, it
# waits this long to get it back: with Python's own 5 ms a small write took 300 ms, with this 35.
_SWITCH_S = 0.0005


def create_worker(*, only_local: bool = False) -> ASGIApp:
    """What a worker process of `serve` starts; it must not outlive the server that started it."""
    unblock_signals()
    _leave_with_parent()
    return wait_for_database("a worker", lambda: create(only_local=only_local))


def create_local_worker() -> ASGIApp:
    """The same for a server that listens on a loopback address."""
    return create_worker(only_local=True)


def create(*, only_local: bool = False) -> ASGIApp:
    """The app by the settings of the environment, with the database as it is."""
    settings = config.load()
    log.configure(settings)
    app = build(settings, config.make_clock(settings), only_local=only_local)
    # Freeze what is loaded; answers leave no cycles, so collect rarely.
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    sys.setswitchinterval(_SWITCH_S)
    return app


def _leave_with_parent() -> None:
    """Stops this worker when the process that started it is gone, however it ended: otherwise the port stays taken.

    The standard library holds the end of a pipe for this, which closes with the parent, also when that is killed.
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
    """The app closes the database when it ends. `only_local`: only programs on this machine can reach the server."""
    connect_replica = partial(database.connect_replica, settings)
    replica = Replica(books, connect_replica, timing.replica_away_s) if settings.read_url else None
    runtime = Runtime(books, settings, clock, timing, replica, make_waker(settings.data))
    meter = Meter(_counted(), presence.own_folder())
    addresses = [*health.addresses(runtime), *metrics.addresses(runtime, meter), *openapi.addresses(ROUTES)]
    addresses += security_txt.addresses(settings, clock)
    addresses += oauth.addresses(runtime)
    addresses += sign_in_callback.addresses()
    addresses += WebApp().addresses()
    others = Router(addresses, redirect_slashes=False, default=_nowhere, lifespan=_closing(runtime, meter))
    endpoints = {path: _endpoint(runtime, routes) for path, routes in _by_path().items()}
    hosts = Hosts(settings, only_local=only_local)
    return Edge(Directory(API, endpoints, others), settings, meter.count, hosts, runtime.unknown_proxies.note)


def _endpoint(runtime: Runtime, routes: dict[str, Route]) -> Endpoint | StreamEndpoint:
    return StreamEndpoint(runtime, routes) if streams(routes) else Endpoint(runtime, routes)


def _counted() -> Iterator[Key]:
    """The methods and paths by which requests are counted; all others count as one."""
    for route in ROUTES:
        yield route.method, API + route.path
        if route.method == "GET":
            yield "HEAD", API + route.path
    yield from (("GET", path) for path in health.PATHS)


def _by_path() -> dict[str, dict[str, Route]]:
    paths: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        methods = paths.setdefault(route.path, {})
        assert route.method not in methods, f"{route.method} {route.path} is declared twice"
        methods[route.method] = route
    return paths


def _closing(runtime: Runtime, meter: Meter) -> Callable[[Router], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: Router) -> AsyncIterator[None]:
        yield
        await runtime.close()
        meter.close()

    return lifespan


async def _nowhere(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 -- ASGI's signature
    if scope["type"] == "http":
        await send_reply(make_reply(problems.answer_to(NotFound("Resource not found"))), send)
