"""When was a token or a session last used? Noted at most every few minutes, and written down beside the requests."""

import asyncio
import logging
from concurrent.futures import Executor
from contextlib import suppress
from datetime import datetime, timedelta

from ..clock import stamp
from ..errors import FarthingError
from ..sessions import store as sessions
from ..storage.unit import Busy, Database
from ..users import tokens
from ..users.model import Caller

_LOG = logging.getLogger("farthing.uses")
_EVERY = timedelta(minutes=5)
_GATHERED_FOR_S = 1.0
_REMEMBERED_MAX = 10_000


class Uses:
    def __init__(self, database: Database) -> None:
        self._database = database
        # When each has to be written down again; sessions by their negative id.
        self._due: dict[int, datetime] = {}
        self._tokens: dict[tuple[int, int], str] = {}
        self._sessions: dict[tuple[int, int], str] = {}
        self.is_waiting = False

    def note(self, caller: Caller, now: datetime) -> None:
        """Called for every request: nearly always it looks into a dictionary, and leaves."""
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

    def write_soon(self, threads: Executor) -> None:
        """Those of a moment together. Whoever asked has their answer by then."""
        self.is_waiting = False
        asyncio.get_running_loop().call_later(_GATHERED_FOR_S, self._begin, threads)

    def _begin(self, threads: Executor) -> None:
        with suppress(RuntimeError):  # the server stops, and writes what is left itself
            threads.submit(self.write)

    def write(self) -> None:
        """No revision, no tag: nobody's books have changed."""
        of_tokens, self._tokens = self._tokens, {}
        of_sessions, self._sessions = self._sessions, {}
        if not of_tokens and not of_sessions:
            return
        try:
            with self._database.writing() as db:
                tokens.touch(db, of_tokens)
                sessions.touch(db, of_sessions)
        except (FarthingError, Busy) as error:
            _LOG.warning("when tokens were last used was not written down: %s", error)
