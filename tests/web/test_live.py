"""Two windows of one user: what is recorded in one is in the other, which is not disturbed."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from ..cli.conftest import Server, Terminal
from .books import account, opens_details, spent
from .conftest import Person


def test_what_the_phone_records_is_on_the_desktop(
    ann: Person, visitor: Callable[..., Person], served: tuple[Terminal, Server]
) -> None:
    wallet = account(ann, "Wallet")
    spent(ann, wallet, "Bread", "3.20")
    phone = visitor(served, "phone", ann.email, is_known=True)
    with ann.page.expect_response(re.compile(r"/api/v1/events$")):
        ann.opens("#/transactions")
    expect(ann.main).to_contain_text("Bread")
    ann.main.get_by_role("checkbox", name=re.compile("Bread")).check()
    ann.main.get_by_role("checkbox", name=re.compile("Bread")).focus()

    spent(phone, wallet, "Cheese", "7.10")

    expect(ann.main).to_contain_text("Cheese")
    expect(ann.main.get_by_role("checkbox", name=re.compile("Bread"))).to_be_checked()
    assert ann.page.evaluate("document.activeElement.ariaLabel") == "Select Bread"

    with ann.page.expect_response(re.compile(r"/api/v1/events$")):
        ann.opens("#/transactions/new")
        ann.page.reload()
    opens_details(ann)
    ann.field("Description").fill("Half a sent")
    with ann.page.expect_response(re.compile(r"/api/v1/revision$")):
        spent(phone, wallet, "Olives", "2.00")
    expect(ann.field("Description")).to_have_value("Half a sent")
    assert ann.field("Description").evaluate("field => field === document.activeElement")
