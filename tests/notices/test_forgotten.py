"""A forgotten password: a link by e-mail sets a new one, once."""

import re
from datetime import timedelta

import pytest
from msgspec.structs import replace

from farthing.identity import users
from farthing.identity.signing_in import attempts
from farthing.jobs.mailing import Mailer
from farthing.kernel.clock import stamp

from ..conftest import Client, World
from ..sessions.browser import PASSWORD, Browser, signed_in, somebody
from ..transactions.making import errors
from .making import works
from .post import PostOffice

NEW = "staple of new words"


def asked(browser: Browser, email: str) -> tuple[int, str]:
    answer = browser.post("/password/forgotten", {"email": email})
    return answer.status_code, answer.text


def codes(office: PostOffice) -> list[str]:
    contents = [letter.get_content() for letter in office.messages]
    return [re.findall(r"http://farthing\.example/#/password\?code=(\S+)", content)[0] for content in contents]


def test_a_link_sets_a_new_password_once_and_ends_all_sessions_and_other_links(
    mail_world: World, office: PostOffice
) -> None:
    ann = somebody(mail_world, "ann@example.org")
    elsewhere, here = signed_in(mail_world, ann), Browser(mail_world)
    for _ in range(3):
        assert asked(here, "Ann@Example.org") == (204, "")
        works(mail_world)
    earlier, code, later = codes(office)

    assert errors(here.post("/password/reset", {"code": code, "password": "short"})).keys() == {"password"}
    assert here.post("/password/reset", {"code": code, "password": NEW}).status_code == 204
    for ended in (earlier, code, later):
        assert errors(here.post("/password/reset", {"code": ended, "password": NEW})).keys() == {"code"}

    assert not elsewhere.is_in
    assert here.sign_in("ann@example.org", PASSWORD).status_code == 422
    assert here.sign_in("ann@example.org", NEW).status_code == 200
    events = [one["attributes"]["event"] for one in here.get("/audit").json()["data"]]
    assert events.count("password_reset") == 1


def test_a_link_ends_after_half_an_hour_and_with_any_other_change_of_the_password(
    mail_world: World, office: PostOffice
) -> None:
    ann, browser = somebody(mail_world, "ann@example.org"), Browser(mail_world)
    asked(browser, ann.email)
    works(mail_world)
    works(mail_world, minutes=30)
    asked(browser, ann.email)
    works(mail_world)
    with mail_world.books.writing() as db:
        users.set_password(db, ann.id, "another hash", stamp(mail_world.time.now))

    assert len(codes(office)) == 2
    for code in codes(office):
        assert errors(browser.post("/password/reset", {"code": code, "password": NEW})).keys() == {"code"}


def test_a_link_ends_when_the_address_changes(mail_world: World, office: PostOffice) -> None:
    ann, browser = somebody(mail_world, "ann@example.org"), Browser(mail_world)
    asked(browser, ann.email)
    works(mail_world)
    with mail_world.books.writing() as db:
        users.change(db, replace(ann, email="ann@example.net"), stamp(mail_world.time.now))

    [code] = codes(office)
    assert errors(browser.post("/password/reset", {"code": code, "password": NEW})).keys() == {"code"}


def test_the_answer_does_not_tell_who_has_a_password_here(mail_world: World, office: PostOffice) -> None:
    ann, blocked = somebody(mail_world, "ann@example.org"), somebody(mail_world, "bob@example.org")
    cleo = somebody(mail_world, "cleo@example.org")
    with mail_world.books.writing() as db:
        users.set_blocked(db, blocked.id, True, stamp(mail_world.time.now))
        users.set_password(db, cleo.id, "", stamp(mail_world.time.now))  # signs in with a provider
    browser = Browser(mail_world)
    people = [ann.email, blocked.email, cleo.email, "nobody@example.org"]
    statements = []
    for email in people:
        with mail_world.books.reading() as db:
            before = db.value("SELECT COUNT(*) FROM password_requests")
        assert asked(browser, email) == (204, "")
        with mail_world.books.reading() as db:
            statements.append(db.value("SELECT COUNT(*) FROM password_requests") - before)
    works(mail_world)

    assert statements == [1] * len(people)
    assert [letter["To"] for letter in office.messages] == [ann.email]
    with mail_world.books.reading() as db:
        assert db.value("SELECT COUNT(*) FROM password_requests") == 0


def test_a_mailbox_cannot_be_flooded(mail_world: World, office: PostOffice) -> None:
    ann = somebody(mail_world, "ann@example.org")
    answers = [asked(Browser(mail_world, address=f"192.0.2.{number}"), ann.email)[0] for number in range(11)]
    works(mail_world)
    assert answers == [204] * 10 + [429]
    assert len(office.messages) == 3

    first = codes(office)[0]
    assert Browser(mail_world).post("/password/reset", {"code": first, "password": NEW}).status_code == 204


def test_a_mailbox_gets_three_links_in_an_hour_and_ten_in_a_day(mail_world: World, office: PostOffice) -> None:
    ann, counts = somebody(mail_world, "ann@example.org"), []
    for minutes in (0, 59, 1, 60, 60, 20 * 60 - 1, 1 + 60):
        mail_world.time.now += timedelta(minutes=minutes)
        with mail_world.books.writing() as db:
            attempts.forget_old(db, stamp(mail_world.time.now))
        for _ in range(4):
            assert asked(Browser(mail_world), ann.email) == (204, "")
        works(mail_world)
        counts.append(len(office.messages))

    assert counts == [3, 3, 6, 9, 10, 10, 13]


def test_a_link_is_sent_again_after_a_failure_until_the_request_is_half_an_hour_old(
    mail_world: World, office: PostOffice
) -> None:
    ann, browser = somebody(mail_world, "ann@example.org"), Browser(mail_world)
    asked(browser, ann.email)
    works(mail_world)
    asked(browser, ann.email)
    office.answers += ["451 Later"]
    works(mail_world)
    works(mail_world, minutes=29)
    assert len(office.messages) == 2
    for code in codes(office)[1:]:
        assert browser.post("/password/reset", {"code": code, "password": NEW}).status_code == 204

    office.answers += ["451 Later"]
    asked(browser, ann.email)
    works(mail_world)
    works(mail_world, minutes=31)
    assert len(office.messages) == 2


def test_no_link_is_sent_again_after_a_final_refusal_or_at_once(mail_world: World, office: PostOffice) -> None:
    somebody(mail_world, "nobody@example.org")
    ann, browser = somebody(mail_world, "ann@example.org"), Browser(mail_world)
    for email in ("nobody@example.org", ann.email):
        asked(browser, email)
    office.answers += ["451 Later"]
    mailer = Mailer(mail_world.settings, mail_world.books, mail_world.time.clock())
    for seconds, waiting in ((0, 1), (59, 1), (1, 0)):
        mail_world.time.now += timedelta(seconds=seconds)
        mailer.turn()
        mailer.finish()
        with mail_world.books.reading() as db:
            assert db.value("SELECT COUNT(*) FROM password_requests") == waiting

    assert [letter["To"] for letter in office.messages] == [ann.email]


@pytest.mark.any_database
def test_without_e_mail_nobody_can_ask(world: World, me: Client) -> None:
    browser = Browser(world)

    assert asked(browser, me.user.email)[0] == 409
    assert browser.get("/providers").json()["data"]["password_by_mail"] is False
    assert errors(browser.post("/password/reset", {})).keys() == {"code", "password"}
