"""Adds exchange rates, bills, budgets, piggy banks, recurrences and attachments to the demo."""

from collections.abc import Sequence

from farthing.api.v1.available_budgets import routes as available_budgets
from farthing.api.v1.bills import routes as bills
from farthing.api.v1.budget_limits import routes as budget_limits
from farthing.api.v1.budgets import routes as budgets
from farthing.api.v1.exchange_rates import routes as exchange_rates
from farthing.api.v1.piggy_banks import routes as piggy_banks
from farthing.api.v1.preferences import routes as preferences
from farthing.api.v1.recurrences import routes as recurrences
from farthing.books.accounts import store as accounts
from farthing.books.preferences import store as kept_preferences
from farthing.kernel.money import as_text
from farthing.ledger.kinds import ASSETS

from . import papers as drawer
from . import plans, promises
from .desk import Clerk, Desk
from .story.scene import SAVINGS, Move
from .story.story import Story

_COUNTRY = "IE"
_PAPERS_EACH = 3


def expectations(desk: Desk, story: Story) -> int:
    """Called before anything is booked, so that transactions match their bills; returns the id of the rent bill."""
    with desk.open() as clerk:
        _mind_holidays(clerk)
        clerk.hand_in(exchange_rates.import_file, {"file": plans.rates_file(story, desk.today)})
        ids = [clerk.hand_in(bills.create, body) for body in promises.bill_bodies(story, desk.today)]
    planned = plans.planned_cents(story, desk.today)
    for name, cents in planned.items():
        with desk.open() as clerk:
            budget_id = clerk.hand_in(budgets.create, {"name": name, "active": True})
            for body in plans.limit_bodies(cents, desk.today):
                clerk.hand_in(budget_limits.create, body | {"budget_id": budget_id})
    if planned:
        with desk.open() as clerk:
            clerk.hand_in(available_budgets.create, plans.available_body(planned, desk.today))
    return ids[0]


def _mind_holidays(clerk: Clerk) -> None:
    """Keeps a country that was already chosen."""
    kept = kept_preferences.get_named(clerk.db, clerk.caller.id, "holidayCountry")
    if kept and not kept.data:
        clerk.hand_in(preferences.change, {"data": _COUNTRY}, id="holidayCountry")


def savings(desk: Desk, story: Story, order: promises.StandingOrder) -> None:
    """The standing order began some months ago; this fires what has come due since."""
    with desk.open() as clerk:
        account_id = _account(clerk, SAVINGS)
        cushion = clerk.hand_in(piggy_banks.create, plans.cushion_body(account_id, story))
        made = clerk.hand_in(recurrences.create, promises.savings_body(order, cushion), today=order.made_on)
        clerk.hand_in(recurrences.trigger, {}, id=str(made))
        for body in promises.recurrence_bodies(story, desk.today):
            clerk.hand_in(recurrences.create, body)
    sofa = plans.sofa_body(account_id, desk.today)
    amount = plans.sofa_cents(story, order.cents * len(order.moves))
    with desk.open() as clerk:
        sofa_id = clerk.hand_in(piggy_banks.create, sofa | {"current_amount": as_text(amount // 2, 2)})
        clerk.hand_in(piggy_banks.change, sofa | {"current_amount": as_text(amount, 2)}, id=str(sofa_id))


def _account(clerk: Clerk, name: str) -> int:
    _, found = accounts.page(clerk.db, clerk.caller.id, ASSETS, limit=100, offset=0)
    return next(account.id for account in found if account.name == name)


def papers(desk: Desk, booked: Sequence[tuple[Move, int]], lease_of: int) -> None:
    """Attaches the latest invoices and receipts, and the lease."""
    newest = list(reversed(booked))
    invoiced = [one for one in newest if one[0].reference and one[0].type == "withdrawal"][:_PAPERS_EACH]
    shops = [one for one in newest if one[0].about == "Weekly shop"][:_PAPERS_EACH]
    with desk.open() as clerk:
        for move, entry_id in invoiced:
            body = {"filename": f"{move.reference}.pdf", "title": f"Invoice of {move.destination}"}
            clerk.attach(drawer.invoice(move), body | {"model": "TransactionJournal", "model_id": entry_id})
        for move, entry_id in shops:
            body = {"filename": f"receipt-{move.on}.png", "title": "Till receipt"}
            clerk.attach(drawer.receipt(move), body | {"model": "TransactionJournal", "model_id": entry_id})
        lease = drawer.pdf(["Lease", "", "Between Harbour Street Lettings", "and Aoife and Tom Kelleher."])
        clerk.attach(lease, {"filename": "lease.pdf", "title": "Lease", "model": "Bill", "model_id": lease_of})
