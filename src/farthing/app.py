"""What is served, and by whom? Every route of every resource, in one list."""

import gc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from . import config, log
from .about import routes as about
from .accounts import routes as accounts
from .attachments import routes as attachments
from .autocomplete import routes as autocomplete
from .available_budgets import routes as available_budgets
from .bills import routes as bills
from .budget_limits import routes as budget_limits
from .budgets import routes as budgets
from .categories import routes as categories
from .changes import routes as changes
from .charts import routes as charts
from .clock import Clock
from .config import Settings
from .currencies import routes as currencies
from .errors import NotFound
from .first_run import routes as first_run
from .http import health, metrics, openapi, problems
from .http.directory import Directory
from .http.edge import Edge
from .http.endpoint import Endpoint, Kernel
from .http.openapi import API
from .http.reply import encoded, send_reply
from .http.route import Route
from .http.stream import StreamEndpoint, streams
from .http.web_app import WebApp
from .piggy_banks import routes as piggy_banks
from .preferences import routes as preferences
from .recurrences import routes as recurrences
from .rule_groups import routes as rule_groups
from .rules import routes as rules
from .search import routes as search
from .sessions import routes as sessions
from .storage import database
from .summary import routes as summary
from .tags import routes as tags
from .tokens import routes as tokens
from .transactions import routes as transactions
from .upcoming import routes as upcoming
from .users import routes as users
from .watch import presence
from .watch.meter import Key, Meter

ROUTES: tuple[Route, ...] = (
    *accounts.ROUTES,
    *transactions.ROUTES,
    *bills.ROUTES,
    *available_budgets.ROUTES,
    *budgets.ROUTES,
    *budget_limits.ROUTES,
    *categories.ROUTES,
    *tags.ROUTES,
    *piggy_banks.ROUTES,
    *attachments.ROUTES,
    *search.ROUTES,
    *recurrences.ROUTES,
    *autocomplete.ROUTES,
    *summary.ROUTES,
    *charts.ROUTES,
    *upcoming.ROUTES,
    *changes.ROUTES,
    *rule_groups.ROUTES,
    *rules.ROUTES,
    *preferences.ROUTES,
    *currencies.ROUTES,
    *users.ROUTES,
    *first_run.ROUTES,
    *sessions.ROUTES,
    *tokens.ROUTES,
    *about.ROUTES,
)


def create() -> ASGIApp:
    """What a worker process starts: settings from the environment, the database as it is."""
    settings = config.load()
    log.configure(settings)
    app = build(settings, config.clock_of(settings))
    # What is there now stays, and an answer leaves no cycles behind: to look for garbage all the time finds none.
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    return app


def build(settings: Settings, clock: Clock) -> ASGIApp:
    books = database.opened(settings)
    kernel = Kernel(books, settings, clock)
    meter = Meter(_counted(), presence.own_folder())
    addresses = [*health.addresses(kernel), *metrics.addresses(kernel, meter), *openapi.addresses(ROUTES)]
    addresses += WebApp().addresses()
    others = Router(addresses, redirect_slashes=False, default=_nowhere, lifespan=_closing(kernel.close, meter.close))
    endpoints = {path: _endpoint(kernel, routes) for path, routes in _by_path().items()}
    return Edge(Directory(API, endpoints, others), settings, meter)


def _endpoint(kernel: Kernel, routes: dict[str, Route]) -> Endpoint | StreamEndpoint:
    return StreamEndpoint(kernel, routes) if streams(routes) else Endpoint(kernel, routes)


def _counted() -> Iterator[Key]:
    """What requests are counted by; what is not among it counts as other."""
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


def _closing(*closes: Callable[[], None]) -> Callable[[Router], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_app: Router) -> AsyncIterator[None]:
        yield
        for close in closes:
            close()

    return lifespan


async def _nowhere(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 -- ASGI's signature
    if scope["type"] == "http":
        await send_reply(encoded(problems.answer_to(NotFound("Resource not found"))), send)
