"""Enters the story into the books in batches, using the handlers of the API."""

from collections.abc import Callable, Sequence
from datetime import date

from farthing.api.v1.accounts import routes as account_routes
from farthing.api.v1.transactions import routes as transactions
from farthing.books.accounts import store as accounts
from farthing.identity.user import User
from farthing.kernel.config import Settings
from farthing.kernel.errors import Conflict
from farthing.kernel.money import as_text
from farthing.ledger.kinds import SHOWN
from farthing.storage.unit import Database, Unit

from . import papers, plans
from .calls import Body, DemoUser, attach, send
from .scene import CARD, CURRENT, Move, month_back
from .story import Story

# Small enough that a running server never waits long for the write lock.
BATCH = 100
_ATTACHMENTS_EACH = 3


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
    """Enters the whole story. Refuses a user who already has data. Each batch is a unit of work.

    Bills are created before transactions, so that the transactions are matched with them.
    """
    demo, ordered = DemoUser(database, user, settings, today, now), plans.find_ordered(story, today)
    progress("opening the accounts")
    with demo.calling() as call:
        refuse_data(call.db, user)
        for account in story.accounts:
            send(call, account_routes.ACCOUNTS.create_one, account.body)
    progress("writing down bills and budgets")
    with demo.calling() as call:
        plans.choose_holidays(call)
        plans.add_rates(call, story)
        rent_id = plans.add_bills(call, story)
    plans.add_budgets(demo, story)
    booked = _book(demo, [move for move in story.moves if move not in ordered], progress)
    progress("putting aside, standing orders, receipts")
    plans.add_savings(demo, story, ordered)
    _attach(demo, booked, rent_id)


def refuse_data(db: Unit, user: User) -> None:
    """Refuses a user who has data. A user with only the cash account has no data: transactions need another account."""
    total, _ = accounts.page(db, user.id, SHOWN, limit=1, offset=0)
    if total > 1:
        raise Conflict(
            f"{user.email} already has data ({total} accounts), but the demo needs a user without data: "
            "choose another user with --email"
        )


def _book(demo: DemoUser, moves: Sequence[Move], progress: Callable[[str], None]) -> list[tuple[Move, int]]:
    """Creates the transactions in batches, and returns each move with the id of its transaction."""
    booked: list[tuple[Move, int]] = []
    for first in range(0, len(moves), BATCH):
        batch = moves[first : first + BATCH]
        progress(f"{batch[0].on}, {first} of {len(moves)} transactions")
        bodies = [make_body(move, reconciled_before=month_back(demo.today, 1)) for move in batch]
        with demo.calling() as call:
            results = send(call, transactions.create_many, {"transactions": bodies})
        booked += zip(batch, (result.data[0].attributes.journal_id for result in results), strict=True)
    return booked


def make_body(move: Move, *, reconciled_before: date) -> Body:
    """Makes a request body. Transactions of the current account and the card are marked as reconciled if they are
    dated before `reconciled_before`.
    """
    reconciled = move.on < reconciled_before and not {CURRENT, CARD}.isdisjoint((move.source, move.destination))
    shared: Body = {"currency_code": move.currency, "reconciled": reconciled}
    shared |= {"source_name": move.source, "destination_name": move.destination}
    if move.foreign_code:
        shared |= {"foreign_amount": as_text(move.foreign_cents, 2), "foreign_currency_code": move.foreign_code}
    splits = [
        {"amount": as_text(part.cents, 2), "category_name": part.category, "budget_name": part.budget, **shared}
        | {"description": part.about}
        for part in move.parts
    ]
    about: Body = {"description": move.about, "notes": move.notes, "tags": list(move.tags)}
    if move.reference:
        about |= {"invoice_date": move.invoiced_on.isoformat(), "due_date": move.on.isoformat()}
        about |= {"internal_reference": move.reference}
    return {"type": move.type, "date": move.on.isoformat(), **about, "transactions": splits}


def _attach(demo: DemoUser, booked: Sequence[tuple[Move, int]], rent_id: int) -> None:
    """Attaches the latest invoices and receipts, and the lease."""
    paid = [(move, entry_id) for move, entry_id in reversed(booked) if move.reference and move.type == "withdrawal"]
    shops = [(move, entry_id) for move, entry_id in reversed(booked) if move.about == "Weekly shop"]
    with demo.calling() as call:
        for move, entry_id in paid[:_ATTACHMENTS_EACH]:
            name, title = f"{move.reference}.pdf", f"Invoice of {move.destination}"
            attach(call, papers.invoice(move), "TransactionJournal", entry_id, name, title)
        for move, entry_id in shops[:_ATTACHMENTS_EACH]:
            name = f"receipt-{move.on}.png"
            attach(call, papers.receipt(move), "TransactionJournal", entry_id, name, "Till receipt")
        attach(call, papers.lease(), "Bill", rent_id, "lease.pdf", "Lease")
