"""What do they spend from day to day? Habits: on some weekdays, with some chance, in some season."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta

from .days import FRIDAY, MONDAY, SATURDAY, SUNDAY, THURSDAY, TUESDAY, WEDNESDAY, falls_on
from .household import CHILDREN
from .scene import (
    CARD,
    CURRENT,
    DOLLARS,
    JUST_BELOW,
    TO_THE_CENT,
    TO_THE_EURO,
    TO_THE_HALF,
    TO_THE_TEN,
    Move,
    Part,
    Scene,
    earn,
    spend,
)  # fmt: skip

EVERY_DAY = (MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY)
WORKDAYS, WEEKEND = EVERY_DAY[:5], EVERY_DAY[5:]
SHOP_DAYS = EVERY_DAY[:6]
SPRING, SUMMER, WINTER = (3, 4, 5, 6), (6, 7, 8), (11, 12, 1, 2, 3)
EVERY_MONTH = tuple(range(1, 13))
# Treats wait while less than this is left once the card is paid.
_COMFORT_CENTS = 20_000


@dataclass(frozen=True)
class Habit:
    """On each of the days, with that chance, somewhere between low and high at today's prices."""

    topic: str
    days: tuple[int, ...]
    per_mille: int
    payees: tuple[str, ...]
    abouts: tuple[str, ...]
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


_EATERIES = ("Paddy's Kitchen", "The Quay", "Trattoria Lucia", "Saffron House", "Marina Noodle Bar")
_BAKERIES = ("O'Shea's Bakery", "Corner Café")

HABITS = (
    Habit("top-up", (TUESDAY, THURSDAY), 700, ("Corner Dairy", "Tidewell Supermarket"), ("Milk, bread, fruit",
          "Bits and pieces", "Groceries"), 1_600, 4_200, "Groceries", "Groceries"),
    Habit("market", (SUNDAY,), 350, ("Marina Market",), ("Vegetables and fish", "Cheese and bread"), 1_800, 3_900,
          "Groceries", "Groceries"),
    Habit("bakery", EVERY_DAY, 190, _BAKERIES, ("Bread and rolls", "Coffee", "Coffee and cake"), 340, 1_150,
          "Coffee and bakery", "Eating out"),
    Habit("lunch", (TUESDAY, WEDNESDAY, THURSDAY), 380, ("Hospital Canteen", "Soup Stop"), ("Lunch",), 750, 1_350,
          "Restaurants", "Eating out", rounded=TO_THE_HALF),
    Habit("dinner", (FRIDAY, SATURDAY), 360, _EATERIES, ("Dinner out", "Dinner with friends", "Family dinner"),
          4_200, 10_500, "Restaurants", "Eating out", CARD, TO_THE_HALF, treat=True),
    Habit("takeaway", (FRIDAY, SUNDAY), 260, ("Golden Wok", "Pizza Ponte"), ("Takeaway", "Pizza night"), 2_300, 4_400,
          "Restaurants", "Eating out", CARD, TO_THE_HALF, treat=True),
    Habit("fuel", EVERY_DAY, 115, ("Blackrock Fuels", "Coast Road Filling Station"), ("Diesel",), 4_800, 7_600,
          "Car", "Transport", CARD),
    Habit("bus", (MONDAY,), 450, ("City Buses",), ("Travel card top-up",), 2_000, 2_000, "Public transport",
          "Transport", rounded=TO_THE_TEN),
    Habit("parking", SHOP_DAYS, 70, ("City Car Park",), ("Parking",), 300, 950, "Car", "Transport",
          rounded=TO_THE_HALF),
    Habit("pharmacy", SHOP_DAYS, 55, ("Northgate Pharmacy",), ("Pharmacy", "Cold remedies", "Sun cream and plasters"),
          650, 2_900, "Health"),
    Habit("doctor", WORKDAYS, 22, ("Shandon Medical Centre",), ("Doctor, Niamh", "Doctor, Cillian", "Doctor, Aoife"),
          6_000, 6_000, "Health", rounded=TO_THE_HALF, months=WINTER, tags=("tax",)),
    Habit("dentist", WORKDAYS, 12, ("Washington Street Dental",), ("Dentist",), 6_500, 19_000, "Health",
          rounded=TO_THE_HALF, tags=("tax",)),
    Habit("hair", SHOP_DAYS, 55, ("Snip and Co",), ("Haircut", "Haircut, children"), 2_200, 6_800, "Personal care",
          rounded=TO_THE_HALF),
    Habit("books", SHOP_DAYS, 50, ("Lapwing Books",), ("Books", "Book and a card"), 999, 3_200, "Books", "Leisure",
          CARD, JUST_BELOW, treat=True),
    Habit("cinema", WEEKEND, 70, ("Gate Cinema",), ("Cinema",), 2_800, 4_600, "Outings", "Leisure", CARD,
          TO_THE_HALF, treat=True),
    Habit("outing", WEEKEND, 140, ("Fota Gardens", "Lifeboat Museum", "Adventure Farm"), ("Day out",), 2_400, 5_600,
          "Outings", "Leisure", rounded=TO_THE_HALF, months=(4, *SUMMER, 9), treat=True),
    Habit("garden", WEEKEND, 160, ("Riverside Garden Centre",), ("Plants and soil", "Seeds and pots"), 1_400, 6_800,
          "Home and garden", "Household", CARD, JUST_BELOW, SPRING, treat=True),
    Habit("home", SHOP_DAYS, 55, ("Hardware on the Hill", "Nest and Nook"), ("Paint and screws", "Light bulbs",
          "Bed linen", "Kitchen things"), 1_200, 7_900, "Home and garden", "Household", CARD, JUST_BELOW),
    Habit("cat", SHOP_DAYS, 45, ("Paws and Claws",), ("Cat food", "Cat litter and food"), 1_900, 4_200, "Cat",
          "Household"),
    Habit("vet", WORKDAYS, 7, ("Douglas Vets",), ("Vet",), 5_500, 14_000, "Cat", "Household"),
    Habit("cash", (FRIDAY, SATURDAY), 300, ("",), ("Cash machine",), 4_000, 10_000, "Cash", rounded=TO_THE_TEN * 2),
    Habit("party", (SATURDAY,), 150, ("Toy Attic",), ("Present for a children's party",), 1_400, 2_600, "Gifts given",
          "Gifts", CARD, JUST_BELOW),
    Habit("flat repairs", WORKDAYS, 6, ("Mallow Plumbing", "Barry Electrical"), ("Repair in the Mallow flat",),
          9_000, 31_000, "Property", rounded=TO_THE_HALF, tags=("Mallow flat", "tax")),
    Habit("car repairs", WORKDAYS, 4, ("Glanmire Garage",), ("New brake pads", "New tyres", "New battery"), 14_000,
          42_000, "Car", "Transport", CARD, TO_THE_HALF),
    Habit("big thing", SHOP_DAYS, 4, ("Volt Electrical", "Oak and Ash Furniture"), ("Washing machine", "Desk chair",
          "Bookcase", "Vacuum cleaner", "Laptop"), 19_000, 89_000, "Home and garden", "Household", CARD, JUST_BELOW,
          treat=True),
    Habit("apps", WORKDAYS, 12, ("Pixel Brushes",), ("Brushes for the tablet",), 499, 2_400, "Freelance costs",
          account=DOLLARS, rounded=JUST_BELOW, tags=("tax",)),
)  # fmt: skip


def spending(scene: Scene, habits: tuple[Habit, ...] = HABITS) -> Iterator[Move]:
    for habit in habits:
        due = scene.day.weekday() in habit.days and scene.day.month in habit.months
        if due and scene.happens(habit.topic, habit.per_mille) and _affordable(habit, scene):
            yield spent(habit, scene)


def _affordable(habit: Habit, scene: Scene) -> bool:
    if habit.account == DOLLARS:
        return scene.purse.holds[DOLLARS] > 2 * habit.high
    return not habit.treat or scene.purse.free > _COMFORT_CENTS


def spent(habit: Habit, scene: Scene) -> Move:
    cents = scene.cost(scene.between(habit.topic, habit.low, habit.high), habit.rounded)
    payee = scene.one_of(f"{habit.topic} at", habit.payees) or None
    about = scene.one_of(f"{habit.topic} for", habit.abouts)
    move = spend(scene.day, habit.account, payee, about, cents, habit.category, habit.budget)
    move = replace(move, tags=habit.tags)
    paid_abroad = habit.currency and habit.currency != move.currency
    return scene.exchanged(move, habit.currency) if paid_abroad else move


def weekly_shop(scene: Scene) -> Iterator[Move]:
    """On Saturdays, larger before Christmas; often there is more in the trolley than food."""
    if scene.day.weekday() != SATURDAY:
        return
    high = 20_500 if (scene.day.month, scene.day.day // 15) == (12, 1) else 15_800
    food = scene.cost(scene.between("weekly shop", 9_800, high))
    parts = [Part(food, "Food", "Groceries", "Groceries")]
    if scene.happens("cleaning things", 300):
        extra = scene.cost(scene.between("cleaning things", 900, 3_200))
        parts.append(Part(extra, "Cleaning and paper", "Household", "Household"))
    if scene.happens("school things", 110):
        extra = scene.cost(scene.between("school things", 600, 2_400))
        parts.append(Part(extra, "Things for school", "School", "Children"))
    if len(parts) == 1:
        parts = [replace(parts[0], about=None)]
    yield Move(scene.day, "withdrawal", CURRENT, "Tidewell Supermarket", "Weekly shop", tuple(parts))


_CLOTHES = Habit("clothes", SHOP_DAYS, 62, ("Threadneedle", "Wren Clothing", "Little Oaks"), ("Clothes", "Shoes",
                 "Winter coat", "Clothes for the children"), 1_900, 9_900, "Clothing", None, CARD,
                 JUST_BELOW)  # fmt: skip
_RETURN_DAYS = 9


def clothes(scene: Scene) -> Iterator[Move]:
    """One in eight goes back; then the shop pays on the card again. No treat: what was bought must not depend on the
    purse, or nobody could look it up later."""
    yield from spending(scene, (_CLOTHES,))
    then = replace(scene, day=scene.day - timedelta(days=_RETURN_DAYS))
    bought = then.day >= scene.begins_on and next(spending(then, (_CLOTHES,)), None)
    if bought and then.happens("goes back", 125):
        assert bought.destination is not None
        about = f"Returned: {bought.about.lower()}"
        move = earn(scene.day, bought.destination, CARD, about, bought.cents, "Clothing")
        yield replace(move, tags=("refund",), notes=f"Bought on {then.day:%d.%m.%Y}; did not fit.")


def claims(scene: Scene) -> Iterator[Move]:
    """The health insurance gives back a part of the year's visits, in two goes."""
    if scene.day.month in (3, 11) and falls_on(scene.day, 19):
        cents = scene.cost(scene.between("claim", 5_500, 17_500), TO_THE_HALF)
        move = earn(scene.day, "Shannon Health", CURRENT, "Claim for doctor's visits", cents, "Health")
        yield replace(move, tags=("refund",), notes="Half of each visit, receipts sent by post.")


_PRESENTS = Habit("presents", EVERY_DAY, 480, ("Toy Attic", "Lapwing Books", "Nest and Nook", "Wren Clothing"),
                  ("Christmas present", "Presents for the cousins", "Present for Granny"), 1_700, 6_400,
                  "Gifts given", "Gifts", CARD, JUST_BELOW)  # fmt: skip


def feasts(scene: Scene) -> Iterator[Move]:
    day = scene.day
    christmas = (f"Christmas {day.year}",)
    if day.month == 12 and 1 <= day.day <= 22:
        for move in spending(scene, (_PRESENTS,)):
            yield replace(move, tags=christmas)
    if (day.month, day.day) == (12, 23):
        price = scene.cost(scene.between("turkey", 7_200, 9_800))
        move = spend(day, CURRENT, "Bresnan Butchers", "Turkey and ham", price, "Groceries", "Groceries")
        yield replace(move, tags=christmas)
    for child in CHILDREN:
        age = child.age(day, scene.today)
        if (day.month, day.day) == child.birthday and age > 0:
            price = scene.cost(scene.between("birthday", 9_500, 17_500), TO_THE_EURO)
            about = f"{child.name}'s birthday party"
            move = spend(day, CARD, "Adventure Farm", about, price, "Outings", "Children")
            yield replace(move, notes=f"{child.name} is {age}. Eight children, cake brought along.")
