"""Answers overviews from a replica of the database, as long as the replica has everything that the caller has written.

The primary identifies the caller and returns the current revision of their books and of the shared tables. The replica
answers only if it is at exactly that revision, because it may lack the latest write or may already have the next one.
A server that is not a replica of this primary is never asked: a restored copy could be at the same revision although
its books are different.
"""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from msgspec import structs

from farthing.identity import callers
from farthing.kernel.errors import Unavailable
from farthing.storage.drivers.open import is_driver_error
from farthing.storage.drivers.postgres import lineage
from farthing.storage.fair.line import Asker
from farthing.storage.outages import Outages
from farthing.storage.unit import Database, Unit

from ..request.call import Call

T = TypeVar("T")
# For how long a replica that has failed is not asked again.
AWAY_S = 5.0
_READING = "reading from the replica"


class NotUsed(Exception):
    """Signals that the replica cannot answer, so that the primary has to."""


class Replica:
    """Reads from a replica. Connects to it when it is first needed."""

    def __init__(self, primary: Database, connect: Callable[[], Database], away_s: float = AWAY_S) -> None:
        self._primary = primary
        self._connect = connect
        self._outages = Outages()
        self._away_s = away_s
        self._database: Database | None = None
        self._opening: asyncio.Task[None] | None = None
        self._away_until = 0.0
        # The servers that are known to be replicas of the primary. A new connection may reach another server.
        self._checked_servers: set[str] = set()
        self._has_met_unchecked = False

    def is_there(self) -> bool:
        """Returns whether the replica is ready for queries. If not, connects to it in the background, so that no
        request waits."""
        if monotonic() < self._away_until:
            return False
        is_checked = self._database is not None and not self._has_met_unchecked
        if not is_checked and self._opening is None:
            self._opening = asyncio.create_task(self._open())
        return is_checked

    async def _open(self) -> None:
        try:
            self._database = await asyncio.to_thread(self._connect_and_check)
            self._has_met_unchecked = False
        except Exception as error:  # the primary answers instead, and not every request should try again
            self._note_absence(error)
        finally:
            self._opening = None

    def _connect_and_check(self) -> Database:
        database = self._database or self._connect()
        try:
            with self._primary.reading() as primary, database.reading() as replica:
                self._checked_servers.add(lineage.check(primary, replica).started)
        except BaseException:
            if database is not self._database:
                database.close()
            raise
        return database

    async def read(self, call: Call, work: Callable[[Call], T], asker: Asker, *, large: bool) -> T:
        """Runs `work` on the replica. Raises NotUsed unless the replica is at the revision that `call` has from the
        primary."""
        assert self._database is not None, "is_there() comes first"

        def work_in(db: Unit) -> T:
            if self._find_revisions(db, call.user_id) != (call.caller.revision, call.caller.installation_revision):
                raise NotUsed
            return work(structs.replace(call, db=db))

        try:
            result = await self._database.read(work_in, large=large, asker=asker)
        except Unavailable as error:
            self._note_absence(error)
            raise NotUsed from error
        self._outages.note_success(_READING)
        return result

    def _find_revisions(self, db: Unit, user_id: int) -> tuple[int, int] | None:
        """Reads the replica's revisions and checks which server has answered, in one round trip."""
        read_server = lineage.ask_server(db)
        try:
            revisions = callers.find_revisions(db, user_id)
        except Exception as error:
            if not is_driver_error(error):
                raise
            self._has_met_unchecked = True  # it lacks our tables
            raise NotUsed from error
        server = read_server()
        lineage.refuse_primary(server)
        if server.started not in self._checked_servers:
            self._has_met_unchecked = True
            raise NotUsed
        return revisions

    def _note_absence(self, error: Exception) -> None:
        self._away_until = monotonic() + self._away_s
        self._outages.note(_READING, error)

    async def close(self) -> None:
        if self._opening:
            await self._opening
        if self._database:
            self._database.close()
