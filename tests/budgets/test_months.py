"""Budgets in months side by side: limits, what is carried over, spent and left; and the same as envelopes."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from farthing.books.budgets.model import Carry
from farthing.overviews.budget_months.model import MonthlyFigures, find_envelopes, find_months

from ..changes.test_undo import seen, undone
from ..labels.making import BUDGET, a_label, asset, errors, exact, made, recorded, withdrawn
from ..length import examples
from ..transactions.making import deposit, findings, listed, posted_one
from .making import a_limit

DAYS = {"2024-03": "31", "2024-04": "30", "2024-05": "31"}


def months(client, **query):
    response = client.get("/budgets/months", **{"start": "2024-03-15", "months": 3, **query})
    assert response.status_code == 200, response.text
    return exact(response)["data"]


def row(found, name="Food"):
    [budget] = [one for one in found["budgets"] if one["name"] == name]
    return [tuple(int(month[key]) for key in ("limit", "carried", "spent", "left")) for month in budget["months"]]


def limited(client, budget_id, month, amount="100"):
    whole = {"start_date": f"{month}-01", "end_date": f"{month}-{DAYS[month]}"}
    return a_limit(client, budget_id, amount=amount, **whole)


def _spend(client, *amounts):
    checking = made(client, asset())
    for month, amount in zip(DAYS, amounts, strict=True):
        if amount:
            recorded(client, BUDGET.on(withdrawn(checking, amount, on=f"{month}-10"), "Food"))
    return checking


def _reported(client, **query):
    response = client.get("/reports/budgets", **{"start": "2024-03-01", "end": "2024-05-31", **query})
    assert response.status_code == 200, response.text
    [of] = response.json()["data"][0]["amounts"]
    assert of["total"]["carried"] == of["parts"][0]["carried"]
    return [(part["carried"] or 0, round(part["left"])) for part in of["parts"]]


@pytest.mark.parametrize(("carry", "carried"), [("no", [0, 0, 0]), ("yes", [0, 60, -20]), ("overspent", [0, 0, -80])])
def test_a_budget_carries_over_nothing_or_all_or_what_was_overspent(me, carry, carried):
    food = a_label(me, BUDGET, "Food", carry=carry)
    for month in DAYS:
        limited(me, food, month)
    _spend(me, "40", "180", None)

    found = row(months(me))

    spent = [40, 180, 0]
    assert found == [(100, came, paid, 100 + came - paid) for came, paid in zip(carried, spent, strict=True)]
    assert _reported(me) == [(came, left) for _, came, _, left in found]
    assert _reported(me, period="range") == [(0, 80)]
    assert _reported(me, start="2024-05-01") == [(found[2][1], found[2][3])]
    assert _reported(me, start="2024-05-02") == [(0, 97)]  # 30 days of 31
    assert _reported(me, query="nothing") == [(0, 100)] * 3


def test_what_is_carried_comes_from_before_the_months_shown_but_not_from_before_the_first_limit(me):
    food = a_label(me, BUDGET, "Food", carry="yes")
    _spend(me, "40", "30", "5")
    limited(me, food, "2024-04")

    assert row(months(me, start="2024-05-31", months=1)) == [(0, 70, 5, 65)]
    assert row(months(me))[0] == (0, 0, 40, -40)


def test_a_limit_is_divided_by_days_among_the_months_that_it_has_a_day_in(me):
    food = a_label(me, BUDGET, "Food")
    limited(me, food, "2024-03", "60")
    a_limit(me, food, amount="30", start_date="2024-04-15", end_date="2024-05-14")

    found = months(me)

    assert [month[0] for month in row(found)] == [60, 16, 14]
    for month in found["budgets"][0]["months"][1:]:
        [one] = month["limits"]
        assert (one["start"], one["end"], one["amount"]) == ("2024-04-15", "2024-05-14", 30)


def test_totals_name_what_was_spent_without_a_budget_and_what_is_left_to_budget(me):
    food = a_label(me, BUDGET, "Food", carry="no")
    limited(me, food, "2024-03", "100")
    limited(me, food, "2024-04", "100")
    checking = _spend(me, "40", "130", None)
    recorded(me, withdrawn(checking, "7", on="2024-04-20"))
    for month in DAYS:
        posted_one(me, deposit(checking, "500", date=f"{month}-01"))

    totals = months(me)["totals"]

    names = ("income", "limit", "spent", "unbudgeted", "to_budget")
    assert [[int(one[name]) for name in names] for one in totals] == [
        [500, 100, 40, 0, 400],
        [500, 100, 130, 7, 400 + 500 - 100 - 7 + 60],
        [500, 0, 0, 0, 853 + 500 - 30],
    ]
    without = listed(me, "/search/transactions", no_budget="1", type="withdrawal", start="2024-04-01", end="2024-04-30")
    assert [one["attributes"]["amount"] for one in without] == [-7]


def test_one_currency_is_shown_and_the_others_are_named(me):
    food = a_label(me, BUDGET, "Food")
    limited(me, food, "2024-03")
    a_limit(me, food, amount="9", currency_code="USD", start_date="2024-03-01", end_date="2024-03-31")

    found = months(me, currency="usd")

    assert (found["currency_code"], found["currencies"]) == ("USD", ["EUR", "USD"])
    assert row(found)[0] == (9, 0, 0, 9)


def test_a_change_that_leaves_carry_out_keeps_it(me):
    food = a_label(me, BUDGET, "Food", carry="overspent")

    me.put(f"/budgets/{food}", {"name": "Meals", "active": True})

    assert me.get(f"/budgets/{food}").json()["data"]["attributes"]["carry"] == "overspent"
    assert list(errors(me.put(f"/budgets/{food}", {"name": "Meals", "active": True, "carry": "some"}))) == ["carry"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    "query", [{"start": "2024-13-01"}, {"start": "9999-12-01"}, {"months": 25}, {"months": 0}, {"currency": "XYZ"}]
)
def test_what_is_asked_for_must_make_sense(me, query):
    assert list(errors(me.get("/budgets/months", **query))) == list(query)


def test_the_limits_of_a_month_are_copied_and_what_is_there_stays(world, me):
    food, fun, old = (a_label(me, BUDGET, name) for name in ("Food", "Fun", "Old"))
    for budget in (food, fun, old):
        limited(me, budget, "2024-04")
    limited(me, fun, "2024-05", "33")
    a_limit(me, food, amount="5", start_date="2024-03-10", end_date="2024-03-20")
    me.put(f"/budgets/{old}", {"name": "Old", "active": False})
    before = seen(me)

    answer = me.post("/budgets/copy_limits", {"from": "2024-04", "to": "2024-05"})

    assert answer.json()["data"] == {"copied": 1, "kept": 1}
    found = months(me)
    assert [row(found, name)[2][0] for name in ("Food", "Fun", "Old")] == [100, 33, 0]
    undone(me)
    assert seen(me) == before
    assert list(errors(me.post("/budgets/copy_limits", {}))) == ["from", "to"]
    assert list(errors(me.post("/budgets/copy_limits", {"from": "2024-04", "to": "2024-04"}))) == ["to"]


_units = st.dictionaries(st.integers(0, 11), st.integers(-500, 5000), max_size=8)


_budget = st.tuples(st.sampled_from(Carry), _units, _units, _units)


@given(st.lists(_budget, max_size=4), _units, _units, st.integers(0, 11))
def test_no_money_is_lost_between_envelopes(budgets, income, unbudgeted, begins):
    """An independent model: what came in since the beginning and was not spent is in a budget, or can be budgeted."""
    budgets = [
        (carry, {month: abs(units) + 1 for month, units in limits.items() if month >= begins}, spent, released)
        for carry, limits, spent, released in budgets
    ]
    withdrawn_ = {
        month: unbudgeted.get(month, 0) + sum(spent.get(month, 0) for _, _, spent, _ in budgets) for month in range(12)
    }
    found = {place: find_months(*budget, range(12)) for place, budget in enumerate(budgets)}

    totals = find_envelopes(
        MonthlyFigures(limits={}, spent={}, released={}, income=income, withdrawn=withdrawn_),
        found,
        range(12),
        begins=begins,
    )

    for month in range(begins, 12):
        came = sum(income.get(one, 0) - withdrawn_[one] for one in range(begins, month + 1))
        assert totals[month].to_budget + totals[month].left == came
        assert totals[month].unbudgeted == unbudgeted.get(month, 0)


_plan = st.lists(
    st.tuples(st.integers(0, 13), st.one_of(st.none(), st.integers(1, 900)), st.integers(0, 900)), max_size=12
)


@settings(
    max_examples=examples(24),
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(carry=st.sampled_from(["no", "yes", "overspent"]), plan=_plan, start=st.integers(0, 11))
def test_what_is_carried_agrees_with_a_model_that_walks_month_by_month(world, carry, plan, start):
    me = world.someone()
    names = [f"{2023 + month // 12}-{month % 12 + 1:02}" for month in range(14)]
    food, checking = a_label(me, BUDGET, "Food", carry=carry), made(me, asset())
    limits, spent = dict[int, int](), dict[int, int]()
    for month, limit, paid in plan:
        if limit and month not in limits:
            limits[month] = limit
            a_limit(me, food, amount=limit, start_date=f"{names[month]}-01", end_date=f"{names[month]}-28")
        if paid:
            spent[month] = spent.get(month, 0) + paid
            recorded(me, BUDGET.on(withdrawn(checking, paid, on=f"{names[month]}-15"), "Food"))

    expected, purse = [], 0
    for month in range(14):
        available = purse + limits.get(month, 0)
        rest = available - spent.get(month, 0)
        expected.append((limits.get(month, 0), purse, spent.get(month, 0), rest))
        if not any(one <= month for one in limits) or carry == "no":
            purse = 0
        else:
            purse = rest if carry == "yes" or rest < 0 else 0
    assert row(months(me, start=f"{names[start]}-01", months=3)) == expected[start : start + 3]
    assert findings(world, me) == []
