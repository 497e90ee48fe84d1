"""CSV files of everything, and what deletes or moves many objects at once."""

import csv
import io

import pytest

from ..accounts.making import asset, made
from ..http.makers import one_of
from ..transactions.making import a_transaction, posted, split, withdrawal
from .test_basics import data
from .test_clients import a_rule

ALWAYS = {"start": "1970-01-01", "end": "2099-12-31"}


def rows(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text, newline=""), restkey="more"))


@pytest.mark.any_database
def test_transactions_are_exported_with_their_amounts_in_the_primary_currency(me):
    me.v6.post("/preferences", {"name": "convertToPrimary", "data": True})
    me.post("/exchange_rates", {"date": "2024-05-01", "from": "USD", "to": "EUR", "rate": "0.5"})
    dollars, other = made(me, asset(name="=Dollars", currency_code="USD")), made(me, asset(name="Other"))
    one = split(amount="5", currency_code="USD", source_id=dollars, destination_name="Diner")
    posted(me, a_transaction("withdrawal", one, date="2024-05-02"))
    posted(me, withdrawal(other, date="1990-01-01"))

    old, new = rows(me.v6.get("/data/export/transactions", **ALWAYS))

    assert (old["date"][:10], old["amount"], old["pc_amount"], old["pc_foreign_amount"]) == (
        "1990-01-01", "-12.5", "-12.5", "",
    )  # fmt: skip
    assert (new["source_name"], new["amount"], new["currency_code"]) == ("'=Dollars", "-5", "USD")
    assert (new["primary_currency_code"], new["pc_amount"]) == ("EUR", "-2.5")
    assert len(rows(me.v6.get("/data/export/transactions", **ALWAYS, accounts=dollars))) == 1
    refused = me.v6.get("/data/export/transactions", start="never", type="xml", accounts="x")
    assert refused.json()["errors"].keys() == {"start", "end", "type", "accounts"}


@pytest.mark.any_database
def test_everything_else_is_exported_row_by_row(me):
    nouns = {"bills": "bill", "categories": "category", "piggy_banks": "piggy_bank", "tags": "tag"}
    ids = {noun: one_of(noun, me) for noun in (*nouns, "budgets", "recurrences")}
    budget = ids["budgets"]
    for month in ("05", "06"):
        limit = {"budget_id": budget, "amount": "10", "start_date": f"2024-{month}-01", "end_date": f"2024-{month}-02"}
        assert me.post("/budgets/limits", limit).status_code == 200
    rule = data(me.v6.post("/rules", a_rule(me)))

    for noun, name in nouns.items():
        [row] = rows(me.v6.get(f"/data/export/{noun.replace('_', '-')}"))
        assert (row[f"{name}_id"], row["user_id"]) == (ids[noun], str(me.user.id))
        assert "more" not in row
    assert rows(me.v6.get("/data/export/subscriptions")) == rows(me.v6.get("/data/export/bills"))
    limits = rows(me.v6.get("/data/export/budgets"))
    assert [(row["budget_id"], row["start_date"], row["amount"]) for row in limits if row["budget_id"] == budget] == [
        (budget, "2024-05-01", "10"), (budget, "2024-06-01", "10"),
    ]  # fmt: skip
    parts = rows(me.v6.get("/data/export/rules"))
    assert [row["row_contains"] for row in parts if row["rule_id"] == rule["id"]] == ["rule", "trigger", "action"]
    assert (parts[1]["trigger_type"], parts[2]["action_value"]) == ("description_is", "tea")
    contained = [row["row_contains"] for row in rows(me.v6.get("/data/export/recurring"))]
    assert contained == ["recurrence", "repetition", "transaction"]
    listed = {row["account_id"]: row["name"] for row in rows(me.v6.get("/data/export/accounts"))}
    shown = data(me.v6.get("/accounts", limit=1000))
    assert listed == {account["id"]: account["attributes"]["name"] for account in shown}
