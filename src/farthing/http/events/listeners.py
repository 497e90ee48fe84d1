"""Keeps all listeners, and checks once a second, with one query for all of them, whether anything has changed."""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from enum import Enum
from functools import partial

from farthing.identity import listening
from farthing.identity.listening import Standing
from farthing.kernel.clock import stamp
from farthing.kernel.errors import TooMany, Unavailable

from ..callers.identification import idle_since
from ..handling.runtime import Runtime
from ..request.call import Batch, Pushed
from ..route import Mode

PERSON_MAX = 20
_RETRY_S = 60


class End(Enum):
    GONE = "the client has hung up"
    STOPPING = "the server is stopping"
    OVER = "the caller has to identify again"


class Listener:
    __slots__ = ("_event", "after", "end", "is_due", "pushed", "revision", "seen", "sent_at")

    def __init__(self, pushed: Pushed, now: float) -> None:
        self.pushed = pushed
        self.after = pushed.after
        # The revision of the books, and the one up to which the listener knows everything.
        self.revision = pushed.caller.revision
        self.seen = -1 if not pushed.opening else self.revision
        self.sent_at = now
        self.is_due = False
        self.end: End | None = None
        self._event = asyncio.Event()

    def stop(self, end: End) -> None:
        self.end = self.end or end
        self._event.set()

    def beat(self) -> None:
        self.is_due = True
        self._event.set()

    def note(self, revision: int) -> None:
        if revision != self.revision or self.is_behind:
            self.revision = revision
            self._event.set()

    @property
    def is_behind(self) -> bool:
        return self.seen != self.revision

    def advance(self, batch: Batch) -> None:
        self.after = batch.after
        if not batch.more:
            self.seen = self.revision = batch.revision

    async def wait(self) -> None:
        await self._event.wait()
        self._event.clear()


class Listeners:
    def __init__(self, runtime: Runtime, note_number: Callable[[int], object]) -> None:
        self._runtime = runtime
        self._note_number = note_number
        self._all: dict[Listener, None] = {}
        self._by_person: Counter[int] = Counter()
        # Batches that are being read or were read since the last look. Listeners at the same position share them.
        self._batches: dict[Hashable, asyncio.Future[Batch]] = {}
        self._looking: asyncio.Task[None] | None = None

    def enter(self, pushed: Pushed) -> Listener:
        person_id = pushed.caller.user.id
        if self._by_person[person_id] >= PERSON_MAX:
            raise TooMany(f"You already have {PERSON_MAX} connections that listen. Close one of them first.", _RETRY_S)
        self._by_person[person_id] += 1
        listener = Listener(pushed, asyncio.get_running_loop().time())
        self._all[listener] = None
        self._note_number(len(self._all))
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_on())
        return listener

    def leave(self, listener: Listener) -> None:
        del self._all[listener]
        self._note_number(len(self._all))
        person_id = listener.pushed.caller.user.id
        self._by_person[person_id] -= 1
        if not self._by_person[person_id]:
            del self._by_person[person_id]

    async def read(self, listener: Listener) -> Batch:
        """Reads what comes after the listener's position. Raises an error if that is not kept any more."""
        pushed = listener.pushed
        key = pushed.topic, listener.after
        batch = self._batches.get(key)
        if batch is None:
            work = partial(pushed.read, after=listener.after)
            batch = self._batches[key] = asyncio.ensure_future(self._runtime.run(Mode.READ, work))
        return await asyncio.shield(batch)

    async def _look_on(self) -> None:
        try:
            while self._all:
                await asyncio.sleep(self._runtime.timing.listen_every_s)
                await self._look()
        finally:
            self._looking = None
            for listener in self._all:
                listener.stop(End.OVER)

    async def _look(self) -> None:
        everybody = list(self._all)
        callers = [listener.pushed.caller for listener in everybody]
        now = stamp(self._runtime.clock.now())
        since = idle_since(now, self._runtime.settings.session_idle_hours)
        self._batches.clear()
        try:
            standing = await self._runtime.ask(lambda db: listening.look(db, callers, now, since))
        except Unavailable:  # the outage is logged, and listeners continue when it is over
            standing = None
        for listener in everybody:
            if standing:
                _inform(listener, standing)
        self._beat(everybody)

    def _beat(self, everybody: list[Listener]) -> None:
        """Lets each listener send a heartbeat that has sent nothing for a while, so that both sides notice an end."""
        before = asyncio.get_running_loop().time() - self._runtime.timing.beat_s
        for listener in everybody:
            if listener.sent_at <= before:
                listener.beat()

    async def close(self) -> None:
        if self._looking:
            self._looking.cancel()


def _inform(listener: Listener, standing: Standing) -> None:
    caller = listener.pushed.caller
    if standing.allows(caller):
        listener.note(standing.revisions[caller.id])
    else:
        listener.stop(End.OVER)
