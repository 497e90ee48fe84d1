"""Which relatives come along? The user, piggy banks and transactions, on one account and on a list, each once."""

import pytest

from .making import asset, books_of, errors, exact, made

STORY = """
    2024-05-01 deposit    Employer -> Checking  1000.00 EUR
    2024-05-02 withdrawal Checking -> Grocer      12.50 EUR
    2024-05-03 transfer   Checking -> Savings    100.00 EUR
    2024-05-20 withdrawal Checking -> Grocer       7.50 EUR
"""


@pytest.fixture
def books(world, me):
    told = books_of(world, me)
    told.keep(STORY)
    return told


def one(client, books, name, **query):
    return exact(client.get(f"/accounts/{books.ids[name].id}", **query))


def transactions(document):
    return [thing["attributes"] for thing in document.get("included", []) if thing["type"] == "transactions"]


def test_nothing_comes_along_unasked(me, books):
    for document in (one(me, books, "Checking"), exact(me.get("/accounts"))):
        data = document["data"] if isinstance(document["data"], list) else [document["data"]]
        assert "included" not in document
        assert all("relationships" not in thing for thing in data)


def test_the_user_comes_along_with_relationships_that_name_them(me, books):
    document = one(me, books, "Checking", include="user")

    at = f"http://farthing.example/api/v1/accounts/{books.ids['Checking'].id}"
    assert document["data"]["relationships"] == {
        "user": {
            "links": {"self": f"{at}/relationships/user", "related": f"{at}/user"},
            "data": {"type": "users", "id": str(me.user.id)},
        }
    }
    user = document["included"][0]
    assert (user["type"], user["attributes"]["email"]) == ("users", me.user.email)
    assert user["links"]["self"] == f"http://farthing.example/api/v1/users/{me.user.id}"
    assert user["links"]["0"] == {"rel": "self", "uri": f"/users/{me.user.id}"}


def test_piggy_banks_are_a_list_that_may_be_empty(me, books):
    document = one(me, books, "Checking", include="piggy_banks")

    assert document["data"]["relationships"]["piggy_banks"]["data"] == []
    assert "included" not in document


@pytest.mark.parametrize("names", ["nonsense", "", ",", "USER", ".user", "nonsense.user", "transactions_"])
def test_unknown_names_are_ignored(me, books, names):
    assert "included" not in one(me, books, "Checking", include=names)


@pytest.mark.parametrize("names", ["user.accounts", "user.", "user.nonsense,user"])
def test_whatever_is_asked_of_a_relative_the_relative_comes(me, books, names):
    document = one(me, books, "Checking", include=names)

    assert list(document["data"]["relationships"]) == ["user"]
    assert [thing["type"] for thing in document["included"]] == ["users"]


@pytest.mark.parametrize("path", ["/accounts/{}", "/accounts"])
def test_relatives_bring_their_own_relatives(me, books, path):
    answer = me.get(
        path.format(books.ids["Checking"].id), include="transactions.user,transactions.tags", type="asset"
    ).json()
    brought = [thing for thing in answer["included"] if thing["type"] == "transactions"]

    assert {thing["type"] for thing in answer["included"]} == {"transactions", "users"}
    assert brought
    for thing in brought:
        assert thing["relationships"]["user"]["data"] == {"type": "users", "id": str(me.user.id)}
        assert thing["relationships"]["tags"]["data"] == []
    for account in answer["data"] if isinstance(answer["data"], list) else [answer["data"]]:
        assert list(account["relationships"]) == ["transactions"]


@pytest.mark.parametrize("names", ["user,transactions", " transactions , user,nonsense,user", "transactions,user,"])
def test_names_may_come_in_any_order_with_spaces_and_twice(me, books, names):
    document = one(me, books, "Checking", include=names)

    assert sorted(document["data"]["relationships"]) == ["transactions", "user"]
    assert sorted(thing["type"] for thing in document["included"]) == [*["transactions"] * 4, "users"]


# Transactions of one account


def test_transactions_are_newest_first_and_the_future_is_among_them(me, books):
    document = one(me, books, "Checking", include="transactions")

    found = transactions(document)
    assert [line["date"] for line in found] == ["2024-05-20", "2024-05-03", "2024-05-02", "2024-05-01"]
    assert [line["type"] for line in found] == ["Withdrawal", "Transfer", "Withdrawal", "Deposit"]
    references = document["data"]["relationships"]["transactions"]["data"]
    assert [thing["id"] for thing in references] == [thing["id"] for thing in document["included"]]


def test_withdrawals_are_negative_deposits_positive_and_transfers_seen_from_the_account(me, books):
    assert [float(line["amount"]) for line in transactions(one(me, books, "Checking", include="transactions"))] == [
        -7.5, -100, -12.5, 1000,
    ]  # fmt: skip
    assert [line["amount"] for line in transactions(one(me, books, "Savings", include="transactions"))] == [100]
    assert [float(line["amount"]) for line in transactions(one(me, books, "Grocer", include="transactions"))] == [
        -7.5, -12.5,
    ]  # fmt: skip
    assert [line["amount"] for line in transactions(one(me, books, "Employer", include="transactions"))] == [1000]


def test_a_transaction_names_both_sides_truly_whichever_is_looked_at(me, books):
    for viewed in ("Checking", "Savings"):
        line = transactions(one(me, books, viewed, include="transactions", start="2024-05-03", end="2024-05-03"))[0]
        assert (line["source_name"], line["destination_name"]) == ("Checking", "Savings")
        assert (line["source_type"], line["destination_type"]) == ("Asset account", "Asset account")


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("2024-05-02", "2024-05-03", ["2024-05-03", "2024-05-02"]),
        ("2024-05-02", "2024-05-02", ["2024-05-02"]),
        ("2024-06-01", "2024-06-30", []),
        ("2024-05-03", "", ["2024-05-20", "2024-05-03", "2024-05-02", "2024-05-01"]),
        ("", "2024-05-02", ["2024-05-20", "2024-05-03", "2024-05-02", "2024-05-01"]),
    ],
)
def test_a_range_limits_the_transactions_when_both_ends_are_given(me, books, start, end, days):
    document = one(me, books, "Checking", include="transactions", start=start, end=end)

    assert [line["date"] for line in transactions(document)] == days


def test_page_and_limit_page_the_transactions_of_one_account(me, books):
    def days(**query):
        return [line["date"] for line in transactions(one(me, books, "Checking", include="transactions", **query))]

    assert days(limit=3) == ["2024-05-20", "2024-05-03", "2024-05-02"]
    assert days(limit=3, page=2) == ["2024-05-01"]
    assert days(limit=3, page=3) == []
    assert days(limit=1, page=10**25) == []
    assert days(limit=3, page=2, start="2024-05-01", end="2024-05-03") == []


def test_the_users_page_size_counts_for_transactions_too(me, books):
    me.put("/preferences/listPageSize", {"data": 2})

    assert len(transactions(one(me, books, "Checking", include="transactions"))) == 2


def test_a_wrong_range_is_refused_even_when_no_transactions_are_asked_for(me, books):
    account_id = books.ids["Checking"].id

    for query in ({}, {"include": "transactions"}):
        assert sorted(errors(me.get(f"/accounts/{account_id}", start="2024-02-01", end="2024-01-01", **query))) == [
            "end", "start",
        ]  # fmt: skip


# Lists


def test_in_a_list_each_relative_comes_once(me, books):
    document = exact(me.get("/accounts", include="user,transactions", type="asset"))

    kinds = [(thing["type"], thing["id"]) for thing in document["included"]]
    assert len(kinds) == len(set(kinds))
    assert sorted(kind for kind, _ in kinds) == [*["transactions"] * 4, "users"]
    listed = {
        thing["attributes"]["name"]: len(thing["relationships"]["transactions"]["data"]) for thing in document["data"]
    }
    assert listed == {"Checking": 4, "Savings": 1}


def test_in_a_list_a_transfer_between_two_of_its_accounts_is_seen_from_neither(me, books):
    both = exact(me.get("/accounts", include="transactions", type="asset"))
    alone = exact(me.get("/accounts", include="transactions", type="asset", limit=1))

    def transfers(document):
        return [line["amount"] for line in transactions(document) if line["type"] == "Transfer"]

    assert [thing["attributes"]["name"] for thing in alone["data"]] == ["Checking"]
    assert (transfers(both), transfers(alone)) == ([100], [-100])


def test_in_a_list_page_pages_the_list_and_not_the_transactions(me, books):
    document = exact(me.get("/accounts", include="transactions", type="asset", limit=1, page=2))

    assert [thing["attributes"]["name"] for thing in document["data"]] == ["Savings"]
    assert len(transactions(document)) == 1


def test_in_a_list_each_account_brings_its_newest_up_to_the_users_page_size(me, books):
    me.put("/preferences/listPageSize", {"data": 2})

    document = exact(me.get("/accounts", include="transactions", type="asset", limit=50))

    checking = next(thing for thing in document["data"] if thing["attributes"]["name"] == "Checking")
    assert len(checking["relationships"]["transactions"]["data"]) == 2
    assert [line["date"] for line in transactions(document)][:2] == ["2024-05-20", "2024-05-03"]


def test_in_a_list_the_range_counts_too(me, books):
    document = exact(me.get("/accounts", include="transactions", start="2024-05-02", end="2024-05-02"))

    assert [line["date"] for line in transactions(document)] == ["2024-05-02"]


def test_an_account_without_transactions_says_so(me, books):
    document = exact(me.get("/accounts", include="transactions", type="cash"))

    assert document["data"][0]["relationships"]["transactions"]["data"] == []
    assert "included" not in document


# Create and update


def test_what_is_made_or_changed_can_bring_its_relatives_along(me):
    made_now = me.post("/accounts?include=user", asset()).json()
    changed = me.put(f"/accounts/{made_now['data']['id']}?include=user", asset()).json()

    assert [thing["type"] for thing in made_now["included"]] == ["users"]
    assert [thing["type"] for thing in changed["included"]] == ["users"]


def test_nobody_elses_transactions_come_along(me, someone_else, world):
    books_of(world, someone_else).keep(STORY)
    account_id = made(me, asset())

    assert "included" not in me.get(f"/accounts/{account_id}", include="transactions").json()
