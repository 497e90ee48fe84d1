"""Lists narrowed by anything: the same as looking at every transaction."""

from decimal import Decimal
from itertools import combinations
from random import Random

import pytest

from farthing.overviews.search import amounts
from farthing.overviews.search import find as search

from ..accounts.making import asset, errors, exact, made
from ..bills.making import a_bill, stored
from ..labels.making import CATEGORY, a_label
from ..transactions.making import a_transaction, posted, posted_one, split, transfer, withdrawal


def found(client, **query):
    response = client.get("/search/transactions", **{"limit": 1000, **query})
    assert response.status_code == 200, response.text
    return exact(response)


def descriptions(client, **query):
    return [one["attributes"]["journal_description"] for one in found(client, **query)["data"]]


def books(client):
    """Thirty transactions; what is known of each, newest first."""
    random = Random(7)
    ids = [made(client, asset(name=name)) for name in ("One", "Two", "Three")]
    bill = stored(client, a_bill(name="Phone", match="phone", amount_min="0.01", amount_max="1000"))
    for number in range(30):
        one, other = random.sample(ids, 2)
        day = f"2024-0{random.randint(1, 4)}-0{random.randint(1, 9)}"
        labels = {"category_name": random.choice(["Food", "Car", None]), "budget_name": random.choice(["Home", None])}
        amount = f"{random.randint(1, 50)}.{random.randint(0, 99):02}"
        words = f"{number} {random.choice(['phone', 'bread', 'ticket'])}"
        one_split = split(source_id=one, amount=amount, **labels)
        body = a_transaction("withdrawal", one_split, tags=random.choice(["sea", "sea,sun", None]))
        if number % 5 == 0:
            body = transfer(one, other, amount, tags="sun")
        posted(client, body | {"date": day, "description": words})
    everything = exact(client.get("/transactions", limit=1000))["data"]
    return ids, int(bill["id"]), [one["attributes"] for one in everything]


@pytest.mark.parametrize("batch", [3, 250])
def test_any_combination_of_filters_equals_a_full_scan(me, monkeypatch, batch):
    monkeypatch.setattr(search, "_BATCH", batch)
    ids, bill_id, everything = books(me)
    label_ids = {
        kind: {one["attributes"][name]: int(one["id"]) for one in me.get(f"/{kind}").json()["data"]}
        for kind, name in (("categories", "name"), ("budgets", "name"), ("tags", "tag"))
    }
    account_id = int(ids[0])
    filters = {
        "account_id": (account_id, lambda one: account_id in (one["source_id"], one["destination_id"])),
        "category_id": (label_ids["categories"]["Food"], lambda one: one["category_name"] == "Food"),
        "budget_id": (label_ids["budgets"]["Home"], lambda one: one["budget_name"] == "Home"),
        "tag_id": (label_ids["tags"]["sun"], lambda one: "sun" in (one["tags"] or "").split(",")),
        "bill_id": (bill_id, lambda one: one["bill_id"] == bill_id),
        "amount_min": ("12.5", lambda one: abs(one["amount"]) >= Decimal("12.5")),
        "amount_max": ("30", lambda one: abs(one["amount"]) <= 30),
        "type": ("transfer", lambda one: one["type"] == "Transfer"),
        "query": ("phone", lambda one: "phone" in one["journal_description"]),
    }
    days = {"start": "2024-02-01", "end": "2024-03-05"}
    in_days = [one for one in everything if days["start"] <= one["date"] <= days["end"]]
    # Every pair, and a third of those of three; every other one within days, and others for each batch.
    threes = list(combinations(filters, 3))[batch % 3 :: 3]
    for number, names in enumerate([*combinations(filters, 1), *combinations(filters, 2), *threes], start=batch):
        asked = {name: filters[name][0] for name in names}
        more, among = (days, in_days) if number % 2 else ({}, everything)
        wanted = [one["journal_description"] for one in among if all(filters[n][1](one) for n in names)]
        assert descriptions(me, **asked, **more) == wanted, (asked, more)


def test_all_filters_must_hold_for_the_same_split(me):
    account_id = made(me, asset())
    halves = [
        split(source_id=account_id, description="half", amount="5", category_name="Food"),
        split(source_id=account_id, description="other half", amount="50", category_name="Car"),
    ]
    posted(me, a_transaction("withdrawal", *halves, description="Both"))
    ids = {one["attributes"]["name"]: one["id"] for one in me.get("/categories").json()["data"]}

    assert descriptions(me, category_id=ids["Food"], amount_max=10) == ["Both", "Both"]  # with all its splits
    assert descriptions(me, category_id=ids["Food"], amount_min=10) == []


def test_a_split_far_down_in_a_long_transaction_is_found(me, monkeypatch):
    monkeypatch.setattr(search, "_BATCH", 1)
    mine, other = made(me, asset()), made(me, asset(name="Other"))
    parts = [split(source_id=mine, description=f"part {n}", category_name="Car" if n == 4 else None) for n in range(6)]
    posted(me, a_transaction("withdrawal", *parts, description="Long"))
    for _ in range(8):  # so that the account is looked through, and not the category
        posted(me, a_transaction("withdrawal", split(source_id=other, category_name="Car")))
    [car] = [one["id"] for one in me.get("/categories").json()["data"]]

    assert descriptions(me, account_id=mine, category_id=car) == ["Long"] * 6


def test_a_foreign_amount_counts_in_its_own_currency(me):
    account_id = made(me, asset())
    one = split(source_id=account_id, amount="1", foreign_amount="163", foreign_currency_code="JPY")
    posted(me, a_transaction("withdrawal", one))

    assert len(descriptions(me, amount_min=160)) == 1
    assert len(descriptions(me, amount_min="0.5", amount_max="1")) == 1
    assert descriptions(me, amount_min=2, amount_max=160) == []


def test_pages_add_up_and_keep_their_filters(me):
    account_id = made(me, asset())
    for day in range(1, 8):
        posted(me, withdrawal(account_id, description=f"Coffee {day}", date=f"2024-04-0{day}"))

    pages = [found(me, account_id=account_id, query="coffee", limit=3, page=number) for number in (1, 2, 3)]

    assert [len(one["data"]) for one in pages] == [3, 3, 1]
    assert pages[0]["meta"]["pagination"]["total"] == 7
    assert f"query=coffee&account_id={account_id}" in pages[0]["links"]["next"]
    assert "searched_from" not in pages[0]["meta"]


def _one_old_and_large(me, monkeypatch):
    monkeypatch.setattr(search, "_BATCH", 2)
    monkeypatch.setattr(search, "LOOKED_AT_MAX", 4)
    account_id = made(me, asset())
    posted(me, withdrawal(account_id, "900", date="2024-03-01", description="Old and large"))
    for day in range(1, 21):
        posted(me, withdrawal(account_id, "1", date=f"2024-04-{day:02}", description="Old" if day % 2 else "large"))


@pytest.mark.parametrize("asked", [{"amount_min": 500}, {"query": "old large"}], ids=["amount", "words"])
def test_a_long_scan_stops_and_says_where(me, monkeypatch, asked):
    _one_old_and_large(me, monkeypatch)
    monkeypatch.setattr(amounts, "FEW", 0)  # as if many had such an amount

    first = found(me, **asked)
    assert (first["data"], first["meta"]["searched_from"][:7]) == ([], "2024-04")

    days = {"start": "2020-01-01", "end": "2024-03-31"}
    assert descriptions(me, **asked, **days) == ["Old and large"]


def test_an_amount_that_few_have_is_found_at_once(me, monkeypatch):
    _one_old_and_large(me, monkeypatch)

    assert descriptions(me, amount_min=500) == ["Old and large"]
    assert descriptions(me, amount_min="900.01") == []


def test_with_a_full_page_matches_are_counted_up_to_a_limit(me, monkeypatch):
    monkeypatch.setattr(search, "_BATCH", 2)
    monkeypatch.setattr(search, "_COUNTED_AMONG", 0)
    account_id = made(me, asset())
    for day in range(1, 9):
        posted(me, withdrawal(account_id, date=f"2024-04-0{day}"))

    page = found(me, account_id=account_id, limit=2)

    assert len(page["data"]) == 2
    assert page["meta"]["pagination"]["total"] == 6  # at least
    assert len(found(me, account_id=account_id, limit=2, page=4)["data"]) == 2


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"category_id": "x"}, ["category_id"]),
        ({"amount_min": "0"}, ["amount_min"]),
        ({"amount_min": "2", "amount_max": "1"}, ["amount_min", "amount_max"]),
        ({"amount_max": "1e3"}, ["amount_max"]),
        ({"tag_id": "1", "start": "x", "end": "2024-01-01"}, ["start"]),
        ({"tag_id": "1", "query": "***"}, ["query"]),
        ({"start": "2024-01-01", "end": "2024-01-02"}, ["query"]),
    ],
)
def test_invalid_filters_are_refused(me, query, fields):
    assert list(errors(me.get("/search/transactions", **query))) == fields


def test_transactions_of_other_users_are_not_found(me, someone_else):
    account_id = made(me, asset())
    posted_one(me, withdrawal(account_id))

    assert descriptions(someone_else, account_id=account_id) == []
    assert descriptions(someone_else, amount_min=1) == []


def test_a_category_finds_its_sub_categories_if_they_are_folded(me):
    food = a_label(me, CATEGORY, "Food")
    a_label(me, CATEGORY, "Bread", parent_id=food)
    checking = made(me, asset())
    for name in ("Food", "Bread", "Car"):
        one_split = split(source_id=checking, amount="1", category_name=name)
        posted(me, a_transaction("withdrawal", one_split) | {"description": name})

    folded = {"category_id": food, "children": "fold"}

    assert descriptions(me, category_id=food) == ["Food"]
    assert sorted(descriptions(me, **folded)) == ["Bread", "Food"]
    assert me.get("/transactions/matching", **folded).json()["data"]["matching"] == 2
    assert errors(me.get("/search/transactions", category_id=food, children="all")).keys() == {"children"}
