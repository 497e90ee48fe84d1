"""Stores the answers to requests with an idempotency key, in the same unit of work as their effect."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from itertools import groupby, islice
from operator import itemgetter

import msgspec
from msgspec import Struct, structs

from farthing.kernel.clock import shift

from . import quotas, tables
from .quotas import Stored
from .turns import work_off
from .unit import Database, Unit

# Clients are promised 48 hours. The third day is a reserve in case the clock was set while no server was running.
KEPT_FOR = timedelta(days=3)
_AHEAD = timedelta(days=1)
# Both databases compute this from the lengths alone, without reading the texts.
_SIZE = "octet_length(headers) + octet_length(body)"
_EXPIRED = "at <= :old OR at > :ahead"
# Only ten per step, because an answer may contain a thousand transactions. Deleting ten takes a few milliseconds.
_AT_ONCE = 10
_FOUND_AT_ONCE = 5000


class StoredAnswer(Struct, frozen=True):
    """Holds the answer to a request with an idempotency key. `request` is a hash of that request."""

    request: str
    status: int
    headers: list[tuple[str, str]]
    body: str


def ask(db: Unit, user_id: int, key: str, then: Callable[[StoredAnswer], None]) -> None:
    """Calls `then` with the stored answer, if there is one, no matter how old the answer seems.

    The clock may be wrong, and carrying out a request twice is worse than returning an old answer.
    """

    def read(answers: list[StoredAnswer]) -> None:
        for answer in answers:
            then(answer)

    db.ask_structs(
        StoredAnswer,
        "SELECT request, status, headers, body FROM answers WHERE user_id = :user_id AND key = :key",
        read,
        user_id=user_id,
        key=key,
    )


def is_there(db: Unit, user_id: int, key: str) -> bool:
    return tables.has(db, "answers", user_id=user_id, key=key)


def keep(db: Unit, user_id: int, key: str, answer: StoredAnswer, now: str) -> None:
    """Stores an answer. Raises OverQuota if the user has no room left for answers."""
    headers = msgspec.json.encode(answer.headers).decode()
    quotas.add(db, user_id, Stored.ANSWERS, len(headers.encode()) + len(answer.body.encode()))
    values = structs.asdict(answer) | {"headers": headers}
    tables.add(db, "answers", user_id=user_id, key=key, at=now, **values)


def forget_old(database: Database, now: str, steady_since: str) -> None:
    """Deletes the expired answers of all users. The search holds no lock, because it reads the whole table.

    `steady_since` is when the clock was last set. Nothing is deleted until the clock has run undisturbed for as long as
    answers are kept: only then are all timestamps within that period correct, and any other timestamp belongs to an
    older answer.
    """
    expired = {"old": shift(now, -KEPT_FOR), "ahead": shift(now, _AHEAD)}
    if steady_since > expired["old"]:
        return
    query = f"SELECT user_id, key FROM answers WHERE {_EXPIRED} ORDER BY user_id LIMIT {_FOUND_AT_ONCE}"
    while True:
        with database.reading() as db:
            rows = db.all(query, **expired)
        if not rows:
            return
        for user_id, of_user in groupby(rows, itemgetter(0)):
            keys = iter([key for _, key in of_user])
            work_off(database, partial(_forget_some, user_id, keys))


def _forget_some(user_id: int, keys: Iterator[str], db: Unit) -> int:
    """Deletes a few answers of one user, whose row is locked because the sum of their stored bytes changes."""
    some = list(islice(keys, _AT_ONCE))
    if some:
        quotas.hold(db, user_id)
        which = "user_id = :user_id AND key IN :keys"
        freed = db.value(f"SELECT COALESCE(SUM({_SIZE}), 0) FROM answers WHERE {which}", user_id=user_id, keys=some)
        db.run(f"DELETE FROM answers WHERE {which}", user_id=user_id, keys=some)
        quotas.free(db, user_id, Stored.ANSWERS, int(freed))
    return len(some)
