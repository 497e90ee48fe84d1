"""The demo's expected bills and its recurring transactions."""

from datetime import date, timedelta
from itertools import takewhile

from msgspec import Struct

from farthing.kernel.money import as_text

from .calls import Body
from .story.days import month_back
from .story.payments import PAYMENTS, FixedPayment
from .story.scene import CURRENT, DOLLARS, SAVINGS, Move
from .story.story import Story

_DAY = timedelta(days=1)
_YEAR = timedelta(days=365)
# By number of payments a year: the frequency, and how many periods it skips.
_RHYTHMS = {12: ("monthly", 0), 6: ("monthly", 1), 4: ("quarterly", 0), 2: ("half-year", 0), 1: ("yearly", 0)}
_OUTGROWN = "Electricity"
_STANDING_ORDER = "Standing order savings"
_FIRED_MONTHS = 4


def bill_bodies(story: Story, today: date) -> list[Body]:
    """Two bills that nothing in the story pays are always added: one overdue, one upcoming."""
    paid = [_bill(payment, story, today) for payment in PAYMENTS if payment.is_expected]
    sweep = _body("Chimney sweep", ["Sweep and Sons", "chimney"], (7_500, 9_500), today - 9 * _DAY, ("yearly", 0))
    licence = _body("TV licence", ["Licence Office", "TV licence"], (15_900, 16_100), today + 6 * _DAY, ("yearly", 0))
    return [*paid, sweep, licence]


def _bill(payment: FixedPayment, story: Story, today: date) -> Body:
    months = (month_back(story.begins_on, -later) for later in range(12))
    first_on = next(month for month in months if month.month in payment.months).replace(day=payment.day)
    rhythm, words = _RHYTHMS[len(payment.months)], [payment.payee, payment.title]
    body = _body(payment.title, words, _range(payment, story, today), first_on, rhythm)
    return body | {"currency_code": "USD" if payment.account == DOLLARS else "EUR"}


def _range(payment: FixedPayment, story: Story, today: date) -> tuple[int, int]:
    """Leaves a margin on both sides; but the highest electricity bill of the last year exceeds its range."""
    moves = [move for move in story.moves if move.destination == payment.payee and move.about.startswith(payment.title)]
    amounts = [move.cents for move in moves] or [payment.cents]
    lowest, highest = min(amounts) * 9 // 1000 * 100, max(amounts) * 11 // 1000 * 100 + 100
    if payment.title == _OUTGROWN and len(amounts) > 1:
        dearest = max(move.cents for move in moves if move.on > today - _YEAR)
        highest = max([dearest - 850, *(cents for cents in amounts if cents < dearest)])
    return lowest, max(highest, lowest + 100)


def _body(name: str, words: list[str], cents: tuple[int, int], first_on: date, rhythm: tuple[str, int]) -> Body:
    return {
        "name": name,
        "match": words,
        "amount_min": as_text(cents[0], 2),
        "amount_max": as_text(cents[1], 2),
        "currency_code": "EUR",
        "date": first_on.isoformat(),
        "repeat_freq": rhythm[0],
        "skip": rhythm[1],
        "automatch": True,
        "active": True,
    }


class StandingOrder(Struct, frozen=True):
    """A recurrence that has already fired: it made these moves of the story."""

    moves: list[Move]
    cents: int
    first_on: date

    @property
    def made_on(self) -> date:
        return self.first_on - _DAY


def standing_order(story: Story, today: date) -> StandingOrder:
    """The latest months, as far back as the amount was the same."""
    orders = [move for move in reversed(story.moves) if move.about == _STANDING_ORDER]
    cents = orders[0].cents if orders else 20_000
    since = month_back(today, _FIRED_MONTHS)
    moves = list(takewhile(lambda move: move.on >= since and move.cents == cents, orders))
    return StandingOrder(moves=moves, cents=cents, first_on=moves[-1].on.replace(day=1) if moves else today + _DAY)


def savings_body(order: StandingOrder, piggy_bank_id: int) -> Body:
    split = _split(_STANDING_ORDER, order.cents, CURRENT, SAVINGS, category_name="Savings")
    body = _recurrence("Savings", "transfer", order.first_on, _repetition("monthly", "1", 4), split)
    return body | {"piggy_bank_id": piggy_bank_id, "description": "Fills the emergency cushion."}


def recurrence_bodies(story: Story, today: date) -> list[Body]:
    """The other recurrences start tomorrow; the story's earlier transactions were entered by hand."""
    soon = today + _DAY
    rent = _latest(story, "Rent ", 148_000)
    rents = _split("Rent", rent, CURRENT, "Harbour Street Lettings", category_name="Rent")
    aoife = _split("Salary Aoife", _latest(story, "Salary Aoife", 348_216), "Shandon University Hospital", CURRENT)
    tom = _split("Salary Tom", _latest(story, "Salary Tom", 196_480), "Blackpool Design Studio", CURRENT)
    pocket = [
        _split(f"Pocket money {name}", cents, CURRENT, "Pocket money", category_name="Children", budget_name="Children")
        for name, cents in (("Niamh", 500), ("Cillian", 300))
    ]
    cleaning = _split("Windows cleaned", 4_500, CURRENT, "Bright and Clear", category_name="Household")
    return [
        _recurrence("Rent", "withdrawal", soon, _repetition("monthly", "1", 4, holidays=True), rents),
        _recurrence("Aoife's salary", "deposit", soon, _repetition("monthly", "last", 3, holidays=True), aoife),
        _recurrence("Tom's salary", "deposit", soon, _repetition("monthly", "25", 3, holidays=True), tom),
        _recurrence("Pocket money", "withdrawal", soon, _repetition("weekly", "6", 1), *pocket),
        _recurrence("Window cleaner", "withdrawal", soon, _repetition("ndom", "2,3", 1, skip=1), cleaning)
        | {"active": False, "description": "Paused until spring."},
    ]


def _latest(story: Story, about: str, usual: int) -> int:
    return next((move.cents for move in reversed(story.moves) if move.about.startswith(about)), usual)


def _repetition(kind: str, moment: str, weekend: int, *, skip: int = 0, holidays: bool = False) -> Body:
    return {"type": kind, "moment": moment, "skip": skip, "weekend": weekend, "holidays": holidays}


def _split(about: str, cents: int, source: str, destination: str, **labels: str) -> Body:
    amount = {"amount": as_text(cents, 2), "currency_code": "EUR"}
    return {"description": about, "source_name": source, "destination_name": destination, **amount, **labels}


def _recurrence(title: str, kind: str, first_on: date, repetition: Body, *splits: Body) -> Body:
    return {
        "type": kind,
        "title": title,
        "first_date": first_on.isoformat(),
        "apply_rules": True,
        "active": True,
        "repetitions": [repetition],
        "transactions": list(splits),
    }
