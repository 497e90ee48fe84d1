"""Finds the caller of a request by a token or by the session of one of our pages, and limits requests per minute."""

from datetime import datetime

from farthing.identity.user import NOBODY, Caller
from farthing.kernel.clock import stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import TooMany
from farthing.kernel.text import pluralize
from farthing.storage.unit import Unit

from ..request.askers import Askers
from ..request.request import Request
from ..route import BOOKS, Gate, Route
from . import credentials
from .last_used import LastUsed
from .permissions import enter_books

_WINDOW_S = 60


class RateLimit:
    """Counts the requests of each token in the current minute."""

    def __init__(self) -> None:
        self._minute = 0
        self._counts: dict[int, int] = {}

    def count(self, caller: Caller, now: datetime) -> None:
        """Counts one request and raises TooMany beyond the limit. Most callers have no limit."""
        if caller.requests_max is None or caller.token_id is None:
            return
        minute, second = divmod(int(now.timestamp()), _WINDOW_S)
        if minute != self._minute:
            self._minute, self._counts = minute, {}
        count = self._counts[caller.token_id] = self._counts.get(caller.token_id, 0) + 1
        if count > caller.requests_max:
            left = _WINDOW_S - second
            raise TooMany(
                f"This token may make {caller.requests_max} requests a minute and has used them up. "
                f"Try again in {pluralize(left, 'second')}.",
                left,
            )


class Identification:
    """Identifies callers and notes that they have called: for their turns, their token's quota and its last use."""

    def __init__(self, settings: Settings, askers: Askers, last_used: LastUsed) -> None:
        self._idle_hours = settings.session_idle_hours
        self._askers = askers
        self._last_used = last_used
        self._rate_limit = RateLimit()

    def identify(self, db: Unit, route: Route, request: Request, now: datetime) -> Caller:
        """Takes one query for either credential. Raises Unauthenticated, Forged or TooMany."""
        headers = request.headers
        if route.is_open:
            if route.is_unsafe and route.gate is Gate.OPEN:
                credentials.refuse_foreign(headers, request.base)  # another site's page must not sign anybody in
            return NOBODY
        caller = self._find(db, route, request, stamp(now))
        self._askers.note(headers, caller.user.id)
        self._last_used.note(caller, now)
        if route.is_shared:
            caller = enter_books(db, caller, headers, request.query.get(BOOKS) if route.is_linked else None)
        self._count_once(request, caller, now)
        return caller

    def _find(self, db: Unit, route: Route, request: Request, now: str) -> Caller:
        """Ignores the cookie of a request that has a token."""
        authorization = request.headers.get(b"authorization")
        if authorization is None:
            unsafe = route.is_unsafe
            return credentials.by_session(db, request.headers, request.base, now, self._idle_hours, unsafe=unsafe)
        caller = credentials.by_token(db, authorization, now)
        if caller.networks:
            credentials.refuse_other_networks(caller, request.peer.client)
        return caller

    def _count_once(self, request: Request, caller: Caller, now: datetime) -> None:
        """Counts against the quota of the token. A request that needs several units of work counts as one."""
        if "is_counted" not in request.state:
            request.state["is_counted"] = True
            self._rate_limit.count(caller, now)
