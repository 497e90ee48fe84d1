"""Search and commands: one field leads everywhere; filters are saved under a name."""

import re

from playwright.sync_api import expect

from .books import account, dialog, spent
from .conftest import Person, today
from .test_accessible import wrongs


def test_one_field_leads_everywhere(ann: Person) -> None:
    account(ann, "Café account")
    ann.records("/categories", name="Cafés and bars")
    ann.opens("#/accounts/new")
    ann.field("Name").focus()
    ann.page.keyboard.press("Control+k")
    field = dialog(ann).get_by_role("combobox")
    expect(field).to_be_focused()
    assert wrongs(ann.page, "dialog") == []

    ann.page.keyboard.type("cafe")
    options = dialog(ann).get_by_role("option")
    expect(options).to_have_text([re.compile("^Café account"), "Cafés and bars", "Search transactions for “cafe”"])
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert wrongs(ann.page, "dialog") == []
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("heading", name="Café account")).to_be_visible()
    expect(dialog(ann)).to_have_count(0)

    ann.page.keyboard.press("/")
    expect(dialog(ann).get_by_role("group", name="Recent").get_by_role("option")).to_have_text(
        [re.compile("^Café account")]
    )
    field.fill("tok")
    dialog(ann).get_by_role("option", name="Tokens").click()
    expect(ann.page.get_by_role("heading", name="Settings")).to_be_visible()

    ann.presses("Search")
    field.fill("theme d")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(":root")).to_have_attribute("data-theme", "dark")
    ann.page.keyboard.press("/")
    field.fill("theme s")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator(":root")).to_have_attribute("data-theme", "auto")
    ann.page.keyboard.press("/")
    field.fill("half typed")
    ann.page.keyboard.press("Escape")
    expect(dialog(ann)).to_have_count(0)


def test_transactions_are_found_by_one_typed_line(ann: Person) -> None:
    checking = account(ann, "Checking")
    spent(ann, checking, "Espresso at Café Müller", "8.40")
    spent(ann, checking, "Espresso beans", "21")
    ann.opens("#/")
    ann.presses("Search")
    dialog(ann).get_by_role("combobox").fill("muller this month >4")
    found = dialog(ann).get_by_role("group", name="Transactions").get_by_role("option")
    expect(found).to_have_text(
        [re.compile("^Corner shop.*Müller.*8.40$"), "Search transactions for “muller this month >4”"]
    )
    found.last.click()
    line = ann.field("Find transactions")
    chips = ann.main.get_by_role("group", name="Active filters").get_by_role("button")
    expect(chips).to_have_text(["Words: muller", today().strftime("%B %Y"), "Amount: over 4"])
    expect(line).to_have_value("muller")
    expect(ann.main.get_by_role("link", name="Espresso at")).to_be_visible()
    expect(ann.main.get_by_role("link", name="Espresso beans")).to_have_count(0)

    line.press("End")
    line.press_sequentially(" payee:corner")
    expect(chips.last).to_have_text("Account: Corner shop")
    line.fill("express")
    expect(chips).to_have_text(["Words: express", today().strftime("%B %Y"), "Amount: over 4"])
    line.fill("press")
    expect(ann.main.get_by_role("link", name="Espresso beans")).to_be_visible()
    expect(ann.main.get_by_text("No words begin like that.")).to_be_visible()
    line.fill("category:nothing")
    expect(ann.main.get_by_text("No category is called “nothing”.")).to_be_visible()
    assert wrongs(ann.page, "main") == []
    line.fill("8,40")
    expect(chips).to_have_text([today().strftime("%B %Y"), "Amount: 8.40"])
    ann.presses("Remove the filter Amount: 8.40")
    expect(chips).to_have_count(1)
    expect(ann.main.get_by_role("link", name="Espresso beans")).to_be_visible()


def test_a_filter_is_saved_under_a_name_and_found_again(ann: Person) -> None:
    checking = account(ann, "Checking")
    spent(ann, checking, "Rent", "800")
    spent(ann, checking, "Bread", "3")
    ann.opens("#/transactions?amount_min=500")
    ann.presses("Save this filter")
    dialog(ann).get_by_label("Name").fill("Large")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Filter “Large” saved.")
    expect(ann.main.get_by_role("link", name="Large")).to_be_focused()

    ann.opens("#/")
    ann.page.keyboard.press("/")
    dialog(ann).get_by_role("combobox").fill("lar")
    dialog(ann).get_by_role("option", name="Large").click()
    expect(ann.main.get_by_role("link", name="Rent")).to_be_visible()
    expect(ann.main.get_by_role("link", name="Bread")).to_have_count(0)

    ann.opens("#/transactions?type=withdrawal")
    ann.presses("Save this filter")
    dialog(ann).get_by_label("Name").fill("LARGE")
    dialog(ann).get_by_role("button", name="Save").click()
    expect(dialog(ann).get_by_text("You already have a filter of this name.")).to_be_visible()
    assert wrongs(ann.page, "dialog") == []
    dialog(ann).get_by_label("Name").fill("Spent")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Filter “Spent” saved.")
    ann.presses("Manage saved filters")
    assert wrongs(ann.page, "dialog") == []
    dialog(ann).get_by_role("button", name="Rename Large").click()
    dialog(ann).get_by_label("Name").fill("Above 500")
    dialog(ann).get_by_role("button", name="Save").click()
    dialog(ann).get_by_role("button", name="Replace Above 500").click()
    ann.is_told("Filter “Above 500” saved.")
    dialog(ann).get_by_role("button", name="Delete Spent").click()
    dialog(ann).get_by_role("button", name="Close").click()
    saved = ann.main.get_by_role("group", name="Saved filters").get_by_role("link")
    expect(saved).to_have_text(["Above 500"])
    expect(saved).to_have_attribute("href", "#/transactions?type=withdrawal")
    ann.undoes()
    expect(saved).to_have_text(["Above 500", "Spent"])
