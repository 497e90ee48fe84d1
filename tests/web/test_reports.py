"""Reports answer: what was spent on what, compared with before, as a chart, a table and a file."""

import re
from pathlib import Path

from playwright.sync_api import expect

from .books import account
from .conftest import Person, today

YEAR = today().year - 1


def a_year(ann: Person) -> str:
    """Last year and the one before."""
    checking = account(ann, "Checking", opening_balance="5000", opening_balance_date=f"{YEAR - 1}-01-01")
    for year, month, what, amount in (
        (YEAR, 1, "Food", "100.00"), (YEAR, 2, "Food", "120.50"), (YEAR, 2, "Home", "600.00"),
        (YEAR - 1, 2, "Food", "73.50"),
    ):  # fmt: skip
        parties = {"source_id": checking, "destination_name": f"{what} shop", "category_name": what}
        split = {"amount": amount, "currency_code": "EUR", **parties}
        day = f"{year}-{month:02}-10"
        ann.records("/transactions", type="withdrawal", date=day, description=what, transactions=[split])
    return checking


def test_reports_say_what_was_spent_and_how_that_compares(ann: Person, tmp_path: Path) -> None:
    a_year(ann)
    ann.opens("#/reports?range=last-year")
    ann.settles()
    food = ann.main.get_by_role("row").filter(has=ann.page.get_by_role("rowheader", name="Food"))
    expect(food).to_contain_text("€220.50")
    expect(food).to_contain_text("€73.50")  # the year before
    expect(food).to_contain_text("+200.0%")

    # By keyboard, along the chart: the second month is February.
    chart = ann.main.get_by_role("slider").first
    chart.focus()
    chart.press("Home")
    chart.press("ArrowRight")
    for said in (f"February {YEAR}", "€600.00", "€120.50", "€720.50", "+€620.50"):
        expect(chart).to_have_attribute("aria-valuetext", re.compile(re.escape(said)))
    ann.presses("Show as table")
    expect(ann.main.get_by_role("region").get_by_role("row", name=f"February {YEAR}")).to_contain_text("€720.50")

    # Another way to look at it is in the address, and Back leads to the list that a row stands for.
    ann.field("By").select_option(label="Payee")
    expect(ann.main.get_by_role("rowheader").first).not_to_have_text("Home")
    assert "by=payee" in ann.page.url
    ann.field("By").select_option(label="Category")
    with ann.page.expect_download() as downloading:
        ann.main.get_by_role("link", name="Download as CSV").click()
    downloading.value.save_as(tmp_path / "report.csv")
    assert "120.5" in (tmp_path / "report.csv").read_text()
    ann.main.get_by_role("link", name="Food", exact=True).click()
    expect(ann.main.get_by_role("link", name="Food", exact=True)).to_have_count(2)
    ann.page.go_back()
    ann.settles()

    for report, figure in {"Income and expenses": "€820.50", "Net worth": "€4,106.00", "Cash flow": ""}.items():
        ann.main.get_by_role("link", name=report).click()
        ann.settles()
        assert "range=last-year" in ann.page.url
        if figure:
            expect(ann.main.get_by_text(figure).first).to_be_visible()
    chart = ann.main.get_by_role("slider").first
    chart.focus()
    expect(chart).to_have_attribute("aria-valuetext", "From savings: €820.50, 100%")
