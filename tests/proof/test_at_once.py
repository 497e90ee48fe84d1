"""Eight clients do everything at once, over HTTP, on two workers: nothing is lost, doubled, half done or misread."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from farthing.books.accounts import store as accounts
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.identity import tokens
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Database

from ..builders import AT
from ..cli.conftest import Terminal
from ..conftest import migrated
from ..length import LONG, databases
from .books import CASH, Account, Books
from .clients import CLIENTS, Person, everyone_at_once, first_accounts, last_questions
from .replay import in_order, replay, settle
from .requests import WRITES

OPERATIONS = 500 if LONG else 60
SEEDS = range(3) if LONG else range(1)
USERS = [1, 2] if LONG else [2]  # two share the database, and four clients the books of each


@pytest.mark.long
@pytest.mark.parametrize("dialect", databases("postgresql"), indirect=True)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("count", USERS, ids="{} users".format)
def test_whatever_eight_clients_do_at_once_could_have_been_done_one_by_one(tmp_path, new_database_url, count, seed):
    seed = seed * 10 + count
    print(f"the seed is {seed}")  # noqa: T201 -- shown when it fails
    with migrated(new_database_url, tmp_path / "data") as database:
        people = [a_person(database, f"user{number}@farthing.example") for number in range(count)]
        at_once = Terminal(tmp_path, new_database_url)
        with at_once.serving("--workers", "2", **the_clock(tmp_path)) as server:
            for person in people:
                first_accounts(server.port, person)
            everyone_at_once(server.port, people, seed, OPERATIONS)
            everybodys = [replayed(database, person) for person in people]
            for person, books in zip(people, everybodys, strict=True):
                for question in last_questions(random.Random(seed), person.made):
                    settle(books, person.ask(server.port, 0, question))
            assert server.stop() == 0

    assert_everything_was_tried(people)
    assert at_once.says("doctor").startswith("No problems")


def a_person(database: Database, email: str) -> Person:
    with database.writing() as db:
        user = user_lifecycle.add(db, email, "no password", "UTC", AT)
        issued = [tokens.issue(db, user.id, f"client {client}", None, AT) for client in range(CLIENTS)]
    return Person(user.id, issued)


def the_clock(folder: Path) -> dict[str, str]:
    """It stands still: what is future stays future, and midnight never comes."""
    (folder / "clock").write_text(AT)
    return {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(folder / "clock"), "FARTHING_LOG_LEVEL": "warning"}


def replayed(database: Database, person: Person) -> Books:
    """All that was acknowledged, in plain books."""
    books = Books()
    with database.reading() as db:
        clients = {token.id: int(token.name.split()[1]) for token in tokens.of_user(db, person.id)}
        rows = db.all("SELECT DISTINCT revision, token_id FROM changes WHERE user_id = :id", id=person.id)
        _, [cash] = accounts.page(db, person.id, frozenset({Kind.CASH}), limit=1, offset=0)
    books.put_account(Account(cash.id, CASH, cash.name, cash.currency.code))
    revisions = [(revision, clients[token_id]) for revision, token_id in rows if token_id]
    assert len({revision for revision, _ in revisions}) == len(revisions), "two writes share a revision"

    replay(books, in_order(person.log, revisions), [one for one in person.log if not one.committed])

    return books


def assert_everything_was_tried(people: Sequence[Person]) -> None:
    done = Counter(one.request.what for person in people for one in person.log if one.committed)
    assert set(done) == set(WRITES)
