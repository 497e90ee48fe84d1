"""CSV files of everything, and what deletes or moves many objects at once."""

import csv
import io

import pytest

from farthing.identity.scopes import everything
from farthing.jobs.worker import Worker

from ..accounts.making import asset, made
from ..http.makers import one_of
from ..sharing.people import with_token
from ..transactions.making import a_transaction, balance, findings, posted, split, withdrawal
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


WORDS = {
    "categories": "categories", "tags": "tags", "bills": "bills", "budgets": "budgets", "piggy_banks": "piggy-banks",
    "rules": "rules", "recurring": "recurrences", "object_groups": "object-groups", "withdrawals": "transactions",
    "transactions": "transactions", "expense_accounts": "accounts?type=expense",
    "liabilities": "accounts?type=liability", "not_assets_liabilities": "accounts?type=revenue",
    "asset_accounts": "accounts?type=asset", "accounts": "accounts?type=asset",
}  # fmt: skip


def undo(me):
    newest = me.get("/changes").json()["data"][0]["id"]
    assert me.post(f"/changes/{newest}/undo").status_code == 200


@pytest.mark.any_database
def test_all_objects_of_a_kind_are_deleted_as_one_change_that_can_be_undone(world, me):
    for noun in ("categories", "tags", "budgets", "piggy_banks", "recurrences"):
        one_of(noun, me)
    bill = {"name": "Rent", "amount_min": "1", "amount_max": "2", "date": "2024-05-01", "repeat_freq": "monthly"}
    assert me.v6.post("/bills", bill | {"object_group_title": "Home"}).status_code == 200
    assert me.v6.post("/rules", a_rule(me)).status_code == 200
    account = made(me, asset(name="Own", opening_balance="7", opening_balance_date="2024-01-01"))
    posted(me, withdrawal(account, category_name="Food", tags=["a"]))
    posted(me, a_transaction("deposit", split(amount="5", source_name="Boss", destination_id=account)))
    owed = {"name": "Loan", "type": "liability", "liability_type": "loan", "liability_direction": "debit"}
    assert me.v6.post("/accounts", owed | {"liability_amount": "5"}).status_code == 200

    def listed(path):
        noun, _, kind = path.partition("?type=")
        return data(me.v6.get(f"/{noun}", type=kind or "all"))

    for word, path in WORDS.items():
        before = listed(path)
        assert before, word
        assert me.v6.delete(f"/data/destroy?objects={word}").status_code == 204
        after = [each for each in listed(path) if each["attributes"].get("type") != "cash"]
        assert len(after) < len(before) if word == "withdrawals" else after == [], (word, after)
        undo(me)
        assert len(listed(path)) == len(before), word
    assert findings(world, me) == []
    assert me.v6.delete("/data/destroy?objects=all").json()["errors"].keys() == {"objects"}


@pytest.mark.any_database
def test_only_full_access_deletes_the_history_and_nothing_is_undone_after_it(world, me):
    made(me, asset(name="Own"))
    limited = with_token(world, me, scopes=everything())
    assert [limited.v6.delete(path).status_code for path in ("/data/purge", "/data/destroy?objects=tags")] == [403, 403]

    assert me.v6.delete("/data/purge").status_code == 204
    Worker(world.books, world.time.clock()).work_off()

    assert me.get("/changes").json()["data"] == []
    assert me.get("/audit").json()["data"][0]["attributes"]["event"] == "history_deleted"
    made(me, asset(name="New"))
    undo(me)
    assert findings(world, me) == []


@pytest.mark.any_database
def test_all_transactions_of_an_account_move_to_another_and_back(world, me):
    one, other = made(me, asset(name="One")), made(me, asset(name="Other", include_net_worth=False))
    abroad = made(me, asset(name="Abroad", currency_code="USD"))
    for _ in range(2):
        posted(me, withdrawal(one, category_name="Food"))
    posted(me, withdrawal(other))

    def move(from_, into):
        query = f'{{"where": {{"account_id": {from_}}}, "update": {{"account_id": {into}}}}}'
        return me.v6.request("POST", "/data/bulk/transactions", params={"query": query})

    assert [move(*pair).status_code for pair in ((one, abroad), (one, one), (one, 999), ("no", one))] == [422] * 4
    assert move(one, other).status_code == 204

    assert [balance(me, account) for account in (one, other)] == ["0", "-37.5"]
    assert findings(world, me) == []
    undo(me)
    assert [balance(me, account) for account in (one, other)] == ["-25", "-12.5"]
    assert findings(world, me) == []
