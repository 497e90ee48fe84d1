"""Weekly work: short journeys, each checked and then undone."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import expect

from ..cli.conftest import Terminal
from .books import account, dialog, every_day, expected, spent
from .conftest import EMAIL, Person, an_owner_at, today


def two_purchases(ann: Person, name: str) -> None:
    checking = account(ann, name)
    spent(ann, checking, f"{name} bread", "2.50")
    spent(ann, checking, f"{name} milk", "1.20")
    ann.opens(f"#/transactions?account_id={checking}")
    ann.page.get_by_label("Select all on this page").check()


def test_a_bulk_edit_can_be_undone(ann: Person) -> None:
    two_purchases(ann, "Bulk")
    ann.records("/budgets", name="Bulk food", active=True)
    ann.presses("Edit selected")
    for what, choice, value in (("Category", "Set to", "Bulk pantry"), ("Budget", "Set to", "Bulk food")):
        dialog(ann).get_by_label(what).first.select_option(label=choice)
        dialog(ann).get_by_role("combobox", name=what).last.fill(value)
    dialog(ann).get_by_label("Tags").first.select_option(label="Add")
    dialog(ann).get_by_role("combobox", name="Tags").last.fill("bulk-tag")
    dialog(ann).get_by_role("button", name="Save").click()
    ann.is_told("2 transactions changed.")

    for label in ("Bulk pantry", "Bulk food", "#bulk-tag"):
        expect(ann.main.get_by_text(label, exact=True)).to_have_count(2)
    ann.undoes()
    for label in ("Bulk pantry", "Bulk food", "#bulk-tag"):
        expect(ann.main.get_by_text(label, exact=True)).to_have_count(0)
    expect(ann.main.get_by_role("link", name="Bulk milk")).to_be_visible()


def test_a_notice_does_not_cover_the_selection(ann: Person) -> None:
    checking = account(ann, "Covered")
    part = {"amount": "1.00", "currency_code": "EUR", "source_id": checking, "destination_name": "Corner shop"}
    one = {"type": "withdrawal", "date": today().isoformat(), "description": "Covered", "transactions": [part]}
    ann.records("/transactions/bulk", transactions=[one] * 16)
    ann.opens(f"#/transactions?account_id={checking}")
    for _ in range(2):
        ann.page.get_by_label("Select all on this page").check()
        ann.presses("Edit selected")
        dialog(ann).get_by_label("Tags").first.select_option(label="Add")
        dialog(ann).get_by_role("combobox", name="Tags").last.fill("covered")
        dialog(ann).get_by_role("button", name="Save").click()
        expect(dialog(ann)).to_have_count(0)
        ann.is_told("16 transactions changed.")
    ann.page.get_by_label("Select all on this page").check()
    for name in ("Edit selected", "Delete selected", "Clear selection"):
        ann.page.get_by_role("button", name=name).click(trial=True, timeout=5000)


def test_a_bulk_deletion_can_be_undone(ann: Person) -> None:
    two_purchases(ann, "Gone")
    ann.presses("Delete selected")
    dialog(ann).get_by_role("button", name="Delete").click()
    ann.is_told("2 transactions deleted.")
    expect(ann.main.get_by_role("link", name="Gone milk")).to_have_count(0)

    ann.undoes()
    expect(ann.main.get_by_role("link", name="Gone milk")).to_be_visible()
    expect(ann.main.get_by_role("link", name="Gone bread")).to_be_visible()


def test_money_goes_into_a_piggy_bank_and_out(ann: Person) -> None:
    savings = account(ann, "Savings", opening_balance="500", opening_balance_date="2026-01-01")
    ann.records("/piggy_banks", name="Bicycle", account_id=int(savings), target_amount="400")
    ann.opens("#/piggy-banks")
    card = ann.main.get_by_role("article", name="Bicycle")
    for way, amount, then in (("Put in", "120,50", "€120.50"), ("Take out", "20.50", "€100.00")):
        card.get_by_role("button", name="Money in Bicycle").click()
        dialog(ann).get_by_label(way).check()
        dialog(ann).get_by_label("Amount").fill(amount)
        dialog(ann).get_by_role("button", name=way).click()
        expect(card.get_by_text(then)).to_be_visible()

    ann.undoes()
    expect(card.get_by_text("€120.50")).to_be_visible()
    card.get_by_role("button", name="History").click()
    expect(dialog(ann).get_by_text("+€120.50")).to_be_visible()


def test_a_near_match_can_be_linked_and_unlinked(ann: Person) -> None:
    bill = expected(ann, "Landlord")
    spent(ann, account(ann, "For rent"), "To the landlord", "850")
    ann.opens(f"#/bills/{bill}")
    near, paid = (ann.main.get_by_role("region", name=re.compile(name)) for name in ("Near matches", "^Payments in"))
    expect(near.get_by_role("link", name="To the landlord")).to_be_visible()

    near.get_by_role("button", name="Link To the landlord").click()
    ann.is_told("“To the landlord” now pays this bill.")
    expect(paid.get_by_role("link", name="To the landlord")).to_be_visible()
    expect(near.get_by_role("link", name="To the landlord")).to_have_count(0)

    paid.get_by_role("button", name="Unlink To the landlord").click()
    ann.is_told("“To the landlord” no longer pays this bill.")
    expect(near.get_by_role("link", name="To the landlord")).to_be_visible()
    expect(paid.get_by_role("link", name="To the landlord")).to_have_count(0)


def test_an_account_is_edited_in_place(ann: Person) -> None:
    wallet = account(ann, "Wallet", iban="NL91ABNA0417164300")
    ann.opens(f"#/accounts/{wallet}")
    ann.presses("Quick edit")
    expect(ann.field("Name")).to_be_focused()
    ann.field("Name").fill("Purse")
    ann.field("Notes").fill("The red one.")
    ann.presses("Save")
    ann.is_told("“Purse” saved.")
    expect(ann.main.get_by_role("button", name="Quick edit")).to_be_focused()
    expect(ann.page.get_by_role("heading", name="Purse")).to_be_visible()
    expect(ann.main.get_by_text("The red one.")).to_be_visible()
    expect(ann.main.get_by_text("NL91 ABNA 0417 1643 00")).to_be_visible()

    ann.undoes()
    expect(ann.page.get_by_role("heading", name="Wallet")).to_be_visible()


def test_deleting_an_account_lists_what_is_deleted_with_it(ann: Person) -> None:
    """And all of it comes back."""
    old = account(ann, "Old bank")
    spent(ann, old, "Last coffee", "2.80")
    ann.records("/piggy_banks", name="Holiday", account_id=int(old), target_amount="900")
    ann.opens(f"#/accounts/{old}")
    ann.chooses("Delete")
    for going in ("1 transaction", "1 piggy bank"):
        expect(dialog(ann).get_by_role("listitem").filter(has_text=going)).to_be_visible()
    expect(dialog(ann).get_by_text("You can undo this for 30 days.")).to_be_visible()
    dialog(ann).get_by_role("button", name="Delete").click()
    ann.is_told("“Old bank” deleted.")
    ann.undoes()

    ann.opens(f"#/accounts/{old}")
    expect(ann.main.get_by_role("link", name="Last coffee")).to_be_visible()
    expect(ann.main.get_by_text("Holiday")).to_be_visible()


def test_one_date_of_a_recurrence_is_skipped_and_another_moved(ann: Person) -> None:
    first, second = today() + timedelta(days=3), today() + timedelta(days=4)
    ann.opens(f"#/recurrences/{every_day(ann, account(ann, 'Card'), first)}")
    dates = ann.main.get_by_role("region", name="Upcoming dates").get_by_role("listitem")
    ann.page.get_by_role("button", name=re.compile("^Skip ")).first.click()
    expect(dates.first).to_contain_text("skipped")

    ann.page.get_by_role("button", name=re.compile("^Move ")).nth(1).click()
    dialog(ann).get_by_label("New date").fill((second + timedelta(days=1)).isoformat())
    dialog(ann).get_by_role("button", name="Move").click()
    ann.is_told("Moved ")
    expect(dates.nth(1)).to_contain_text("by you")
    ann.undoes()
    expect(dates.nth(1)).not_to_contain_text("by you")
    ann.page.get_by_role("button", name=re.compile("^Restore ")).first.click()
    expect(dates.first).not_to_contain_text("skipped")


def test_a_transaction_with_splits_is_edited(ann: Person) -> None:
    booked = spent(ann, account(ann, "Splits"), "Weekly shop", "30.00", "12.50")
    ann.opens(f"#/transactions/{booked}/edit")
    expect(ann.field("Total")).to_have_value("42.50")
    ann.field("Total").fill("50")
    expect(ann.main.get_by_text("€7.50")).to_be_visible()
    ann.presses("Save", exact=True)
    expect(ann.field("Total")).to_have_attribute("aria-invalid", "true")

    ann.presses("Add a split")
    third = ann.page.get_by_role("group", name="Split 3")
    expect(third.get_by_label("Amount")).to_have_value("7.50")
    third.get_by_label("Split description").fill("Flowers")
    ann.presses("Save", exact=True)
    ann.is_told("“Weekly shop” saved.")
    expect(ann.main.get_by_text("Flowers")).to_be_visible()
    expect(ann.main.get_by_text("€50.00").first).to_be_visible()
    ann.undoes()
    expect(ann.main.get_by_text("Flowers")).to_have_count(0)
    expect(ann.main.get_by_text("€42.50").first).to_be_visible()


def test_the_address_keeps_the_filters(ann: Person) -> None:
    two_purchases(ann, "Filtered")
    ann.field("Find transactions").fill("milk")
    ann.field("Find transactions").press("Enter")
    ann.presses("Filters")
    dialog(ann).get_by_label("Amount to").fill("1,50")
    dialog(ann).get_by_label("Amount to").press("Tab")
    dialog(ann).get_by_label("Dates", exact=True).select_option(label="This month")
    ann.page.keyboard.press("Escape")
    expect(ann.main.get_by_role("link", name="Filtered bread")).to_have_count(0)

    ann.page.reload()
    expect(ann.main.get_by_role("link", name="Filtered milk")).to_be_visible()
    expect(ann.main.get_by_role("link", name="Filtered bread")).to_have_count(0)
    expect(ann.field("Find transactions")).to_have_value("milk")
    expect(ann.main.get_by_role("button", name="Remove the filter Account: Filtered")).to_be_visible()
    ann.presses("Remove the filter Amount: up to 1,50")
    ann.field("Find transactions").fill("")
    ann.field("Find transactions").press("Enter")
    expect(ann.main.get_by_role("link", name="Filtered bread")).to_be_visible()


def test_a_day_adds_up_what_the_account_was_charged(ann: Person) -> None:
    part = {"source_id": account(ann, "In euros"), "destination_name": "Hatter", "amount": "45.60"}
    charged = {"currency_code": "USD", "foreign_amount": "42.11", "foreign_currency_code": "EUR"}
    ann.records(
        "/transactions", type="withdrawal", date=today().isoformat(), description="A hat", transactions=[part | charged]
    )
    ann.opens("#/transactions")
    expect(ann.main.get_by_text("-$45.60")).to_be_visible()
    ann.presses("Compact")
    expect(ann.main.locator("section header")).to_contain_text("-€42.11")
    ann.page.get_by_label("Select all on this page").check()

    expect(ann.page.get_by_role("region", name="1 selected")).to_contain_text("-€42.11")


def test_a_range_with_one_open_end_is_searched_as_far_as_possible(ann: Person) -> None:
    checking, coming = account(ann, "Open"), (today() + timedelta(days=40)).isoformat()
    spent(ann, checking, "Open today", "1.00")
    spent(ann, checking, "Open later", "1.00", date=coming)
    spent(ann, checking, "Open before", "1.00", date="1999-12-31")
    found = ann.main.get_by_role("link", name=re.compile("^Open "))
    for days, names in (
        ("start=2000-01-01", ["Open later", "Open today"]),
        (f"start={coming}", ["Open later"]),
        (f"end={today()}", ["Open today"]),
    ):
        ann.opens(f"#/transactions?{days}")
        expect(found).to_have_text(names)

    ann.main.get_by_role("link", name="Search further back").click()
    expect(found).to_have_text(["Open before"])


def test_a_search_begins_with_one_key(ann: Person) -> None:
    spent(ann, account(ann, "Searched"), "A very peculiar umbrella", "15")
    ann.opens("#/bills")
    expect(ann.page.get_by_role("heading", name="Bills", exact=True)).to_be_visible()
    ann.page.keyboard.press("/")
    ann.page.keyboard.type("peculiar")
    ann.page.get_by_role("option", name="peculiar").last.click()

    expect(ann.main.get_by_role("link", name="A very peculiar umbrella")).to_be_visible()
    assert "query=peculiar" in ann.page.url


def test_typed_text_survives_an_undo(ann: Person) -> None:
    checking = account(ann, "Undone elsewhere")
    places = {
        f"accounts/{checking}/edit": "Name",
        f"bills/{expected(ann, 'Club')}/edit": "Name",
        f"recurrences/{every_day(ann, checking, today() + timedelta(days=9))}/edit": "Title",
    }
    for place, label in places.items():
        deletes(ann, spent(ann, checking, "A slip", "1.00"))
        ann.opens(f"#/{place}")
        ann.field(label).fill("Half typed")
        ann.undoes()
        ann.settles()  # everything that could overwrite it is there
        expect(ann.field(label)).to_have_value("Half typed")
        ann.presses("Cancel")


def test_a_quick_edit_survives_an_undo(ann: Person) -> None:
    checking = account(ann, "Quickly")
    deletes(ann, spent(ann, checking, "A slip", "1.00"))
    ann.opens(f"#/accounts/{checking}")
    ann.presses("Quick edit")
    ann.field("Name").fill("Half typed")
    ann.undoes()
    expect(ann.main.get_by_role("link", name="A slip")).to_be_visible()
    expect(ann.field("Name")).to_have_value("Half typed")


def deletes(ann: Person, transaction: str) -> None:
    ann.opens(f"#/transactions/{transaction}")
    ann.chooses("Delete")
    dialog(ann).get_by_role("button", name="Delete").click()
    ann.is_told("Transaction deleted.")


def test_the_list_of_changes_names_what_was_changed(ann: Person) -> None:
    spent(ann, account(ann, "Changing"), "Theatre", "45")
    ann.opens("#/settings/changes")
    row = ann.main.get_by_role("row").filter(has_text=": Theatre")
    expect(row).to_contain_text("Made")
    row.get_by_role("button", name="Undo").click()
    ann.is_told("Undone.")
    expect(row.filter(has_text="reverts a change")).to_be_visible()


def test_payments_overdue_for_months_are_still_counted(ann: Person) -> None:
    spent(ann, account(ann, "Reading"), "Newspaper", "3")  # whoever has nothing yet is shown the first steps
    expected(ann, "Magazine", first=today() - timedelta(days=100))
    ann.opens("#/")
    ann.main.get_by_role("link", name=re.compile("more than 60 days overdue")).click()

    expect(ann.page.get_by_role("heading", name="Bills", exact=True)).to_be_visible()
    expect(ann.main.get_by_role("link", name="Magazine").first).to_be_visible()


def test_arrow_keys_scroll_a_suggestion_into_view(ann: Person) -> None:
    for number in range(10):
        account(ann, f"Suggested {number}")
    ann.opens("#/transactions/new")
    field = ann.page.get_by_role("combobox", name="From account")
    field.fill("Suggested")
    expect(ann.page.locator("[role=option]")).to_have_count(10)
    field.press("ArrowUp")
    chosen = ann.page.locator("[role=option][aria-selected=true]")
    expect(chosen).to_be_in_viewport(ratio=1)
    shown = chosen.text_content()
    field.press("Enter")
    assert field.input_value() in (shown or "")


def test_days_of_another_year_show_the_year(ann: Person) -> None:
    first = date(today().year + 1, 3, 1)
    ann.opens(f"#/recurrences/{every_day(ann, account(ann, 'Next year'), first)}/edit")
    days = ann.main.get_by_role("region", name="Next dates").get_by_role("listitem")

    expect(days.first).to_contain_text(f"Mar 1, {first.year}")


def test_a_page_past_the_last_links_back_to_the_first(ann: Person) -> None:
    own = account(ann, "Behind")
    spent(ann, own, "Something", "1.00")
    every_day(ann, own, today() + timedelta(days=5))
    expected(ann, "Behind")
    ann.records("/piggy_banks", name="Behind", account_id=int(own), target_amount="400")

    for place in ("transactions", "accounts?type=expense", "recurrences", "bills", "piggy-banks", "settings/changes"):
        ann.opens(f"#/{place}{'&' if '?' in place else '?'}page=999")
        expect(ann.main.get_by_text("Page 999 is empty"), place).to_be_visible()
        ann.presses("Go to the first page")

        expect(ann.main.get_by_text("Page 999 is empty"), place).to_have_count(0)
        expect(ann.page, place).to_have_url(re.compile(f"{re.escape(place)}.*page=1$"))


def test_a_search_that_finds_nothing_says_so_and_parts_of_words_are_found(ann: Person) -> None:
    checking = account(ann, "Sought")
    spent(ann, checking, "A very peculiar umbrella", "15")

    for words in ("parasol", "🎉", "*"):
        ann.opens(f"#/transactions?query={words}")
        expect(ann.main.get_by_role("heading", name="Nothing found"), words).to_be_visible()
        expect(ann.main.get_by_text("No transaction matches all of these filters."), words).to_be_visible()
        ann.opens(f"#/accounts/{checking}?query={words}")
        expect(ann.main.get_by_role("heading", name="Sought"), words).to_be_visible()
        expect(ann.main.get_by_text(f"No transaction in this range contains “{words}”."), words).to_be_visible()

    for words in ("umbr", "umbr*", "brella"):
        ann.opens(f"#/transactions?query={words}")
        expect(ann.main.get_by_role("link", name="A very peculiar umbrella"), words).to_be_visible()


def test_a_refused_search_does_not_show_older_results(ann: Person) -> None:
    ann.forgives += ["422 .*/(search|totals)", "console: .*422"]
    spent(ann, account(ann, "Misasked"), "An older find", "3.00")
    ann.opens("#/transactions?query=older")
    expect(ann.main.get_by_role("link", name="An older find")).to_be_visible()
    ann.opens(f"#/transactions?query={'+'.join(map(str, range(21)))}")

    expect(ann.main.get_by_role("alert")).to_be_visible()
    expect(ann.main.get_by_role("link", name="An older find")).to_have_count(0)


def test_a_token_is_revoked_on_a_phone(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    ann.records("/tokens", name="The spreadsheet that my brother made", access="full", expires_in_days=90)
    ann.opens("#/settings/tokens")

    expect(ann.main.get_by_role("button", name="Revoke The spreadsheet")).to_be_in_viewport(ratio=1)


def test_the_owner_hears_of_an_untrusted_proxy_and_limits_what_is_stored(
    visitor: Callable[..., Person], tmp_path: Path
) -> None:
    terminal = Terminal(tmp_path)
    with an_owner_at(terminal) as server:
        server.ask("GET", "/livez", headers={"X-Forwarded-For": "198.51.100.7"})
        owner = visitor((terminal, server), "desk")

        owner.signs_in()
        owner.main.get_by_role("heading", name="A proxy is not trusted yet").click()
        expect(owner.main.get_by_text("FARTHING_TRUSTED_PROXIES=127.0.0.1")).to_be_visible()

        owner.opens("#/settings/usage")
        owner.presses(f"Set limits for {EMAIL}")
        owner.page.get_by_role("dialog").get_by_label("Attachments, in MB").fill("5")
        owner.presses("Save", exact=True)
        owner.is_told("Limits saved.")
        expect(owner.main.get_by_text("0 B of 5.0 MB")).to_be_visible()
