"""What is valued by hand: a flat, a car, a fund."""

from playwright.sync_api import expect

from .books import account, dialog
from .conftest import Person


def test_a_flat_is_valued_and_net_worth_follows(ann: Person) -> None:
    flat = account(ann, "Valued flat", account_role="propertyAsset")
    ann.opens(f"#/accounts/{flat}")
    expect(ann.main.get_by_text("Property")).to_be_visible()

    for value, day in (("300,000", ""), ("290,000.50", "2024-06-30")):
        ann.presses("New value")
        dialog(ann).get_by_label("Value").fill(value)
        if day:
            dialog(ann).get_by_label("Date").first.fill(day)
        dialog(ann).get_by_role("button", name="Save").click()
        expect(dialog(ann)).to_have_count(0)

    section = ann.main.get_by_role("region", name="Values")
    expect(section.get_by_role("listitem")).to_have_count(2)
    expect(section).to_contain_text("+€9,999.50")
    expect(ann.main.locator(".balance")).to_have_text("€300,000.00")
    ann.goes_to("Dashboard")
    expect(ann.main).to_contain_text("€300,000.00")
    ann.opens(f"#/accounts/{flat}")
    ann.undoes()
    expect(section.get_by_role("listitem")).to_have_count(1)
    section.get_by_role("button", name="Remove the value of").click()
    ann.is_told("Value removed.")
    expect(section.get_by_role("listitem")).to_have_count(0)
