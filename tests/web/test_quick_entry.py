"""A new transaction: the amount, the payee, the category, and what was last right with this payee."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from ..cli.conftest import Server, Terminal
from .books import account, opens_details, spent
from .conftest import Person, today
from .test_accessible import too_wide, wrongs

PHONE_HEIGHT = 844


def bought(ann: Person, source_id: str, where: str, *, what: str = "", **labels: Any) -> None:
    """A purchase with a category and a budget; `tags` belong to the whole."""
    part = {"amount": "3.20", "currency_code": "EUR", "source_id": source_id, "destination_name": where}
    tags = labels.pop("tags", [])
    ann.records(
        "/transactions", type="withdrawal", date=today().isoformat(), description=what or where, tags=tags,
        transactions=[{**part, **labels}],
    )  # fmt: skip


def latest(ann: Person) -> dict[str, Any]:
    answer = ann.context.request.get(f"{ann.server.address}/api/v1/transactions?limit=1")
    attributes: dict[str, Any] = answer.json()["data"][0]["attributes"]
    return attributes


def box(ann: Person, name: str) -> Locator:
    return ann.main.get_by_role("combobox", name=name, exact=True)


def option(ann: Person, name: str) -> Locator:
    return ann.page.locator("[role=option]:visible").filter(has_text=name)


def test_a_coffee_on_the_phone_takes_four_taps_besides_its_amount(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    account(ann, "Savings")
    bought(ann, account(ann, "Purse"), "Corner Café", category_name="Coffee", budget_name="Fun", tags=["out"])
    ann.opens("#/")
    ann.settles()

    ann.page.get_by_role("link", name="New transaction").tap()
    expect(ann.field("Amount")).to_be_focused()
    ann.page.keyboard.type("3.80")
    box(ann, "To").tap()
    option(ann, "Corner Café").tap()
    ann.page.get_by_role("button", name="Save", exact=True).tap()

    ann.is_told("“Corner Café” saved.")
    booked = latest(ann)
    assert (str(booked["amount"]), booked["category_name"], booked["budget_name"]) == ("-3.8", "Coffee", "Fun")
    assert (booked["source_name"], booked["tags"]) == ("Purse", "out")


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_the_keypad_saves_a_coffee_with_the_tap_on_its_payee(
    visitor: Callable[..., Person], served: tuple[Terminal, Server], newcomer: str, size: str
) -> None:
    ann = visitor(served, size, newcomer, is_known=True)
    account(ann, "Savings")
    purse = account(ann, "Purse")
    bought(ann, purse, "Bakehouse", category_name="Bread")
    bought(ann, purse, "Corner Café", category_name="Coffee", budget_name="Fun", tags=["out"])
    ann.opens("#/quick")
    coffee = ann.main.get_by_role("button", name="Corner Café Coffee")
    expect(coffee).to_be_disabled()
    for key in ("4", "2", "0"):
        ann.presses(key, exact=True)
    expect(ann.main.get_by_role("status")).to_have_text("€4.20")
    assert (wrongs(ann.page), too_wide(ann.page)) == ([], [])

    coffee.click()

    ann.is_told("“Corner Café” saved.")
    booked = latest(ann)
    assert (str(booked["amount"]), booked["category_name"], booked["budget_name"]) == ("-4.2", "Coffee", "Fun")
    assert (booked["source_name"], booked["tags"], booked["date"]) == ("Purse", "out", today().isoformat())
    ann.undoes()
    assert latest(ann)["amount"] == -3.2
    ann.page.keyboard.type("750")
    ann.presses("Other …")
    expect(ann.main.get_by_role("textbox", name="Amount")).to_have_value("7.50")


def test_after_a_new_payee_the_category_is_typed_without_another_tap(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    bought(ann, account(ann, "Purse"), "Corner Café", category_name="Coffee")
    ann.opens("#/transactions/new")
    expect(ann.field("Amount")).to_be_focused()
    ann.page.keyboard.type("3.80")
    box(ann, "To").tap()
    ann.page.keyboard.type("Bakehouse")
    option(ann, "Bakehouse").tap()
    expect(box(ann, "Category")).to_be_focused()
    ann.page.keyboard.type("cof")
    option(ann, "Coffee").tap()
    ann.page.get_by_role("button", name="Save", exact=True).tap()

    ann.is_told("“Bakehouse” saved.")
    assert (latest(ann)["destination_name"], latest(ann)["category_name"]) == ("Bakehouse", "Coffee")


def test_what_was_last_right_with_a_payee_is_filled_in_and_what_was_typed_stays(ann: Person) -> None:
    purse, giro = account(ann, "Purse"), account(ann, "Girokonto")
    for _ in range(2):
        bought(ann, giro, "Landlord", what="Rent", category_name="Home")
    bought(ann, purse, "Baker", what="A cake for Tom", category_name="Bread")
    ann.opens("#/transactions/new")
    expect(ann.main.get_by_role("button", name="Details Purse · Today")).to_be_visible()

    box(ann, "To").fill("Land")
    box(ann, "To").press("Tab")
    expect(box(ann, "Category")).to_have_value("Home")
    expect(ann.main.get_by_role("button", name="Details Girokonto · Today · Rent")).to_be_visible()
    box(ann, "To").fill("Bak")
    box(ann, "To").press("Tab")
    expect(box(ann, "Category")).to_have_value("Bread")
    expect(ann.main.get_by_role("button", name="Details Purse · Today", exact=True)).to_be_visible()
    box(ann, "To").fill("Somebody new")
    box(ann, "To").press("Tab")
    expect(box(ann, "Category")).to_have_value("")

    box(ann, "Category").fill("Presents")
    box(ann, "To").fill("Land")
    box(ann, "To").press("Tab")
    expect(ann.main.get_by_role("button", name="Details Girokonto · Today · Rent")).to_be_visible()
    expect(box(ann, "Category")).to_have_value("Presents")


def test_the_last_account_is_known_on_every_device(ann: Person) -> None:
    bought(ann, account(ann, "Purse"), "Baker")
    account(ann, "Another")
    ann.opens("#/transactions/new")

    expect(ann.main.get_by_role("button", name="Details Purse · Today")).to_be_visible()
    opens_details(ann)
    expect(box(ann, "From account")).to_have_value("Purse")


def test_save_stays_in_sight_on_a_phone_and_help_is_shown_on_focus(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    account(ann, "Purse")
    ann.opens("#/transactions/new")
    opens_details(ann)
    ann.page.get_by_text("More fields").click()
    save = ann.page.get_by_role("button", name="Save", exact=True)
    for place in (0, 300, 3000):
        ann.page.evaluate("place => scrollTo(0, place)", place)
        expect(save).to_be_in_viewport(ratio=1)
    save.click(trial=True)
    ann.page.set_viewport_size({"width": 390, "height": 3000})  # where neither header nor bar covers anything
    assert wrongs(ann.page) == []
    ann.page.set_viewport_size({"width": 390, "height": 844})

    ann.page.evaluate("scrollTo(0, 0)")
    helping = ann.main.get_by_text("Leave it empty for cash.")
    expect(helping).to_be_hidden()
    box(ann, "To").focus()
    expect(helping).to_be_visible()
    ann.field("Amount").focus()
    expect(helping).to_be_hidden()


def test_what_is_wrong_in_a_folded_field_unfolds_it(ann: Person) -> None:
    account(ann, "Purse")
    ann.opens("#/transactions/new")
    opens_details(ann)
    ann.field("Date").fill("soon")
    ann.main.get_by_role("button", name="Details").click()
    expect(ann.field("Date")).to_be_hidden()
    ann.field("Amount").fill("1")
    box(ann, "To").fill("Baker")
    ann.presses("Save", exact=True)

    expect(ann.field("Date")).to_be_focused()
    expect(ann.field("Date")).to_have_attribute("aria-invalid", "true")


def test_each_part_is_one_line_and_needs_no_text(ann: Person) -> None:
    account(ann, "Purse")
    ann.opens("#/transactions/new")
    ann.field("Amount").fill("20")
    box(ann, "To").fill("Market")
    box(ann, "To").press("Tab")
    ann.presses("Split this transaction")
    first, second = (ann.page.get_by_role("group", name=f"Split {number}") for number in (1, 2))
    expect(first.get_by_label("Amount")).to_be_focused()
    ann.page.keyboard.type("15")
    first.get_by_label("Category").fill("Food")
    expect(second.get_by_label("Amount")).to_have_value("5.00")
    assert wrongs(ann.page) == []
    for part in (first, second):
        place = part.bounding_box()
        assert place is not None
        assert place["height"] < 60
    second.get_by_role("button", name="More about split 2").click()
    second.get_by_role("combobox", name="To").fill("Florist")
    ann.presses("Save", exact=True)
    ann.is_told("“Market” saved.")

    for text in ("Food", "Market (2)", "Florist", "-€15.00", "-€5.00"):
        expect(ann.main.get_by_text(text, exact=True).first).to_be_visible()


def test_a_receipt_is_photographed(ann_on_phone: Person, tmp_path: Path) -> None:
    ann = ann_on_phone
    account(ann, "Purse")
    ann.opens("#/transactions/new")
    ann.field("Amount").fill("3.20")
    box(ann, "To").fill("Baker")
    box(ann, "To").press("Tab")
    picture = tmp_path / "receipt.png"
    picture.write_bytes(ann.page.screenshot())
    with ann.page.expect_file_chooser() as chosen:
        ann.presses("Photograph a receipt")
    camera = chosen.value.element
    assert (camera.get_attribute("capture"), camera.get_attribute("accept")) == ("environment", "image/*")
    chosen.value.set_files(picture)
    expect(ann.main.get_by_text("receipt.png")).to_be_visible()
    ann.presses("Save", exact=True)

    expect(ann.main.get_by_role("heading", name="Baker")).to_be_visible()
    expect(ann.main.get_by_role("button", name=re.compile("receipt.png"))).not_to_have_count(0)


def test_amounts_in_fields_are_written_as_the_region_writes_them(ann: Person) -> None:
    purse = account(ann, "Purse")
    ann.changes_elsewhere("/preferences/language", data="da_DK")  # a region without texts of its own
    booked = spent(ann, purse, "Market", "300.00", "12.50")
    bought(ann, purse, "Baker")
    ann.opens(f"#/transactions/{booked}/edit")
    expect(ann.field("Total")).to_have_value("312,50")
    first, second = (ann.page.get_by_role("group", name=f"Split {number}") for number in (1, 2))
    expect(first.get_by_label("Amount")).to_have_value("300,00")
    expect(second.get_by_label("Amount")).to_have_value("12,50")

    ann.opens("#/transactions")
    amount = ann.main.get_by_role("button", name="Amount of Baker:")
    amount.click()
    expect(ann.main.get_by_role("textbox", name="Amount")).to_have_value("3,20")
    ann.page.keyboard.type("4,80")
    ann.page.keyboard.press("Enter")
    expect(amount).to_contain_text("4,80")
