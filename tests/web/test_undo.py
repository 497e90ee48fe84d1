"""Undo that shows what it would do, and offers to undo first what prevents it."""

from playwright.sync_api import expect

from .books import account, dialog, spent
from .conftest import Person, today


def test_undo_on_the_page_of_one_transaction_shows_what_else_would_go(ann: Person) -> None:
    checking = account(ann, "Undo larger")
    bread = spent(ann, checking, "Undo bread", "2.50")
    spent(ann, checking, "Undo milk", "1.20")
    ann.opens(f"#/transactions?account_id={checking}")
    ann.page.get_by_label("Select all on this page").check()
    ann.presses("Edit selected")
    dialog(ann).get_by_label("Category").first.select_option(label="Set to")
    dialog(ann).get_by_role("combobox", name="Category").last.fill("Undo pantry")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("2 transactions changed.")
    ann.opens(f"#/transactions/{bread}")

    ann.main.get_by_role("button", name="Undo: Made 1 category").click()

    expect(dialog(ann)).to_contain_text("Changed back: 2 transactions")
    expect(dialog(ann)).to_contain_text("2 transactions amount to €3.70")
    expect(dialog(ann).get_by_role("link", name="Undo milk")).to_be_visible()
    expect(dialog(ann)).to_contain_text("Undo pantry will be deleted")
    dialog(ann).get_by_role("button", name="Close").last.click()
    expect(ann.main.get_by_text("Undo pantry").first).to_be_visible()
    ann.main.get_by_role("button", name="Undo: Made 1 category").click()
    dialog(ann).get_by_role("button", name="Undo", exact=True).click()
    ann.is_told("Undone.")
    expect(ann.main.get_by_text("Undo pantry")).to_have_count(0)


def test_a_refused_undo_offers_to_undo_first_what_prevents_it_as_one(ann: Person) -> None:
    ann.forgives += [r"409 .*/undo", "console: .*409"]
    checking = account(ann, "Undo chain")
    category = ann.records("/categories", name="Undo food", active=True)["id"]
    part = {"amount": "4.00", "currency_code": "EUR", "source_id": checking, "category_name": "Undo food"}
    soup = {"type": "withdrawal", "date": today().isoformat(), "description": "Undo soup", "transactions": [part]}
    transaction = ann.records("/transactions", **soup)[0]["id"]
    ann.changes_elsewhere(f"/categories/{category}", name="Undo meals")
    ann.opens("#/settings/changes")

    ann.page.get_by_role("button", name="Undo: Made 1 category").click()

    expect(dialog(ann)).to_contain_text("later changes rest on it")
    expect(dialog(ann).get_by_role("listitem").first).to_contain_text("Changed 1 category: Undo meals")
    link = dialog(ann).get_by_role("link", name="Undo soup")
    expect(link).to_have_attribute("href", f"#/transactions/{transaction}")
    dialog(ann).get_by_role("button", name="Undo all 3").click()
    ann.is_told("Undone.")
    ann.opens(f"#/transactions?account_id={checking}")
    expect(ann.main.get_by_text("Undo soup")).to_have_count(0)
    ann.undoes()
    expect(ann.main.get_by_role("link", name="Undo soup")).to_be_visible()
