"""What charts say, what hidden amounts hide, and what the window is called."""

import re
from datetime import date, timedelta

from playwright.sync_api import expect

from .books import account, every_day, expected, spent
from .conftest import Person, today

_TEXTS = "chart => [...chart.querySelectorAll('svg text')].map(one => one.textContent)"


def checking(ann: Person, opened: date) -> str:
    own = account(ann, "Checking", opening_balance="1000", opening_balance_date=opened.isoformat())
    spent(ann, own, "Weekly shop", "45.50")
    return own


def test_a_chart_says_value_day_and_change_of_a_point(ann_on_phone: Person) -> None:
    ann, opened = ann_on_phone, date(today().year - 3, 2, 10)
    own = checking(ann, opened)
    ann.opens(f"#/accounts/{own}?range=5y")
    chart = ann.main.get_by_role("slider", name="Checking")
    expect(chart.locator("svg")).to_be_visible()

    # A long axis shows years, begins where the books begin, and says that not every day is a point.
    texts = chart.evaluate(_TEXTS)
    assert str(opened.year + 1) in texts
    assert str(opened.year - 1) not in texts
    expect(ann.main.get_by_text("One point per month.")).to_contain_text("Nothing was booked up to Jan 31")

    chart.tap()
    tooltip = ann.main.locator(".tooltip")
    expect(tooltip).to_contain_text("€1,000.00")
    expect(tooltip).to_contain_text("since")
    chart.press("End")
    expect(chart).to_have_attribute("aria-valuetext", re.compile(r"€954\.50, -€45\.50 since"))
    chart.press("ArrowLeft")
    expect(chart).to_have_attribute("aria-valuetext", re.compile(r"€1,000\.00"))
    expect(tooltip).to_contain_text("€1,000.00")

    ann.presses("Show as table")
    table = ann.main.get_by_role("region", name="Checking").get_by_role("row")
    expect(table.last).to_contain_text("€954.50")
    assert 30 < table.count() < 50  # three years of months, not five


def test_hidden_amounts_are_hidden_in_charts_and_forms(ann_on_phone: Person) -> None:
    ann = ann_on_phone
    own = checking(ann, today() - timedelta(days=40))
    ann.opens(f"#/accounts/{own}")
    ann.settles()
    ann.presses("Show as table")
    ann.presses("Hide amounts")

    expect(ann.main).not_to_contain_text("€")
    chart = ann.main.get_by_role("slider", name="Checking")
    chart.tap()
    expect(ann.main.locator(".tooltip")).to_contain_text("•••")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("Amount hidden"))
    assert not any("€" in text for text in chart.evaluate(_TEXTS))

    ann.opens("#/transactions?amount_min=12.50")
    chips = ann.main.get_by_role("group", name="Active filters")
    expect(chips).to_contain_text("•••")
    expect(chips).not_to_contain_text("12.50")

    ann.opens(f"#/accounts/{own}/edit")
    masked = ann.main.locator("input[inputmode=decimal]").first
    expect(masked).to_have_value(re.compile("1000"))
    expect(masked).to_have_css("-webkit-text-security", "disc")
    ann.presses("Show amounts")
    expect(masked).to_have_css("-webkit-text-security", "none")


_RECTS = "chart => [...chart.querySelectorAll('svg rect:not(.target)')].map(one => one.getBBox().height)"


def test_stacked_grouped_and_flow_charts_are_as_high_as_their_amounts(ann: Person) -> None:
    own, year = account(ann, "Checking"), today().year - 1
    for day, what, amount in (("01-10", "Food", "100"), ("02-10", "Food", "50"), ("02-11", "Home", "150")):
        split = {"amount": amount, "currency_code": "EUR", "source_id": own, "destination_name": "Shop"}
        spent(ann, own, what, date=f"{year}-{day}", transactions=[{**split, "category_name": what}])
    wages = {"amount": "400", "currency_code": "EUR", "source_name": "Work", "destination_id": own}
    wages["category_name"] = "Pay"
    ann.records("/transactions", type="deposit", date=f"{year}-02-01", description="Wages", transactions=[wages])

    # Stacked: February has two blocks, as high together as what was spent, and the tooltip names both.
    days = f"start={year}-01-01&end={year}-02-28&period=month"
    ann.opens(f"#/reports?{days}")
    stacked = ann.main.get_by_role("slider").first
    expect(stacked.locator("svg rect")).to_have_count(3)
    one, *others = sorted(stacked.evaluate(_RECTS))
    assert [round(height / one, 1) for height in others] == [2.0, 3.0]
    stacked.hover(position={"x": (stacked.bounding_box() or {"width": 0})["width"] * 0.8, "y": 60})
    tooltip = ann.main.locator(".tooltip").first
    for said in ("Food", "€50.00", "Home", "€150.00", "€200.00", "+€100.00"):
        expect(tooltip).to_contain_text(said)

    # Grouped: income beside expense.
    ann.opens(f"#/reports/income?{days}")
    grouped = ann.main.get_by_role("slider").first
    expect(grouped.locator("svg rect").first).to_be_visible()
    heights = sorted(grouped.evaluate(_RECTS))
    assert abs(heights[-1] / heights[0] - 4) < 0.2  # the wages and what January cost
    grouped.press("End")
    expect(grouped).to_have_attribute("aria-valuetext", re.compile(r"February.*€400\.00.*€200\.00"))

    # A flow: its nodes are reached by keys, and say amount and share.
    ann.opens(f"#/reports/flow?{days}")
    flow = ann.main.get_by_role("slider").first
    expect(flow.locator("svg path").first).to_be_visible()
    flow.press("Home")
    expect(flow).to_have_attribute("aria-valuetext", re.compile(r"Pay.*€400\.00, 100%"))
    assert {"Pay €400.00", "Home €150.00", "€400.00"} <= {one.strip() for one in flow.evaluate(_TEXTS)}
    ann.presses("Show as table")
    expect(ann.main.get_by_role("region").get_by_role("row").filter(has_text="Home")).to_contain_text("€150.00")


def test_bars_have_no_line_over_them_and_no_category_is_grey(ann: Person) -> None:
    own, year = account(ann, "Checking"), today().year - 1
    for day, what, amount in (("01-10", "Food", "100"), ("02-10", "Food", "50"), ("02-11", "", "150")):
        split = {"amount": amount, "currency_code": "EUR", "source_id": own, "destination_name": "Shop"}
        spent(ann, own, "Things", date=f"{year}-{day}", transactions=[{**split, "category_name": what}])
    ann.opens(f"#/reports?start={year}-01-01&end={year}-02-28&period=month")
    chart = ann.main.get_by_role("slider").first
    expect(chart.locator("svg rect")).to_have_count(3)
    expect(chart.locator("svg polyline")).to_have_count(0)
    expect(chart.locator("svg rect.data-none")).to_have_count(1)
    expect(ann.main.locator("figcaption")).not_to_contain_text("Total")
    chart.press("End")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("Total €200.00"))

    # A single interval is said in words.
    ann.opens(f"#/reports?start={year}-02-01&end={year}-02-28&period=month")
    expect(ann.main.get_by_text(f"February {year}: Food €50.00; No category €150.00; Total €200.00")).to_be_visible()
    expect(ann.main.get_by_role("slider")).to_have_count(0)


def test_nothing_is_drawn_for_days_to_come(ann: Person) -> None:
    own, year = account(ann, "Checking"), today().year
    spent(ann, own, "Things", "5.00")
    ann.opens(f"#/reports?start={year}-01-01&end={year + 1}-12-31&period=month")
    chart = ann.main.get_by_role("slider").first
    chart.press("End")
    expect(chart).to_have_attribute("aria-valuetext", re.compile(f"^December {year + 1}: $"))


def test_the_title_names_what_the_page_is_about(ann: Person) -> None:
    own = account(ann, "Checking")
    booked = spent(ann, own, "Weekly shop", "45.50")
    bill, films = expected(ann, "Rent"), every_day(ann, own, today() + timedelta(days=1))
    titles = {
        "#/": "Dashboard",
        "#/accounts": "Accounts",
        f"#/accounts/{own}": "Checking · Accounts",
        f"#/accounts/{own}/edit": "Checking · Edit account",
        f"#/accounts/{own}/reconcile": "Checking · Reconcile",
        f"#/transactions/{booked}": "Weekly shop · Transactions",
        f"#/transactions/{booked}/edit": "Weekly shop · Edit transaction",
        f"#/bills/{bill}": "Rent · Bills",
        f"#/bills/{bill}/edit": "Rent · Edit bill",
        f"#/recurrences/{films}": "Films · Recurring transactions",
        f"#/recurrences/{films}/edit": "Films · Edit recurring transaction",
        "#/settings/tokens": "Tokens · Settings",
    }
    for place, title in titles.items():
        ann.opens(place)
        expect(ann.page).to_have_title(f"{title} · Farthing")
