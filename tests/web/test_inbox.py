"""The inbox: what waits is worked through by keyboard, with suggestions that say why."""

import re

from playwright.sync_api import Locator, expect

from .books import account, dialog, spent
from .conftest import Person
from .test_accessible import too_wide, wrongs


def buys(ann: Person, source: str, what: str, payee: str, category: str | None = None, amount: str = "9.90") -> str:
    part = {"amount": amount, "currency_code": "EUR", "source_id": source, "destination_name": payee}
    return spent(ann, source, what, amount, transactions=[part | ({"category_name": category} if category else {})])


def begins(ann: Person) -> str:
    """Three from the chemist wait, which were sorted before; and one from a stranger."""
    checking = account(ann, "Checking")
    for number in range(3):
        buys(ann, checking, f"Soap {number}", "Chemist", "Drugstore")
    for number in range(2):
        buys(ann, checking, f"Shampoo {number}", "Chemist")
    buys(ann, checking, "Brass ring", "Stranger")
    return checking


def groups(ann: Person) -> Locator:
    return ann.main.locator("[data-group]")


def test_the_inbox_is_worked_through_by_keyboard(ann: Person) -> None:
    begins(ann)
    ann.opens("#/")
    expect(ann.page.get_by_role("link", name="Inbox 3 waiting")).to_be_visible()
    ann.goes_by_keys("x", "#/inbox")
    expect(groups(ann)).to_have_count(2)
    expect(groups(ann).first).to_contain_text("2 from Chemist")
    expect(ann.main.get_by_text("3 transactions waiting")).to_be_visible()
    assert wrongs(ann.page) == []

    ann.page.keyboard.press("j")
    ann.page.keyboard.press("w")
    reasons = groups(ann).first.get_by_role("list", name="Because of").get_by_role("link")
    expect(reasons).to_have_text(["Soap 2", "Soap 1", "Soap 0"])
    assert wrongs(ann.page) == []
    ann.page.keyboard.press("a")
    ann.is_told("2 transactions categorized.")
    expect(groups(ann)).to_have_count(1)
    expect(groups(ann).get_by_role("button", name=re.compile("^Stranger"))).to_be_focused()
    expect(ann.page.get_by_role("link", name="Inbox 1 waiting")).to_be_visible()

    ann.page.keyboard.press("a")
    field = ann.main.get_by_role("combobox", name="Choose category for Stranger")
    expect(field).to_be_focused()
    field.press_sequentially("Jewels")
    field.press("Enter")
    ann.is_told("1 transaction categorized.")
    expect(ann.main.get_by_text("Nothing is waiting")).to_be_visible()
    ann.undoes()
    expect(groups(ann)).to_have_count(1)


def test_what_is_rejected_is_not_accepted_with_all_others(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    checking = begins(ann)
    for number in range(3):
        buys(ann, checking, f"Loaf {number}", "Baker", "Food")
    buys(ann, checking, "Loaf 9", "Baker")
    ann.opens("#/inbox")
    expect(groups(ann)).to_have_count(3)
    ann.presses("Reject Drugstore for Chemist")
    expect(groups(ann).first).to_contain_text("Rejected.")
    assert wrongs(ann.page) == []
    assert too_wide(ann.page) == []

    ann.presses("Accept all")
    dialog(ann).get_by_label("At least this sure").select_option(label="60%")
    table = dialog(ann).get_by_role("table", name="What would change")
    expect(table.get_by_role("row")).to_have_count(2)
    expect(table).to_contain_text("Loaf 9")
    expect(dialog(ann).get_by_text("1 transaction would stay")).to_be_visible()
    assert wrongs(ann.page, "dialog") == []
    dialog(ann).get_by_role("button", name="Accept for 1 transaction").click()

    ann.is_told("1 transaction categorized.")
    expect(groups(ann)).to_have_count(2)
    expect(groups(ann).first).to_contain_text("Rejected.")
    ann.undoes()
    expect(groups(ann)).to_have_count(3)


def test_the_third_equal_correction_offers_a_rule(ann: Person) -> None:
    checking = account(ann, "Checking")
    for number in range(3):
        buys(ann, checking, f"Fuel {number}", "Aral")
    ann.opens("#/inbox")
    groups(ann).get_by_role("button", name="3 from Aral").click()
    offer = ann.main.get_by_role("region", name="Make this a rule?")
    for number in (2, 1, 0):
        expect(offer).to_have_count(0)
        ann.main.get_by_role(
            "button", name=re.compile(f"category for {f'Fuel {number}' if number else 'Aral'}$")
        ).click()
        field = ann.main.get_by_role("combobox")
        field.fill("Car")
        field.press("Enter")
        ann.is_told("1 transaction categorized.")
        expect(ann.main.locator("a[data-stop]").get_by_text(f"Fuel {number}")).to_have_count(0)
    expect(offer).to_contain_text("“Aral” the category “Car”")
    assert wrongs(ann.page) == []
    offer.get_by_role("button", name="Create the rule").click()
    ann.is_told("“Aral: Car” created.")

    buys(ann, checking, "Fuel 9", "Aral")
    ann.opens("#/transactions")
    expect(ann.main.get_by_role("row").filter(has_text="Fuel 9")).to_contain_text("Category of Fuel 9: Car")


def test_a_refund_is_linked_to_its_purchase_with_one_key(ann: Person) -> None:
    checking = account(ann, "Checking")
    boots = buys(ann, checking, "Boots", "Cobbler", "Shoes", "80.00")
    part = {"amount": "80.00", "currency_code": "EUR", "source_name": "Cobbler", "destination_id": checking}
    spent(ann, checking, "Credit", "80.00", type="deposit", transactions=[part])

    ann.opens("#/inbox")
    expect(groups(ann)).to_have_count(1)
    ann.page.keyboard.press("a")

    ann.is_told("1 transaction categorized.")
    assert [link["attributes"]["inward"] for link in ann.reads(f"/transactions/{boots}/links")] == ["is refunded by"]
    ann.undoes()
    expect(groups(ann)).to_contain_text("Refund of “Boots”, Shoes")
