"""Warns of proxies that are not trusted: in the log, and in the database for `doctor` and the owner's start page.

Without trust everybody behind such a proxy has one address, and one limit on attempts to sign in.
"""

import asyncio
import logging
from datetime import timedelta

from farthing.kernel.clock import Alarm, Clock, stamp
from farthing.kernel.errors import FarthingError
from farthing.storage import house
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing.proxies")
# Once a day for each, as long as it goes on.
_EVERY = timedelta(days=1)
# Anybody may send the headers of a proxy: not all of them are worth a line.
_PEERS_MAX = 20


class UnknownProxies:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._alarms: dict[str, Alarm] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, peer: str) -> None:
        """Called for every request of such a proxy; nearly always a lookup is all it takes."""
        if not peer or (peer not in self._alarms and len(self._alarms) >= _PEERS_MAX):
            return
        now, alarm = self._clock.now(), self._alarms.setdefault(peer, Alarm())
        if alarm.rings(now):
            alarm.set(now, _EVERY)
            _LOG.warning(
                "%s forwards requests, but is not trusted: everybody behind it shares one limit on sign-ins. "
                "If it is your proxy, set FARTHING_TRUSTED_PROXIES=%s",
                peer,
                peer,
            )
            task = asyncio.get_running_loop().create_task(self._write(peer, stamp(now)))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def _write(self, peer: str, now: str) -> None:
        try:
            await self._database.write(lambda db: house.note_unknown_proxy(db, peer, now))
        except FarthingError as error:
            _LOG.warning("the unknown proxy was not written down: %s", error)

    async def close(self) -> None:
        await asyncio.gather(*self._writing)
