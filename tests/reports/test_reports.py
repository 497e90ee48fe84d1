"""What the reports show beside sums: averages, trends, comparisons, rows, tables; and what they refuse."""

import csv
from datetime import date
from decimal import Decimal
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.overviews.reports.figures import divide, percent, trend
from farthing.overviews.reports.reading.ranges import Comparison, ReportRange
from farthing.schedule.periods import Period

from ..accounts.making import asset, errors, made
from ..transactions.making import a_transaction, deposit, posted, posted_one, split, withdrawal
from .making import answered, report


def bought(account_id, amount, on="2024-05-10", **fields):
    body = withdrawal(account_id, amount, date=on)
    body["transactions"][0] |= fields
    return body


def refunded(account_id, amount, on="2024-05-10", **fields):
    body = deposit(account_id, amount, date=on)
    body["transactions"][0] |= {"refund": True, **fields}
    return body


# Pure figures


@given(st.integers(-(10**20), 10**20), st.integers(1, 400))
def test_an_average_is_the_nearest_whole_number(units, by):
    found = divide(units, by)

    assert abs(Decimal(found) - Decimal(units) / by) <= Decimal("0.5") + Decimal(abs(units)) / 10**27


@pytest.mark.parametrize(
    ("units", "base", "wanted"),
    [(1, 3, 3333), (2, 3, 6667), (-1, 8, -1250), (5, 0, None), (3, -2, 15000), (10**19, 1, 10**23)],
)
def test_percentages_are_hundredths_of_the_size_of_the_base(units, base, wanted):
    assert percent(units, base) == wanted


@pytest.mark.parametrize(
    ("parts", "complete", "wanted"),
    [
        ([80, 100, 120], [True] * 3, 3333),
        ([80, 100, 5], [True, True, False], 2500),
        ([1, 100, 50], [False, True, True], -5000),
        ([0, 0, 7], [True] * 3, None),
        ([7], [True], None),
        ([7, 8], [False, True], None),
    ],
)
def test_a_trend_compares_the_last_complete_part_with_the_average_of_those_before(parts, complete, wanted):
    assert trend(parts, complete) == wanted


@pytest.mark.parametrize(
    ("start", "end", "before", "year_ago"),
    [
        ("2024-03-01", "2024-03-31", ("2024-02-01", "2024-02-29"), ("2023-03-01", "2023-03-31")),
        ("2024-02-01", "2024-02-29", ("2024-01-01", "2024-01-31"), ("2023-02-01", "2023-02-28")),
        ("2025-02-01", "2025-02-28", ("2025-01-01", "2025-01-31"), ("2024-02-01", "2024-02-29")),
        ("2024-01-01", "2024-05-15", ("2023-08-18", "2023-12-31"), ("2023-01-01", "2023-05-15")),
        ("2024-02-29", "2024-02-29", ("2024-02-28", "2024-02-28"), ("2023-02-28", "2023-02-28")),
    ],
)
def test_whole_months_are_compared_with_whole_months(start, end, before, year_ago):
    within = ReportRange(start=date.fromisoformat(start), end=date.fromisoformat(end))

    found = [within.compared_with(one) for one in (Comparison.BEFORE, Comparison.YEAR_AGO)]

    assert [(one.start.isoformat(), one.end.isoformat()) for one in found] == [before, year_ago]


@pytest.mark.parametrize(
    ("start", "end", "today", "before", "year_ago"),
    [
        ("2024-11-01", "2024-11-30", "2024-11-19", ("2024-10-01", "2024-10-19"), ("2023-11-01", "2023-11-19")),
        ("2024-06-01", "2024-11-30", "2024-11-19", ("2023-12-01", "2024-05-19"), ("2023-06-01", "2023-11-19")),
        ("2024-03-01", "2024-03-31", "2024-03-30", ("2024-02-01", "2024-02-29"), ("2023-03-01", "2023-03-30")),
        ("2024-05-06", "2024-05-12", "2024-05-08", ("2024-04-29", "2024-05-01"), ("2023-05-06", "2023-05-08")),
        ("2024-11-01", "2024-11-30", "2024-12-01", ("2024-10-01", "2024-10-31"), ("2023-11-01", "2023-11-30")),
    ],
)
def test_a_running_range_is_compared_with_the_same_days(start, end, today, before, year_ago):
    within = ReportRange(*map(date.fromisoformat, (start, end)), today=date.fromisoformat(today))

    found = [within.compared_with(one) for one in (Comparison.BEFORE, Comparison.YEAR_AGO)]

    assert [(one.start.isoformat(), one.end.isoformat()) for one in found] == [before, year_ago]


def test_a_part_is_complete_when_it_is_whole_and_over():
    within = ReportRange(start=date(2024, 1, 15), end=date(2024, 5, 31), period=Period.MONTH)

    complete = [within.is_complete(part, date(2024, 4, 30)) for part in within.parts]

    assert complete == [False, True, True, False, False]


@pytest.mark.parametrize(
    ("books_from", "wanted"),
    [
        (date(2024, 3, 31), [False, False, True, True, False]),
        (date(2020, 1, 1), [True, True, True, True, False]),
        (date(2024, 5, 20), [False] * 5),
        (None, [False] * 5),
    ],
)
def test_a_part_is_averaged_from_the_first_transaction_to_today(books_from, wanted):
    within = ReportRange(start=date(2024, 1, 15), end=date(2024, 5, 31), period=Period.MONTH)

    assert [within.is_averaged(part, date(2024, 4, 30), books_from) for part in within.parts] == wanted


# Averages


def test_after_three_months_of_bookkeeping_the_average_of_a_year_is_that_of_three_months(me):
    account_id = made(me, asset())
    for on, amount in (("2024-03-31", "30"), ("2024-05-02", "60"), ("2024-07-01", "500")):
        posted(me, bought(account_id, amount, on, category_name="Food"))
    posted(me, deposit(account_id, "300", date="2024-04-01"))
    year = {"start": "2024-01-01", "end": "2024-12-31"}

    broken_down = report(me, "breakdown", by="category", **year)
    flows = report(me, "income_expense", **year)

    [food] = broken_down["data"][0]["amounts"]
    assert (food["total"], food["average"], broken_down["totals"][0]["average"]) == (590, 30, 30)
    average = flows["data"][0]["average"]
    assert average == {"income": 100, "expense": 30, "net": 70, "savings_rate": 70}
    assert [part["start"][5:7] for part in flows["meta"]["parts"] if part["averaged"]] == ["03", "04", "05"]


def test_where_nothing_has_begun_the_average_is_that_of_all_parts(me):
    account_id = made(me, asset())
    posted(me, bought(account_id, "300", "2024-07-01", category_name="Food"))

    [row] = report(me, "breakdown", by="category", start="2024-06-01", end="2024-08-31")["data"]

    assert row["amounts"][0]["average"] == 100


# Rows


def test_a_refund_lowers_what_was_spent_at_that_shop(me):
    account_id = made(me, asset())
    posted(me, bought(account_id, "30", category_name="Food"))
    posted(me, refunded(account_id, "10", source_name="Grocer", category_name="Food"))

    [payee] = report(me, "breakdown", by="payee")["data"]
    [category] = report(me, "breakdown", by="category")["data"]

    assert (payee["name"], payee["amounts"][0]["total"], len(payee["account_ids"])) == ("Grocer", 20, 2)
    assert (category["name"], category["amounts"][0]["total"]) == ("Food", 20)
    assert report(me, "breakdown", by="payee", type="earned")["data"] == []


def test_a_shop_whose_transactions_are_gone_is_not_named(me):
    account_id = made(me, asset())
    spent = posted_one(me, bought(account_id, "30"))["id"]
    refund = posted_one(me, refunded(account_id, "10", source_name="Grocer"))["id"]

    me.delete(f"/transactions/{refund}")
    [payee] = report(me, "breakdown", by="payee")["data"]
    assert (payee["amounts"][0]["total"], len(payee["account_ids"])) == (30, 1)

    me.delete(f"/transactions/{spent}")
    assert report(me, "breakdown", by="payee")["data"] == []


def test_the_smallest_rows_are_one_and_what_has_no_label_comes_last(me):
    account_id = made(me, asset())
    for name, amount in (("A", "5"), ("B", "40"), ("C", "30"), ("D", "10"), (None, "100")):
        posted(me, bought(account_id, amount, category_name=name or ""))

    answer = report(me, "breakdown", by="category", limit=2)

    rows = [(row["row"], row["name"], row.get("rows"), row["amounts"][0]["total"]) for row in answer["data"]]
    assert rows == [
        ("label", "B", None, 40),
        ("label", "C", None, 30),
        ("other", None, 2, 15),
        ("none", None, None, 100),
    ]
    assert answer["totals"][0]["total"] == 185


def test_the_limit_counts_in_each_currency(me):
    euros, dollars = made(me, asset()), made(me, asset(name="Dollars", currency_code="USD"))
    for name, amount, code in (
        ("A", "50", "EUR"), ("B", "40", "EUR"), ("C", "30", "EUR"), ("D", "9", "USD"), ("E", "8", "USD")
    ):  # fmt: skip
        posted(me, bought(euros if code == "EUR" else dollars, amount, currency_code=code, category_name=name))

    found = report(me, "breakdown", by="category", limit=1)["data"]
    flows = report(me, "cash_flow", limit=1)["data"]

    assert [row["name"] for row in found] == ["A", "D", None]
    others = {one["currency_code"]: (one["rows"], one["total"]) for one in found[-1]["amounts"]}
    assert (others, found[-1]["rows"]) == ({"EUR": (2, 70), "USD": (1, 8)}, 3)
    assert [node["rows"] for flow in flows for node in flow["nodes"] if node["row"] == "other"] == [2, 1]


def test_a_node_of_the_cash_flow_has_the_colour_of_its_category(me):
    assert me.post("/categories", {"name": "Food", "colour": "teal"}).status_code == 200
    posted(me, bought(made(me, asset()), "5", category_name="Food"))

    [flow] = report(me, "cash_flow")["data"]

    shown = {node["name"]: (node["flow"], node.get("colour")) for node in flow["nodes"] if node["side"] == "use"}
    assert shown == {"Food": ("spent", "teal")}


def test_ones_own_currency_comes_first(me):
    euros, dollars = made(me, asset()), made(me, asset(name="Dollars", currency_code="USD"))
    posted(me, bought(dollars, "900", currency_code="USD", category_name="Travel"))
    posted(me, bought(euros, "5", category_name="Food"))
    posted(me, bought(euros, "1", category_name="Travel"))

    rows = report(me, "breakdown", by="category")["data"]
    assert [row["name"] for row in rows] == ["Food", "Travel"]
    assert [of["currency_code"] for of in rows[1]["amounts"]] == ["EUR", "USD"]

    me.put("/preferences/currencyPreference", {"data": "USD"})
    rows = report(me, "breakdown", by="category")["data"]
    assert [of["currency_code"] for of in rows[0]["amounts"]] == ["USD", "EUR"]


def test_a_transaction_counts_under_each_of_its_tags(me):
    account_id = made(me, asset())
    posted(me, bought(account_id, "30") | {"tags": ["a", "b"]})
    posted(me, bought(account_id, "4"))

    answer = report(me, "breakdown", by="tag")

    assert answer["meta"]["overlapping"] is True
    assert {row["name"]: row["amounts"][0]["total"] for row in answer["data"]} == {"a": 30, "b": 30}
    assert answer["totals"][0]["total"] == 34


def test_sub_categories_can_be_added_to_their_parents(me):
    account_id = made(me, asset())
    parent = me.post("/categories", {"name": "Food"}).json()["data"]["id"]
    child = me.post("/categories", {"name": "Bread", "parent_id": parent}).json()["data"]["id"]
    posted(me, bought(account_id, "3", category_name="Bread"))
    posted(me, bought(account_id, "1", category_name="Fun"))

    apart, folded = (report(me, "breakdown", by="category", **query)["data"] for query in ({}, {"children": "fold"}))

    assert (apart[0]["id"], apart[0]["parent_id"]) == (int(child), int(parent))
    assert [(row["name"], row["amounts"][0]["total"]) for row in folded] == [("Food", 3), ("Fun", 1)]


def test_the_range_is_this_year_by_month_unless_told(me):
    meta = report(me, "breakdown", by="category")["meta"]

    assert (meta["start"], meta["end"], meta["period"], len(meta["parts"])) == ("2024-01-01", "2024-05-15", "month", 5)
    assert [part["complete"] for part in meta["parts"]] == [True] * 4 + [False]


def test_sums_beyond_64_bits_are_exact(me):
    account_id, huge = made(me, asset()), "92233720368547758.07"
    posted(me, refunded(account_id, huge, on="2024-03-01", category_name="Food"))
    posted(me, bought(account_id, huge, on="2024-01-15", category_name="Food", destination_name="One"))
    posted(me, bought(account_id, huge, on="2024-02-15", category_name="Food", destination_name="Two"))

    query = {"start": "2024-01-01", "end": "2024-02-29", "period": "range"}
    [row] = report(me, "breakdown", by="category", **query)["data"]

    assert row["amounts"][0]["total"] == 2 * Decimal(huge)
    assert report(me, "totals", start="2024-01-01", end="2024-02-29")["data"][0]["out"] == 2 * Decimal(huge)


# Budgets


def test_a_limit_is_divided_among_the_parts_by_days(me):
    budget = me.post("/budgets", {"name": "Home", "active": True}).json()["data"]["id"]
    body = {"amount": "100", "currency_code": "EUR", "start_date": "2024-01-01", "end_date": "2024-03-31"}
    assert me.post(f"/budgets/{budget}/limits", body).status_code == 200
    posted(me, bought(made(me, asset()), "50", on="2024-02-10", budget_name="Home"))

    [row] = report(me, "budgets", start="2024-01-01", end="2024-04-30")["data"]

    [of] = row["amounts"]
    limits = [part["limit"] for part in of["parts"]]
    assert limits == [Decimal("34.06"), Decimal("31.87"), Decimal("34.07"), None]
    assert of["parts"][1]["left"] == Decimal("-18.13")
    assert of["total"] == {"limit": 100, "spent": 50, "left": 50, "carried": None}


def test_a_budget_without_limit_and_spending_is_shown(me):
    me.post("/budgets", {"name": "Home", "active": True})

    assert report(me, "budgets")["data"] == [
        {"row": "label", "id": report(me, "budgets")["data"][0]["id"], "name": "Home", "active": True, "amounts": []}
    ]


# Tables


def table(client, name, **query):
    answer = client.get(f"/reports/{name}", format="csv", **query)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(StringIO(answer.text)))


def test_every_report_is_also_a_table_that_no_spreadsheet_runs(me):
    account_id = made(me, asset(name="+Checking"))
    posted(me, bought(account_id, "30.50", category_name="=1+1", destination_name="@shop"))
    posted(me, deposit(account_id, "10"))

    [row] = table(me, "breakdown", by="category", period="year", compare="before")[:1]
    assert (row["name"], row["currency"], row["amount"]) == ("'=1+1", "EUR", "30.5")
    assert table(me, "breakdown", by="payee", period="range")[0]["name"] == "'@shop"
    [whole] = table(me, "income_expense", period="range")
    assert (whole["income"], whole["expense"], whole["net"], whole["savings_rate"]) == ("10", "30.5", "-20.5", "-205")
    assert [one["account"] for one in table(me, "net_worth", period="range")] == ["'+Checking"]
    assert {(one["side"], one["row"], one["amount"]) for one in table(me, "cash_flow")} == {
        ("source", "none", "10"), ("source", "drawn", "20.5"), ("use", "label", "30.5"),
    }  # fmt: skip
    assert [one["spent"] for one in table(me, "budgets", period="range")] == ["30.5"]
    assert table(me, "totals") == [{"currency": "EUR", "in": "10", "out": "30.5", "moved": "", "net": "-20.5"}]


# What is refused


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("path", "query", "wrong"),
    [
        ("breakdown", {}, ["by"]),
        ("breakdown", {"by": "colour"}, ["by"]),
        ("breakdown", {"by": "tag", "type": "withdrawal"}, ["type"]),
        ("breakdown", {"by": "tag", "period": "day"}, ["period"]),
        ("breakdown", {"by": "tag", "compare": "before,tomorrow"}, ["compare"]),
        ("breakdown", {"by": "tag", "children": "yes", "limit": 0, "format": "pdf"}, ["format", "children", "limit"]),
        ("breakdown", {"by": "tag", "start": "2020-01-01", "end": "2024-05-01", "period": "week"}, ["period"]),
        ("breakdown", {"by": "tag", "start": "2005-01-01", "end": "2024-05-01", "limit": 100}, ["limit"]),
        ("income_expense", {"start": "2000-01-01", "end": "2024-05-01"}, ["start", "end"]),
        ("income_expense", {"category_id": "x"}, ["category_id"]),
        ("income_expense", {"query": "!!!"}, ["query"]),
        ("net_worth", {"category_id": "1"}, ["category_id"]),
        ("cash_flow", {"uses": "tag"}, ["uses"]),
        ("cash_flow", {"limit": 201}, ["limit"]),
        ("budgets", {"amount_min": "5", "amount_max": "4"}, ["amount_min", "amount_max"]),
        ("totals", {"start": "2024-05-02", "end": "2024-05-01"}, ["start", "end"]),
    ],
)
def test_a_wrong_query_names_the_field(me, path, query, wrong):
    assert list(errors(me.get(f"/reports/{path}", **query))) == wrong


@pytest.mark.parametrize("path", ["breakdown", "income_expense", "net_worth", "cash_flow", "budgets", "totals"])
def test_one_day_of_a_range_asks_for_the_other(me, path):
    by = {"by": "tag"} if path == "breakdown" else {}

    for sent, missing in (("start", "end"), ("end", "start")):
        answer = me.get(f"/reports/{path}", **by, **{sent: "2024-03-01", missing: ""})
        assert errors(answer) == {missing: [f"The {missing} field is required when {sent} is given."]}
    assert set(errors(me.get(f"/reports/{path}", **by, start="2024-03-01", format="pdf"))) == {"end", "format"}
    assert me.get(f"/reports/{path}", **by, start="", end="").status_code == 200


def test_labels_of_other_users_match_nothing(me, someone_else):
    account_id = made(someone_else, asset())
    posted(someone_else, bought(account_id, "30", category_name="Food"))
    category_id = answered(someone_else, "/categories")["data"][0]["id"]

    for narrowed in (
        {"category_id": category_id},
        {"account_id": account_id},
        {"account_id": account_id, "query": "a"},
    ):
        assert report(me, "totals", **narrowed)["data"] == []
        assert report(me, "breakdown", by="payee", **narrowed)["data"] == []
    assert report(me, "net_worth", account_id=account_id)["data"] == []


def test_a_transaction_with_two_splits_is_one(me):
    account_id = made(me, asset())
    parts = [split(source_id=account_id, destination_name="Grocer", description=one, amount="1") for one in "ab"]
    posted(me, a_transaction("withdrawal", *parts))

    assert report(me, "totals")["meta"] == {"splits": 2, "transactions": 1}


def test_a_currency_leaves_the_net_worth_when_its_only_transaction_is_undone(me):
    account_id = made(me, asset(opening_balance="500", opening_balance_date="2024-01-01"))
    abroad = split(source_id=account_id, amount="700", currency_code="JPY", destination_name="Shop")
    booked = posted_one(me, a_transaction("withdrawal", abroad, date="2024-02-01"))
    days = {"start": "2024-01-01", "end": "2024-12-31"}

    def owned():
        report_, chart = (me.get(path, **days).json()["data"] for path in ("/reports/net_worth", "/chart/net_worth"))
        summary = [one["key"] for one in me.get("/summary/basic", **days).json() if "net-worth" in one["key"]]
        return *([one["currency_code"] for one in data] for data in (report_, chart)), summary

    assert owned() == (["EUR", "JPY"], ["EUR", "JPY"], ["net-worth-in-EUR", "net-worth-in-JPY"])
    me.delete(f"/transactions/{booked['id']}")
    assert owned() == (["EUR"], ["EUR"], ["net-worth-in-EUR"])
