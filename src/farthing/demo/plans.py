"""Adds the demo's exchange rates, bills, budgets, piggy banks and recurrences."""

from collections import Counter, defaultdict
from datetime import date, timedelta
from itertools import takewhile

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
from farthing.http.request.call import Call
from farthing.kernel.money import as_text
from farthing.ledger.kinds import ASSETS

from . import tables
from .calls import Body, DemoUser, create, send
from .events import PAYMENTS, FixedPayment
from .scene import DOLLARS, SAVINGS, USUAL_RATES, Move, month_back, month_end, months_between
from .story import Story

_DAY, _YEAR, _MONTHS = timedelta(days=1), timedelta(days=365), 12
_RATE_STEP, _STEP_CENTS = 137, 1000
# Maps the number of payments a year to the frequency of a bill, and how many periods the bill skips.
_RHYTHMS = {12: ("monthly", 0), 6: ("monthly", 1), 4: ("quarterly", 0), 2: ("half-year", 0), 1: ("yearly", 0)}
_OUTGROWN, _STANDING_ORDER = "Electricity", "Standing order savings"
_FIRED_MONTHS = 4


def choose_holidays(call: Call, country: str = "IE") -> None:
    """Chooses the country whose holidays apply, unless the user has already chosen one."""
    chosen = preference_store.get_named(call.db, call.user_id, "holidayCountry")
    if chosen and not chosen.data:
        send(call, preferences.change, {"data": country}, path={"id": "holidayCountry"})


def add_rates(call: Call, story: Story) -> None:
    """Imports the exchange rates of the euro on the first day of each month."""
    months = [month_back(call.today, back) for back in range(months_between(story.begins_on, call.today), -1, -1)]
    lines = [
        f"{month},EUR,{code},{as_text(usual + month.month * _RATE_STEP % 400 - 200, 4)}"
        for code, usual in USUAL_RATES.items()
        for month in months
    ]
    send(call, exchange_rates.import_file, {"file": "\n".join(lines)})


def add_bills(call: Call, story: Story) -> int:
    """Adds bills, and returns the id of the rent's bill. Two bills are never paid: one is overdue, one is upcoming."""
    bodies = [
        *(_expect(payment, story, call.today) for payment in PAYMENTS if payment.is_expected),
        _bill("Chimney sweep", ["Sweep and Sons", "chimney"], (7_500, 9_500), call.today - 9 * _DAY),
        _bill("TV licence", ["Licence Office", "TV licence"], (15_900, 16_100), call.today + 6 * _DAY),
    ]
    rent_id, *_ = [create(call, bills.BILLS.create_one, body) for body in bodies]
    return rent_id


def _expect(payment: FixedPayment, story: Story, today: date) -> Body:
    months = (month_back(story.begins_on, -later) for later in range(_MONTHS))
    first_on = next(month for month in months if month.month in payment.months).replace(day=payment.day)
    words, cents = [payment.payee, payment.title], _range(payment, story, today)
    body = _bill(payment.title, words, cents, first_on, len(payment.months))
    return body | {"currency_code": "USD" if payment.account == DOLLARS else "EUR"}


def _range(payment: FixedPayment, story: Story, today: date) -> tuple[int, int]:
    """Returns the range of a bill's amounts, with a margin. For electricity, it excludes last year's highest bill."""
    moves = [move for move in story.moves if move.destination == payment.payee and move.about.startswith(payment.title)]
    amounts = [move.cents for move in moves] or [payment.cents]
    lowest, highest = min(amounts) * 9 // 1000 * 100, max(amounts) * 11 // 1000 * 100 + 100
    if payment.title == _OUTGROWN and len(amounts) > 1:
        dearest = max(move.cents for move in moves if move.on > today - _YEAR)
        highest = max([dearest - 850, *(cents for cents in amounts if cents < dearest)])
    return lowest, max(highest, lowest + 100)


def _bill(name: str, words: list[str], cents: tuple[int, int], first_on: date, times_a_year: int = 1) -> Body:
    lowest, highest = (as_text(limit, 2) for limit in cents)
    frequency, skip = _RHYTHMS[times_a_year]
    usual: Body = {"currency_code": "EUR", "automatch": True, "active": True}
    when: Body = {"date": first_on.isoformat(), "repeat_freq": frequency, "skip": skip}
    return {"name": name, "match": words, "amount_min": lowest, "amount_max": highest, **when, **usual}


def add_budgets(demo: DemoUser, story: Story) -> None:
    """Adds budgets with a limit for each month. Some of this month's available money stays unassigned."""
    planned = _plan(story, demo.today)
    for name, cents in planned.items():
        with demo.calling() as call:
            budget_id = create(call, budgets.BUDGETS.create_one, {"name": name, "active": True})
            for back in range(_MONTHS, -1, -1):
                limit = _within(month_back(demo.today, back), cents)
                send(call, budget_limits.LIMITS.create_one, limit | {"budget_id": budget_id})
    if planned:
        with demo.calling() as call:
            available = _within(month_back(demo.today, 0), sum(planned.values()) + 15_000)
            send(call, available_budgets.AVAILABLE_BUDGETS.create_one, available)


def _plan(story: Story, today: date) -> dict[str, int]:
    """Returns the average monthly spending of each budget in the last year, rounded up to ten euros."""
    spent: Counter[str] = Counter()
    for move in story.moves:
        if month_back(today, _MONTHS) <= move.on < month_back(today, 0) and move.currency == "EUR":
            for part in move.parts:
                if part.budget:
                    spent[part.budget] += part.cents
    return {name: -(-cents // _MONTHS // _STEP_CENTS) * _STEP_CENTS for name, cents in sorted(spent.items())}


def _within(month: date, cents: int) -> Body:
    days = {"start_date": month.isoformat(), "end_date": month_end(month).isoformat()}
    return {"amount": as_text(cents, 2), "currency_code": "EUR", **days}


def find_ordered(story: Story, today: date) -> list[Move]:
    """Finds the latest savings transfers of equal amount, which a recurrence creates instead of the story."""
    moves = [move for move in reversed(story.moves) if move.about == _STANDING_ORDER]
    since = month_back(today, _FIRED_MONTHS)
    return list(takewhile(lambda move: move.on >= since and move.cents == moves[0].cents, moves))


def add_savings(demo: DemoUser, story: Story, ordered: list[Move]) -> None:
    """Adds piggy banks and recurrences. The standing order has already fired for some months; others start tomorrow."""
    tomorrow = demo.today + _DAY
    began_on = ordered[-1].on.replace(day=1) if ordered else tomorrow
    cushion, sofa = tables.read("piggy_banks", dict[str, object])
    with demo.calling() as call:
        _, assets = accounts.page(call.db, call.user_id, ASSETS, limit=100, offset=0)
        savings = {"account_id": next(account.id for account in assets if account.name == SAVINGS)}
        cushion |= savings | {"start_date": story.begins_on.isoformat()}
        filled = {"piggy_bank_id": create(call, piggy_banks.PIGGY_BANKS.create_one, cushion)}
        order, *others = _recurrences(story)
        order |= filled | {"first_date": began_on.isoformat()}
        order_id = create(call, recurrences.RECURRENCES.create_one, order, today=began_on - _DAY)
        send(call, recurrences.trigger, {}, path={"id": str(order_id)})
        for recurrence in others:
            send(call, recurrences.RECURRENCES.create_one, recurrence | {"first_date": tomorrow.isoformat()})
    # The piggy bank for the sofa holds no more than the money left in the savings account.
    spare = story.cents[SAVINGS] - sum(move.cents for move in ordered)
    cents = max(0, min(42_000, spare // _STEP_CENTS * _STEP_CENTS))
    sofa |= savings | {"start_date": month_back(demo.today, 3).isoformat()}
    sofa |= {"target_date": month_back(demo.today, -8).isoformat()}
    with demo.calling() as call:
        sofa_id = create(call, piggy_banks.PIGGY_BANKS.create_one, sofa | {"current_amount": as_text(cents // 2, 2)})
        send(
            call,
            piggy_banks.PIGGY_BANKS.change_one,
            sofa | {"current_amount": as_text(cents, 2)},
            path={"id": str(sofa_id)},
        )


def _recurrences(story: Story) -> list[Body]:
    """Reads recurrences, one row per split. Amounts are the latest in the story, or else those in the table."""
    splits: defaultdict[str, list[Body]] = defaultdict(list)
    bodies: dict[str, Body] = {}
    for row in tables.read("recurrences", dict[str, object]):
        split, repetition = (_pop(row, part) for part in ("split.", "repetition."))
        about, usual = str(split["description"]), int(str(row.pop("cents")))
        latest = next((move.cents for move in reversed(story.moves) if move.about.startswith(about)), usual)
        title = str(row["title"])
        splits[title].append(split | {"amount": as_text(latest, 2), "currency_code": "EUR"})
        bodies[title] = row | {"apply_rules": True, "repetitions": [repetition], "transactions": splits[title]}
    return list(bodies.values())


def _pop(row: Body, part: str) -> Body:
    return {name.removeprefix(part): row.pop(name) for name in list(row) if name.startswith(part)}
