"""Groups of bills and piggy banks, in forms and lists."""

import pytest
from playwright.sync_api import Page, expect

from .books import account, dialog, expected
from .conftest import Person
from .test_accessible import too_wide, wrongs


def takes_or_makes(page: Page, typed: str, option: str) -> None:
    page.get_by_role("combobox", name="Group").press_sequentially(typed)
    expect(page.get_by_role("option", name=option)).to_have_attribute("aria-selected", "true")
    page.get_by_role("combobox", name="Group").press("Enter")


@pytest.mark.parametrize("who", ["ann", "ann_on_phone"])
def test_bills_and_piggy_banks_are_under_their_groups(request: pytest.FixtureRequest, who: str) -> None:
    person: Person = request.getfixturevalue(who)
    page = person.page
    expected(person, "Gym")
    rent = expected(person, "Rent")
    savings = account(person, "Savings")
    person.records("/piggy_banks", name="Sofa", account_id=int(savings), target_amount="400")
    person.opens(f"#/bills/{rent}/edit")
    takes_or_makes(page, "Home", "Make “Home”")
    person.presses("Save", exact=True)
    person.is_told("“Rent” saved.")
    person.opens("#/bills")
    expect(person.main.locator("tbody th")).to_contain_text(["Gym", "Home", "Rent"])
    assert [*wrongs(page), *too_wide(page)] == []

    person.opens("#/piggy-banks")
    person.presses("Edit Sofa")
    takes_or_makes(page, "ho", "Home")
    dialog(person).get_by_role("button", name="Save").click()
    person.is_told("Sofa saved.")
    expect(person.main.get_by_role("heading", level=2)).to_have_text("Home")
    expect(person.main.get_by_role("heading", level=3)).to_have_text("Sofa")
    assert [*wrongs(page), *too_wide(page)] == []
    person.undoes()
    expect(person.main.get_by_role("heading", level=2)).to_have_text("Sofa")


@pytest.mark.parametrize("noun", ["accounts", "categories", "tags"])
def test_an_account_a_category_and_a_tag_have_files(ann: Person, noun: str) -> None:
    made = account(ann, "Bank") if noun == "accounts" else ann.records(f"/{noun}", name="Trip", tag="Trip")["id"]
    ann.opens(f"#/{noun}/{made}")
    files = ann.main.get_by_role("region", name="Files")
    files.locator("input[type=file][multiple]").set_input_files(
        {"name": "contract.txt", "mimeType": "text/plain", "buffer": b"Signed"}
    )
    expect(files.get_by_role("link", name="Download contract.txt")).to_be_visible()
    ann.settles()
    assert [*wrongs(ann.page), *too_wide(ann.page)] == []
    files.get_by_role("button", name="Delete contract.txt").click()
    expect(files.get_by_text("No files yet.")).to_be_visible()
    ann.undoes()
    assert [one["attributes"]["filename"] for one in ann.reads(f"/{noun}/{made}/attachments")] == ["contract.txt"]


@pytest.mark.parametrize("who", ["ann", "ann_on_phone"])
def test_bills_groups_and_budgets_are_put_into_an_order_by_keys(request: pytest.FixtureRequest, who: str) -> None:
    person: Person = request.getfixturevalue(who)
    page, names = person.page, person.main.locator("tbody th.name")
    for name, group in (("Gym", "Sport"), ("Rent", "Home"), ("Power", "Home")):
        expected(person, name, object_group_title=group)
    for name in ("Food", "Fun"):
        person.records("/budgets", name=name, active=True)
    person.opens("#/bills")
    expect(names).to_contain_text(["Sport", "Gym", "Home", "Rent", "Power"])

    person.presses("Arrange")
    assert [*wrongs(page), *too_wide(page)] == []
    dialog(person).get_by_role("button", name="Move Home up").press("Enter")
    dialog(person).get_by_role("button", name="Move Rent down").press("Alt+ArrowDown")
    expect(dialog(person).get_by_text("Rent is now 2 of 2.")).to_be_attached()
    dialog(person).get_by_role("button", name="Save").click()

    expect(names).to_contain_text(["Home", "Power", "Rent", "Sport", "Gym"])

    person.goes_to("Budgets")
    person.presses("Arrange")
    dialog(person).get_by_role("button", name="Move Food down").press("Enter")
    dialog(person).get_by_role("button", name="Save").click()
    person.is_told("Order of budgets saved.")
    expect(person.main.get_by_role("button", name="Edit F")).to_have_count(2)
    assert [one["name"] for one in person.reads("/budgets/months")["budgets"]] == ["Fun", "Food"]
    assert [*wrongs(page), *too_wide(page)] == []
    person.undoes()
    expect(person.main.get_by_role("button", name="Edit F")).to_have_count(2)
