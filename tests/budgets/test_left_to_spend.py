"""What is left to spend is one figure: the same in every overview, and the sum of the lines that explain it."""

from calendar import monthrange
from decimal import Decimal

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..labels.making import BUDGET, a_label, asset, exact, made, recorded, withdrawn
from ..length import examples
from .making import a_limit

MONTHS = ("2024-03", "2024-04", "2024-05")


def _days(month):
    return {"start": f"{month}-01", "end": f"{month}-{monthrange(int(month[:4]), int(month[5:]))[1]}"}


def left(client, **days):
    response = client.get("/budgets/left_to_spend", **days)
    assert response.status_code == 200, response.text
    return {one["currency_code"]: one for one in exact(response)["data"]}


def available(client, amount, month, currency="EUR"):
    body = {"amount": amount, "currency_code": currency, **_days(month)}
    assert client.post("/available_budgets", body).status_code == 200


def everywhere(client, month):
    """The figure by currency. Checks that each overview shows the same, and that its lines add up to it."""
    days, found = _days(month), left(client, **_days(month))
    figures = {code: one["left"] for code, one in found.items()}
    for one in found.values():
        assert sum(line["left"] for line in one["lines"]) == one["left"] == one["amount"] - one["spent"]
        for line in one["lines"]:
            assert line["limit"] + line["carried"] - line["spent"] == line["left"]
    assert exact(client.get("/dashboard", **days))["data"]["budgets"] == list(found.values())
    summary = {one["key"]: one["monetary_value"] for one in exact(client.get("/summary/basic", **days))}
    assert {key[-3:]: value for key, value in summary.items() if key.startswith("left-to")} == figures
    report = exact(client.get("/reports/budgets", period="range", **days))["data"]
    for code, one in found.items():
        shown = exact(client.get("/budgets/months", start=days["start"], months=1, currency=code))["data"]
        [total] = shown["totals"]
        limited = [line for line in one["lines"] if line["id"]]
        assert total["left_to_spend"] == (one["left"] if limited else None)
        assert (total["unbudgeted"], total["unlimited"]) == (one["unbudgeted"], one["unlimited"])
        reported = [of["total"]["left"] for row in report for of in row["amounts"] if of["currency_code"] == code]
        assert sum(amount for amount in reported if amount is not None) == sum(line["left"] for line in limited)
        spent = sum(line["spent"] for line in limited) + one["unlimited"] + one["unbudgeted"]
        assert spent == -summary.get(f"spent-in-{code}", 0)
    return figures


def test_limits_alone_are_enough_and_what_has_no_limit_is_named_but_not_subtracted(me):
    food, fun = a_label(me, BUDGET, "Food"), a_label(me, BUDGET, "Fun")
    a_limit(me, food, amount="100")
    checking = made(me, asset())
    for amount, name in (("30", "Food"), ("5", "Fun")):
        recorded(me, BUDGET.on(withdrawn(checking, amount, on="2024-05-03"), name))
    recorded(me, withdrawn(checking, "2", on="2024-05-04"))

    assert everywhere(me, "2024-05") == {"EUR": 70}
    shown = left(me)["EUR"]
    assert [line["name"] for line in shown["lines"]] == ["Food"]
    assert [shown[name] for name in ("amount", "spent", "unlimited", "unbudgeted")] == [100, 30, 5, 2]
    assert shown["per_day"] == Decimal("4.11")  # 17 days are left, today among them
    a_limit(me, fun, amount="1")
    assert everywhere(me, "2024-05") == {"EUR": 66}


def test_an_available_amount_is_to_budget_if_there_are_limits_and_else_to_spend(me):
    food = a_label(me, BUDGET, "Food")
    recorded(me, BUDGET.on(withdrawn(made(me, asset()), "30", on="2024-05-03"), "Food"))
    available(me, "500", "2024-05")
    assert everywhere(me, "2024-05") == {"EUR": 470}
    assert [line["name"] for line in left(me)["EUR"]["lines"]] == [None]

    a_limit(me, food, amount="100")

    assert everywhere(me, "2024-05") == {"EUR": 70}
    assert left(me)["EUR"]["to_budget"] == 400
    months = exact(me.get("/budgets/months", start="2024-05-01", months=1))["data"]
    assert months["totals"][0]["to_budget"] == 400


_MONEY = st.integers(1, 90_000).map(lambda cents: str(Decimal(cents) / 100))
_MONTH, _PLACE = st.sampled_from(MONTHS), st.integers(0, 2)


@settings(
    max_examples=examples(30),
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    carries=st.tuples(*[st.sampled_from(["no", "yes", "overspent"])] * 3),
    limits=st.dictionaries(st.tuples(_PLACE, _MONTH, st.sampled_from(["EUR", "USD"])), _MONEY, max_size=6),
    spendings=st.lists(st.tuples(st.none() | _PLACE, _MONTH, _MONEY), max_size=8),
    frames=st.lists(st.tuples(_MONTH, _MONEY), max_size=3),
)
def test_it_is_the_same_everywhere_and_the_sum_of_its_lines(world, carries, limits, spendings, frames):
    me = world.someone()
    ids = [a_label(me, BUDGET, f"Budget {place}", carry=carry) for place, carry in enumerate(carries)]
    checking = made(me, asset())
    for (place, month, currency), amount in limits.items():
        days = {f"{name}_date": day for name, day in _days(month).items()}
        a_limit(me, ids[place], amount=amount, currency_code=currency, **days)
    for place, month, amount in spendings:
        split = withdrawn(checking, amount, on=f"{month}-10")
        recorded(me, split if place is None else BUDGET.on(split, f"Budget {place}"))
    for month, amount in frames:
        available(me, amount, month)

    for month in MONTHS:
        everywhere(me, month)
