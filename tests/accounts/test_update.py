"""What does PUT do? The same requirements as for a new account; what is left out is blanked; the type stays."""

from datetime import timedelta

import pytest

from .making import asset, card, errors, expense, liability, made, revenue, shown, without

OWED = ("liability_type", "liability_amount", "liability_start_date", "interest", "interest_period")
BLANK = {
    "account_number": None, "iban": None, "bic": None, "notes": None,
    "virtual_balance": 0, "opening_balance": None, "opening_balance_date": None,
}  # fmt: skip


def full():
    return asset(
        account_number="7", iban="NL02ABNA0123456789", bic="ABNANL2A", notes="mine", virtual_balance="12.34",
        opening_balance="45.67", opening_balance_date="2024-01-01",
    )  # fmt: skip


def changed(client, account_id, body):
    response = client.put(f"/accounts/{account_id}", body)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/vnd.api+json"
    return response.json()["data"]["attributes"]


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_what_is_left_empty_is_blanked(me, nothing):
    account_id = made(me, full())

    after = changed(me, account_id, asset(**dict.fromkeys(BLANK, nothing)))

    assert {name: after[name] for name in BLANK} == BLANK
    assert after["current_balance"] == 0


def test_what_is_left_out_is_blanked(me):
    account_id = made(me, full())

    after = changed(me, account_id, asset())

    assert {name: after[name] for name in BLANK} == BLANK
    assert shown(me, account_id) == after


def test_everything_that_can_change_changes_and_is_shown(me, world):
    account_id = made(me, full())
    world.time.now += timedelta(hours=1)

    after = changed(
        me,
        account_id,
        card(
            name="Renamed", active=0, include_net_worth=0, account_number="8", iban="DE89370400440532013000",
            bic="COBADEFFXXX", notes="ours", virtual_balance=-1, opening_balance=-2, opening_balance_date="2024-02-01",
        ),
    )  # fmt: skip

    assert shown(me, account_id) == after
    assert (after["name"], after["active"], after["include_net_worth"]) == ("Renamed", False, False)
    assert (after["account_number"], after["iban"], after["bic"]) == ("8", "DE89370400440532013000", "COBADEFFXXX")
    assert (after["role"], after["credit_card_type"]) == ("ccAsset", "monthlyFull")
    assert (after["opening_balance"], after["opening_balance_date"]) == (-2, "2024-02-01")
    assert (after["current_balance"], after["virtual_balance"]) == (-3, -1)
    assert (after["created_at"], after["updated_at"]) == ("2024-05-15T12:00:00+00:00", "2024-05-15T13:00:00+00:00")


def test_a_card_that_becomes_a_plain_asset_loses_what_belongs_to_cards(me):
    after = changed(me, made(me, card()), asset())

    assert (after["role"], after["credit_card_type"], after["monthly_payment_date"]) == ("defaultAsset", None, None)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("body", "field"),
    [
        *((body, name) for body in (asset(), expense(), liability()) for name in ("name", "active")),
        (revenue(), "include_net_worth"),
        (asset(), "account_role"),
        (card(), "cc_type"),
        (card(), "cc_monthly_payment_date"),
        *((liability(), name) for name in OWED),
    ],
)
@pytest.mark.parametrize("type_sent", [True, False], ids=["with type", "without type"])
def test_what_a_new_account_needs_an_update_needs_too(me, body, field, type_sent):
    account_id = made(me, body)
    before = shown(me, account_id)
    sent = without(body, field, *([] if type_sent else ["type"]))

    found = errors(me.put(f"/accounts/{account_id}", sent))

    assert list(found) == [field]
    assert found[field][0].startswith(f"The {field.replace('_', ' ')} field is required")
    assert shown(me, account_id) == before


def test_the_currency_is_needed_again_and_may_change(me):
    account_id = made(me, asset(opening_balance="10", opening_balance_date="2024-01-01", virtual_balance="1"))

    assert sorted(errors(me.put(f"/accounts/{account_id}", without(asset(), "currency_code")))) == [
        "currency_code", "currency_id",
    ]  # fmt: skip
    body = asset(currency_code="JPY", opening_balance="10", opening_balance_date="2024-01-01")
    after = changed(me, account_id, body)
    assert (after["currency_code"], after["opening_balance"], after["current_balance"]) == ("JPY", 10, 10)


# The type is fixed


@pytest.mark.parametrize("body", [asset(), expense(), revenue(), liability()], ids=lambda body: body["type"])
def test_the_type_may_be_repeated_or_left_out(me, body):
    account_id = made(me, body)

    assert changed(me, account_id, body)["name"] == body["name"]
    assert changed(me, account_id, without(body, "type"))["name"] == body["name"]
    assert changed(me, account_id, body | {"type": " "})["name"] == body["name"]


@pytest.mark.parametrize(
    ("body", "types"),
    [
        (asset(), ["expense", "revenue", "liability", "cash", "nonsense", 7, True, [], {}]),
        (expense(), ["asset", "revenue", "liability"]),
        (liability(), ["asset", "mortgage"]),
    ],
    ids=["asset", "expense", "liability"],
)
def test_another_type_is_refused_and_nothing_changes(me, body, types):
    account_id = made(me, body)
    before = shown(me, account_id)

    for word in types:
        found = errors(me.put(f"/accounts/{account_id}", body | {"name": "Other", "type": word}))
        assert list(found) == ["type"]
        assert "cannot be changed" in found["type"][0]

    assert shown(me, account_id) == before


@pytest.mark.parametrize("word", ["debt", "mortgage", "credit card"])
def test_another_liability_type_is_a_change_of_type_and_refused(me, word):
    account_id = made(me, liability())

    found = errors(me.put(f"/accounts/{account_id}", liability(liability_type=word)))

    assert found == {"liability_type": ["The liability type cannot be changed: this account is a loan."]}


def test_everything_wrong_with_an_update_is_said_at_once(me):
    made(me, asset(iban="NL02ABNA0123456789", account_number="7"))
    account_id = made(me, liability())

    found = errors(
        me.put(
            f"/accounts/{account_id}",
            liability(
                name="", type="asset", liability_type="debt", liability_amount="1.001", interest=101,
                liability_start_date="2024-05-16", iban="nl02 abna 0123 4567 89", account_number="7",
            ),
        )
    )  # fmt: skip

    assert sorted(found) == [
        "account_number", "iban", "interest", "liability_amount", "liability_start_date", "liability_type", "name",
        "type",
    ]  # fmt: skip


def test_the_fields_of_another_kind_are_ignored_on_update_too(me):
    account_id = made(me, expense())

    after = changed(me, account_id, expense(opening_balance="10", opening_balance_date="never", liability_amount="x"))

    assert (after["opening_balance"], after["current_balance"], after["liability_amount"]) == (None, 0, None)


def test_an_account_may_keep_its_own_iban_and_account_number(me):
    account_id = made(me, full())

    assert changed(me, account_id, full() | {"name": "Renamed"})["iban"] == "NL02ABNA0123456789"


def test_the_cash_account_can_be_renamed_and_needs_no_role(me):
    cash_id = me.get("/accounts", type="cash").json()["data"][0]["id"]
    body = without(expense(name="Purse"), "type")

    assert changed(me, cash_id, body)["name"] == "Purse"
    assert changed(me, cash_id, body | {"type": "cash"})["type"] == "Cash account"
    assert list(errors(me.put(f"/accounts/{cash_id}", body | {"type": "asset"}))) == ["type"]
