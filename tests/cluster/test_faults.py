"""Parts of the cluster fail while everybody writes: nothing acknowledged is lost or doubled, and nobody waits."""

import random
import time

import pytest

from .cluster import SOURCES
from .conftest import FULL
from .load import Load
from .parts import until

KILLS = 40 if FULL else 5
FAILOVERS = 20 if FULL else 1
FROZEN_S = 30


@pytest.fixture(scope="module")
def cluster(cluster):
    """Nobody of the tests before is there: the books of everybody are examined after each fault."""
    cluster.begin_again(SOURCES)
    return cluster


@pytest.fixture(autouse=True)
def healed(cluster):
    """Each test begins with everybody there."""
    until(cluster.has_synchronous_replica, "the replica does not follow", *cluster.nodes)
    for number in (1, 2, 3):
        cluster.wait_ready(number)


def test_servers_are_killed_at_random(cluster, tell):
    chance = random.Random(1)
    with Load(cluster) as load:
        for _ in range(KILLS):
            until(lambda: len(cluster.ready_servers()) >= 2, "servers do not come back", *cluster.servers)
            server = chance.choice(cluster.ready_servers())
            server.kill()
            server.start()
            load.wait_for_writes(chance.randint(5, 60))

    tell(f"{KILLS} kills; {load.told()}")
    assert load.answers.counts["broken connection"] == 0


def test_postgresql_is_restarted(cluster, tell):
    with Load(cluster) as load:
        cluster.restart_postgres()
        load.wait_for_writes(30)

    tell(load.told())


def test_the_pooler_is_restarted(cluster, tell):
    with Load(cluster) as load:
        for _ in range(3):
            cluster.pooler.kill()
            cluster.pooler.start()
            load.wait_for_writes(30)

    tell(load.told())


def test_the_line_to_the_database_is_frozen(cluster, tell):
    with Load(cluster) as load:
        cluster.pooler.freeze()
        time.sleep(FROZEN_S)
        cluster.pooler.thaw()
        load.wait_for_writes(30)

    tell(load.told())
    assert load.answers.slowest_s < FROZEN_S, "nobody waits for the line"


def test_the_primary_dies_and_the_replica_takes_over(cluster, tell):
    for number in range(FAILOVERS):
        with Load(cluster, seed=number) as load:
            old = cluster.primary
            old.kill()
            load.wait_for_writes(30)
            assert cluster.primary is not old
            old.start()
            until(cluster.has_synchronous_replica, "the old primary does not follow", *cluster.nodes)
        tell(f"failover {number + 1} of {FAILOVERS}: {load.told()}")
