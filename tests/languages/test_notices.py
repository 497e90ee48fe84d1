"""What leaves the house without being asked for is in the language of its receiver."""

from farthing.books.preferences.notices import NoticeKind
from farthing.overviews.notices.letters import find_title, list_lines, write_reset
from farthing.overviews.notices.model import Facts, Figure

RENT = Facts(
    name="The balance",
    on="2024-05-31",
    limit=Figure(units=70000, places=2, code="EUR", symbol="€"),
    highest=Figure(units=80000, places=2, code="EUR", symbol="€"),
)


def test_a_notice_is_written_in_the_language_of_its_reader_and_keeps_names() -> None:
    title = find_title(NoticeKind.BILL_OVERDUE, RENT, "de_DE")

    assert title == "The balance war am 31.05.2024 fällig und ist nicht bezahlt"
    assert list_lines(NoticeKind.BILL_OVERDUE, RENT, "fr_FR", amounts=True) == ["700,00\xa0€ à 800,00\xa0€"]
    assert find_title(NoticeKind.BILL_OVERDUE, RENT, "en_GB") == "The balance was due on 31 May 2024 and is not paid"


def test_the_link_for_a_new_password_is_explained_in_the_language_of_the_user() -> None:
    message = write_reset("f@example.org", "a@example.org", "https://money.example", "abc", "nl_NL")

    assert message["Subject"] == "Je nieuwe wachtwoord voor Farthing"
    assert "https://money.example/#/password?code=abc" in message.get_content()
    assert message.get_content().endswith("je wachtwoord blijft zoals het is.\n")
