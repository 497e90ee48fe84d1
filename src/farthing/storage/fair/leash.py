"""Stops large reads that take too long, or whose client has hung up."""

from time import monotonic

from farthing.kernel.errors import Departed, TooLong

from .line import Asker

# This is how long any statement may take. Reports on a million transactions need a tenth of it.
LARGE_READ_S = 30.0
HUNG_UP = "The client has hung up."
_TOO_LONG = (
    "This request was stopped because it took longer than {:g} seconds. Request less data: a shorter range, longer "
    "periods or fewer objects."
)


class Leash:
    """Limits work that runs in a thread: it must stop after `seconds`, or as soon as its client has hung up."""

    __slots__ = ("_gone", "_until", "seconds")

    def __init__(self, asker: Asker, seconds: float) -> None:
        self._gone = asker.gone
        self.seconds = seconds
        self._until = monotonic() + seconds

    def is_over(self) -> bool:
        return monotonic() > self._until or self._has_departed()

    def refuse_more(self) -> None:
        """Raises the reason if the work must stop."""
        if self.is_over():
            raise self.reason()

    def reason(self) -> Departed | TooLong:
        return Departed(HUNG_UP) if self._has_departed() else TooLong(_TOO_LONG.format(self.seconds))

    def _has_departed(self) -> bool:
        """Tells whether the client has hung up. Only reads the future, because this is not the event loop's thread."""
        return self._gone is not None and self._gone.done()
