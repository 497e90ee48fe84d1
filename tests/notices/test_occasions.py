"""Each occasion has one notice, however often and by how many processes the books are searched."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta

import pytest

from farthing.books.recurrences import store as recurrences
from farthing.identity import audit
from farthing.identity.audit import AuditSource, Event
from farthing.jobs.noticing import Noticer
from farthing.kernel.clock import stamp
from farthing.storage import installation
from farthing.storage.installation import BACKUP, BOOKS, RATES, Checkup
from farthing.storage.unit import Database, Unit

from ..bills.making import a_bill, paid, stored
from ..conftest import Client, World
from ..http.makers import a_budget
from ..moving.import_jobs.making import a_csv, an_account, imported
from ..recurrences.making import a_recurrence
from ..recurrences.making import stored as stored_recurrence
from ..transactions.making import asset, deposit, made, posted, withdrawal
from .making import all_read, chosen, looked, unread

# Everybody is called at noon on 15 May 2024.


@pytest.fixture
def me(new_world: World) -> Client:
    """The owner, in whose books nothing has happened yet when the first search finds nothing."""
    owner = new_world.someone()
    assert looked(new_world, owner) == []
    return owner


@pytest.fixture
def checking(me: Client) -> str:
    return made(me, asset())


def test_a_bill_is_announced_before_its_day_and_again_when_it_is_overdue(new_world: World, me: Client):
    stored(me, a_bill(date="2024-01-20"))
    stored(me, a_bill(name="Of the past", match="past", date="2024-01-14"))

    before = looked(new_world, me, days=1)
    on_17th = looked(new_world, me, days=1)
    on_21st = looked(new_world, me, days=4)

    assert (before, on_17th) == ([], [("bill_due", "Rent", "2024-05-20")])
    assert on_21st == [*on_17th, ("bill_overdue", "Rent", "2024-05-20")]
    assert looked(new_world, me) == on_21st
    [due, _] = unread(me)
    assert (due["object_kind"], due["limit"]["amount"], due["highest"]["amount"]) == ("bills", 795, 855.5)


def test_a_payment_outside_the_range_of_its_bill(new_world: World, me: Client, checking: str):
    bill = stored(me, a_bill(date="2024-05-14"))
    for on, amount in (("2024-05-14", "900"), ("2024-01-14", "950")):
        paid(me, checking, on, amount, bill_id=bill["id"])
    paid(me, checking, "2024-05-14", "800")

    assert looked(new_world, me) == [("bill_outside_range", "Rent", "2024-05-14")]
    [notice] = unread(me)
    assert (notice["amount"]["amount"], notice["highest"]["amount"]) == (900, 855.5)


def test_a_budget_is_announced_at_eighty_and_at_a_hundred_percent(new_world: World, me: Client, checking: str):
    budget = a_budget(me)
    limit = {"start_date": "2024-05-01", "end_date": "2024-05-31", "budget_id": budget, "amount": "100"}
    assert me.post("/budget_limits", limit).status_code == 200
    seen = []
    for amount in ("79.99", "0.01", "19.99", "0.01", "50"):
        body = withdrawal(checking, amount)
        body["transactions"][0]["budget_id"] = budget
        posted(me, body)
        seen.append([kind for kind, _, _ in looked(new_world, me)])

    nearly, spent = ["budget_nearly_spent"], ["budget_nearly_spent", "budget_spent"]
    assert seen == [[], nearly, nearly, spent, spent]


def test_a_balance_below_its_line_is_announced_each_time_that_it_falls(new_world: World, me: Client, checking: str):
    chosen(me, lines=[{"account_id": checking, "amount": "-20"}])
    posted(me, withdrawal(checking, "20"))
    assert looked(new_world, me) == []

    seen = []
    for body in (
        withdrawal(checking, "0.01"),
        withdrawal(checking, "5"),
        deposit(checking, "10"),
        withdrawal(checking),
    ):
        posted(me, body)
        seen.append(len(looked(new_world, me, minutes=1)))

    assert seen == [1, 1, 1, 2]
    assert [(one["kind"], one["amount"]["amount"], one["limit"]["amount"]) for one in unread(me)] == [
        ("low_balance", -20.01, -20),
        ("low_balance", -27.51, -20),
    ]


def test_a_large_withdrawal_is_announced_and_an_old_one_is_not(new_world: World, me: Client, checking: str):
    chosen(me, large_withdrawal="500")
    dollars = made(me, asset(currency_code="USD"))
    assert me.post("/exchange_rates", {"from": "USD", "to": "EUR", "date": "2024-05-01", "rate": "0.5"}).is_success
    for on, amount in (("2024-05-14", "500"), ("2024-05-14", "499.99"), ("2024-04-01", "5000"), ("2024-05-20", "800")):
        posted(me, withdrawal(checking, amount, date=on, description=amount))
    for amount in ("1000", "999"):
        body = withdrawal(dollars, amount, description=f"${amount}")
        body["transactions"][0]["currency_code"] = "USD"
        posted(me, body)

    assert [name for _, name, _ in looked(new_world, me)] == ["500", "$1000"]


def test_what_fails_or_finishes_is_announced(new_world: World, me: Client, checking: str):
    recurrence = stored_recurrence(me, a_recurrence(checking))
    imported(new_world, me, a_csv("2024-05-01,Shop,Old,-9000"), account_id=an_account(me))
    with new_world.books.writing() as db:
        recurrences.set_failure(db, me.user.id, int(recurrence["id"]), "The account is closed.")
        for address, is_known in (("192.0.2.1", False), ("192.0.2.1", True), ("192.0.2.2", False)):
            place = AuditSource(address=address, device="Firefox on Linux", is_known=is_known)
            audit.note(db, me.user.id, Event.SIGNED_IN, place, now=stamp(new_world.time.now))

    looked(new_world, me, hours=1)

    assert {(one["kind"], one["object_kind"], one["text"]) for one in unread(me)} == {
        ("recurrence_failed", "recurrences", "The account is closed."),
        ("import_finished", "import_jobs", "done"),
        ("unknown_device", None, "192.0.2.2"),
    }


def test_only_the_owner_learns_what_is_wrong_with_the_installation(new_world: World, me: Client):
    other = new_world.someone()
    looked(new_world, me)
    for _ in range(2):
        at = stamp(new_world.time.now)
        with new_world.books.writing() as db:
            for name in (BACKUP, BOOKS, RATES):
                installation.store_checkup(db, name, Checkup(at=at, problems=2, note="It is full."))
            db.run(
                "INSERT INTO jobs (user_id, kind, subject_id, data, failure, created_at, finished_at)"
                " VALUES (:user_id, 'import', 1, '{}', 'It broke.', :now, :now)",
                user_id=other.user.id,
                now=at,
            )
        looked(new_world, me, hours=2)

    kinds = ["backup_failed", "books_damaged", "rates_failed", "job_failed"]
    assert sorted(one["kind"] for one in unread(me)) == sorted([*kinds, "job_failed"])
    assert unread(other) == []


def test_the_weekly_summary_is_made_only_for_those_who_want_it(new_world: World, me: Client, checking: str):
    chosen(me, channels={"weekly_summary": ["app"], "bill_due": []})
    stored(me, a_bill(date="2024-01-22"))
    posted(me, withdrawal(checking, "30", date="2024-05-14"))
    posted(me, deposit(checking, "100", date="2024-05-12"))
    assert looked(new_world, me) == []

    assert looked(new_world, me, days=5) == [("weekly_summary", "", "2024-05-13")]
    [summary] = unread(me)
    assert [(one["key"], one["amount"], one["date"]) for one in summary["figures"]] == [
        ("spent", -30, None),
        ("earned", 0, None),
        ("net-worth", 70, None),
        ("coming", 855.5, "2024-05-22"),
    ]
    assert looked(new_world, me, days=1) == [("weekly_summary", "", "2024-05-13")]


def test_what_was_already_so_at_the_first_search_is_no_news(new_world: World):
    somebody = new_world.someone()
    stored(somebody, a_bill(date="2024-05-16"))

    assert looked(new_world, somebody) == []
    assert [one["attributes"]["kind"] for one in somebody.get("/notices").json()["data"]] == ["bill_due"]


def test_what_is_wanted_nowhere_is_not_made_and_no_other_kind_is_lost(new_world: World, me: Client, checking: str):
    chosen(me, channels={"bill_due": []}, large_withdrawal="10")
    stored(me, a_bill(date="2024-05-16"))
    posted(me, withdrawal(checking))

    assert [kind for kind, _, _ in looked(new_world, me)] == ["large_withdrawal"]


def test_two_processes_and_a_clock_that_is_set_back_make_no_second_notice(new_world: World, me: Client, checking: str):
    chosen(me, lines=[{"account_id": checking, "amount": "0"}])
    stored(me, a_bill(date="2024-05-16"))
    posted(me, withdrawal(checking))
    slow = Noticer(Overtaken(new_world), new_world.time.clock())  # type: ignore[arg-type]

    assert slow.turn() == 0
    once = looked(new_world, me)
    again = looked(new_world, me, days=-3)

    assert sorted(kind for kind, _, _ in once) == ["bill_due", "low_balance"]
    assert again == once == looked(new_world, me, days=3)


class Overtaken:
    """A database whose every unit of work that writes is overtaken by another job process."""

    def __init__(self, world: World) -> None:
        self.world = world

    def reading(self) -> AbstractContextManager[Unit]:
        return self.world.books.reading()

    @contextmanager
    def writing(self) -> Iterator[Unit]:
        assert Noticer(self.world.books, self.world.time.clock()).turn() > 0
        with self.world.books.writing() as db:
            yield db


def test_books_in_which_nothing_happens_are_searched_once_a_day(new_world: World, me: Client):
    other = new_world.someone()
    stored(other, a_bill(date="2024-05-31"))
    looked(new_world, other)
    statements = Counted(new_world.books)

    Noticer(statements, new_world.time.clock()).turn()  # type: ignore[arg-type]

    assert statements.units == 1
    all_read(other)
    assert looked(new_world, other, days=13) == [("bill_due", "Rent", "2024-05-31")]


class Counted:
    def __init__(self, books: Database) -> None:
        self.books, self.units = books, 0

    def reading(self) -> AbstractContextManager[Unit]:
        self.units += 1
        return self.books.reading()

    writing = reading


def test_new_notices_are_a_change_that_clients_follow(new_world: World, me: Client):
    before = me.get("/revision")
    stored(me, a_bill(date="2024-05-16"))
    looked(new_world, me)

    after = me.get("/revision").json()["data"]["revision"]

    assert after == before.json()["data"]["revision"] + 2
    assert len(looked(new_world, me, seconds=5)) == 1
    assert me.get("/revision").json()["data"]["revision"] == after
    assert len(me.get("/changes").json()["data"]) == 2


def test_busy_books_do_not_keep_others_waiting(new_world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("farthing.jobs.noticing._WORKING_S", -1.0)  # each turn looks in the books of one user
    first, second, new = (new_world.someone() for _ in range(3))
    noticer, seen = Noticer(new_world.books, new_world.time.clock()), []
    for _ in range(4):
        made(first, asset())
        new_world.time.now += timedelta(seconds=5)
        noticer.turn()
        with new_world.books.reading() as db:
            seen.append(db.value("SELECT user_id FROM notice_states ORDER BY looked_at DESC, user_id LIMIT 1"))

    assert seen[:3] == [first.user.id, second.user.id, new.user.id]
    assert seen[3] == first.user.id
