"""A bill with more candidates than a request should touch: a job links them, batch by batch, beside the requests."""

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import perf_counter
from typing import Any

import pytest

from farthing.books.bills import claim
from farthing.books.bookkeeping import record
from farthing.identity import users
from farthing.jobs.worker import HELD_FOR, Worker
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Type
from farthing.storage.unit import Database, Unit

from ..builders import AT, EUR, day, money
from ..conftest import Client, World
from ..transactions.making import account_named, findings, withdrawal
from .making import a_bill, asset, bill_of, changed, linked, made, paid, seen, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small numbers, so that a handful of withdrawals are many."""
    monkeypatch.setattr(claim, "AT_ONCE_MAX", 5)
    monkeypatch.setattr(claim, "BATCH", 2)


class Watched:
    """A database that tells how long each unit of work held the lock, and what may come between reading and writing."""

    def __init__(self, books: Database) -> None:
        self._books = books
        self.dialect = books.dialect
        self.read, self.write = books.read, books.write
        self.held: list[float] = []
        self.between: Callable[[], object] = lambda: None

    @contextmanager
    def reading(self) -> Iterator[Unit]:
        with self._books.reading() as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator[Unit]:
        self.between()
        with self._books.writing() as db:
            begun = perf_counter()
            yield db
        self.held.append(perf_counter() - begun)

    def close(self) -> None:
        pass

    def assert_held_shortly(self) -> None:
        """Some milliseconds, mostly: a busy machine may let anybody wait in the middle of it."""
        assert statistics.median(self.held) < 1
        assert max(self.held) < HELD_FOR.total_seconds() / 4


def a_worker(world: World) -> tuple[Worker, Watched]:
    books = Watched(world.books)
    return Worker(books, world.time.clock()), books


def drained(worker: Worker, most: int = 1000) -> int:
    return next(turns for turns in range(most) if not worker.turn())


def several(client: Client, source_id: str, many: int) -> list[dict[str, Any]]:
    return [paid(client, source_id, f"2024-04-{number + 1:02}", str(800 + number % 3)) for number in range(many)]


def recorded(world: World, client: Client, source_id: str, many: int) -> None:
    """Withdrawals in the range of the usual bill, of which two in three have its words."""
    paid(client, source_id, "2024-01-01", "1", description="x")
    [shop] = account_named(client, "Grocer")
    parties = Party(int(source_id), EUR, "Checking"), Party(int(shop["id"]), EUR, "Grocer")
    for first in range(0, many, 1000):
        entries = [
            Entry(
                Type.WITHDRAWAL,
                day("2024-01-01") + timedelta(days=number % 120),
                f"Rent {number}, landlord" if number % 3 else f"Something {number}",
                (Split(*parties, money(f"{800 + number % 50}.{number % 100:02}")),),
            )
            for number in range(first, min(first + 1000, many))
        ]
        with world.books.writing() as db:
            users.take(db, client.user.id, token_id=None, now=AT, doing="test")
            record.record_all(db, client.user.id, entries, AT)


def count_linked(world: World, bill: dict[str, Any]) -> int:
    with world.books.reading() as db:
        return int(db.value("SELECT COUNT(*) FROM entries WHERE bill_id = :id", id=int(bill["id"])))


def test_a_few_thousand_transactions_are_linked_by_a_job(me: Client, checking: str, world: World) -> None:
    recorded(world, me, checking, 3000)

    bill = stored(me)

    assert bill["attributes"]["matching"] is True
    assert count_linked(world, bill) == 0
    worker, books = a_worker(world)
    assert drained(worker) == 31, "a hundred at a time, and a last look"
    assert count_linked(world, bill) == 2000
    assert seen(me, bill)["matching"] is False
    assert me.get("/bills").json()["data"][0]["attributes"]["matching"] is False
    books.assert_held_shortly()
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("many", "waits"), [(5, False), (6, True)])
def test_up_to_the_limit_transactions_are_linked_at_once(
    me: Client, checking: str, world: World, many: int, waits: bool
) -> None:
    several(me, checking, many)

    bill = stored(me)

    assert bill["attributes"]["matching"] is waits
    assert len(linked(me, bill)) == (0 if waits else many)
    drained(a_worker(world)[0])
    assert len(linked(me, bill)) == many


@pytest.mark.usefixtures("few")
def test_transactions_that_are_already_linked_do_not_count(me: Client, checking: str, world: World) -> None:
    bill = stored(me)
    several(me, checking, 8)

    assert changed(me, bill, a_bill(notes="again"))["attributes"]["matching"] is False


@pytest.mark.usefixtures("few")
def test_no_more_than_a_maximum_of_transactions_is_read(
    me: Client, checking: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claim, "_LOOKED_AT_MAX", 8)
    bill = stored(me)
    several(me, checking, 8)

    assert changed(me, bill, a_bill(notes="again"))["attributes"]["matching"] is True
    assert drained(a_worker(world)[0]) == 1, "nothing is free, so it reads to the end at once"


@pytest.mark.usefixtures("few")
def test_when_a_worker_is_killed_another_one_resumes_its_job(me: Client, checking: str, world: World) -> None:
    several(me, checking, 9)
    bill = stored(me)
    killed, heir = a_worker(world)[0], a_worker(world)[0]

    assert (killed.turn(), killed.turn()) == (True, True)
    assert len(linked(me, bill)) == 4
    assert heir.turn() is False
    world.time.now += HELD_FOR

    assert drained(heir) == 3
    assert len(linked(me, bill)) == 9
    assert killed.turn() is True, "risen from the dead it finds nothing of its own"
    assert len(linked(me, bill)) == 9
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
def test_a_worker_killed_within_a_batch_leaves_none_of_it_behind(me: Client, checking: str, world: World) -> None:
    several(me, checking, 6)
    bill = stored(me)
    worker, _ = a_worker(world)

    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(claim.queue, "keep", die)
        with pytest.raises(Killed):
            worker.turn()

    assert linked(me, bill) == []
    world.time.now += HELD_FOR
    drained(a_worker(world)[0])
    assert len(linked(me, bill)) == 6


@pytest.mark.usefixtures("few")
def test_running_a_job_twice_does_no_harm(me: Client, checking: str, world: World) -> None:
    several(me, checking, 6)
    bill = stored(me)
    drained(a_worker(world)[0])
    with world.books.writing() as db:
        db.run("UPDATE jobs SET finished_at = NULL, held_until = NULL WHERE user_id = :id", id=me.user.id)

    drained(a_worker(world)[0])

    assert len(linked(me, bill)) == 6
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
def test_what_changes_between_reading_and_writing_is_matched_again(me: Client, checking: str, world: World) -> None:
    found = several(me, checking, 6)
    stored(me)
    worker, books = a_worker(world)

    def change_one() -> None:
        books.between = lambda: None
        body = withdrawal(checking, "801", date="2024-04-02", description="Something else")
        assert me.put(f"/transactions/{found[1]['id']}", body).status_code == 200

    worker.turn()  # takes the job, and does its first part: the two of 800
    assert [bill_of(me, one)[1] for one in found] == ["Rent", None, None, "Rent", None, None]
    books.between = change_one
    drained(worker)

    assert [bill_of(me, one)[1] for one in found] == ["Rent", None, "Rent", "Rent", "Rent", "Rent"]


@pytest.mark.usefixtures("few")
def test_links_by_hand_and_new_transactions_take_precedence_over_the_job(
    me: Client, checking: str, world: World
) -> None:
    gas = stored(me, a_bill(name="Gas", match="gas", amount_min="1", amount_max="2"))
    found = several(me, checking, 6)
    bill = stored(me)
    body = withdrawal(checking, "800", date="2024-04-01", description="Rent, landlord")
    me.put(f"/transactions/{found[0]['id']}", {**body, "bill_id": gas["id"]})
    me.put(f"/transactions/{found[3]['id']}", {**body, "bill_id": ""})
    new = paid(me, checking)
    assert new["bill_name"] == "Rent", "what is new is tried at once"

    drained(a_worker(world)[0])

    assert [bill_of(me, one)[1] for one in found] == ["Gas", "Rent", "Rent", None, "Rent", "Rent"]
    assert seen(me, bill)["matching"] is False


@pytest.mark.usefixtures("few")
def test_changing_the_bill_restarts_the_job(me: Client, checking: str, world: World) -> None:
    several(me, checking, 9)
    bill = stored(me)
    worker, _ = a_worker(world)
    worker.turn()

    changed(me, bill, a_bill(amount_min="800.50"))
    drained(worker)

    with world.books.reading() as db:
        amounts = db.all(
            "SELECT s.units FROM entries e JOIN splits s ON s.entry_id = e.id WHERE e.bill_id = :id ORDER BY s.units",
            id=int(bill["id"]),
        )
    assert [units for (units,) in amounts] == [80000] * 2 + [80100] * 3 + [80200] * 3


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("how", ["paused", "not matching", "deleted"])
def test_the_job_skips_a_bill_that_no_longer_matches_automatically(
    me: Client, checking: str, world: World, how: str
) -> None:
    several(me, checking, 9)
    bill = stored(me)
    worker, _ = a_worker(world)
    worker.turn()

    if how == "deleted":
        me.delete(f"/bills/{bill['id']}")
    else:
        flags = {"active": how != "paused", "automatch": how == "paused"}
        assert changed(me, bill, a_bill(**flags))["attributes"]["matching"] is False
    drained(worker)

    assert count_linked(world, bill) == (0 if how == "deleted" else 2)
    assert findings(world, me) == []


@pytest.mark.usefixtures("few")
def test_a_second_bill_queues_so_that_the_first_wins(me: Client, checking: str, world: World) -> None:
    several(me, checking, 6)
    first = stored(me, a_bill(name="First", match="rent"))
    second = stored(me, a_bill(name="Second", match="landlord"))
    third = stored(me, a_bill(name="Third", match="nothing at all"))
    assert [one["attributes"]["matching"] for one in me.get("/bills").json()["data"]] == [True, True, True]

    drained(a_worker(world)[0])

    assert [len(linked(me, one)) for one in (first, second, third)] == [6, 0, 0]
    assert [one["attributes"]["matching"] for one in me.get("/bills").json()["data"]] == [False, False, False]


@pytest.mark.usefixtures("few")
def test_another_users_job_delays_nobody(me: Client, someone_else: Client, checking: str, world: World) -> None:
    several(me, checking, 6)
    stored(me)
    paid(someone_else, made(someone_else, asset()))

    bill = stored(someone_else)

    assert (bill["attributes"]["matching"], linked(someone_else, bill)) == (False, ["2024-05-01"])
    drained(a_worker(world)[0])


@pytest.mark.usefixtures("few")
def test_matches_tell_that_a_job_is_waiting(me: Client, checking: str, world: World) -> None:
    several(me, checking, 6)
    bill = stored(me)

    whys = {one["attributes"]["why"] for one in me.get(f"/bills/{bill['id']}/matches").json()["data"]}

    assert len(whys) == 3
    assert all(why.endswith(", but has not been linked yet") for why in whys)
    drained(a_worker(world)[0])
    whys = {one["attributes"]["why"] for one in me.get(f"/bills/{bill['id']}/matches").json()["data"]}
    assert not any("still" in why for why in whys)


@pytest.mark.usefixtures("few")
def test_when_its_user_is_deleted_the_job_ends_quietly(me: Client, checking: str, world: World) -> None:
    several(me, checking, 9)
    stored(me)
    worker, _ = a_worker(world)
    worker.turn()

    with world.books.writing() as db:
        users.remove(db, me.user.id)

    assert drained(worker) == 1
