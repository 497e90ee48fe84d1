"""All words, wherever they stand, newest first, the same on both databases."""

from random import Random
from typing import Any

import pytest

from farthing.books.transactions.index.words import SearchWords, parse_query, words_in
from farthing.overviews.search import find as search
from farthing.overviews.search import word_matches
from farthing.storage.migrations import plain_words

from ..conftest import Client


@pytest.fixture
def checking(me: Client) -> int:
    return an_asset(me, "Checking at Bankhaus")


def an_asset(me: Client, name: str) -> int:
    body = {"name": name, "type": "asset", "currency_code": "EUR", "active": 1, "include_net_worth": 1}
    return int(me.post("/accounts", body | {"account_role": "defaultAsset"}).json()["data"]["id"])


def a_withdrawal(me: Client, source_id: int, description: str, on: str = "2024-05-01", **more: Any) -> int:
    split = {"amount": more.pop("amount", "1"), "currency_code": "EUR", "source_id": source_id}
    split |= {name: more.pop(name) for name in ("destination_name", "category_name") if name in more}
    body = {"type": "withdrawal", "date": on, "description": description, "transactions": [split], **more}
    response = me.post("/transactions", body)
    assert response.status_code == 200, response.text
    return int(response.json()["data"][0]["id"])


def found(me: Client, query: str, **parameters: Any) -> list[str]:
    response = me.get("/search/transactions", query=query, **parameters)
    assert response.status_code == 200, response.text
    return [one["attributes"]["description"] for one in response.json()["data"]]


def test_all_words_must_occur_ignoring_case(me: Client, checking: int) -> None:
    a_withdrawal(me, checking, "Rent for May")
    a_withdrawal(me, checking, "Rent a car")

    assert found(me, "may RENT") == ["Rent for May"]
    assert found(me, "rent") == ["Rent a car", "Rent for May"]
    assert found(me, "rent train") == []


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("umbrella", {"notes": "One umbrella, red."}),
        ("inv42", {"internal_reference": "INV42"}),
        ("vineyard", {"destination_name": "Vineyard & Sons"}),
        ("hobbies", {"category_name": "Hobbies"}),
        ("summer", {"tags": "Summer, beach"}),
        ("bankhaus", {}),
        ("ÜBERWEISUNG", {"notes": "u\u0308berweisung"}),
        ("cafe", {"notes": "Café"}),
        ("muller", {"destination_name": "Müller"}),
        ("mueller", {"category_name": "Müller"}),
        ("Müller", {"notes": "MUELLER GMBH"}),
        ("strasse", {"tags": "Straße"}),
        ("smor lodz", {"notes": "smørrebrød", "destination_name": "Łódź"}),
    ],
)
def test_every_place_is_searched(me: Client, checking: int, query: str, place: dict[str, str]) -> None:
    a_withdrawal(me, checking, "Found it", **place)

    assert found(me, query) == ["Found it"]


def test_a_word_stands_for_its_beginning_unless_it_is_quoted(me: Client, checking: int) -> None:
    a_withdrawal(me, checking, "Groceries", destination_name="Supermarket")

    assert found(me, "groc") == found(me, "groc* super*") == found(me, '"groceries" super') == ["Groceries"]
    assert found(me, '"groc"') == []


def test_parts_of_words_are_found_when_asked_or_when_nothing_else_is(me: Client, checking: int) -> None:
    a_withdrawal(me, checking, "Einkauf Spätkauf", destination_name="Supermarkt")
    a_withdrawal(me, checking, "Kaufhof", destination_name="Schuhe")

    assert found(me, "kauf") == ["Kaufhof"]
    assert found(me, "*kauf") == ["Kaufhof", "Einkauf Spätkauf"]
    response = me.get("/search/transactions", query="markt tkau").json()
    assert [one["attributes"]["description"] for one in response["data"]] == ["Einkauf Spätkauf"]
    assert response["meta"]["widened"] is True
    assert me.get("/transactions/matching", query="markt").json()["data"]["matching"] == 1
    assert me.get("/search/transactions", query='"markt"').json()["data"] == []
    start = {"query": "markt", "start": "2024-01-01", "end": "2024-12-31"}
    assert me.get("/reports/totals", **start).json() == me.get("/reports/totals", **start | {"query": "*markt"}).json()


def test_words_stored_before_accents_were_ignored_are_found_after_the_migration(me: Client, checking: int) -> None:
    a_withdrawal(me, checking, "Café crème")
    with me.books.writing() as db:
        db.run("UPDATE words SET plain = NULL")
        plain_words.fill(db)

    assert found(me, "creme cafe") == ["Café crème"]


def test_renaming_an_account_takes_effect_at_once(me: Client, checking: int) -> None:
    a_withdrawal(me, checking, "Old friend")
    body = {"name": "Moneybox", "currency_code": "EUR", "active": 1, "include_net_worth": 1}
    me.put(f"/accounts/{checking}", body | {"account_role": "defaultAsset"})

    assert found(me, "moneybox") == ["Old friend"]
    assert found(me, "bankhaus") == []


def test_what_is_changed_or_deleted_is_no_longer_found(me: Client, checking: int) -> None:
    kept = a_withdrawal(me, checking, "Before")
    split = {"amount": "1", "currency_code": "EUR", "source_id": checking}
    me.put(f"/transactions/{kept}", {"date": "2024-05-02", "description": "After", "transactions": [split]})

    assert found(me, "before") == []
    assert found(me, "after") == ["After"]
    me.delete(f"/transactions/{kept}")
    assert found(me, "after") == []


def test_nobody_finds_what_belongs_to_someone_else(me: Client, someone_else: Client, checking: int) -> None:
    a_withdrawal(me, checking, "Secret present")

    assert found(someone_else, "secret") == []


def test_pages_are_newest_first_and_add_up(me: Client, checking: int) -> None:
    for day in range(1, 8):
        a_withdrawal(me, checking, f"Coffee {day}", on=f"2024-04-0{day}")

    pages = [found(me, "coffee", limit=3, page=number) for number in (1, 2, 3)]

    assert pages == [["Coffee 7", "Coffee 6", "Coffee 5"], ["Coffee 4", "Coffee 3", "Coffee 2"], ["Coffee 1"]]
    assert me.get("/search/transactions", query="coffee", limit=3).json()["meta"]["pagination"]["total"] == 7


def test_a_query_without_a_word_is_refused(me: Client) -> None:
    for query in ("", "  ", "***"):
        assert "query" in me.get("/search/transactions", query=query).json()["errors"]


@pytest.mark.parametrize(("batch", "dense"), [(1, 4), (3, 4), (3, 0), (250, 4), (250, 0)])
@pytest.mark.parametrize(("names_max", "words_max"), [(0, 200), (100, 200), (100, 1)])
def test_search_equals_a_full_scan(
    me: Client, checking: int, monkeypatch: pytest.MonkeyPatch, batch: int, dense: int, names_max: int, words_max: int
) -> None:
    monkeypatch.setattr(search, "_BATCH", batch)
    monkeypatch.setattr(search, "_DENSE", dense)
    monkeypatch.setattr(search, "_NAMES_MAX", names_max)
    monkeypatch.setattr(word_matches, "_WORDS_MAX", words_max)
    random = Random(batch + names_max)
    words = ["red", "green", "blue", "checking", "shop"]
    made = []
    for number in range(30):
        description = f"{number} {' '.join(random.sample(words, random.randint(1, 3)))}"
        shop = random.choice(["Shop", "Red house", ""])
        on = f"2024-0{random.randint(1, 5)}-1{random.randint(0, 3)}"
        a_withdrawal(me, checking, description, on=on, destination_name=shop)
        made.append((on, number, description, words_in(description, shop or "Cash account", "Checking at Bankhaus")))

    for query in ("red", "red shop", "checking green", "blue red shop", "cash", "gre* s*", "r", "b h *lu", "1 g"):
        expected = [
            description
            for _, _, description, held in sorted(made, key=lambda one: one[:2], reverse=True)
            if all(one.fits(held) for one in parse_query(query))  # all words are plain
        ]
        assert found(me, query) == expected, query


def test_punctuation_inside_a_word_splits_it_as_in_the_texts() -> None:
    foo, bar, baz = SearchWords("foo"), SearchWords("bar", beginning=True), SearchWords("baz")
    assert parse_query('Foo-bar "baz"') == [foo, bar, baz]
    assert words_in("Foo-bar's") == {"foo", "bar", "s"}
