"""Notices: a bell that counts them, a list that leads to what they are about, and a page to choose them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from farthing.books.preferences.notices import NoticeKind, NoticeSettings
from farthing.identity import users
from farthing.overviews.notices import store
from farthing.overviews.notices.model import Facts, Figure, Found, NoticeDraft
from farthing.storage.unit import Database

from ..cli.conftest import Server, Terminal
from .books import account
from .conftest import Person, today
from .test_accessible import too_wide, wrongs


def is_noted(books: Database, email: str, *drafts: NoticeDraft) -> None:
    """As the job process does when it finds an occasion."""
    found = Found(drafts=drafts, ended_account_ids=frozenset(), settings=NoticeSettings())
    with books.writing() as db:
        user = users.find_by_email(db, email)
        assert user is not None
        store.add(db, user.id, found, f"{today()}T08:00:00+00:00", is_first=False)


def euros(units: int) -> Figure:
    return Figure(units=units, code="EUR", symbol="€", places=2)


@pytest.mark.parametrize("size", ["desk", "phone"])
def test_notices_are_counted_listed_read_and_chosen(
    size: str,
    visitor: Callable[..., Person],
    served: tuple[Terminal, Server],
    served_books: Database,
    newcomer: str,
) -> None:
    ann = visitor(served, size, newcomer, is_known=True)
    checking = account(ann, "Checking")
    low = Facts(name="Checking", on=today().isoformat(), amount=euros(-1250), limit=euros(0))
    device = Facts(name="Firefox on Linux", on=f"{today()}T07:00:00+00:00", text="192.0.2.7")
    is_noted(
        served_books,
        newcomer,
        NoticeDraft(key="1", kind=NoticeKind.LOW_BALANCE, facts=low, object_kind="accounts", object_id=int(checking)),
        NoticeDraft(key="2", kind=NoticeKind.UNKNOWN_DEVICE, facts=device),
        NoticeDraft(key="3", kind=NoticeKind.BACKUP_FAILED, facts=Facts(text="The disk is full.")),
    )
    ann.opens("#/")
    ann.page.get_by_role("link", name="Notices, 3 unread").click()
    rows = ann.main.get_by_role("listitem")
    expect(rows).to_have_count(3)
    expect(rows.last).to_contain_text(re.compile(r"The balance of Checking is low\s+-€12\.50"))
    assert (wrongs(ann.page), too_wide(ann.page)) == ([], [])

    ann.presses("Mark as read: The backup failed")
    expect(ann.page.get_by_role("link", name="Notices, 2 unread")).to_be_visible()
    rows.last.get_by_role("link").click()
    expect(ann.page.get_by_role("heading", name="Checking")).to_be_visible()
    expect(ann.page.get_by_role("link", name="Notices, 1 unread")).to_be_visible()

    ann.opens("#/settings/notices")
    ann.field("Address").fill("nothing://here")
    ann.presses("Add the address")
    expect(ann.main.get_by_text("not an address of a service")).to_be_visible()
    ann.forgives.append("422")
    ann.field("Address").fill("ntfys://ntfy.example/a-secret-topic")
    ann.presses("Add the address")
    ann.is_told("The address was added. Choose below what it gets.")
    expect(ann.main.get_by_role("button", name="Remove ntfys")).to_be_visible()
    expect(ann.main.get_by_text("not used yet")).to_be_visible()
    ann.field("A bill is due soon: In chats").check()
    ann.field("A bill is due soon: In the app").uncheck()
    ann.field("Withdrawals are large from").fill("1,500.50")
    ann.field("Checking").fill("-20")
    ann.field("Quiet from").fill("22:00")
    ann.presses("Save", exact=True)
    expect(ann.main.get_by_text(re.compile("required when"))).to_be_visible()
    ann.forgives.append("422")
    ann.field("Quiet until").fill("07:00")
    assert (wrongs(ann.page), too_wide(ann.page)) == ([], [])
    ann.presses("Save", exact=True)
    ann.is_told("Notices saved.")

    stored = ann.context.request.get(f"{ann.server.address}/api/v1/notices/settings").json()["data"]
    assert (stored["channels"]["bill_due"], stored["large_withdrawal"]) == (["chat"], 1500.5)
    assert stored["lines"] == [{"account_id": checking, "amount": -20}]
