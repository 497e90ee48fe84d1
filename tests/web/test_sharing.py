"""Several people work in the same books: invited by a link, they switch between books and see what the others do."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, expect

from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.identity import users
from farthing.identity.sharing import members
from farthing.identity.user import Share
from farthing.kernel.clock import stamp
from farthing.storage.unit import Database

from ..cli.conftest import PASSWORD, Server, Terminal
from .books import account, opens_details, spent
from .conftest import SIZES, Person, _numbers, _password_hash
from .test_accessible import too_wide, wrongs

Sharing = Callable[..., Person]
LOOKS_EVERY_MS = 4000  # at shared books; see web/src/shell/live.svelte.ts


@pytest.fixture
def other_newcomer(newcomer: str, served_books: Database) -> str:
    """Somebody besides Ann."""
    email = f"ben{next(_numbers)}@example.org"
    with served_books.writing() as db:
        user_lifecycle.add(db, email, _password_hash(), "UTC", stamp(datetime.now(UTC)))
    return email


@pytest.fixture
def ben_as(
    visitor: Callable[..., Person],
    served: tuple[Terminal, Server],
    served_books: Database,
    newcomer: str,
    other_newcomer: str,
) -> Sharing:
    """Ben, with whom Ann shares her books, signed in and in his own books."""

    def share(role: str, size: str = "desk") -> Person:
        with served_books.writing() as db:
            owner, member = users.find_by_email(db, newcomer), users.find_by_email(db, other_newcomer)
            assert owner, "she was just made"
            assert member, "he was just made"
            members.add(db, owner.id, member.id, Share(role), stamp(datetime.now(UTC)))
        return visitor(served, size, other_newcomer, is_known=True)

    return share


def switches_to(person: Person, name: str) -> None:
    """By the menu, as on a first visit."""
    if person.is_on_phone:
        person.page.get_by_role("button", name="More", exact=True).click()
    person.page.get_by_role("navigation", name="Menu").get_by_role("button", name="Switch books").click()
    person.page.get_by_role("dialog", name="Books").get_by_role("button", name=name).click()


def sign_of_books(person: Person) -> Locator:
    """In the header, as long as the books are not one's own."""
    return person.page.get_by_role("button", name=re.compile("^Books of "))


def works_in(person: Person, owner: Person, role: str) -> None:
    expect(sign_of_books(person)).to_have_accessible_name(f"Books of {owner.email} {role} Switch books")


def opens_books_of(person: Person, owner: Person, role: str) -> None:
    person.opens()
    switches_to(person, f"Books of {owner.email}")
    works_in(person, owner, role)


def test_somebody_is_invited_by_a_link(
    ann: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server], other_newcomer: str
) -> None:
    ben = visitor(served, email=other_newcomer)
    account(ann, "Joint account")
    ann.opens("#/settings/sharing")
    ann.field("Who is it for?").fill("Ben")
    ann.field("Role").select_option("bookkeeper")
    ann.presses("Create invitation link")
    link = ann.page.get_by_label("Invitation link").input_value()
    assert link.startswith(f"{ann.server.address}/#/invitation?code=")

    ben.page.goto(link)
    expect(ben.page.get_by_role("main")).to_contain_text(f"{ann.email} invites you")
    expect(ben.page.get_by_role("main")).to_contain_text("Your role: Bookkeeper. Records and corrects")
    ben.presses("Sign in to accept")
    ben.page.get_by_label("E-mail").fill(ben.email)
    ben.page.get_by_label("Password").fill(PASSWORD)
    ben.presses("Sign in", exact=True)
    expect(ben.main).to_contain_text(f"You are signed in as {ben.email}")
    ben.presses("Accept", exact=True)

    works_in(ben, ann, "Bookkeeper")
    ben.goes_to("Accounts")
    expect(ben.main).to_contain_text("Joint account")
    ann.opens("#/")
    ann.opens("#/settings/sharing")
    expect(ann.page.get_by_label(f"Role of {ben.email}")).to_have_value("bookkeeper")

    # The link works once.
    ben.forgives += ["404 .*invitation", "console: .*404"]
    ben.page.goto(link)
    ben.page.reload()
    expect(ben.main).to_contain_text("was used before")


def test_a_viewer_is_offered_nothing_that_changes_something(ann: Person, ben_as: Sharing) -> None:
    wallet = account(ann, "Wallet")
    spent(ann, wallet, "Bread", "3.20")
    ben = ben_as("viewer", "phone")
    opens_books_of(ben, ann, "Viewer")

    for place in (
        "#/accounts",
        "#/transactions",
        "#/bills",
        "#/budgets",
        "#/rules",
        "#/categories",
        f"#/accounts/{wallet}",
    ):
        ben.opens(place)
        ben.settles()
        for screen in SIZES.values():  # a phone has buttons of its own
            ben.page.set_viewport_size(screen["viewport"])
            expect(ben.main.get_by_role("link", name=re.compile("^(New|Add|Edit)"))).to_have_count(0)
            expect(ben.main.get_by_role("button", name=re.compile("^(New|Add|Edit|Delete|Quick)"))).to_have_count(0)
            expect(ben.page.get_by_role("link", name="New transaction")).to_have_count(0)
    ben.opens("#/transactions/new")
    expect(ben.main).to_contain_text("You can only view these books")


def test_books_stay_chosen_and_nothing_of_the_others_is_left(ann: Person, ben_as: Sharing) -> None:
    account(ann, "Household")
    ben = ben_as("bookkeeper")
    account(ben, "Pocket money")
    opens_books_of(ben, ann, "Bookkeeper")

    ben.opens("#/accounts")
    expect(ben.main).to_contain_text("Household")
    ben.page.reload()
    expect(ben.main).to_contain_text("Household")
    expect(ben.main).not_to_contain_text("Pocket money")

    sign_of_books(ben).click()
    ben.page.get_by_role("dialog", name="Books").get_by_role("button", name="Your own books").click()
    expect(sign_of_books(ben)).to_have_count(0)
    ben.opens("#/accounts")
    expect(ben.main).to_contain_text("Pocket money")
    expect(ben.main).not_to_contain_text("Household")


def test_without_events_two_people_see_each_others_changes_and_keep_what_they_typed(
    ann: Person, ben_as: Sharing
) -> None:
    """As where a proxy lets no events through."""
    wallet = account(ann, "Wallet")
    spent(ann, wallet, "Bread", "3.20")
    ben = ben_as("bookkeeper")
    ben.forgives += ["502 ", "console: .*502"]
    ben.page.route(re.compile("/api/v1/events$"), lambda route: route.fulfill(status=502))
    ben.page.clock.install()
    opens_books_of(ben, ann, "Bookkeeper")
    ben.opens("#/transactions")
    expect(ben.main).to_contain_text("Bread")
    ben.main.get_by_role("checkbox", name=re.compile("Bread")).check()

    ann.opens("#/transactions/new")
    opens_details(ann)
    ann.field("Description").fill("Half a sent")
    spent(ann, wallet, "Cheese", "7.10")
    ben.page.clock.fast_forward(LOOKS_EVERY_MS)

    expect(ben.main).to_contain_text("Cheese")
    expect(ben.main.get_by_role("checkbox", name=re.compile("Bread"))).to_be_checked()
    expect(ann.field("Description")).to_have_value("Half a sent")


def test_only_shared_books_are_asked_about_again_and_again(ann_in_own_window: Person) -> None:
    ann, asked = ann_in_own_window, list[str]()
    ann.page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/revision") else None)
    ann.page.clock.install()
    ann.opens("#/accounts")
    ann.settles()
    ann.page.evaluate("every => setInterval(() => { self.hasTicked = true; }, every)", LOOKS_EVERY_MS)

    ann.page.clock.run_for(2 * LOOKS_EVERY_MS)

    assert ann.page.evaluate("self.hasTicked")
    assert asked == []


def test_who_is_removed_is_back_in_their_own_books(ann: Person, ben_as: Sharing) -> None:
    ben = ben_as("full")
    ben.forgives += ["404 ", "console: .*404"]
    ben.page.clock.install()
    account(ben, "Pocket money")
    opens_books_of(ben, ann, "Full access")

    ann.opens("#/settings/sharing")
    ann.presses(f"Remove {ben.email}")
    ann.page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    ann.is_told("no longer has access to these books")
    ben.page.clock.fast_forward(LOOKS_EVERY_MS)

    ben.is_told("no longer shared with you")
    expect(sign_of_books(ben)).to_have_count(0)
    ben.opens("#/accounts")
    expect(ben.main).to_contain_text("Pocket money")


def test_to_undo_what_another_did_is_confirmed(ann: Person, ben_as: Sharing) -> None:
    ben = ben_as("full")
    account(ann, "Savings")
    opens_books_of(ben, ann, "Full access")
    ben.opens("#/settings/changes")

    ben.page.get_by_role("button", name=re.compile("^Undo: .*Savings")).click()

    asked = ben.page.get_by_role("dialog", name="Undo what somebody else did?")
    expect(asked).to_contain_text(ann.email)
    asked.get_by_role("button", name="Undo").click()
    ben.is_told("Undone.")
    expect(ben.main).to_contain_text(f"by {ben.email}")
    expect(ben.main).to_contain_text(f"by {ann.email}")


def test_a_token_with_scopes_is_made_and_shown(ann: Person) -> None:
    ann.opens("#/settings/tokens")
    ann.field("What is it for?").fill("Phone")
    ann.field("Access").select_option("full")
    ann.field("Areas").select_option("some")
    ann.presses("Create token")
    expect(ann.main).to_contain_text("Choose at least one area.")
    ann.main.get_by_label("Transactions and search (Change)").check()
    ann.main.get_by_label("Budgets (See)").check()
    ann.field("Only from these networks").fill("192.168.1.0/24, 10.0.0.0/8")
    ann.presses("Create token")

    expect(ann.page.get_by_label("The new token")).to_be_visible()
    shown = ann.main.get_by_role("row", name=re.compile("Phone"))
    expect(shown).to_contain_text("Only from 192.168.1.0/24, 10.0.0.0/8")
    shown.get_by_text("Limited to 2 areas").click()
    expect(shown).to_contain_text("Budgets (See)")
    expect(shown).to_contain_text("Transactions and search (Change)")


def test_activity_is_listed_in_words_and_can_be_narrowed(ann: Person) -> None:
    ann.records("/invitations", role="viewer", name="Sam")
    ann.opens("#/settings/activity")
    expect(ann.main).to_contain_text("Invitation created: Sam: viewer")

    ann.field("Show").select_option(label="Tokens")

    expect(ann.main).to_contain_text("There is no activity of this kind.")
    with ann.page.expect_download() as loading:
        ann.main.get_by_role("link", name="Download as CSV").click()
    assert loading.value.suggested_filename == "audit.csv"


def test_a_sign_in_on_a_new_device_is_asked_about_once(
    ann_in_own_window: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    ann = ann_in_own_window
    ann.opens("#/accounts")
    ann.is_in()
    expect(ann.page.get_by_text("Was that you?")).to_have_count(0)
    elsewhere = visitor(served, email=ann.email)
    elsewhere.signs_in()

    ann.page.reload()

    expect(ann.page.get_by_role("alert")).to_contain_text("New sign-in with Chrome on Linux")
    ann.presses("Yes, that was me")
    ann.page.reload()
    ann.is_in()
    expect(ann.page.get_by_text("Was that you?")).to_have_count(0)


def test_what_is_shared_is_accessible_and_no_wider_than_its_screen(ann: Person, ben_as: Sharing) -> None:
    code = ann.records("/invitations", role="viewer", name="Sam")["attributes"]["code"]
    ben = ben_as("full")
    opens_books_of(ben, ann, "Full access")

    found = {}
    for place in ("#/accounts", "#/settings/sharing", f"#/invitation?code={code}"):
        ben.opens(place)
        ben.settles()
        found[place] = [*wrongs(ben.page, "html"), *too_wide(ben.page)]
    ben.opens("#/settings/tokens")
    ben.field("Areas").select_option("some")
    found["scopes"] = [*wrongs(ben.page), *too_wide(ben.page)]
    sign_of_books(ben).click()
    expect(ben.page.get_by_role("dialog", name="Books")).to_contain_text("Your own books")
    found["books"] = wrongs(ben.page, "dialog")

    assert {place: one for place, one in found.items() if one} == {}
