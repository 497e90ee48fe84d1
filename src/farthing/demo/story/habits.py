"""The household's daily spending: habits by weekday, probability and season."""

from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from .days import FRIDAY, MONDAY, SATURDAY, SUNDAY, THURSDAY, TUESDAY, WEDNESDAY, falls_on
from .household import CHILDREN
from .scene import (
    CARD,
    CURRENT,
    DOLLARS,
    JUST_BELOW,
    TO_THE_CENT,
    TO_THE_DIME,
    TO_THE_EURO,
    TO_THE_HALF,
    TO_THE_TEN,
    Move,
    Scene,
    StorySplit,
    earn,
    spend,
)

EVERY_DAY = (MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY)
WORKDAYS, WEEKEND = EVERY_DAY[:5], EVERY_DAY[5:]
SHOP_DAYS = EVERY_DAY[:6]
SPRING, SUMMER, WINTER = (3, 4, 5, 6), (6, 7, 8), (11, 12, 1, 2, 3)
EVERY_MONTH = tuple(range(1, 13))
# No treats while less than this would be left after paying the card.
_COMFORT_CENTS = 20_000


Places = tuple[tuple[str | None, str], ...]


class Habit(Struct, frozen=True):
    """Happens on each of the days with that probability, for an amount between low and high at today's prices.

    A place is a payee and what is bought there; no payee means cash. Without a currency, the account's applies.
    """

    topic: str
    days: tuple[int, ...]
    per_mille: int
    places: Places
    low: int
    high: int
    category: str
    budget: str | None = None
    account: str = CURRENT
    rounded: int = TO_THE_CENT
    months: tuple[int, ...] = EVERY_MONTH
    treat: bool = False
    currency: str | None = None
    tags: tuple[str, ...] = ()
    notes: str | None = None


def at(*payees: str | None, buying: tuple[str, ...]) -> Places:
    """Every combination of payee and purchase."""
    return tuple((payee, about) for payee in payees for about in buying)


_EATERIES = ("Paddy's Kitchen", "The Quay", "Trattoria Lucia", "Saffron House", "Marina Noodle Bar")
_BAKERIES = ("O'Shea's Bakery", "Corner Café")
_DINNERS = ("Dinner out", "Dinner with friends", "Family dinner")
_FILLING_STATIONS = ("Blackrock Fuels", "Coast Road Filling Station")

HABITS = (
    Habit(
        topic="top-up", days=(TUESDAY, THURSDAY), per_mille=700,
        places=at(
            "Corner Dairy", "Tidewell Supermarket", buying=("Milk, bread, fruit", "Bits and pieces", "Groceries"),
        ),
        low=1_600, high=4_200, category="Groceries", budget="Groceries",
    ),
    Habit(
        topic="market", days=(SUNDAY,), per_mille=350,
        places=at("Quayside Market", buying=("Vegetables and fish", "Cheese and bread")), low=1_800, high=3_900,
        category="Groceries", budget="Groceries",
    ),
    Habit(
        topic="bakery", days=EVERY_DAY, per_mille=110,
        places=at(*_BAKERIES, buying=("Bread and rolls", "Coffee and cake")), low=520, high=1_250,
        category="Coffee and bakery", budget="Eating out",
    ),
    Habit(
        topic="coffee", days=WORKDAYS, per_mille=200, places=at("Corner Café", "Hospital Canteen", buying=("Coffee",)),
        low=340, high=460, category="Coffee and bakery", budget="Eating out", rounded=TO_THE_DIME,
    ),
    Habit(
        topic="lunch", days=(TUESDAY, WEDNESDAY, THURSDAY), per_mille=380,
        places=at("Hospital Canteen", "Soup Stop", buying=("Lunch",)), low=750, high=1_350, category="Restaurants",
        budget="Eating out", rounded=TO_THE_HALF,
    ),
    Habit(
        topic="dinner", days=(FRIDAY, SATURDAY), per_mille=360, places=at(*_EATERIES, buying=_DINNERS), low=4_200,
        high=10_500, category="Restaurants", budget="Eating out", account=CARD, rounded=TO_THE_HALF, treat=True,
    ),
    Habit(
        topic="takeaway", days=(FRIDAY, SUNDAY), per_mille=260,
        places=(("Golden Wok", "Takeaway"), ("Pizza Ponte", "Pizza night")), low=2_300, high=4_400,
        category="Restaurants", budget="Eating out", account=CARD, rounded=TO_THE_HALF, treat=True,
    ),
    Habit(
        topic="fuel", days=EVERY_DAY, per_mille=115, places=at(*_FILLING_STATIONS, buying=("Diesel",)), low=4_800,
        high=7_600, category="Car", budget="Transport", account=CARD,
    ),
    Habit(
        topic="bus", days=(MONDAY,), per_mille=450, places=at("City Buses", buying=("Travel card top-up",)), low=2_000,
        high=2_000, category="Public transport", budget="Transport", rounded=TO_THE_TEN,
    ),
    Habit(
        topic="parking", days=SHOP_DAYS, per_mille=70, places=at("City Car Park", buying=("Parking",)), low=300,
        high=950, category="Car", budget="Transport", rounded=TO_THE_DIME,
    ),
    Habit(
        topic="pharmacy", days=SHOP_DAYS, per_mille=55,
        places=at("Northgate Pharmacy", buying=("Pharmacy", "Cold remedies", "Plasters")), low=650, high=2_900,
        category="Health",
    ),
    Habit(
        topic="doctor", days=WORKDAYS, per_mille=22,
        places=at("Shandon Medical Centre", buying=("Doctor, Niamh", "Doctor, Cillian", "Doctor, Aoife")), low=6_000,
        high=6_000, category="Health", rounded=TO_THE_HALF, months=WINTER, tags=("tax",),
    ),
    Habit(
        topic="dentist", days=WORKDAYS, per_mille=12, places=at("Washington Street Dental", buying=("Dentist",)),
        low=6_500, high=19_000, category="Health", rounded=TO_THE_HALF, tags=("tax",),
        notes="Receipt kept for the tax return.",
    ),
    Habit(
        topic="hair", days=SHOP_DAYS, per_mille=55, places=at("Snip and Co", buying=("Haircut", "Haircut, children")),
        low=2_200, high=6_800, category="Personal care", rounded=TO_THE_HALF,
    ),
    Habit(
        topic="books", days=SHOP_DAYS, per_mille=50, places=at("Lapwing Books", buying=("Books", "Book and a card")),
        low=999, high=3_200, category="Books", budget="Leisure", account=CARD, rounded=JUST_BELOW, treat=True,
    ),
    Habit(
        topic="cinema", days=WEEKEND, per_mille=70, places=at("Lantern Cinema", buying=("Cinema",)), low=2_800,
        high=4_600, category="Outings", budget="Leisure", account=CARD, rounded=TO_THE_HALF, treat=True,
    ),
    Habit(
        topic="outing", days=WEEKEND, per_mille=140,
        places=at("Rosehill Gardens", "Lifeboat Museum", "Adventure Farm", buying=("Day out",)), low=2_400, high=5_600,
        category="Outings", budget="Leisure", rounded=TO_THE_HALF, months=(4, *SUMMER, 9), treat=True,
    ),
    Habit(
        topic="garden", days=WEEKEND, per_mille=160,
        places=at("Riverside Garden Centre", buying=("Plants and soil", "Seeds and pots")), low=1_400, high=6_800,
        category="Home and garden", budget="Household", account=CARD, rounded=JUST_BELOW, months=SPRING, treat=True,
    ),
    Habit(
        topic="home", days=SHOP_DAYS, per_mille=55,
        places=(
            ("Hardware on the Hill", "Paint and screws"), ("Hardware on the Hill", "Lamps"),
            ("Nest and Nook", "Bed linen"), ("Nest and Nook", "Kitchen things"),
        ),
        low=1_200, high=7_900, category="Home and garden", budget="Household", account=CARD, rounded=JUST_BELOW,
    ),
    Habit(
        topic="cat", days=SHOP_DAYS, per_mille=45,
        places=at("Paws and Claws", buying=("Cat food", "Cat litter and food")), low=1_900, high=4_200, category="Cat",
        budget="Household",
    ),
    Habit(
        topic="vet", days=WORKDAYS, per_mille=7, places=at("Douglas Vets", buying=("Vet",)), low=5_500, high=14_000,
        category="Cat", budget="Household", rounded=TO_THE_HALF,
    ),
    Habit(
        topic="cash", days=(FRIDAY, SATURDAY), per_mille=300, places=at(None, buying=("Cash machine",)), low=4_000,
        high=10_000, category="Cash", rounded=TO_THE_TEN * 2,
    ),
    Habit(
        topic="party", days=(SATURDAY,), per_mille=150,
        places=at("Toy Attic", buying=("Present for a children's party",)), low=1_400, high=2_600,
        category="Gifts given", budget="Gifts", account=CARD, rounded=JUST_BELOW,
    ),
    Habit(
        topic="flat repairs", days=WORKDAYS, per_mille=6,
        places=(("Mallow Plumbing", "Tap in the Mallow flat"), ("Barry Electrical", "Wiring in the Mallow flat")),
        low=9_000, high=31_000, category="Property", rounded=TO_THE_HALF, tags=("Mallow flat", "tax"),
    ),
    Habit(
        topic="car repairs", days=WORKDAYS, per_mille=4,
        places=at("Glanmire Garage", buying=("New brake pads", "New tyres", "New battery")), low=14_000, high=42_000,
        category="Car", budget="Transport", account=CARD, rounded=TO_THE_HALF,
    ),
    Habit(
        topic="brushes", days=WORKDAYS, per_mille=12, places=at("Pixel Brushes", buying=("Brushes for the tablet",)),
        low=499, high=2_400, category="Freelance costs", account=DOLLARS, rounded=JUST_BELOW, tags=("tax",),
    ),
)  # fmt: skip


def spending(scene: Scene, habits: tuple[Habit, ...] = HABITS) -> Iterator[Move]:
    for habit in habits:
        due = scene.day.weekday() in habit.days and scene.day.month in habit.months
        if due and scene.happens(habit.topic, habit.per_mille) and _affordable(habit, scene):
            yield buy(habit, scene)


def _affordable(habit: Habit, scene: Scene) -> bool:
    if habit.account == DOLLARS:
        return scene.purse.holds[DOLLARS] > 2 * habit.high
    return not habit.treat or scene.purse.free > _COMFORT_CENTS


def buy(habit: Habit, scene: Scene) -> Move:
    cents = scene.cost(scene.between(habit.topic, habit.low, habit.high), habit.rounded)
    payee, about = scene.one_of(habit.topic, habit.places)
    move = spend(scene.day, habit.account, payee, about, cents, habit.category, habit.budget)
    move = replace(move, tags=habit.tags, notes=habit.notes)
    if habit.currency is None or habit.currency == move.currency:
        return move
    return scene.exchange(move, habit.currency)


def weekly_shop(scene: Scene) -> Iterator[Move]:
    """On Saturdays, larger before Christmas; often includes more than food."""
    if scene.day.weekday() != SATURDAY:
        return
    high = 20_500 if (scene.day.month, scene.day.day // 15) == (12, 1) else 15_800
    food = scene.cost(scene.between("weekly shop", 9_800, high))
    parts = [StorySplit(cents=food, about="Food", category="Groceries", budget="Groceries")]
    if scene.happens("cleaning things", 300):
        extra = scene.cost(scene.between("cleaning things", 900, 3_200))
        parts.append(StorySplit(cents=extra, about="Cleaning and paper", category="Household", budget="Household"))
    if scene.happens("school things", 110):
        extra = scene.cost(scene.between("school things", 600, 2_400))
        parts.append(StorySplit(cents=extra, about="Things for school", category="School", budget="Children"))
    if len(parts) == 1:
        parts = [replace(parts[0], about=None)]
    yield Move(
        on=scene.day,
        type="withdrawal",
        source=CURRENT,
        destination="Tidewell Supermarket",
        about="Weekly shop",
        parts=tuple(parts),
    )


_CLOTHES = Habit(
    topic="clothes",
    days=SHOP_DAYS,
    per_mille=62,
    places=at(
        "Threadneedle",
        "Wren Clothing",
        "Little Oaks",
        buying=("Clothes", "Shoes", "Jacket", "Clothes for the children"),
    ),
    low=1_900,
    high=9_900,
    category="Clothing",
    budget=None,
    account=CARD,
    rounded=JUST_BELOW,
    treat=True,
)
_RETURN_DAYS = 9


def clothes(scene: Scene) -> Iterator[Move]:
    """One in eight purchases is returned later, and the shop refunds the card."""
    for bought in spending(scene, (_CLOTHES,)):
        yield bought
        returned_on = scene.day + timedelta(days=_RETURN_DAYS)
        if scene.happens("goes back", 125) and returned_on <= scene.today:
            assert bought.destination is not None
            about = f"Returned: {bought.about.lower()}"
            refund = earn(returned_on, bought.destination, CARD, about, bought.cents, "Clothing")
            yield replace(refund, tags=("refund",), notes=f"Bought on {scene.day}; did not fit.")


def claims(scene: Scene) -> Iterator[Move]:
    """The health insurance refunds part of the year's visits, twice a year."""
    if scene.day.month in (3, 11) and falls_on(scene.day, 19):
        cents = scene.cost(scene.between("claim", 5_500, 17_500), TO_THE_HALF)
        move = earn(scene.day, "Shannon Health", CURRENT, "Claim for doctor's visits", cents, "Health")
        yield replace(move, tags=("refund",), notes="Half of each visit, receipts sent by post.")


_PRESENTS = Habit(
    topic="presents",
    days=EVERY_DAY,
    per_mille=480,
    places=at(
        "Toy Attic",
        "Lapwing Books",
        "Nest and Nook",
        buying=("Christmas present", "Presents for the cousins", "Present for Granny"),
    ),
    low=1_700,
    high=6_400,
    category="Gifts given",
    budget="Gifts",
    account=CARD,
    rounded=JUST_BELOW,
)


def feasts(scene: Scene) -> Iterator[Move]:
    day = scene.day
    christmas = (f"Christmas {day.year}",)
    if day.month == 12 and 1 <= day.day <= 22:
        for move in spending(scene, (_PRESENTS,)):
            yield replace(move, tags=christmas)
    if (day.month, day.day) == (12, 23):
        price = scene.cost(scene.between("turkey", 7_200, 9_800))
        move = spend(day, CURRENT, "Corkery Butchers", "Turkey and ham", price, "Groceries", "Groceries")
        yield replace(move, tags=christmas)
    for child in CHILDREN:
        age = child.age(day, scene.today)
        if (day.month, day.day) == child.birthday and age > 0:
            price = scene.cost(scene.between("birthday", 9_500, 17_500), TO_THE_EURO)
            about = f"{child.name}'s birthday party"
            move = spend(day, CARD, "Adventure Farm", about, price, "Outings", "Children")
            yield replace(move, notes=f"{child.name} is {age}. Eight children, cake brought along.")
