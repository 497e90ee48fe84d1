"""In which currency is each side booked? In its account's own, where one of the two amounts is in it."""

from decimal import Decimal

import pytest

from farthing.kernel.money import as_number

from .making import (
    a_transaction,
    account_named,
    asset,
    balance,
    cash_id,
    exact,
    expense,
    findings,
    held,
    made,
    posted,
    posted_one,
    split,
)

EXCHANGE = "Exchange account"


def moved(source_id, destination_id, amount, foreign=None, type_="transfer"):
    fields = dict(zip(("amount", "currency_code"), amount.split(), strict=True))
    if foreign:
        fields |= dict(zip(("foreign_amount", "foreign_currency_code"), foreign.split(), strict=True))
    return a_transaction(type_, split(source_id=source_id, destination_id=destination_id, **fields))


@pytest.mark.parametrize(
    ("from_code", "to_code", "amount", "foreign", "left", "arrived"),
    [
        # One currency all over: nothing to exchange, and a second amount is a remark.
        ("EUR", "EUR", "10 EUR", None, "-10 EUR", "10 EUR"),
        ("EUR", "EUR", "10 EUR", "11 USD", "-10 EUR", "10 EUR"),
        # Two currencies: each side with the amount that is in its own.
        ("EUR", "USD", "10 EUR", "11 USD", "-10 EUR", "11 USD"),
        ("EUR", "USD", "11 USD", "10 EUR", "-10 EUR", "11 USD"),
        ("USD", "EUR", "11 USD", "10 EUR", "-11 USD", "10 EUR"),
        ("USD", "EUR", "10 EUR", "11 USD", "-11 USD", "10 EUR"),
        ("EUR", "JPY", "10 EUR", "1600 JPY", "-10 EUR", "1600 JPY"),
        # Both sides in the foreign currency: it is what was booked.
        ("USD", "USD", "10 EUR", "11 USD", "-11 USD", "11 USD"),
        # Only one side finds its currency; the other is booked with the amount.
        ("EUR", "USD", "10 EUR", None, "-10 EUR", "10 EUR"),
        ("EUR", "USD", "11 USD", None, "-11 USD", "11 USD"),
        ("EUR", "GBP", "10 EUR", "11 USD", "-10 EUR", "10 EUR"),
        ("GBP", "USD", "10 EUR", "11 USD", "-10 EUR", "11 USD"),
        # Neither finds it: both with the amount.
        ("GBP", "GBP", "10 EUR", None, "-10 EUR", "10 EUR"),
        ("GBP", "GBP", "10 EUR", "11 USD", "-10 EUR", "10 EUR"),
    ],
)
def test_each_side_is_booked_in_its_own_currency_if_it_can_be(
    world, me, from_code, to_code, amount, foreign, left, arrived
):
    source = made(me, asset(name="From", currency_code=from_code))
    destination = made(me, asset(name="To", currency_code=to_code))

    posted(me, moved(source, destination, amount, foreign))

    for account_id, code, booked in ((source, from_code, left), (destination, to_code, arrived)):
        number, booked_code = booked.split()
        assert balance(me, account_id) == (number if booked_code == code else "0")
        assert booked_units(world, me, account_id) == {booked_code: number}
    both = {left.split()[1], arrived.split()[1]}
    assert set(held(world, me, EXCHANGE)) == (both if len(both) == 2 else set())
    assert sums_of_currencies(world, me) == {}
    assert findings(world, me) == []


def booked_units(world, client, account_id):
    with world.books.reading() as db:
        rows = db.all(
            """
            SELECT c.code, c.places, b.units FROM balances b JOIN currencies c ON c.id = b.currency_id
            WHERE b.user_id = :user_id AND b.account_id = :id AND b.grain = 'all'
            """,
            user_id=client.user.id,
            id=int(account_id),
        )
    return {code: as_number(units, places) for code, places, units in rows if units}


def sums_of_currencies(world, client):
    """Every currency sums to zero over all accounts, the exchange account included."""
    with world.books.reading() as db:
        rows = db.all(
            "SELECT currency_id, SUM(units) FROM balances WHERE user_id = :id AND grain = 'all' GROUP BY currency_id",
            id=client.user.id,
        )
    return {currency_id: units for currency_id, units in rows if units}


def test_going_there_and_back_empties_the_exchange_account(world, me):
    euros, dollars = made(me, asset()), made(me, asset(name="Dollars", currency_code="USD"))

    posted(me, moved(euros, dollars, "10 EUR", "11 USD"))
    assert held(world, me, EXCHANGE) == {"EUR": 1000, "USD": -1100}
    posted(me, moved(dollars, euros, "11 USD", "10 EUR"))

    assert held(world, me, EXCHANGE) == {}
    assert (balance(me, euros), balance(me, dollars)) == ("0", "0")


def test_deleting_an_exchange_takes_it_back(world, me):
    euros, dollars = made(me, asset()), made(me, asset(name="Dollars", currency_code="USD"))
    [one] = posted(me, moved(euros, dollars, "10 EUR", "11 USD"))

    me.delete(f"/transactions/{one['id']}")

    assert held(world, me, EXCHANGE) == {}
    assert (balance(me, euros), balance(me, dollars)) == ("0", "0")
    assert findings(world, me) == []


def test_a_changed_rate_changes_one_side(world, me):
    euros, dollars = made(me, asset()), made(me, asset(name="Dollars", currency_code="USD"))
    [one] = posted(me, moved(euros, dollars, "10 EUR", "11 USD"))

    assert me.put(f"/transactions/{one['id']}", moved(euros, dollars, "10 EUR", "12 USD")).status_code == 200

    assert (balance(me, euros), balance(me, dollars)) == ("-10", "12")
    assert findings(world, me) == []


def test_a_shop_abroad_is_made_in_the_currency_of_ones_own_account(me):
    euros = made(me, asset())
    body = a_transaction("withdrawal", split(
        source_id=euros, destination_name="Diner", amount=10, foreign_amount=11, foreign_currency_code="USD"
    ))  # fmt: skip

    posted(me, body)

    [diner] = account_named(me, "Diner")
    assert (diner["attributes"]["currency_code"], diner["attributes"]["current_balance"]) == ("EUR", 10)
    assert balance(me, euros) == "-10"


def test_a_payer_abroad_is_made_in_the_currency_of_ones_own_account(me):
    dollars = made(me, asset(currency_code="USD"))
    body = a_transaction("deposit", split(
        destination_id=dollars, source_name="Client", amount=10, foreign_amount=11, foreign_currency_code="USD"
    ))  # fmt: skip

    posted(me, body)

    [client] = account_named(me, "Client")
    assert (client["attributes"]["currency_code"], client["attributes"]["current_balance"]) == ("USD", -11)
    assert balance(me, dollars) == "11"


def test_a_shop_that_reckons_in_its_own_currency_gets_that(me):
    euros, diner = made(me, asset()), made(me, expense(name="Diner", currency_code="USD"))

    posted(me, moved(euros, diner, "10 EUR", "11 USD", "withdrawal"))

    assert (balance(me, euros), balance(me, diner)) == ("-10", "11")


def test_cash_in_another_currency_is_kept_but_not_shown(world, me):
    dollars = made(me, asset(currency_code="USD"))

    posted(me, a_transaction("withdrawal", split(source_id=dollars, currency_code="USD")))

    assert balance(me, cash_id(me)) == "0"
    assert held(world, me, "Cash account") == {"USD": 1250}


def test_the_exchange_account_is_nowhere_to_be_seen(me):
    euros, dollars = made(me, asset()), made(me, asset(name="Dollars", currency_code="USD"))
    seen = posted_one(me, moved(euros, dollars, "10 EUR", "11 USD"))

    assert (seen["source_name"], seen["destination_name"]) == ("Checking", "Dollars")
    for word in ("all", "special", "hidden", "Exchange account"):
        names = [one["attributes"]["name"] for one in exact(me.get("/accounts", type=word))["data"]]
        assert EXCHANGE not in names


def test_both_amounts_are_shown_with_one_sign(me):
    euros = made(me, asset())
    body = a_transaction("withdrawal", split(
        source_id=euros, amount="10.10", foreign_amount="1500", foreign_currency_code="JPY"
    ))  # fmt: skip

    seen = posted_one(me, body)

    assert (seen["amount"], seen["foreign_amount"]) == (Decimal("-10.1"), -1500)
    assert (seen["foreign_currency_code"], seen["foreign_currency_dp"]) == ("JPY", 0)


def test_an_exchange_stays_within_64_bits_on_every_side(me):
    euros, yen = made(me, asset()), made(me, asset(name="Yen", currency_code="JPY"))
    most = 2**63 - 1
    posted(me, moved(euros, yen, "1 EUR", f"{most} JPY"))

    response = me.post("/transactions", moved(euros, yen, "1 EUR", "1 JPY"))

    assert list(response.json()["errors"]) == ["transactions.0.amount"]
    assert balance(me, euros) == "-1"
