"""A figure and the list behind it have the same sum: for every figure of reports and pages that leads to a list."""

from collections import defaultdict
from decimal import Decimal

import pytest

from ..conftest import NOW
from .making import answered, report, some_books

START, END = "2023-02-10", "2024-04-20"
DAYS = {"start": START, "end": END}
IDS = {
    "category": "category_id",
    "tag": "tag_id",
    "payee": "payee_id",
    "account": "account_id",
    "budget": "budget_id",
}


@pytest.fixture(scope="module", params=[7, 36])
def model(shared_world, request):
    shared_world.time.now = NOW
    return some_books(shared_world.someone(), seed=request.param)


def sum_list(model, **filters):
    """What the splits in the list add up to by currency, as the web app adds up its days: in less out."""
    sums, page = defaultdict(Decimal), 1
    path = "/search/transactions" if filters.keys() > DAYS.keys() else "/transactions"
    while True:
        answer = answered(model.client, path, limit=50, page=page, **filters)
        others = set(answer["meta"].get("not_matching", ()))
        for line in answer["data"]:
            of = line["attributes"]
            if line["id"] in others or of["type"] not in ("Withdrawal", "Deposit"):
                continue
            is_own = of["foreign_currency_code"] is None or of["currency_code"] == _currency_of(model, of)
            prefix = "" if is_own else "foreign_"
            amount = abs(of[f"{prefix}amount"])
            sums[of[f"{prefix}currency_code"]] += amount if of["type"] == "Deposit" else -amount
        if page >= answer["meta"]["pagination"]["total_pages"]:
            return {code: amount for code, amount in sums.items() if amount}
        page += 1


def _currency_of(model, of):
    if not hasattr(model, "currencies"):
        accounts = answered(model.client, "/accounts", limit=1000)["data"]
        model.currencies = {int(one["id"]): one["attributes"]["currency_code"] for one in accounts}
    return model.currencies[of["source_id"] if of["type"] == "Withdrawal" else of["destination_id"]]


def total_of(model, word, **filters):
    answer = report(model.client, "totals", **filters)
    return {of["currency_code"]: of["in" if word == "earned" else "out"] for of in answer["data"]}


def filters_of(by, row):
    if row["row"] == "none":
        return {f"no_{by}": 1} if by in ("category", "budget") else None
    return {IDS[by]: row["id"]}


@pytest.mark.parametrize(("by", "children"), [*((by, {}) for by in IDS), ("category", {"children": "fold"})])
@pytest.mark.parametrize("word", ["spent", "earned"])
def test_each_row_of_a_report_is_the_sum_of_the_list_behind_it(model, by, word, children):
    rows = report(model.client, "breakdown", by=by, type=word, period="range", **children, **DAYS)["data"]

    checked = 0
    for row in rows:
        filters = filters_of(by, row)
        if filters is None:
            continue
        shown = {of["currency_code"]: of["total"] for of in row["amounts"]}
        behind = {"flow": word, **filters, **children, **DAYS}
        sign = 1 if word == "earned" else -1
        assert {code: sign * amount for code, amount in shown.items()} == sum_list(model, **behind), (by, row["name"])
        assert shown == total_of(model, word, **behind)
        checked += 1
    assert checked


@pytest.mark.parametrize("narrowed", [{"account": "Checking"}, {"category": "Food"}, {"tag": "work"}], ids=str)
def test_a_narrowed_report_leads_to_a_list_that_is_as_narrow(model, narrowed):
    [(name, label)] = narrowed.items()
    more = {f"{name}_id": model.ids[f"{name}_id"][label]}
    for row in report(model.client, "breakdown", by="payee", period="range", **more, **DAYS)["data"]:
        shown = {of["currency_code"]: -of["total"] for of in row["amounts"]}
        assert shown == sum_list(model, flow="spent", payee_id=row["id"], **more, **DAYS), row["name"]


@pytest.mark.parametrize(("sources", "uses"), [("category", "budget"), ("payee", "category")])
def test_each_node_of_the_cash_flow_is_the_sum_of_the_list_behind_it(model, sources, uses):
    checked = set()
    for graph in report(model.client, "cash_flow", sources=sources, uses=uses, limit=50, **DAYS)["data"]:
        for node in graph["nodes"]:
            by = {"earned": sources, "spent": uses}.get(node["flow"])
            filters = filters_of(by, node) if by and node["row"] in ("label", "none") else None
            if filters is None:
                continue
            amount = sum_list(model, flow=node["flow"], **filters, **DAYS)[graph["currency_code"]]
            assert amount == (node["amount"] if node["side"] == "source" else -node["amount"]), node
            checked.add(node["side"])
    assert checked == {"source", "use"}


def test_figures_of_the_dashboard_are_the_sums_of_their_lists(model):
    figures = answered(model.client, "/summary/basic", **DAYS)
    for key, filters in (("spent", {"flow": "spent"}), ("earned", {"flow": "earned"}), ("balance", {})):
        shown = {of["currency_code"]: of["monetary_value"] for of in figures if of["key"].startswith(f"{key}-in-")}
        assert {code: amount for code, amount in shown.items() if amount} == sum_list(model, **filters, **DAYS)


def test_spending_of_budgets_and_without_one_is_the_sum_of_the_list(model):
    for row in report(model.client, "budgets", period="range", **DAYS)["data"]:
        shown = {of["currency_code"]: -of["total"]["spent"] for of in row["amounts"] if of["total"]["spent"]}
        filters = {"budget_id": row["id"]} if row["row"] == "label" else {"no_budget": 1}
        assert shown == sum_list(model, flow="spent", **filters, **DAYS), row["name"]


def test_income_and_expense_are_the_sums_of_their_lists(model):
    answer = report(model.client, "income_expense", period="year", **DAYS)
    for place, part in enumerate(answer["meta"]["parts"]):
        days = {"start": part["start"], "end": part["end"]}
        earned, spent = (sum_list(model, flow=word, **days) for word in ("earned", "spent"))
        for of in answer["data"]:
            assert of["parts"][place]["income"] == earned.get(of["currency_code"], 0)
            assert of["parts"][place]["expense"] == -spent.get(of["currency_code"], 0)
