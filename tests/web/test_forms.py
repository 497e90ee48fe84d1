"""What does a form refuse, and what does it ask? Nobody saves what they did not mean, and nobody loses what they typed."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import StorageState, expect

from ..cli.conftest import Server, Terminal
from .books import account, dialog, every_day
from .conftest import Person, today


@pytest.fixture
def ann(visitor: Callable[..., Person], lived_in: tuple[Terminal, Server], signed_in: StorageState) -> Person:
    return visitor(lived_in, storage_state=signed_in)


@pytest.mark.parametrize(
    ("ending", "label"), [("after so many times", "How often"), ("on a day", "Last planned day")]
)
def test_a_recurrence_that_ends_must_say_when(ann: Person, ending: str, label: str) -> None:
    made = every_day(ann, account(ann, f"Ends {ending}"), today() + timedelta(days=3))
    ann.opens(f"#/recurrences/{made}/edit")
    ann.field("Ends").select_option(label=ending)
    ann.presses("Save")
    expect(ann.field(label)).to_have_attribute("aria-invalid", "true")
    expect(ann.field(label)).to_be_focused()
    expect(ann.main.get_by_text("This is required.")).to_be_visible()

    ann.field(label).fill("4" if label == "How often" else (today() + timedelta(days=9)).isoformat())
    ann.presses("Save")
    ann.is_told("“Films” is saved.")


def test_nothing_is_not_moved_into_a_piggy_bank(ann: Person) -> None:
    ann.records("/piggy_banks", name="Lamp", account_id=int(account(ann, "For a lamp")), target_amount="40")
    ann.opens("#/piggy-banks")
    ann.main.get_by_role("button", name="Money in Lamp").click()
    amount = dialog(ann).get_by_label("Amount")
    for typed, why in (("", "Say how much."), ("0", "Say an amount above zero."), ("-5", "Say an amount above zero.")):
        amount.fill(typed)
        dialog(ann).get_by_role("button", name="Put in").click()
        expect(dialog(ann).get_by_text(why)).to_be_visible()
        expect(amount).to_have_attribute("aria-invalid", "true")

    expect(ann.page.get_by_text("Money moved.")).to_have_count(0)
