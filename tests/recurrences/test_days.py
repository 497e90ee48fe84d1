"""Single days of a recurrence: listed with what became of them, skipped, moved, taken back, and tried out first."""

from datetime import UTC, datetime
from typing import Any

import pytest

from farthing.care import doctor

from ..conftest import Client, World
from .making import a_recurrence, a_repetition, asset, errors, fired, made, occurrences, stored


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def days(client: Client, kept: dict[str, Any], start: str, end: str) -> list[dict[str, Any]]:
    response = client.get(f"/recurrences/{kept['id']}/occurrences", start=start, end=end)
    assert response.status_code == 200, response.text
    assert response.json()["meta"] == {"next_start": None}
    found: list[dict[str, Any]] = response.json()["data"]
    return found


def told(client: Client, kept: dict[str, Any], start: str, end: str) -> list[tuple[Any, ...]]:
    return [(one["planned_date"], one["date"], one["reason"], one["fired"]) for one in days(client, kept, start, end)]


def put(client: Client, kept: dict[str, Any], day: str, **body: Any) -> Any:
    return client.put(f"/recurrences/{kept['id']}/occurrences/{day}", body)


def changed(client: Client, kept: dict[str, Any], day: str, **body: Any) -> list[dict[str, Any]]:
    response = put(client, kept, day, **body)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["data"]
    return found


def taken_back(client: Client, kept: dict[str, Any], day: str) -> int:
    return int(client.delete(f"/recurrences/{kept['id']}/occurrences/{day}").status_code)


def shown(client: Client, kept: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/recurrences/{kept['id']}").json()["data"]
    return found


# The list


def test_planned_and_landed_days_are_listed_with_their_outcome(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, repetitions=[a_repetition("monthly", "1", weekend=4)]))
    fired(me, "2024-06-30")

    first, second, third = days(me, kept, "2024-06-01", "2024-08-31")

    [line] = me.get("/transactions").json()["data"]
    assert first == {
        "place": 0,
        "planned_date": "2024-06-01",
        "date": "2024-06-03",
        "reason": "weekend",
        "fired": True,
        "transaction_id": int(line["id"]),
        "journal_id": line["attributes"]["journal_id"],
    }
    assert (second["date"], second["reason"], second["fired"], second["transaction_id"]) == (
        "2024-07-01",
        None,
        False,
        None,
    )
    assert third["planned_date"] == "2024-08-01"


def test_a_day_whose_transaction_was_deleted_has_fired_but_shows_no_id(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    fired(me, "2024-06-01")
    me.delete(f"/transactions/{me.get('/transactions').json()['data'][0]['id']}")

    [day] = days(me, kept, "2024-06-01", "2024-06-30")

    assert (day["fired"], day["transaction_id"], day["journal_id"]) == (True, None, None)


def test_a_day_dropped_by_the_weekend_rule_is_listed(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, repetitions=[a_repetition("monthly", "1", weekend=2)]))

    assert told(me, kept, "2024-06-01", "2024-07-31") == [
        ("2024-06-01", None, "weekend", False),
        ("2024-07-01", "2024-07-01", None, False),
    ]


def test_a_range_lists_the_days_that_land_in_it(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, repetitions=[a_repetition("monthly", "30", weekend=3)]))

    assert told(me, kept, "2024-06-28", "2024-06-28") == [("2024-06-30", "2024-06-28", "weekend", False)]
    assert told(me, kept, "2024-06-29", "2024-06-30") == []


def test_days_of_all_repetitions_are_listed_in_order(me: Client, checking: str) -> None:
    both = [a_repetition("weekly", "3"), a_repetition("weekly", "2")]
    kept = stored(me, a_recurrence(checking, repetitions=both))

    found = days(me, kept, "2024-06-03", "2024-06-12")

    assert [(one["date"], one["place"]) for one in found] == [
        ("2024-06-04", 1), ("2024-06-05", 0), ("2024-06-11", 1), ("2024-06-12", 0),
    ]  # fmt: skip


def test_the_number_of_repetitions_ends_the_list(me: Client, checking: str) -> None:
    both = [a_repetition("weekly", "1"), a_repetition("weekly", "2")]
    kept = stored(me, a_recurrence(checking, nr_of_repetitions=3, repetitions=both))
    fired(me, "2024-06-03")

    found = days(me, kept, "2024-06-01", "2024-12-31")

    assert [(one["date"], one["fired"]) for one in found] == [
        ("2024-06-03", True), ("2024-06-04", False), ("2024-06-10", False),
    ]  # fmt: skip


def test_a_paused_recurrence_lists_past_days_but_no_future_ones(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    fired(me, "2024-06-01")
    me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, active=False))

    assert [one["date"] for one in days(me, kept, "2024-06-01", "2024-12-31")] == ["2024-06-01"]


def test_days_that_passed_without_firing_are_listed(me: Client, checking: str) -> None:
    me.put("/preferences/recurrenceCatchUp", {"data": "latest"})
    kept = stored(me, a_recurrence(checking))
    fired(me, "2024-07-15")

    assert [one[3] for one in told(me, kept, "2024-06-01", "2024-07-31")] == [False, True]


def test_fired_days_are_listed_unchanged_after_an_edit(me: Client, checking: str, world: World) -> None:
    kept = stored(me, a_recurrence(checking))
    world.time.now = datetime(2024, 6, 10, 12, tzinfo=UTC)
    me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, repetitions=[a_repetition("monthly", "20")]))

    found = told(me, kept, "2024-06-11", "2024-07-31")

    assert found == [("2024-06-20", "2024-06-20", None, False), ("2024-07-20", "2024-07-20", None, False)]
    assert ("2024-06-01", "2024-06-01", None, True) in told(me, kept, "2024-06-01", "2024-06-30")


def test_without_a_range_the_coming_year_is_listed(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))

    found = me.get(f"/recurrences/{kept['id']}/occurrences").json()["data"]

    assert (found[0]["date"], found[-1]["date"], len(found)) == ("2024-06-01", "2025-05-01", 12)


@pytest.mark.parametrize(
    ("start", "end", "fields"),
    [
        ("2024-07-01", "2024-06-01", {"start", "end"}),
        ("2024-07-01", "2044-07-02", {"start", "end"}),
        ("x", "2024-06-31", {"start", "end"}),
    ],
)
def test_a_range_is_checked(me: Client, checking: str, start: str, end: str, fields: set[str]) -> None:
    kept = stored(me, a_recurrence(checking))

    assert errors(me.get(f"/recurrences/{kept['id']}/occurrences", start=start, end=end)).keys() == fields


def test_a_long_list_comes_in_parts_without_gaps(me: Client, checking: str) -> None:
    many = [a_repetition("daily", "", weekend=1 + place % 4) for place in range(20)]
    kept = stored(me, a_recurrence(checking, repetitions=many))
    path, found, start = f"/recurrences/{kept['id']}/occurrences", [], "2024-06-01"

    for _ in range(20):
        part = me.get(path, start=start, end="2024-12-31").json()
        found += part["data"]
        start = part["meta"]["next_start"]
        if start is None:
            break

    assert start is None
    once = {(one["planned_date"], one["place"]) for one in found}
    before = 5 * 2  # the first weekend lands on the Friday before
    assert len(found) == len(once) == 20 * 214 - before


def test_a_range_far_away_is_answered_as_quickly(me: Client, checking: str) -> None:
    fifths = a_repetition("ndom", "5,1", skip=7)
    kept = stored(me, a_recurrence(checking, repetitions=[fifths, a_repetition("monthly", "last"), fifths]))

    found = days(me, kept, "9990-01-01", "9990-12-31")

    assert sum(one["place"] == 1 for one in found) == 12


# One day


def test_a_day_that_is_skipped_does_not_happen_and_does_not_count(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, nr_of_repetitions=3))

    [day] = changed(me, kept, "2024-07-01", skip=True)

    assert (day["date"], day["reason"], day["fired"]) == (None, "hand", False)
    assert occurrences(shown(me, kept)) == ["2024-06-01", "2024-08-01", "2024-09-01"]
    assert fired(me, "2024-12-31") == ["2024-06-01", "2024-08-01", "2024-09-01"]
    assert told(me, kept, "2024-07-01", "2024-07-31") == [("2024-07-01", None, "hand", False)]


def test_a_day_moved_behind_the_end_of_the_count_keeps_its_place_in_it(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, nr_of_repetitions=3))

    changed(me, kept, "2024-08-01", date="2024-10-15")

    lasting = ["2024-06-01", "2024-07-01", "2024-10-15"]
    assert occurrences(shown(me, kept)) == lasting
    assert [day for _, day, _, _ in told(me, kept, "2024-06-01", "2024-12-31")] == lasting
    assert [one["date"] for one in me.get("/upcoming", start="2024-05-16", end="2024-12-31").json()["data"]] == lasting
    assert fired(me, "2024-10-14") == lasting[:2]
    assert fired(me, "2024-12-31") == lasting[2:]


def test_a_moved_day_fires_once_on_its_new_date(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))

    [day] = changed(me, kept, "2024-07-01", date="2024-07-20")

    assert (day["planned_date"], day["date"], day["reason"]) == ("2024-07-01", "2024-07-20", "hand")
    assert occurrences(shown(me, kept))[:3] == ["2024-06-01", "2024-07-20", "2024-08-01"]
    assert fired(me, "2024-07-19") == ["2024-06-01"]
    assert fired(me, "2024-07-20") == ["2024-07-20"]
    assert fired(me, "2024-08-01") == ["2024-08-01"]
    assert told(me, kept, "2024-07-01", "2024-07-31") == [("2024-07-01", "2024-07-20", "hand", True)]


def test_a_day_may_be_moved_forward_over_others(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-09-01", date="2024-06-15")

    assert fired(me, "2024-07-01") == ["2024-06-01", "2024-06-15", "2024-07-01"]
    assert fired(me, "2024-10-01") == ["2024-08-01", "2024-10-01"]


def test_a_day_moved_onto_another_one_does_not_replace_it(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-07-01", date="2024-08-01")

    assert fired(me, "2024-08-31") == ["2024-06-01", "2024-08-01", "2024-08-01"]


def test_a_day_moved_into_the_past_fires_at_the_next_run_with_that_date(
    me: Client, checking: str, world: World
) -> None:
    kept = stored(me, a_recurrence(checking))
    world.time.now = datetime(2024, 7, 10, 12, tzinfo=UTC)
    fired(me, "2024-07-10")

    changed(me, kept, "2024-08-01", date="2024-06-20")

    assert me.post("/recurrences/trigger").json()["data"][0]["attributes"]["date"] == "2024-06-20"
    assert me.post("/recurrences/trigger").status_code == 204
    assert shown(me, kept)["attributes"]["latest_date"] == "2024-07-01", "the latest is the latest still"
    assert fired(me, "2024-09-01") == ["2024-09-01"]


@pytest.mark.parametrize("policy", ["latest", "none"])
def test_a_moved_day_fires_whatever_the_catch_up_preference(me: Client, checking: str, policy: str) -> None:
    me.put("/preferences/recurrenceCatchUp", {"data": policy})
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-06-01", date="2024-06-05")

    assert fired(me, "2024-08-01") == ["2024-06-05", "2024-08-01"]


def test_a_changed_day_can_be_changed_again_and_restored(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-07-01", skip=True)
    changed(me, kept, "2024-07-01", date="2024-07-02")
    assert occurrences(shown(me, kept))[1] == "2024-07-02"

    assert taken_back(me, kept, "2024-07-01") == 204

    assert occurrences(shown(me, kept))[1] == "2024-07-01"
    assert taken_back(me, kept, "2024-07-01") == 404, "there is nothing to take back"


def test_a_day_that_would_be_in_the_past_can_be_moved_but_not_restored(me: Client, checking: str, world: World) -> None:
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-06-01", skip=True)
    world.time.now = datetime(2024, 6, 10, 12, tzinfo=UTC)

    assert taken_back(me, kept, "2024-06-01") == 409, "whether anybody has looked at it meanwhile or not"
    fired(me, "2024-07-01")
    assert taken_back(me, kept, "2024-06-01") == 409
    changed(me, kept, "2024-06-01", date="2024-06-01")
    assert fired(me, "2024-07-01") == ["2024-06-01"]


def test_a_fired_day_cannot_be_changed(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-07-01", date="2024-06-10")
    fired(me, "2024-06-10")

    for day in ("2024-06-01", "2024-07-01"):
        assert put(me, kept, day, skip=True).status_code == 409
        assert f"planned for {day} exists already" in put(me, kept, day, date="2024-07-02").json()["message"]
        assert taken_back(me, kept, day) == 409


@pytest.mark.parametrize("day", ["2024-06-02", "2024-05-01", "2025-07-01"])
def test_only_a_planned_day_can_be_changed(me: Client, checking: str, day: str) -> None:
    kept = stored(me, a_recurrence(checking, repeat_until="2025-06-30"))

    assert errors(put(me, kept, day, skip=True)) == {"day": [f"Nothing is planned on {day}."]}
    assert taken_back(me, kept, day) == 422


@pytest.mark.any_database
@pytest.mark.parametrize("day", ["x", "2024-06-31", "20240601", "0999-01-01", "9999-01-01", "2024-6-1", "2024-W22-6"])
def test_an_invalid_day_is_not_found(me: Client, checking: str, day: str) -> None:
    kept = stored(me, a_recurrence(checking))

    assert put(me, kept, day, skip=True).status_code == 404


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"skip", "date"}),
        ({"skip": False}, {"skip", "date"}),
        ({"skip": True, "date": "2024-06-02"}, {"skip", "date"}),
        ({"skip": "maybe"}, {"skip"}),
        ({"date": "2024-06-31"}, {"date"}),
    ],
)
def test_a_change_must_say_whether_to_skip_or_move_the_day(
    me: Client, checking: str, body: dict[str, Any], fields: set[str]
) -> None:
    kept = stored(me, a_recurrence(checking))

    assert errors(put(me, kept, "2024-06-01", **body)).keys() == fields


def test_a_day_that_two_repetitions_plan_is_changed_for_both(me: Client, checking: str) -> None:
    both = [a_repetition("monthly", "3"), a_repetition("weekly", "1")]
    kept = stored(me, a_recurrence(checking, repetitions=both))

    assert len(changed(me, kept, "2024-06-03", date="2024-06-04")) == 2

    assert fired(me, "2024-06-10") == ["2024-06-04", "2024-06-04", "2024-06-10"]


def test_an_edit_keeps_changes_of_days_that_are_still_planned(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking, repetitions=[a_repetition("weekly", "1")]))
    changed(me, kept, "2024-06-03", skip=True)
    changed(me, kept, "2024-06-10", date="2024-06-12")

    me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, repetitions=[a_repetition("weekly", "1", skip=1)]))
    assert fired(me, "2024-06-17") == ["2024-06-17"], "the 3rd is skipped still, the 10th is not planned any more"
    me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, repetitions=[a_repetition("weekly", "1")]))

    assert fired(me, "2024-06-24") == ["2024-06-24"]


def test_a_day_moved_into_a_pause_does_not_fire_after_it(me: Client, checking: str, world: World) -> None:
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-06-01", date="2024-06-05")
    me.put(f"/recurrences/{kept['id']}", a_recurrence(checking, active=False))
    world.time.now = datetime(2024, 6, 20, 12, tzinfo=UTC)

    me.put(f"/recurrences/{kept['id']}", a_recurrence(checking))

    assert fired(me, "2024-07-01") == ["2024-07-01"]


def test_the_number_of_changed_days_is_limited(me: Client, checking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farthing.books.recurrences.exceptions.AHEAD_MAX", 2)
    kept = stored(me, a_recurrence(checking))
    changed(me, kept, "2024-06-01", skip=True)
    changed(me, kept, "2024-07-01", skip=True)

    assert errors(put(me, kept, "2024-08-01", skip=True)).keys() == {"day"}
    changed(me, kept, "2024-07-01", date="2024-07-02")


def test_a_form_may_change_a_day(me: Client, checking: str) -> None:
    kept = stored(me, a_recurrence(checking))

    response = me.request("PUT", f"/recurrences/{kept['id']}/occurrences/2024-06-01", data={"skip": "1"})

    assert response.json()["data"][0]["date"] is None


def test_changes_of_days_are_logged(new_world: World) -> None:
    me = new_world.someone()
    kept = stored(me, a_recurrence(made(me, asset())))
    changed(me, kept, "2024-06-01", skip=True)
    changed(me, kept, "2024-06-01", date="2024-06-02")
    assert taken_back(me, kept, "2024-06-01") == 204

    with new_world.books.reading() as db:
        rows = db.all("SELECT action FROM changes WHERE kind = 'recurrence_exceptions' ORDER BY id")
    assert rows == [("created",), ("changed",), ("removed",)]
    assert list(doctor.examine(new_world.books)) == []


# Two repetitions of one planned day


def test_a_day_that_lands_before_the_weekend_does_not_suppress_one_after_it(me: Client, checking: str) -> None:
    both = [a_repetition("weekly", "6", weekend=3), a_repetition("weekly", "6", weekend=4)]
    stored(me, a_recurrence(checking, first_date="2024-06-03", repetitions=both))

    assert fired(me, "2024-06-07") == ["2024-06-07"]
    assert fired(me, "2024-06-10") == ["2024-06-10"]


def test_swapped_repetitions_still_fire_once_each(me: Client, checking: str, world: World) -> None:
    both = [a_repetition("weekly", "6", weekend=3), a_repetition("weekly", "6", weekend=4)]
    kept = stored(me, a_recurrence(checking, first_date="2024-06-03", repetitions=both))
    world.time.now = datetime(2024, 6, 8, 12, tzinfo=UTC)
    fired(me, "2024-06-08")

    me.put(
        f"/recurrences/{kept['id']}", a_recurrence(checking, first_date="2024-06-03", repetitions=[both[1], both[0]])
    )

    assert fired(me, "2024-06-12") == ["2024-06-10"]


# Trying out


def test_a_preview_checks_and_stores_nothing(me: Client, checking: str) -> None:
    body = a_recurrence(checking, nr_of_repetitions=2, repetitions=[a_repetition("monthly", "last", weekend=3)])

    answer = me.post("/recurrences/preview", body).json()

    assert [(one["planned_date"], one["date"], one["reason"], one["fired"]) for one in answer["data"]] == [
        ("2024-06-30", "2024-06-28", "weekend", False),
        ("2024-07-31", "2024-07-31", None, False),
    ]
    assert answer["meta"] == {
        "next_start": None,
        "repetitions": [
            {
                "place": 0,
                "description": "Every month on the last day",
                "occurrences": ["2024-06-28", "2024-07-31"],
            }
        ],
    }
    assert me.get("/recurrences").json()["meta"]["pagination"]["total"] == 0
    assert me.get("/accounts", type="expense").json()["data"] == []
    assert "title" in errors(me.post("/recurrences/preview", {}))


def test_a_repeated_preview_changes_nothing(me: Client, checking: str) -> None:
    kept, body = stored(me, a_recurrence(checking)), a_recurrence(checking)
    before = me.get("/changes").json()["meta"]["pagination"]["total"]

    for path in ("/recurrences/preview", f"/recurrences/{kept['id']}/preview"):
        for _ in range(2):
            assert me.post(path, body, headers={"Idempotency-Key": "typing"}).status_code == 200

    assert me.get("/changes").json()["meta"]["pagination"]["total"] == before


def test_a_preview_of_a_change_knows_what_has_fired_and_what_was_moved(me: Client, checking: str, world: World) -> None:
    body = a_recurrence(checking, nr_of_repetitions=4, repetitions=[a_repetition("monthly", "1")])
    kept = stored(me, body)
    world.time.now = datetime(2024, 6, 10, 12, tzinfo=UTC)
    me.post(f"/recurrences/{kept['id']}/trigger", {})
    changed(me, kept, "2024-07-01", date="2024-07-04")

    answer = me.post(f"/recurrences/{kept['id']}/preview", body).json()

    assert [(one["planned_date"], one["date"], one["reason"]) for one in answer["data"]] == [
        ("2024-07-01", "2024-07-04", "hand"),
        ("2024-08-01", "2024-08-01", None),
        ("2024-09-01", "2024-09-01", None),
    ]
    assert answer["meta"]["repetitions"][0]["occurrences"] == ["2024-07-04", "2024-08-01", "2024-09-01"]
    other = body | {"repetitions": [a_repetition("monthly", "15")], "nr_of_repetitions": 2}
    [after] = me.post(f"/recurrences/{kept['id']}/preview", other).json()["data"]
    assert (after["planned_date"], after["reason"]) == ("2024-06-15", None)
    assert occurrences(shown(me, kept))[0] == "2024-07-04"


def test_a_preview_of_the_last_friday_of_each_month(me: Client, checking: str) -> None:
    body = a_recurrence(checking, repetitions=[a_repetition("ndom", "last,5"), a_repetition("ndom", "5,5")])

    first, second = me.post("/recurrences/preview", body).json()["meta"]["repetitions"]

    assert first["description"] == "Every month on the last Friday"
    assert first["occurrences"][:3] == ["2024-06-28", "2024-07-26", "2024-08-30"]
    assert second["occurrences"][:3] == ["2024-08-30", "2024-11-29", "2025-01-31"]
