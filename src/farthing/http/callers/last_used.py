"""Records when tokens and sessions were last used.

This happens only after the requests are answered, and for each token or session at most every few minutes.
"""

import asyncio
import logging
from datetime import datetime, timedelta

from farthing.identity import callers
from farthing.identity.user import Caller
from farthing.kernel.clock import stamp
from farthing.kernel.errors import FarthingError
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.uses")
GATHER_S = 1.0
_RECORD_EVERY = timedelta(minutes=5)
_CREDENTIALS_MAX = 10_000


class LastUsed:
    def __init__(self, database: Database, gather_s: float) -> None:
        self._database = database
        self._gather_s = gather_s
        # The time from which a use is recorded again, by the id of the token or the negated id of the session.
        self._due: dict[int, datetime] = {}
        self._tokens: dict[tuple[int, int], str] = {}
        self._sessions: dict[tuple[int, int], str] = {}
        self._waking: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self.is_waiting = False

    def note(self, caller: Caller, now: datetime) -> None:
        """Notes one use. This runs on every request, and nearly always costs only one dictionary lookup."""
        key = caller.token_id or -(caller.session_id or 0)
        due = self._due.get(key)
        if due is None or now >= due:
            self._note(key, caller, now)

    def _note(self, key: int, caller: Caller, now: datetime) -> None:
        last = caller.last_used_at
        due = datetime.fromisoformat(last) + _RECORD_EVERY if last else now
        if now >= due:
            used_at = self._tokens if key > 0 else self._sessions
            used_at[caller.user.id, abs(key)] = stamp(now)
            self.is_waiting = True
            due = now + _RECORD_EVERY
        if len(self._due) >= _CREDENTIALS_MAX:
            self._due.clear()
        self._due[key] = due

    def write_soon(self) -> None:
        """Waits a moment, and then records all uses since the last time in one write."""
        self.is_waiting = False
        self._waking = asyncio.get_running_loop().call_later(self._gather_s, self._begin)

    def _begin(self) -> None:
        self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        token_uses, self._tokens = self._tokens, {}
        session_uses, self._sessions = self._sessions, {}
        if not token_uses and not session_uses:
            return

        def touch(db: Unit) -> None:
            """Stores the uses without a new revision, because nobody's books change."""
            callers.touch(db, "tokens", token_uses)
            callers.touch(db, "sessions", session_uses)

        try:
            await self._database.write(touch)
        except FarthingError as error:
            _LOG.warning("could not record when tokens were last used: %s", error)

    async def close(self) -> None:
        """Records the uses that are still waiting."""
        if self._waking:
            self._waking.cancel()  # the loop may end before it could write
        if self._writing:
            await self._writing
        await self._write()
