"""Suggestions of version 6: bare lists, in the shapes that clients read without looking."""

from typing import Any

import pytest

from ..accounts.making import asset, expense, liability, made
from ..attachments.making import a_bill, a_transaction
from ..conftest import Client
from ..http.makers import (
    a_budget,
    a_category,
    a_piggy_bank,
    a_recurrence,
    a_rule,
    a_rule_group,
    a_tag,
)
from ..transactions.making import withdrawal

CURRENCY = {"currency_id", "currency_name", "currency_code", "currency_symbol", "currency_decimal_places"}
ACCOUNT = {"id", "name", "name_with_balance", "active", "type", *CURRENCY, *(f"account_{name}" for name in CURRENCY)}
TITLE = {"id", "name", "description", "active"}
PIGGY_BANK = {"id", "name", "object_group_id", "object_group_title", *CURRENCY}
OF_CURRENCY = {"id", "name", "code", "symbol", "decimal_places"}
TRANSACTION = {"id", "transaction_group_id", "name", "description"}


def a_group(client: Client) -> None:
    bill = client.get(f"/bills/{a_bill(client)}").json()["data"]
    facts = {name: bill["attributes"][name] for name in ("name", "match", "amount_min", "amount_max", "currency_code")}
    facts |= {"date": "2024-05-01", "repeat_freq": "monthly", "skip": 0, "automatch": True, "active": True}
    answer = client.put(f"/bills/{bill['id']}", {**facts, "object_group_title": "Home"})
    assert answer.status_code == 200, answer.text


SHAPES = {
    "accounts": (a_piggy_bank, ACCOUNT),
    "bills": (a_bill, {"id", "name", "active"}),
    "subscriptions": (a_bill, {"id", "name", "active"}),
    "budgets": (a_budget, {"id", "name", "active"}),
    "categories": (a_category, {"id", "name"}),
    "tags": (a_tag, {"id", "name", "tag"}),
    "currencies": (a_tag, OF_CURRENCY),
    "currencies-with-code": (a_tag, OF_CURRENCY),
    "piggy-banks": (a_piggy_bank, PIGGY_BANK),
    "piggy-banks-with-balance": (a_piggy_bank, {*PIGGY_BANK, "name_with_balance"}),
    "object-groups": (a_group, {"id", "title", "name"}),
    "recurring": (a_recurrence, TITLE),
    "rules": (a_rule, TITLE),
    "rule-groups": (a_rule_group, TITLE),
    "transactions": (a_transaction, TRANSACTION),
    "transactions-with-id": (a_transaction, TRANSACTION),
    "transaction-types": (a_tag, {"id", "name", "type"}),
}


def suggest(client: Client, noun: str, **query: Any) -> list[dict[str, Any]]:
    answer = client.v6.get(f"/autocomplete/{noun}", **query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return list(answer.json())


@pytest.mark.parametrize("noun", SHAPES)
def test_every_list_is_bare_and_holds_what_clients_read(me, someone_else, noun):
    make, fields = SHAPES[noun]
    make(me)

    found = suggest(me, noun)

    assert found
    assert {frozenset(one) for one in found} == {frozenset(fields)}
    numbers = {name for one in found for name, value in one.items() if isinstance(value, int)}
    assert numbers <= {"decimal_places", "currency_decimal_places", "account_currency_decimal_places", "active"}
    assert suggest(me, noun, query="no such thing") == []
    assert len(suggest(me, noun, limit=1)) == 1
    assert suggest(me, noun, limit=10**10) == suggest(me, noun, limit=1000)
    assert suggest(me, noun, limit="all") == suggest(me, noun, limit=0) == suggest(me, noun)
    if make is not a_tag or noun == "tags":
        assert all(one["name"] == "Cash account" for one in suggest(someone_else, noun))


def test_own_accounts_come_with_their_balance_on_a_day(me):
    made(me, asset(name="Checking", opening_balance="12.5", opening_balance_date="2024-02-01"))
    made(me, liability(name="Card", liability_type="credit card", liability_amount="3"))
    made(me, expense(name="Cards & more"))

    found = suggest(me, "accounts", query="c", types="asset,liabilities", date="2024-02-01")

    assert [(one["name_with_balance"], one["type"]) for one in found] == [
        ("Card (€ -3.00)", "Debt"), ("Checking (€ 12.50)", "Asset account"),
    ]  # fmt: skip
    before = suggest(me, "accounts", query="checking", date="2024-01-31")
    assert before[0]["name_with_balance"] == "Checking (€ 0.00)"
    assert [one["name_with_balance"] for one in suggest(me, "accounts", query="cards")] == ["Cards & more"]


def test_a_description_is_suggested_once_with_its_newest_transaction(me):
    second = a_transaction(me)
    text = second["journal_description"]

    [plain] = suggest(me, "transactions", query=text)
    [numbered] = suggest(me, "transactions-with-id", query=text)

    assert (plain["name"], plain["description"]) == (text, text)
    assert plain["transaction_group_id"] == str(second["journal_id"])
    assert numbered["name"] == f"#{second['journal_id']}: {text}"
    assert numbered in suggest(me, "transactions-with-id", query=str(second["journal_id"]))
    me.post("/transactions", withdrawal(made(me, asset(name="Wallet")), description="Plan 9000000000"))
    [other] = suggest(me, "transactions-with-id", query="9000000000")
    assert other["description"] == "Plan 9000000000", "a number that is no id is looked for in descriptions"


def test_currencies_are_found_by_code_and_by_name(me):
    assert [one["code"] for one in suggest(me, "currencies", query="eur")][:1] == ["EUR"]
    assert [one["name"] for one in suggest(me, "currencies-with-code", query="swiss franc")] == ["Swiss Franc (CHF)"]
