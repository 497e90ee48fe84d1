"""Logs when all connections are in use: once at the beginning of the overload and once at its end."""

import logging

_LOG = logging.getLogger("farthing.connections")
# The overload is over when nobody has been refused for this long: it may come and go many times a second.
_CALM_S = 30.0


class OverloadLog:
    """Counts the requests that the current overload of a server process has cost."""

    def __init__(self) -> None:
        self._refused = 0
        self._last_at = 0.0

    @property
    def is_on(self) -> bool:
        return self._refused > 0

    def note(self, now: float, connections: int, address: str, connections_of_address: int) -> None:
        """Counts a request that was refused, or that gave way to another."""
        self._refused += 1
        self._last_at = now
        if self._refused == 1:
            _LOG.warning(
                "all %d connections are in use, %d of them by %s; some requests get 503 until this has passed",
                connections,
                connections_of_address,
                address or "an unknown address",
            )

    def look(self, now: float) -> None:
        """Logs the end of the overload once it has come."""
        if self._refused and now - self._last_at >= _CALM_S:
            _LOG.warning("there are free connections again; %d requests were refused", self._refused)
            self._refused = 0
