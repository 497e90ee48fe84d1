"""Values of transactions, edited in the list that shows them: by click or by key, row after row."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .books import account, spent
from .conftest import Person, today
from .test_accessible import too_wide, wrongs


def bread_and_milk(ann: Person) -> str:
    """Two purchases; the milk is the first row. And a category."""
    purse = account(ann, "Purse")
    spent(ann, purse, "Bread", "2.50")
    spent(ann, purse, "Milk", "1.20")
    ann.records("/categories", name="Groceries")
    return purse


def cell(ann: Person, field: str, what: str) -> Locator:
    return ann.main.get_by_role("button", name=f"{field} of {what}:")


def editor(ann: Person, field: str) -> Locator:
    return ann.main.get_by_role("combobox", name=field, exact=True)


def booked(ann: Person) -> dict[str, dict[str, Any]]:
    """By description."""
    answer = ann.context.request.get(f"{ann.server.address}/api/v1/transactions")
    return {one["attributes"]["journal_description"]: one["attributes"] for one in answer.json()["data"]}


def test_a_category_takes_a_click_and_a_word_and_can_be_undone(ann: Person) -> None:
    bread_and_milk(ann)
    ann.opens("#/transactions")
    cell(ann, "Category", "Milk").click()
    expect(editor(ann, "Category")).to_be_focused()
    ann.page.keyboard.type("gro")
    ann.page.keyboard.press("Enter")
    ann.is_told("“Milk” saved.")

    expect(cell(ann, "Category", "Milk")).to_contain_text("Groceries")
    expect(cell(ann, "Category", "Milk")).to_be_focused()
    assert wrongs(ann.page) == []
    ann.undoes()
    expect(cell(ann, "Category", "Milk")).not_to_contain_text("Groceries")


def test_tab_goes_to_the_next_row_and_escape_leaves_everything_as_it_was(ann: Person) -> None:
    bread_and_milk(ann)
    ann.opens("#/transactions")
    cell(ann, "Category", "Milk").click()
    for _ in range(2):
        ann.page.keyboard.type("gro")
        ann.page.keyboard.press("Tab")
    for what in ("Milk", "Bread"):
        expect(cell(ann, "Category", what)).to_contain_text("Groceries")

    cell(ann, "Category", "Bread").click()
    editor(ann, "Category").fill("Other")
    ann.page.keyboard.press("Escape")
    expect(cell(ann, "Category", "Bread")).to_be_focused()
    expect(cell(ann, "Category", "Bread")).to_contain_text("Groceries")
    ann.page.keyboard.press("Enter")
    editor(ann, "Category").fill("")
    ann.page.keyboard.press("Enter")
    ann.is_told("“Bread” saved.")
    expect(cell(ann, "Category", "Bread")).not_to_contain_text("Groceries")
    assert [one["category_name"] for one in booked(ann).values()] == ["Groceries", None]


def test_payee_budget_tags_and_amount_are_edited_by_keyboard_alone(ann: Person) -> None:
    bread_and_milk(ann)
    ann.records("/budgets", name="Food", active=True)
    ann.opens("#/transactions")
    ann.page.get_by_label("Select Milk").focus()
    ann.page.keyboard.press("ArrowRight")
    expect(cell(ann, "Date", "Milk")).to_be_focused()
    ann.page.keyboard.press("ArrowRight")
    expect(cell(ann, "Payee", "Milk")).to_be_focused()
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.type("Dairy")
    ann.page.keyboard.press("Enter")
    expect(cell(ann, "Payee", "Milk")).to_contain_text("Dairy")
    expect(cell(ann, "Payee", "Milk")).to_be_focused()

    for field, typed in (("Budget", "foo"), ("Tags", "fresh")):
        cell(ann, field, "Milk").focus()
        ann.page.keyboard.press("Enter")
        ann.page.keyboard.type(typed)
        ann.page.keyboard.press("Enter")
        if field == "Tags":
            expect(ann.main.get_by_role("button", name="Remove tag fresh")).to_be_visible()
            ann.page.keyboard.press("Enter")
    expect(cell(ann, "Budget", "Milk")).to_contain_text("Food")
    expect(cell(ann, "Tags", "Milk")).to_contain_text("#fresh")
    cell(ann, "Amount", "Milk").focus()
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.type("1.20+0.30")
    ann.page.keyboard.press("Enter")
    expect(cell(ann, "Amount", "Milk")).to_contain_text("-€1.50")
    milk = booked(ann)["Milk"]
    assert (milk["destination_name"], milk["budget_name"], milk["tags"]) == ("Dairy", "Food", "fresh")


@pytest.mark.parametrize("is_compact", [True, False])
def test_the_date_is_edited_in_either_list(ann: Person, is_compact: bool) -> None:
    purse = bread_and_milk(ann)
    ann.opens(f"#/transactions?account_id={purse}")
    if not is_compact:
        ann.presses("Compact")
    ann.main.get_by_role("link", name="Milk").hover()
    assert wrongs(ann.page) == []
    cell(ann, "Date", "Milk").click()
    if is_compact:
        ann.page.keyboard.type("-1")
    else:
        ann.main.locator(".editor").get_by_role("button", name="Open calendar").click()
        expect(ann.page.get_by_role("dialog").locator("[aria-current=date]")).to_be_focused()
        ann.page.keyboard.press("ArrowLeft")
        expect(ann.page.get_by_role("dialog").locator("[aria-current=date]")).not_to_be_focused()
    ann.page.keyboard.press("Enter")
    ann.is_told("“Milk” saved.")

    assert booked(ann)["Milk"]["date"] < today().isoformat()


def test_on_a_phone_the_date_is_chosen_from_the_calendar(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    bread_and_milk(ann)
    ann.opens("#/transactions")
    expect(ann.main.get_by_role("link", name="Milk")).to_be_visible()
    expect(cell(ann, "Date", "Milk")).to_be_hidden()
    ann.page.get_by_label("Select Milk").tap()
    cell(ann, "Date", "Milk").tap()
    ann.main.locator(".editor").get_by_role("button", name="Open calendar").click()
    other = ann.page.get_by_role("dialog", name="Calendar").locator("[data-day]:not([aria-current])").first
    day = other.get_attribute("data-day")
    other.tap()
    ann.is_told("“Milk” saved.")

    assert booked(ann)["Milk"]["date"].startswith(str(day))
    assert wrongs(ann.page) == []
    assert too_wide(ann.page) == []


@pytest.mark.parametrize("is_compact", [True, False])
def test_splits_are_edited_in_either_list(ann: Person, is_compact: bool) -> None:
    purse = account(ann, "Purse")
    ann.records("/categories", name="Groceries")
    spent(ann, purse, "Market", "2.00", "3.00", tags=["old"])
    ann.opens("#/transactions")
    expect(cell(ann, "Amount", "Market")).to_have_count(0)
    if is_compact:
        ann.presses("2 splits")
        assert wrongs(ann.page) == []
    else:
        ann.presses("Compact")
    cell(ann, "Category", "Part 1").click()
    for key in ("Tab", "Enter"):
        ann.page.keyboard.type("gro")
        ann.page.keyboard.press(key)
    for what in ("Part 1", "Part 2"):
        expect(cell(ann, "Category", what)).to_contain_text("Groceries")
    cell(ann, "Amount", "Part 2").click()
    ann.page.keyboard.type("4")
    ann.page.keyboard.press("Enter")
    expect(cell(ann, "Amount", "Part 2")).to_contain_text("€4.00")

    splits = ann.context.request.get(f"{ann.server.address}/api/v1/transactions").json()["data"]
    assert [(one["attributes"]["category_name"], one["attributes"]["amount"]) for one in splits] == [
        ("Groceries", -2),
        ("Groceries", -4),
    ]
    assert {one["attributes"]["tags"] for one in splits} == {"old"}


def test_on_an_accounts_page_values_are_edited_too(ann: Person) -> None:
    purse = bread_and_milk(ann)
    spent(ann, purse, "Market", "2.00", "3.00")
    ann.opens(f"#/accounts/{purse}")
    for what in ("Milk", "Part 2"):
        cell(ann, "Category", what).click()
        ann.page.keyboard.type("gro")
        ann.page.keyboard.press("Enter")
        expect(cell(ann, "Category", what)).to_contain_text("Groceries")
    cell(ann, "Amount", "Milk").click()
    ann.page.keyboard.type("7")
    ann.page.keyboard.press("Enter")
    expect(cell(ann, "Amount", "Milk")).to_contain_text("-€7.00")
    assert wrongs(ann.page) == []
    cell(ann, "Payee", "Milk").click()
    ann.page.keyboard.type("Dairy")
    ann.page.keyboard.press("Enter")
    expect(cell(ann, "Payee", "Milk")).to_contain_text("Dairy")


def test_a_refusal_is_said(ann: Person) -> None:
    ann.forgives += ["422 .*/transactions", "console: .*422"]
    bread_and_milk(ann)
    ann.opens("#/transactions")
    cell(ann, "Amount", "Milk").click()
    ann.page.keyboard.type("a lot")
    ann.page.keyboard.press("Enter")

    expect(ann.page.get_by_role("alert").filter(has_text="amount")).to_be_visible()
    expect(cell(ann, "Amount", "Milk")).to_contain_text("-€1.20")
