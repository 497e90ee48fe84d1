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
from farthing.books.preferences import store as preference_store
from farthing.kernel.money import as_text
from farthing.ledger.kinds import ASSETS

from . import papers, plans, promises
from .calls import DemoCalls, DemoUser
from .story.scene import SAVINGS, Move
from .story.story import Story

_COUNTRY = "IE"
_ATTACHMENTS_EACH = 3


def add_bills_and_budgets(demo: DemoUser, story: Story) -> int:
    """Called before anything is booked, so that transactions match their bills; returns the id of the rent bill."""
    with demo.calls() as calls:
        _choose_holidays(calls)
        calls.call(exchange_rates.import_file, {"file": plans.rates_file(story, demo.today)})
        ids = [calls.call(bills.BILLS.create_one, body) for body in promises.bill_bodies(story, demo.today)]
    planned = plans.planned_cents(story, demo.today)
    for name, cents in planned.items():
        with demo.calls() as calls:
            budget_id = calls.call(budgets.BUDGETS.create_one, {"name": name, "active": True})
            for body in plans.limit_bodies(cents, demo.today):
                calls.call(budget_limits.LIMITS.create_one, body | {"budget_id": budget_id})
    if planned:
        with demo.calls() as calls:
            calls.call(available_budgets.AVAILABLE_BUDGETS.create_one, plans.available_body(planned, demo.today))
    return ids[0]


def _choose_holidays(calls: DemoCalls) -> None:
    """Keeps a country that was already chosen."""
    country = preference_store.get_named(calls.db, calls.caller.id, "holidayCountry")
    if country and not country.data:
        calls.call(preferences.change, {"data": _COUNTRY}, id="holidayCountry")


def add_savings(demo: DemoUser, story: Story, order: promises.StandingOrder) -> None:
    """The standing order began some months ago; this fires what has come due since."""
    with demo.calls() as calls:
        account_id = _account(calls, SAVINGS)
        cushion = calls.call(piggy_banks.PIGGY_BANKS.create_one, plans.cushion_body(account_id, story))
        order_id = calls.call(
            recurrences.RECURRENCES.create_one, promises.savings_body(order, cushion), today=order.made_on
        )
        calls.call(recurrences.trigger, {}, id=str(order_id))
        for body in promises.recurrence_bodies(story, demo.today):
            calls.call(recurrences.RECURRENCES.create_one, body)
    sofa = plans.sofa_body(account_id, demo.today)
    amount = plans.sofa_cents(story, order.cents * len(order.moves))
    with demo.calls() as calls:
        sofa_id = calls.call(piggy_banks.PIGGY_BANKS.create_one, sofa | {"current_amount": as_text(amount // 2, 2)})
        calls.call(piggy_banks.PIGGY_BANKS.change_one, sofa | {"current_amount": as_text(amount, 2)}, id=str(sofa_id))


def _account(calls: DemoCalls, name: str) -> int:
    _, assets = accounts.page(calls.db, calls.caller.id, ASSETS, limit=100, offset=0)
    return next(account.id for account in assets if account.name == name)


def add_attachments(demo: DemoUser, booked: Sequence[tuple[Move, int]], lease_of: int) -> None:
    """Attaches the latest invoices and receipts, and the lease."""
    newest = list(reversed(booked))
    invoiced = [(move, entry_id) for move, entry_id in newest if move.reference and move.type == "withdrawal"][
        :_ATTACHMENTS_EACH
    ]
    shops = [(move, entry_id) for move, entry_id in newest if move.about == "Weekly shop"][:_ATTACHMENTS_EACH]
    with demo.calls() as calls:
        for move, entry_id in invoiced:
            body = {"filename": f"{move.reference}.pdf", "title": f"Invoice of {move.destination}"}
            calls.attach(papers.invoice(move), body | {"model": "TransactionJournal", "model_id": entry_id})
        for move, entry_id in shops:
            body = {"filename": f"receipt-{move.on}.png", "title": "Till receipt"}
            calls.attach(papers.receipt(move), body | {"model": "TransactionJournal", "model_id": entry_id})
        lease = papers.pdf(["Lease", "", "Between Harbour Street Lettings", "and Aoife and Tom Kelleher."])
        calls.attach(lease, {"filename": "lease.pdf", "title": "Lease", "model": "Bill", "model_id": lease_of})
