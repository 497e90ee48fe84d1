"""The dashboard: in one answer what the first page would otherwise ask for one by one."""

from ..accounts.making import asset, errors, exact, made
from ..bills.making import a_bill, paid
from ..bills.making import stored as stored_bill
from ..recurrences.making import a_recurrence, a_split
from ..recurrences.making import stored as stored_recurrence

MAY = {"start": "2024-05-01", "end": "2024-05-31"}


def dashboard(client, **query):
    response = client.get("/dashboard", **query)
    assert response.status_code == 200, response.text
    return exact(response)


def furnished(client):
    """Rent that was paid once and then forgotten, and that a recurrence pays from June on."""
    account_id = made(client, asset(opening_balance="5000", opening_balance_date="2024-01-01"))
    made(client, asset(name="Savings"))
    stored_bill(client)
    stored_bill(client, a_bill(name="Milk", match="milk", date="2024-05-15"))
    paid(client, account_id, "2024-02-01")
    rent = a_split(account_id, amount="800", description="Rent to the landlord")
    stored_recurrence(client, a_recurrence(account_id, title="Transfer", transactions=[rent]))
    body = {"amount": "1000", "currency_code": "EUR", "start_date": MAY["start"], "end_date": MAY["end"]}
    assert client.post("/available_budgets", body).status_code == 200
    return account_id


def test_its_parts_are_what_each_overview_tells_by_itself(me):
    account_id = furnished(me)
    paid(me, account_id, "2024-05-10", "123.45", description="Shoes")
    chart = {"start": "2024-01-01", "end": "2024-05-15"}

    shown = dashboard(me, **MAY, chart_start=chart["start"], chart_end=chart["end"])["data"]

    figures = exact(me.get("/summary/basic", **MAY))
    assert shown["figures"] == [one for one in figures if one["key"].split("-")[0] in ("balance", "spent", "earned")]
    assert shown["net_worth"] == exact(me.get("/chart/net_worth", **chart))
    weeks = {"start": "2024-02-15", "end": "2024-05-15", "period": "week"}
    assert shown["balances"] == {"total": 2, "data": exact(me.get("/chart/account/overview", **weeks))}
    assert shown["recent"] == {"total": 2, "data": exact(me.get("/transactions", limit=8))["data"]}
    [budget] = exact(me.get("/available_budgets", **MAY))["data"]
    [available] = shown["budgets"]
    assert (available["amount"], available["spent"]) == (1000, abs(budget["attributes"]["spent"]))
    assert str(available["spent"]) == "123.45"


def test_a_bill_and_the_recurrence_that_pays_it_are_one_line(me):
    furnished(me)

    shown = dashboard(me)["data"]

    assert [(one["name"], one["date"], one["state"]) for one in shown["due"]["data"]] == [
        ("Rent", "2024-04-01", "overdue"),
        ("Rent", "2024-05-01", "overdue"),
        ("Milk", "2024-05-15", "due"),
    ]
    assert shown["long_overdue"] == {"total": 2, "days": 60, "latest_date": "2024-03-01"}
    lines = [
        (one["name"], one["date"], one["counterpart"] and one["counterpart"]["name"]) for one in shown["coming"]["data"]
    ]
    assert lines == [("Milk", "2024-05-15", None), ("Rent", "2024-06-01", "Transfer")]
    assert shown["coming"]["total"] == 2


def test_what_is_long_overdue_is_counted_as_the_list_tells(me):
    account_id = furnished(me)
    paid(me, account_id, "2024-01-20")
    before = {"start": "2023-05-16", "end": "2024-03-15", "state": "overdue"}

    listed = me.get("/upcoming", **before).json()["data"]

    assert dashboard(me)["data"]["long_overdue"]["total"] == len(listed) > 0


def test_new_books_say_which_steps_are_done(me):
    shown = dashboard(me)

    assert shown["meta"] | {"revision": ""} == {**MAY, "days_ahead": 30, "revision": "", "has_bills": False}
    assert [shown["data"][part]["total"] for part in ("balances", "due", "coming", "recent")] == [0, 0, 0, 0]
    furnished(me)
    again = dashboard(me)
    assert again["meta"]["has_bills"] is True
    assert int(again["meta"]["revision"]) > int(shown["meta"]["revision"])


def test_days_of_the_chart_must_be_a_range(me):
    both = ["chart_start", "chart_end"]
    assert list(errors(me.get("/dashboard", chart_start="2024-02-01", chart_end="2024-01-01"))) == both
    assert list(errors(me.get("/dashboard", chart_start="1990-01-01", chart_end="2024-01-01"))) == both
    assert list(errors(me.get("/dashboard", chart_end="soon"))) == ["chart_end"]


FEBRUARY = {"start": "2024-02-01", "end": "2024-02-29"}


def _give(client, amount, start="2024-02-01", end="2024-02-29", currency="EUR"):
    body = {"amount": amount, "currency_code": currency, "start_date": start, "end_date": end}
    assert client.post("/available_budgets", body).status_code == 200


def _budgets(client, **days):
    """By currency: the amount and what was spent; the summary says that the rest is left."""
    shown = {one["currency_code"]: one for one in dashboard(client, **days)["data"]["budgets"]}
    summary = {one["key"]: one["monetary_value"] for one in exact(client.get("/summary/basic", **days))}
    left = {f"left-to-spend-in-{code}": one["amount"] - one["spent"] for code, one in shown.items()}
    assert left == {key: value for key, value in summary.items() if key.startswith("left-to-spend")}
    return {code: (one["amount"], one["spent"]) for code, one in shown.items()}


def test_what_was_spent_counts_once_however_many_available_budgets_cover_its_day(me):
    account_id = made(me, asset())
    paid(me, account_id, "2024-02-10", "1000")
    paid(me, account_id, "2024-03-10", "900")
    _give(me, "1500")
    _give(me, "300")

    assert _budgets(me, **FEBRUARY) == {"EUR": (1800, 1000)}
    assert _budgets(me, start="2024-02-01", end="2024-03-31") == {"EUR": (1800, 1000)}
    assert _budgets(me, start="2024-02-02", end="2024-02-29") == {}


def test_available_budgets_that_overlap_in_part_cover_the_days_of_both(me):
    account_id = made(me, asset())
    for on, amount in (("09", "1"), ("10", "20"), ("15", "300"), ("20", "4000"), ("21", "50000")):
        paid(me, account_id, f"2024-02-{on}", amount)
    _give(me, "100", "2024-02-10", "2024-02-15")
    _give(me, "100", "2024-02-15", "2024-02-20")
    _give(me, "7", currency="USD")

    assert _budgets(me, **FEBRUARY) == {"EUR": (200, 4320), "USD": (7, 0)}


def test_half_a_range_of_the_net_worth_is_refused(me):
    for sent, missing in (("chart_start", "chart_end"), ("chart_end", "chart_start")):
        sentence = f"The {missing.replace('_', ' ')} field is required when {sent.replace('_', ' ')} is given."

        assert errors(me.get("/dashboard", **{sent: "2024-05-01"})) == {missing: [sentence]}


def test_a_running_month_is_compared_with_the_same_days_of_the_month_before(me):
    account_id = made(me, asset())
    for on, amount in (("2024-04-15", "10"), ("2024-04-16", "99"), ("2024-05-02", "7")):
        paid(me, account_id, on, amount, description="Shoes")

    before = dashboard(me, **MAY)["data"]["before"]

    assert (before["start"], before["end"]) == ("2024-04-01", "2024-04-15")
    assert {one["key"]: one["monetary_value"] for one in before["figures"]}["spent-in-EUR"] == -10
