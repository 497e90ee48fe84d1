"""Rules in the browser: made by choosing, tried, applied, undone and put in order."""

import pytest
from playwright.sync_api import expect

from .books import a_rule, account, spent
from .conftest import Person, today
from .test_accessible import wrongs


def titles(ann: Person) -> list[str]:
    return ann.main.locator("h2, [data-rule] .what a").all_inner_texts()


def test_a_rule_is_made_by_choosing_tried_applied_and_undone(ann: Person) -> None:
    checking = account(ann, "Checking")
    for what in ("Market day", "Night market", "Bus"):
        spent(ann, checking, what, "10.00")
    ann.opens("#/rules")
    ann.main.get_by_role("link", name="New rule").first.click()
    ann.field("Name").first.fill("Food")
    ann.field("Name of the new group").fill("Daily life")
    ann.presses("Save and try it")
    expect(ann.main.get_by_text("This is required.")).to_have_count(2)
    first = ann.main.get_by_role("group", name="Condition 1")
    first.get_by_label("Text").fill("market")
    ann.presses("Add a condition")
    second = ann.main.get_by_role("group", name="Condition 2")
    second.get_by_role("combobox", name="Condition 2").select_option(label="Amount is less than")
    ann.forgives += ["422 ", "console: .*422"]
    second.get_by_role("textbox", name="Amount").fill("minus one")
    action = ann.main.get_by_role("group", name="Action 1")
    action.get_by_role("combobox", name="Category").fill("Food")
    ann.presses("Save and try it")
    expect(second.get_by_role("textbox", name="Amount")).to_have_attribute("aria-invalid", "true")
    assert wrongs(ann.page) == []
    second.get_by_role("textbox", name="Amount").fill("20")
    ann.presses("Save and try it")

    tried = ann.main.get_by_role("region", name="What would change")
    expect(tried.get_by_text("2 of 3 transactions would change; 2 match.")).to_be_visible()
    expect(tried.get_by_role("listitem").filter(has_text="Market day").first).to_contain_text(
        "Because the description contains 'market'; the amount is less than 20."
    )
    ann.presses("Hide amounts")
    expect(tried).not_to_contain_text("20.")
    expect(tried.get_by_text("the amount matches (hidden).").first).to_be_visible()
    ann.presses("Show amounts")
    expect(tried.get_by_text("none").first).to_be_visible()
    assert wrongs(ann.page) == []
    ann.presses("Apply to these 2 transactions")
    ann.is_told("2 transactions changed.")
    expect(ann.main.get_by_text("Nothing would change")).to_be_visible()
    ann.undoes()
    expect(tried.get_by_text("2 of 3 transactions would change")).to_be_visible()

    # So is the whole group, with its active rules.
    ann.opens("#/rules")
    ann.main.get_by_role("link", name="Try it: Daily life").click()
    expect(ann.main.get_by_role("heading", name="1 active rule, in this order")).to_be_visible()
    ann.presses("Apply to these 2 transactions")
    ann.is_told("2 transactions changed.")
    ann.undoes()
    expect(tried.get_by_text("2 of 3 transactions would change")).to_be_visible()


def test_a_rule_comes_from_a_transaction(ann: Person) -> None:
    booked = spent(ann, account(ann, "Checking"), "Weekly shopping", "12.50", tags=["weekend"])
    ann.opens(f"#/transactions/{booked}")
    ann.chooses("Make a rule from this")

    expect(ann.field("Name").first).to_have_value("Weekly shopping")
    expect(ann.main.get_by_role("combobox", name="Account")).to_have_value("Corner shop")
    expect(ann.main.get_by_role("combobox", name="Tag")).to_have_value("weekend")
    ann.presses("Amount is exactly 12.5")
    expect(ann.main.get_by_label("Amount", exact=True)).to_have_value("12.50")
    assert ann.page.evaluate("document.activeElement.matches('section button, section select')")


def test_rules_and_groups_are_put_in_order_by_keys_and_by_dragging(ann: Person) -> None:
    first, _ = (str(ann.records("/rule_groups", title=one, active=True)["id"]) for one in ("Home", "Work"))
    a_rule(ann, "Tea", first)
    a_rule(ann, "Coffee", first)
    ann.opens("#/rules")
    expect(ann.main.get_by_role("link", name="Tea", exact=True)).to_be_visible()
    ann.main.get_by_role("link", name="Tea", exact=True).focus()
    ann.page.keyboard.press("Alt+ArrowDown")
    expect(ann.page.get_by_text("Tea is now 2 of 2 in Home.")).to_be_attached()
    expect(ann.main.get_by_role("link", name="Tea", exact=True)).to_be_focused()
    with ann.page.expect_response(lambda one: one.request.method == "PUT" and one.ok):
        ann.presses("Move Tea down")
    expect(ann.page.get_by_text("Tea is now 1 of 1 in Work.")).to_be_attached()
    expect(ann.main.get_by_role("button", name="Move Tea down")).to_be_focused()
    with ann.page.expect_response(lambda one: one.request.method == "PUT" and one.ok):
        ann.presses("Move Work up")
    ann.page.reload()
    expect(ann.main.locator("h2").first).to_have_text("Work")
    assert titles(ann) == ["Work", "Tea", "Home", "Coffee"]

    handle = ann.main.get_by_title("Drag Coffee").bounding_box()
    goal = ann.main.locator("[data-rule]").first.bounding_box()
    assert handle
    assert goal
    ann.page.mouse.move(handle["x"] + 5, handle["y"] + 5)
    ann.page.mouse.down()
    ann.page.mouse.move(goal["x"] + 5, goal["y"] + 2, steps=5)
    with ann.page.expect_response(lambda one: one.request.method == "PUT" and one.ok):
        ann.page.mouse.up()
    ann.page.reload()
    expect(ann.main.locator("h2").first).to_have_text("Work")
    assert titles(ann) == ["Work", "Coffee", "Tea", "Home"]

    ann.presses("Edit the group Work")
    assert wrongs(ann.page, "dialog") == []
    ann.page.keyboard.press("Escape")
    ann.page.get_by_role("switch", name="Tea is active").check()
    ann.is_told("“Tea” turned on.")
    ann.presses("Duplicate Tea")
    expect(ann.main.get_by_role("link", name="Tea (copy)", exact=True)).to_be_visible()
    ann.presses("Delete Coffee")
    ann.is_told("“Coffee” deleted.")
    ann.undoes()
    expect(ann.main.get_by_role("link", name="Coffee", exact=True)).to_be_visible()
    assert wrongs(ann.page) == []


@pytest.mark.long
def test_a_long_run_shows_its_progress_and_is_undone_as_a_whole(ann: Person) -> None:
    checking = account(ann, "Checking")
    for what, count in (("Bus", 990), ("Tea", 11)):
        one = {"amount": "2", "currency_code": "EUR", "source_id": checking, "destination_name": "Somewhere"}
        body = {"type": "withdrawal", "date": today().isoformat(), "description": what, "transactions": [one]}
        ann.records("/transactions/bulk", transactions=[body] * count)
    group = str(ann.records("/rule_groups", title="Home", active=True)["id"])
    a_rule(ann, "Drinks", group)
    ann.opens("#/rules")
    ann.main.get_by_role("link", name="Try it: Drinks").click()
    expect(ann.main.get_by_text("11 of 1,001 transactions would change; 11 match.")).to_be_visible()

    ann.presses("Apply to these 11 transactions")
    expect(ann.main.get_by_text("11 transactions changed.")).to_be_visible()
    assert ann.page.evaluate("document.activeElement !== document.body")
    ann.presses("Undo all of it")
    ann.is_told("All of it was undone.")
    expect(ann.main.get_by_text("11 of 1,001 transactions would change; 11 match.")).to_be_visible()
