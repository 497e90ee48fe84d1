"""Fetches exchange rates when they are due, in a thread, because other servers may be slow."""

import logging
from threading import Thread

from msgspec import Struct

from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import Unavailable
from farthing.moving.exchange_rates import fetching
from farthing.moving.exchange_rates.fetching import NotFetched, RateSource
from farthing.moving.exchange_rates.rows import RateRow
from farthing.storage import installation
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing.jobs")


class _Download(Thread):
    """Downloads exchange rates. When the thread has ended, `result` holds the rates, or why they are missing."""

    def __init__(self, url: str, *, allow_private: bool) -> None:
        super().__init__(name="farthing-rates", daemon=True)
        self._url, self._allow_private = url, allow_private
        self.result: list[RateRow] | NotFetched = NotFetched("Fetching has not finished.")

    def run(self) -> None:
        try:
            self.result = fetching.download(self._url, allow_private=self._allow_private)
        except NotFetched as error:
            self.result = error
        except Exception as error:
            _LOG.exception("exchange rates could not be read")
            self.result = NotFetched(f"Fetching failed: {type(error).__name__}.")


class RateFetcher(Struct):
    """Fetches rates when they are due. A turn waits up to `wait_s` seconds for the download."""

    _settings: Settings
    _database: Database
    _clock: Clock
    _source: RateSource | None
    wait_s: float = 0
    _running: _Download | None = None

    def turn(self) -> None:
        if self._source is None:
            return
        try:
            if self._running is None and self._claim():
                self._running = self._begin(self._source)
            if self._running:
                self._running.join(self.wait_s)
                if not self._running.is_alive():
                    self._store(self._source, self._running.result)
                    self._running = None
        except Unavailable:
            pass  # the firing of recurrences logs outages, and the next turn is soon

    def _claim(self) -> bool:
        """Claims the fetching for this server if it is due. Reads first, because most turns have nothing to do."""
        now = self._clock.now()
        with self._database.reading() as db:
            if not fetching.is_due(installation.load_checkups(db), now):
                return False
        with self._database.writing() as db:
            return fetching.claim(db, now)

    def _begin(self, source: RateSource) -> _Download:
        with self._database.reading() as db:
            address = fetching.choose_address(db, source)
        running = _Download(address, allow_private=self._settings.outgoing_private)
        running.start()
        return running

    def _store(self, source: RateSource, result: list[RateRow] | NotFetched) -> None:
        now = stamp(self._clock.now())
        try:
            if isinstance(result, NotFetched):
                raise result
            with self._database.writing() as db:
                count = fetching.store_rates(db, source, result, now)
            _LOG.info("%d exchange rates were fetched from %s", count, source.name)
        except NotFetched as error:
            with self._database.writing() as db:
                fetching.remember_failure(db, error, now)
            _LOG.warning("exchange rates were not fetched: %s", error)
