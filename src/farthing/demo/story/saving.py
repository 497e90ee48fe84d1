"""Standing orders, the monthly card payment, and transfers from savings when money is short."""

from collections.abc import Iterator

from msgspec.structs import replace

from .days import falls_on
from .scene import CARD, CURRENT, HOLIDAY_FUND, SAVINGS, TO_THE_TEN, Move, Scene, shift, spend

# What stays on the current account when the surplus goes to savings.
_KEPT_CENTS = 150_000
_LOW_CENTS = 20_000
_REFILLED_CENTS = 60_000
_STEP_CENTS = 5_000
# Savings above this go into the pension.
_ENOUGH_CENTS = 1_000_000
_PENSION_STEP_CENTS = 50_000


def card_bill(scene: Scene) -> Iterator[Move]:
    """Pays in full what was spent by card until the end of last month."""
    if falls_on(scene.day, 12) and scene.purse.card_statement > 0:
        about = f"Credit card bill {scene.day:%B %Y}"
        yield shift(scene.day, CURRENT, CARD, about, scene.purse.card_statement, "Credit card")


def standing_orders(scene: Scene) -> Iterator[Move]:
    if falls_on(scene.day, 1):
        yield shift(
            scene.day, CURRENT, SAVINGS, "Standing order savings", scene.yearly_cost(20_000, TO_THE_TEN), "Savings"
        )
        fund = scene.yearly_cost(45_000, TO_THE_TEN)
        yield shift(scene.day, CURRENT, HOLIDAY_FUND, "Standing order holidays", fund, "Savings")


def surplus(scene: Scene) -> Iterator[Move]:
    """A few days after the bills at the start of the month, the surplus goes to savings."""
    spare = (scene.purse.free - _KEPT_CENTS) // _STEP_CENTS * _STEP_CENTS
    if falls_on(scene.day, 7) and spare > 0:
        yield shift(scene.day, CURRENT, SAVINGS, "Put aside what was left over", spare, "Savings")


def pension(scene: Scene) -> Iterator[Move]:
    """Before the tax deadline, savings beyond what the household needs go into the pension."""
    beyond = (scene.purse.holds[SAVINGS] - _ENOUGH_CENTS) // _PENSION_STEP_CENTS * _PENSION_STEP_CENTS
    if scene.day.month == 10 and falls_on(scene.day, 14) and beyond > 0:
        about = f"Additional pension contribution {scene.day.year}"
        move = spend(scene.day, SAVINGS, "Lee Mutual", about, beyond, "Pension")
        yield replace(move, tags=("tax",), notes="The tax office wants to see this one: keep the certificate.")


def rescue(scene: Scene) -> Iterator[Move]:
    """The last step of each day: while there are savings, the current account is not overdrawn."""
    short = _REFILLED_CENTS - scene.purse.holds[CURRENT]
    if scene.purse.holds[CURRENT] < _LOW_CENTS:
        cents = min(-(-short // _STEP_CENTS) * _STEP_CENTS, scene.purse.holds[SAVINGS])
        if cents > 0:
            yield shift(scene.day, SAVINGS, CURRENT, "From the savings, until payday", cents, "Savings")
