"""What is owed, since when, and at which interest? Liabilities are accounts that begin below zero."""

from datetime import UTC, datetime

import pytest

from .making import asset, books_of, errors, exact, liability, made, shown


@pytest.mark.parametrize(
    ("word", "label"),
    [("loan", "Loan"), ("debt", "Debt"), ("mortgage", "Mortgage"), ("credit card", "Credit card")],
)
def test_each_liability_type_is_a_type_of_account(me, word, label):
    account = shown(me, made(me, liability(liability_type=word)))

    assert (account["type"], account["liability_type"]) == (label, word)


def test_a_liability_shows_what_was_sent_and_owes_it(me):
    account = shown(me, made(me, liability(liability_amount="123.40", interest="3.50", interest_period="monthly")))

    assert str(account["current_balance"]) == "-123.4"
    assert str(account["liability_amount"]) == "123.4"
    assert account["liability_start_date"] == "2024-01-31"
    assert (str(account["interest"]), account["interest_period"]) == ("3.5", "monthly")
    assert (account["opening_balance"], account["opening_balance_date"], account["role"]) == (None, None, None)


@pytest.mark.parametrize("amount", [0, "0", "0.00", -1, "-0.01"])
def test_the_amount_owed_is_more_than_zero(me, amount):
    assert errors(me.post("/accounts", liability(liability_amount=amount))) == {
        "liability_amount": ["The liability amount must be more than zero."]
    }


@pytest.mark.parametrize("interest", ["0", 0, "100", 100, "0.000000000001", 99.99])
def test_interest_from_0_to_100_is_accepted_exactly(me, interest):
    account_id = made(me, liability(interest=interest))

    assert f'"interest":{interest},' in me.get(f"/accounts/{account_id}").text


@pytest.mark.any_database
@pytest.mark.parametrize("interest", ["-0.01", "100.000001", -1, 101])
def test_interest_outside_0_to_100_is_refused(me, interest):
    assert errors(me.post("/accounts", liability(interest=interest))) == {
        "interest": ["The interest must be between 0 and 100."]
    }


@pytest.mark.parametrize("period", ["daily", "monthly", "yearly"])
def test_interest_is_reckoned_by_day_month_or_year(me, period):
    assert shown(me, made(me, liability(interest_period=period)))["interest_period"] == period


def test_a_liability_may_begin_today_but_not_tomorrow(me):
    made(me, liability(liability_start_date="2024-05-15"))

    assert errors(me.post("/accounts", liability(liability_start_date="2024-05-16"))) == {
        "liability_start_date": ["The liability start date may not be after today, 2024-05-15."]
    }


@pytest.mark.parametrize(
    ("zone", "last_day"),
    [("UTC", "2024-05-15"), ("Pacific/Auckland", "2024-05-16"), ("Pacific/Pago_Pago", "2024-05-15")],
)
def test_today_is_the_users_today(me, world, zone, last_day):
    world.time.now = datetime(2024, 5, 15, 23, 30, tzinfo=UTC)
    in_zone(world, me, zone)
    day_after = f"{last_day[:-1]}{int(last_day[-1]) + 1}"

    assert shown(me, made(me, liability(liability_start_date=last_day)))["current_balance_date"] == last_day
    assert list(errors(me.post("/accounts", liability(liability_start_date=day_after)))) == ["liability_start_date"]


def in_zone(world, client, zone):
    with world.books.writing() as db:
        db.run(
            "UPDATE preferences SET data = :data WHERE user_id = :user_id AND name = 'timezone'",
            data=f'"{zone}"',
            user_id=client.user.id,
        )


def test_opening_fields_sent_with_a_liability_are_ignored(me):
    account = shown(me, made(me, liability(opening_balance="999", opening_balance_date="2020-01-01")))

    assert account["current_balance"] == -123


def test_an_update_changes_what_is_owed_and_since_when(me):
    account_id = made(me, liability())

    me.put(f"/accounts/{account_id}", liability(liability_amount="200", liability_start_date="2024-03-01"))

    account = shown(me, account_id)
    assert (account["liability_amount"], account["liability_start_date"]) == (200, "2024-03-01")
    assert account["current_balance"] == -200
    assert shown(me, account_id, date="2024-02-29")["current_balance"] == 0


def test_paying_off_brings_the_balance_up_and_leaves_the_beginning_as_it_was(me, world):
    books = books_of(world, me)
    books.keep("account House mortgage EUR")
    house_id = str(books.ids["House"].id)
    me.put(f"/accounts/{house_id}", liability(liability_type="mortgage", liability_amount=1000))

    books.keep("2024-05-02 transfer Checking -> House 250.00 EUR")

    account = shown(me, house_id)
    assert (account["current_balance"], account["liability_amount"]) == (-750, 1000)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("currency", "amount", "most"),
    [("JPY", "1.5", 0), ("EUR", "1.005", 2), ("KWD", "1.0005", 3), ("ETH", "1.0000000000001", 12)],
)
def test_an_amount_finer_than_its_currency_is_refused_with_the_limit(me, currency, amount, most):
    found = errors(me.post("/accounts", liability(currency_code=currency, liability_amount=amount)))

    assert found == {
        "liability_amount": [f"The liability amount may have at most {most} decimal places in {currency}."]
    }


def test_the_beginning_of_a_liability_is_a_transaction_like_any_other(me):
    account_id = made(me, liability(name="Car", liability_amount="5000"))

    included = exact(me.get(f"/accounts/{account_id}", include="transactions"))["included"]

    assert [one["attributes"]["type"] for one in included] == ["Opening balance"]
    assert [one["attributes"]["date"] for one in included] == ["2024-01-31"]
    assert [one["attributes"]["amount"] for one in included] == [-5000]
    assert included[0]["attributes"]["destination_name"] == "Car (initial balance)"


def test_a_liability_is_no_asset(me):
    made(me, liability())
    made(me, asset())

    found = me.get("/accounts", type="asset").json()["data"]

    assert [one["attributes"]["name"] for one in found] == ["Checking"]
