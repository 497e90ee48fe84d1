"""Warns of proxies that are not trusted: in the log, and in the database for `doctor` and the owner's start page.

All clients behind such a proxy seem to have the same address, so they share one limit on sign-in attempts.
"""

import asyncio
import logging
from datetime import timedelta

from farthing.kernel.clock import Alarm, Clock, stamp
from farthing.kernel.errors import FarthingError
from farthing.storage import installation
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing.proxies")
# How often each proxy is reported, as long as it forwards requests.
_WARN_EVERY = timedelta(days=1)
# Anybody may send the headers of a proxy, so the number of reported addresses is limited.
_PEERS_MAX = 20


class UnknownProxyWarnings:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._alarms: dict[str, Alarm] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, address: str) -> None:
        """Reports an untrusted proxy, at most once a day. This runs on every request from such a proxy, so it has to be
        fast."""
        if not address or (address not in self._alarms and len(self._alarms) >= _PEERS_MAX):
            return
        now, alarm = self._clock.now(), self._alarms.setdefault(address, Alarm())
        if alarm.rings(now):
            alarm.set(now, _WARN_EVERY)
            _LOG.warning(
                "%s forwards requests, but is not trusted: everybody behind it shares one limit on sign-ins. "
                "If it is your proxy, set FARTHING_TRUSTED_PROXIES=%s",
                address,
                address,
            )
            task = asyncio.get_running_loop().create_task(self._write(address, stamp(now)))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def _write(self, address: str, now: str) -> None:
        try:
            await self._database.write(lambda db: installation.note_unknown_proxy(db, address, now))
        except FarthingError as error:
            _LOG.warning("could not record the untrusted proxy: %s", error)

    async def close(self) -> None:
        await asyncio.gather(*self._writing)
