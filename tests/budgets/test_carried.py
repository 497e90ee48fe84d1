"""A limit is divided by days: months and the report grant the same, and what is carried over is granted once."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..labels.making import BUDGET, a_label, asset, exact, made, recorded, withdrawn
from ..length import examples
from ..transactions.making import findings
from .making import a_limit

MONTHS = [date(2023 + month // 12, month % 12 + 1, 1) for month in range(16)]
NAMES = ("limit", "carried", "spent", "left")
DAY = timedelta(days=1)


def _last_day(first):
    return (first + 31 * DAY).replace(day=1) - DAY


def _months(client, start, number):
    response = client.get("/budgets/months", start=start, months=number)
    assert response.status_code == 200, response.text
    return exact(response)["data"]


def _rows(client, start, number):
    [budget] = _months(client, start, number)["budgets"]
    return [tuple(month[name] for name in NAMES) for month in budget["months"]]


def _report(client, start, end, **query):
    response = client.get("/reports/budgets", start=start, end=end, **query)
    assert response.status_code == 200, response.text
    [of] = exact(response)["data"][0]["amounts"]
    return [tuple(part[name] for name in NAMES) for part in (*of["parts"], of["total"])]


def _spend(client, amount, on):
    recorded(client, BUDGET.on(withdrawn(made(client, asset()), amount, on=on), "Food"))


def test_a_limit_of_several_months_is_granted_once(me):
    food = a_label(me, BUDGET, "Food", carry="yes")
    a_limit(me, food, amount="300", start_date="2024-01-01", end_date="2024-03-31")
    _spend(me, "50", "2024-01-10")

    *parts, total = _report(me, "2024-01-01", "2024-04-30")

    shares = [Decimal("102.19"), Decimal("95.61"), Decimal("102.20")]
    assert parts == [
        (shares[0], 0, 50, Decimal("52.19")),
        (shares[1], Decimal("52.19"), 0, Decimal("147.80")),
        (shares[2], Decimal("147.80"), 0, 250),
        (None, 250, 0, 250),
    ]
    assert total == (300, 0, 50, 250)
    assert _rows(me, "2024-01-01", 4) == [(limit or 0, *others) for limit, *others in parts]
    totals = _months(me, "2024-01-01", 4)["totals"]
    assert [tuple(one[name] for name in NAMES) for one in totals] == _rows(me, "2024-01-01", 4)


def test_weekly_limits_that_cross_the_end_of_a_month_are_granted_once(me):
    food = a_label(me, BUDGET, "Food", carry="yes")
    for start, end in (("07-22", "07-28"), ("07-29", "08-04"), ("08-05", "08-11")):
        a_limit(me, food, amount="70", start_date=f"2024-{start}", end_date=f"2024-{end}")

    expected = [(100, 0, 0, 100), (110, 100, 0, 210)]

    assert _rows(me, "2024-07-01", 2) == expected
    assert _report(me, "2024-07-01", "2024-08-31") == [*expected, (210, 0, 0, 210)]
    july, august = _months(me, "2024-07-01", 2)["budgets"][0]["months"]
    assert [[one["start"][5:] for one in month["limits"]] for month in (july, august)] == [
        ["07-22", "07-29"],
        ["07-29", "08-05"],
    ]


def test_a_limit_that_began_long_before_the_months_shown_still_grants_its_share(me):
    food = a_label(me, BUDGET, "Food")
    a_limit(me, food, amount="8400", start_date="2001-01-01", end_date="2023-12-31")  # 8400 days

    assert _rows(me, "2023-12-01", 1) == [(31, 0, 0, 31)]


def test_what_is_left_is_null_before_the_first_limit_and_known_from_then_on(me):
    food = a_label(me, BUDGET, "Food", carry="yes")
    a_limit(me, food, amount="100", start_date="2024-02-01", end_date="2024-02-29")
    for month in ("01", "02", "03"):
        _spend(me, "100", f"2024-{month}-10")

    *parts, _ = _report(me, "2024-01-01", "2024-04-30")

    assert parts == [(None, None, 100, None), (100, 0, 100, 0), (None, 0, 100, -100), (None, -100, 0, -100)]
    assert _report(me, "2024-03-01", "2024-03-31") == [parts[2]] * 2


_limits = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 130), st.integers(1, 90_000)), min_size=1, max_size=5)
_spending = st.lists(st.tuples(st.integers(0, 400), st.integers(1, 30_000)), max_size=6)


def _granted(limits, until):
    """In cents: so many days of each limit as have passed, to the cent below."""
    return sum(
        cents * min(max((until - start).days + 1, 0), (end - start).days + 1) // ((end - start).days + 1)
        for start, end, cents in limits
    )


def _model(carry, limits, spending):
    """In cents, month by month. Nothing is owed from before the month of the first limit."""
    begins = min(start for start, _, _ in limits).replace(day=1)
    expected, purse = [], 0
    for first in MONTHS:
        last = _last_day(first)
        limit = _granted(limits, last) - _granted(limits, first - DAY)
        spent = sum(cents for on, cents in spending if first <= on <= last)
        left = purse + limit - spent
        expected.append((limit, purse, spent, left))
        purse = {"no": 0, "yes": left, "overspent": min(left, 0)}[carry] if first >= begins else 0
        if carry == "yes" and first >= begins:
            assert left == _granted(limits, last) - sum(cents for on, cents in spending if begins <= on <= last)
    return expected


@settings(
    max_examples=examples(36),
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(carry=st.sampled_from(["no", "yes", "overspent"]), gaps=_limits, spending=_spending, shown=st.integers(0, 15))
def test_months_and_report_agree_with_a_model_of_any_limits(world, carry, gaps, spending, shown):
    me = world.someone()
    food, checking = a_label(me, BUDGET, "Food", carry=carry), made(me, asset())
    limits, day = [], MONTHS[0]
    for gap, days, cents in gaps:
        start, end = day + gap * DAY, day + (gap + days - 1) * DAY
        if end <= _last_day(MONTHS[-1]):
            limits.append((start, end, cents))
            a_limit(me, food, amount=str(Decimal(cents) / 100), start_date=str(start), end_date=str(end))
            day = end + DAY
    spending = [(MONTHS[0] + days * DAY, cents) for days, cents in spending]
    for on, cents in spending:
        recorded(me, BUDGET.on(withdrawn(checking, str(Decimal(cents) / 100), on=str(on)), "Food"))

    expected = [tuple(Decimal(cents) / 100 for cents in month) for month in _model(carry, limits, spending)]

    assert _rows(me, str(MONTHS[0]), len(MONTHS)) == expected
    assert _rows(me, str(MONTHS[shown]), 1) == [expected[shown]]
    assert 100 * sum(limit for limit, _, _, _ in expected) == sum(cents for _, _, cents in limits)
    last = str(_last_day(MONTHS[-1]))
    *parts, total = _report(me, str(MONTHS[0]), last)
    for wanted, part in zip(expected, parts, strict=True):
        known = wanted if part[3] is not None else (*wanted[:3], 0)
        assert tuple(figure or 0 for figure in part) == known
        assert (part[3] is None) == (part[0] is None and part[1] is None)
    assert total[0] == sum(limit for limit, _, _, _ in expected)
    if carry == "yes":
        assert parts[-1][3] == expected[-1][3]
    assert findings(world, me) == []
