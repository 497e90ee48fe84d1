"""Requests are counted in a file for each worker; whoever is asked adds them up, and what was counted stays."""

from pathlib import Path

from farthing.care.watch.meter import BOUNDS, OTHER, Meter

ACCOUNT = ("GET", "/api/v1/accounts/{id}")
BILLS = ("POST", "/api/v1/bills")


def test_requests_are_counted_by_status_and_time():
    meter = Meter([ACCOUNT, BILLS], None)

    meter.count(*ACCOUNT, 200, 0.0004)
    meter.count(*ACCOUNT, 404, 0.003)
    meter.count(*ACCOUNT, 204, 99)

    assert set(meter.counted()) == {ACCOUNT}
    found = meter.counted()[ACCOUNT]
    assert found.statuses == [0, 0, 2, 0, 1, 0]
    assert found.buckets == [1, 0, 1, *[0] * (len(BOUNDS) - 3), 1]
    assert found.microseconds == 400 + 3000 + 99_000_000


def test_a_bound_belongs_to_its_own_bucket():
    meter = Meter([ACCOUNT], None)

    meter.count(*ACCOUNT, 200, BOUNDS[3])

    assert meter.counted()[ACCOUNT].buckets[3] == 1


def test_what_nobody_declared_is_other():
    meter = Meter([ACCOUNT], None)

    meter.count("BREW", "/api/v1/accounts/{id}", 405, 0.1)
    meter.count("GET", "/nowhere", 404, 0.1)
    meter.count(*ACCOUNT, 0, 0.1)

    assert meter.counted()[OTHER].statuses[4] == 2
    assert meter.counted()[ACCOUNT].statuses[0] == 1


def test_all_workers_are_summed_whoever_is_asked(tmp_path: Path):
    one, two = Meter([ACCOUNT], tmp_path), Meter([BILLS, ACCOUNT], tmp_path)
    one.count(*ACCOUNT, 200, 0.002)
    two.count(*ACCOUNT, 200, 0.004)
    two.count(*BILLS, 500, 0.004)

    assert one.counted() == two.counted()
    assert one.counted()[ACCOUNT].statuses[2] == 2
    assert one.counted()[ACCOUNT].microseconds == 6000
    assert one.counted()[BILLS].statuses[5] == 1
    assert one.present().workers == 2
    one.close()
    two.close()


def test_what_a_dead_worker_counted_stays(tmp_path: Path):
    one, two = Meter([ACCOUNT], tmp_path), Meter([ACCOUNT], tmp_path)
    two.count(*ACCOUNT, 200, 0.002)
    two.close()

    one.count(*ACCOUNT, 200, 0.002)

    assert one.counted()[ACCOUNT].statuses[2] == 2
    assert one.present().workers == 1
    one.close()


def test_listeners_and_memory_are_those_of_the_living(tmp_path: Path):
    one, two = Meter([ACCOUNT], tmp_path), Meter([ACCOUNT], tmp_path)
    one.note_listeners(3)
    two.note_listeners(4)
    assert one.measure().listeners == 7
    memory = one.measure().memory["workers"]
    two.close()

    assert one.measure().listeners == 3
    assert 2**20 < one.measure().memory["workers"] < memory
    assert set(one.counted()) == set()
    one.close()


def test_where_no_file_can_be_made_each_worker_counts_for_itself(tmp_path: Path):
    meter = Meter([ACCOUNT], tmp_path / "gone")

    meter.count(*ACCOUNT, 200, 0.002)

    assert meter.counted()[ACCOUNT].statuses[2] == 1
    assert meter.present().workers == 1
