"""One of several processes that write at once: two clients that record, rewrite and erase at random.

Started by test_parallel_writers.py: reads its orders as one line of JSON, says `ready`, waits for a line, works, and
prints what it committed as JSON lines: the revision of each write, so that all writes have one order.
"""

import json
import random
import sys
import threading
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from farthing.books.bookkeeping import record
from farthing.identity import users
from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Type
from farthing.storage.unit import Database, Unit

from ..builders import AT, EUR, JPY, USD

CURRENCIES = {currency.code: currency for currency in (EUR, USD, JPY)}
CLIENTS = 2
_FIRST_DAY = date(2023, 11, 1)
_DAYS = 150


@dataclass(frozen=True)
class Orders:
    """Accounts of each user are pairs of id and currency code."""

    url: str
    seed: int
    operations: int
    users: dict[str, list[tuple[int, str]]]


def connect(url: str) -> Database:
    if url.startswith("sqlite:///"):
        from farthing.storage.drivers.sqlite import SqliteDatabase

        return SqliteDatabase(Path(url.removeprefix("sqlite:///")))
    from farthing.storage.drivers.postgres.database import PostgresDatabase

    return PostgresDatabase(url, CLIENTS)


def drawn(chance: random.Random, accounts: list[tuple[int, str]]) -> dict[str, Any]:
    """An entry as plain data: it goes into the log, and `entry_of` makes it again."""
    return {
        "type": chance.randint(1, 3),
        "on": (_FIRST_DAY + timedelta(days=chance.randrange(_DAYS))).isoformat(),
        "splits": [_drawn_split(chance, accounts) for _ in range(chance.randint(1, 3))],
    }


def _drawn_split(chance: random.Random, accounts: list[tuple[int, str]]) -> list[Any]:
    source, destination = chance.sample(accounts, 2)
    foreign = [chance.randint(1, 10**6), chance.choice(list(CURRENCIES))] if chance.random() < 0.5 else None
    return [source, destination, [chance.randint(1, 10**6), chance.choice([source[1], "EUR"])], foreign]


def entry_of(drawn: dict[str, Any]) -> Entry:
    splits = (
        Split(_party(source), _party(destination), _money(amount), _money(foreign) if foreign else None)
        for source, destination, amount, foreign in drawn["splits"]
    )
    return Entry(Type(drawn["type"]), date.fromisoformat(drawn["on"]), "at once", tuple(splits))


def _party(account: tuple[int, str]) -> Party:
    return Party(account[0], CURRENCIES[account[1]])


def _money(amount: tuple[int, str]) -> Money:
    return Money(amount[0], CURRENCIES[amount[1]])


def one_write(database: Database, user_id: int, chance: random.Random, accounts: list[tuple[int, str]]) -> Any:
    """Somebody's next write, as it was committed; any client may change what any other has made."""
    fresh = drawn(chance, accounts)
    with database.writing() as db:
        users.take(db, user_id, token_id=None, now=AT, doing="test")
        assert db.author is not None
        existing = _any_entry(db, user_id, chance)
        what = chance.choice(["record", "record", "rewrite", "erase"]) if existing else "record"
        if what == "record":
            existing = record.record(db, user_id, entry_of(fresh), AT, amount_field="amount")
        elif what == "rewrite":
            record.rewrite(db, user_id, existing, entry_of(fresh), AT, amount_field="amount")
        else:
            record.erase(db, user_id, [existing])
        return {"user": user_id, "revision": db.author.revision, "what": what, "id": existing, "entry": fresh}


def _any_entry(db: Unit, user_id: int, chance: random.Random) -> int:
    newest = db.value("SELECT MAX(id) FROM entries WHERE user_id = :user_id", user_id=user_id) or 0
    sql = "SELECT id FROM entries WHERE user_id = :user_id AND id >= :id ORDER BY id LIMIT 1"
    return int(db.value(sql, user_id=user_id, id=chance.randint(0, newest)) or 0)


def client(database: Database, orders: Orders, number: int, log: list[Any], errors: list[str]) -> None:
    chance = random.Random(f"{orders.seed} {number}")
    try:
        for _ in range(orders.operations):
            user_id = chance.choice(list(orders.users))
            log.append(one_write(database, int(user_id), chance, orders.users[user_id]))
    except Exception as error:
        errors.append(repr(error))
        raise


def main() -> int:
    orders = Orders(**json.loads(sys.stdin.readline()))
    database = connect(orders.url)
    log: list[Any] = []
    errors: list[str] = []
    threads = [
        threading.Thread(target=client, args=(database, orders, number, log, errors)) for number in range(CLIENTS)
    ]
    say("ready")
    sys.stdin.readline()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for done in log:
        say(json.dumps(done))
    return 1 if errors else 0


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
