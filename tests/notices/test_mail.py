"""E-mail about notices, sent through a real mail server."""

import ssl
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from farthing.jobs.noticing import Noticer
from farthing.kernel.network.mail import MailServer, NotSent, send
from farthing.overviews.notices.letters import start_message
from farthing.overviews.notices.search import find_available

from ..bills.making import a_bill, stored
from ..cli.conftest import Terminal, owned, terminal  # noqa: F401 -- fixtures
from ..conftest import Client, World
from ..test_outgoing import certificate  # noqa: F401 -- a fixture
from ..transactions.making import asset, made, posted, withdrawal
from .making import chosen, works
from .post import PASSWORD, USER, PostOffice, open_office


@pytest.fixture
def me(mail_world: World) -> Client:
    owner = mail_world.someone("ann@example.org")
    works(mail_world)
    return owner


def test_a_notice_comes_by_mail_with_a_link_and_can_be_ended_with_one_click(
    mail_world: World, me: Client, office: PostOffice
):
    chosen(me, channels={"bill_due": ["email"]})
    bill = stored(me, a_bill(date="2024-05-16", name="Rent & <power>"))
    works(mail_world)
    works(mail_world)

    [letter] = office.messages
    assert (letter["To"], letter["From"]) == ("ann@example.org", "farthing@example.org")
    assert letter["Subject"] == "Rent & <power> is due on May 16, 2024"
    text, html = (letter.get_body((kind,)).get_content() for kind in ("plain", "html"))  # type: ignore[union-attr]
    assert "€795.00 to €855.50" in text
    assert f"http://farthing.example/#/bills/{bill['id']}" in text.splitlines()
    assert "<h1><a" in html
    assert "Rent &amp; &lt;power&gt;" in html
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert me.get("/notices").json()["data"] == []

    link = urlsplit(letter["List-Unsubscribe"].strip("<>"))
    for _ in range(2):
        ended = mail_world.http.request("POST", f"{link.path}?{link.query}", data={"List-Unsubscribe": "One-Click"})
        assert ended.status_code == 204
    assert me.get("/notices/settings").json()["data"]["channels"]["bill_due"] == []
    assert mail_world.http.request("POST", f"{link.path}?secret=wrong").status_code == 404
    works(mail_world, days=31)
    assert [one["Subject"].split()[-1] for one in office.messages] == ["2024"]


def test_amounts_are_shown_only_to_those_who_allow_it(mail_world: World, me: Client, office: PostOffice):
    chosen(me, channels={"large_withdrawal": ["email"]}, large_withdrawal="10", amounts=False)
    posted(me, withdrawal(made(me, asset()), "12.34", description="Bicycle"))
    works(mail_world)

    [letter] = office.messages
    assert "Bicycle" in letter["Subject"]
    assert not any(amount in letter.as_string() for amount in ("12.34", "10.00"))


def test_messages_wait_until_the_quiet_hours_are_over(mail_world: World, me: Client, office: PostOffice):
    chosen(me, channels={"bill_due": ["email"]}, quiet_from="22:00", quiet_until="12:30")
    stored(me, a_bill(date="2024-05-16"))
    counts = []
    for minutes in (0, 29, 1, 60):
        works(mail_world, minutes=minutes)
        counts.append(len(office.messages))

    assert counts == [0, 0, 1, 1]


def test_a_message_is_sent_again_after_a_failure_and_not_after_a_final_refusal(
    mail_world: World, me: Client, office: PostOffice
):
    office.answers += ["451 Later", "554 I am full"]
    chosen(me, channels={"bill_due": ["email"]})
    nobody = mail_world.someone("nobody@example.org")
    works(mail_world)
    chosen(nobody, channels={"bill_due": ["email"]})
    for client in (me, nobody):
        stored(client, a_bill(date="2024-05-16"))
    counts = []
    for minutes in (0, 1, 5, 60):
        works(mail_world, minutes=minutes)
        counts.append(len(office.messages))

    assert counts == [0, 0, 1, 1]
    with mail_world.books.reading() as db:
        rows = db.all("SELECT attempts, given_up, failure FROM notice_deliveries ORDER BY user_id")
    assert [(attempts, given_up) for attempts, given_up, _ in rows] == [(3, 0), (1, 1)]
    assert rows[1][2] == "The mail server refused the recipient: 550 There is nobody here"


def test_a_message_that_cannot_be_written_keeps_no_other_waiting(mail_world: World, me: Client, office: PostOffice):
    chosen(me, channels={"bill_due": ["email"]})
    for name in ("Rent", "Power"):
        stored(me, a_bill(name=name, match=name, date="2024-05-16"))
    Noticer(mail_world.books, mail_world.time.clock(), find_available(mail_world.settings)).turn()
    with mail_world.books.writing() as db:
        db.run("UPDATE notices SET facts = '[]' WHERE facts LIKE '%Rent%'")
    works(mail_world)

    assert [letter["Subject"].split()[0] for letter in office.messages] == ["Power"]
    with mail_world.books.reading() as db:
        rows = db.all("SELECT attempts, given_up, failure, held_until FROM notice_deliveries WHERE sent_at IS NULL")
    assert rows == [(1, 0, "ValidationError", None)]


def test_a_message_whose_sender_died_is_sent_by_another_one(mail_world: World, me: Client, office: PostOffice):
    chosen(me, channels={"bill_due": ["email"]})
    stored(me, a_bill(date="2024-05-16"))
    Noticer(mail_world.books, mail_world.time.clock(), find_available(mail_world.settings)).turn()
    with mail_world.books.writing() as db:
        db.run("UPDATE notice_deliveries SET held_until = '2024-05-15T12:15:00+00:00'")

    works(mail_world, minutes=14)
    assert office.messages == []
    works(mail_world, minutes=1)
    assert len(office.messages) == 1


def test_a_test_message_comes_at_once_and_only_a_few_times(mail_world: World, me: Client, office: PostOffice):
    chosen(me, quiet_from="00:00", quiet_until="23:59")
    answers = [me.post("/notices/mail/test").status_code for _ in range(11)]
    works(mail_world)

    assert answers == [204] * 10 + [429]
    assert {one["Subject"] for one in office.messages} == {"E-mail from Farthing works"}
    assert me.get("/notices/settings").json()["data"]["available"] == ["app", "chat", "email", "push"]
    assert me.get("/notices").json()["data"] == []


@pytest.mark.any_database
def test_without_a_mail_server_nothing_is_planned(world: World, someone_else: Client):
    assert someone_else.post("/notices/mail/test").status_code == 409
    assert someone_else.get("/notices/settings").json()["data"]["available"] == ["app", "chat", "push"]


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_passwords_are_sent_only_encrypted_and_to_a_known_server(
    scheme: str,
    certificate: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    letter = start_message(USER, "ann@example.org", "Hello", "<1@farthing>")
    with open_office(context, tls=scheme == "smtps") as office:
        at = f"{quote(USER, safe='')}:{quote(PASSWORD, safe='')}@localhost:{office.port}"
        with pytest.raises(NotSent):
            send(MailServer.of(f"{scheme}://{at}"), letter)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
        send(MailServer.of(f"{scheme}://{at}"), letter)
        with pytest.raises(NotSent, match="refused the password: 535") as wrong:
            send(MailServer.of(f"{scheme}://{at.replace('s3cret', 'other')}"), letter)
    with open_office() as plain, pytest.raises(NotSent, match="STARTTLS"):
        send(MailServer.of(f"smtp://{USER.replace('@', '%40')}:x@localhost:{plain.port}"), letter)

    assert "other" not in str(wrong.value)
    assert [one["Subject"] for one in office.messages] == ["Hello"]


def test_the_command_sends_a_test_message_now_and_says_what_the_server_answers(
    office: PostOffice,
    owned: Terminal,  # noqa: F811
):
    mail = {
        "FARTHING_MAIL_URL": f"smtp+plain://127.0.0.1:{office.port}",
        "FARTHING_MAIL_FROM": "farthing@example.org",
        "FARTHING_BASE_URL": "http://farthing.example",
    }
    done = owned.run("mail", "test", "ann@example.org", **mail)

    assert done.stdout == "The mail server has accepted a message to ann@example.org.\n"
    [letter] = office.messages
    assert (letter["To"], letter["From"]) == ("ann@example.org", "farthing@example.org")
    assert "farthing mail test" in letter.get_content()
    refused = owned.fails("mail", "test", "nobody@example.org", **mail)
    assert refused.endswith("The mail server refused the recipient: 550 There is nobody here")
    office.answers += ["451 Later"]
    assert "451 Later" in owned.fails("mail", "test", "ann@example.org", **mail)
    assert "is not an e-mail address" in owned.fails("mail", "test", "ann", **mail)
    assert "FARTHING_MAIL_URL is not set" in owned.fails("mail", "test", "ann@example.org")
