"""The calendar that calendar apps subscribe to, read by two published parsers."""

import json
from datetime import date

import pytest
from icalendar import Calendar

from ..accounts.making import asset, made
from ..bills.making import a_bill, stored
from ..needs import or_skip
from ..providers import real
from ..recurrences.making import a_recurrence, a_repetition, a_split
from ..recurrences.making import stored as stored_recurrence
from ..sharing.people import with_token
from ..transactions.making import posted_one, withdrawal

CALENDAR = "/api/v1/calendar.ics"


def read(world, token):
    response = world.http.get(CALENDAR, params={"token": token})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/calendar; charset=utf-8"
    return response.text


def list_with_npm(text):
    script = (
        "import ICAL from 'ical.js';"
        "const text = JSON.parse(process.argv[1]);"
        "const all = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');"
        "const events = all.map((each) => new ICAL.Event(each));"
        "console.log(JSON.stringify(events.map((event) => [event.startDate.toString(), event.summary])));"
    )
    return [tuple(event) for event in json.loads(real.run_in_node(script, text))]


def test_two_published_parsers_read_what_is_to_come(world, me):
    long_name = "Miete; Nebenkosten, Strom \\ Gas – für die große Wohnung in der Königsstraße 12, Hinterhaus links"
    stored(me, a_bill(name=long_name, date="2024-04-01", repeat_freq="quarterly"))
    weekly = a_repetition("weekly", "5")
    stored_recurrence(me, a_recurrence(made(me, asset()), first_date="2025-05-01", repetitions=[weekly]))
    me.put("/preferences/language", {"data": "de_DE"})
    token = with_token(world, me, scopes="bills:read").token

    text = read(world, token)

    events = Calendar.from_ical(text).walk("vevent")
    rent = f"{long_name} · 795,00\xa0€–855,50\xa0€"
    expected = [
        *((date(2024, month, 1), rent) for month in (7, 10)),
        *((date(2025, month, 1), rent) for month in (1, 4)),
        *((date(2025, 5, day), "Gym · 25,45\xa0€") for day in (2, 9)),
    ]
    assert [(event.decoded("dtstart"), str(event["summary"])) for event in events] == expected
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert len({str(event["uid"]) for event in events}) == len(events)
    assert all("/#/" in event["url"] for event in events)
    or_skip(real.find(), "ical.js")
    assert list_with_npm(text) == [(day.isoformat(), summary) for day, summary in expected]


def test_what_is_paid_is_left_out_and_what_a_recurrence_pays_appears_once(world, me):
    account_id = made(me, asset())
    stored(me, a_bill(date="2024-05-01"))
    posted_one(me, withdrawal(account_id, "800", description="Rent to the landlord", date="2024-05-02"))
    splits = [a_split(account_id, amount="800", description="Rent to the landlord")]
    stored_recurrence(me, a_recurrence(account_id, transactions=splits, repeat_until="2024-06-15"))

    text = read(world, with_token(world, me, scopes="bills:read").token)

    events = Calendar.from_ical(text).walk("vevent")
    days = [(event.decoded("dtstart"), str(event["uid"]).partition("-")[0]) for event in events][:2]
    assert days == [(date(2024, 6, 1), "recurrence"), (date(2024, 7, 1), "bill")]


@pytest.mark.any_database
def test_the_address_needs_a_token_that_may_do_nothing_else(world, me):
    def ask(token):
        return world.http.get(CALENDAR, params={"token": token}).status_code

    narrow = with_token(world, me, scopes="bills:read").token

    assert ask(narrow) == 200
    assert world.http.get("/api/v1/upcoming", params={"token": narrow}).status_code == 401
    assert ask("invented") == ask("") == 401
    assert ask(me.token) == ask(with_token(world, me, scopes="accounts:read bills:read").token) == 403
    assert me.get("/calendar.ics").status_code == 200
