"""Enters the story into the books, in batches, through the same code as the API."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from farthing.api.v1.accounts import wire as account_wire
from farthing.api.v1.transactions import bulk as bulk_body
from farthing.books.accounts import store as accounts
from farthing.books.bookkeeping import lookup
from farthing.books.currencies.choose import choose
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle import transactions as bulk
from farthing.identity.user import User
from farthing.kernel.config import Settings
from farthing.kernel.errors import Conflict, refuse
from farthing.ledger.kinds import SHOWN
from farthing.storage.unit import Database, Unit

from . import extras
from .bodies import body
from .calls import Body, DemoUser
from .promises import standing_order
from .story.days import month_back
from .story.scene import Move
from .story.story import Story

# Small enough that a running server never waits long for the write lock.
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
    demo, order = DemoUser(database, user, settings, today, now), standing_order(story, today)
    progress("opening the accounts")
    with demo.calls() as calls:
        refuse_data(calls.db, user)
        for account in story.accounts:
            _open(calls.db, user.id, account.body, today, now)
    progress("writing down bills and budgets")
    lease_of = extras.add_bills_and_budgets(demo, story)
    booked = _book(demo, [move for move in story.moves if move not in order.moves], progress)
    progress("putting aside, standing orders, receipts")
    extras.add_savings(demo, story, order)
    extras.add_attachments(demo, booked, lease_of)


def _book(demo: DemoUser, moves: Sequence[Move], progress: Callable[[str], None]) -> list[tuple[Move, int]]:
    """Returns each move with the id of its transaction."""
    booked: list[tuple[Move, int]] = []
    for first, batch in _batches(moves):
        progress(f"{batch[0].on}, {first} of {len(moves)} transactions")
        bodies = [body(move, reconciled_before=month_back(demo.today, 1)) for move in batch]
        with demo.calls() as calls:
            booked += zip(batch, _record(calls.db, demo.user.id, bodies, demo.now), strict=True)
    return booked


def refuse_data(db: Unit, user: User) -> None:
    """Every transaction needs an account, so a user with only the cash account has no data."""
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
    account_wire.check(parsed, None, today)
    draft = account_wire.draft(parsed, None, choose(db, parsed))
    lifecycle.add(db, user_id, draft, now)


def _record(db: Unit, user_id: int, batch: Sequence[Body], now: str) -> list[int]:
    """Does the same as POST /api/v1/transactions/bulk: all or nothing."""
    parsed = bulk_body.read({"transactions": list(batch)})
    facts = lookup.load(db, user_id, parsed.values.transactions or ())
    sent = bulk_body.compose_all(parsed, facts)
    refuse([*parsed.problems, *(problem for transaction in sent for problem in transaction.problems)])
    results = bulk.record_each(db, user_id, facts, sent, now)
    refuse(problem for result in results for problem in result.problems)
    return [result.entry_id for result in results if result.entry_id]
