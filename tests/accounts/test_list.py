"""Which accounts are listed, in which order, on which page? Every filter word, and pages that never shift."""

from urllib.parse import parse_qs, urlsplit

import pytest

from .making import asset, books_of, card, errors, expense, liability, made, names, revenue

LIABILITIES = {"Loan": "loan", "Debt": "debt", "Mortgage": "mortgage", "Card debt": "credit card"}
OWED = sorted(LIABILITIES)
HIDDEN = ["Bank (initial balance)", *sorted(f"{name} (initial balance)" for name in LIABILITIES)]
SPECIAL = sorted(["Cash account", *HIDDEN])
ALL = sorted(["Bank", "Grocer", "Employer", "Visa", "Cash account", *OWED, *HIDDEN], key=str.casefold)


@pytest.fixture
def household(me):
    """An account of every kind that can be made, and the helpers and the cash account that come by themselves."""
    made(me, asset(name="Bank", opening_balance="1", opening_balance_date="2024-01-01"))
    made(me, card(name="Visa"))
    made(me, expense(name="Grocer"))
    made(me, revenue(name="Employer"))
    for name, word in LIABILITIES.items():
        made(me, liability(name=name, liability_type=word))
    return me


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("all", ALL),
        ("asset", ["Bank", "Visa"]),
        ("cash", ["Cash account"]),
        ("expense", ["Grocer"]),
        ("revenue", ["Employer"]),
        ("special", SPECIAL),
        ("hidden", HIDDEN),
        ("liability", OWED),
        ("liabilities", OWED),
        ("debt", ["Debt"]),
        ("loan", ["Loan"]),
        ("mortgage", ["Mortgage"]),
        ("credit card", ["Card debt"]),
        ("credit_card", ["Card debt"]),
        ("creditcard", ["Card debt"]),
        ("cc", ["Card debt"]),
        ("Asset account", ["Bank", "Visa"]),
        ("Cash account", ["Cash account"]),
        ("Expense account", ["Grocer"]),
        ("Revenue account", ["Employer"]),
        ("Initial balance account", HIDDEN),
        ("Loan", ["Loan"]),
        ("Debt", ["Debt"]),
        ("Mortgage", ["Mortgage"]),
        ("Credit card", ["Card debt"]),
        ("Default account", []),
        ("Beneficiary account", []),
        ("Import account", []),
        ("Reconciliation account", []),
    ],
)
def test_a_filter_word_shows_its_kinds(household, word, expected):
    response = household.get("/accounts", type=word)

    assert sorted(names(response)) == sorted(expected)
    assert response.json()["meta"]["pagination"]["total"] == len(expected)


@pytest.mark.parametrize(
    "word", ["", " ", "nonsense", "ASSET", "Exchange account", "exchange", "asset,cash", "\0", "💶"]
)
def test_an_unknown_word_shows_all(household, word):
    assert names(household.get("/accounts", type=word)) == ALL


def test_without_a_word_all_are_shown(household):
    assert names(household.get("/accounts")) == ALL


def test_a_new_user_has_the_cash_account_and_sees_nobody_elses(household, someone_else):
    assert names(someone_else.get("/accounts")) == ["Cash account"]


# Order


def test_the_order_is_by_name_without_case_and_then_by_id(me):
    ids = [made(me, expense(name=name)) for name in ("b", "Ä", "a", "B", "ä", "A", "z", "é", "1")]

    found = me.get("/accounts", type="expense").json()["data"]

    assert [one["attributes"]["name"] for one in found] == ["1", "a", "A", "b", "B", "z", "Ä", "ä", "é"]
    assert [one["id"] for one in found][1:3] == [ids[2], ids[5]]


# Pages


@pytest.fixture
def seven(me):
    for number in range(7):
        made(me, expense(name=f"Shop {number}"))
    return me


def page_of(client, **query):
    document = client.get("/accounts", type="expense", **query).json()
    return document["meta"]["pagination"], document["links"], [one["attributes"]["name"] for one in document["data"]]


def test_a_page_counts_itself_and_points_at_its_neighbours(seven):
    pagination, links, shown = page_of(seven, limit=3, page=2)

    assert pagination == {"total": 7, "count": 3, "per_page": 3, "current_page": 2, "total_pages": 3}
    assert shown == ["Shop 3", "Shop 4", "Shop 5"]
    at = "http://farthing.example/api/v1/accounts?type=expense&limit=3&page="
    assert links == {"self": at + "2", "first": at + "1", "last": at + "3", "prev": at + "1", "next": at + "3"}


def test_the_first_page_has_no_prev_and_the_last_no_next(seven):
    assert sorted(page_of(seven, limit=3, page=1)[1]) == ["first", "last", "next", "self"]
    assert sorted(page_of(seven, limit=3, page=3)[1]) == ["first", "last", "prev", "self"]
    assert sorted(page_of(seven)[1]) == ["first", "last", "self"]


def test_following_next_sees_every_account_once(seven):
    seen, address = [], "/accounts?type=expense&limit=2"
    while address:
        document = seven.request("GET", address).json()
        seen += [one["attributes"]["name"] for one in document["data"]]
        address = document["links"].get("next", "").removeprefix("http://farthing.example/api/v1")

    assert seen == [f"Shop {number}" for number in range(7)]


@pytest.mark.parametrize("page", ["", "0", "-1", "abc", "1.5", "+2", "٢", "1e3", " 1 "])
def test_a_page_that_is_no_page_is_the_first(seven, page):
    pagination, links, shown = page_of(seven, limit=3, page=page)

    assert (pagination["current_page"], len(shown)) == (1, 3)
    assert links["self"] == links["first"]


@pytest.mark.parametrize("page", [4, 99, 10**9, 10**15, 10**18, 10**25])
def test_past_the_end_is_an_empty_page_of_the_number_asked_for(seven, page):
    pagination, links, shown = page_of(seven, limit=3, page=page)

    assert pagination == {"total": 7, "count": 0, "per_page": 3, "current_page": page, "total_pages": 3}
    assert shown == []
    assert links["self"].endswith(f"page={page}")
    assert links["prev"].endswith(f"page={page - 1}")
    assert "next" not in links


def test_an_empty_list_has_one_page(me):
    assert page_of(me)[0] == {"total": 0, "count": 0, "per_page": 50, "current_page": 1, "total_pages": 1}


@pytest.mark.parametrize(("limit", "size"), [(1, 1), (1000, 1000), (1001, 1000), (5000, 1000), (10**25, 1000)])
def test_the_limit_sets_the_page_size_up_to_a_thousand(seven, limit, size):
    pagination, links, _ = page_of(seven, limit=limit)

    assert pagination["per_page"] == size
    assert parse_qs(urlsplit(links["self"]).query)["limit"] == [str(size)]


@pytest.mark.parametrize("limit", ["", "0", "-1", "abc", "2.5"])
def test_a_limit_that_is_none_leaves_the_page_size_as_the_user_set_it(seven, limit):
    pagination, links, _ = page_of(seven, limit=limit)

    assert pagination["per_page"] == 50
    assert "limit" not in links["self"]


def test_the_users_own_page_size_counts_at_once(seven):
    assert seven.put("/preferences/listPageSize", {"data": 4}).status_code == 200

    pagination, links, shown = page_of(seven)

    assert (pagination["per_page"], pagination["total_pages"], len(shown)) == (4, 2, 4)
    assert links["next"] == "http://farthing.example/api/v1/accounts?type=expense&page=2"


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ({}, "type=all&page=1"),
        ({"type": "asset"}, "type=asset&page=1"),
        ({"type": "nonsense & more"}, "type=nonsense+%26+more&page=1"),
        ({"date": "2024-01-31", "type": "asset"}, "date=2024-01-31&type=asset&page=1"),
        (
            {"type": "asset", "date": "2024-02-01", "end": "2024-01-31", "start": "2024-01-01"},
            "start=2024-01-01&end=2024-01-31&date=2024-02-01&type=asset&page=1",
        ),
        ({"start": "", "end": "", "colour": "blue"}, "type=all&page=1"),
        ({"include": "user,transactions", "limit": 5}, "type=all&limit=5&include=user%2Ctransactions&page=1"),
    ],
)
def test_links_carry_the_parameters_that_mean_something_in_the_order_clients_know(me, query, kept):
    links = me.get("/accounts", **query).json()["links"]

    assert links["self"] == f"http://farthing.example/api/v1/accounts?{kept}"


def test_everything_wrong_in_the_query_is_said_at_once(me):
    account_id = made(me, asset())

    for path in ("/accounts", f"/accounts/{account_id}"):
        found = errors(me.get(path, start="2023-02-29", end="soon", date="never"))
        assert sorted(found) == ["date", "end", "start"]


def test_the_same_accounts_are_counted_and_shown_while_others_come_and_go(me, world):
    books_of(world, me).keep("2024-05-01 withdrawal Bank -> Shop 0 1.00 EUR")
    gone = made(me, expense(name="Gone"))
    me.delete(f"/accounts/{gone}")

    pagination, _, shown = page_of(me)

    assert (pagination["total"], shown) == (1, ["Shop 0"])
