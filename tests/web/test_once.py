"""Lost and slow answers: each request takes effect once."""

import pytest
from playwright.sync_api import Page, Route, expect

from .books import account, opens_details
from .conftest import Person


@pytest.fixture
def typing(ann: Person) -> Person:
    """She has typed a transaction, and not saved it yet."""
    account(ann, "Checking")
    ann.opens("#/transactions/new")
    opens_details(ann)
    ann.page.get_by_role("combobox", name="Description").fill("Coffee")
    ann.field("Amount").fill("3.20")
    ann.page.get_by_role("combobox", name="From account").fill("Check")
    ann.page.get_by_role("option", name="Checking").click()
    return ann


def lose_answers(page: Page, path: str, times: int) -> None:
    """The server gets what was sent, the browser no answer."""

    def lost(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(f"**{path}", lost, times=times)


def booked(ann: Person) -> int:
    answer = ann.context.request.get(f"{ann.server.address}/api/v1/transactions")
    return int(answer.json()["meta"]["pagination"]["total"])


def test_saving_again_after_a_lost_answer_books_once(typing: Person) -> None:
    typing.forgives += ["failed: ", "console: .*ERR_"]
    lose_answers(typing.page, "/api/v1/transactions", times=2)
    typing.presses("Save", exact=True)
    expect(typing.page.get_by_text("Farthing is not responding")).to_be_visible()
    typing.presses("Save", exact=True)

    typing.is_told("“Coffee” saved.")
    assert booked(typing) == 1


def test_a_transaction_is_booked_and_shown_while_its_files_upload(typing: Person) -> None:
    waiting: list[Route] = []
    typing.page.route("**/api/v1/attachments", lambda route: waiting.append(route))
    typing.page.get_by_text("More fields").click()
    receipt = {"name": "receipt.txt", "mimeType": "text/plain", "buffer": b"one coffee"}
    typing.page.locator("input[type=file]").first.set_input_files(receipt)
    with typing.page.expect_request("**/api/v1/attachments"):
        typing.presses("Save", exact=True)

    typing.is_told("“Coffee” saved.")
    expect(typing.main.get_by_role("heading", name="Coffee")).to_be_visible()
    expect(typing.main.get_by_text("receipt.txt")).to_be_visible()
    typing.goes_to("Bills")
    waiting[0].continue_()

    typing.is_told("“receipt.txt” added.")
    expect(typing.main.get_by_role("heading", name="Bills", exact=True)).to_be_visible()
    assert booked(typing) == 1


def test_retrying_an_upload_after_a_lost_answer_stores_the_file_once(typing: Person) -> None:
    typing.forgives += ["failed: ", "console: .*ERR_"]
    typing.presses("Save", exact=True)
    typing.is_told("“Coffee” saved.")
    lose_answers(typing.page, "/api/v1/attachments", times=1)
    receipt = {"name": "receipt.txt", "mimeType": "text/plain", "buffer": b"one coffee"}
    typing.page.locator("input[type=file]").first.set_input_files(receipt)
    typing.presses("Try receipt.txt again")

    typing.is_told("“receipt.txt” added.")
    expect(typing.main.get_by_role("link", name="Download receipt.txt")).to_have_count(1)
