"""Answers overviews from a replica of the database, as long as that has everything the caller has written.

The primary says who is calling, and as of which revision of their books and of what all share. A replica that is not
exactly there is not asked: it may not have received a write yet, or may already have the next one. Nor is anything
that is no replica of the primary: a restored copy may have reached the same revision with other books.
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

from .request.call import Call

T = TypeVar("T")
# How long a replica that has failed is not asked.
AWAY_S = 5.0
_READING = "reading from the replica"


class NotUsed(Exception):
    """The primary has to answer."""


class Replica:
    def __init__(self, primary: Database, connect: Callable[[], Database], away_s: float = AWAY_S) -> None:
        self._primary = primary
        self._connect = connect
        self._outages = Outages()
        self._away_s = away_s
        self._database: Database | None = None
        self._opening: asyncio.Task[None] | None = None
        self._away_until = 0.0
        # The servers that are replicas of the primary. A connection that is lost may be replaced by one to another.
        self._known: set[str] = set()
        self._has_met_unknown = False

    def is_there(self) -> bool:
        """Connects in the background: nobody waits for a replica that is away."""
        if monotonic() < self._away_until:
            return False
        is_checked = self._database is not None and not self._has_met_unknown
        if not is_checked and self._opening is None:
            self._opening = asyncio.create_task(self._open())
        return is_checked

    async def _open(self) -> None:
        try:
            self._database = await asyncio.to_thread(self._connect_and_check)
            self._has_met_unknown = False
        except Exception as error:  # whatever it is, the primary answers, and not every request should try again
            self._note_absence(error)
        finally:
            self._opening = None

    def _connect_and_check(self) -> Database:
        database = self._database or self._connect()
        try:
            with self._primary.reading() as here, database.reading() as there:
                self._known.add(lineage.check(here, there).started)
        except BaseException:
            if database is not self._database:
                database.close()
            raise
        return database

    async def read(self, call: Call, work: Callable[[Call], T], asker: Asker, *, large: bool) -> T:
        """`call` comes from the primary: it says as of which revision the answer has to be. Raises NotUsed."""
        assert self._database is not None, "ask first whether it is there"

        def work_in(db: Unit) -> T:
            if self._find_revisions(db, call.user_id) != (call.caller.revision, call.caller.house_revision):
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
        """In one round trip with the question which server that is."""
        read_server = lineage.ask_server(db)
        try:
            revisions = callers.find_revisions(db, user_id)
        except Exception as error:
            if not is_driver_error(error):
                raise
            self._has_met_unknown = True  # it does not even have our tables
            raise NotUsed from error
        server = read_server()
        lineage.refuse_primary(server)
        if server.started not in self._known:
            self._has_met_unknown = True
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
