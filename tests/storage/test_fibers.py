"""Fibers: plain code that waits, on an event loop that does not."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Generator, Iterator
from selectors import EVENT_READ, EVENT_WRITE

import pytest

from farthing.storage.drivers.postgres import fibers

from .things import PATIENCE_S

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    pair = socket.socketpair()
    for one in pair:
        one.setblocking(False)
    yield pair
    for one in pair:
        one.close()


def test_work_that_does_not_wait_is_done_at_once(on_loop):
    async def begin() -> tuple[bool, int]:
        ended = fibers.run(divmod, 7, 2)
        return ended.done(), await ended

    assert on_loop(begin) == (True, (3, 1))


def test_an_error_reaches_the_caller_from_a_fiber_and_from_its_thread(on_loop):
    async def begin() -> None:
        with pytest.raises(ZeroDivisionError):
            await fibers.run(divmod, 7, 0)
        with pytest.raises(ZeroDivisionError):
            await fibers.run(fibers.run_in_thread, divmod, 7, 0)

    on_loop(begin)


def test_a_fiber_that_waits_for_a_thread_holds_up_nobody_and_ends_although_nobody_waits(on_loop):
    async def begin() -> list[str]:
        told: list[str] = []
        let_go = threading.Event()

        def wait_slowly() -> None:
            told.append("began")
            fibers.run_in_thread(let_go.wait, 60)
            told.append("ended")

        abandoned = asyncio.ensure_future(asyncio.wait_for(fibers.run(wait_slowly), 0.001))
        with pytest.raises(TimeoutError):
            await abandoned
        await fibers.run(told.append, "another")
        let_go.set()
        while len(told) < 3:
            await asyncio.sleep(0.01)
        return told

    assert on_loop(begin) == ["began", "another", "ended"]


def test_outside_of_fibers_work_is_called_directly():
    assert not fibers.is_current()
    assert fibers.run_in_thread(threading.get_ident) == threading.get_ident()


def test_fibers_wait_one_after_the_other_on_a_watch_that_reads_what_comes_in_between(on_loop, ends):
    own, other = ends
    asked: list[bytes] = []
    unasked: list[bytes] = []

    def receive_two() -> Generator[int, int, bytes]:
        del asked[:]
        while len(asked) < 2:
            assert (yield EVENT_READ) == EVENT_READ
            asked.append(own.recv(1))
        return b"".join(asked)

    async def until_received(heard: list[bytes], number: int) -> None:
        while len(heard) < number:
            await asyncio.sleep(0)

    async def begin() -> list[bytes]:
        watch = fibers.Watch(own.fileno(), lambda: unasked.append(own.recv(1)), lambda: None)
        found = []
        for words in (b"ab", b"cd"):
            ended = fibers.run(watch.run, receive_two())
            for number, letter in enumerate(words, 1):
                other.send(bytes([letter]))
                await until_received(asked, number)
            found.append(await ended)
            other.send(b"!")
            await until_received(unasked, len(found))
        watch.end()
        other.send(b"?")
        for _ in range(3):  # the loop would hear it in its next turn
            await asyncio.sleep(0)
        return found

    assert on_loop(begin) == [b"ab", b"cd"]
    assert unasked == [b"!", b"!"]


def test_a_fiber_that_would_read_or_write_is_woken_for_each(on_loop, ends):
    own, other = ends
    woken = {EVENT_READ: 0, EVENT_WRITE: 0}

    def send_more_than_fits() -> Generator[int, int, None]:
        left = b"x" * 4_000_000
        while left:
            ready = yield EVENT_READ | EVENT_WRITE
            woken[ready] += 1
            if ready == EVENT_READ:
                own.recv(100)
            else:
                left = left[own.send(left) :]

    async def begin() -> None:
        watch = fibers.Watch(own.fileno(), lambda: None, lambda: None)
        ended = fibers.run(watch.run, send_more_than_fits())
        while not ended.done():
            for talk in (lambda: other.send(b"!"), lambda: other.recv(100_000)):
                with contextlib.suppress(BlockingIOError):
                    talk()
            await asyncio.sleep(0)
        watch.end()
        await ended

    on_loop(begin)
    assert min(woken.values()) > 0


def test_a_fiber_reads_to_the_end_of_a_peer_that_hung_up_with_words_unread(on_loop, ends):
    own, other = ends

    def receive_all() -> Generator[int, int, bytes]:
        words = b""
        while True:
            yield EVENT_READ
            try:
                words += own.recv(3)
            except ConnectionResetError:
                return words

    async def begin() -> bytes:
        watch = fibers.Watch(own.fileno(), lambda: None, lambda: None)
        own.send(b"unread")
        other.send(b"last words")
        other.close()
        found = await asyncio.wait_for(fibers.run(watch.run, receive_all()), PATIENCE_S)
        watch.end()
        return found

    assert on_loop(begin) == b"last words"
