"""Categories, tags and payees: each on a page of its own, sorted, merged and put back."""

from datetime import timedelta

from playwright.sync_api import expect

from .books import account, dialog, spent
from .conftest import Person, today


def bought(ann: Person, own: str, what: str, amount: str, category: str, shop: str = "Corner shop") -> None:
    part = {"amount": amount, "currency_code": "EUR", "source_id": own, "destination_name": shop}
    spent(ann, own, what, transactions=[{**part, "category_name": category}])


def test_categories_are_nested_merged_and_put_back(ann: Person) -> None:
    own = account(ann, "Checking")
    bought(ann, own, "Bread", "3.00", "Food")
    bought(ann, own, "Soup", "4.00", "Meals")
    ann.records("/budgets", name="Daily", active=True)
    ann.records("/categories", name="Never used")
    ann.opens()
    ann.goes_to("Categories")
    rows = ann.main.get_by_role("row")

    # The list: what was spent, what was just made, found while typing.
    expect(rows.filter(has_text="Food")).to_contain_text("€3.00")
    expect(rows.filter(has_text="Food").locator("svg rect")).to_have_count(1)  # this month, of twelve
    expect(rows.filter(has_text="Never used")).to_be_visible()
    ann.field("Find by name").fill("mea")
    expect(rows.filter(has_text="Food")).to_have_count(0)

    # One of them: under another, with a budget by default.
    ann.main.get_by_role("link", name="Meals").click()
    expect(ann.page).to_have_title("Meals · Categories · Farthing")
    expect(ann.main.get_by_text("Soup")).to_be_visible()
    ann.presses("Show as table")
    expect(ann.main.get_by_role("table")).to_contain_text("€4.00")
    ann.presses("Edit", exact=True)
    dialog(ann).get_by_label("Parent category").select_option("Food")
    dialog(ann).get_by_label("Default budget").select_option("Daily")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("Meals saved.")
    expect(ann.main.get_by_role("link", name="under Food")).to_be_visible()
    expect(ann.main.get_by_text("Default budget: Daily")).to_be_visible()

    # Merged, with the consequence in numbers, and undone.
    ann.chooses("Merge")
    dialog(ann).get_by_label("Merge into").select_option("Food")
    expect(dialog(ann)).to_contain_text("1 transaction will move from Meals to Food, and Meals will be deleted.")
    dialog(ann).get_by_role("button", name="Merge").click()
    ann.is_told("Meals merged into Food.")
    expect(ann.page).to_have_title("Food · Categories · Farthing")
    expect(ann.main.get_by_text("Soup")).to_be_visible()
    ann.undoes()
    expect(ann.main.get_by_role("link", name="Meals")).to_be_visible()
    ann.field("Include sub-categories").uncheck()
    expect(ann.main.get_by_text("Soup")).to_have_count(0)

    # Deleting a parent frees its children.
    ann.chooses("Delete")
    expect(dialog(ann)).to_contain_text("1 sub-category stays without a parent.")
    dialog(ann).get_by_role("button", name="Delete").click()
    ann.is_told("Food deleted.")
    expect(rows.filter(has_text="Meals")).to_be_visible()


def test_payees_and_tags_have_pages_and_are_merged_as_well(ann: Person) -> None:
    own = account(ann, "Checking")
    yesterday = (today() - timedelta(days=1)).isoformat()
    bought(ann, own, "Bread", "3.00", "Food")
    bought(ann, own, "Cake", "5.00", "Food", shop="CORNER SHOP 42")
    spent(ann, own, "Ferry", "9.00", tags=["lake"], date=yesterday)
    ann.opens("#/payees")
    ann.main.get_by_role("link", name="CORNER SHOP 42").click()
    expect(ann.main.get_by_text("Cake")).to_be_visible()
    ann.chooses("Merge")
    dialog(ann).get_by_label("Merge into").select_option("Corner shop")
    dialog(ann).get_by_role("button", name="Merge").click()
    ann.is_told("CORNER SHOP 42 merged into Corner shop.")
    expect(ann.page).to_have_title("Corner shop · Payees · Farthing")
    expect(ann.main.get_by_text("Cake")).to_be_visible()

    ann.opens("#/tags")
    ann.presses("New tag")
    dialog(ann).get_by_label("Name").fill("sea")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("sea saved.")
    ann.main.get_by_role("link", name="lake").click()
    expect(ann.main.get_by_text("Ferry")).to_be_visible()
    ann.presses("Edit", exact=True)
    dialog(ann).get_by_label("Name").fill("ocean")
    dialog(ann).get_by_role("button", name="Save").click()
    expect(ann.main.get_by_role("heading", name="ocean")).to_be_visible()
