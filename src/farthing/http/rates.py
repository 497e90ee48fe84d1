"""Limits how many requests a token makes in a minute, for users whose quota says so; each process counts for itself."""

from datetime import datetime

from farthing.identity.user import Caller
from farthing.kernel.errors import TooMany
from farthing.kernel.text import pluralize

_WINDOW_S = 60


class Rates:
    def __init__(self) -> None:
        self._minute = 0
        self._counts: dict[int, int] = {}

    def count(self, caller: Caller, now: datetime) -> None:
        """Called for every request: nearly always there is no limit. Raises TooMany."""
        if caller.requests_max is None or caller.token_id is None:
            return
        minute, second = divmod(int(now.timestamp()), _WINDOW_S)
        if minute != self._minute:
            self._minute, self._counts = minute, {}
        count = self._counts[caller.token_id] = self._counts.get(caller.token_id, 0) + 1
        if count > caller.requests_max:
            left = _WINDOW_S - second
            raise TooMany(
                f"The quota of a token is {caller.requests_max} requests a minute, and this one has used it up. "
                f"Try again in {pluralize(left, 'second')}.",
                left,
            )
