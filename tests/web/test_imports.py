"""From a dropped file to transactions, and back."""

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from .books import account, dialog, spent
from .conftest import Person
from .test_accessible import too_wide, wrongs

MAY = """Date,Payee,Description,Amount
2024-05-02,Grocer,Weekly shopping,-52.10
2024-05-03,Employer,Salary May,2500.00
2024-05-05,Landlord,Rent May,-800.00
"""
JOURNAL = b"2024-05-10 Too fine\n    Expenses:Food  10.005 EUR\n    Assets:Checking\n"
AMBIGUOUS = "Date,Description,Amount\n03/04/2024,Coffee,-2.50\n05/04/2024,Lunch,-12.00\n"
DROP = """(place, [files, types]) => {
    const given = new DataTransfer();
    for (const [name, text] of files) given.items.add(new File([text], name));
    const event = {dataTransfer: given, bubbles: true, cancelable: true};
    for (const type of types) place.dispatchEvent(new DragEvent(type, event));
}"""


def drops(ann: Person, *files: tuple[str, str]) -> None:
    ann.main.evaluate(DROP, [list(files), ["dragover", "drop"]])
    expect(ann.page.get_by_role("heading", name=files[0][0], level=1)).to_be_visible()


def runs(ann: Person) -> None:
    ann.page.get_by_role("button", name=re.compile(r"^Import( \d+ transactions?)?$")).click()
    expect(ann.page.get_by_role("heading", name="Imported", exact=True)).to_be_visible()


def chooses(ann: Person, name: str) -> None:
    ann.page.get_by_label("Account of this file").select_option(label=name)
    expect(ann.page.get_by_text("ready", exact=True)).to_be_visible()


def counts(ann: Person) -> dict[str, str]:
    shown = ann.main.locator("dl[aria-label=Rows]")
    names, numbers = shown.locator("dt").all_inner_texts(), shown.locator("dd").all_inner_texts()
    return dict(zip(names, numbers, strict=True))


def row(ann: Person, number: int) -> Locator:
    return ann.main.locator("li").filter(has=ann.page.get_by_text(f"Row {number}", exact=True))


def descriptions(ann: Person) -> list[str]:
    found = ann.context.request.get(f"{ann.server.address}/api/v1/transactions?limit=100").json()["data"]
    return sorted(one["attributes"]["description"] for one in found)


def test_a_file_that_is_dropped_anywhere_is_imported_and_undone(ann: Person) -> None:
    account(ann, "Checking")
    ann.opens("#/bills")
    ann.settles()
    ann.main.evaluate(DROP, [[["may.csv", MAY]], ["dragover"]])
    expect(ann.page.get_by_text("Drop to import")).to_be_visible()

    drops(ann, ("may.csv", MAY))
    expect(ann.page.get_by_text("Choose the account that this file belongs to.")).to_be_visible()
    chooses(ann, "Checking")
    expect(row(ann, 2)).to_contain_text("Grocer (new)")
    expect(row(ann, 3)).to_contain_text("+€2,500.00")
    assert descriptions(ann) == [], "a preview books nothing"
    runs(ann)

    assert counts(ann)["new"] == "3"
    assert descriptions(ann) == ["Rent May", "Salary May", "Weekly shopping"]
    expect(ann.page.get_by_text("3 accounts")).to_be_visible()
    ann.presses("Undo this import")
    ann.is_told("Import undone.")
    expect(ann.page.get_by_role("heading", name="Undone")).to_be_visible()
    assert descriptions(ann) == []
    ann.undoes()
    expect(ann.page.get_by_role("heading", name="Imported")).to_be_visible()
    ann.page.get_by_role("link", name="Transactions of Checking").click()
    expect(ann.page.get_by_role("link", name="Salary May")).to_be_visible()


def test_what_was_changed_since_is_only_undone_by_force(ann: Person) -> None:
    account(ann, "Checking")
    ann.opens("#/imports")
    drops(ann, ("may.csv", MAY))
    chooses(ann, "Checking")
    runs(ann)
    ann.page.get_by_role("link", name="Transactions of Checking").click()
    ann.page.get_by_role("link", name="Salary May").click()
    ann.page.get_by_role("link", name="Edit").click()
    ann.page.get_by_role("combobox", name="Description").fill("Wages")
    ann.presses("Save", exact=True)
    ann.is_told("“Wages” saved.")
    ann.goes_to("Import")
    expect(ann.page.get_by_role("heading", name="Import", level=1)).to_be_visible()
    ann.page.get_by_role("link", name="may.csv").click()

    ann.forgives += [r"409 .*/undo", "console: .*409"]
    ann.presses("Undo this import")
    expect(dialog(ann)).to_contain_text("“Wages” of May 3, 2024")
    assert "Wages" in descriptions(ann)
    dialog(ann).get_by_role("button", name="Undo and delete these, too").click()

    expect(ann.page.get_by_role("heading", name="Undone")).to_be_visible()
    assert descriptions(ann) == []


def test_an_order_of_dates_that_the_file_leaves_open_is_chosen(ann_on_phone: Person) -> None:
    """By the button, into an account that is made on the way."""
    ann = ann_on_phone
    ann.opens("#/imports")
    with ann.page.expect_file_chooser() as chooser:
        ann.presses("Choose files")
    chooser.value.set_files({"name": "april.csv", "mimeType": "text/csv", "buffer": AMBIGUOUS.encode()})
    ann.page.get_by_label("Account of this file").select_option(label="New account …")
    ann.field("Name of the account").fill("Wallet")
    ann.presses("Create account")
    ann.is_told("“Wallet” created.")

    expect(ann.page.get_by_text("In which order are dates such as “03/04/2024” written?")).to_be_visible()
    expect(row(ann, 2)).to_contain_text("Apr 3, 2024")
    run = ann.page.get_by_role("button", name="Import 2 transactions")
    expect(run).to_be_disabled()
    ann.presses("Month, day, year")

    expect(row(ann, 2)).to_contain_text("Mar 4, 2024")
    expect(ann.page.get_by_text("In which order")).to_have_count(0)
    assert wrongs(ann.page) == []
    assert too_wide(ann.page) == []
    runs(ann)
    assert counts(ann)["new"] == "2"


def test_a_column_gets_another_role_and_the_preview_follows(ann: Person) -> None:
    account(ann, "Checking")
    ann.opens("#/imports")
    drops(ann, ("may.csv", MAY))
    chooses(ann, "Checking")
    expect(row(ann, 2)).to_contain_text("Grocer (new)")

    ann.page.get_by_label("What Payee contains").select_option("Not imported")
    expect(row(ann, 2)).not_to_contain_text("Grocer")
    # A preview that was on its way may come too late.
    ann.forgives += [r"409 .*/preview", "console: .*409"]
    ann.page.get_by_label("What Amount contains").select_option("Balance")
    missing = ann.page.get_by_text("Choose the column that holds the amount")
    expect(missing).to_be_visible()
    expect(ann.page.get_by_role("button", name="Import", exact=True)).to_be_disabled()
    ann.page.get_by_label("What Amount contains").select_option("Amount")
    expect(missing).to_have_count(0)
    ann.page.get_by_text("How the file is written").click()
    ann.page.get_by_label("Positive amounts are money spent").check()

    expect(row(ann, 2)).to_contain_text("+€52.10")


@pytest.mark.long
def test_a_row_is_linked_to_what_was_typed_by_hand(ann: Person) -> None:
    own = account(ann, "Checking")
    spent(ann, own, "Rent", "800", date="2024-05-04")
    ann.opens("#/imports")
    drops(ann, ("may.csv", MAY))
    chooses(ann, "Checking")
    expect(row(ann, 4)).to_contain_text("possible duplicate")
    expect(row(ann, 4)).to_contain_text(re.compile(r"\d+% match.*The same amount, 1 day apart"))
    assert wrongs(ann.page) == []

    ann.presses("Import as new: row 4")
    expect(row(ann, 4)).to_contain_text("New, as you asked.")
    ann.presses("Link to “Rent”")
    expect(row(ann, 4)).to_contain_text("Linked, as you asked.")
    ann.presses("Skip row 2")
    expect(row(ann, 2)).to_contain_text("skipped")
    runs(ann)

    assert counts(ann) == {"read": "3", "new": "1", "already there": "0", "linked": "1", "rejected or skipped": "1"}
    assert descriptions(ann) == ["Rent", "Salary May"]


def test_a_rejected_row_is_named_and_the_others_are_imported_if_asked(ann: Person) -> None:
    account(ann, "Checking")
    ann.opens("#/imports")
    drops(ann, ("may.csv", f"{MAY}2024-02-30,Films,Subscription,-9.99\n"))
    chooses(ann, "Checking")
    expect(row(ann, 5)).to_contain_text("rejected")
    expect(row(ann, 5)).to_contain_text("“2024-02-30” is not a date")
    run = ann.page.get_by_role("button", name="Import 3 transactions")
    expect(run).to_be_disabled()

    ann.page.get_by_label("Import the valid rows").check()
    expect(run).to_be_enabled()
    runs(ann)

    expect(ann.page.get_by_role("row", name="5 Date")).to_contain_text("“2024-02-30” is not a date")
    assert counts(ann)["rejected or skipped"] == "1"


def test_two_halves_are_kept_apart_and_an_import_that_failed_says_why(ann: Person) -> None:
    account(ann, "Checking")
    account(ann, "Savings")
    ann.opens("#/imports")
    drops(ann, ("checking.csv", "Date,Payee,Description,Amount\n2024-05-02,Me,To savings,-100.00\n"))
    chooses(ann, "Checking")
    runs(ann)
    ann.goes_to("Import")
    expect(ann.page.get_by_role("heading", name="Import", level=1)).to_be_visible()
    rows = "2024-05-03,Me,From checking,100.00\n2024-02-30,Films,Subscription,-9.99\n"
    drops(ann, ("savings.csv", f"Date,Payee,Description,Amount\n{rows}"))
    chooses(ann, "Savings")

    expect(row(ann, 2)).to_contain_text("together, they are a transfer")
    ann.presses("Row 2 is not a transfer")
    expect(row(ann, 2)).to_contain_text("New, as you asked.")
    ann.records(f"/import_jobs/{ann.page.url.rpartition('/')[2]}/run", partial=False)
    ann.page.reload()

    expect(ann.page.get_by_role("heading", name="Nothing was imported")).to_be_visible()
    expect(ann.page.get_by_role("row", name="3 Date")).to_contain_text("“2024-02-30” is not a date")
    assert wrongs(ann.page) == []
    assert descriptions(ann) == ["To savings"]
    ann.page.get_by_label("Import the valid rows").check()
    runs(ann)
    assert descriptions(ann) == ["From checking", "To savings"]


def test_several_files_are_one_import_and_past_imports_are_listed(ann: Person) -> None:
    account(ann, "Checking")
    ann.opens("#/imports")
    expect(ann.page.get_by_text("No imports yet.")).to_be_visible()
    june = "Date,Payee,Description,Amount\n2024-06-02,Grocer,June shopping,-9.00\n"
    drops(ann, ("may.csv", MAY), ("june.csv", june))
    expect(ann.page.get_by_role("heading", name="may.csv and 1 more file")).to_be_visible()
    chooses(ann, "Checking")
    runs(ann)
    assert counts(ann)["new"] == "4"

    ann.goes_to("Import")
    expect(ann.page.get_by_role("heading", name="Import", level=1)).to_be_visible()
    past = ann.main.get_by_role("listitem").filter(has_text="may.csv")
    expect(past).to_contain_text("Checking")
    expect(past).to_contain_text("4 new")
    expect(past).to_contain_text("done")
    ann.presses("Delete the import of may.csv")
    dialog(ann).get_by_role("button", name="Delete", exact=True).click()
    ann.is_told("Import of “may.csv and 1 more file” deleted.")

    expect(ann.page.get_by_text("No imports yet.")).to_be_visible()
    assert len(descriptions(ann)) == 4, "the transactions stay"


def test_a_file_that_is_dropped_during_an_upload_is_imported_after_it(ann: Person) -> None:
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if route.request.method != "POST" or held:
            route.continue_()
        else:
            held.append(route)

    ann.opens("#/imports")
    ann.page.route("**/api/v1/import_jobs*", hold_the_first)
    with ann.page.expect_request(lambda one: one.method == "POST"):
        ann.main.evaluate(DROP, [[["may.csv", MAY]], ["drop"]])
    ann.main.evaluate(DROP, [[["june.csv", MAY.replace("-05-", "-06-")]], ["drop"]])
    held[0].continue_()

    expect(ann.page.get_by_role("heading", name="june.csv", level=1)).to_be_visible()
    ann.goes_to("Import")
    for name in ("may.csv", "june.csv"):
        expect(ann.main.get_by_role("listitem").filter(has_text=name)).to_be_visible()


def test_the_books_of_another_program_come_with_a_proof(ann: Person) -> None:
    ann.opens("#/imports")
    with ann.page.expect_file_chooser() as chooser:
        ann.presses("Choose files")
    chooser.value.set_files({"name": "books.hledger", "mimeType": "text/plain", "buffer": JOURNAL})
    expect(ann.page.get_by_text("Everything from the other program is imported")).to_be_visible()
    runs(ann)

    counted = ann.page.get_by_role("table", name="Counts").get_by_role("row", name="Transactions")
    assert counted.get_by_role("cell").all_inner_texts() == ["Transactions", "1", "1"]
    rounded = ann.page.get_by_role("table", name="Differences").get_by_role("row", name="-10.005")
    expect(rounded).to_contain_text("-10.01")
    expect(ann.page.get_by_role("button", name="Print")).to_be_visible()
    assert wrongs(ann.page) == []
    ann.page.emulate_media(media="print")
    expect(ann.page.get_by_role("button", name="Print")).to_be_hidden()
    expect(ann.page.get_by_role("navigation", name="Menu")).to_be_hidden()
    assert ann.main.evaluate("main => main.clientWidth / innerWidth") > 0.9, "it has the whole sheet"
    ann.page.emulate_media(media="screen")


def test_files_that_are_dropped_on_a_list_of_files_are_not_imported(ann: Person) -> None:
    own = account(ann, "Checking")
    ann.opens(f"#/transactions/{spent(ann, own, 'Rent', '800')}")
    ann.settles()
    ann.page.locator(".drop").evaluate(DROP, [[["receipt.txt", "Paid"]], ["dragover", "drop"]])

    ann.is_told("“receipt.txt” added.")
    assert ann.page.evaluate("location.hash").startswith("#/transactions/")


def test_an_export_is_a_plain_download(ann: Person) -> None:
    own = account(ann, "Checking")
    ann.opens("#/settings/export")
    download = ann.page.get_by_role("link", name="Download")
    expect(download).to_have_attribute("href", re.compile(r"/api/v1/export\?format=json$"))

    ann.page.get_by_label("Journal for hledger").check()
    ann.field("From").fill("2024-01-01")
    ann.page.get_by_label("Checking").check()

    expected = rf"/api/v1/export\?format=hledger&start=2024-01-01&accounts={own}$"
    expect(download).to_have_attribute("href", re.compile(expected))


def test_a_preview_is_filled_with_suggestions_and_edited(ann: Person) -> None:
    """A file with only a description, whose account and values are remembered after its undo."""
    own = account(ann, "Checking")
    for number in range(3):
        part = {
            "amount": "40",
            "currency_code": "EUR",
            "source_id": own,
            "destination_name": "Shell",
            "category_name": "Car",
        }
        spent(ann, own, f"SHELL OIL {number}", "40", transactions=[part])
    ann.opens("#/imports")
    rows = "2024-05-02,SHELL OIL 57442,-48.10\n2024-05-03,TRADER JOE'S #552,-20.00\n"
    drops(ann, ("card.csv", f"Date,Description,Amount\n{rows}"))
    chooses(ann, "Checking")
    category = row(ann, 2).get_by_role("button", name="Category of row 2")
    expect(category).to_have_accessible_name("Category of row 2: suggested: Car")
    expect(row(ann, 2).get_by_role("button", name="Payee of row 2")).to_contain_text("Shell")
    expect(ann.page.get_by_role("button", name="Import 2 transactions")).to_be_in_viewport()
    assert wrongs(ann.page) == []

    payee = row(ann, 3).get_by_role("button", name="Payee of row 3")
    expect(payee).to_contain_text("Trader Joe's (new)")
    for name, value in (("Payee", "Trader"), ("Category", "Food"), ("Budget", "Household"), ("Tags", "weekly")):
        row(ann, 3).get_by_role("button", name=f"{name} of row 3").click()
        field = row(ann, 3).get_by_role("combobox")
        field.fill(value)
        field.press("Enter")
        expect(row(ann, 3)).to_contain_text(value)
    row(ann, 3).get_by_role("combobox").press("Enter")
    expect(row(ann, 3).get_by_role("button", name="Tags of row 3: weekly")).to_be_focused()
    runs(ann)

    year = f"{ann.server.address}/api/v1/transactions?start=2024-01-01&end=2024-12-31"
    found = ann.context.request.get(year).json()["data"]
    names = ("destination_name", "category_name", "budget_name", "tags")
    booked = [tuple(one["attributes"][name] for name in names) for one in found]
    assert sorted(booked) == [("Shell", "Car", None, None), ("Trader", "Food", "Household", "weekly")]
    ann.presses("Undo this import")
    ann.is_told("Import undone.")
    ann.goes_to("Import")
    drops(ann, ("card.csv", f"Date,Description,Amount\n{rows}"))
    expect(ann.page.get_by_text("ready", exact=True)).to_be_visible()
    expect(ann.page.get_by_label("Account of this file")).to_have_value(own)


def test_history_under_a_typed_balance_is_seen_and_the_balance_is_kept(ann: Person) -> None:
    own = account(ann, "Checking", opening_balance="2345.67", opening_balance_date="2024-05-20")
    ann.opens("#/imports")
    drops(ann, ("may.csv", MAY))
    chooses(ann, "Checking")
    seen = ann.main.get_by_role("region", name="The opening balance is later than these rows")
    expect(seen).to_contain_text("€2,345.67 on May 20, 2024, and 3 rows are dated up to that day")
    with ann.page.expect_response(lambda one: one.request.method == "PUT" and "/import_jobs/" in one.url) as saved:
        seen.get_by_label("Move it with the import").check()
    assert saved.value.json()["data"]["attributes"]["options"]["move_opening_balances"] is True
    seen.get_by_label("Move it with the import").uncheck()
    runs(ann)

    def balance() -> float:
        shown = ann.context.request.get(f"{ann.server.address}/api/v1/accounts/{own}").json()["data"]
        return float(shown["attributes"]["current_balance"])

    assert balance() == 3993.57
    assert wrongs(ann.page) == []
    seen.get_by_role("button", name="Move the opening balance").click()
    ann.is_told("Opening balance moved.")
    expect(seen).to_have_count(0)
    assert balance() == 2345.67
    ann.undoes()
    expect(seen).to_be_visible()
    assert balance() == 3993.57
