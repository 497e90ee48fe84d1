"""The rent, the loans, and the monthly and yearly bills of the household."""

from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from .days import falls_on, months_between
from .household import CAR_LOAN_TERMS, MORTGAGE_TERMS, Debt, ages, car_bought_on
from .scene import (
    CARD,
    CURRENT,
    DOLLARS,
    JUST_BELOW,
    SAVINGS,
    TO_THE_CENT,
    TO_THE_EURO,
    TO_THE_HALF,
    TO_THE_TEN,
    Move,
    Scene,
    shift,
    spend,
)

EVERY_MONTH = tuple(range(1, 13))
ODD_MONTHS, EVEN_MONTHS = EVERY_MONTH[::2], EVERY_MONTH[1::2]
TERM_TIME = (1, 2, 3, 4, 5, 6, 9, 10, 11, 12)
# Heating and lighting per month, in per cent of January's.
_COLD = (100, 95, 80, 50, 25, 5, 0, 0, 15, 45, 75, 95)


class Bill(Struct, frozen=True):
    """Due on that day of those months, at today's price; `winter_cents` is the surcharge of the coldest month.

    With `lasts_years` it is bought once in so many years, counted back from the year in which the story ends.
    """

    day: int
    payee: str
    about: str
    cents: int
    category: str
    budget: str | None = None
    months: tuple[int, ...] = EVERY_MONTH
    account: str = CURRENT
    rounded: int = TO_THE_CENT
    winter_cents: int = 0
    raised_in: int = 1
    from_age: int | None = None
    tags: tuple[str, ...] = ()
    invoiced: bool = False
    lasts_years: int = 1
    years_ago: int = 0


BILLS = (
    Bill(
        day=1, payee="Harbour Street Lettings", about="Rent", cents=148_000, category="Rent", rounded=TO_THE_TEN,
        raised_in=9,
    ),
    Bill(
        day=2, payee="Lee Mutual", about="Life insurance", cents=3_175, category="Insurance",
    ),
    Bill(
        day=6, payee="Ballycotton Broadband", about="Broadband", cents=4_500, category="Internet and phone",
        rounded=TO_THE_HALF,
    ),
    Bill(
        day=8, payee="Fastnet Mobile", about="Two mobile phones", cents=3_400, category="Internet and phone",
        rounded=TO_THE_HALF,
    ),
    Bill(
        day=9, payee="Box of Clouds", about="Online storage", cents=999, category="Subscriptions", account=DOLLARS,
        rounded=JUST_BELOW,
    ),
    Bill(
        day=11, payee="Streamhouse", about="Films and series", cents=1_550, category="Subscriptions", budget="Leisure",
        account=CARD, rounded=JUST_BELOW,
    ),
    Bill(
        day=14, payee="Tunery", about="Music for the family", cents=1_650, category="Subscriptions", budget="Leisure",
        account=CARD, rounded=JUST_BELOW,
    ),
    Bill(
        day=15, payee="Shannon Health", about="Health insurance", cents=16_840, category="Insurance",
    ),
    Bill(
        day=20, payee="Riverside Gym", about="Membership", cents=3_900, category="Sport", budget="Leisure",
        rounded=TO_THE_EURO,
    ),
    Bill(
        day=22, payee="Rainbow After-School", about="After-school care", cents=34_000, category="Childcare",
        budget="Children", months=TERM_TIME, rounded=TO_THE_TEN, raised_in=9, from_age=4,
    ),
    Bill(
        day=26, payee="The Open Table", about="Monthly donation", cents=1_500, category="Donations", budget="Gifts",
        rounded=TO_THE_EURO, tags=("tax",),
    ),
    Bill(
        day=17, payee="Lee Valley Electric", about="Electricity, two months", cents=17_500, category="Electricity",
        months=ODD_MONTHS, winter_cents=11_500, invoiced=True,
    ),
    Bill(
        day=19, payee="Cork Harbour Gas", about="Gas, two months", cents=5_400, category="Heating", months=EVEN_MONTHS,
        winter_cents=26_500, invoiced=True,
    ),
    Bill(
        day=10, payee="Motor Tax Office", about="Motor tax", cents=20_000, category="Car", budget="Transport",
        months=(1,), rounded=TO_THE_TEN,
    ),
    Bill(
        day=24, payee="Cove Insurance", about="Car insurance", cents=61_200, category="Insurance", months=(3,),
        invoiced=True,
    ),
    Bill(
        day=16, payee="Cove Insurance", about="Contents insurance", cents=21_480, category="Insurance", months=(6,),
        invoiced=True,
    ),
    Bill(
        day=21, payee="Glanmire Garage", about="Car service", cents=23_500, category="Car", budget="Transport",
        months=(5, 11), account=CARD, invoiced=True,
    ),
    Bill(
        day=13, payee="Evergreen Waste", about="Bins, half a year", cents=16_500, category="Household",
        budget="Household", months=(2, 8), rounded=TO_THE_EURO,
    ),
    Bill(
        day=5, payee="Mallow Management Company", about="Service charge", cents=29_000, category="Property",
        months=(1, 4, 7, 10), rounded=TO_THE_TEN, tags=("Mallow flat", "tax"), invoiced=True,
    ),
    Bill(
        day=7, payee="Revenue Commissioners", about="Property tax Mallow", cents=22_500, category="Taxes", months=(1,),
        rounded=TO_THE_EURO, tags=("Mallow flat",),
    ),
    Bill(
        day=4, payee="Lough Swimming Club", about="Swimming lessons, one term", cents=9_600, category="Sport",
        budget="Children", months=(1, 4, 9), rounded=TO_THE_EURO, from_age=4,
    ),
    Bill(
        day=23, payee="Saint Luke's School", about="Voluntary contribution and books", cents=21_500, category="School",
        budget="Children", months=(8,), rounded=TO_THE_HALF, from_age=5,
    ),
    Bill(
        day=3, payee="Camp Wildwood", about="Summer camp, one week", cents=19_000, category="Childcare",
        budget="Children", months=(7,), rounded=TO_THE_TEN, from_age=5,
    ),
)  # fmt: skip


def _lasting(day: int, month: int, payee: str, about: str, cents: int, *, years: int, ago: int) -> Bill:
    category, budget = "Home and garden", "Household"
    return Bill(
        day=day,
        payee=payee,
        about=about,
        cents=cents,
        category=category,
        budget=budget,
        months=(month,),
        account=CARD,
        rounded=JUST_BELOW,
        lasts_years=years,
        years_ago=ago,
    )


LASTING_THINGS = (
    _lasting(18, 3, "Volt Electrical", "Washing machine", 54_000, years=8, ago=1),
    _lasting(11, 10, "Volt Electrical", "Vacuum cleaner", 18_000, years=6, ago=1),
    _lasting(25, 8, "Volt Electrical", "Laptop", 84_000, years=5, ago=2),
    _lasting(16, 1, "Oak and Ash Furniture", "Bookcase", 27_000, years=7, ago=0),
    _lasting(9, 2, "Oak and Ash Furniture", "Bunk bed", 46_000, years=18, ago=3),
    _lasting(13, 11, "Oak and Ash Furniture", "Desk chair", 19_000, years=5, ago=1),
    _lasting(4, 6, "Volt Electrical", "Fridge", 69_000, years=9, ago=4),
)


def bills(scene: Scene) -> Iterator[Move]:
    for bill in (*BILLS, *LASTING_THINGS):
        if scene.day.month in bill.months and falls_on(scene.day, bill.day) and _due(bill, scene):
            yield _add_notes(_pay(bill, scene), bill, scene)


def _due(bill: Bill, scene: Scene) -> bool:
    years = scene.today.year - scene.day.year
    return years % bill.lasts_years == bill.years_ago and _old_enough(bill, scene)


def _old_enough(bill: Bill, scene: Scene) -> bool:
    return bill.from_age is None or max(ages(scene.day, scene.today), default=-1) >= bill.from_age


def _pay(bill: Bill, scene: Scene) -> Move:
    day = scene.day
    cents = bill.cents + bill.winter_cents * _COLD[day.month - 1] // 100
    if bill.winter_cents:
        cents = cents * scene.between(bill.payee, 93, 107) // 100
    price = scene.yearly_cost(cents, bill.rounded, bill.raised_in)
    about = f"{bill.about} {day:%B %Y}" if bill.category == "Rent" else bill.about
    move = spend(day, bill.account, bill.payee, about, price, bill.category, bill.budget)
    return replace(move, tags=bill.tags)


def _add_notes(move: Move, bill: Bill, scene: Scene) -> Move:
    if bill.category == "Rent" and scene.day.month == bill.raised_in:
        return replace(move, notes="New rent from this month on, as announced in spring.")
    if bill.lasts_years > 1:
        return replace(move, notes="Two years of guarantee; the receipt is in the blue folder.")
    if not bill.invoiced:
        return move
    number = scene.chance.draw(scene.day, bill.payee, 90_000) + 10_000
    return replace(
        move,
        reference=f"{bill.payee[:3].upper()}-{scene.day.year}-{number}",
        invoiced_on=scene.day - timedelta(days=14),
        due_on=scene.day,
    )


def loans(scene: Scene) -> Iterator[Move]:
    if falls_on(scene.day, 3):
        for move in _instalment(MORTGAGE_TERMS, "Mortgage", scene):
            yield replace(move, tags=("Mallow flat",))
    if falls_on(scene.day, 5) and months_between(car_bought_on(scene.today), scene.day) > 0:
        yield from _instalment(CAR_LOAN_TERMS, "Car loan", scene)


def _instalment(debt: Debt, word: str, scene: Scene) -> Iterator[Move]:
    """The lender charges interest, then the instalment pays off more than that."""
    owed = -scene.purse.holds[debt.account]
    if owed <= 0:
        return
    interest = debt.interest(owed)
    if interest:
        about = f"{word} interest {scene.day:%B %Y}"
        yield spend(scene.day, debt.account, debt.lender, about, interest, "Interest paid")
    paid = min(debt.instalment_cents, owed + interest)
    yield shift(scene.day, CURRENT, debt.account, f"{word} instalment {scene.day:%B %Y}", paid, "Loan repayment")


def new_car(scene: Scene) -> Iterator[Move]:
    """The part of the price that was not financed; only in stories that go back far enough."""
    bought_on = car_bought_on(scene.today)
    if scene.day == bought_on > scene.begins_on:
        price = min(450_000, scene.purse.holds[SAVINGS] // 100_000 * 100_000)
        if price > 0:
            move = spend(scene.day, SAVINGS, "Marina Motors", "Deposit for the car", price, "Car", "Transport")
            yield replace(move, notes="Estate, three years old, 41 000 km. The rest is the car loan.")
