"""What a suggestion box takes: the best match, whichever way somebody leaves it and however fast they type."""

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from .books import account, opens_details, spent
from .conftest import Person, today
from .test_accessible import wrongs


def knows_rewe(ann: Person) -> str:
    """One purchase at REWE Markt GmbH, from the only account."""
    giro = account(ann, "Girokonto")
    part = {"amount": "12.00", "currency_code": "EUR", "source_id": giro, "destination_name": "REWE Markt GmbH"}
    ann.records(
        "/transactions", type="withdrawal", date=today().isoformat(), description="Shopping", transactions=[part]
    )
    return giro


def rows(ann: Person) -> Locator:
    """Those of the open list; those of a select are options, too."""
    return ann.page.locator("[role=listbox]:not([hidden]) [role=option]")


def payee(ann: Person) -> Locator:
    return ann.page.get_by_role("combobox", name="To", exact=True)


@pytest.mark.parametrize("key", ["Enter", "Tab", "click elsewhere"])
def test_the_best_match_is_highlighted_and_taken(ann: Person, key: str) -> None:
    knows_rewe(ann)
    ann.opens("#/transactions/new")
    payee(ann).press_sequentially("REWE")
    options = rows(ann)
    expect(options).to_have_text([re.compile("^REWE Markt GmbH"), "Make “REWE”"])
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert wrongs(ann.page) == []
    if key == "click elsewhere":
        ann.main.get_by_role("heading", name="New transaction").click()
    else:
        payee(ann).press(key)

    expect(payee(ann)).to_have_value("REWE Markt GmbH")
    expect(options).to_have_count(0)
    assert ann.page.url.endswith("#/transactions/new")


def test_a_new_name_is_the_last_row_and_escape_keeps_what_was_typed(ann: Person) -> None:
    knows_rewe(ann)
    ann.opens("#/transactions/new")
    payee(ann).press_sequentially("REWE")
    expect(ann.page.get_by_role("option", name="Make “REWE”")).to_be_visible()
    payee(ann).press("ArrowUp")
    payee(ann).press("Enter")
    expect(payee(ann)).to_have_value("REWE")

    payee(ann).fill("rew")
    expect(ann.page.get_by_role("option", name="REWE Markt GmbH")).to_be_visible()
    payee(ann).press("Escape")
    payee(ann).press("Tab")
    expect(payee(ann)).to_have_value("rew")

    # Letters within a word do not make it what somebody means.
    payee(ann).fill("ark")
    expect(ann.page.get_by_role("option", name="Make “ark”")).to_have_attribute("aria-selected", "true")
    payee(ann).press("Tab")
    expect(payee(ann)).to_have_value("ark")


@pytest.mark.parametrize("keys", [["Enter"], ["Tab"], ["ArrowDown", "ArrowUp", "Enter"]])
def test_keys_pressed_before_the_list_is_there_are_not_lost(ann: Person, keys: list[str]) -> None:
    knows_rewe(ann)
    ann.opens("#/transactions/new")
    ann.settles()
    held: list[Route] = []
    ann.page.route("**/autocomplete/accounts?*", lambda route: held.append(route))
    with ann.page.expect_request("**/autocomplete/accounts?query=REWE*"):
        payee(ann).press_sequentially("REWE")
        for key in keys:
            payee(ann).press(key)
    expect(payee(ann)).to_have_value("REWE")
    assert ann.page.url.endswith("#/transactions/new")
    held[-1].continue_()

    expect(payee(ann)).to_have_value("REWE Markt GmbH")


def test_a_form_sent_at_once_waits_for_the_best_match(ann: Person) -> None:
    giro = knows_rewe(ann)
    ann.opens("#/transactions/new")
    ann.field("Amount").fill("3.20")
    payee(ann).press_sequentially("rewe")
    payee(ann).press("Control+Enter")
    ann.is_told("“REWE Markt GmbH” saved.")

    ann.opens(f"#/transactions?account_id={giro}")
    expect(ann.main.get_by_role("button", name=re.compile("^Payee of .*: REWE Markt GmbH"))).to_have_count(2)


def test_a_closed_list_never_refuses_when_one_fits(ann: Person) -> None:
    knows_rewe(ann)
    account(ann, "Savings")
    ann.opens("#/transactions/new")
    ann.field("Amount").fill("3.20")
    payee(ann).fill("Baker")
    opens_details(ann)
    own = ann.page.get_by_role("combobox", name="From account")
    own.fill("konto")
    ann.presses("Save", exact=True)
    ann.is_told("“Baker” saved.")
    expect(ann.main.get_by_text("Girokonto")).to_be_visible()


def test_tags_are_taken_like_everything_else(ann: Person) -> None:
    spent(ann, account(ann, "Girokonto"), "Trip", "5.00", tags=["holiday"])
    ann.opens("#/transactions/new")
    opens_details(ann)
    tags = ann.page.get_by_role("combobox", name="Tags")
    tags.press_sequentially("hol")
    tags.press("Tab")
    expect(ann.main.get_by_role("button", name="Remove tag holiday")).to_be_visible()
    tags.press_sequentially("hol")
    expect(ann.page.get_by_role("option", name="Make “hol”")).to_be_visible()
    tags.press("ArrowUp")
    tags.press("Enter")
    expect(ann.main.get_by_role("button", name="Remove tag hol", exact=True)).to_be_visible()
    tags.press_sequentially("sea, sun,")
    for tag in ("sea", "sun"):
        expect(ann.main.get_by_role("button", name=f"Remove tag {tag}", exact=True)).to_be_visible()


def test_a_click_opens_the_whole_list(ann: Person) -> None:
    knows_rewe(ann)
    account(ann, "Savings")
    ann.opens("#/")
    ann.opens("#/transactions/new")
    opens_details(ann)
    own = ann.page.get_by_role("combobox", name="From account")
    own.fill("Gir")
    own.press("Enter")
    expect(own).to_have_value("Girokonto")
    own.click()
    expect(rows(ann)).to_have_count(2)
    own.press("Escape")
    ann.main.get_by_role("heading", name="New transaction").click()
    expect(own).to_have_value("Girokonto")
