"""Telling another program of what happens, from adding the webhook to looking at what was delivered."""

import re

from playwright.sync_api import expect

from ..webhooks.receiver import Receiver
from .conftest import Person
from .test_accessible import too_wide, wrongs


def test_a_webhook_is_added_tested_paused_and_deleted(ann: Person, receiver: Receiver) -> None:
    ann.opens("#/settings/webhooks")
    ann.presses("Add webhook")
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Ledger")
    dialog.get_by_label("Address").fill(receiver.url)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".error").get_by_text("Choose at least one event.")).to_be_visible()
    dialog.get_by_label("A transaction is recorded").check()
    dialog.get_by_role("button", name="Save").click()
    expect(ann.main.get_by_role("textbox", name="Secret")).to_have_value(re.compile("^whsec_"))

    receiver.answers = [500] * 100
    ann.presses("Send a test to Ledger")
    deliveries = ann.main.get_by_role("region", name="Deliveries of Ledger")
    expect(deliveries.get_by_text("Answer 500")).to_be_visible()
    expect(ann.main.get_by_text("failing")).to_be_visible()
    receiver.answers = []
    deliveries.get_by_role("button", name="Send again: Test").click()
    expect(deliveries.get_by_text("Answer 200")).to_be_visible()
    ids = [headers["webhook-id"] for _, headers, _ in receiver.received]
    assert len(ids) > 1
    assert len(set(ids)) == 1
    assert wrongs(ann.page) == []
    assert too_wide(ann.page) == []

    ann.presses("Pause Ledger")
    expect(ann.main.get_by_text("inactive")).to_be_visible()
    ann.presses("Resume Ledger")
    expect(ann.main.get_by_role("button", name="Pause Ledger")).to_be_visible()
    ann.presses("Delete Ledger")
    ann.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(ann.main.get_by_text("There are no webhooks.")).to_be_visible()
    ann.undoes()
    expect(ann.main.get_by_role("heading", name="Ledger active")).to_be_visible()
