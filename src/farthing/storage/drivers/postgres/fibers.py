"""Runs plain blocking code on the event loop: a fiber (greenlet) is suspended while it waits for the database.

A thread for each request would cost twice as much, because the interpreter's lock would change hands at every answer
of the database.
"""

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import Executor
from selectors import EVENT_READ, EVENT_WRITE
from time import sleep, thread_time
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

T = TypeVar("T")
# After waiting this long for the database, a fiber or thread checks whether the database is still alive.
SILENT_S = 1.0


def run(work: Callable[..., T], *arguments: Any) -> "asyncio.Future[T]":
    """Starts a function in a new fiber at once. The function runs to its end, even if the future is cancelled."""
    ended: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def finish() -> None:
        try:
            result = work(*arguments)
        except BaseException as error:
            if not ended.done():
                ended.set_exception(error)
        else:
            if not ended.done():
                ended.set_result(result)

    _Fiber(finish).switch()
    return ended


class _Fiber(greenlet):
    """Measures its processor time: `spent_s` up to the last suspension, plus the time since `since`."""

    spent_s = 0.0

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(work)
        self.since = thread_time()


def cpu_s() -> float:
    """Returns the processor time of the current fiber or, outside of fibers, of the current thread."""
    fiber = getcurrent()
    return fiber.spent_s + thread_time() - fiber.since if isinstance(fiber, _Fiber) else thread_time()


def is_current() -> bool:
    """Tells whether this code runs in a fiber. Other code may simply block: it has its own thread or process."""
    return getcurrent().parent is not None


def run_in_thread(work: Callable[..., T], *arguments: Any, threads: Executor | None = None) -> T:
    """Calls a blocking function. Inside a fiber, calls it in a thread and suspends the fiber meanwhile."""
    if not is_current():
        return work(*arguments)
    done = asyncio.get_running_loop().run_in_executor(threads, work, *arguments)
    done.add_done_callback(getcurrent().switch)
    _suspend()
    return done.result()


def pause(seconds: float) -> None:
    if is_current():
        asyncio.get_running_loop().call_later(seconds, getcurrent().switch)
        _suspend()
    else:
        sleep(seconds)


def _suspend() -> Any:
    """Lets the event loop go on until something switches back to this fiber."""
    fiber = getcurrent()
    assert isinstance(fiber, _Fiber), "only fibers are suspended"
    assert fiber.parent is not None
    fiber.spent_s += thread_time() - fiber.since
    ready = fiber.parent.switch()
    fiber.since = thread_time()
    return ready


class Watch:
    """Lets fibers wait for a socket, given by its file descriptor.

    The descriptor stays registered with the event loop between waits, because registering is expensive. Data that
    arrives while no fiber waits must be read by `receive`, or the loop would report it again and again. Call `end` in
    the same turn of the loop in which the descriptor is closed.
    """

    __slots__ = ("_check", "_descriptor", "_fiber", "_loop", "_receive")

    def __init__(self, descriptor: int, receive: Callable[[], None], check: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._receive = receive
        self._check = check
        self._fiber: greenlet | None = None
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(descriptor, self._wake, EVENT_READ)

    def run(self, steps: Generator[int, Any, T]) -> T:
        """Runs psycopg's generator to its end. It yields the events to wait for, and is sent those that occurred."""
        try:
            event = next(steps)
            while True:
                event = steps.send(self._wait(event))
        except StopIteration as ended:
            result: T = ended.value
            return result

    def _wait(self, event: int) -> int:
        self._fiber = getcurrent()
        if event & EVENT_WRITE:
            self._loop.add_writer(self._descriptor, self._wake, EVENT_WRITE)
        timer = self._loop.call_later(SILENT_S, self._wake, 0)
        ready: int = _suspend()
        timer.cancel()
        if event & EVENT_WRITE:
            self._loop.remove_writer(self._descriptor)
        self._fiber = None
        if not ready:
            self._check()
        return ready or event  # data that arrived during the check was received already, and is not reported again

    def _wake(self, ready: int) -> None:
        if self._fiber:
            self._fiber.switch(ready)
        else:
            self._receive()

    def end(self) -> None:
        if not self._loop.is_closed():
            self._loop.remove_reader(self._descriptor)
