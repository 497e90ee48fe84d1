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


def places_at(*payees: str | None, buying: tuple[str, ...]) -> Places:
    """Every combination of payee and purchase."""
    return tuple((payee, about) for payee in payees for about in buying)


_EATERIES = ("Paddy's Kitchen", "The Quay", "Trattoria Lucia", "Saffron House", "Marina Noodle Bar")
_BAKERIES = ("O'Shea's Bakery", "Corner Café")
_DINNERS = ("Dinner out", "Dinner with friends", "Family dinner")
_FILLING_STATIONS = ("Blackrock Fuels", "Coast Road Filling Station")

HABITS = (
    Habit("top-up", (TUESDAY, THURSDAY), 700, places_at("Corner Dairy", "Tidewell Supermarket", buying=("Milk, bread, fruit",
          "Bits and pieces", "Groceries")), 1_600, 4_200, "Groceries", "Groceries"),
    Habit("market", (SUNDAY,), 350, places_at("Quayside Market", buying=("Vegetables and fish", "Cheese and bread")),
          1_800, 3_900, "Groceries", "Groceries"),
    Habit("bakery", EVERY_DAY, 110, places_at(*_BAKERIES, buying=("Bread and rolls", "Coffee and cake")), 520, 1_250,
          "Coffee and bakery", "Eating out"),
    Habit("coffee", WORKDAYS, 200, places_at("Corner Café", "Hospital Canteen", buying=("Coffee",)), 340, 460,
          "Coffee and bakery", "Eating out", rounded=TO_THE_DIME),
    Habit("lunch", (TUESDAY, WEDNESDAY, THURSDAY), 380, places_at("Hospital Canteen", "Soup Stop", buying=("Lunch",)),
          750, 1_350, "Restaurants", "Eating out", rounded=TO_THE_HALF),
    Habit("dinner", (FRIDAY, SATURDAY), 360, places_at(*_EATERIES, buying=_DINNERS), 4_200, 10_500,
          "Restaurants", "Eating out", CARD, TO_THE_HALF, treat=True),
    Habit("takeaway", (FRIDAY, SUNDAY), 260, (("Golden Wok", "Takeaway"), ("Pizza Ponte", "Pizza night")),
          2_300, 4_400, "Restaurants", "Eating out", CARD, TO_THE_HALF, treat=True),
    Habit("fuel", EVERY_DAY, 115, places_at(*_FILLING_STATIONS, buying=("Diesel",)), 4_800, 7_600, "Car", "Transport", CARD),
    Habit("bus", (MONDAY,), 450, places_at("City Buses", buying=("Travel card top-up",)), 2_000, 2_000, "Public transport",
          "Transport", rounded=TO_THE_TEN),
    Habit("parking", SHOP_DAYS, 70, places_at("City Car Park", buying=("Parking",)), 300, 950, "Car", "Transport",
          rounded=TO_THE_DIME),
    Habit("pharmacy", SHOP_DAYS, 55, places_at("Northgate Pharmacy", buying=("Pharmacy", "Cold remedies", "Plasters")),
          650, 2_900, "Health"),
    Habit("doctor", WORKDAYS, 22, places_at("Shandon Medical Centre", buying=("Doctor, Niamh", "Doctor, Cillian",
          "Doctor, Aoife")), 6_000, 6_000, "Health", rounded=TO_THE_HALF, months=WINTER, tags=("tax",)),
    Habit("dentist", WORKDAYS, 12, places_at("Washington Street Dental", buying=("Dentist",)), 6_500, 19_000, "Health",
          rounded=TO_THE_HALF, tags=("tax",), notes="Receipt kept for the tax return."),
    Habit("hair", SHOP_DAYS, 55, places_at("Snip and Co", buying=("Haircut", "Haircut, children")), 2_200, 6_800,
          "Personal care", rounded=TO_THE_HALF),
    Habit("books", SHOP_DAYS, 50, places_at("Lapwing Books", buying=("Books", "Book and a card")), 999, 3_200, "Books",
          "Leisure", CARD, JUST_BELOW, treat=True),
    Habit("cinema", WEEKEND, 70, places_at("Lantern Cinema", buying=("Cinema",)), 2_800, 4_600, "Outings", "Leisure", CARD,
          TO_THE_HALF, treat=True),
    Habit("outing", WEEKEND, 140, places_at("Rosehill Gardens", "Lifeboat Museum", "Adventure Farm", buying=("Day out",)),
          2_400, 5_600, "Outings", "Leisure", rounded=TO_THE_HALF, months=(4, *SUMMER, 9), treat=True),
    Habit("garden", WEEKEND, 160, places_at("Riverside Garden Centre", buying=("Plants and soil", "Seeds and pots")),
          1_400, 6_800, "Home and garden", "Household", CARD, JUST_BELOW, SPRING, treat=True),
    Habit("home", SHOP_DAYS, 55, (("Hardware on the Hill", "Paint and screws"), ("Hardware on the Hill", "Lamps"),
          ("Nest and Nook", "Bed linen"), ("Nest and Nook", "Kitchen things")), 1_200, 7_900, "Home and garden",
          "Household", CARD, JUST_BELOW),
    Habit("cat", SHOP_DAYS, 45, places_at("Paws and Claws", buying=("Cat food", "Cat litter and food")), 1_900, 4_200, "Cat",
          "Household"),
    Habit("vet", WORKDAYS, 7, places_at("Douglas Vets", buying=("Vet",)), 5_500, 14_000, "Cat", "Household",
          rounded=TO_THE_HALF),
    Habit("cash", (FRIDAY, SATURDAY), 300, places_at(None, buying=("Cash machine",)), 4_000, 10_000, "Cash",
          rounded=TO_THE_TEN * 2),
    Habit("party", (SATURDAY,), 150, places_at("Toy Attic", buying=("Present for a children's party",)), 1_400, 2_600,
          "Gifts given", "Gifts", CARD, JUST_BELOW),
    Habit("flat repairs", WORKDAYS, 6, (("Mallow Plumbing", "Tap in the Mallow flat"), ("Barry Electrical",
          "Wiring in the Mallow flat")), 9_000, 31_000, "Property", rounded=TO_THE_HALF, tags=("Mallow flat", "tax")),
    Habit("car repairs", WORKDAYS, 4, places_at("Glanmire Garage", buying=("New brake pads", "New tyres", "New battery")),
          14_000, 42_000, "Car", "Transport", CARD, TO_THE_HALF),
    Habit("brushes", WORKDAYS, 12, places_at("Pixel Brushes", buying=("Brushes for the tablet",)), 499, 2_400,
          "Freelance costs", account=DOLLARS, rounded=JUST_BELOW, tags=("tax",)),
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
    parts = [StorySplit(food, "Food", "Groceries", "Groceries")]
    if scene.happens("cleaning things", 300):
        extra = scene.cost(scene.between("cleaning things", 900, 3_200))
        parts.append(StorySplit(extra, "Cleaning and paper", "Household", "Household"))
    if scene.happens("school things", 110):
        extra = scene.cost(scene.between("school things", 600, 2_400))
        parts.append(StorySplit(extra, "Things for school", "School", "Children"))
    if len(parts) == 1:
        parts = [replace(parts[0], about=None)]
    yield Move(scene.day, "withdrawal", CURRENT, "Tidewell Supermarket", "Weekly shop", tuple(parts))


_CLOTHES = Habit("clothes", SHOP_DAYS, 62, places_at("Threadneedle", "Wren Clothing", "Little Oaks", buying=("Clothes",
                 "Shoes", "Jacket", "Clothes for the children")), 1_900, 9_900, "Clothing", None, CARD,
                 JUST_BELOW, treat=True)  # fmt: skip
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


_PRESENTS = Habit("presents", EVERY_DAY, 480, places_at("Toy Attic", "Lapwing Books", "Nest and Nook", buying=(
                  "Christmas present", "Presents for the cousins", "Present for Granny")), 1_700, 6_400,
                  "Gifts given", "Gifts", CARD, JUST_BELOW)  # fmt: skip


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
