"""The clock is set back, and right again: nothing is doubled, nothing lost, nothing stuck."""

import pytest

from ..length import databases
from .household import Household
from .test_killed import until


@pytest.fixture
def household(tmp_path, new_database_url):
    return Household(tmp_path, new_database_url).found()


def days(first: int, last: int) -> list[str]:
    return [f"2024-05-{day}" for day in range(first, last + 1)]


@pytest.mark.parametrize("dialect", databases(short="sqlite"), indirect=True)
def test_a_clock_that_is_set_back_doubles_nothing_and_stops_nothing(household):
    with household.serving("--workers", "2") as server:
        household.move_in(server)
        recurrence_id = household.recur("2024-05-16")
        first = household.record("bread", key="once")
        household.set_clock("2024-05-17T11:00:00+00:00")
        until(lambda: household.fired(recurrence_id) == days(16, 17), "it did not fire")
        attachment_id = household.promise()
        assert household.upload(attachment_id, b"content", "upload").status == 204
        tag = household.get(f"/accounts/{household.account_id}").headers["etag"]

        household.set_clock("2024-05-08T12:00:00+00:00")  # before any of it was made

        assert household.record("bread", key="once").body == first.body
        assert household.upload(attachment_id, b"content", "upload").is_replay
        assert household.get(f"/attachments/{attachment_id}/download").body == b"content"
        unchanged = household.exchange("GET", f"/accounts/{household.account_id}", headers={"If-None-Match": tag})
        assert unchanged.status == 200  # its balance is that of another day
        household.assert_reads_go_on()
        assert household.record().status == 200
        undo_the_newest(household)
        later = household.recur("2024-05-10")
        household.set_clock("2024-05-11T12:00:00+00:00")
        until(lambda: household.fired(later) == days(10, 11), "the new one did not fire")
        assert household.post(f"/recurrences/{recurrence_id}/trigger").status == 204
        assert household.fired(recurrence_id) == days(16, 17)
        assert household.terminal.run("trash", "list", "ann@farthing.example").returncode == 0

        household.set_clock("2024-05-17T11:30:00+00:00")

        assert household.record("bread", key="once").body == first.body
        until(lambda: household.fired(later) == days(10, 17), "the days in between did not fire")
        assert household.fired(recurrence_id) == days(16, 17)
        household.set_clock("2024-05-19T12:00:00+00:00")
        until(lambda: household.fired(recurrence_id) == days(16, 19), "the days to come did not fire")
        until(lambda: household.fired(later) == days(10, 19), "the days to come did not fire")
        household.assert_all_is_there(besides=4 + 10)
        household.told("")
        assert server.stop() == 0
    assert household.terminal.says("doctor").startswith("No problems")


def undo_the_newest(household: Household) -> None:
    """What came last is the newest, though its stamp is older than that of others."""
    newest = household.get("/changes?limit=1").document["data"][0]
    assert (newest["attributes"]["doing"], newest["attributes"]["created_at"][:10]) == (
        "transactions.create",
        "2024-05-08",
    )
    assert household.post(f"/changes/{newest['id']}/undo").status == 200
    household.recorded.pop()
