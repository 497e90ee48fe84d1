"""Recording many transactions, finding them again, and coming back to the same row."""

import re
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .books import account, dialog, opens_details, spent
from .conftest import Person, today
from .test_accessible import wrongs

# The place on the screen of the middle of each field, and whether something else lies over it.
COVERED = """() => [...document.querySelectorAll('main :is(input, select, textarea)')]
    .filter(one => one.checkVisibility())
    .map(one => [one, one.getBoundingClientRect()])
    .filter(([one, {left, top, width, height}]) => {
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        return there && there.closest('.notices') !== null;
    }).length"""


def many(ann: Person, source_id: str, number: int) -> None:
    """Withdrawals of 1.00, one on each day before today."""
    part = {"amount": "1.00", "currency_code": "EUR", "source_id": source_id, "destination_name": "Corner shop"}
    made = [
        {"type": "withdrawal", "date": (today() - timedelta(days=days)).isoformat(), "description": f"Bun {days}"}
        for days in range(number)
    ]
    ann.records("/transactions/bulk", transactions=[{**one, "transactions": [part]} for one in made])


def test_filters_are_chips_and_everything_that_matches_is_edited(ann: Person) -> None:
    many(ann, account(ann, "Purse"), 60)
    ann.opens("#/transactions")
    ann.presses("Filters")
    sheet = dialog(ann)
    assert wrongs(ann.page, "dialog") == []
    sheet.get_by_label("Type").select_option(label="Expense")
    sheet.get_by_label("From", exact=True).fill((today() - timedelta(days=70)).strftime("%m/%d/%Y"))
    sheet.get_by_role("combobox", name="Account").fill("Pur")
    sheet.get_by_role("option", name="Purse").click()
    sheet.get_by_role("button", name="Show the list").click()
    expect(sheet).to_have_count(0)

    expect(ann.main.get_by_role("button", name="Filters (3)")).to_be_focused()
    expect(ann.main.get_by_role("region", name="Totals of this list")).to_contain_text("Net")
    chips = ann.main.get_by_role("group", name="Active filters").get_by_role("button")
    expect(chips).to_have_text(["Type: Expense", re.compile("^From: "), "Account: Purse"])
    chips.nth(1).press("Delete")
    expect(chips).to_have_count(2)
    expect(chips.nth(1)).to_be_focused()
    assert "start=" not in ann.page.url

    ann.page.get_by_label("Select all on this page").check()
    ann.presses("Select all 60 that match")
    expect(ann.page.get_by_role("region", name="All 60 that match are selected")).to_be_visible()
    ann.presses("Edit selected")
    dialog(ann).get_by_label("Category").first.select_option(label="Set to")
    dialog(ann).get_by_role("combobox", name="Category").last.fill("Bakery")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("60 transactions changed.")
    expect(ann.main.get_by_text("Bakery", exact=True)).to_have_count(50)
    expect(ann.page.get_by_label("Select Bun 0")).to_be_focused()
    ann.undoes()
    expect(ann.main.get_by_text("Bakery", exact=True)).to_have_count(0)

    ann.page.get_by_label("Select all on this page").check()
    ann.presses("Select all 60 that match")
    ann.presses("Delete selected")
    expect(dialog(ann)).to_contain_text("Delete 60 transactions?")
    dialog(ann).get_by_role("button", name="Delete").click()
    ann.is_told("60 transactions deleted.")
    expect(ann.main.get_by_text("Nothing found")).to_be_visible()
    ann.undoes()
    expect(ann.main.get_by_text("Corner shop").first).to_be_visible()


def test_an_entry_calculates_fills_in_and_remembers(ann: Person) -> None:
    account(ann, "Wallet")
    account(ann, "Dollars", currency_code="USD")
    ann.opens("#/transactions/new")
    expect(ann.field("From account")).to_have_value("")
    ann.field("From account").fill("Wallet")
    opens_details(ann)
    ann.field("Description").fill("Market")
    _types_dates(ann)
    _calculates(ann)

    options = ann.main.get_by_label("Currency").first.locator("optgroup[label=Used] option")
    expect(options.first).to_have_text(re.compile("^EUR – "))
    expect(options).to_have_count(2)

    ann.presses("Split this transaction")
    first, second = (ann.page.get_by_role("group", name=f"Split {number}") for number in (1, 2))
    expect(first.get_by_label("Amount")).to_be_focused()
    expect(first.get_by_label("Split description")).to_have_attribute("placeholder", "Market (1)")
    expect(second.get_by_label("Split description")).to_have_attribute("placeholder", "Market (2)")
    first.get_by_label("Amount", exact=False).first.fill("60")
    expect(second.get_by_label("Amount").first).to_have_value("12.60")
    ann.field("Total").fill("100")
    expect(second.get_by_label("Amount").first).to_have_value("40.00")
    ann.presses("Save and add another")
    ann.is_told("“Market” saved.")
    assert ann.page.evaluate(COVERED) == 0
    expect(ann.field("Date")).to_have_value((today() - timedelta(days=1)).strftime("%m/%d/%Y"))

    ann.opens("#/")
    ann.opens("#/transactions/new")
    expect(ann.field("From account")).to_have_value("Wallet")
    ann.page.get_by_label("Income").check()
    ann.page.get_by_label("This is a refund").check()
    expect(ann.main.get_by_label("Budget")).to_be_visible()


def _types_dates(ann: Person) -> None:
    """What is typed shortened is written out; the calendar works by keyboard."""
    date = ann.field("Date")
    written = {days: (today() + timedelta(days=days)).strftime("%m/%d/%Y") for days in (-9, -2, -1, 0)}
    expect(date).to_have_value(written[0])
    date.fill("soon")
    date.press("Tab")
    expect(date).to_have_attribute("aria-invalid", "true")
    expect(ann.main.get_by_text("Write it like ")).to_be_visible()
    ann.presses("Save", exact=True)
    expect(date).to_be_focused()
    date.fill("-1")
    date.press("Tab")
    expect(date).to_have_value(written[-1])

    date.press("Alt+ArrowDown")
    calendar = ann.page.get_by_role("dialog", name="Calendar")
    assert wrongs(ann.page, "dialog") == []
    for key in ("PageUp", "PageDown", "ArrowLeft", "Home", "End", "Escape"):
        ann.page.keyboard.press(key)
    expect(calendar).to_have_count(0)
    expect(date).to_have_value(written[-1])
    date.press("Alt+ArrowDown")
    for key in ("ArrowUp", "ArrowLeft", "Enter"):
        ann.page.keyboard.press(key)
    expect(calendar).to_have_count(0)
    expect(date).to_have_value(written[-9])
    date.fill("-1")


def _calculates(ann: Person) -> None:
    amount = ann.field("Amount")
    amount.fill("60+")
    expect(ann.main.get_by_text("The calculation is not complete.")).to_be_visible()
    ann.presses("Save", exact=True)
    expect(amount).to_have_attribute("aria-invalid", "true")
    amount.fill("60+3*4,20")
    expect(ann.main.get_by_text("= €72.60")).to_be_visible()


def tops(rows: Locator) -> list[float]:
    return [float(one["y"]) for one in rows.evaluate_all("all => all.map(one => one.getBoundingClientRect())")]


def test_the_list_is_compact_on_a_desk_and_back_returns_to_the_row(ann: Person) -> None:
    purse = account(ann, "Purse", opening_balance="100", opening_balance_date="2020-01-01")
    many(ann, purse, 60)
    ann.page.set_viewport_size({"width": 1440, "height": 900})
    ann.opens(f"#/transactions?account_id={purse}&page=2")
    _returns(ann, ann.main.get_by_role("link", name="Bun 55"))
    ann.presses("Compact")
    _returns(ann, ann.main.get_by_role("link", name="Bun 55"))

    ann.opens(f"#/transactions?account_id={purse}")
    ann.presses("Compact")
    rows = ann.main.locator("tbody tr")
    expect(rows).to_have_count(50)
    expect(rows.first).to_contain_text("€40.00")
    expect(rows.nth(1)).to_contain_text("€41.00")
    seen = [top for top in tops(rows) if top + 24 <= 900]
    assert len(seen) >= 22
    assert wrongs(ann.page) == []
    assert len({round(after - before) for before, after in pairwise(seen)}) == 1
    ann.page.reload()
    expect(rows).to_have_count(50)
    _returns(ann, ann.main.get_by_role("link", name="Bun 40"))

    ann.page.get_by_label("Jump to date").fill((today() - timedelta(days=57)).strftime("%m/%d/%Y"))
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_label("Select Bun 57")).to_be_focused()
    assert "page=2" in ann.page.url

    spent(ann, purse, "A roll", "3.00")
    ann.opens("#/accounts")
    _returns(ann, ann.main.get_by_role("link", name="Purse"))


def test_a_purchase_needs_an_amount_and_a_shop_and_back_skips_its_forms(ann: Person) -> None:
    account(ann, "Purse")
    ann.opens("#/")
    ann.opens("#/transactions/new")
    opens_details(ann)
    expect(ann.field("From account")).to_have_value("Purse")
    ann.field("Amount").fill("4.20")
    ann.field("To").fill("Corner shop")
    ann.presses("Save")
    ann.is_told("“Corner shop” saved.")
    ann.main.get_by_role("link", name="Edit").click()
    ann.field("Description").fill("Rolls")
    ann.presses("Save")
    expect(ann.main.get_by_role("heading", name="Rolls")).to_be_visible()

    ann.page.go_back()

    expect(ann.main.get_by_role("heading", name="Dashboard")).to_be_visible()


def _returns(ann: Person, row: Locator) -> None:
    row.scroll_into_view_if_needed()
    ann.settles()
    before: Any = row.bounding_box()
    row.click()
    expect(row).to_have_count(0)
    ann.settles()
    ann.page.go_back()
    expect(row).to_be_focused()
    ann.settles()  # the totals above the list come on their own
    after: Any = row.bounding_box()
    assert after["y"] == pytest.approx(before["y"], abs=2)
