"""The household's income: salaries, rent, child benefit, gifts and prizes."""

from collections.abc import Iterator
from datetime import date

from msgspec.structs import replace

from .days import THURSDAY, TUESDAY, falls_on, is_payday, month_end, weekday_from
from .household import CHILDREN, ages
from .scene import CURRENT, DOLLARS, SAVINGS, TO_THE_EURO, TO_THE_HALF, TO_THE_TEN, Move, Scene, StorySplit, earn

_SAVINGS_INTEREST_PER_MILLE = 18


def income(scene: Scene) -> Iterator[Move]:
    yield from _salaries(scene)
    yield from _from_the_state(scene)
    yield from _tenant(scene)
    yield from _own_work(scene)
    yield from _grandparents(scene)
    yield from _luck(scene)


def _salaries(scene: Scene) -> Iterator[Move]:
    day = scene.day
    if is_payday(day):
        pay = scene.yearly_cost(348_216)
        move = earn(day, "Shandon University Hospital", CURRENT, f"Salary Aoife {day:%B %Y}", pay, "Salary")
        yield _with_bonus(move, scene) if day.month == 12 else move
    if is_payday(day, planned=25):
        pay = scene.yearly_cost(196_480)
        yield earn(day, "Blackpool Design Studio", CURRENT, f"Salary Tom {day:%B %Y}", pay, "Salary")


def _with_bonus(move: Move, scene: Scene) -> Move:
    bonus = StorySplit(cents=scene.yearly_cost(60_000, TO_THE_TEN), about="Christmas bonus", category="Bonus")
    return replace(move, parts=(replace(move.parts[0], about="Monthly pay"), bonus))


def _from_the_state(scene: Scene) -> Iterator[Move]:
    day = scene.day
    children = len(ages(day, scene.today))
    if children and day == weekday_from(day.replace(day=1), TUESDAY):
        yield earn(day, "Department of Social Protection", CURRENT, "Child benefit", 14_000 * children, "Benefits")
    if day.month == 4 and day == weekday_from(day.replace(day=8), THURSDAY):
        refund = scene.cost(scene.between("tax refund", 34_000, 66_000))
        move = earn(day, "Revenue Commissioners", CURRENT, f"Tax refund for {day.year - 1}", refund, "Taxes")
        yield replace(move, tags=("refund",), reference=f"TAX-{day.year - 1}-48213")


def _tenant(scene: Scene) -> Iterator[Move]:
    if falls_on(scene.day, 2):
        rent = scene.yearly_cost(89_000, TO_THE_TEN, month=10)
        move = earn(scene.day, "R. Doyle (tenant)", CURRENT, f"Rent Mallow flat {scene.day:%B}", rent, "Rental income")
        yield replace(move, tags=("Mallow flat",))


def _own_work(scene: Scene) -> Iterator[Move]:
    """Tom draws for a publisher in Boston, who pays in dollars."""
    if falls_on(scene.day, 18) and scene.day.month % 3 == 0:
        fee = scene.cost(scene.between("drawings", 9_000, 18_000), TO_THE_EURO)
        move = earn(scene.day, "Charles River Books", DOLLARS, "Illustrations", fee, "Freelance work")
        yield replace(move, reference=f"INV-{scene.day:%Y%m}", invoiced_on=scene.day.replace(day=1))


def _grandparents(scene: Scene) -> Iterator[Move]:
    day = scene.day
    for child in CHILDREN:
        if (day.month, day.day) == child.birthday and child.age(day, scene.today) > 0:
            gift = scene.yearly_cost(5_000, TO_THE_TEN)
            yield earn(day, "Granny Nuala", CURRENT, f"Birthday money for {child.name}", gift, "Gifts received")
    if (day.month, day.day) == (12, 20):
        yield earn(day, "Granny Nuala", CURRENT, "Something for Christmas", 20_000, "Gifts received")


def _luck(scene: Scene) -> Iterator[Move]:
    day = scene.day
    if scene.happens("sold something", 9):
        about = scene.one_of("sold", ("Sold the old bicycle", "Flea market", "Sold the cot", "Sold school books"))
        price = scene.cost(scene.between("sold", 1_500, 9_000), TO_THE_HALF * 10)
        yield earn(day, None, CURRENT, about, price, "Sales")
    if day in (date(day.year, 6, 30), month_end(day.replace(month=12))):
        interest = scene.purse.holds[SAVINGS] * _SAVINGS_INTEREST_PER_MILLE // 2000
        if interest > 0:
            yield earn(day, "Farthing Street Bank", SAVINGS, f"Interest {day.year}", interest, "Interest earned")
