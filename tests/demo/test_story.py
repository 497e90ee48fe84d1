"""The household's story: always the same, never overdrawn, like life."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

import pytest

from farthing.demo.scene import (
    CAR_LOAN,
    CARD,
    CURRENT,
    DOLLARS,
    HOLIDAY_FUND,
    MORTGAGE,
    SATURDAY,
    SAVINGS,
    Move,
    Scene,
    book,
    falls_on,
    month_end,
)  # fmt: skip
from farthing.demo.story import Story, tell

TODAY = date(2024, 5, 15)
# An ordinary day, a leap day, New Year's Day, the end of a year, a day in the middle of a trip, a century ago.
DAYS = (TODAY, date(2024, 2, 29), date(2026, 1, 1), date(2025, 12, 31), date(2026, 10, 28), date(1925, 7, 20))

# A long story takes seconds to tell; several tests look at the same one.
told = cache(tell)


def balances(story: Story) -> Iterator[tuple[date, Counter[str]]]:
    """Yields the balances at the end of each day on which something moved."""
    running = Counter({account.name: account.cents for account in story.accounts})
    for index, move in enumerate(story.moves):
        book(running, move)
        if index + 1 == len(story.moves) or story.moves[index + 1].on != move.on:
            yield move.on, Counter(running)


def about(story: Story, words: str) -> list[Move]:
    return [move for move in story.moves if words in move.about]


def test_the_same_arguments_tell_the_same_story() -> None:
    assert tell(TODAY, 2) == tell(TODAY, 2)


def test_chance_is_the_same_on_every_machine() -> None:
    scene = Scene(begins_on=TODAY, today=TODAY, seed=1662, day=TODAY, cents=Counter())

    assert [scene.draw(topic, 1000) for topic in ("bread", "rain")] == [230, 849]
    assert scene.between("bread", 100, 200) == 160


def test_another_seed_tells_another_story() -> None:
    assert tell(TODAY, 1, seed=1).moves != tell(TODAY, 1, seed=2).moves


@pytest.mark.parametrize("today", DAYS, ids=str)
@pytest.mark.parametrize("years", [1, 2])
def test_it_begins_with_a_whole_month_so_many_years_ago_and_ends_today(today: date, years: int) -> None:
    story = told(today, years)

    days = [move.on for move in story.moves]
    assert (story.begins_on.year, story.begins_on.month, story.begins_on.day) == (today.year - years, today.month, 1)
    assert days == sorted(days)
    assert days[0] - story.begins_on <= timedelta(days=2)
    assert timedelta(days=0) <= today - days[-1] <= timedelta(days=2)
    assert 700 * years < len(days) < 1400 * years


@pytest.mark.parametrize(("today", "years"), [(TODAY, 10), *((day, 2) for day in DAYS)], ids=str)
def test_nobody_is_ever_overdrawn_and_all_balances_stay_those_of_a_household(today: date, years: int) -> None:
    for day, cents in balances(told(today, years)):
        assert 0 <= cents[CURRENT] < 2_000_000, day
        assert 100_000 <= cents[SAVINGS] < 4_000_000, day
        assert 0 <= cents[HOLIDAY_FUND] < 1_000_000, day
        assert 0 <= cents[DOLLARS] < 300_000, day
        assert -700_000 < cents[CARD] <= 0, day


@pytest.mark.parametrize("years", [1, 9])
def test_the_mortgage_and_the_car_loan_shrink_with_every_instalment(years: int) -> None:
    story = told(TODAY, years)

    for debt, word in ((MORTGAGE, "Mortgage instalment"), (CAR_LOAN, "Car loan instalment")):
        paid_on = {move.on for move in about(story, word)}
        owed = [-cents[debt] for day, cents in balances(story) if day in paid_on]
        assert len(owed) >= 12
        assert all(later < earlier for earlier, later in pairwise(owed))
        assert owed[-1] > 0


def test_each_instalment_follows_its_interest_of_a_twelfth_of_the_yearly_rate() -> None:
    story = told(TODAY, 1)

    first = about(story, "Mortgage interest")[0]
    owed = -next(account.cents for account in story.accounts if account.name == MORTGAGE)
    assert (first.source, first.type) == (MORTGAGE, "withdrawal")
    assert first.cents == round(owed * 2.95 / 1200)


def test_the_card_is_paid_in_full_each_month_for_the_month_before() -> None:
    story = told(TODAY, 2)

    bills = about(story, "Credit card bill")
    assert len(bills) == 24  # nothing was on it when the story began
    for bill in bills:
        statement_on = bill.on.replace(day=1) - timedelta(days=1)
        card = [(day, cents[CARD]) for day, cents in balances(story) if day <= statement_on]
        on_its_way = sum(
            move.cents for move in about(story, "Returned") if statement_on < move.on <= statement_on + timedelta(9)
        )
        assert -card[-1][1] - on_its_way <= bill.cents <= -card[-1][1]


def test_banks_do_not_work_on_weekends() -> None:
    story = told(TODAY, 5)

    for words in ("Rent ", "Salary", "Mortgage", "Car loan", "Credit card bill", "Standing order", "insurance"):
        moves = about(story, words)
        assert moves
        assert all(move.on.weekday() < SATURDAY for move in moves), words


def test_the_rent_is_round_and_rises_once_a_year() -> None:
    rents = [(move.on, move.cents) for move in about(told(TODAY, 5), "Rent ") if move.type == "withdrawal"]

    assert all(cents % 1000 == 0 for _, cents in rents)
    steps = [later_on for (_, before), (later_on, after) in pairwise(rents) if after > before]
    assert [day.month for day in steps] == [9] * 5


def test_winters_cost_more_heating_than_summers_and_prices_rise() -> None:
    story = told(TODAY, 10)

    gas = about(story, "Gas")
    winter = [move.cents for move in gas if move.on.month == 2]
    summer = [move.cents for move in gas if move.on.month == 8]
    shops = [move.cents for move in about(story, "Weekly shop")]
    assert min(winter) > 3 * max(summer)
    assert sum(shops[-50:]) > 1.15 * sum(shops[:50])


@pytest.mark.parametrize("today", DAYS, ids=str)
def test_every_year_has_its_trips_with_foreign_money(today: date) -> None:
    story = told(today, 1)

    kinds = {(move.type, move.currency, move.foreign_code) for move in story.moves}
    assert {
        ("withdrawal", "EUR", "GBP"),
        ("withdrawal", "EUR", "USD"),
        ("withdrawal", "USD", None),
        ("deposit", "USD", None),
        ("transfer", "EUR", "USD"),
    } <= kinds
    tags = {tag.split()[0] for move in story.moves for tag in move.tags}
    assert {"London", "Brittany", "Boston"} <= tags


def test_away_from_home_nobody_shops_at_home() -> None:
    story = told(TODAY, 2)

    away = [move.on for move in story.moves if move.about in ("Dinner in Boston", "Crêpes", "Dinner in London")]
    at_home = {move.on for move in about(story, "Weekly shop")}
    assert away
    assert not at_home & set(away)


def test_it_has_all_that_a_household_has() -> None:
    story = told(TODAY, 2)

    parts = [part for move in story.moves for part in move.parts]
    assert {"Groceries", "Rent", "Electricity", "Insurance", "Restaurants", "Salary"} <= {one.category for one in parts}
    assert {"Groceries", "Eating out", "Transport", "Children", "Leisure", "Holidays"} <= {one.budget for one in parts}
    assert any(len(move.parts) > 1 for move in story.moves)
    assert any("refund" in move.tags for move in story.moves)
    assert any(move.notes for move in story.moves)
    assert {move.type for move in story.moves if None in (move.source, move.destination)} == {"withdrawal", "deposit"}


def test_a_returned_thing_was_bought_before_at_the_same_price() -> None:
    story = told(TODAY, 5)

    refunds = about(story, "Returned: ")
    assert refunds
    for refund in refunds:
        bought = [move for move in story.moves if move.destination == refund.source and move.cents == refund.cents]
        assert any(move.on == refund.on - timedelta(days=9) for move in bought)


def test_wages_come_before_a_weekend_and_bills_after_it() -> None:
    saturday, sunday, friday, monday = (date(2024, 6, number) for number in (15, 16, 14, 17))

    assert [falls_on(day, 15, "before") for day in (friday, saturday, monday)] == [True, False, False]
    assert [falls_on(day, 16) for day in (saturday, sunday, monday)] == [False, False, True]
    assert month_end(date(2024, 2, 3)) == date(2024, 2, 29)
