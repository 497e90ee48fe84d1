"""Links between transactions, seen from both."""

import re

import pytest
from playwright.sync_api import expect

from .books import account, dialog, spent
from .conftest import Person
from .test_accessible import too_wide, wrongs


@pytest.mark.parametrize("who", ["ann", "ann_on_phone"])
def test_a_transaction_is_linked_by_typing_and_unlinked(request: pytest.FixtureRequest, who: str) -> None:
    person: Person = request.getfixturevalue(who)
    bank = account(person, "Bank")
    hotel = spent(person, bank, "Hotel", "300.00", "20.00")
    spent(person, bank, "Deposit for the hotel", "80.00", date="2024-03-02")
    person.opens(f"#/transactions/{hotel}")
    links = person.main.get_by_role("region", name="Linked transactions")
    links.get_by_role("button", name="Link a transaction").press("Enter")
    form = dialog(person)
    form.get_by_label("This transaction").select_option("is paid for by")
    form.get_by_role("button", name="Link", exact=True).click()
    expect(form.get_by_text("Choose a transaction from the list.")).to_be_visible()
    form.get_by_role("combobox", name="The other transaction").press_sequentially("deposit")
    expect(form.locator("[role=listbox]:not([hidden]) li")).to_have_text(
        [re.compile("Deposit for the hotel.*2024.*80.00")]
    )
    assert wrongs(person.page, "[role=dialog], dialog") == []
    form.get_by_role("combobox", name="The other transaction").press("Enter")
    form.get_by_role("button", name="Link", exact=True).press("Enter")
    person.is_told("Linked to “Deposit for the hotel”.")

    expect(links.get_by_role("listitem")).to_contain_text("is paid for by")
    assert [*wrongs(person.page), *too_wide(person.page)] == []
    links.get_by_role("link", name="Deposit for the hotel").click()
    expect(links.get_by_role("listitem")).to_contain_text(re.compile("pays for.*Hotel.*320.00", re.DOTALL))
    links.get_by_role("button", name="Unlink Hotel").click()
    expect(links.get_by_text("Nothing is linked.")).to_be_visible()
    person.undoes()
    expect(links.get_by_role("link", name="Hotel")).to_be_visible()
