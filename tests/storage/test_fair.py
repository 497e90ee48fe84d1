"""Users take turns: however much one of them asks for, another one is next."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from time import perf_counter

import pytest

from farthing.kernel.errors import Departed, TooLong, TooMany
from farthing.storage.fair import loop_turns, rests
from farthing.storage.fair.line import Asker
from farthing.storage.fair.loop_turns import LoopTurns
from farthing.storage.fair.queue import WAITING_MAX, FairQueue
from farthing.storage.fair.rests import Rests
from farthing.storage.fair.threads import FairThreads
from farthing.storage.unit import Unit

ANN, BEN, CLEO = (Asker(user=name) for name in ("ann", "ben", "cleo"))
# Counts until it is interrupted; PostgreSQL would stop at a full disk.
ENDLESS = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT MAX(n) FROM numbers"


def order_of(askers: list[Asker], *, at_once: int, of_user: int) -> tuple[list[str], int]:
    """The users in the order in which their work began, and how many pieces ran at the same time at most."""
    began: list[str] = []
    running: list[str] = []
    most = 0

    async def begin() -> None:
        queue = FairQueue(at_once, of_user)
        await asyncio.gather(*(queue.run(asker, lambda asker=asker: work(asker)) for asker in askers))

    async def work(asker: Asker) -> None:
        nonlocal most
        began.append(str(asker.user))
        running.append(str(asker.user))
        most = max(most, len(running))
        await asyncio.sleep(0)
        running.remove(str(asker.user))

    asyncio.run(begin())
    return began, most


def test_users_take_turns_however_much_one_of_them_asks_for() -> None:
    began, most = order_of([ANN] * 5 + [BEN, BEN, CLEO], at_once=1, of_user=1)

    assert began == ["ann", "ann", "ben", "cleo", "ann", "ben", "ann", "ann"]
    assert most == 1


def test_one_user_never_takes_every_place() -> None:
    began, most = order_of([ANN] * 5 + [BEN], at_once=3, of_user=2)

    assert began[:3] == ["ann", "ann", "ben"]
    assert most == 3


def test_more_than_a_bound_of_one_user_is_refused_and_others_are_not() -> None:
    ann, ben = (Asker(user=name, is_bounded=True) for name in ("ann", "ben"))

    async def begin() -> list[object]:
        queue = FairQueue(1, 1)
        asked = [queue.run(asker, answer) for asker in [ann] * (WAITING_MAX + 2) + [ben]]
        return await asyncio.gather(*asked, return_exceptions=True)

    async def answer() -> str:
        await asyncio.sleep(0)
        return "answered"

    answers = asyncio.run(begin())

    assert isinstance(answers[-2], TooMany)
    assert answers[:-2] + answers[-1:] == ["answered"] * (WAITING_MAX + 2)


def test_what_nobody_waits_for_any_more_leaves_the_queue_unrun() -> None:
    async def begin() -> tuple[list[object], int]:
        queue, gone, ran = FairQueue(1, 1), asyncio.get_running_loop().create_future(), []

        async def work() -> None:
            ran.append(1)
            await asyncio.sleep(0)

        hung_up = [queue.run(Asker(user="ann", gone=gone), work) for _ in range(60)]
        asking = asyncio.gather(queue.run(BEN, work), *hung_up, return_exceptions=True)
        await asyncio.sleep(0)
        gone.set_result(None)
        answers = await asking
        await queue.run(CLEO, work)  # nothing is left behind that would hold the only place
        return answers, len(ran)

    answers, ran = asyncio.run(begin())

    assert answers[0] is None
    assert {type(answer) for answer in answers[1:]} == {Departed}
    assert ran == 2


def test_a_call_in_the_very_moment_of_hanging_up_holds_no_place() -> None:
    async def begin() -> str:
        queue, leaves = FairQueue(1, 1), asyncio.Event()
        first = asyncio.create_task(queue.run(ANN, leaves.wait))
        await asyncio.sleep(0)
        second = asyncio.create_task(queue.run(BEN, leaves.wait))
        await asyncio.sleep(0)
        leaves.set()
        await first
        second.cancel()  # it was called just now, and has not begun
        await asyncio.wait([second])
        return await asyncio.wait_for(queue.run(CLEO, answer), 5)

    async def answer() -> str:
        return "answered"

    assert asyncio.run(begin()) == "answered"


def test_threads_of_one_kind_of_work_are_shared_by_turns() -> None:
    began: list[object] = []

    async def begin() -> None:
        threads = FairThreads("test", 1, of_user_max=1)
        await asyncio.gather(*(threads.run(asker, began.append, asker.user) for asker in [ANN] * 5 + [BEN]))
        threads.shutdown()

    asyncio.run(begin())

    assert began.index("ben") <= 2


def test_short_work_takes_turns_on_the_event_loop(quiet_database, monkeypatch) -> None:
    monkeypatch.setattr(loop_turns, "_AT_ONCE_S", -1.0)
    began: list[object] = []

    def work(db: Unit, asker: Asker) -> None:
        began.append(asker.user)
        db.value("SELECT 1")

    async def begin() -> None:
        asked = [quiet_database.read(lambda db, a=asker: work(db, a), asker=asker) for asker in [ANN] * 8 + [BEN]]
        await asyncio.gather(*asked)

    asyncio.run(begin())

    assert len(began) == 9
    # PostgreSQL lets one user have several connections at a time.
    assert began.index("ben") <= (2 if quiet_database.dialect == "sqlite" else 8)


@pytest.mark.any_database
def test_who_comes_while_another_keeps_the_event_loop_busy_waits_for_one_piece_of_work_at_most() -> None:
    began: list[object] = []

    async def work(turns: LoopTurns, asker: Asker) -> None:
        await turns.wait(asker)
        began.append(asker.user)
        if began.count(asker.user) == 5 and asker == ANN:
            ben_arrives()
        until = perf_counter() + 0.003
        while perf_counter() < until:
            pass

    def ben_arrives(in_turns: int = 5) -> None:
        """A new connection passes through some turns of the loop before its request comes to the line."""
        loop = asyncio.get_running_loop()
        if in_turns:
            loop.call_soon(ben_arrives, in_turns - 1)
        else:
            tasks.append(loop.create_task(work(turns, BEN)))

    async def begin() -> None:
        tasks.extend(asyncio.create_task(work(turns, ANN)) for _ in range(20))
        while len(began) < 21:
            await asyncio.sleep(0.001)

    turns, tasks = LoopTurns(), list[asyncio.Task[None]]()
    asyncio.run(begin())

    assert began.index("ben") == 5


@pytest.mark.any_database
def test_who_had_much_rests_until_it_is_a_third_of_the_time_as_long_as_others_are_there(monkeypatch) -> None:
    now = 100.0
    monkeypatch.setattr(rests, "monotonic", lambda: now)
    had = Rests()

    had.add("ann", 0.9)
    had.note_request(BEN)
    assert not had.is_resting("ann"), "a second is free"
    had.add("ann", 1.0)
    assert had.is_resting("ann")
    assert not had.is_resting("ben")
    now += 2.0
    had.note_request(ANN)
    assert not had.is_resting("ann"), "nobody else is there any more"
    had.note_request(BEN)
    assert had.is_resting("ann")
    now += 1.0
    assert not had.is_resting("ann")
    had.add("ann", 1000.0)
    now += 6.1
    had.note_request(BEN)
    assert not had.is_resting("ann"), "nobody rests for longer than some seconds"


def test_large_work_waits_for_the_rests_of_its_user(quiet_database, monkeypatch) -> None:
    monkeypatch.setattr(rests, "_FREE_S", 0.0)
    at: list[float] = []

    async def read_twice() -> None:
        await quiet_database.read(lambda db: db.value("SELECT 1"), asker=BEN)
        for _ in range(2):
            await quiet_database.read(lambda _db: Event().wait(0.2) or at.append(perf_counter()), large=True, asker=ANN)

    asyncio.run(read_twice())

    assert at[1] - at[0] > 0.5, "the rest of the first, and the second"


def test_a_large_read_that_takes_too_long_is_interrupted(quiet_database) -> None:
    with seconds(quiet_database, 0.2):
        with pytest.raises(TooLong, match="Request less data"):
            asyncio.run(quiet_database.read(lambda db: db.value(ENDLESS), large=True, asker=ANN))

        assert asyncio.run(quiet_database.read(lambda db: db.value("SELECT 1"), large=True, asker=ANN)) == 1


def test_a_large_read_of_many_short_statements_is_interrupted_too(quiet_database) -> None:
    def ask_without_end(db: Unit) -> None:
        while True:
            db.value("SELECT 1")

    with seconds(quiet_database, 0.2), pytest.raises(TooLong):
        asyncio.run(quiet_database.read(ask_without_end, large=True, asker=ANN))


def test_a_large_read_that_nobody_waits_for_any_more_is_interrupted(quiet_database) -> None:
    async def begin() -> int:
        gone = asyncio.get_running_loop().create_future()
        asker = Asker(user="ann", gone=gone)
        reading = asyncio.create_task(quiet_database.read(lambda db: db.value(ENDLESS), large=True, asker=asker))
        asyncio.get_running_loop().call_later(0.1, gone.set_result, None)
        with pytest.raises(Departed):
            await reading
        return await quiet_database.read(lambda db: db.value("SELECT 1"), large=True, asker=BEN)

    assert asyncio.run(begin()) == 1


def test_a_large_read_of_one_user_lets_another_read_at_the_same_time(quiet_database) -> None:
    async def begin() -> tuple[int, bool]:
        gone = asyncio.get_running_loop().create_future()
        asker = Asker(user="ann", gone=gone)
        endless = [
            asyncio.create_task(quiet_database.read(lambda db: db.value(ENDLESS), large=True, asker=asker))
            for _ in range(5)
        ]
        one = await quiet_database.read(lambda db: db.value("SELECT 1"), large=True, asker=BEN)
        went_on = not any(reading.done() for reading in endless)
        gone.set_result(None)
        await asyncio.wait(endless)
        assert all(isinstance(reading.exception(), Departed) for reading in endless)
        return one, went_on

    assert asyncio.run(begin()) == (1, True)


def test_a_write_that_has_begun_is_not_interrupted(quiet_database) -> None:
    async def begin() -> int:
        loop = asyncio.get_running_loop()
        gone = loop.create_future()

        def write(db: Unit) -> int:
            loop.call_soon_threadsafe(gone.set_result, None)
            while not gone.done():
                db.value("SELECT 1")
            return db.value("SELECT 1")

        return await quiet_database.write(write, large=True, asker=Asker(user="ann", gone=gone))

    assert asyncio.run(begin()) == 1


@contextmanager
def seconds(database, budget: float) -> Iterator[None]:
    before, database.large_read_s = database.large_read_s, budget
    try:
        yield
    finally:
        database.large_read_s = before
