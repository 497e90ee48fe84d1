"""The demo's expected bills and its recurring transactions."""

from datetime import date, timedelta
from itertools import takewhile

from msgspec import Struct

from farthing.kernel.money import as_text

from .desk import Body
from .story.bills import BILLS, Bill
from .story.days import month_back
from .story.scene import CURRENT, DOLLARS, SAVINGS, Move
from .story.story import Story

_DAY = timedelta(days=1)
_YEAR = timedelta(days=365)
_EXPECTED = (
    "Rent", "Life insurance", "Broadband", "Two mobile phones", "Online storage", "Films and series",
    "Health insurance", "Electricity, two months", "Gas, two months", "Motor tax", "Car insurance",
    "Contents insurance", "Service charge",
)  # fmt: skip
# By number of payments a year: the frequency, and how many periods it skips.
_RHYTHMS = {12: ("monthly", 0), 6: ("monthly", 1), 4: ("quarterly", 0), 2: ("half-year", 0), 1: ("yearly", 0)}
_OUTGROWN = "Electricity, two months"
_STANDING_ORDER = "Standing order savings"
_FIRED_MONTHS = 4


def bill_bodies(story: Story, today: date) -> list[Body]:
    """Two bills that nothing in the story pays are always added: one overdue, one upcoming."""
    paid = [_bill(bill, story, today) for bill in BILLS if bill.about in _EXPECTED]
    sweep = _body("Chimney sweep", ["Sweep and Sons", "chimney"], (7_500, 9_500), today - 9 * _DAY, ("yearly", 0))
    licence = _body("TV licence", ["Licence Office", "TV licence"], (15_900, 16_100), today + 6 * _DAY, ("yearly", 0))
    return [*paid, sweep, licence]


def _bill(bill: Bill, story: Story, today: date) -> Body:
    name = bill.about.split(",")[0]
    body = _body(
        name, [bill.payee, name], _range(bill, story, today), _first_day(bill, story), _RHYTHMS[len(bill.months)]
    )
    return body | {"currency_code": "USD" if bill.account == DOLLARS else "EUR"}


def _range(bill: Bill, story: Story, today: date) -> tuple[int, int]:
    """Leaves a margin on both sides; but the highest electricity bill of the last year exceeds its range."""
    paid = [move for move in story.moves if move.destination == bill.payee and move.about.startswith(bill.about)]
    cents = [move.cents for move in paid] or [bill.cents]
    lowest, highest = min(cents) * 9 // 1000 * 100, max(cents) * 11 // 1000 * 100 + 100
    if bill.about == _OUTGROWN and len(cents) > 1:
        dearest = max(move.cents for move in paid if move.on > today - _YEAR)
        highest = max([dearest - 850, *(one for one in cents if one < dearest)])
    return lowest, max(highest, lowest + 100)


def _first_day(bill: Bill, story: Story) -> date:
    begins = story.begins_on
    months = (month_back(begins, -later) for later in range(12))
    return next(month for month in months if month.month in bill.months).replace(day=bill.day)


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
    every = [move for move in reversed(story.moves) if move.about == _STANDING_ORDER]
    cents = every[0].cents if every else 20_000
    since = month_back(today, _FIRED_MONTHS)
    moves = list(takewhile(lambda move: move.on >= since and move.cents == cents, every))
    return StandingOrder(moves=moves, cents=cents, first_on=moves[-1].on.replace(day=1) if moves else today + _DAY)


def savings_body(order: StandingOrder, piggy_bank_id: int) -> Body:
    split = _split(_STANDING_ORDER, order.cents, CURRENT, SAVINGS, category_name="Savings")
    body = _recurrence("Savings", "transfer", order.first_on, _repetition("monthly", "1", 4), split)
    return body | {"piggy_bank_id": piggy_bank_id, "description": "Fills the emergency cushion."}


def recurrence_bodies(story: Story, today: date) -> list[Body]:
    """The other recurrences start tomorrow; the story's earlier transactions count as entered by hand."""
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
    """Only the first part: a bonus does not come every month."""
    return next((move.parts[0].cents for move in reversed(story.moves) if move.about.startswith(about)), usual)


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
