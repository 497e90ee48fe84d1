"""Books change hands and people join: registering by invitation, handing over, and what each role is offered."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from ..cli.conftest import EMAIL, PASSWORD, Server, Terminal
from .books import a_rule, account, spent
from .conftest import Person, _numbers
from .test_accessible import too_wide
from .test_sharing import Sharing, ben_as, opens_books_of, other_newcomer, works_in

__all__ = ["ben_as", "other_newcomer"]

RECEIPT: Any = {"name": "receipt.txt", "mimeType": "text/plain", "buffer": b"bread"}


def test_somebody_without_a_user_registers_with_an_invitation(
    visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    owner = visitor(served, email=EMAIL, is_known=True)
    sam = visitor(served, email=f"sam{next(_numbers)}@example.org")
    sam.forgives += ["422 ", "console: .*422"]
    code = owner.records("/invitations", role="viewer", name="Sam")["attributes"]["code"]

    sam.opens(f"#/invitation?code={code}")
    sam.page.get_by_label("E-mail").fill(sam.email)
    sam.page.get_by_label("Password").fill("short")
    sam.presses("Create user and accept")
    expect(sam.page.get_by_role("main")).to_contain_text("must have 8 to 1000 characters")
    sam.page.get_by_label("Password").fill(PASSWORD)
    sam.presses("Create user and accept")

    sam.is_told(f"You now work in the books of {EMAIL}")
    works_in(sam, owner, "Viewer")
    owner.opens("#/settings/sharing")
    expect(owner.page.get_by_label(f"Role of {sam.email}")).to_have_value("viewer")


def test_books_are_handed_over_by_a_link(
    ann: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server], other_newcomer: str
) -> None:
    ben = visitor(served, email=other_newcomer, is_known=True)
    ann.forgives += ["404 ", "console: .*404"]
    account(ann, "Joint account")
    ann.opens("#/settings/sharing")
    ann.main.get_by_text("Choose a new owner").click()
    ann.field("Who is the new owner?").fill("Ben")
    ann.presses("Create handover link")
    link = ann.page.get_by_label("Invitation link").input_value()

    ann.page.goto(link)
    expect(ann.main).to_contain_text("This invitation is to your own books.")
    expect(ann.page.get_by_role("button", name="Take over these books")).to_have_count(0)
    ben.page.goto(link)
    expect(ben.main).to_contain_text(f"{ann.email} wants to hand over their books to you.")
    with ben.page.expect_event("load"):  # the app starts over, and what is pressed before that is lost
        ben.presses("Take over these books")

    ben.is_in()
    ben.goes_to("Accounts")
    expect(ben.main).to_contain_text("Joint account")
    expect(ben.page.get_by_role("button", name=re.compile("^Books of "))).to_have_count(0)
    ben.opens("#/settings/sharing")
    expect(ben.page.get_by_label(f"Role of {ann.email}")).to_have_value("full")


def test_a_bookkeeper_adds_a_file_that_a_viewer_only_sees(ann: Person, ben_as: Sharing) -> None:
    paid = spent(ann, account(ann, "Wallet"), "Bread", "3.20")
    ben = ben_as("bookkeeper")
    opens_books_of(ben, ann, "Bookkeeper")
    ben.opens(f"#/transactions/{paid}")
    ben.main.locator("input[type=file][multiple]").set_input_files(RECEIPT)
    ben.is_told("“receipt.txt” added.")

    ann.opens("#/settings/sharing")
    ann.page.get_by_label(f"Role of {ben.email}").select_option("viewer")
    ann.is_told(f"{ben.email} is now: Viewer.")
    ben.page.reload()

    works_in(ben, ann, "Viewer")
    files = ben.main.get_by_role("region", name="Files")
    expect(files).to_contain_text("receipt.txt")
    expect(files.get_by_role("button", name=re.compile("Add files|Rename|Delete"))).to_have_count(0)


def test_a_role_is_not_offered_what_it_may_not_do(ann: Person, ben_as: Sharing) -> None:
    group = ann.records("/rule_groups", title="Sorting", active=True)["id"]
    rule = a_rule(ann, "Tea and all the other drinks that we buy on the way to work " * 3, group)
    ben = ben_as("viewer")
    opens_books_of(ben, ann, "Viewer")

    ben.opens("#/rules")
    expect(ben.main).to_contain_text("Tea and all")
    expect(ben.main.get_by_role("link")).to_have_count(0)
    assert too_wide(ben.page) == []
    ben.opens(f"#/rules/{rule}")
    expect(ben.main).to_contain_text("You can only view these books")
    ben.opens("#/settings/rates")
    expect(ben.page.get_by_label("Your primary currency")).to_be_disabled()
    expect(ben.main.get_by_role("button", name="Import CSV")).to_have_count(0)
    ben.opens("#/settings/export")
    expect(ben.main).to_contain_text("Only somebody with full access to these books can export them.")
    expect(ben.main.get_by_role("link", name="Download")).to_have_count(0)
    ben.page.keyboard.press("/")
    offered = ben.page.get_by_role("dialog").get_by_role("option")
    expect(offered.filter(has_text="Sign out")).to_be_visible()
    expect(offered.filter(has_text=re.compile("^(New|Import|Export)"))).to_have_count(0)
