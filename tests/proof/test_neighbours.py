"""One user's heavy work does not stop the others: small writes go on beside a long bulk and a rule job."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from farthing.books.rules.model import RuleEvent
from farthing.storage.unit import Database

from ..cli.conftest import Terminal
from ..conftest import migrated
from ..length import LONG, databases
from ..rules.making import add_many_rules
from .clients import Person, first_accounts
from .requests import Answered, Request
from .test_at_once import a_person, the_clock
from .test_killed import until

BULK = 1000 if LONG else 500
# So many that running them on the bulk takes several times as long as storing it.
RULES, TRIGGERS = 40, 100
# Beside a thousand some 25 to 90 on two cores; one or two if small writes had to wait for the interpreter or the loop.
WITHIN_MIN = 5


@pytest.mark.long
@pytest.mark.parametrize("dialect", databases(short="sqlite"), indirect=True)
def test_a_neighbour_writes_on_while_a_long_bulk_and_a_rule_job_run(tmp_path, new_database_url):
    with migrated(new_database_url, tmp_path / "data") as database, ThreadPoolExecutor(1) as pool:
        ann, ben, cleo = (a_person(database, f"{name}@farthing.example") for name in ("ann", "ben", "cleo"))
        with Terminal(tmp_path, new_database_url).serving(**the_clock(tmp_path)) as server:
            for person in (ann, ben, cleo):
                first_accounts(server.port, person)
            ben.ask(server.port, 0, bulk_of(ben))
            add_many_rules(database, ann.id, RuleEvent.STORE, count=RULES, triggers=TRIGGERS)
            [rule_id] = add_many_rules(database, ben.id, RuleEvent.STORE, count=1, triggers=1)
            before = revision_of(database, ben)

            job = ben.ask(server.port, 0, run_of(rule_id))
            until(lambda: revision_of(database, ben) > before + 1, "the job did not begin")
            heavy = pool.submit(ann.ask, server.port, 0, bulk_of(ann))
            seen = list(write_beside(heavy, server.port, cleo, database, ben))
            until(lambda: has_ended(database, ben), "the job did not end")
            assert is_changed(server.port, ben)
            assert server.stop() == 0

    assert (job.status, heavy.result().status, {one.status for one, _ in seen}) == (202, 200, {200})
    assert_interleaved([one for one, _ in seen], heavy.result())
    # The job has committed between the neighbour's commits, and the other way round.
    assert len({revision for _, revision in seen}) > 2
    assert Terminal(tmp_path, new_database_url).says("doctor").startswith("No problems")


def bulk_of(person: Person) -> Request:
    return Request("record many", "POST", "/transactions/bulk", body={"transactions": [withdrawal(person)] * BULK})


def withdrawal(person: Person) -> dict[str, Any]:
    split = {"amount": "1.50", "currency_code": "EUR", "source_id": min(person.made.accounts)}
    return {
        "type": "withdrawal", "date": "2024-05-10", "description": "Bread",
        "transactions": [{**split, "destination_name": "Baker"}],
    }  # fmt: skip


def run_of(rule_id: int) -> Request:
    return Request("run", "POST", f"/rules/{rule_id}/trigger", {"start": "2024-01-01", "end": "2024-12-31"})


def write_beside(
    heavy: "Future[Answered]", port: int, cleo: Person, database: Database, ben: Person
) -> Iterator[tuple[Answered, int]]:
    """Small writes until the heavy one is answered; with each, how far the rule job was."""
    while not heavy.done():
        answered = cleo.ask(port, 0, Request("record", "POST", "/transactions", body=withdrawal(cleo)))
        yield answered, revision_of(database, ben)


def revision_of(database: Database, person: Person) -> int:
    with database.reading() as db:
        return int(db.value("SELECT revision FROM users WHERE id = :id", id=person.id))


def has_ended(database: Database, person: Person) -> bool:
    """Asked of the database: a list of all transactions, again and again, would slow down what is waited for."""
    with database.reading() as db:
        waiting = "SELECT COUNT(*) FROM jobs WHERE user_id = :id AND finished_at IS NULL"
        return int(db.value(waiting, id=person.id)) == 0


def is_changed(port: int, ben: Person) -> bool:
    listed = ben.ask(port, 0, Request("list", "GET", "/transactions", {"limit": str(BULK)})).answer["data"]
    return {one["attributes"]["category_name"] for one in listed} == {"Category 0"}


def assert_interleaved(writes: list[Answered], heavy: Answered) -> None:
    """In the middle of the heavy request, where its rules run, small ones begin and end: they wait for its end only
    while it stores what the rules have made.
    """
    quarter = (heavy.ended - heavy.began) / 4
    within = [one for one in writes if one.began > heavy.began + quarter and one.ended < heavy.ended - quarter]
    assert len(within) >= WITHIN_MIN, [(one.began - heavy.began, one.ended - heavy.began) for one in writes]
