"""Budgets in months side by side: edited in place, copied, carried over, and as envelopes."""

import re

from playwright.sync_api import Locator, expect

from .books import account, dialog, spent
from .conftest import Person, today


def row(ann: Person, name: str) -> Locator:
    return ann.main.get_by_role("row").filter(has=ann.page.get_by_role("rowheader", name=name))


def limit(ann: Person, month: str) -> Locator:
    return ann.main.get_by_label(f"Limit for Food in {month} 2024", exact=True)


def books(ann: Person) -> str:
    """Two payments, one of them from the budget whose id this returns."""
    own = account(ann, "Checking")
    food = str(ann.records("/budgets", name="Food", active=True)["id"])
    for amount, on, budget in (("40", "2024-04-10", "Food"), ("7", "2024-05-03", None)):
        part = {"amount": amount, "currency_code": "EUR", "source_id": own, "destination_name": "Shop"}
        spent(ann, own, f"Spent in {on}", date=on, transactions=[{**part, "budget_name": budget}])
    return food


def test_limits_are_edited_in_place_copied_and_carried_over(ann: Person) -> None:
    books(ann)
    ann.opens("#/budgets?on=2024-05-15")
    expect(ann.main.get_by_role("columnheader", name="April 2024")).to_be_visible()
    expect(ann.main.get_by_role("columnheader", name="June 2024")).to_be_visible()

    # Typed and confirmed with Enter; an amount that is none stays, with the reason beside it.
    limit(ann, "April").fill("100")
    ann.page.keyboard.press("Enter")
    ann.is_told("Limit saved.")
    expect(limit(ann, "April")).to_be_focused()
    expect(row(ann, "Food")).to_contain_text("€60.00")
    ann.forgives.append("422")
    limit(ann, "April").fill("much")
    ann.page.keyboard.press("Enter")
    expect(row(ann, "Food").get_by_role("alert")).to_contain_text("number")
    expect(limit(ann, "April")).to_have_value("much")

    # The month before is copied, and that is one change.
    ann.presses("Copy April limits to May 2024")
    ann.is_told("1 limit copied.")
    expect(limit(ann, "May")).to_have_value("100.00")
    ann.undoes()
    expect(limit(ann, "May")).to_have_value("")

    # What is left goes on into May.
    ann.presses("Edit Food")
    dialog(ann).get_by_label("Carry over into the next month").select_option("What is left or overspent")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Food saved.")
    expect(row(ann, "Food")).to_contain_text("+€60.00 carried over")

    # An emptied limit is deleted.
    limit(ann, "April").fill("")
    ann.page.keyboard.press("Enter")
    ann.is_told("Limit deleted.")
    expect(row(ann, "Food")).not_to_contain_text("carried over")

    # What no budget paid for is named, and leads to its transactions.
    ann.main.get_by_role("link", name="Transactions without a budget, May 2024").click()
    expect(ann.main.get_by_role("link", name="Spent in 2024-05-03")).to_be_visible()
    expect(ann.main.get_by_text("Spent in 2024-04-10")).to_have_count(0)
    expect(ann.main.get_by_role("button", name="Without a budget")).to_be_visible()


def test_envelopes_say_what_is_left_to_budget(ann: Person) -> None:
    books(ann)
    own = ann.records("/accounts", name="Other", type="asset", active=True, include_net_worth=True,
                      account_role="defaultAsset", currency_code="EUR")["id"]  # fmt: skip
    wages = {"amount": "500", "currency_code": "EUR", "source_name": "Work", "destination_id": own}
    ann.records("/transactions", type="deposit", date="2024-04-01", description="Wages", transactions=[wages])
    ann.opens("#/budgets?on=2024-04-15")
    ann.presses("Envelopes")
    limit(ann, "April").fill("100")
    ann.page.keyboard.press("Enter")
    ann.is_told("Limit saved.")

    april = ann.main.get_by_role("columnheader", name="April 2024")
    expect(april).to_contain_text("To budget €400.00")
    expect(ann.main.get_by_role("columnheader", name="Available").first).to_be_visible()
    expect(row(ann, "Food")).to_contain_text("-€40.00")


def test_what_is_left_to_spend_is_one_figure_explained_in_one_click(ann: Person) -> None:
    """Limits alone are enough: an available amount changes what can be budgeted, not what can be spent."""
    food = books(ann)
    month = {"start_date": "2024-04-01", "end_date": "2024-04-30", "currency_code": "EUR"}
    ann.records("/budget_limits", budget_id=food, amount="100", **month)
    for amount in ("100", "50"):
        ann.records("/available_budgets", amount=amount, **month)
    for place in ("#/budgets?on=2024-04-15", "#/budgets?on=2024-04-15&view=envelopes", "#/?on=2024-04-15"):
        ann.opens(place)
        # The dashboard says the figure in a sentence, above what explains it.
        around = ann.main.get_by_role("region", name="At a glance") if place.startswith("#/?") else None
        explain = ann.main.get_by_role("button", name="Explain what is left to spend in EUR")
        expect(explain).to_contain_text("of €100.00 less €40.00")
        expect(around or explain.locator("..")).to_contain_text("€60.00")
        explain.press("Enter")
        lines = dialog(ann).get_by_role("row")
        expect(lines.nth(1)).to_have_text(re.compile("Food.*100.*40.*60"))
        expect(lines.last).to_have_text(re.compile("Total.*100.*40.*60"))
        expect(dialog(ann)).to_contain_text("Available to budget: €150.00, of which you can still budget €50.00")
        ann.page.keyboard.press("Escape")
    ann.opens("#/budgets?on=2024-04-15")

    available = ann.main.get_by_role("region", name="Available to budget")
    expect(available.get_by_role("button", name="Amount to budget")).to_have_count(2)
    expect(available).to_contain_text("In budgets €100.00 To budget €50.00")


def test_a_budget_gets_its_limit_by_itself(ann: Person) -> None:
    ann.opens("#/budgets")
    ann.presses("New budget")
    dialog(ann).get_by_label("Name").fill("Food")
    dialog(ann).get_by_label("Limit by itself").select_option("Every month")
    dialog(ann).get_by_label("Amount of each limit").fill("400")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Food saved.")
    month = f"{today():%B %Y}"
    expect(ann.main.get_by_label(f"Limit for Food in {month}", exact=True)).to_have_value("400.00")
    expect(ann.main.get_by_role("columnheader", name=month)).to_have_attribute("aria-current", "date")

    ann.presses("Edit Food")
    expect(dialog(ann).get_by_label("Amount of each limit")).to_have_value("400.00")
    dialog(ann).get_by_label("Limit by itself").select_option("No, I set each limit")
    expect(dialog(ann).get_by_label("Amount of each limit")).to_have_count(0)
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Food saved.")
    expect(ann.main.get_by_label(f"Limit for Food in {month}", exact=True)).to_have_value("400.00")


def test_a_limit_is_written_as_the_region_writes_amounts(ann: Person) -> None:
    books(ann)
    ann.changes_elsewhere("/preferences/language", data="da_DK")
    ann.opens("#/budgets?on=2024-05-15")
    april = ann.main.get_by_label("Limit for Food in april 2024", exact=True)
    april.fill("1.300,50")
    ann.page.keyboard.press("Enter")
    ann.is_told("Limit saved.")
    expect(april).to_have_value("1300,50")
    april.fill("1300,75")
    ann.page.keyboard.press("Enter")
    expect(april).to_have_value("1300,75")
    expect(row(ann, "Food")).to_contain_text("1.260,75")


def test_money_moves_between_envelopes_by_keyboard_and_by_drag(ann: Person) -> None:
    food = books(ann)
    ann.records("/budgets", name="Fun", active=True)
    ann.changes_elsewhere(f"/budgets/{food}", name="Food", active=True, carry="yes")
    for amount, month in (("80", "2024-03"), ("20", "2024-04")):
        ann.records("/budget_limits", budget_id=food, amount=amount, start_date=f"{month}-01", end_date=f"{month}-30")
    ann.opens("#/budgets?on=2024-04-15&view=envelopes")

    def money(name: str) -> Locator:
        return ann.main.get_by_role("button", name=f"move money of {name} in April 2024")

    money("Food").press("Enter")
    expect(dialog(ann).get_by_label("Amount")).to_have_value("60.00")
    dialog(ann).get_by_label("To", exact=True).select_option("Fun")
    dialog(ann).get_by_label("Amount").fill("25")
    dialog(ann).get_by_role("button", name="Move").click()
    ann.is_told("Money moved in April 2024.")
    expect(money("Food")).to_contain_text("€35.00")
    expect(money("Fun")).to_contain_text("€25.00")
    ann.undoes()
    expect(money("Food")).to_contain_text("€60.00")

    if not ann.is_on_phone:
        money("Food").drag_to(money("Fun"))
        expect(dialog(ann).get_by_label("To", exact=True).locator("option:checked")).to_have_text("Fun")
        dialog(ann).get_by_role("button", name="Move").click()
        ann.is_told("Money moved in April 2024.")
        expect(money("Food")).to_contain_text("€0.00")
        expect(money("Fun")).to_contain_text("€60.00")
