"""Fibers: plain code that waits, on an event loop that does not."""

import asyncio
import socket
import threading
import time
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE

import pytest

from farthing.storage import fibers


def unasked() -> None:
    """Nothing comes here while nobody waits for it."""


def test_what_does_not_wait_is_done_at_once(on_loop):
    async def begin() -> tuple[bool, int]:
        ended = fibers.run(divmod, 7, 2)
        return ended.done(), await ended

    assert on_loop(begin) == (True, (3, 1))


def test_what_it_raises_reaches_whoever_waits_for_it(on_loop):
    async def begin() -> None:
        with pytest.raises(ZeroDivisionError):
            await fibers.run(divmod, 7, 0)

    on_loop(begin)


def test_one_that_waits_for_a_thread_keeps_nobody_from_going_on(on_loop):
    async def begin() -> list[str]:
        told: list[str] = []
        let_go = threading.Event()

        def slowly() -> None:
            told.append("began")
            fibers.aside(let_go.wait, 60)
            told.append("ended")

        ended = fibers.run(slowly)
        await fibers.run(told.append, "another")
        let_go.set()
        await ended
        return told

    assert on_loop(begin) == ["began", "another", "ended"]


def test_what_a_thread_raises_is_raised_in_the_fiber(on_loop):
    def tried() -> str:
        try:
            fibers.aside(divmod, 7, 0)
        except ZeroDivisionError:
            return "told"
        return "silent"

    async def begin() -> str:
        return await fibers.run(tried)

    assert on_loop(begin) == "told"


def test_outside_of_fibers_everybody_does_it_themselves():
    assert not fibers.is_current()
    assert fibers.aside(threading.get_ident) == threading.get_ident()


def test_many_wait_each_for_its_own_socket(on_loop):
    """They are answered in another order than they began to wait in."""
    pairs = [socket.socketpair() for _ in range(20)]

    def heard(own: socket.socket) -> bytes:
        assert fibers.is_current()
        words, watch = b"", fibers.Watch(own.fileno(), unasked)
        while len(words) < 2:  # in two pieces: it waits twice for the same socket
            assert watch.until(EVENT_READ) == EVENT_READ
            words += own.recv(1)
        watch.end()
        return words

    async def begin() -> list[bytes]:
        waiting = [fibers.run(heard, own) for own, _ in pairs]
        for word in (b"a", b"b"):
            for _, other in reversed(pairs):
                other.send(word)
            await asyncio.sleep(0.01)
        return list(await asyncio.gather(*waiting))

    try:
        assert on_loop(begin) == [b"ab"] * len(pairs)
    finally:
        for one in pairs:
            for end in one:
                end.close()


def test_one_that_would_read_or_write_is_woken_once_for_each(on_loop):
    own, other = socket.socketpair()
    own.setblocking(False)
    other.setblocking(False)

    def sent() -> int:
        """More than fits: whoever is at the other end reads, and says something at the same time."""
        left, woken, watch = b"x" * 4_000_000, {EVENT_READ: 0, EVENT_WRITE: 0}, fibers.Watch(own.fileno(), unasked)
        while left:
            ready = watch.until(EVENT_READ | EVENT_WRITE)
            with suppress(BlockingIOError):  # who is woken may try; it may only have been time to look
                if ready & EVENT_READ:
                    own.recv(100)
                if ready & EVENT_WRITE:
                    left = left[own.send(left) :]
            for event in woken:
                woken[event] += bool(ready & event)
        watch.end()
        return min(woken.values())

    async def begin() -> int:
        ended = fibers.run(sent)
        while not ended.done():
            with suppress(BlockingIOError):
                other.send(b"!")
                other.recv(100_000)
            await asyncio.sleep(0)
        return await ended

    try:
        assert on_loop(begin) > 0
    finally:
        own.close()
        other.close()


def test_one_that_waits_for_long_looks_by_itself(on_loop):
    """Nothing is there to be read, and nothing ever comes."""
    own, other = socket.socketpair()

    def heard() -> int:
        watch = fibers.Watch(own.fileno(), unasked)
        ready = watch.until(EVENT_READ)
        watch.end()
        return ready

    async def begin() -> int:
        return await asyncio.wait_for(fibers.run(heard), 60)

    try:
        assert on_loop(begin) == EVENT_READ
    finally:
        own.close()
        other.close()


def test_it_goes_on_to_its_end_when_nobody_waits_any_more(on_loop):
    async def begin() -> list[str]:
        told: list[str] = []

        def slowly() -> None:
            fibers.aside(time.sleep, 0.05)
            told.append("ended")

        waiting = asyncio.ensure_future(asyncio.wait_for(fibers.run(slowly), 0.001))
        with pytest.raises(TimeoutError):
            await waiting
        while not told:
            await asyncio.sleep(0.01)
        return told

    assert on_loop(begin) == ["ended"]


def test_what_comes_while_nobody_waits_is_told_until_it_is_read(on_loop):
    own, other = socket.socketpair()
    told: list[bytes] = []

    async def begin() -> None:
        watch = fibers.Watch(own.fileno(), lambda: told.append(own.recv(1)))
        for word in (b"a", b"b"):
            other.send(word)
            await asyncio.sleep(0.02)
        watch.end()
        other.send(b"c")
        await asyncio.sleep(0.02)

    try:
        on_loop(begin)
        assert told == [b"a", b"b"]
    finally:
        own.close()
        other.close()


def test_one_fiber_after_the_other_waits_for_the_same_socket(on_loop):
    own, other = socket.socketpair()

    async def begin() -> list[bytes]:
        watch = fibers.Watch(own.fileno(), unasked)

        def heard() -> bytes:
            watch.until(EVENT_READ)
            return own.recv(1)

        words = []
        for word in (b"a", b"b"):
            ended = fibers.run(heard)
            other.send(word)
            words.append(await ended)
        watch.end()
        return words

    try:
        assert on_loop(begin) == [b"a", b"b"]
    finally:
        own.close()
        other.close()
