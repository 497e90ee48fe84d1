"""Reports say what the books say: every figure is held against a model that adds up everything itself."""

from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal

import pytest

from farthing.overviews.reports.reading import matching_splits

from ..conftest import NOW
from ..transactions.making import findings
from .making import OWN, PARENTS, Filter, answered, report, some_books

RANGES = [("2023-01-01", "2023-12-31"), ("2023-02-10", "2024-04-20"), ("2024-03-04", "2024-03-31")]
ONE = [Filter(category="Food"), Filter(budget="Daily"), Filter(tag="work"), Filter(account="Checking")]
ONE.append(Filter(folded="Food"))
SEVERAL = [
    Filter(account="Checking", category="Food"),
    Filter(account="Baker", tag="work"),
    Filter(category="Fun", budget="Daily", tag="kids"),
    Filter(word="zebra"),
    Filter(word="grocer", category="Home"),
    Filter(amount_min=Decimal("100.01"), amount_max=Decimal(500)),
    Filter(amount_max=Decimal(77), account="Dollars"),
    Filter(tag="work", word="okapi", amount_min=Decimal(50)),
    Filter(folded="Food", account="Checking"),
    Filter(folded="Food", word="zebra"),
    Filter(no_budget=True, category="Food"),
]
LABELS = {
    "category": lambda one: [one.category],
    "budget": lambda one: [one.budget],
    "tag": lambda one: sorted(one.tags),
    "account": lambda one: [one.own],
    "payee": lambda one: [one.other],
}


@pytest.fixture(scope="module")
def model(shared_world):
    shared_world.time.now = NOW
    model = some_books(shared_world.someone(), seed=24)
    assert findings(shared_world, model.client) == []
    return model


def broken_down(model, by, word, parts, passes, folds=None):
    """By label and currency: the amount of each part."""
    found = defaultdict(lambda: defaultdict(lambda: [Decimal(0)] * len(parts)))
    for place, part in enumerate(parts):
        for one in model.splits:
            amount = getattr(one, word)
            if amount and part["start"] <= one.on <= part["end"] and passes(one):
                for label in [PARENTS.get(label, label) if folds else label for label in LABELS[by](one)]:
                    found[label][one.currency][place] += amount
    shown = {label: {code: units for code, units in amounts.items() if any(units)} for label, amounts in found.items()}
    return {label: amounts for label, amounts in shown.items() if amounts}


def rows_of(answer):
    return {
        row["name"]: {of["currency_code"]: of["parts"] for of in row["amounts"] if any(of["parts"])}
        for row in answer["data"]
    }


class TestBreakdown:
    @pytest.mark.parametrize("by", LABELS)
    @pytest.mark.parametrize(("start", "end"), RANGES)
    def test_every_row_is_what_the_transactions_add_up_to(self, model, by, start, end):
        for word in ("spent", "earned"):
            for period in ("month", "quarter", "year", "range", *(["week"] if start == "2024-03-04" else [])):
                answer = report(model.client, "breakdown", by=by, type=word, start=start, end=end, period=period)

                wanted = broken_down(model, by, word, answer["meta"]["parts"], lambda _: True)
                assert rows_of(answer) == wanted, (word, period)

    @pytest.mark.parametrize("by", LABELS)
    @pytest.mark.parametrize("narrowed", [*ONE, *SEVERAL], ids=str)
    def test_filters_leave_what_the_list_would_show(self, model, by, narrowed):
        start, end = RANGES[1]
        query = {"by": by, "start": start, "end": end, "period": "quarter", **narrowed.query(model)}

        answer = report(model.client, "breakdown", **query)

        wanted = broken_down(model, by, "spent", answer["meta"]["parts"], narrowed.passes, folds=narrowed.folded)
        assert rows_of(answer) == wanted

    @pytest.mark.parametrize("by", [one for one in LABELS if one != "tag"])
    def test_rows_add_up_to_the_total_and_to_the_chart(self, model, by):
        start, end = RANGES[1]
        answer = report(model.client, "breakdown", by=by, start=start, end=end, limit=1)
        chart = answered(model.client, "/chart/cash_flow", start=start, end=end, period="month")

        added = defaultdict(lambda: [Decimal(0)] * len(answer["meta"]["parts"]))
        for row in answer["data"]:
            for of in row["amounts"]:
                added[of["currency_code"]] = [
                    a + b for a, b in zip(added[of["currency_code"]], of["parts"], strict=True)
                ]
        totals = {of["currency_code"]: of["parts"] for of in answer["totals"]}
        assert dict(added) == totals
        assert totals == {one["currency_code"]: [part["spent"] for part in one["entries"]] for one in chart["data"]}

    @pytest.mark.parametrize("narrowed", [Filter(), *SEVERAL[:2]], ids=str)
    def test_other_ranges_are_compared_exactly(self, model, narrowed):
        query = {"start": "2024-01-01", "end": "2024-03-31", "compare": "before,year_ago", **narrowed.query(model)}
        answer = report(model.client, "breakdown", by="category", **query)
        ranges = answer["meta"]["compared"]

        assert ranges == {
            "before": {"start": "2023-10-01", "end": "2023-12-31"},
            "year_ago": {"start": "2023-01-01", "end": "2023-03-31"},
        }
        for row in answer["data"]:
            for of in row["amounts"]:
                for name, days in ranges.items():
                    wanted = model.flow(
                        "spent",
                        **days,
                        passes=lambda one, row=row: narrowed.passes(one) and one.category == row["name"],
                    )
                    shown = of["compared"][name]
                    assert shown["total"] == wanted.get(of["currency_code"], 0)
                    assert shown["change"] == of["total"] - shown["total"]


class TestIncomeExpense:
    @pytest.mark.parametrize("narrowed", [Filter(), *ONE, *SEVERAL], ids=str)
    def test_each_part_is_what_the_transactions_add_up_to(self, model, narrowed):
        start, end = RANGES[1]
        answer = report(model.client, "income_expense", start=start, end=end, **narrowed.query(model))

        shown = {of["currency_code"]: of["parts"] for of in answer["data"]}
        for place, part in enumerate(answer["meta"]["parts"]):
            days = {"start": part["start"], "end": part["end"], "passes": narrowed.passes}
            spent, earned = model.flow("spent", **days), model.flow("earned", **days)
            for code in set(OWN.values()):
                one = shown[code][place] if code in shown else {"income": 0, "expense": 0, "net": 0}
                income, expense = earned.get(code, 0), spent.get(code, 0)
                assert (one["income"], one["expense"], one["net"]) == (income, expense, income - expense), (part, code)


class TestTotals:
    @pytest.mark.parametrize("days", [None, RANGES[1]])
    @pytest.mark.parametrize("type_", [None, "withdrawal", "deposit", "transfer"])
    @pytest.mark.parametrize("narrowed", [Filter(), *ONE, *SEVERAL], ids=str)
    def test_any_filtered_list_adds_up(self, model, narrowed, type_, days):
        narrowed = Filter(**{**narrowed.__dict__, "type": type_})
        within = dict(zip(("start", "end"), days, strict=True)) if days else {}

        answer = report(model.client, "totals", **within, **narrowed.query(model))

        first, last = days or ("0", "9")
        matching = [one for one in model.splits if first <= one.on <= last and narrowed.passes(one)]
        assert answer["meta"]["splits"] == len(matching)
        if "transactions" in answer["meta"]:
            assert answer["meta"]["transactions"] == len({one.entry for one in matching})
        for of in answer["data"]:
            mine = [one for one in matching if one.currency == of["currency_code"]]
            assert of["in"] == sum(one.earned for one in mine)
            assert of["out"] == sum(one.spent for one in mine)
            assert of["net"] == of["in"] - of["out"] + of.get("moved", 0)
            assert ("moved" in of) == (narrowed.account is not None)

    @pytest.mark.parametrize("narrowed", [{}, {"query": "the"}])
    def test_transfers_move_money_into_and_out_of_an_account(self, model, narrowed):
        for name, code in OWN.items():
            account_id = model.ids["account_id"][name]
            answer = report(model.client, "totals", account_id=account_id, type="", **narrowed)
            moved = {of["currency_code"]: of["moved"] for of in answer["data"]}

            wanted = Decimal(0)
            for one in model.splits:
                if one.type == "transfer" and name == one.own:
                    wanted -= one.amount
                if one.type == "transfer" and name == one.other:
                    wanted += one.amounts[-1]
            assert moved.get(code, 0) == wanted + (123 if name == "Loan" and not narrowed else 0) * -1, name


class TestNetWorth:
    @pytest.mark.parametrize("period", ["month", "quarter", "range"])
    def test_accounts_add_up_to_the_net_worth(self, model, period):
        start, end = RANGES[1]
        before = str(date.fromisoformat(start) - timedelta(days=1))
        answer = report(model.client, "net_worth", start=start, end=end, period=period)
        days = [part["end"] for part in answer["meta"]["parts"]]
        chart = answered(model.client, "/chart/net_worth", start=start, end=end, period="month")
        opened = answered(model.client, "/chart/net_worth", start=before, end=before, period="day")
        opening = {one["currency_code"]: one["entries"][0]["amount"] for one in opened["data"]}
        closing = {
            one["currency_code"]: {entry["date"]: entry["amount"] for entry in one["entries"]} for one in chart["data"]
        }

        for of in answer["data"]:
            parts = [account["parts"] for account in of["accounts"]]
            kinds = [kind["parts"] for kind in of["kinds"]]
            assert [sum(column) for column in zip(*parts, strict=True)] == of["total"]
            assert [sum(column) for column in zip(*kinds, strict=True)] == of["total"]
            assert [a + b for a, b in zip(of["assets"], of["debts"], strict=True)] == of["total"]
            assert of["total"] == [closing[of["currency_code"]][day] for day in days]
            assert of["opening"] == opening[of["currency_code"]]
        assert {account["name"] for of in answer["data"] for account in of["accounts"]} == set(OWN)


class TestCashFlow:
    @pytest.mark.parametrize("narrowed", [Filter(), *SEVERAL[:3]], ids=str)
    @pytest.mark.parametrize("uses", ["category", "payee", "budget"])
    def test_what_flows_in_is_what_flows_out(self, model, narrowed, uses):
        start, end = RANGES[0]
        answer = report(model.client, "cash_flow", start=start, end=end, uses=uses, limit=2, **narrowed.query(model))

        spent, earned = (model.flow(word, start, end, narrowed.passes) for word in ("spent", "earned"))
        assert {graph["currency_code"] for graph in answer["data"]} == {*spent, *earned}
        for graph in answer["data"]:
            assert all(link["amount"] > 0 for link in graph["links"])
            incoming = sum(link["amount"] for link in graph["links"] if link["target"] == "all")
            outgoing = sum(link["amount"] for link in graph["links"] if link["source"] == "all")
            assert incoming == outgoing == graph["nodes"][0]["amount"]
            ends = {node["key"]: node["amount"] for node in graph["nodes"] if node["key"] in ("saved", "drawn")}
            net = earned.get(graph["currency_code"], 0) - spent.get(graph["currency_code"], 0)
            assert ends == ({"saved": net} if net > 0 else {"drawn": -net} if net < 0 else {})
            assert len({node["key"] for node in graph["nodes"]}) == len(graph["nodes"])


class TestBudgets:
    @pytest.mark.parametrize("narrowed", [Filter(), Filter(budget="Daily"), Filter(account="Checking")], ids=str)
    def test_refunds_are_taken_off_what_was_spent(self, model, narrowed):
        start, end = RANGES[0]
        answer = report(model.client, "budgets", start=start, end=end, period="quarter", **narrowed.query(model))

        shown = {row["name"]: row["amounts"] for row in answer["data"]}
        for name, amounts in shown.items():
            parts = answer["meta"]["parts"]
            for of in amounts:
                wanted = [
                    model.flow(
                        "spent",
                        part["start"],
                        part["end"],
                        lambda one, name=name: narrowed.passes(one) and one.budget == name,
                    ).get(of["currency_code"], 0)
                    for part in parts
                ]
                assert [part["spent"] for part in of["parts"]] == wanted, name
        assert set(shown) >= ({"Daily"} if narrowed.budget else {"Daily", "Monthly", None})


def test_a_report_that_would_look_at_too_much_asks_for_a_shorter_range(model, monkeypatch):
    monkeypatch.setattr(matching_splits, "LOOKED_AT_MAX", 12)
    ids = {"account_id": model.ids["account_id"]["Checking"], "category_id": model.ids["category_id"]["Food"]}
    for query in (ids, {"query": "the"}, {"amount_min": 1}):
        answer = model.client.get("/reports/totals", **query, start="2023-01-01", end="2023-12-31")
        assert list(answer.json()["errors"]) == ["start"], query
    shorter = model.client.get("/reports/totals", **ids, start="2023-03-01", end="2023-03-10")
    assert shorter.status_code == 200
