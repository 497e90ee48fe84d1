"""Somebody else changes what is being edited: every form shows both versions, field by field."""

from playwright.sync_api import Locator, expect

from .books import a_rule, account, dialog, expected
from .conftest import Person

TITLE = "Someone else changed this"


def versions(ann: Person) -> Locator:
    return ann.page.get_by_role("dialog", name=TITLE)


def keeps(ann: Person, label: str, version: str) -> None:
    """Chooses for one field and saves."""
    field = versions(ann).get_by_role("group", name=label, exact=True)
    field.get_by_role("radio", name=version).check()
    versions(ann).get_by_role("button", name="Save these").click()
    expect(versions(ann)).to_have_count(0)


def saves(ann: Person) -> None:
    dialog(ann).get_by_role("button", name="Save", exact=True).click()


def test_budgets_and_their_amounts_show_both_versions(ann: Person) -> None:
    ann.forgives += ["412 ", "console: .*412"]
    food = ann.records("/budgets", name="Food", active=True)["id"]
    days = {"currency_code": "EUR", "start_date": "2024-05-01", "end_date": "2024-05-31"}
    limit = ann.records("/budget_limits", budget_id=food, amount="100", **days)["id"]
    available = ann.records("/available_budgets", amount="500", **days)["id"]
    ann.opens("#/budgets?on=2024-05-15")

    # A budget: both names, and what only the other changed is chosen already.
    ann.presses("Edit Food")
    dialog(ann).get_by_label("Name").fill("Eating")
    ann.changes_elsewhere(f"/budgets/{food}", name="Meals", active=True, carry="yes")
    saves(ann)
    carry = versions(ann).get_by_role("group", name="Carry over into the next month")
    expect(carry.get_by_role("radio", name="Theirs What is left or overspent")).to_be_checked()
    keeps(ann, "Name", "Yours Eating")
    ann.is_told("Eating saved.")

    # A limit that is typed in the table.
    typed = ann.main.get_by_label("Limit for Eating in May 2024", exact=True)
    expect(typed).to_have_value("100.00")
    ann.changes_elsewhere(f"/budget_limits/{limit}", budget_id=food, amount="120", **days)
    typed.fill("150")
    ann.page.keyboard.press("Enter")
    expect(versions(ann)).to_contain_text("120")
    keeps(ann, "Amount", "Yours 150")
    ann.is_told("Limit saved.")
    expect(typed).to_have_value("150.00")

    # What is available; hidden amounts are hidden here as well.
    ann.presses("Hide amounts")
    ann.presses("Amount to budget")
    dialog(ann).get_by_label("Amount").fill("600")
    ann.changes_elsewhere(f"/available_budgets/{available}", amount="700", **days)
    saves(ann)
    expect(versions(ann)).to_contain_text("Amount hidden")
    expect(versions(ann)).not_to_contain_text("700")
    keeps(ann, "Amount", "Theirs")
    ann.presses("Show amounts")
    expect(ann.main.get_by_role("button", name="Amount to budget")).to_contain_text("€700.00")


def test_labels_files_and_rules_show_both_versions(ann: Person) -> None:
    ann.forgives += ["412 ", "console: .*412"]
    ann.records("/budgets", name="Daily", active=True)
    category = ann.records("/categories", name="Food")["id"]
    ann.opens(f"#/categories/{category}")
    ann.presses("Edit", exact=True)
    dialog(ann).get_by_label("Name").fill("Eating")
    daily = dialog(ann).get_by_label("Default budget").locator("option", has_text="Daily").get_attribute("value")
    ann.changes_elsewhere(f"/categories/{category}", name="Meals", parent_id=None, budget_id=int(daily or 0))
    saves(ann)
    budget = versions(ann).get_by_role("group", name="Default budget")
    expect(budget.get_by_role("radio", name="Theirs Daily")).to_be_checked()
    keeps(ann, "Name", "Yours Eating")
    expect(ann.main.get_by_role("heading", name="Eating")).to_be_visible()
    expect(ann.main.get_by_text("Default budget: Daily")).to_be_visible()

    bill = expected(ann, "Rent")
    ann.opens(f"#/bills/{bill}")
    slip = {"name": "slip.txt", "mimeType": "text/plain", "buffer": b"paid"}
    ann.page.locator("input[type=file]").first.set_input_files(slip)
    ann.presses("Rename slip.txt")
    link = ann.main.get_by_role("link", name="Download slip.txt").get_attribute("href") or ""
    file = link.split("/")[-2]
    dialog(ann).get_by_label("Name").fill("mine.txt")
    ann.changes_elsewhere(f"/attachments/{file}", filename="theirs.txt", title=None, notes=None)
    saves(ann)
    keeps(ann, "File name", "Theirs theirs.txt")
    expect(ann.main.get_by_text("theirs.txt").first).to_be_visible()

    group = ann.records("/rule_groups", title="Home", active=True)["id"]
    rule = a_rule(ann, "Drinks", group)
    ann.opens(f"#/rules/{rule}")
    condition = ann.main.get_by_role("group", name="Condition 1")
    condition.get_by_label("Text").fill("coffee")
    ann.changes_elsewhere(
        f"/rules/{rule}", title="Drinks", rule_group_id=int(group), trigger="store-journal", strict=True, active=False,
        stop_processing=False, rule_triggers=[{"name": "description_contains", "value": "juice"}],
        rule_actions=[{"name": "set_category", "value": "Drinks"}],
    )  # fmt: skip
    ann.presses("Save", exact=True)
    expect(versions(ann).get_by_role("group")).to_have_count(1)
    keeps(ann, "Condition 1", "Theirs Description contains “juice”")
    ann.presses("Edit the group Home")
    dialog(ann).get_by_label("Name").fill("House")
    ann.changes_elsewhere(f"/rule_groups/{group}", title="Flat", active=True)
    saves(ann)
    keeps(ann, "Name", "Yours House")
    expect(ann.main.get_by_role("heading", name="House")).to_be_visible()
    expect(ann.main.get_by_text("Description contains “juice”")).to_be_visible()


def test_money_that_somebody_else_moved_is_neither_lost_nor_overlooked(ann: Person) -> None:
    own = account(ann, "Savings", opening_balance="500", opening_balance_date="2024-01-01")
    about = {"name": "Bicycle", "account_id": int(own), "target_amount": "400"}
    bank = ann.records("/piggy_banks", **about, current_amount="20")["id"]
    ann.opens("#/piggy-banks")
    ann.presses("Put in / Take out")
    dialog(ann).get_by_label("Amount").fill("10")
    ann.changes_elsewhere(f"/piggy_banks/{bank}", **about, current_amount="50")
    dialog(ann).get_by_role("button", name="Put in").click()
    expect(dialog(ann)).to_contain_text("there were €20.00 in it, now there are €50.00")
    dialog(ann).get_by_role("button", name="Put in").click()
    ann.is_told("Money moved.")
    expect(ann.main.get_by_text("€60.00")).to_be_visible()

    # Nor does a share show what is hidden.
    ann.presses("Hide amounts")
    share = ann.main.get_by_role("progressbar", name="Saved for Bicycle")
    expect(share).to_have_attribute("aria-valuetext", "Amount hidden")
    expect(share.locator("div")).to_have_css("width", "0px")
    expect(ann.main.get_by_text("%")).to_have_count(0)
