"""Tells of loans, the monthly card payment, interest, and transfers between the current account and savings."""

from collections.abc import Iterator

from msgspec.structs import replace

from .days import falls_on, month_end, months_between
from .household import CAR_LOAN_TERMS, MORTGAGE_TERMS, Debt, car_bought_on
from .scene import CARD, CURRENT, SAVINGS, Move, Scene, move

_SAVINGS_INTEREST_PER_MILLE = 18
# What stays on the current account when the surplus goes to savings.
_CURRENT_REST_CENTS = 150_000
_LOW_CENTS = 20_000
_REFILLED_CENTS = 60_000
_STEP_CENTS = 5_000
# Savings above this go into the pension.
_ENOUGH_CENTS = 1_000_000
_PENSION_STEP_CENTS = 50_000


def loans(scene: Scene) -> Iterator[Move]:
    if falls_on(scene.day, 3):
        for paid in _instalment(MORTGAGE_TERMS, "Mortgage", scene):
            yield replace(paid, tags=("Mallow flat",))
    if falls_on(scene.day, 5) and months_between(car_bought_on(scene.today), scene.day) > 0:
        yield from _instalment(CAR_LOAN_TERMS, "Car loan", scene)


def _instalment(debt: Debt, word: str, scene: Scene) -> Iterator[Move]:
    """The lender charges interest, then the instalment pays off more than that."""
    day, owed = scene.day, -scene.balances.cents[debt.account]
    if owed <= 0:
        return
    interest = debt.interest(owed)
    if interest:
        about = f"{word} interest {day:%B %Y}"
        yield move("withdrawal", day, debt.account, debt.lender, about, interest, "Interest paid")
    cents = min(debt.instalment_cents, owed + interest)
    yield move("transfer", day, CURRENT, debt.account, f"{word} instalment {day:%B %Y}", cents, "Loan repayment")


def new_car(scene: Scene) -> Iterator[Move]:
    """Pays the part of the price that was not financed; the story must go back far enough."""
    price = min(450_000, scene.balances.cents[SAVINGS] // 100_000 * 100_000)
    if scene.day == car_bought_on(scene.today) > scene.begins_on and price > 0:
        about = "Deposit for the car"
        paid = move("withdrawal", scene.day, SAVINGS, "Marina Motors", about, price, "Car", "Transport")
        yield replace(paid, notes="Estate, three years old, 41 000 km. The rest is the car loan.")


def card_bill(scene: Scene) -> Iterator[Move]:
    """Pays in full what was spent by card until the end of last month."""
    cents = scene.balances.card_statement
    if falls_on(scene.day, 12) and cents > 0:
        about = f"Credit card bill {scene.day:%B %Y}"
        yield move("transfer", scene.day, CURRENT, CARD, about, cents, "Credit card")


def interest(scene: Scene) -> Iterator[Move]:
    """The bank pays it twice a year."""
    cents = scene.balances.cents[SAVINGS] * _SAVINGS_INTEREST_PER_MILLE // 2000
    if scene.day.month in (6, 12) and scene.day == month_end(scene.day) and cents > 0:
        about = f"Interest {scene.day.year}"
        yield move("deposit", scene.day, "Farthing Street Bank", SAVINGS, about, cents, "Interest earned")


def surplus(scene: Scene) -> Iterator[Move]:
    """Moves the surplus to savings a few days after the bills at the start of the month."""
    spare = (scene.balances.free - _CURRENT_REST_CENTS) // _STEP_CENTS * _STEP_CENTS
    if falls_on(scene.day, 7) and spare > 0:
        yield move("transfer", scene.day, CURRENT, SAVINGS, "Put aside what was left over", spare, "Savings")


def pension(scene: Scene) -> Iterator[Move]:
    """Pays savings beyond what the household needs into the pension, before the tax deadline."""
    spare = (scene.balances.cents[SAVINGS] - _ENOUGH_CENTS) // _PENSION_STEP_CENTS * _PENSION_STEP_CENTS
    if scene.day.month == 10 and falls_on(scene.day, 14) and spare > 0:
        about = f"Additional pension contribution {scene.day.year}"
        paid = move("withdrawal", scene.day, SAVINGS, "Lee Mutual", about, spare, "Pension")
        yield replace(paid, tags=("tax",), notes="The tax office wants to see this one: keep the certificate.")


def rescue(scene: Scene) -> Iterator[Move]:
    """Keeps the current account from being overdrawn while there are savings; runs last each day."""
    short = _REFILLED_CENTS - scene.balances.cents[CURRENT]
    cents = min(-(-short // _STEP_CENTS) * _STEP_CENTS, scene.balances.cents[SAVINGS])
    if scene.balances.cents[CURRENT] < _LOW_CENTS and cents > 0:
        yield move("transfer", scene.day, SAVINGS, CURRENT, "From the savings, until payday", cents, "Savings")
