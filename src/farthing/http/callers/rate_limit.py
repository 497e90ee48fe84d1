"""Limits how many requests a token may make in a minute, for users with such a quota. Each process counts its own."""

from datetime import datetime

from farthing.identity.user import Caller
from farthing.kernel.errors import TooMany
from farthing.kernel.text import pluralize

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
