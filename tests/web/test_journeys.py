"""The first week with Farthing: ten journeys, on a phone.

There the menu is behind a button, lists are cards, and a bar and the notices lie over the page; at a desk the other
tests use the same forms and lists. The first run is made on both, because it ends in two ways.
"""

import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import expect

from farthing.identity import links, users
from farthing.identity.factors import store as factors
from farthing.kernel.clock import stamp
from farthing.storage.unit import Database

from ..cli.conftest import Server, Terminal
from .books import account, opens_details, spent
from .conftest import EMAIL, PASSWORD, Person, an_owner_at, today


@pytest.fixture
def ann(ann_on_phone: Person) -> Person:
    return ann_on_phone


def has_checking(ann: Person) -> str:
    """An account with enough on it; its number."""
    opened = (today() - timedelta(days=60)).isoformat()
    return account(ann, "Checking", opening_balance="1500", opening_balance_date=opened)


def spends(ann: Person, what: str, amount: str, where: str) -> None:
    """Typed as a person types: a field, Tab, the next one."""
    ann.opens("#/transactions/new")
    opens_details(ann)
    description = ann.page.get_by_role("combobox", name="Description")
    description.fill(what)
    ann.field("Amount").fill(amount)
    ann.page.get_by_role("combobox", name="From account").fill("Checking")
    ann.page.get_by_role("combobox", name=re.compile("^To")).fill(where)
    ann.presses("Save", exact=True)
    ann.is_told(f"“{what}” saved.")


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_the_first_run(visitor: Callable[..., Person], tmp_path: Path, size: str) -> None:
    terminal = Terminal(tmp_path)
    with terminal.serving() as server:
        link = re.search(r"#/first-run\?code=[\w-]+", (tmp_path / "data" / "first-run-link.txt").read_text())
        assert link, "the server prints how to begin"
        person = visitor((terminal, server), size)

        person.opens()
        expect(person.page.get_by_text("open the link that the server printed")).to_be_visible()

        person.opens(link[0])
        person.page.reload()
        person.field("E-mail").fill(EMAIL)
        person.page.get_by_text("English (United States), UTC, USD").click()
        person.field("Your main currency").fill("ISK · Icelandic Króna")
        person.field("Password").fill("short")
        person.forgives += [r"422 .*/first_run", r"console: .*422"]
        person.presses("Get started")
        expect(person.field("Password")).to_have_attribute("aria-invalid", "true")
        person.field("Password").fill(PASSWORD)
        person.presses("Bring your data" if person.is_on_phone else "Get started")

        title = "Bring your data" if person.is_on_phone else "Three steps to get started"
        expect(person.page.get_by_role("heading", name=title)).to_be_visible()
        assert "code" not in person.page.url


def test_the_first_accounts(ann: Person) -> None:
    ann.opens()
    ann.page.get_by_role("link", name="Add an account").first.click()
    ann.field("Name").fill("Checking")
    ann.field("Opening balance").fill("1.500,50")
    ann.page.get_by_label("Opening date").fill("2026-01-01")
    ann.presses("Save")
    ann.is_told("“Checking” created.")

    ann.opens("#/accounts/new?type=liability")
    ann.field("Name").fill("Car loan")
    ann.field("Original debt").fill("9000")
    ann.page.get_by_label("Start date").fill("2026-01-01")
    ann.field("Interest in percent").fill("3.5")
    ann.presses("Save")
    ann.is_told("“Car loan” created.")

    ann.goes_to("Accounts")
    expect(ann.main.get_by_role("link", name="Checking")).to_be_visible()
    expect(ann.main.get_by_text("€1,500.50").first).to_be_visible()


def test_the_first_transactions_with_a_receipt(ann: Person) -> None:
    spent(ann, has_checking(ann), "Groceries before", "10.00")
    spends(ann, "Groceries", "23,95", "Corner shop")

    ann.goes_to("Transactions")
    expect(ann.main.get_by_text("-€23.95").first).to_be_visible()
    ann.main.get_by_role("link", name="Groceries", exact=True).first.click()
    ann.page.locator("input[type=file]").first.set_input_files(
        {"name": "receipt.png", "mimeType": "image/png", "buffer": _picture()}
    )
    ann.is_told("“receipt.png” added.")
    expect(ann.page.get_by_role("button", name="Preview receipt.png")).to_be_visible()

    ann.goes_to("Accounts")
    expect(ann.main.get_by_text("€1,466.05").first).to_be_visible()


def _picture() -> bytes:
    """The smallest PNG there is: one transparent pixel."""
    return bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c6360000002000001e5275fcb0000000049454e44ae426082"
    )


def test_a_bill_that_gets_paid(ann: Person) -> None:
    has_checking(ann)
    ann.opens("#/bills/new")
    ann.field("Name").fill("Rent")
    ann.field("Words on the statement").fill("rent")
    ann.field("Minimum amount").fill("790")
    ann.field("Maximum amount").fill("860")
    ann.field("First expected on").fill(today().isoformat())
    ann.presses("Save")
    ann.is_told("“Rent” created.")

    ann.goes_to("Bills")
    expect(ann.main.get_by_text("due").first).to_be_visible()
    spends(ann, "Rent of this month", "800", "Landlord")
    ann.goes_to("Bills")
    expect(ann.main.get_by_text("paid").first).to_be_visible()


def test_a_recurrence_that_fires(visitor: Callable[..., Person], tmp_path: Path) -> None:
    """The server's clock is a day behind, and then goes on to today. What cannot fire says why."""
    clock = tmp_path / "clock"
    clock.write_text(f"{today() - timedelta(days=1)}T12:00:00+00:00")
    tomorrow = tmp_path / "clock.new"
    tomorrow.write_text(f"{today()}T12:00:00+00:00")
    terminal = Terminal(tmp_path)
    with an_owner_at(terminal, FARTHING_TESTING="1", FARTHING_TEST_CLOCK=str(clock)) as server:
        ann = visitor((terminal, server), "phone")
        ann.signs_in()
        plans_a_membership(ann)
        planned = ann.page.evaluate("location.hash")
        spends(ann, "A castle", "92233720368547758.07", "Crown")
        ann.opens(planned)
        tomorrow.replace(clock)  # at once and whole, whoever reads it meanwhile

        ann.forgives += [r"422 .*/trigger", r"console: .*422"]
        ann.chooses("Run now")
        ann.is_told(
            "“Gym” could not create its transactions: This would make the balance of an account too large to store."
        )

        ann.opens("#/settings/changes")
        ann.page.get_by_role("button", name=re.compile("^Undo: .*castle")).click()
        ann.is_told("Undone.")
        ann.opens(planned)
        ann.chooses("Run now")
        ann.goes_to("Transactions")
        expect(ann.main.get_by_text("-€25.50").first).to_be_visible()


def plans_a_membership(ann: Person) -> None:
    has_checking(ann)
    ann.opens("#/recurrences/new")
    ann.field("Title").fill("Gym")
    ann.page.get_by_role("combobox", name="To", exact=True).fill("Gym Ltd")
    ann.field("Transaction description").fill("Membership")
    ann.field("Amount").fill("25.50")
    ann.field("Repeats").select_option(label="Daily")
    ann.field("Start date").fill(today().isoformat())
    expect(ann.page.get_by_role("heading", name=re.compile("dates", re.IGNORECASE)).first).to_be_visible()
    ann.presses("Save")
    ann.is_told("“Gym” created.")


def test_a_budget(ann: Person) -> None:
    has_checking(ann)
    ann.opens("#/budgets")
    ann.presses("New budget")
    ann.page.get_by_role("dialog").get_by_label("Name").fill("Food")
    ann.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    ann.is_told("Food saved.")
    ann.main.get_by_label(f"Limit for Food in {today():%B %Y}", exact=True).fill("150")
    ann.page.keyboard.press("Enter")
    ann.is_told("Limit saved.")

    ann.opens("#/transactions/new")
    opens_details(ann)
    ann.page.get_by_role("combobox", name="Description").fill("Weekly shop")
    ann.field("Amount").fill("40.10")
    ann.page.get_by_role("combobox", name="From account").fill("Checking")
    ann.page.get_by_role("combobox", name="Budget").fill("food")
    ann.presses("Save", exact=True)
    ann.is_told("“Weekly shop” saved.")

    ann.goes_to("Budgets")
    expect(ann.main.get_by_text("€109.90").first).to_be_visible()


def test_a_reconcile(ann: Person) -> None:
    spent(ann, has_checking(ann), "Groceries", "23.95")
    ann.opens("#/accounts")
    ann.main.get_by_role("link", name="Checking").first.click()
    ann.chooses("Reconcile")
    ann.field("Last day of the statement").fill(today().isoformat())
    ann.field("Show transactions since").fill((today() - timedelta(days=90)).isoformat())
    expect(ann.main.get_by_text("0 of 1 ticked")).to_be_visible()
    ann.field("Balance on that day").fill("1476.05")
    ann.field("Tick all").check()
    expect(ann.page.get_by_text("Balances match").first).to_be_visible()
    ann.page.get_by_role("button", name="Reconcile").last.click()
    ann.is_told("1 transaction reconciled.")


def test_a_deleted_account_is_restored_by_undo(ann: Person) -> None:
    spent(ann, has_checking(ann), "Groceries", "23.95")
    ann.opens("#/accounts")
    ann.main.get_by_role("link", name="Checking").first.click()
    ann.chooses("Delete")
    expect(ann.page.get_by_role("dialog").get_by_text("transaction").first).to_be_visible()
    ann.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    ann.is_told("“Checking” deleted.")
    ann.undoes()

    ann.opens("#/accounts")
    expect(ann.main.get_by_text("€1,476.05").first).to_be_visible()
    ann.opens("#/settings/changes")
    expect(ann.main.get_by_text("reverts a change").first).to_be_visible()


def test_a_token_used_by_curl(ann: Person) -> None:
    ann.opens()
    ann.goes_to("Settings")
    ann.main.get_by_role("link", name="Tokens").click()
    ann.field("What is it for?").fill("curl")
    ann.presses("Create token")
    token = ann.page.get_by_label("The new token").input_value()

    assert ann.email in _curl(ann, token, "/api/v1/about/user")
    assert "may only read" in _curl(ann, token, "/api/v1/tags", "-d", "tag=no")
    ann.presses("Revoke curl")
    ann.page.get_by_role("dialog").get_by_role("button", name="Revoke", exact=True).click()
    ann.is_told("Token revoked.")
    assert "Unauthenticated" in _curl(ann, token, "/api/v1/about/user")

    ann.field("What is it for?").fill("Phone")
    ann.main.get_by_role("combobox", name="For", exact=True).select_option(
        label="Version 6 of the API, for today’s apps"
    )
    ann.presses("Create token")
    expect(ann.main.get_by_text(f"with {ann.server.address}/ as the address of the server")).to_be_visible()
    expect(ann.main.get_by_role("row", name="Phone")).to_contain_text("Version 6 of the API")
    token = ann.page.get_by_label("The new token").input_value()
    assert '"api_version":"6.6.2"' in _curl(ann, token, "/api/v1/about")


def _curl(person: Person, token: str, path: str, *more: str) -> str:
    words = ["curl", "-s", "-H", f"Authorization: Bearer {token}", *more, person.server.address + path]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_signing_out_everywhere(ann: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server]) -> None:
    other = visitor(served, email=ann.email, is_known=True)
    other.opens()
    other.is_in()
    ann.opens("#/settings/security")
    ann.presses("Sign out everywhere", exact=True)
    expect(ann.page.get_by_role("heading", name="Sign in")).to_be_visible()

    other.forgives += [r"401 ", r"console: .*401"]
    other.opens("#/transactions")  # by the address: it may know by now, and its menu is covered
    expect(other.page.get_by_text("You were signed out")).to_be_visible()


def test_signing_in_with_a_second_factor(
    visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str, served_books: Database
) -> None:
    with served_books.writing() as db:
        user = users.find_by_email(db, newcomer)
        assert user is not None
        now = stamp(datetime.now(UTC))
        app = factors.add_app(db, user.id, "Phone", now)
        db.run("UPDATE factors SET confirmed_at = :now WHERE user_id = :id", now=now, id=user.id)
        link = links.make(db, user.id, now)
    phone = pyotp.TOTP(app.secret)
    person = visitor(served, email=newcomer)
    person.forgives += [r"422 ", r"console: .*422"]

    person.opens()
    person.page.get_by_label("E-mail").fill(newcomer)
    person.page.get_by_label("Password").fill(PASSWORD)
    person.presses("Sign in")
    code = person.page.get_by_label("Code")
    expect(code).to_be_focused()
    code.fill("000000")
    person.presses("Sign in")
    expect(person.page.get_by_text("Codes work once")).to_be_visible()
    code.fill(phone.now())
    person.presses("Sign in")
    person.is_in()

    other = visitor(served, email=newcomer, has_own_window=True)
    other.forgives += [r"422 ", r"console: .*422"]
    other.opens(f"#/sign-in?code={link}")
    expect(other.page.get_by_label("Password")).to_have_count(0)
    other.page.get_by_label("Code").fill(phone.at(datetime.now(UTC), 1))
    other.presses("Sign in")
    other.is_in()
