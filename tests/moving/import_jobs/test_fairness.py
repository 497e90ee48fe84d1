"""One person's import stops nobody else's, and ends when it takes too much."""

from farthing.moving.import_runs import reader_processes

from .making import a_csv, a_job, a_worker, an_account, shown

_ENTRY = b"2024-01-01 Baker\n  assets:cash  1 EUR\n  expenses:bread\n"


def test_a_file_that_takes_too_long_fails_once_while_others_are_imported(world, me, someone_else, monkeypatch):
    monkeypatch.setattr(
        reader_processes, "LIMITS", reader_processes.ReadingLimits(cpu_s=1, memory_bytes=2**30, silent_s=60)
    )
    slow = a_job(me, _ENTRY * 60_000, "books.journal")
    small = a_job(someone_else, a_csv("2024-05-01,Baker,Bread,-1"), account_id=an_account(someone_else))
    for client, job in ((me, slow), (someone_else, small)):
        assert client.post(f"/import_jobs/{job['id']}/run").status_code == 200
    worker = a_worker(world)

    while shown(someone_else, small)["state"] == "running":
        assert worker.turn()

    assert shown(someone_else, small)["state"] == "done"
    assert shown(me, slow)["state"] == "running"
    worker.work_off()
    failed = shown(me, slow)
    assert (failed["state"], failed["findings"][-1]["message"]) == ("failed", reader_processes.TOO_MUCH)
    assert a_worker(world).turn() is False, "it is not tried again"
