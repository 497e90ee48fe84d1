"""The demo's exchange rates and budgets, for each month, and its piggy banks."""

from collections import Counter
from datetime import date

from farthing.kernel.money import as_text

from .calls import Body
from .story.days import month_back, month_end, months_between
from .story.scene import SAVINGS, USUAL_RATES, Balances
from .story.story import Story

_MONTHS = 12
_STEP_CENTS = 1000
_RATE_STEP = 137


def planned_cents(story: Story, today: date) -> dict[str, int]:
    """The average monthly spending of each budget in the last year, rounded up to ten euros: some months exceed it."""
    spent: Counter[str] = Counter()
    for move in story.moves:
        if month_back(today, _MONTHS) <= move.on < month_back(today, 0) and move.currency == "EUR":
            for part in move.parts:
                if part.budget:
                    spent[part.budget] += part.cents
    return {name: -(-cents // _MONTHS // _STEP_CENTS) * _STEP_CENTS for name, cents in sorted(spent.items())}


def limit_bodies(cents: int, today: date) -> list[Body]:
    return [_within(month_back(today, back), cents) for back in range(_MONTHS, -1, -1)]


def available_body(planned: dict[str, int], today: date) -> Body:
    """A little more than is planned, so that some money stays unassigned."""
    return _within(month_back(today, 0), sum(planned.values()) + 15_000)


def _within(month: date, cents: int) -> Body:
    return {
        "amount": as_text(cents, 2),
        "currency_code": "EUR",
        "start_date": month.isoformat(),
        "end_date": month_end(month).isoformat(),
    }


def cushion_body(account_id: int, story: Story) -> Body:
    return {
        "name": "Emergency cushion",
        "account_id": account_id,
        "target_amount": "3000.00",
        "start_date": story.begins_on.isoformat(),
        "notes": "Three months of rent, roughly. The standing order fills it.",
    }


def sofa_body(account_id: int, today: date) -> Body:
    return {
        "name": "A sofa for four",
        "account_id": account_id,
        "target_amount": "1450.00",
        "start_date": month_back(today, 3).isoformat(),
        "target_date": month_back(today, -8).isoformat(),
    }


def sofa_cents(story: Story, set_aside: int) -> int:
    """The second piggy bank holds no more than the savings account has left."""
    balances = Balances(Counter({account.name: account.cents for account in story.accounts}))
    for move in story.moves:
        balances.apply(move)
    return max(0, min(42_000, (balances.cents[SAVINGS] - set_aside) // _STEP_CENTS * _STEP_CENTS))


def rates_file(story: Story, today: date) -> str:
    """A CSV file with the price of a euro at the beginning of each month."""
    months = [month_back(today, back) for back in range(months_between(story.begins_on, today), -1, -1)]
    return "\n".join(
        f"{month},EUR,{code},{as_text(usual + month.month * _RATE_STEP % 400 - 200, 4)}"
        for code, usual in USUAL_RATES.items()
        for month in months
    )
