"""Writes down when tokens and sessions were last used: at most every few minutes, and beside the requests."""

import asyncio
import logging
from datetime import datetime, timedelta

from farthing.identity import sessions, tokens
from farthing.identity.user import Caller
from farthing.kernel.clock import stamp
from farthing.kernel.errors import FarthingError
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.uses")
GATHER_S = 1.0
_EVERY = timedelta(minutes=5)
_REMEMBERED_MAX = 10_000


class Uses:
    def __init__(self, database: Database, gather_s: float) -> None:
        self._database = database
        self._gather_s = gather_s
        # When each has to be written down again; sessions by their negative id.
        self._due: dict[int, datetime] = {}
        self._tokens: dict[tuple[int, int], str] = {}
        self._sessions: dict[tuple[int, int], str] = {}
        self._writing: asyncio.Task[None] | None = None
        self.is_waiting = False

    def note(self, caller: Caller, now: datetime) -> None:
        """Called for every request; nearly always a dictionary lookup is all it takes."""
        key = caller.token_id or -(caller.session_id or 0)
        due = self._due.get(key)
        if due is None or now >= due:
            self._note(key, caller, now)

    def _note(self, key: int, caller: Caller, now: datetime) -> None:
        last = caller.last_used_at
        due = datetime.fromisoformat(last) + _EVERY if last else now
        if now >= due:
            used_at = self._tokens if key > 0 else self._sessions
            used_at[caller.user.id, abs(key)] = stamp(now)
            self.is_waiting = True
            due = now + _EVERY
        if len(self._due) >= _REMEMBERED_MAX:
            self._due.clear()
        self._due[key] = due

    def write_soon(self) -> None:
        """Gathers the uses of a moment into one write, after the requests have been answered."""
        self.is_waiting = False
        asyncio.get_running_loop().call_later(self._gather_s, self._begin)

    def _begin(self) -> None:
        self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        of_tokens, self._tokens = self._tokens, {}
        of_sessions, self._sessions = self._sessions, {}
        if not of_tokens and not of_sessions:
            return

        def touch(db: Unit) -> None:
            """Makes no revision, because nobody's books have changed."""
            tokens.touch(db, of_tokens)
            sessions.touch(db, of_sessions)

        try:
            await self._database.write(touch)
        except FarthingError as error:
            _LOG.warning("when tokens were last used was not written down: %s", error)

    async def close(self) -> None:
        """Writes what is left."""
        if self._writing:
            await self._writing
        await self._write()
