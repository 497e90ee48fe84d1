"""How does the story get into the books? As a client's bodies would, batch by batch, through the same code."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from ..accounts import lifecycle
from ..accounts import store as accounts
from ..accounts import wire as account_wire
from ..currencies.choose import chosen
from ..errors import Conflict, refuse
from ..ledger.kinds import SHOWN
from ..storage.unit import Database, Unit
from ..transactions import bulk, known
from ..users import store as users
from ..users.model import User
from .bodies import body
from .days import month_back
from .story import Story

# Small enough that a server beside us never waits long for its turn to write.
BATCH = 100

Body = dict[str, object]


def fill(
    database: Database, user: User, story: Story, *, today: date, now: str, progress: Callable[[str], None]
) -> None:
    """Refuses a user who has data; each batch is a unit of work."""
    progress("opening the accounts")
    with database.writing() as db:
        users.take(db, user.id, token_id=None, now=now, doing="demo")
        refuse_data(db, user)
        for account in story.accounts:
            _open(db, user.id, account.body, today, now)
    bodies = [body(move, reconciled_before=month_back(today, 1)) for move in story.moves]
    for first, batch in _batches(bodies):
        progress(f"{batch[0]['date']}, {first} of {len(bodies)} transactions")
        with database.writing() as db:
            users.take(db, user.id, token_id=None, now=now, doing="demo")
            _record(db, user.id, batch, now)


def refuse_data(db: Unit, user: User) -> None:
    """No transaction is without an account of one's own: whoever has only the cash account has nothing."""
    total, _ = accounts.page(db, user.id, SHOWN, limit=1, offset=0)
    if total > 1:
        raise Conflict(
            f"{user.email} has data already ({total} accounts), and the demo wants a user without any: "
            "name another with --email"
        )


def _batches(bodies: Sequence[Body]) -> Iterator[tuple[int, Sequence[Body]]]:
    for first in range(0, len(bodies), BATCH):
        yield first, bodies[first : first + BATCH]


def _open(db: Unit, user_id: int, sent: Body, today: date, now: str) -> None:
    parsed = account_wire.read(sent, None)
    problems = [*parsed.problems, *account_wire.problems(parsed, None, today)]
    draft = account_wire.draft(parsed, None, chosen(db, parsed, problems), problems)
    refuse(problems)
    assert draft is not None, "without problems there is a draft"
    lifecycle.open_account(db, user_id, draft, now)


def _record(db: Unit, user_id: int, batch: Sequence[Body], now: str) -> None:
    """The walk of POST /api/v1/transactions/bulk: all or nothing."""
    parsed = bulk.read({"transactions": list(batch)})
    facts = known.load(db, user_id, parsed.values.transactions or ())
    sent, problems = bulk.composed_all(parsed, facts)
    refuse([*problems, *(problem for one in sent for problem in one.problems)])
    results = bulk.record_each(db, user_id, facts, sent, now)
    refuse(problem for result in results for problem in result.problems)
