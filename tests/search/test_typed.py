"""Searches as a person types them mean the same filters as those that are chosen one by one."""

from datetime import date
from decimal import Decimal

import pytest

from farthing.overviews.typed.amounts import AmountRange, read_amounts
from farthing.overviews.typed.days import read_days
from farthing.overviews.typed.parse import parse
from farthing.overviews.typed.region import find_region

from ..conftest import Client
from .test_search import a_withdrawal, checking, found

__all__ = ["checking"]
TODAY = date(2026, 11, 19)  # a Thursday


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("july", "2026-07-01", "2026-07-31"),
        ("december", "2025-12-01", "2025-12-31"),
        ("feb 2024", "2024-02-01", "2024-02-29"),
        ("2026-03", "2026-03-01", "2026-03-31"),
        ("2024", "2024-01-01", "2024-12-31"),
        ("2026-03..2026-05", "2026-03-01", "2026-05-31"),
        ("yesterday", "2026-11-18", "2026-11-18"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("this week", "2026-11-15", "2026-11-21"),
        ("last quarter", "2026-07-01", "2026-09-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("last 30 days", "2026-10-21", "2026-11-19"),
        ("last 3 months", "2026-08-20", "2026-11-19"),
        ("q1 2025", "2025-01-01", "2025-03-31"),
        ("15 march", "2026-03-15", "2026-03-15"),
        ("march 15 2024", "2024-03-15", "2024-03-15"),
        ("03/04/2026", "2026-03-04", "2026-03-04"),
        ("12/24", "2025-12-24", "2025-12-24"),
    ],
)
def test_days_are_read_as_people_write_them(text: str, start: str, end: str) -> None:
    days = read_days(text.split(), TODAY, find_region("en_US"))

    assert days is not None
    assert (str(days.start), str(days.end)) == (start, end)


@pytest.mark.parametrize(
    "text", ["jan", "31 april", "2026-13", "2026-02-30", "1834", "last", "20 000", "mayonnaise", "1/1/0001", ""]
)
def test_what_is_no_day_is_not_read_as_one(text: str) -> None:
    assert read_days(text.split(), TODAY, find_region("en_US")) is None


def test_a_region_has_its_own_order_of_days_names_of_months_and_first_day_of_the_week() -> None:
    german = find_region("de_DE")

    for text, start in (("3.4.2026", "2026-04-03"), ("märz 2025", "2025-03-01"), ("this week", "2026-11-16")):
        days = read_days([*map(str, text.replace("ä", "a").split())], TODAY, german)
        assert days is not None
        assert str(days.start) == start


@pytest.mark.parametrize(
    ("text", "language", "lowest", "highest"),
    [
        ("8,40", "de_DE", "8.40", "8.40"),
        ("8.40", "en_US", "8.40", "8.40"),
        ("8,40", "en_US", "8.40", "8.40"),
        ("1.234", "de_DE", "1234", "1234"),
        ("1.234,50", "de_DE", "1234.50", "1234.50"),
        ("1,234.50", "en_US", "1234.50", "1234.50"),
        ("0.500", "en_US", "0.500", "0.500"),
        ("€8", "en_US", "8", "8"),
        ("-8,40€", "de_DE", "8.40", "8.40"),
        (">20", "en_US", "20.01", None),
        (">=20", "en_US", "20", None),
        ("<5,50", "de_DE", None, "5.49"),
        ("4-10", "en_US", "4", "10"),
        ("1.234", "en_US", "1.234", "1.234"),
    ],
)
def test_amounts_are_read_as_the_region_writes_them(
    text: str, language: str, lowest: str | None, highest: str | None
) -> None:
    expected = AmountRange(lowest=lowest and Decimal(lowest), highest=highest and Decimal(highest))  # type: ignore[arg-type]
    assert read_amounts(text, find_region(language)) == expected


@pytest.mark.parametrize(
    "text", ["42", "10-4", "1,2,3", "<0", "a1", ">", "4-", "0,00", "9" * 20 + ".1", "..", "1'2'3", "٣,٤٠"]
)
def test_what_is_no_amount_is_not_read_as_one(text: str) -> None:
    assert read_amounts(text, find_region("en_US")) is None


def test_the_parts_of_a_typed_search_are_told_apart() -> None:
    def read(text: str):
        return parse(text, today=TODAY, region=find_region("en_US"), smallest=Decimal("0.01"))

    query = read('coffee july > 4 <9.5 expense category:"Eating out" "may" since:2026-07-10 no:budget http://x #sea')

    assert query.words == ("coffee", '"may"', "http://x")
    assert (query.lowest, query.highest, query.type) == (Decimal("4.01"), Decimal("9.49"), "withdrawal")
    assert (str(query.start), str(query.end)) == ("2026-07-10", "2026-07-31")
    assert query.names == {"category_id": "Eating out", "tag_id": "sea"}
    assert query.no_budget
    assert query.problems == ()
    assert len(read('income expense type:x on:x amount:x no:x july may category:"" tag:a tag:b >9 <4').problems) == 9
    assert read("category: food since: july 2026").names == {"category_id": "food"}


@pytest.mark.parametrize("text", [">foo", ">", "9999-99", "2026-02-31", "category:", "since:"])
def test_what_is_half_typed_does_not_silently_become_a_word(text: str) -> None:
    def read(text: str):
        return parse(text, today=TODAY, region=find_region("en_US"), smallest=Decimal("0.01"))

    assert (read(text).words, len(read(text).problems)) == ((), 1)
    assert (read(f'"{text}"').words, read(f'"{text}"').problems) == ((f'"{text}"',), ())


@pytest.fixture
def cafe(me: Client, checking: int) -> None:
    a_withdrawal(me, checking, "Coffee", "2024-03-05", amount="4.50", category_name="Café", destination_name="Bar Łódź")
    a_withdrawal(me, checking, "Coffee beans", "2024-02-05", amount="12.00", category_name="Food")
    a_withdrawal(me, checking, "Tea", "2024-03-06", amount="1200")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("coffee march >4", ["Coffee"]),
        ("coffee", ["Coffee", "Coffee beans"]),
        ("category:cafe", ["Coffee"]),
        ('payee:"bar lodz" 4.50', ["Coffee"]),
        ("since:march 2024 expense", ["Tea", "Coffee"]),
        ("to:feb 2024 expense", ["Coffee beans"]),
        ("<=4.50", ["Coffee"]),
        ("1200", ["Tea"]),
        ("expense 2024-02", ["Coffee beans"]),
        ("income", []),
    ],
)
def test_a_typed_search_finds_the_same_as_the_filters_that_it_means(
    me: Client, cafe: None, typed: str, expected: list[str]
) -> None:
    response = me.get("/search/transactions", q=typed)
    assert response.status_code == 200, response.text
    assert [one["attributes"]["description"] for one in response.json()["data"]] == expected

    meant = me.get("/search/understood", q=typed).json()["data"]
    assert meant.pop("problems") == []
    meant.pop("names")
    if "start" in meant or "end" in meant:
        meant = {"start": "2010-01-01", "end": "2024-12-31"} | meant
    assert found(me, meant.pop("query", ""), **meant) == expected
    assert me.get("/transactions/matching", q=typed).json()["data"]["matching"] == len(expected)


def test_what_is_not_understood_is_refused_with_a_sentence(me: Client, cafe: None) -> None:
    typed = "coffee category:cars on:never"
    problems = ["“never” is not a day, month or year.", "No category is called “cars”."]
    assert me.get("/search/transactions", q=typed).json()["errors"] == {"q": problems}
    understood = me.get("/search/understood", q=typed).json()["data"]
    assert understood == {"query": "coffee", "names": {}, "problems": problems}
    assert me.get("/search/understood", q=" ").json()["errors"].keys() == {"q"}
    assert me.get("/search/transactions", q="x" * 256).json()["errors"].keys() == {"q"}


def test_names_are_those_of_the_own_books(me: Client, someone_else: Client, cafe: None) -> None:
    assert me.get("/search/understood", q="category:food").json()["data"]["names"] == {"category_id": "Food"}
    others = someone_else.get("/search/understood", q="category:food").json()["data"]
    assert others == {"names": {}, "problems": ["No category is called “food”."]}
