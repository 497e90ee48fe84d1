"""Overviews and exports from a real streaming replica: whoever has just written reads their write."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from farthing.care.doctor.page import page
from farthing.http.handling.replica import Replica
from farthing.http.handling.runtime import Timing
from farthing.kernel.errors import Misconfigured
from farthing.storage.drivers import open as database
from farthing.storage.drivers.postgres.lineage import Lineage, NotReplica, refuse_stranger
from farthing.storage.unit import Database

from ..accounts.making import asset, made
from ..answers import Check
from ..conftest import NOW, Client, World, running, settings_for
from ..postgres import PostgresServer, StreamingReplica, start_postgres, start_replica
from ..proof.test_killed import until
from .line import Line

SOON = Timing(replica_away_s=0.05, gather_uses_s=3600)
DAYS = {"start": "2024-05-01", "end": "2024-05-31"}


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[PostgresServer, StreamingReplica]]:
    primary = start_postgres()
    if primary is None and os.environ.get("CI") == "true":
        pytest.fail("PostgreSQL is missing, and CI must not skip it: install the dev group.")
    if primary is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows what a replica answers")
    primary.hurry()
    _ = primary.with_schema
    with start_replica(primary) as replica:
        yield primary, replica
    primary.die()
    primary.stop()


@pytest.fixture
def url(pair: tuple[PostgresServer, StreamingReplica]) -> str:
    """Of a new database on the primary; the replica has it already."""
    primary, replica = pair
    url = primary.new_books()
    replica.catch_up(primary)
    return url


@pytest.fixture
def line(url: str, pair: tuple[PostgresServer, StreamingReplica]) -> Iterator[Line]:
    line = Line(pair[1].url_of(url))
    yield line
    line.end()


@pytest.fixture
def world(url: str, line: Line, tmp_path: Path, check_answer: Check) -> Iterator[World]:
    yield from running(url, tmp_path, check_answer, timing=SOON, read_url=line.url)


def spend(me: Client, account: str, amount: str) -> None:
    split = {"amount": amount, "currency_code": "EUR", "source_id": account, "destination_name": "Baker"}
    body = {"type": "withdrawal", "date": "2024-05-02", "description": "bread", "transactions": [split]}
    assert me.post("/transactions", body).status_code == 200


def spent(me: Client) -> Any:
    answer = me.get("/summary/basic", **DAYS)
    assert answer.status_code == 200, answer.text
    return next(one["monetary_value"] for one in answer.json() if one["key"].startswith("spent"))


def asks_replica(line: Line, me: Client) -> bool:
    """Whether the replica has answered, and was not only asked how far it is: that takes two round trips."""
    before = line.round_trips
    spent(me)
    return line.round_trips - before > 2


def until_used(line: Line, me: Client, replica: StreamingReplica, url: str) -> None:
    """To connect takes round trips as well, beside the first overviews: only later ones tell who has answered."""

    def is_used() -> bool:
        is_connected = replica.is_in_use(url)
        return asks_replica(line, me) and is_connected

    until(is_used, "the replica is not used")


@pytest.fixture
def reader(line: Line, world: World, pair: tuple[PostgresServer, StreamingReplica], url: str) -> Client:
    """Somebody who has spent 1, and whose overviews come from the replica."""
    primary, replica = pair
    me = world.someone()
    spend(me, made(me, asset()), "1")
    replica.catch_up(primary)
    until_used(line, me, replica, url)
    return me


def test_an_overview_comes_from_a_replica_that_is_up_to_date_and_from_no_other(
    line: Line, world: World, pair: Any, url: str
):
    primary, replica = pair
    me = world.someone()
    account = made(me, asset())
    spend(me, account, "1")
    replica.catch_up(primary)
    until_used(line, me, replica, url)
    assert spent(me) == -1

    replica.pause()
    try:
        spend(me, account, "7.25")
        assert spent(me) == -8.25, "whoever has just written reads their write"
        assert not asks_replica(line, me)
        assert b"7.25" in me.get("/export", format="csv").content
    finally:
        replica.go_on()

    replica.catch_up(primary)
    assert asks_replica(line, me)
    assert spent(me) == -8.25
    before = line.round_trips
    assert b"7.25" in me.get("/export", format="csv").content
    assert line.round_trips - before > 5, "the export was read from the replica"


def test_while_the_replica_is_away_the_primary_answers_and_that_is_logged_once(
    line: Line, reader: Client, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING, logger="farthing.storage"):
        line.refuse()
        assert [spent(reader) for _ in range(5)] == [-1] * 5
        line.accept()
        until(lambda: asks_replica(line, reader), "the replica is not looked for again")

    assert [text.split(",")[0].split(";")[0] for text in replica_warnings(caplog)] == [
        "reading from the replica fails", "reading from the replica works again",
    ]  # fmt: skip


def replica_warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [text for record in caplog.records if "replica" in (text := record.getMessage())]


def test_a_copy_that_went_its_own_way_to_the_same_revision_is_not_read(
    pair: Any, tmp_path: Path, check_answer: Check, caplog: pytest.LogCaptureFixture
):
    primary, _ = pair
    here, copy = primary.new_books(), primary.new_books()
    start = contextmanager(running)
    with start(copy, tmp_path / "copy", check_answer) as world:
        me = world.someone()
        spend(me, made(me, asset()), "99")

    with start(here, tmp_path / "here", check_answer, timing=SOON, read_url=copy) as world:
        me = world.someone()
        account = made(me, asset())
        spend(me, account, "1")
        until(lambda: spent(me) == -1 and replica_warnings(caplog), "nothing was said")

        assert [spent(me) for _ in range(5)] == [-1] * 5
        assert b"99" not in me.get("/export", format="csv").content
    assert len(replica_warnings(caplog)) == 1
    assert (
        "because it accepts writes. FARTHING_READ_URL must point to a streaming replica" in replica_warnings(caplog)[0]
    )


def test_a_replica_that_becomes_a_primary_is_not_read_until_it_is_a_replica_again(
    line: Line, reader: Client, pair: Any, url: str, caplog: pytest.LogCaptureFixture
):
    _, replica = pair
    line.lead_to(5432)
    until(lambda: spent(reader) == -1 and replica_warnings(caplog), "the primary was taken for a replica")
    assert "accepts writes" in replica_warnings(caplog)[0]

    line.lead_to(replica.port)
    until_used(line, reader, replica, url)


def test_doctor_says_whether_it_is_a_replica_of_the_database(pair: Any, url: str, tmp_path: Path):
    primary, replica = pair
    other = primary.new_books()
    replica.catch_up(primary)

    def ask(read_url: str) -> list[str]:
        settings = settings_for(url, tmp_path, read_url=read_url)
        with closing(database.connect(settings)) as books:
            return [f"{one.verdict} {one.says}" for one in page(settings, books, NOW) if one.name == "replica"]

    right = "FARTHING_READ_URL must point to a streaming replica of FARTHING_DATABASE_URL. Until then, it is not used"
    assert ask(replica.url_of(url)) == ["well a streaming replica of the database"]
    assert ask(url) == [f"look not used: This server is not a replica, because it accepts writes. {right}"]
    assert ask(replica.url_of(other)) == [f"look not used: This is another database on the replica. {right}"]


def test_a_replica_has_the_system_of_its_primary_if_both_say_theirs():
    mine = Lineage(database_oid="1", system="7")

    refuse_stranger(mine, Lineage(database_oid="1", system=None))
    with pytest.raises(NotReplica, match="another PostgreSQL"):
        refuse_stranger(mine, Lineage(database_oid="1", system="8"))


def test_sqlite_has_no_replica(tmp_path: Path):
    with pytest.raises(Misconfigured, match="FARTHING_READ_URL is set, but the database is SQLite"):
        settings_for("sqlite:///x.sqlite3", tmp_path, read_url="postgresql://replica/farthing")


def test_a_replica_that_cannot_be_used_is_left_alone_for_a_while_as_well(
    on_loop: Callable[[Any], Any], new_database: Database
):
    attempts = []

    def connect() -> Database:
        attempts.append("connect")
        raise Misconfigured("the database is encoded in LATIN1, but Farthing needs UTF8")

    async def begin() -> None:
        replica = Replica(new_database, connect, away_s=3600)
        for _ in range(3):
            assert not replica.is_there()
            await replica.close()  # which waits for an attempt to connect

    on_loop(begin)

    assert attempts == ["connect"]


def test_the_address_of_the_replica_must_be_that_of_a_postgresql(tmp_path: Path):
    with pytest.raises(Misconfigured, match=r"FARTHING_READ_URL is '.*', but must be postgresql://"):
        settings_for("sqlite:///x.sqlite3", tmp_path, read_url="mysql://replica")
