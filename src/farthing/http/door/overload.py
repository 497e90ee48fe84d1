"""Logs when there are more requests than connections for them, once at the beginning and once at the end."""

import logging

_LOG = logging.getLogger("farthing.connections")
# It is over when nobody has been refused for this long: a full house comes and goes many times a second.
_CALM_S = 30.0


class Overload:
    def __init__(self) -> None:
        self._refused = 0
        self._last_at = 0.0

    @property
    def is_on(self) -> bool:
        return self._refused > 0

    def note(self, now: float, connections: int, address: str, of_address: int) -> None:
        """Called for everyone who is refused, or who gives way to another."""
        self._refused += 1
        self._last_at = now
        if self._refused == 1:
            _LOG.warning(
                "all %d connections are in use, %d of them by %s; some requests get 503 until this has passed",
                connections,
                of_address,
                address or "an unknown address",
            )

    def look(self, now: float) -> None:
        if self._refused and now - self._last_at >= _CALM_S:
            _LOG.warning("there are free connections again; %d requests were refused", self._refused)
            self._refused = 0
