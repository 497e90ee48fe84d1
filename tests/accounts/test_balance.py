"""What is on an account? Everything dated up to the end of the day, and the virtual balance."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from .making import asset, books_of, errors, exact, expense, liability, made, revenue, shown

STORY = """
    2024-05-01 deposit    Employer -> Checking  1000.00 EUR
    2024-05-02 withdrawal Checking -> Grocer      12.50 EUR
    2024-05-15 transfer   Checking -> Savings    100.00 EUR
    2024-05-16 withdrawal Checking -> Grocer       7.50 EUR
    2024-06-01 deposit    Employer -> Checking  1000.00 EUR
    2025-01-01 withdrawal Checking -> Grocer       1.00 EUR
"""


@pytest.fixture
def books(world, me):
    told = books_of(world, me)
    told.keep(STORY)
    return told


def balance(client, books, name, **query):
    account = shown(client, str(books.ids[name].id), **query)
    return str(account["current_balance"]), account["current_balance_date"]


def test_the_balance_is_that_of_today_and_the_future_does_not_count_yet(me, books):
    assert balance(me, books, "Checking") == ("887.5", "2024-05-15")
    assert balance(me, books, "Savings") == ("100", "2024-05-15")


def test_expenses_are_positive_and_revenues_negative(me, books):
    assert balance(me, books, "Grocer") == ("12.5", "2024-05-15")
    assert balance(me, books, "Employer") == ("-1000", "2024-05-15")


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2024-04-30", "0"),
        ("2024-05-01", "1000"),
        ("2024-05-02", "987.5"),
        ("2024-05-14", "987.5"),
        ("2024-05-15", "887.5"),
        ("2024-05-16", "880"),
        ("2024-05-31", "880"),
        ("2024-06-01", "1880"),
        ("2024-12-31", "1880"),
        ("2025-01-01", "1879"),
        ("1000-01-01", "0"),
        ("9998-12-31", "1879"),
    ],
)
def test_the_balance_of_any_day_is_what_was_there_when_it_ended(me, books, day, expected):
    assert balance(me, books, "Checking", date=day) == (expected, day)


def test_a_list_shows_the_balances_of_the_day_too(me, books):
    found = exact(me.get("/accounts", date="2024-05-01", type="asset"))["data"]

    assert {one["attributes"]["name"]: one["attributes"]["current_balance"] for one in found} == {
        "Checking": 1000, "Savings": 0,
    }  # fmt: skip
    assert {one["attributes"]["current_balance_date"] for one in found} == {"2024-05-01"}


def test_midnight_is_the_users_own(me, books, world):
    world.time.now = datetime(2024, 5, 16, 0, 0, tzinfo=UTC)

    assert balance(me, books, "Checking") == ("880", "2024-05-16")


def test_an_empty_date_means_today(me, books):
    assert balance(me, books, "Checking", date="") == ("887.5", "2024-05-15")


@pytest.mark.any_database
@pytest.mark.parametrize(
    "day", ["yesterday", "2023-02-29", "2024-5-1", "0999-12-31", "9999-01-01", "12", "2024-05-15x"]
)
def test_a_date_that_is_none_is_refused(me, books, day):
    for path in ("/accounts", f"/accounts/{books.ids['Checking'].id}"):
        assert list(errors(me.get(path, date=day))) == ["date"]


def test_an_opening_balance_counts_from_its_day(me):
    account_id = made(me, asset(opening_balance="10", opening_balance_date="2024-05-15"))
    future_id = made(me, asset(opening_balance="10", opening_balance_date="2024-05-16"))

    assert shown(me, account_id)["current_balance"] == 10
    assert shown(me, account_id, date="2024-05-14")["current_balance"] == 0
    assert shown(me, future_id)["current_balance"] == 0
    assert shown(me, future_id, date="2024-05-16")["current_balance"] == 10
    assert shown(me, future_id)["opening_balance"] == 10


@pytest.mark.parametrize("sent", ["12.34", -12.34, 0, "250"])
def test_the_virtual_balance_is_added_on_every_day(me, sent):
    account_id = made(me, asset(virtual_balance=sent, opening_balance="100", opening_balance_date="2024-05-01"))
    virtual = Decimal(str(sent))

    account = shown(me, account_id)

    assert (account["virtual_balance"], account["current_balance"]) == (virtual, 100 + virtual)
    assert shown(me, account_id, date="1999-12-31")["current_balance"] == virtual


@pytest.mark.parametrize(
    ("body", "kept"),
    [(asset(), "1.5"), (liability(), "1.5"), (expense(), "0"), (revenue(), "0")],
    ids=["asset", "liability", "expense", "revenue"],
)
def test_only_assets_and_liabilities_begin_with_a_virtual_balance(me, world, body, kept):
    created = me.post("/accounts", body | {"virtual_balance": "1.5"}).json()["data"]

    account = shown(me, created["id"])
    assert account["virtual_balance"] == created["attributes"]["virtual_balance"] == Decimal(kept)
    assert account["current_balance"] == created["attributes"]["current_balance"]
    assert shown(me, created["id"], date="1999-12-31")["current_balance"] == Decimal(kept)
    with world.books.reading() as db:
        units = db.value("SELECT virtual_units FROM accounts WHERE id = :id", id=int(created["id"]))
    assert units == Decimal(kept) * 100


@pytest.mark.parametrize("body", [expense(), revenue()], ids=["expense", "revenue"])
def test_a_virtual_balance_that_is_forced_to_zero_must_still_be_an_amount(me, body):
    assert list(errors(me.post("/accounts", body | {"virtual_balance": "much"}))) == ["virtual_balance"]


def test_an_update_keeps_the_virtual_balance_of_every_kind(me):
    account_id = made(me, expense())

    me.put(f"/accounts/{account_id}", expense(virtual_balance="1.5"))

    assert shown(me, account_id)["virtual_balance"] == Decimal("1.5")


def test_a_virtual_balance_has_the_decimals_of_its_currency(me):
    assert errors(me.post("/accounts", asset(currency_code="JPY", virtual_balance="0.1"))) == {
        "virtual_balance": ["The virtual balance may have at most 0 decimal places in JPY."]
    }


def test_the_largest_balance_with_the_largest_virtual_balance_is_still_exact(me):
    largest = "92233720368547758.07"
    opened = {"opening_balance": largest, "opening_balance_date": "2024-01-01"}

    account = shown(me, made(me, asset(virtual_balance=largest, **opened)))

    assert str(account["current_balance"]) == "184467440737095516.14"


def test_a_balance_that_would_leave_64_bits_is_refused_and_nothing_changes(me, books):
    checking_id = books.ids["Checking"].id
    body = asset(opening_balance="92233720368547758.07", opening_balance_date="2024-01-01")

    found = errors(me.put(f"/accounts/{checking_id}", body))

    assert found == {"opening_balance": ["This would make the balance of an account too large to store."]}
    assert balance(me, books, "Checking") == ("887.5", "2024-05-15")


def test_between_accounts_of_one_currency_a_second_amount_is_only_a_remark(me, books):
    books.keep("2024-05-03 transfer Checking -> Savings 10.00 EUR (11.00 USD)")

    assert balance(me, books, "Checking")[0] == "877.5"
    assert balance(me, books, "Savings")[0] == "110"


def test_what_is_booked_in_another_currency_is_not_in_the_balance(me, books):
    books.keep("""
        account Tokyo expense JPY
        2024-05-03 withdrawal Checking -> Tokyo 10.00 EUR
    """)

    assert balance(me, books, "Checking")[0] == "877.5"
    assert balance(me, books, "Tokyo")[0] == "0"


def test_a_transfer_between_currencies_is_booked_on_each_side_in_its_own(me, books):
    books.keep("""
        account Dollars asset USD
        2024-05-03 transfer Savings -> Dollars 10.00 EUR (11.00 USD)
    """)

    assert balance(me, books, "Savings")[0] == "90"
    assert balance(me, books, "Dollars")[0] == "11"


def test_an_account_that_changes_its_currency_shows_the_balance_in_the_new_one(me, books):
    savings_id = books.ids["Savings"].id

    me.put(f"/accounts/{savings_id}", asset(name="Savings", currency_code="USD"))
    assert balance(me, books, "Savings")[0] == "0"

    me.put(f"/accounts/{savings_id}", asset(name="Savings"))
    assert balance(me, books, "Savings")[0] == "100"
