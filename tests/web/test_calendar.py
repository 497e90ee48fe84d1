"""The calendar: what was, what is due and what comes; planned days are moved, and other calendars follow."""

import re
from datetime import date, timedelta
from urllib.parse import urlsplit

from playwright.sync_api import Locator, expect

from .books import account, dialog, spent
from .conftest import Person, today


def day_of(ann: Person, day: date) -> Locator:
    long = f"{day:%A}, {day:%B} {day.day}, {day.year}"
    return ann.main.get_by_role("cell").filter(has=ann.page.get_by_role("link", name=f"Add a transaction on {long}"))


def once(ann: Person, source_id: str, on: date) -> None:
    part = {"amount": "30", "currency_code": "EUR", "source_id": source_id, "destination_name": "Gym"}
    ann.records(
        "/recurrences", type="withdrawal", title="Gym", first_date=on.isoformat(), nr_of_repetitions=1, active=True,
        apply_rules=True, transactions=[{**part, "description": "Gym"}],
        repetitions=[{"type": "daily", "moment": "", "skip": 0, "weekend": 1}],
    )  # fmt: skip


def test_a_planned_day_is_moved_by_keys_and_by_dragging_and_undone(ann: Person) -> None:
    first = today() + timedelta(days=10)
    card = account(ann, "Card", opening_balance="100", opening_balance_date=today().isoformat())
    spent(ann, card, "Tea", "4.20")
    once(ann, card, first)
    ann.opens(f"#/calendar?view=month&on={first.isoformat()}")

    gym = ann.main.get_by_role("link", name="Gym", exact=True)
    expect(day_of(ann, first)).to_contain_text("-€30.00")
    gym.focus()
    ann.page.keyboard.press("Alt+ArrowLeft")
    expect(day_of(ann, first - timedelta(days=1))).to_contain_text("Gym")
    expect(gym).to_be_focused()
    gym.drag_to(day_of(ann, first + timedelta(days=1)))
    expect(day_of(ann, first + timedelta(days=1))).to_contain_text("Gym")
    ann.undoes()
    expect(day_of(ann, first - timedelta(days=1))).to_contain_text("Gym")

    ann.opens(f"#/calendar?view=week&on={today().isoformat()}")
    expect(day_of(ann, today())).to_contain_text("-€4.20")
    expect(day_of(ann, today())).to_contain_text("€95.80")
    day_of(ann, today()).get_by_role("link").first.click()
    expect(ann.page).to_have_url(re.compile(f"/transactions/new.date={today().isoformat()}"))


def test_a_calendar_app_subscribes_to_an_address(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    once(ann, account(ann, "Card"), today() + timedelta(days=1))
    ann.opens("#/calendar")

    ann.presses("Subscribe")
    dialog(ann).get_by_role("button", name="Create address").click()
    address = dialog(ann).get_by_label("Address of the calendar").input_value()

    assert urlsplit(address).path == "/api/v1/calendar.ics"
    answer = ann.page.context.browser.new_context().request.get(address)
    assert "SUMMARY:Gym" in answer.text()
