"""How does plain code wait without holding up the event loop? In a fiber, set aside until what it waits for is there.

A thread for each request would have the interpreter's lock change hands at every word from the database.
"""

import asyncio
import select
from collections.abc import Callable
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")
_LOOK_EVERY_S = 1.0


def run(work: Callable[..., T], *given: Any) -> "asyncio.Future[T]":
    """Begins at once, and goes on to its end whether or not anybody still waits for it."""
    ended: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def work_off() -> None:
        try:
            found = work(*given)
        except BaseException as error:
            if not ended.done():
                ended.set_exception(error)
        else:
            if not ended.done():
                ended.set_result(found)

    greenlet(work_off).switch()
    return ended


def is_current() -> bool:
    """Is this code run in a fiber? Otherwise it may simply block: it has a thread or a process of its own."""
    return getcurrent().parent is not None


def aside(work: Callable[..., T], *given: Any) -> T:
    """What can only block is done by a thread; a fiber waits for it, and everybody else does it themselves."""
    if not is_current():
        return work(*given)
    return _awaited(asyncio.get_running_loop().run_in_executor(None, work, *given))


def _awaited(coming: "asyncio.Future[T]") -> T:
    fiber = getcurrent()
    assert fiber.parent is not None, "only fibers wait"
    coming.add_done_callback(fiber.switch)
    fiber.parent.switch()
    return coming.result()


def ready(descriptor: int, wanted: int, timeout_ms: int | None = None) -> int:
    """Blocks until it can be read, or written to, and says which of them; 0 when nothing came in time."""
    poll = select.poll()
    poll.register(
        descriptor, (select.POLLIN if wanted & EVENT_READ else 0) | (select.POLLOUT if wanted & EVENT_WRITE else 0)
    )
    found = poll.poll(timeout_ms)
    if not found:
        return 0
    events = found[0][1]
    able = (EVENT_READ if events & select.POLLIN else 0) | (EVENT_WRITE if events & select.POLLOUT else 0)
    return able or wanted  # something is wrong with it, and who tries hears what


class Watch:
    """Wakes the fiber that waits when there is something to read. Kept from one wait to the next: to begin is dear.

    Who waits for long looks by themselves now and then, should the loop have missed something. What comes while nobody
    waits is `unasked`, and to be read there, or the loop would tell of it again and again. It must `end` in the same
    turn in which its descriptor is closed: the loop dies of what is closed and watched.
    """

    __slots__ = ("_descriptor", "_fiber", "_loop", "_timer", "_unasked")

    def __init__(self, descriptor: int, unasked: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._unasked = unasked
        self._fiber: greenlet | None = None
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(descriptor, self._wake, EVENT_READ)
        self._timer = self._loop.call_later(_LOOK_EVERY_S, self._look)

    def until(self, wanted: int) -> int:
        """Sets the fiber aside until it can read, or write if it wants to; and says which of them it may try."""
        fiber = getcurrent()
        assert fiber.parent is not None, "only fibers wait"
        if wanted & EVENT_WRITE:
            # There is nearly always room for what is written: a turn of the loop for each piece would be far too long.
            if at_once := ready(self._descriptor, wanted, 0):
                return at_once
            self._loop.add_writer(self._descriptor, self._wake, EVENT_WRITE)
        self._fiber = fiber
        able: int = fiber.parent.switch()
        self._fiber = None
        if wanted & EVENT_WRITE:
            self._loop.remove_writer(self._descriptor)
        return able

    def _wake(self, able: int) -> None:
        if self._fiber:
            self._fiber.switch(able)
        else:
            self._unasked()

    def _look(self) -> None:
        self._timer = self._loop.call_later(_LOOK_EVERY_S, self._look)
        if self._fiber:
            self._wake(EVENT_READ)

    def end(self) -> None:
        self._timer.cancel()
        if not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
