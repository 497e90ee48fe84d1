"""The dashboard in a browser."""

from datetime import timedelta

from playwright.sync_api import expect

from .books import account, expected
from .conftest import Person, today

LATER = ("events", "inbox", "notices/unread")  # asked for after the page


def pays_by_itself(ann: Person, source_id: str, what: str, title: str) -> None:
    """Every month, from in three days on."""
    first = today() + timedelta(days=3)
    split = {"amount": "800", "currency_code": "EUR", "source_id": source_id, "destination_name": "Landlord"}
    ann.records(
        "/recurrences", type="withdrawal", title=title, first_date=first.isoformat(), repeat_until=None, active=True,
        apply_rules=True, transactions=[{**split, "description": what}],
        repetitions=[{"type": "monthly", "moment": str(first.day), "skip": 0, "weekend": 1}],
    )  # fmt: skip


def test_a_bill_and_the_recurrence_that_pays_it_are_one_line(ann: Person) -> None:
    checking = account(ann, "Checking")
    expected(ann, "Rent", today() + timedelta(days=3))
    pays_by_itself(ann, checking, "Rent", "Transfer")

    ann.opens()

    coming = ann.main.get_by_role("region", name="The next 30 days")
    expect(coming.get_by_role("link", name="Rent")).to_have_count(1)
    expect(coming.get_by_text("paid by “Transfer” on")).to_be_visible()
    expect(coming.get_by_role("link", name="Transfer")).to_have_count(0)


def test_it_asks_once_and_shows_the_rest_when_asked(ann: Person) -> None:
    checking = account(ann, "Checking")
    for number in range(14):
        expected(ann, f"Bill {number:02}", today() + timedelta(days=1 + number))
    ann.page.goto(f"{ann.server.address}/health")
    asked: list[str] = []
    ann.page.on("request", lambda one: asked.append(one.url) if "/api/v1/" in one.url else None)

    ann.opens()
    ann.settles()

    coming = ann.main.get_by_role("region", name="The next 30 days")
    expect(coming.get_by_role("link")).to_have_count(12)
    kinds = sorted(url.split("/api/v1/")[1].partition("?")[0] for url in asked)
    assert [kind for kind in kinds if kind not in LATER] == ["currencies", "dashboard", "preferences", "session"]
    coming.get_by_role("button", name="Show 2 more").click()
    expect(coming.get_by_role("link")).to_have_count(14)
    assert checking
