"""Currencies that a user enables, and the lists below a currency."""

from ..accounts.making import asset, made
from ..transactions.making import a_transaction, posted, split
from .test_basics import data


def enabled(me, code):
    shown = data(me.v6.get(f"/currencies/{code}"))["attributes"]["enabled"]
    assert data(me.get(f"/currencies/{code}"))["attributes"]["enabled"] is shown
    return shown


def test_a_currency_is_enabled_by_use_or_by_choice(me):
    assert (enabled(me, "EUR"), enabled(me, "USD"), enabled(me, "JPY")) == (True, False, False)
    made(me, asset(name="Dollars", currency_code="USD"))

    assert data(me.v6.post("/currencies/JPY/enable"))["attributes"]["enabled"] is True

    assert (enabled(me, "USD"), enabled(me, "JPY"), enabled(me, "GBP")) == (True, True, False)
    assert [me.v6.post(f"/currencies/{code}/disable").status_code for code in ("EUR", "USD")] == [409, 409]
    newest = me.get("/changes").json()["data"][0]["id"]
    assert me.post(f"/changes/{newest}/undo").status_code == 200
    assert enabled(me, "JPY") is False
    me.v6.post("/currencies/JPY/enable")
    assert data(me.v6.post("/currencies/JPY/disable"))["attributes"]["enabled"] is False
    assert enabled(me, "JPY") is False
    assert data(me.v6.put("/currencies/JPY", {"enabled": True}))["attributes"]["enabled"] is True


def test_what_is_in_a_currency_is_listed(me):
    dollars, euros = made(me, asset(name="Dollars", currency_code="USD")), made(me, asset())
    for account, code in ((dollars, "USD"), (euros, "EUR")):
        one = split(amount="5", currency_code=code, source_id=account, destination_name="Diner")
        posted(me, a_transaction("withdrawal", one, date="2024-05-02"))
    both = {"amount": "7", "currency_code": "USD", "source_id": dollars, "destination_id": euros,
            "foreign_amount": "6", "foreign_currency_code": "EUR"}  # fmt: skip
    posted(me, a_transaction("transfer", both, date="2024-04-02"))

    def listed(tail, **query):
        answer = me.v6.get(f"/currencies/USD/{tail}", **query)
        assert answer.status_code == 200, answer.text
        assert answer.json()["meta"]["pagination"]["total"] == len(answer.json()["data"])
        return answer.json()["data"]

    assert [one["attributes"]["name"] for one in listed("accounts", type="asset")] == ["Dollars"]
    assert len(listed("transactions")) == 2
    assert len(listed("transactions", start="2024-05-01", end="2024-05-31")) == 1
    assert len(listed("transactions", type="transfer")) == 1
    assert [listed(tail) for tail in ("budget-limits", "recurrences", "rules")] == [[], [], []]
    assert me.v6.get("/currencies/QQQ/accounts").status_code == 404


def test_limits_and_rules_in_a_currency(me):
    budget = me.post("/budgets", {"name": "Food", "active": True}).json()["data"]["id"]
    for code in ("EUR", "USD"):
        limit = {"budget_id": budget, "amount": "10", "currency_code": code, "start_date": "2024-05-01",
                 "end_date": "2024-05-31"}  # fmt: skip
        assert me.post("/budgets/limits", limit).status_code == 200
    group = data(me.v6.post("/rule-groups", {"title": "All"}))["id"]
    rule = {"title": "Dollars", "rule_group_id": group, "trigger": "store-journal",
            "triggers": [{"type": "currency_is", "value": "USD"}],
            "actions": [{"type": "set_category", "value": "Abroad"}]}  # fmt: skip
    assert me.v6.post("/rules", rule).status_code == 200

    assert [one["attributes"]["currency_code"] for one in data(me.v6.get("/currencies/USD/budget-limits"))] == ["USD"]
    assert [one["attributes"]["title"] for one in data(me.v6.get("/currencies/usd/rules"))] == ["Dollars"]
    assert data(me.v6.get("/currencies/EUR/rules")) == []


def test_bills_available_budgets_and_rates_of_a_currency(me):
    for code in ("EUR", "USD"):
        bill = {"name": f"Rent {code}", "amount_min": "1", "amount_max": "2", "date": "2024-05-01"}
        assert me.v6.post("/bills", bill | {"repeat_freq": "monthly", "currency_code": code}).status_code == 200
        budget = {"amount": "10", "currency_code": code, "start_date": "2024-05-01", "end_date": "2024-05-31"}
        assert me.post("/available_budgets", budget).status_code == 200
    for from_, to in (("USD", "EUR"), ("GBP", "USD"), ("GBP", "EUR")):
        rate = {"from": from_, "to": to, "date": "2024-05-01", "rate": "0.5"}
        assert me.v6.post("/exchange-rates", rate).status_code == 200

    for tail in ("bills", "available-budgets"):
        assert [one["attributes"]["currency_code"] for one in data(me.v6.get(f"/currencies/USD/{tail}"))] == ["USD"]
    rates = [one["attributes"] for one in data(me.v6.get("/currencies/USD/cer"))]
    assert {(one["from_currency_code"], one["to_currency_code"]) for one in rates} == {("USD", "EUR"), ("GBP", "USD")}
