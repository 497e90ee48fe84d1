"""Accounts by group, and a dashboard that everybody arranges: the order is theirs, and reports become cards."""

import pytest
from playwright.sync_api import Locator, expect

from .books import account, dialog, spent
from .conftest import Person, today


def holding(ann: Person, name: str, amount: str, **more: str) -> str:
    first = today().replace(day=1).isoformat()
    return account(ann, name, opening_balance=amount, opening_balance_date=first, **more)


@pytest.fixture
def rich(ann: Person) -> Person:
    holding(ann, "Checking", "100.10")
    holding(ann, "Abroad", "7", currency_code="USD")
    holding(ann, "Rainy day", "900", account_role="savingAsset")
    return ann


def group(ann: Person, name: str) -> Locator:
    return ann.main.get_by_role("region", name=name, exact=True)


def drags(ann: Person, title: str, onto: str) -> None:
    """Half a row beyond, in small steps, as a hand does."""
    box, to = (dialog(ann).get_by_title(f"Drag {one}", exact=True).bounding_box() for one in (title, onto))
    assert box
    assert to
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x, to["y"] + (to["height"] if to["y"] > y else 0), steps=8)
    ann.page.mouse.up()


def test_groups_of_accounts_add_up_to_the_net_worth_on_both_pages(rich: Person) -> None:
    rich.opens("#/accounts")

    expect(group(rich, "Everyday").get_by_text("€100.10")).to_have_count(2)
    expect(group(rich, "Everyday").get_by_text("$7.00")).to_have_count(2)
    expect(group(rich, "Savings").get_by_text("€900.00")).to_have_count(2)
    expect(rich.main.get_by_label("Net worth")).to_have_text("Net worth €1,000.10 $7.00", use_inner_text=True)

    rich.goes_to("Dashboard")
    card = rich.main.get_by_role("region", name="Accounts")
    expect(card.get_by_role("heading", level=3)).to_have_text(["Everyday", "Savings"])
    expect(card.get_by_text("€1,000.10")).to_be_visible()


def test_accounts_and_groups_are_put_in_order_by_keys_and_by_dragging(rich: Person) -> None:
    rich.opens("#/accounts")
    expect(group(rich, "Everyday").get_by_role("link")).to_have_text(["Abroad", "Checking"])

    rich.presses("Arrange")
    dialog(rich).get_by_role("button", name="Move Checking up").focus()
    rich.page.keyboard.press("Alt+ArrowUp")
    expect(dialog(rich).get_by_text("Checking is now 1 of 2.")).to_be_attached()
    drags(rich, "Savings", onto="Everyday")
    expect(dialog(rich).get_by_role("list", name="Groups").get_by_role("listitem")).to_have_text(
        ["Savings", "Everyday"]
    )
    dialog(rich).get_by_role("button", name="Save").click()

    rich.is_told("Order of accounts saved.")
    headings = rich.main.get_by_role("heading", level=2)
    expect(headings).to_have_text(["Savings", "Everyday"])
    expect(group(rich, "Everyday").get_by_role("link")).to_have_text(["Checking", "Abroad"])
    rich.page.reload()
    expect(headings).to_have_text(["Savings", "Everyday"])
    expect(group(rich, "Everyday").get_by_role("link")).to_have_text(["Checking", "Abroad"])


def test_the_dashboard_begins_with_one_sentence_and_hides_currencies_that_are_not_used(ann: Person) -> None:
    checking = holding(ann, "Checking", "500")
    account(ann, "Abroad", currency_code="USD")
    spent(ann, checking, "Groceries", "20")
    ann.opens()
    sentence = ann.main.get_by_role("region", name="At a glance")
    expect(sentence).to_contain_text("€20.00 more went out than came in since")

    first = today().replace(day=1)
    last = (first.replace(day=28) if first.month == 2 else first.replace(day=30)).isoformat()
    ann.records("/available_budgets", amount="150", currency_code="EUR", start_date=first.isoformat(), end_date=last)
    ann.page.reload()

    expect(sentence).to_contain_text("You can still spend €130.00 until")
    expect(sentence.get_by_role("button", name="of €150.00 less €20.00")).to_be_visible()
    expect(ann.main.get_by_text("$0.00")).to_have_count(1)  # the account itself


def test_cards_are_hidden_and_moved_and_a_saved_report_is_one_of_them(ann: Person) -> None:
    spent(ann, holding(ann, "Checking", "500"), "Groceries", "20")
    ann.opens("#/reports/spending?by=payee&range=month")
    ann.presses("Save this report")
    dialog(ann).get_by_label("Name").fill("Where it goes")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Report “Where it goes” saved.")

    ann.goes_to("Dashboard")
    report = ann.main.get_by_role("region", name="Where it goes", exact=True)
    expect(report.get_by_text("€20.00").first).to_be_visible()
    expect(report.get_by_role("table")).to_have_count(0)
    ann.presses("Arrange")
    dialog(ann).get_by_label("Show Bills to pay").uncheck()
    drags(ann, "Where it goes", onto="Income and expenses")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Dashboard arranged.")

    first = ann.main.locator(".halves h2").first
    expect(first).to_have_text("Where it goes")
    expect(ann.main.get_by_role("region", name="Bills to pay")).to_have_count(0)
    ann.page.reload()
    expect(first).to_have_text("Where it goes")
    expect(ann.main.get_by_role("region", name="Bills to pay")).to_have_count(0)


def test_a_saved_report_is_renamed_found_and_deleted(ann: Person) -> None:
    spent(ann, holding(ann, "Checking", "500"), "Groceries", "20")
    card = {"card": "report", "shown": True, "name": "Worth", "report": "worth", "query": "range=12m"}
    ann.changes_elsewhere("/preferences/dashboardCards", data=[card])
    ann.opens("#/reports/worth?range=12m")
    expect(ann.main.get_by_role("link", name="Worth", exact=True)).to_have_attribute("aria-current", "true")

    ann.presses("Manage saved reports")
    dialog(ann).get_by_role("button", name="Rename Worth").click()
    dialog(ann).get_by_label("Name").fill("Wealth")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Report “Wealth” saved.")
    dialog(ann).get_by_role("button", name="Close").click()
    ann.page.keyboard.press("/")
    ann.page.keyboard.type("weal")
    dialog(ann).get_by_role("option", name="Wealth").click()
    ann.presses("Manage saved reports")
    dialog(ann).get_by_role("button", name="Delete Wealth").click()
    ann.is_told("Report “Wealth” deleted.")
    dialog(ann).get_by_role("button", name="Close").click()
    ann.undoes()
    expect(ann.main.get_by_role("link", name="Wealth")).to_be_attached()


def test_a_category_shows_its_colour_and_its_icon_in_lists_and_charts(ann: Person) -> None:
    checking = holding(ann, "Checking", "500")
    ann.opens("#/categories")
    ann.presses("New category")
    dialog(ann).get_by_label("Name").fill("Food")
    dialog(ann).get_by_role("radio", name="Teal").check(force=True)
    dialog(ann).get_by_role("radio", name="Basket", exact=True).check(force=True)
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Food saved.")
    part = {"amount": "20", "currency_code": "EUR", "source_id": checking, "destination_name": "Corner shop"}
    spent(ann, checking, "Bread", "20", transactions=[part | {"category_name": "Food"}])

    for place in ("#/transactions", "#/categories"):
        ann.opens(place)
        expect(ann.main.locator(".mark.hue-teal svg").first).to_be_visible()
    ann.opens("#/reports/spending?range=month")
    expect(ann.main.locator("rect.hue-teal").first).to_be_visible()
    expect(ann.main.get_by_role("row", name="Food").locator(".mark.hue-teal svg")).to_be_visible()
