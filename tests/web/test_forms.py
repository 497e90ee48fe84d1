"""What a form refuses, and when it asks before unsaved text is lost."""

from datetime import timedelta

import pytest
from playwright.sync_api import Locator, expect

from .books import account, dialog, every_day, opens_details, spent
from .conftest import Person, today


@pytest.mark.parametrize(
    ("ending", "label"), [("after a number of times", "Number of times"), ("on a date", "End date")]
)
def test_a_recurrence_that_ends_must_say_when(ann: Person, ending: str, label: str) -> None:
    made = every_day(ann, account(ann, f"Ends {ending}"), today() + timedelta(days=3))
    ann.opens(f"#/recurrences/{made}/edit")
    ann.field("Ends").select_option(label=ending)
    ann.presses("Save")
    expect(ann.field(label)).to_have_attribute("aria-invalid", "true")
    expect(ann.field(label)).to_be_focused()
    expect(ann.main.get_by_text("This is required.")).to_be_visible()

    ann.field(label).fill("4" if label == "Number of times" else (today() + timedelta(days=9)).isoformat())
    ann.presses("Save")
    ann.is_told("“Films” saved.")


def test_errors_use_the_labels_of_the_form(ann: Person) -> None:
    ann.forgives += ["422 .*/recurrences", "console: .*422"]
    made = every_day(ann, account(ann, "Labels"), today() + timedelta(days=3))
    ann.opens(f"#/recurrences/{made}/edit")
    ann.field("Start date").fill("2020-01-01")
    expect(ann.main.get_by_text("“Start date” must be a date after")).to_be_visible()
    ann.field("Start date").fill((today() + timedelta(days=9)).isoformat())
    ann.field("Ends").select_option(label="on a date")
    ann.field("End date").fill((today() + timedelta(days=5)).isoformat())
    ann.presses("Save")

    expect(ann.main.get_by_text("“End date” must be a date on or after “Start date”.")).to_be_visible()


def test_a_piggy_bank_refuses_a_wrong_amount_and_says_why(ann: Person) -> None:
    ann.records("/piggy_banks", name="Lamp", account_id=int(account(ann, "For a lamp")), target_amount="40")
    ann.opens("#/piggy-banks")
    ann.main.get_by_role("button", name="Money in Lamp").click()
    amount = dialog(ann).get_by_label("Amount")
    for typed, why in (
        ("", "Enter an amount."),
        ("0", "Enter an amount above zero."),
        ("-5", "Enter an amount above zero."),
        ("40.01", "That is more than the target of €40.00."),
    ):
        amount.fill(typed)
        dialog(ann).get_by_role("button", name="Put in").click()
        expect(dialog(ann).get_by_text(why)).to_be_visible()
        expect(amount).to_have_attribute("aria-invalid", "true")

    dialog(ann).get_by_label("Take out").check()
    dialog(ann).get_by_role("button", name="Take out").click()
    expect(dialog(ann).get_by_text("This piggy bank holds only €0.00.")).to_be_visible()
    expect(ann.page.get_by_text("Money moved.")).to_have_count(0)


def test_an_error_disappears_when_its_field_is_corrected(ann: Person) -> None:
    ann.forgives += ["422 .*/bills", "console: .*422"]
    ann.opens("#/bills/new")
    ann.presses("Save")
    for label in ("Name", "Minimum amount"):
        expect(ann.field(label)).to_have_attribute("aria-invalid", "true")
    ann.field("Minimum amount").fill("1,234")

    expect(ann.main.get_by_text("= €1,234.00")).to_be_visible()
    expect(ann.field("Minimum amount")).not_to_have_attribute("aria-invalid", "true")
    expect(ann.field("Name")).to_have_attribute("aria-invalid", "true")


def test_choosing_a_suggestion_also_clears_the_error(ann: Person) -> None:
    ann.forgives += ["422 .*/recurrences", "console: .*422"]
    spent(ann, account(ann, "Chosen"), "So that the shop is known", "1")
    ann.opens("#/recurrences/new")
    payee = ann.page.get_by_role("combobox", name="To", exact=True)
    ann.presses("Save")
    expect(payee).to_have_attribute("aria-invalid", "true")
    payee.press("ArrowDown")
    ann.page.get_by_role("option", name="Corner shop").click()

    expect(payee).to_have_value("Corner shop")
    expect(payee).not_to_have_attribute("aria-invalid", "true")


def half_typed(ann: Person) -> Locator:
    """A bill, begun from the list of bills."""
    ann.opens("#/bills")
    ann.opens("#/bills/new")
    ann.field("Name").click()
    ann.field("Name").fill("Half typed")
    return ann.page.get_by_role("dialog", name="Leave without saving?")


def test_leaving_a_form_with_unsaved_text_asks_first(ann: Person) -> None:
    question = half_typed(ann)
    ann.page.locator("#menu").get_by_role("link", name="Accounts").click()
    question.get_by_role("button", name="Stay here").click()
    expect(ann.field("Name")).to_have_value("Half typed")
    assert ann.page.url.endswith("#/bills/new")

    ann.page.evaluate("history.back()")
    question.get_by_role("button", name="Stay here").click()
    expect(ann.field("Name")).to_have_value("Half typed")
    assert ann.page.url.endswith("#/bills/new")
    ann.page.evaluate("history.back()")
    question.get_by_role("button", name="Leave").click()
    expect(ann.page.get_by_role("heading", name="Bills", exact=True)).to_be_visible()
    assert ann.page.url.endswith("#/bills")


def test_signing_out_with_unsaved_text_asks_first(ann: Person) -> None:
    question = half_typed(ann)
    ann.page.get_by_role("button", name="Sign out").click()
    question.get_by_role("button", name="Stay here").click()
    expect(ann.field("Name")).to_have_value("Half typed")

    ann.page.get_by_role("button", name="Sign out").click()
    question.get_by_role("button", name="Leave").click()
    expect(ann.page.get_by_role("button", name="Sign in")).to_be_visible()


def test_the_back_button_works_after_a_link_to_the_same_page(ann: Person) -> None:
    ann.opens("#/bills")
    ann.goes_to("Bills")
    ann.opens("#/bills/new")
    ann.field("Name").fill("Half typed")
    ann.page.evaluate("history.back()")
    ann.page.get_by_role("dialog").get_by_role("button", name="Leave").click()

    expect(ann.page.get_by_role("heading", name="Bills", exact=True)).to_be_visible()


def test_closing_asks_only_while_something_is_unsaved(ann_in_own_window: Person) -> None:
    ann, asked = ann_in_own_window, list[str]()
    ann.page.on("dialog", lambda one: (asked.append(one.type), one.accept()))
    half_typed(ann)
    ann.page.reload()
    assert asked == ["beforeunload"]

    ann.page.reload()
    ann.field("Name").fill("Newspaper")
    for label, value in (("Words on the statement", "paper"), ("Minimum amount", "20"), ("Maximum amount", "30")):
        ann.field(label).fill(value)
    ann.presses("Save")
    ann.is_told("“Newspaper” created.")
    ann.page.reload()
    assert asked == ["beforeunload"]


def test_leaving_an_untouched_form_does_not_ask(ann: Person) -> None:
    half_typed(ann)
    ann.presses("Cancel")
    expect(ann.page.get_by_role("heading", name="Bills", exact=True)).to_be_visible()
    ann.opens("#/transactions/new")
    ann.goes_to("Accounts")

    expect(ann.page.get_by_role("heading", name="Accounts", exact=True)).to_be_visible()
    expect(dialog(ann)).to_have_count(0)


def names_a_budget(ann: Person) -> Locator:
    """In a dialog, up to the point where it is saved."""
    ann.records("/budgets", name="Food", active=True)
    ann.opens("#/budgets")
    ann.presses("New budget")
    name = dialog(ann).get_by_label("Name")
    expect(name).to_be_focused()
    ann.page.keyboard.type("Fun")
    return name


def test_a_dialog_focuses_its_first_field_and_enter_saves(ann: Person) -> None:
    names_a_budget(ann)
    ann.page.keyboard.press("Enter")
    ann.is_told("Fun saved.")

    expect(dialog(ann)).to_have_count(0)
    expect(ann.main.get_by_role("button", name="New budget")).to_be_focused()


def test_a_confirmation_focuses_the_button_that_changes_nothing(ann: Person) -> None:
    kept = account(ann, "Kept")
    ann.records("/budgets", name="Kept", active=True)
    ann.opens("#/budgets")
    ann.main.get_by_role("button", name="Edit Kept").click()
    dialog(ann).get_by_role("button", name="Delete").click()
    expect(dialog(ann).get_by_role("button", name="Cancel")).to_be_focused()
    ann.page.keyboard.press("Enter")
    expect(dialog(ann).get_by_label("Name")).to_be_focused()

    ann.page.keyboard.press("Escape")
    booked = spent(ann, kept, "Bread", "3.00")
    ann.opens(f"#/transactions/{booked}")
    ann.chooses("Delete")
    expect(dialog(ann).get_by_role("button", name="Cancel")).to_be_focused()


def test_closing_a_dialog_with_unsaved_text_asks_first(ann: Person) -> None:
    name = names_a_budget(ann)
    question = ann.page.get_by_role("dialog", name="Leave without saving?")
    for _ in range(3):
        ann.page.keyboard.press("Escape")
        expect(question.get_by_role("button", name="Stay here")).to_be_focused()
        ann.page.keyboard.press("Escape")
        expect(question).to_have_count(0)
    expect(name).to_be_focused()
    expect(name).to_have_value("Fun")
    dialog(ann).get_by_role("button", name="Close").click()
    question.get_by_role("button", name="Stay here").click()
    expect(name).to_have_value("Fun")

    ann.page.mouse.click(5, 5)
    question.get_by_role("button", name="Leave").click()
    expect(dialog(ann)).to_have_count(0)
    expect(ann.main.get_by_role("button", name="New budget")).to_be_focused()


def test_pressing_escape_repeatedly_does_not_lose_typed_text(ann: Person) -> None:
    name = names_a_budget(ann)
    for _ in range(7):
        ann.page.evaluate("document.activeElement.blur()")
        ann.page.keyboard.press("Escape")

    ann.page.evaluate("new Promise(done => setTimeout(done))")
    expect(name).to_have_value("Fun")
    expect(ann.page.locator("dialog[open]").get_by_label("Name")).to_be_visible()


def test_a_click_that_starts_outside_closes_a_dialog(ann: Person) -> None:
    ann.opens("#/budgets")
    ann.presses("New budget")
    dialog(ann).get_by_label("Name").hover()
    ann.page.mouse.down()
    ann.page.mouse.move(5, 5)
    ann.page.mouse.up()
    expect(dialog(ann).get_by_label("Name")).to_be_visible()

    ann.page.mouse.click(5, 5)
    expect(dialog(ann)).to_have_count(0)


def begins(ann: Person, what: str, kind: str, **fields: str) -> None:
    """A transaction, up to the point where it is saved."""
    ann.opens("#/transactions/new")
    ann.page.get_by_role("radio", name=kind).check()
    opens_details(ann)
    ann.page.get_by_role("combobox", name="Description").fill(what)
    ann.page.get_by_role("textbox", name="Amount").first.fill("100")
    for label, name in fields.items():
        ann.page.get_by_role("combobox", name=label.replace("_", " ")).fill(name)
    ann.page.get_by_role("combobox", name="Description").focus()


def test_a_transfer_between_two_currencies_needs_both_amounts(ann: Person) -> None:
    account(ann, "In euros")
    dollars = account(ann, "In dollars", currency_code="USD")
    begins(ann, "Changed money", "Transfer", From_account="In euros", To_account="In dollars")
    foreign = ann.page.get_by_role("textbox", name="Foreign amount")
    expect(foreign).to_be_visible()
    ann.presses("Save", exact=True)
    expect(foreign).to_have_attribute("aria-invalid", "true")
    expect(ann.main.get_by_text("This account is in USD. Enter the amount in USD as well.")).to_be_visible()

    foreign.fill("108")
    ann.presses("Save", exact=True)
    ann.is_told("“Changed money” saved.")
    ann.opens(f"#/accounts/{dollars}")
    expect(ann.main.get_by_text("$108.00").first).to_be_visible()


def test_a_purchase_abroad_says_what_the_account_was_charged(ann: Person) -> None:
    euros = account(ann, "At home")
    begins(ann, "A hat in Boston", "Expense", From_account="At home", To="Hatter")
    currency, other = (
        ann.page.get_by_role("combobox", name=name, exact=True) for name in ("Currency", "Foreign currency")
    )
    expect(currency).to_have_value("EUR")
    ann.presses("Add a foreign amount")
    ann.page.get_by_role("textbox", name="Foreign amount").fill("100")
    other.select_option("EUR")
    ann.presses("Save", exact=True)
    expect(ann.main.get_by_text("The amount is already in EUR.")).to_be_visible()

    currency.select_option("USD")
    charged = ann.page.get_by_role("textbox", name="Amount charged to the account")
    charged.fill("")
    ann.presses("Save", exact=True)
    expect(charged).to_have_attribute("aria-invalid", "true")
    expect(charged).to_be_focused()
    charged.fill("92.50")
    ann.presses("Save", exact=True)
    ann.is_told("“A hat in Boston” saved.")
    ann.opens(f"#/accounts/{euros}")
    expect(ann.main.get_by_text("-€92.50").first).to_be_visible()


def test_reconciling_nothing_or_with_a_difference_is_pointed_out(ann: Person) -> None:
    stated = account(ann, "Stated")
    spent(ann, stated, "On the statement", "12.00")
    ann.opens(f"#/accounts/{stated}/reconcile?date={today().isoformat()}")
    ann.field("Balance on that day, in EUR").fill("-20")
    ann.presses("Reconcile", exact=True)
    expect(ann.main.get_by_text("Nothing is ticked.")).to_be_visible()

    ann.page.get_by_label("Tick all").check()
    ann.presses("Reconcile", exact=True)
    expect(dialog(ann).get_by_text("-€8.00")).to_be_visible()
    dialog(ann).get_by_role("button", name="Cancel").click()
    ann.field("Balance on that day, in EUR").fill("-12")
    ann.presses("Reconcile", exact=True)
    ann.is_told("1 transaction reconciled.")
