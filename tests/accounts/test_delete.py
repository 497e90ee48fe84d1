"""What goes when an account goes? All that touches it; and what nobody may delete or see."""

import pytest

from farthing.ledger.kinds import Kind

from .making import asset, books_of, errors, exact, expense, liability, made, names, shown, without

STORY = """
    2024-05-01 deposit    Employer -> Checking  1000.00 EUR
    2024-05-02 withdrawal Checking -> Grocer      12.50 EUR
    2024-05-03 transfer   Checking -> Savings    100.00 EUR
    2024-05-04 withdrawal Savings -> Grocer       1.00 EUR
               and        Savings -> Baker        2.00 EUR
"""


@pytest.fixture
def books(world, me):
    told = books_of(world, me)
    told.keep(STORY)
    return told


def balances(client):
    return {
        thing["attributes"]["name"]: str(thing["attributes"]["current_balance"])
        for thing in exact(client.get("/accounts"))["data"]
    }


def test_deleting_answers_204_without_a_body_and_then_404(me):
    account_id = made(me, asset())

    response = me.delete(f"/accounts/{account_id}")

    assert (response.status_code, response.content) == (204, b"")
    for again in (me.get, me.delete, me.put):
        assert again(f"/accounts/{account_id}").status_code == 404
    assert account_id not in [thing["id"] for thing in me.get("/accounts").json()["data"]]


def test_every_transaction_that_touches_it_goes_and_the_other_balances_follow(me, books):
    assert balances(me) == {
        "Baker": "2", "Cash account": "0", "Checking": "887.5", "Employer": "-1000", "Grocer": "13.5", "Savings": "97",
    }  # fmt: skip

    me.delete(f"/accounts/{books.ids['Checking'].id}")

    assert balances(me) == {"Baker": "2", "Cash account": "0", "Employer": "0", "Grocer": "1", "Savings": "-3"}


def test_of_a_split_transaction_all_splits_go(me, books):
    me.delete(f"/accounts/{books.ids['Baker'].id}")

    assert balances(me)["Savings"] == "100"
    assert balances(me)["Grocer"] == "12.5"


def test_the_books_are_in_order_afterwards(new_world):
    me = new_world.someone()
    books = books_of(new_world, me)
    books.keep(f"{STORY}\naccount Dollars asset USD\n2024-05-03 transfer Savings -> Dollars 10.00 EUR (11.00 USD)")
    opened_id = made(me, asset(opening_balance="10", opening_balance_date="2024-01-01"))

    for account_id in (books.ids["Checking"].id, books.ids["Dollars"].id, opened_id):
        assert me.delete(f"/accounts/{account_id}").status_code == 204

    assert books.findings() == []
    assert balances(me)["Savings"] == "-3"


@pytest.mark.parametrize(
    "body", [asset(opening_balance="10", opening_balance_date="2024-01-01"), liability()], ids=lambda body: body["type"]
)
def test_the_opening_balance_and_its_helper_go_along(me, body):
    account_id = made(me, body)
    helper_id = me.get("/accounts", type="hidden").json()["data"][0]["id"]

    me.delete(f"/accounts/{account_id}")

    assert names(me.get("/accounts", type="hidden")) == []
    assert me.get(f"/accounts/{helper_id}").status_code == 404


def test_deleting_the_helper_takes_the_opening_balance_away(me):
    account_id = made(me, asset(opening_balance="10", opening_balance_date="2024-01-01"))
    helper_id = me.get("/accounts", type="hidden").json()["data"][0]["id"]

    assert me.delete(f"/accounts/{helper_id}").status_code == 204

    account = shown(me, account_id)
    assert (account["opening_balance"], account["current_balance"]) == (None, 0)


def test_a_helper_that_was_renamed_still_goes_with_its_account(me):
    account_id = made(me, asset(opening_balance="10", opening_balance_date="2024-01-01"))
    helper_id = me.get("/accounts", type="hidden").json()["data"][0]["id"]

    assert me.put(f"/accounts/{helper_id}", without(expense(name="Renamed"), "type")).status_code == 200
    me.put(f"/accounts/{account_id}", asset(opening_balance="20", opening_balance_date="2024-01-01"))
    assert names(me.get("/accounts", type="hidden")) == ["Renamed"]

    me.delete(f"/accounts/{account_id}")
    assert names(me.get("/accounts", type="hidden")) == []


def test_an_id_is_never_used_again(me):
    first = made(me, asset())
    me.delete(f"/accounts/{first}")

    assert int(made(me, asset())) > int(first)


# The cash account


def test_every_user_has_one_cash_account_and_cannot_make_another(me):
    assert names(me.get("/accounts", type="cash")) == ["Cash account"]
    assert list(errors(me.post("/accounts", expense(type="cash")))) == ["type"]


def test_the_cash_account_cannot_be_deleted(me):
    cash_id = me.get("/accounts", type="cash").json()["data"][0]["id"]

    found = errors(me.delete(f"/accounts/{cash_id}"))

    assert found == {"id": ["The cash account cannot be deleted: every user has one."]}
    assert shown(me, cash_id)["name"] == "Cash account"


# The exchange account, where two currencies meet


def test_the_exchange_account_is_not_to_be_seen(me, books):
    books.keep("""
        account Dollars asset USD
        2024-05-03 transfer Savings -> Dollars 10.00 EUR (11.00 USD)
    """)
    exchange_id = books.exchange_id()
    words = ["all", "special", "hidden", "nonsense", "Exchange account", "asset", *(kind.value for kind in Kind)]

    for word in words:
        assert str(exchange_id) not in [thing["id"] for thing in me.get("/accounts", type=word).json()["data"]]
    for ask in (me.get, me.put, me.delete):
        assert ask(f"/accounts/{exchange_id}").status_code == 404
