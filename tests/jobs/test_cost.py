"""What firing costs is measured by the benchmark; here it only has to measure what it says, on both databases."""

from bench.firing import catching_up, daily_runs

from farthing.care.doctor import examine
from farthing.storage.unit import Database


def test_a_daily_run_fires_what_is_due_among_many_who_are_not(new_database: Database) -> None:
    figures = daily_runs(new_database, users_=20, due=3, times=2)

    assert figures["fired per second"] > 0
    with new_database.reading() as db:
        assert db.value("SELECT COUNT(*) FROM users") == 3 + 1 + 2 * (20 - 3 - 1)
        assert db.value("SELECT COUNT(*) FROM firings") == 3 * (1 + 3 + 3), (
            "half of them, all of them, all of them among many"
        )


def test_catching_up_makes_the_same_transactions_as_recording(new_database: Database) -> None:
    figures = catching_up(new_database, days=120)

    assert figures["catching up against recording"] > 0
    with new_database.reading() as db:
        rows = db.all("SELECT user_id, COUNT(*), MIN(on_day), MAX(on_day) FROM entries GROUP BY user_id")
    assert [row[1:] for row in rows] == [(120, "2024-06-01", "2024-09-28")] * 2
    assert list(examine(new_database)) == []
