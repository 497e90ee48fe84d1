"""Does a request cost more when there are more users, or more workers?

    python -m bench.crowd [--users 10000] [--rounds 5] [--seconds 2] [--workers 1,2,4,6] [--no-postgres]

Users: CPU per request of one server whose database has ten users, and of one with many, who take turns; also ten of the
many, which tells what the number of rows costs from what it costs to read rows that are in no cache. Workers: CPU per
request by number of workers, against the bare app with the same number.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median

import msgspec
import psycopg
from msgspec import Struct

from farthing.books.accounts.model import AccountDraft
from farthing.books.bookkeeping import record
from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.identity import tokens, users
from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Kind, Type
from farthing.storage import migrations
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.unit import Unit

from . import postgres
from .bare import answer_of
from .books import CREATED_AT, LAST_DAY
from .driver import Endpoint, ask, burst
from .lines import withdrawal
from .processes import Server, bare, cpu_ns, family, family_cpu_ns, farthing

FEW = 10
LIMIT = 1.15
_TRANSACTIONS = 20
_AT_ONCE = 20


class Member(Struct, frozen=True):
    token: str
    account_id: int
    payee_id: int


# The lines that are measured, by name: the method, the path and whether there is a body.
LINES = {"one account": "GET", "page of 20 transactions": "GET", "create a transaction": "POST"}


def request(endpoint: Endpoint, line: str, who: Member) -> bytes:
    one = Endpoint(endpoint.host, endpoint.port, who.token)
    if line == "one account":
        return one.request("GET", f"/api/v1/accounts/{who.account_id}")
    if line == "page of 20 transactions":
        return one.request("GET", "/api/v1/transactions")
    body = withdrawal(day=str(LAST_DAY), amount="2.50", source_id=who.account_id, destination_id=who.payee_id)
    return one.request("POST", "/api/v1/transactions", body)


def fill(path: Path, number: int) -> list[Member]:
    database = SqliteDatabase(path)
    migrations.ensure_current(database)
    database.connection().execute("PRAGMA synchronous = OFF")
    members: list[Member] = []
    numbers = count(1)
    while len(members) < number:
        with database.writing() as db:
            some = islice(numbers, min(_AT_ONCE, number - len(members)))
            members += [settle(db, f"user{one}@farthing.example") for one in some]
    database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return members


def settle(db: Unit, email: str) -> Member:
    """A user with a bank, a shop, and a few transactions between them."""
    euro = currencies.by_code(db, "EUR")
    assert euro
    user_id = user_lifecycle.add(db, email, "no password", "UTC", CREATED_AT).id
    users.take(db, user_id, token_id=None, now=CREATED_AT, doing="bench")
    bank, shop = (
        Party(
            lifecycle.add(
                db,
                user_id,
                AccountDraft(kind=kind, name=kind.value, active=True, include_net_worth=True, currency=euro),
                CREATED_AT,
            ),
            euro,
        )
        for kind in (Kind.ASSET, Kind.EXPENSE)
    )
    split = Split(source=bank, destination=shop, amount=Money(2545, euro))
    days = [LAST_DAY - timedelta(days=day) for day in range(_TRANSACTIONS)]
    entries = [Entry(type=Type.WITHDRAWAL, on=day, description="Weekly shopping", splits=(split,)) for day in days]
    record.record_all(db, user_id, entries, CREATED_AT)
    token = tokens.issue(db, user_id, "bench", None, CREATED_AT)
    return Member(token=token, account_id=bank.id, payee_id=shop.id)


class Subject:
    """A server, and the users who take turns on it."""

    def __init__(self, server: Server, members: list[Member], database_clock: int | None) -> None:
        self._server = server
        self._turns = cycle(members)
        self.number = len(members)
        self._clocks = family(server.process.pid)
        self._postmaster = database_clock

    def cpu_us(self, line: str, seconds: float, requests: int = 0) -> float:
        """Until both the time is over and so many were answered."""
        before, answered = self._cpu_ns(), 0
        while answered <= requests:
            answered += len(burst(self._server.endpoint, self._requests(line), seconds).latencies_ns)
        return (self._cpu_ns() - before) / answered / 1e3

    def _requests(self, line: str) -> Iterator[bytes]:
        return (request(self._server.endpoint, line, who) for who in self._turns)

    def _cpu_ns(self) -> int:
        database = family_cpu_ns(self._postmaster) if self._postmaster else 0
        return sum(map(cpu_ns, self._clocks)) + database


def _take_turns(subjects: dict[str, Subject], line: str, rounds: int, seconds: float) -> dict[str, float]:
    """The median of the rounds; the first only warms up."""
    found: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(rounds + 1):
        for name, subject in subjects.items():
            used = subject.cpu_us(line, seconds)
            if number:
                found[name].append(used)
    return {name: median(values) for name, values in found.items()}


def measure_users(
    kind: str, made: dict[int, tuple[str, list[Member]]], plan: argparse.Namespace, clock: int | None
) -> None:
    few, many = min(made), max(made)
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        servers = {
            number: stack.enter_context(farthing(url, Path(folder) / str(number), token=members[0].token))
            for number, (url, members) in made.items()
        }
        subjects = {
            f"{few} of {few}": Subject(servers[few], made[few][1], clock),
            f"{few} of {many}": Subject(servers[many], made[many][1][:few], clock),
            f"{many} of {many}": Subject(servers[many], made[many][1], clock),
        }
        # Whoever comes for the first time in five minutes also has that written down.
        first = {
            name: subject.cpu_us("one account", plan.seconds, subject.number) for name, subject in subjects.items()
        }
        print(f"{kind}, the first request of each: {', '.join(f'{name} {us:.0f} µs' for name, us in first.items())}")
        for line in LINES:
            found = _take_turns(subjects, line, plan.rounds, plan.seconds)
            base = found[f"{few} of {few}"]
            told = ", ".join(f"{name} {value:.0f} µs ({value / base:.2f})" for name, value in found.items())
            print(f"{kind}, {line}: {told}; limit {LIMIT}", flush=True)


def measure_workers(kind: str, url: str, members: list[Member], plan: argparse.Namespace, clock: int | None) -> None:
    line = "one account"
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        subjects: dict[str, Subject] = {}
        for number in plan.workers:
            at = Path(folder) / f"{number}"
            server = stack.enter_context(farthing(url, at, token=members[0].token, workers=number))
            subjects[f"farthing {number}"] = Subject(server, members[:1], clock)
            answers = at / "answers"
            asked = request(server.endpoint, line, members[0])
            path = f"GET /api/v1/accounts/{members[0].account_id}?"
            known = {path: answer_of(ask(server.endpoint, asked))}
            known["GET /api/v1/preferences?"] = known[path]
            answers.write_bytes(msgspec.msgpack.encode(known))
            floor = stack.enter_context(bare(answers, at / "bare", members[0].token, workers=number))
            subjects[f"bare {number}"] = Subject(floor, members[:1], None)
        found = _take_turns(subjects, line, plan.rounds, plan.seconds)
        first = plan.workers[0]
        for number in plan.workers:
            ours, theirs = found[f"farthing {number}"], found[f"bare {number}"]
            grown = (ours / found[f"farthing {first}"]) / (theirs / found[f"bare {first}"])
            told = f"{ours:.0f} µs, bare {theirs:.0f} µs, against {first}: {grown:.2f}"
            print(f"{kind}, {line}, {number} workers: {told}; limit {LIMIT}", flush=True)
        if clock:
            with psycopg.connect(url) as connection:
                row = connection.execute("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()")
                print(
                    f"{kind}: {row.fetchone()} connections for {sum(plan.workers)} workers and {len(plan.workers)} jobs"
                )


def _read_plan() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--workers", type=lambda text: [int(one) for one in text.split(",")], default=[1, 2, 4, 6])
    parser.add_argument("--no-postgres", action="store_true")
    return parser.parse_args()


def main() -> None:
    plan = _read_plan()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        files = {number: Path(folder) / f"{number}.sqlite3" for number in (FEW, plan.users)}
        members = {number: fill(path, number) for number, path in files.items()}
        made = {number: (f"sqlite:///{path}", members[number]) for number, path in files.items()}
        if not plan.no_postgres:
            _on_postgres(files, members, plan)
        measure_users("sqlite", made, plan, None)
        measure_workers("sqlite", *made[FEW], plan, None)


def _on_postgres(files: dict[int, Path], members: dict[int, list[Member]], plan: argparse.Namespace) -> None:
    running = postgres.start_postgres()
    if running is None:
        return
    try:
        made = {}
        for number, path in files.items():
            url = running.new_database()
            postgres.fill(url, path)
            made[number] = (url, members[number])
        measure_users("postgresql", made, plan, postgres.postmaster(running))
        measure_workers("postgresql", *made[FEW], plan, postgres.postmaster(running))
    finally:
        running.stop()


if __name__ == "__main__":
    main()
