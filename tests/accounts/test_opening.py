"""What did an asset begin with? Its opening balance: an entry of its own, with a helper on the other side."""

import json
from decimal import Decimal

import pytest

from .making import asset, errors, exact, made, names, shown

BEGUN = {"opening_balance": "45.67", "opening_balance_date": "2024-01-01"}
LARGEST = 2**63 - 1


def helpers(client):
    return names(client.get("/accounts", type="hidden"))


def transactions(client, account_id):
    return exact(client.get(f"/accounts/{account_id}", include="transactions")).get("included", [])


@pytest.mark.parametrize(("sent", "seen"), [("45.67", "45.67"), (45.67, "45.67"), ("-45.670", "-45.67"), (1e3, "1000")])
def test_an_opening_balance_is_kept_to_the_last_digit_and_counts(me, sent, seen):
    account = shown(me, made(me, asset(opening_balance=sent, opening_balance_date="2024-01-01")))

    assert (str(account["opening_balance"]), account["opening_balance_date"]) == (seen, "2024-01-01")
    assert str(account["current_balance"]) == seen


@pytest.mark.parametrize("zero", [0, "0", "0.00", "-0"])
def test_zero_makes_no_entry_and_no_helper(me, zero):
    account_id = made(me, asset(opening_balance=zero, opening_balance_date="2024-01-01"))

    assert shown(me, account_id)["opening_balance"] is None
    assert helpers(me) == []
    assert transactions(me, account_id) == []


@pytest.mark.parametrize(
    ("given", "missing"),
    [("opening_balance", "opening_balance_date"), ("opening_balance_date", "opening_balance")],
)
def test_amount_and_date_need_each_other(me, given, missing):
    sentence = f"The {missing.replace('_', ' ')} field is required when {given.replace('_', ' ')} is present."
    account_id = made(me, asset())

    for send in (lambda body: me.post("/accounts", body), lambda body: me.put(f"/accounts/{account_id}", body)):
        assert errors(send(asset(**{given: BEGUN[given]}))) == {missing: [sentence]}
        assert errors(send(asset(**{given: BEGUN[given], missing: ""}))) == {missing: [sentence]}


def test_zero_without_a_date_asks_for_the_date_too(me):
    assert list(errors(me.post("/accounts", asset(opening_balance=0)))) == ["opening_balance_date"]


def test_the_helper_is_named_after_the_account_and_holds_the_other_side(me):
    made(me, asset(name="Savings", **BEGUN))

    helper = exact(me.get("/accounts", type="hidden"))["data"][0]["attributes"]

    assert (helper["name"], helper["type"]) == ("Savings (initial balance)", "Initial balance account")
    assert (helper["current_balance"], helper["currency_code"]) == (Decimal("-45.67"), "EUR")
    assert (helper["opening_balance"], helper["include_net_worth"]) == (None, False)


def test_the_helper_follows_a_new_name_and_a_new_currency(me):
    account_id = made(me, asset(name="Savings", **BEGUN))

    body = asset(name="Yen", currency_code="JPY", opening_balance="4567", opening_balance_date="2024-01-01")
    assert me.put(f"/accounts/{account_id}", body).status_code == 200

    helper = exact(me.get("/accounts", type="hidden"))["data"][0]["attributes"]
    assert (helper["name"], helper["currency_code"]) == ("Yen (initial balance)", "JPY")
    assert helper["current_balance"] == -4567


def test_the_longest_name_has_a_helper_too(me):
    made(me, asset(name="n" * 255, **BEGUN))

    assert len(helpers(me)[0]) <= 255


def test_the_opening_entry_tells_both_sides_and_the_sign(me):
    plus = transactions(me, made(me, asset(name="Plus", **BEGUN)))[0]["attributes"]
    minus = transactions(me, made(me, asset(name="Minus", **BEGUN | {"opening_balance": "-1"})))[0]["attributes"]

    assert (plus["type"], plus["date"], plus["amount"]) == ("Opening balance", "2024-01-01", Decimal("45.67"))
    assert (plus["source_name"], plus["destination_name"]) == ("Plus (initial balance)", "Plus")
    assert (minus["source_name"], minus["destination_name"]) == ("Minus", "Minus (initial balance)")
    assert minus["amount"] == -1


def test_a_changed_opening_balance_keeps_its_entry_and_its_helper(me):
    account_id = made(me, asset(**BEGUN))
    before = transactions(me, account_id)

    me.put(f"/accounts/{account_id}", asset(opening_balance="-10", opening_balance_date="2024-02-02"))

    account, after = shown(me, account_id), transactions(me, account_id)
    assert (account["opening_balance"], account["opening_balance_date"]) == (-10, "2024-02-02")
    assert account["current_balance"] == -10
    assert [one["id"] for one in after] == [one["id"] for one in before]
    assert len(helpers(me)) == 1


@pytest.mark.parametrize("without", [{}, {"opening_balance": 0, "opening_balance_date": "2024-01-01"}], ids=str)
def test_left_out_or_zero_it_is_taken_away_and_can_come_back(me, without):
    account_id = made(me, asset(**BEGUN))

    me.put(f"/accounts/{account_id}", asset(**without))
    account = shown(me, account_id)
    assert (account["opening_balance"], account["opening_balance_date"]) == (None, None)
    assert account["current_balance"] == 0
    assert transactions(me, account_id) == []

    me.put(f"/accounts/{account_id}", asset(**BEGUN))
    assert str(shown(me, account_id)["current_balance"]) == "45.67"
    assert len(helpers(me)) == 1


# Decimals


@pytest.mark.parametrize(
    ("currency", "fits", "too_fine", "most"),
    [
        ("JPY", "1500", "1500.5", 0),
        ("EUR", "1500.05", "1500.005", 2),
        ("KWD", "1500.005", "1500.0005", 3),
        ("XBT", "0.00000001", "0.000000001", 8),
        ("ETH", "0.000000000001", "0.0000000000001", 12),
    ],
)
def test_a_currency_has_its_own_decimals(me, currency, fits, too_fine, most):
    body = asset(currency_code=currency, opening_balance_date="2024-01-01")
    account_id = made(me, body | {"opening_balance": fits + ("000" if "." in fits else ".000")})

    assert f'"opening_balance":{fits},' in me.get(f"/accounts/{account_id}").text
    assert shown(me, account_id)["currency_dp"] == most
    assert errors(me.post("/accounts", body | {"opening_balance": too_fine})) == {
        "opening_balance": [f"The opening balance may have at most {most} decimal places in {currency}."]
    }


@pytest.mark.parametrize("currency", ["JPY", "EUR", "ETH"])
def test_the_largest_amount_of_64_bits_fits_and_one_more_is_refused(me, currency):
    places = {"JPY": 0, "EUR": 2, "ETH": 12}[currency]
    largest, more = (Decimal(units).scaleb(-places) for units in (LARGEST, LARGEST + 1))
    body = asset(currency_code=currency, opening_balance_date="2024-01-01")

    account_id = made(me, body | {"opening_balance": format(largest, "f")})

    assert f'"current_balance":{largest:f},' in me.get(f"/accounts/{account_id}").text
    negative_id = made(me, body | {"opening_balance": f"-{largest:f}"})
    assert f'"opening_balance":-{largest:f},' in me.get(f"/accounts/{negative_id}").text
    assert errors(me.post("/accounts", body | {"opening_balance": format(more, "f")})) == {
        "opening_balance": [f"The opening balance may not be greater than {largest:f} in {currency}."]
    }


def test_a_number_that_binary_floats_cannot_hold_survives_as_json_number(me):
    body = asset(opening_balance_date="2024-01-01")
    text = '{"opening_balance": 90071992547409931.23, ' + json.dumps(body)[1:]

    response = me.request("POST", "/accounts", content=text, headers={"Content-Type": "application/json"})

    assert '"opening_balance":90071992547409931.23,' in response.text
