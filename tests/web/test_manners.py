"""How the app behaves when something goes wrong: slow networks, expired sessions, conflicting edits."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Route, expect

from ..cli.conftest import Server, Terminal
from .books import account, opens_details
from .conftest import EMAIL, PASSWORD, Person, an_owner_at

FIRST_PAGE_BYTES_MAX = 200_000


def test_the_first_page_is_small_and_knows_what_to_do_about_a_forgotten_password(
    visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    """Everything that comes before the dashboard is there, as it goes over the wire."""
    person = visitor(served, has_own_window=True)
    sizes: list[int] = []
    person.page.on(
        "response",
        lambda one: sizes.append(int(one.headers.get("content-length", 0))) if "/api/" not in one.url else None,
    )
    person.opens()
    person.page.get_by_text("Forgot your password?").click()
    person.page.get_by_label("E-mail").fill("ann@example.org")
    expect(person.page.get_by_text("farthing user set-password ann@example.org")).to_be_visible()
    person.signs_in()
    person.settles()

    assert 20_000 < sum(sizes) < FIRST_PAGE_BYTES_MAX


def test_a_slow_network_says_that_it_is_loading(ann: Person) -> None:
    told: list[str] = []

    def slowly(route: Route) -> None:
        """The answer comes when it was told, however long that takes."""
        if not told:
            ann.main.get_by_role("status").filter(has_text="Loading").wait_for()
        told.append(route.request.url)
        route.continue_()

    ann.opens()
    ann.is_in()
    ann.page.route("**/api/v1/bills*", slowly)
    ann.goes_to("Bills")
    expect(ann.main.get_by_text("No bills yet")).to_be_visible()
    assert told


def test_typed_text_survives_a_lost_connection(ann: Person) -> None:
    ann.forgives += ["failed: ", "console: .*ERR_"]
    ann.opens("#/accounts/new?type=asset")
    ann.field("Name").fill("Checking")
    ann.context.set_offline(True)
    ann.presses("Save")
    expect(ann.page.get_by_text("Farthing is not responding")).to_be_visible()
    ann.context.set_offline(False)
    ann.presses("Save")

    ann.is_told("“Checking” created.")
    ann.goes_to("Accounts")
    expect(ann.main.get_by_role("link", name="Checking")).to_have_count(1)


def test_back_online_it_goes_on_by_itself(ann_in_own_window: Person) -> None:
    """Code that could not be fetched, data that could not be loaded; and what was typed stays."""
    ann = ann_in_own_window
    ann.forgives += ["failed: ", "console: .*(ERR_|Failed to fetch)"]
    ann.opens()
    ann.settles()
    failure = ann.main.get_by_text("Farthing is not responding")

    ann.context.set_offline(True)
    ann.goes_to("Bills")
    expect(failure).to_be_visible()
    ann.presses("Try again")
    expect(failure).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.main.get_by_text("No bills yet")).to_be_visible()

    ann.goes_to("Dashboard")
    ann.settles()
    ann.context.set_offline(True)
    ann.goes_to("Bills")
    expect(failure).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.main.get_by_text("No bills yet")).to_be_visible()

    ann.opens("#/accounts/new?type=asset")
    ann.field("Name").fill("Half typed")
    ann.context.set_offline(True)
    ann.presses("Save")
    expect(failure).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.field("Name")).to_have_value("Half typed")
    ann.presses("Save")
    ann.is_told("“Half typed” created.")


def test_without_an_account_the_first_step_is_to_make_one(ann: Person) -> None:
    ann.opens("#/transactions/new")
    ann.main.get_by_role("link", name="Add an account").click()

    expect(ann.page.get_by_role("heading", name="New account")).to_be_visible()


def test_an_expired_session_asks_to_sign_in_and_loses_nothing(ann: Person) -> None:
    ann.forgives += ["401 ", "console: .*401"]
    # What comes after the page would notice it, too, before anything is saved.
    later = ("notices/unread", "inbox?*", "events")
    with ExitStack() as answers:
        for path in later:
            answers.enter_context(ann.page.expect_response(f"**/api/v1/{path}"))
        ann.opens("#/accounts/new?type=asset")
    ann.field("Name").fill("Half typed")
    ann.context.clear_cookies()
    ann.presses("Save")
    expect(ann.page.get_by_text("You were signed out")).to_be_visible()
    ann.page.get_by_label("Password").fill(PASSWORD)
    ann.presses("Sign in")
    expect(ann.page.get_by_text("You were signed out")).to_be_hidden()
    expect(ann.field("Name")).to_have_value("Half typed")
    expect(ann.main.get_by_text("Your session expired, so nothing was changed.")).to_be_visible()
    ann.presses("Save")

    ann.is_told("“Half typed” created.")


def test_a_new_password_ends_other_sessions_and_not_this_one(
    ann: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    other = visitor(served, email=ann.email, is_known=True)
    other.opens()
    other.is_in()
    ann.opens("#/settings/security")
    ann.field("Current password").fill(PASSWORD)
    ann.field("New password").fill("another horse battery")
    ann.presses("Change password")
    ann.is_told("Password changed.")
    ann.opens("#/accounts/new?type=asset")
    ann.field("Name").fill("Checking")
    ann.presses("Save")
    ann.is_told("“Checking” created.")

    other.forgives += ["401 ", "console: .*401"]
    other.opens("#/accounts")  # by the address: it may know by now, and its menu is covered
    expect(other.page.get_by_text("You were signed out")).to_be_visible()


def test_two_versions_of_an_edit_are_chosen_from_field_by_field_and_the_changes_page_tells(
    ann: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    place = f"#/accounts/{account(ann, 'Checking')}/edit"
    ann.opens(place)
    expect(ann.field("Name")).to_have_value("Checking")
    other = visitor(served, email=ann.email, is_known=True)
    other.opens(place)
    other.field("Name").fill("Theirs")
    other.field("Notes").fill("From the other tab")
    other.presses("Save")
    other.is_told("“Theirs” saved.")

    ann.forgives += ["412 ", "console: .*412"]
    ann.field("Name").fill("Mine")
    ann.presses("Save")
    dialog = ann.page.get_by_role("dialog", name="Someone else changed this")
    name, notes = dialog.get_by_role("group", name="Name"), dialog.get_by_role("group", name="Notes")
    expect(name.get_by_role("radio", name="Yours Mine")).to_be_checked()
    expect(notes.get_by_role("radio", name="Theirs From the other tab")).to_be_checked()
    name.get_by_role("radio", name="Yours Mine").press("ArrowRight")
    expect(name.get_by_role("radio", name="Theirs Theirs")).to_be_checked()
    name.get_by_role("radio", name="Yours Mine").check()
    dialog.get_by_role("button", name="Save these").click()
    ann.is_told("“Mine” saved.")

    ann.opens("#/settings/changes")
    ann.main.get_by_text("Show what changed").first.click()
    renamed = ann.main.get_by_role("row", name="Name Theirs Mine")
    expect(renamed).to_be_visible()
    expect(ann.main.get_by_role("row", name="Notes")).to_have_count(0)


def lives_in_denmark(ann: Person) -> None:
    ann.opens("#/settings")
    ann.field("Language and region").select_option("da_DK")  # the texts stay English
    ann.is_told("Saved.")


def test_a_preference_is_changed_again_while_the_change_before_is_still_being_saved(ann: Person) -> None:
    ann.opens("#/settings")
    country = ann.field("Country for bank holidays")
    held: list[Route] = []
    ann.page.route("**/preferences/holidayCountry", lambda route: held.append(route), times=1)
    country.fill("NL")
    with ann.page.expect_request("**/preferences/holidayCountry"):
        country.blur()
    country.fill("")
    country.blur()

    with ann.page.expect_response(lambda one: one.request.post_data_json == {"data": "none"}) as answered:
        held[0].continue_()

    assert (answered.value.status, answered.value.json()["data"]["attributes"]["data"]) == (200, "")
    ann.opens("#/")
    ann.opens("#/settings")
    expect(country).to_have_value("")


def test_amounts_are_read_in_the_notation_of_the_region(ann: Person) -> None:
    account(ann, "Checking")
    lives_in_denmark(ann)
    ann.opens("#/transactions/new")
    opens_details(ann)
    ann.page.get_by_role("combobox", name="Description").fill("A new bicycle")
    ann.page.get_by_role("combobox", name="From account").fill("Checking")
    amount = ann.page.get_by_role("textbox", name="Amount")
    amount.fill("1,234")
    expect(ann.main.get_by_text("Write it like 1.234,50.")).to_be_visible()
    amount.fill("1.234")
    expect(ann.main.get_by_text("= 1.234,00")).to_be_visible()
    ann.presses("Save", exact=True)
    ann.is_told("“A new bicycle” saved.")

    expect(ann.main.get_by_text("-1.234,00").first).to_be_visible()


def test_undoing_a_preference_takes_effect_at_once(ann: Person) -> None:
    account(ann, "Checking")
    lives_in_denmark(ann)
    ann.goes_to("Accounts")
    expect(ann.main.get_by_text("0,00").first).to_be_visible()
    ann.goes_to("Settings")
    ann.undoes()
    expect(ann.field("Language and region")).to_have_value("en_US")
    ann.goes_to("Accounts")
    expect(ann.main.get_by_text("€0.00").first).to_be_visible()


def test_a_year_begins_on_the_day_that_was_chosen(ann: Person) -> None:
    ann.opens("#/settings")
    for set_to in (
        lambda: ann.field("Default period").select_option("1Y"),
        lambda: ann.field("My year does not start on 1 January").check(),
        lambda: (ann.field("First day of the year").fill("04-06"), ann.page.keyboard.press("Tab")),
    ):
        with ann.page.expect_response(lambda one: one.url.endswith("/api/v1/preferences")):
            set_to()
    ann.opens("#/categories?on=2024-02-10")
    period = ann.main.get_by_role("group", name="Period")
    expect(period).to_contain_text("Apr 6, 2023 – Apr 5, 2024")
    period.get_by_role("button", name="Next").click()
    expect(period).to_contain_text("Apr 6, 2024 – Apr 5, 2025")

    account(ann, "Checking")
    ann.opens("#/?on=2024-02-10")
    expect(period).to_contain_text("Apr 6, 2023 – Apr 5, 2024")


def test_it_works_behind_a_path(visitor: Callable[..., Person], tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    with an_owner_at(terminal, FARTHING_BASE_URL="http://money.example/money") as server:
        person = visitor((terminal, server))
        person.page.goto(f"{server.address}/money/")
        person.page.get_by_label("E-mail").fill(EMAIL)
        person.page.get_by_label("Password").fill(PASSWORD)
        person.page.get_by_role("button", name="Sign in").click()
        expect(person.page.get_by_role("heading", name="Three steps to get started")).to_be_visible()
        person.goes_to("Accounts")
        expect(person.main.get_by_text("No accounts yet")).to_be_visible()

        assert person.page.url.startswith(f"{server.address}/money/")


def test_everything_can_be_reached_by_keyboard(ann: Person) -> None:
    ann.opens()
    ann.is_in()
    ann.page.keyboard.press("?")
    expect(ann.page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_role("dialog")).to_have_count(0)
    ann.goes_by_keys("b", "#/bills")
    expect(ann.page.get_by_role("heading", name="Bills", exact=True)).to_be_visible()
    ann.page.keyboard.press("n")
    expect(ann.page.get_by_role("heading", name="New transaction")).to_be_visible()
    ann.page.keyboard.press("Escape")
    ann.opens("#/")
    expect(ann.page.get_by_role("heading", name="Three steps to get started")).to_be_visible()
    ann.page.keyboard.press("/")
    expect(ann.page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()


def test_shortcuts_can_be_turned_off(ann: Person) -> None:
    ann.opens("#/settings")
    ann.page.get_by_label("Use single-key shortcuts").uncheck()
    ann.page.keyboard.press("n")
    ann.page.keyboard.press("?")
    expect(ann.page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(ann.page.get_by_role("dialog")).to_have_count(0)

    ann.page.reload()
    ann.page.get_by_label("Use single-key shortcuts").check()
    ann.page.keyboard.press("n")
    expect(ann.page.get_by_role("heading", name="New transaction")).to_be_visible()


def test_one_key_hides_amounts(ann: Person) -> None:
    account(ann, "Checking")
    ann.opens("#/accounts")
    expect(ann.main.get_by_text("€0.00").first).to_be_visible()
    ann.page.keyboard.press("h")
    expect(ann.main.get_by_text("€0.00")).to_have_count(0)
    expect(ann.main.get_by_text("•••").first).to_be_visible()
