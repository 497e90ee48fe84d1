"""How does the story get into the books? As a client's bodies would, batch by batch, through the same code."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from ..accounts import lifecycle
from ..accounts import store as accounts
from ..accounts import wire as account_wire
from ..config import Settings
from ..currencies.choose import chosen
from ..errors import Conflict, refuse
from ..ledger.kinds import SHOWN
from ..storage.unit import Database, Unit
from ..transactions import bulk, known
from ..users.model import User
from . import furnish
from .bodies import body
from .days import month_back
from .desk import Body, Desk
from .promises import standing_order
from .scene import Move
from .story import Story

# Small enough that a server beside us never waits long for its turn to write.
BATCH = 100


def fill(
    database: Database,
    user: User,
    story: Story,
    settings: Settings,
    *,
    today: date,
    now: str,
    progress: Callable[[str], None],
) -> None:
    """Refuses a user who has data; each batch is a unit of work."""
    desk, order = Desk(database, user, settings, today, now), standing_order(story, today)
    progress("opening the accounts")
    with desk.open() as clerk:
        refuse_data(clerk.db, user)
        for account in story.accounts:
            _open(clerk.db, user.id, account.body, today, now)
    progress("writing down bills and budgets")
    lease_of = furnish.expectations(desk, story)
    booked = _book(desk, [move for move in story.moves if move not in order.moves], progress)
    progress("putting aside, standing orders, receipts")
    furnish.savings(desk, story, order)
    furnish.papers(desk, booked, lease_of)


def _book(desk: Desk, moves: Sequence[Move], progress: Callable[[str], None]) -> list[tuple[Move, int]]:
    """Each move with the id of its transaction."""
    booked: list[tuple[Move, int]] = []
    for first, batch in _batches(moves):
        progress(f"{batch[0].on}, {first} of {len(moves)} transactions")
        bodies = [body(move, reconciled_before=month_back(desk.today, 1)) for move in batch]
        with desk.open() as clerk:
            booked += zip(batch, _record(clerk.db, desk.user.id, bodies, desk.now), strict=True)
    return booked


def refuse_data(db: Unit, user: User) -> None:
    """No transaction is without an account of one's own: whoever has only the cash account has nothing."""
    total, _ = accounts.page(db, user.id, SHOWN, limit=1, offset=0)
    if total > 1:
        raise Conflict(
            f"{user.email} has data already ({total} accounts), and the demo wants a user without any: "
            "name another with --email"
        )


def _batches(moves: Sequence[Move]) -> Iterator[tuple[int, Sequence[Move]]]:
    for first in range(0, len(moves), BATCH):
        yield first, moves[first : first + BATCH]


def _open(db: Unit, user_id: int, sent: Body, today: date, now: str) -> None:
    parsed = account_wire.read(sent, None)
    problems = [*parsed.problems, *account_wire.problems(parsed, None, today)]
    draft = account_wire.draft(parsed, None, chosen(db, parsed, problems), problems)
    refuse(problems)
    assert draft is not None, "without problems there is a draft"
    lifecycle.open_account(db, user_id, draft, now)


def _record(db: Unit, user_id: int, batch: Sequence[Body], now: str) -> list[int]:
    """The walk of POST /api/v1/transactions/bulk: all or nothing."""
    parsed = bulk.read({"transactions": list(batch)})
    facts = known.load(db, user_id, parsed.values.transactions or ())
    sent, problems = bulk.composed_all(parsed, facts)
    refuse([*problems, *(problem for one in sent for problem in one.problems)])
    results = bulk.record_each(db, user_id, facts, sent, now)
    refuse(problem for result in results for problem in result.problems)
    return [result.entry_id for result in results if result.entry_id]
