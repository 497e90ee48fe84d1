"""Firing: every planned day exactly once, whatever happens in between."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from farthing.books.bookkeeping import record
from farthing.care import doctor
from farthing.jobs.firing import Firer, fire_everyone

from ..conftest import Client, World
from .making import a_recurrence, a_repetition, a_split, asset, errors, fired, made, occurrences, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def balance(client: Client, account_id: str, day: str) -> Any:
    return client.get(f"/accounts/{account_id}", date=day).json()["data"]["attributes"]["current_balance"]


def test_nothing_is_due_before_the_first_date(me: Client, checking: str) -> None:
    stored(me, a_recurrence(checking))

    assert me.post("/recurrences/trigger").status_code == 204
    assert fired(me, "2024-05-31") == []


def test_every_missed_day_is_caught_up_in_order(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))

    assert fired(me, "2024-09-15") == ["2024-06-01", "2024-07-01", "2024-08-01", "2024-09-01"]
    assert balance(me, checking, "2024-09-15") == -101.8
    assert me.get(f"/recurrences/{kept['id']}").json()["data"]["attributes"]["latest_date"] == "2024-09-01"


def test_a_day_fires_once_however_often_it_is_triggered(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))

    runs = [
        fired(me, "2024-07-01"),
        fired(me, "2024-07-01", kept["id"]),
        fired(me, "2024-06-15"),
        fired(me, "2024-08-01"),
    ]

    assert runs == [["2024-06-01", "2024-07-01"], [], [], ["2024-08-01"]]


def test_deleting_what_fired_does_not_fire_it_again(me: Client, checking: str) -> None:
    stored(me, a_recurrence(checking))
    fired(me, "2024-06-01")
    [made_one] = me.get("/transactions").json()["data"]

    me.delete(f"/transactions/{made_one['id']}")

    assert fired(me, "2024-06-30") == []


def test_an_edit_does_not_fire_days_again(me: Client, checking: str, world: World) -> None:
    first, second = a_repetition("weekly", "6", weekend=3), a_repetition("weekly", "1")
    kept = stored(me, a_recurrence(checking, repetitions=[first, second]))
    world.time.now = datetime(2024, 6, 7, 12, tzinfo=UTC)
    assert fired(me, "2024-06-07") == ["2024-05-31", "2024-06-03", "2024-06-07"]

    moved = a_recurrence(checking, repetitions=[second, {**first, "weekend": 4}])
    me.put(f"/recurrences/{kept['id']}", moved)

    # Saturday the 8th has fired on Friday the 7th: it does not come again on Monday the 10th.
    assert fired(me, "2024-06-10") == ["2024-06-10"]


def test_an_edit_first_fires_what_is_due(me: Client, checking: str, world: World) -> None:
    kept = stored(me, a_recurrence(checking))
    world.time.now = datetime(2024, 6, 20, 12, tzinfo=UTC)

    me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, repetitions=[a_repetition("monthly", "25")]))

    assert [one["attributes"]["date"] for one in me.get("/transactions").json()["data"]] == ["2024-06-01"]
    assert fired(me, "2024-06-30") == ["2024-06-25"]


def test_the_number_of_repetitions_counts_all_firings_including_deleted_ones(me: Client, checking: str) -> None:
    both = [a_repetition("weekly", "1"), a_repetition("weekly", "2")]
    stored(me, a_recurrence(checking, nr_of_repetitions=3, repetitions=both))
    assert fired(me, "2024-06-04") == ["2024-06-03", "2024-06-04"]
    me.delete(f"/transactions/{me.get('/transactions').json()['data'][0]['id']}")

    assert fired(me, "2024-07-31") == ["2024-06-10"]


def test_a_dropped_day_does_not_count(me: Client, checking: str) -> None:
    stored(me, a_recurrence(checking, nr_of_repetitions=2, repetitions=[a_repetition("daily", "", weekend=2)]))

    assert fired(me, "2024-06-30") == ["2024-06-03", "2024-06-04"]


def test_it_stops_after_its_end_date(me: Client, checking: str) -> None:
    stored(me, a_recurrence(checking, repeat_until="2024-07-01"))

    assert fired(me, "2024-12-31") == ["2024-06-01", "2024-07-01"]


def test_three_planned_days_land_on_one_monday_and_each_fires(me: Client, checking: str) -> None:
    stored(me, a_recurrence(checking, repetitions=[a_repetition("daily", "", weekend=4)]))

    assert fired(me, "2024-06-03") == ["2024-06-03"] * 3


@pytest.mark.parametrize(("number", "later"), [(None, ["2024-05-24", "2024-05-31"]), (1, [])])
def test_a_first_day_that_lands_before_the_day_of_creation_fires(
    me: Client, checking: str, world: World, number: int | None, later: list[str]
) -> None:
    """Made on a Saturday for the Sunday, which lands on the Friday before."""
    world.time.now = datetime(2024, 5, 18, 12, tzinfo=UTC)
    sundays = {"first_date": "2024-05-19", "repetitions": [a_repetition("weekly", "7", weekend=3)]}
    stored(me, a_recurrence(checking, **sundays, **({"nr_of_repetitions": number} if number else {})))

    assert fired(me, "2024-05-18") == ["2024-05-17"]
    assert fired(me, "2024-06-01") == later


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (a_repetition("weekly", "7"), ["2024-05-17", "2024-05-24"]),  # comes on the Sunday itself
        (a_repetition("weekly", "3"), ["2024-05-17", "2024-05-24"]),  # came on Wednesday
        (a_repetition("weekly", "7", weekend=2), ["2024-05-17", "2024-05-24"]),  # would have been dropped
        (a_repetition("weekly", "7", weekend=3), ["2024-05-24"]),  # came on Friday already
    ],
)
@pytest.mark.parametrize("catch_up", ["all", "none"])
def test_a_day_to_come_that_an_edit_lands_in_the_past_fires(
    me: Client, checking: str, world: World, before: Any, expected: list[str], catch_up: str
) -> None:
    """Changed on a Saturday to land on the Friday before; the Sunday is still to come."""
    me.put("/preferences/recurrenceCatchUp", {"data": catch_up})
    world.time.now = datetime(2024, 5, 10, 12, tzinfo=UTC)
    kept = stored(me, a_recurrence(checking, first_date="2024-05-15", repetitions=[before]))
    world.time.now = datetime(2024, 5, 17, 12, tzinfo=UTC)
    fired(me, "2024-05-17")
    world.time.now = datetime(2024, 5, 18, 12, tzinfo=UTC)
    after = a_recurrence(checking, first_date="2024-05-15", repetitions=[a_repetition("weekly", "7", weekend=3)])

    me.put(f"/recurrences/{kept['id']}", after)

    assert fired(me, "2024-05-18") + fired(me, "2024-05-24") == expected
    assert fired(me, "2024-05-24") == []


def test_a_paused_recurrence_does_not_fire_and_skips_missed_days_when_resumed(
    me: Client, checking: str, world: World
) -> None:
    daily = {"repetitions": [a_repetition("daily", "")]}
    kept = stored(me, a_recurrence(checking, active=False, **daily))
    assert fired(me, "2024-06-10") == []
    world.time.now = datetime(2024, 6, 20, 12, tzinfo=UTC)

    changed = me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, **daily)).json()["data"]

    assert occurrences(changed)[0] == "2024-06-20"
    assert fired(me, "2024-06-21") == ["2024-06-20", "2024-06-21"]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("all", ["2024-06-01", "2024-07-01", "2024-08-01"]), ("latest", ["2024-08-01"]), ("none", ["2024-08-01"])],
)
def test_catching_up_follows_the_preference(me: Client, checking: str, policy: str, expected: list[str]) -> None:
    me.put("/preferences/recurrenceCatchUp", {"data": policy})
    stored(me, a_recurrence(checking))

    assert fired(me, "2024-08-01") == expected
    assert fired(me, "2024-08-31") == []


def test_a_firing_makes_a_complete_transaction(me: Client, checking: str) -> None:
    splits = [
        a_split(checking, category_name="Sport", budget_name="Health"),
        a_split(checking, description="Locker", amount="5"),
    ]
    kept = stored(me, a_recurrence(checking, tags="auto", transactions=splits))
    fired(me, "2024-06-01")

    shown = [one["attributes"] for one in me.get(f"/recurrences/{kept['id']}/transactions").json()["data"]]

    assert [(one["identifier"], one["transaction_description"]) for one in shown] == [(0, "Membership"), (1, "Locker")]
    assert {(one["type"], one["tags"], one["recurrence_id"], one["source_name"]) for one in shown} == {
        ("Withdrawal", "auto", int(kept["id"]), "Checking")
    }
    assert (shown[0]["category_name"], shown[0]["budget_name"]) == ("Sport", "Health")
    assert "Gym" in shown[0]["notes"]


def test_what_fired_with_several_splits_can_be_saved_as_it_is_shown(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, transactions=[a_split(checking), a_split(checking, description="Locker")]))
    fired(me, "2024-06-01")
    shown = me.get(f"/recurrences/{kept['id']}/transactions").json()["data"]
    splits = [a_split(checking, description=one["attributes"]["transaction_description"]) for one in shown]
    body = {"date": "2024-06-01", "description": shown[0]["attributes"]["journal_description"], "transactions": splits}

    assert me.put(f"/transactions/{shown[0]['id']}", body).status_code == 200
    splits[1]["description"] = body["description"]
    splits[0]["description"] = "Fee"
    assert me.put(f"/transactions/{shown[0]['id']}", body).status_code == 200
    splits[0]["description"] = body["description"] = "Locker"
    assert set(errors(me.put(f"/transactions/{shown[0]['id']}", body))) == {"transactions.0.description"}


def test_a_firing_can_pay_a_bill(me: Client, checking: str) -> None:
    bill = {"name": "Gym", "match": "membership", "amount_min": "20", "amount_max": "30", "date": "2024-06-01"}
    bill |= {"repeat_freq": "monthly", "skip": 0, "automatch": 1, "active": 1, "currency_code": "EUR"}
    assert me.post("/bills", bill).status_code == 200
    stored(me, a_recurrence(checking))

    fired(me, "2024-06-01")

    assert me.get("/transactions").json()["data"][0]["attributes"]["bill_name"] == "Gym"


def test_a_failing_recurrence_says_why_and_does_not_stop_the_others(me: Client, checking: str) -> None:
    huge = [a_split(checking, amount="92233720368547758.07")]
    bad = stored(me, a_recurrence(checking, title="Huge", transactions=huge))
    stored(me, a_recurrence(checking, title="Small"))

    assert fired(me, "2024-07-01") == ["2024-06-01", "2024-07-01"]
    assert "too large to store" in me.get(f"/recurrences/{bad['id']}").json()["data"]["attributes"]["failure"]


PAST_64_BITS = "This would make the balance of an account too large to store."


def a_huge_recurrence(client: Client, checking: str, title: str = "Huge") -> str:
    """It can be stored, but its two splits together are more than an account can hold."""
    huge = a_split(checking, amount="92233720368547758.07")
    return str(stored(client, a_recurrence(checking, title=title, transactions=[huge, huge]))["id"])


def test_running_one_that_is_due_but_cannot_fire_is_refused_with_the_reason(me: Client, checking: str) -> None:
    plan = a_huge_recurrence(me, checking)

    early, due = (me.post(f"/recurrences/{plan}/trigger?date=2024-{day}") for day in ("05-31", "06-01"))

    assert early.status_code == 204, "nothing was due"
    assert errors(due) == {"id": [f"“Huge” could not create its transactions: {PAST_64_BITS}"]}
    assert me.get("/transactions").json()["data"] == []


def test_running_all_is_refused_with_every_reason_when_none_of_those_due_can_fire(me: Client, checking: str) -> None:
    plans = [a_huge_recurrence(me, checking, title) for title in ("Huge", "Vast")]

    early, due = (me.post(f"/recurrences/trigger?date=2024-{day}") for day in ("05-31", "06-01"))

    assert early.status_code == 204
    assert errors(due) == {
        f"recurrences.{plan}": [f"“{title}” could not create its transactions: {PAST_64_BITS}"]
        for plan, title in zip(plans, ("Huge", "Vast"), strict=True)
    }


def test_a_refused_run_keeps_the_failure_of_the_last_one(new_world: World) -> None:
    me = new_world.someone()
    plan = a_huge_recurrence(me, made(me, asset()))
    new_world.time.now = datetime(2024, 6, 1, 0, 30, tzinfo=UTC)
    list(fire_everyone(new_world.books, new_world.time.clock()))

    assert list(errors(me.post(f"/recurrences/{plan}/trigger"))) == ["id"]
    assert me.get(f"/recurrences/{plan}").json()["data"]["attributes"]["failure"] == PAST_64_BITS


def test_everyone_is_fired_soon_after_their_own_midnight(new_world: World) -> None:
    east, west = new_world.someone(), new_world.someone()
    for client, zone in ((east, "Pacific/Kiritimati"), (west, "America/Los_Angeles")):
        client.put("/preferences/timezone", {"data": zone})
        stored(client, a_recurrence(made(client, asset())))

    def made_at(hour: int, day: int = 31) -> int:
        new_world.time.now = datetime(2024, 5, day, hour, 30, tzinfo=UTC)
        return sum(len(one.entry_ids) for one in fire_everyone(new_world.books, new_world.time.clock()))

    assert [made_at(9), made_at(10), made_at(11)] == [0, 1, 0], "midnight of 1 June in Kiritimati is 10:00 UTC"
    new_world.time.now = datetime(2024, 6, 1, 7, 30, tzinfo=UTC)
    assert sum(len(one.entry_ids) for one in fire_everyone(new_world.books, new_world.time.clock())) == 1


def test_the_change_log_names_automatic_firings(new_world: World) -> None:
    me = new_world.someone()
    stored(me, a_recurrence(made(me, asset())))
    new_world.time.now = datetime(2024, 6, 1, 0, 30, tzinfo=UTC)

    list(fire_everyone(new_world.books, new_world.time.clock()))

    newest = me.get("/changes").json()["data"][0]["attributes"]
    assert (newest["doing"], newest["token_id"]) == ("recurrences.fire", None)


def revision(new_world: World, client: Client) -> int:
    with new_world.books.reading() as db:
        return int(db.value("SELECT revision FROM users WHERE id = :id", id=client.user.id))


def test_a_user_with_nothing_due_before_midnight_is_not_written_to(new_world: World) -> None:
    me = new_world.someone()
    stored(me, a_recurrence(made(me, asset())))
    new_world.time.now = datetime(2024, 5, 31, 23, 30, tzinfo=UTC)
    before = revision(new_world, me)

    assert list(fire_everyone(new_world.books, new_world.time.clock())) == []
    assert revision(new_world, me) == before


def test_a_failure_is_retried_after_an_hour_or_when_more_is_due(new_world: World) -> None:
    me = new_world.someone()
    checking = made(me, asset())
    huge = a_split(checking, amount="92233720368547758.07")
    stored(me, a_recurrence(checking, title="Bad", transactions=[huge, huge]))
    firing = Firer(new_world.books, new_world.time.clock())
    new_world.time.now = datetime(2024, 6, 1, 0, 30, tzinfo=UTC)

    def titles() -> list[str]:
        return [one.title for one in firing.fire_everyone()]

    assert [titles(), titles()] == [["Bad"], []]
    new_world.time.now += timedelta(minutes=61)
    assert [titles(), titles()] == [["Bad"], []]
    daily = [a_repetition("daily", "")]
    stored(me, a_recurrence(checking, title="Good", first_date="2024-06-02", repetitions=daily))
    new_world.time.now += timedelta(hours=23)
    assert [titles(), titles()] == [["Bad", "Good"], ["Bad"]], "of what was due, one is left"
    assert titles() == []


def test_a_long_catch_up_fires_every_day_and_keeps_the_books_consistent(new_world: World) -> None:
    me = new_world.someone()
    checking = made(me, asset())
    stored(me, a_recurrence(checking, repetitions=[a_repetition("daily", "", weekend=3)]))
    new_world.time.now += timedelta(days=400)

    runs = [list(fire_everyone(new_world.books, new_world.time.clock())) for _ in range(2)]

    days = (new_world.time.now.date() - datetime(2024, 6, 1, tzinfo=UTC).date()).days + 1
    made_days = sum(len(one.entry_ids) for one in runs[0])
    assert days <= made_days <= days + 2, "the weekend after today may have fired on Friday already"
    assert runs[1] == []
    assert list(doctor.examine(new_world.books)) == []


def test_a_bug_in_one_recurrence_does_not_stop_the_others(
    me: Client, checking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = stored(me, a_recurrence(checking, title="Bad"))
    stored(me, a_recurrence(checking, title="Good"))

    def recorded(db: Any, user_id: int, entries: Any, now: str) -> Any:
        if "Bad" in entries[0].notes:
            raise ZeroDivisionError
        return record.record_all(db, user_id, entries, now)

    monkeypatch.setattr("farthing.books.recurrences.fire.record", SimpleNamespace(record_all=recorded))

    assert fired(me, "2024-06-01") == ["2024-06-01"]
    assert "ZeroDivisionError" in me.get(f"/recurrences/{bad['id']}").json()["data"]["attributes"]["failure"]


def test_a_user_whose_recurrences_cannot_be_read_does_not_stop_others(new_world: World) -> None:
    strange, other = new_world.someone(), new_world.someone()
    for client in (strange, other):
        stored(client, a_recurrence(made(client, asset())))
    with new_world.books.writing() as db:
        values = {"data": '"Nowhere/Atlantis"', "user_id": strange.user.id}
        db.run("UPDATE preferences SET data = :data WHERE name = 'timezone' AND user_id = :user_id", **values)
    new_world.time.now += timedelta(days=30)

    made_by = [one.title for one in fire_everyone(new_world.books, new_world.time.clock()) if one.entry_ids]

    assert made_by == ["Gym"]


def test_a_day_beyond_every_plan_is_refused(me: Client, checking: str) -> None:
    plan = stored(me, a_recurrence(checking))["id"]

    for path in ("/recurrences/trigger", f"/recurrences/{plan}/trigger"):
        response = me.post(f"{path}?date=9998-12-31")
        assert response.status_code == 422
        assert list(response.json()["errors"]) == ["date"]


def test_a_long_catch_up_resumes_where_it_stopped(me: Client, checking: str) -> None:
    """A thousand at once: whoever asks for years of days asks again."""
    plan = stored(me, a_recurrence(checking, repetitions=[a_repetition("daily", "")]))["id"]

    first, rest = fired(me, "2027-05-31", plan), fired(me, "2027-05-31")

    assert len(first) == 1000
    assert len({*first, *rest}) == len(first) + len(rest) == 365 * 3
    assert fired(me, "2027-05-31", plan) == []
