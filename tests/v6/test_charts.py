"""Charts are lists of data sets, with the figures of version 1."""

from decimal import Decimal

from ..accounts.making import asset, made
from ..charts.making import asked, some_books
from ..transactions.making import posted, withdrawal

YEAR = {"start": "2024-01-01", "end": "2024-12-31"}
MAY = {"start": "2024-05-01", "end": "2024-05-31"}


def charted(client, path, **query):
    answer = client.v6.get(f"/chart/{path}", **query)
    assert answer.status_code == 200, answer.text
    for line in answer.json():
        assert {"currency_symbol", "primary_currency_code", "start_date", "end_date", "type"} <= line.keys()
        assert (line["yAxisID"], type(line["entries"]), type(line["pc_entries"])) == (0, dict, dict)
        assert all(isinstance(amount, str) for amount in line["entries"].values())
    return answer.json()


def amounts(entries):
    return [Decimal(amount) for amount in entries.values()]


def test_balances_are_those_of_version_1(me):
    ids = some_books(me)
    old = asked(me, "/chart/account/overview", **YEAR, period="month", ids=",".join(ids.values()))

    new = charted(me, "account/overview", **YEAR, period="1M", **{"accounts[]": list(ids.values())})

    assert [line["label"] for line in new] == [line["label"] for line in old]
    assert [amounts(line["entries"]) for line in new] == [list(line["entries"].values()) for line in old]
    assert next(iter(new[0]["entries"])) == "2024-01-31T00:00:00+00:00"
    halves = charted(me, "account/overview", **YEAR, period="6M", **{"accounts[]": ids["Checking"]})
    checking = amounts(new[0]["entries"])
    assert amounts(halves[0]["entries"]) == [checking[5], checking[11]]


def test_flows_of_all_accounts_are_those_of_version_1(me):
    some_books(me)
    old = asked(me, "/chart/cash_flow", **YEAR, period="quarter")["data"]

    new = charted(me, "balance/balance", **YEAR, period="3M", preselected="all")

    sums = {(line["label"], line["currency_code"]): amounts(line["entries"]) for line in new}
    assert sums == {
        (label, flow["currency_code"]): [entry[label] for entry in flow["entries"]]
        for flow in old
        for label in ("earned", "spent")
    }
    assert next(iter(new[0]["entries"])) == "2024-01-01T00:00:00+00:00"
    of_debts = charted(me, "balance/balance", **YEAR, period="1Y", preselected="liabilities")
    assert 0 < sum(sum(amounts(line["entries"])) for line in of_debts) < sum(map(sum, sums.values()))


def test_three_years_by_day(me):
    made(me, asset())

    [line] = charted(me, "account/overview", start="2022-01-01", end="2024-12-31")

    assert (len(line["entries"]), line["period"]) == (1096, "1D")
    refused = me.v6.get("/chart/account/overview", start="2012-01-01", end="2024-12-31", period="1D")
    assert list(refused.json()["errors"]) == ["period"]


def test_budgets_and_categories(me):
    bank = made(me, asset())
    budget = me.post("/budgets", {"name": "Food", "active": True}).json()["data"]["id"]
    limit = {"budget_id": budget, "amount": "10", "currency_code": "EUR", "start_date": "2024-05-01",
             "end_date": "2024-05-31"}  # fmt: skip
    assert me.post("/budgets/limits", limit).status_code == 200
    body = withdrawal(bank, "12.5", date="2024-05-02")
    body["transactions"][0] |= {"budget_id": budget, "category_name": "Bread"}
    posted(me, body)
    posted(me, withdrawal(bank, "3", date="2024-05-03"))

    budgets = {line["label"]: line["entries"] for line in charted(me, "budget/overview", **MAY)}
    categories = {line["label"]: line["entries"] for line in charted(me, "category/overview", **MAY)}

    assert budgets["Food"] == {"budgeted": "10.00", "spent": "12.50", "left": "0.00", "overspent": "2.50"}
    assert budgets["(no budget)"] == {"budgeted": "0.00", "spent": "3.00", "left": "0.00", "overspent": "0.00"}
    assert categories == {
        "Bread": {"spent": "12.50", "earned": "0.00"},
        "(no category)": {"spent": "3.00", "earned": "0.00"},
    }


def test_amounts_are_converted_only_if_wanted(me):
    made(me, asset(opening_balance="10", opening_balance_date="2024-05-01"))
    assert charted(me, "account/overview", **MAY)[0]["pc_entries"] == {}

    me.v6.post("/preferences", {"name": "convertToPrimary", "data": True})

    [line] = charted(me, "account/overview", **MAY)
    assert line["pc_entries"] == line["entries"]
