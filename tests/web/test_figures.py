"""A figure and the list behind it have the same sum, and whoever gives money back is the payee who got it."""

from datetime import timedelta

from playwright.sync_api import expect

from .books import account, dialog, spent
from .conftest import Person, today


def books_with_a_refund(ann: Person) -> str:
    """A receipt with two categories, and a purchase of which most is given back."""
    own = account(ann, "Checking", opening_balance="100", opening_balance_date=today().isoformat())
    part = {"currency_code": "EUR", "source_id": own}
    food = {**part, "amount": "30.00", "destination_name": "Market", "category_name": "Food", "description": "Apples"}
    socks = {**food, "amount": "10.00", "category_name": "Clothes", "description": "Socks"}
    jacket = {**part, "amount": "20.00", "destination_name": "Tailor", "category_name": "Clothes"}
    back = {"amount": "17.50", "currency_code": "EUR", "destination_id": own, "source_name": "Tailor", "refund": True}
    day = {"date": today().isoformat()}
    ann.records("/transactions", type="withdrawal", description="Market day", **day, transactions=[food, socks])
    ann.records("/transactions", type="withdrawal", description="Jacket", **day, transactions=[jacket])
    ann.records(
        "/transactions", type="deposit", description="Jacket back", **day,
        transactions=[{**back, "category_name": "Clothes"}],
    )  # fmt: skip
    return own


def test_a_row_of_a_report_leads_to_a_list_with_its_sum(ann: Person) -> None:
    books_with_a_refund(ann)
    ann.opens("#/reports?range=month")
    ann.settles()
    clothes = ann.main.get_by_role("row").filter(has=ann.page.get_by_role("rowheader", name="Clothes"))
    expect(clothes).to_contain_text("€12.50")
    clothes.get_by_role("link").click()
    expect(ann.main.get_by_role("button", name="Remove the filter Spending and refunds")).to_be_visible()
    totals = ann.main.get_by_role("region", name="Totals of this list")
    expect(totals).to_contain_text("Out €12.50")
    jacket = ann.main.get_by_role("row").filter(has_text="Jacket back")
    expect(jacket).to_contain_text("Refund")
    expect(jacket.get_by_role("cell").last).to_have_text("-€12.50")
    expect(ann.main.get_by_role("row").filter(has_text="Market day")).to_contain_text("1 of 2 splits")
    # One click links a refund to its purchase; the next one opens the purchase.
    jacket.get_by_role("button", name="Refund").click()
    ann.is_told("Linked to “Jacket”.")
    ann.presses("Compact")
    day = ann.main.locator("section.card header")
    expect(day).to_contain_text("-€12.50")
    # Of the receipt only what matches is added up, and the list says of how much it is a part.
    receipt = ann.main.locator("li").filter(has=ann.page.get_by_role("link", name="Market day"))
    expect(receipt.locator(".amount.number")).to_have_text("-€10.00 of -€40.00")
    ann.main.locator("li").filter(has_text="Jacket back").get_by_role("button", name="Refund").click()
    expect(ann.main.get_by_role("heading", name="Jacket", exact=True)).to_be_visible()


def test_figures_of_the_dashboard_of_income_and_of_flows_lead_to_lists_with_their_sum(ann: Person) -> None:
    books_with_a_refund(ann)
    totals = ann.main.get_by_role("region", name="Totals of this list")

    ann.opens()
    ann.main.get_by_role("link", name="€42.50", exact=True).first.click()
    expect(totals).to_contain_text("Out €42.50")
    ann.opens("#/reports/income?range=month")
    ann.main.get_by_role("row", name="Total").get_by_role("link", name="€42.50", exact=True).click()
    expect(totals).to_contain_text("Out €42.50")
    ann.opens("#/reports/flow?range=month")
    flow = ann.main.get_by_role("slider")
    flow.focus()
    for _ in range(5):
        flow.press("ArrowDown")
        if "Clothes" in (flow.get_attribute("aria-valuetext") or ""):
            break
    flow.press("Enter")
    expect(totals).to_contain_text("Out €12.50")


def test_a_shop_that_gives_money_back_is_one_payee(ann: Person) -> None:
    books_with_a_refund(ann)
    ann.opens("#/payees")
    tailor = ann.main.get_by_role("row").filter(has_text="Tailor")
    expect(tailor).to_have_count(1)
    expect(tailor).to_contain_text("€2.50")
    tailor.get_by_role("link").click()
    expect(ann.main.get_by_role("link", name="Jacket", exact=True)).to_be_visible()
    expect(ann.main.get_by_role("link", name="Jacket back")).to_be_visible()
    expect(ann.main.get_by_role("region", name="Totals of this list")).to_contain_text("Out €2.50")
    ann.presses("Show as table")
    expect(ann.main.get_by_role("table").first).to_contain_text("€2.50")
    expect(ann.main.get_by_role("link", name="Account that pays you")).to_be_visible()


def test_a_parent_shows_the_sum_of_its_children_until_that_is_switched_off(ann: Person) -> None:
    books_with_a_refund(ann)
    household = ann.records("/categories", name="Household")["id"]
    food = next(one for one in ann.reads("/categories") if one["attributes"]["name"] == "Food")["id"]
    ann.changes_elsewhere(f"/categories/{food}", name="Food", parent_id=household)

    # What was just made is there, with the sum of what is below it.
    ann.opens("#/categories")
    row = ann.main.get_by_role("row").filter(has_text="Household")
    expect(row).to_contain_text("€30.00")
    ann.field("Parents include sub-categories").uncheck()
    expect(row).not_to_contain_text("€30.00")
    ann.presses("New category")
    dialog(ann).get_by_label("Name").fill("Gifts")
    dialog(ann).get_by_role("button", name="Save").click()
    expect(ann.main.get_by_role("row").filter(has_text="Gifts")).to_be_visible()

    row.get_by_role("link").click()
    totals = ann.main.get_by_role("region", name="Totals of this list")
    expect(totals).to_contain_text("Out €30.00")
    expect(ann.main.get_by_role("link", name="Market day")).to_be_visible()
    ann.field("Include sub-categories").uncheck()
    expect(ann.main.get_by_role("link", name="Market day")).to_have_count(0)
    expect(totals).not_to_contain_text("€30.00")

    # In reports, too.
    ann.opens("#/reports?range=month")
    rows = ann.main.get_by_role("rowheader")
    expect(rows.filter(has_text="Household")).to_be_visible()
    ann.field("Parents include sub-categories").uncheck()
    expect(rows.filter(has_text="Food")).to_be_visible()
    expect(rows.filter(has_text="Household")).to_have_count(0)


def test_a_payment_just_outside_the_range_of_a_bill_is_accepted_or_widens_it(ann: Person) -> None:
    own = account(ann, "Checking")
    bill = ann.records(
        "/bills", name="Power", match="power", amount_min="250", amount_max="270.03", currency_code="EUR",
        date=today().isoformat(), repeat_freq="monthly", skip=0, automatch=True, active=True,
    )["id"]  # fmt: skip
    spent(ann, own, "Power bill", "271.43")
    ann.opens()
    due = ann.main.get_by_role("region", name="Bills to pay").get_by_role("listitem").filter(has_text="Power")
    expect(due).to_contain_text("Probably paid: €271.43, €1.40 above the range")
    expect(due).not_to_contain_text("Due today")
    due.get_by_role("button", name="Widen").click()
    ann.is_told("“Power” now expects such an amount, too.")
    expect(due).to_have_count(0)
    ann.undoes()
    expect(due).to_contain_text("Probably paid")

    ann.opens(f"#/bills/{bill}")
    expect(ann.main.get_by_text("probably paid", exact=True)).to_be_visible()
    ann.presses("Accept this payment for Power")
    ann.is_told("Accepted as a payment of “Power”.")
    expect(ann.main.get_by_text("Probably paid")).to_have_count(0)
    expect(ann.main.get_by_role("region", name="Periods")).to_contain_text("€271.43")


def test_a_running_month_is_compared_with_the_same_days_before(ann: Person) -> None:
    own = account(ann, "Checking")
    first = today().replace(day=1)
    before = (first - timedelta(days=1)).replace(day=1)
    spent(ann, own, "Early", "40.00", date=before.isoformat())
    spent(ann, own, "Now", "30.00")
    ann.opens()
    figures = ann.main.get_by_label("This period")
    expect(figures).to_contain_text("€30.00")
    expect(figures).to_contain_text("€40.00")

    ann.opens("#/reports?range=month&period=month")
    ann.settles()
    is_over = (today() + timedelta(days=1)).day == 1
    expect(ann.main.get_by_text("Previous period" if is_over else "Same days before").first).to_be_visible()
    expect(ann.main.get_by_text(f"{before:%b} 1, {before.year} – {before:%b}").first).to_be_visible()
    ann.opens("#/reports?range=12m")
    expect(ann.main.get_by_role("columnheader", name="Average per month")).to_be_visible()
    expect(ann.main.get_by_text("compared with the average of")).to_be_visible()


def test_a_refund_and_its_purchase_lead_to_each_other(ann: Person) -> None:
    books_with_a_refund(ann)
    ann.opens()
    expect(ann.main.get_by_role("region", name="Latest transactions")).to_contain_text("Tailor · Refund")
    ann.main.get_by_role("link", name="Jacket back").click()
    expect(ann.main.locator("header").get_by_text("Refund", exact=True)).to_be_visible()
    linked = ann.main.get_by_role("region", name="Linked transactions").get_by_role("listitem")
    expect(linked).to_contain_text("probably refunds")
    expect(linked).to_contain_text("€20.00")
    linked.get_by_role("link", name="Jacket").click()
    expect(linked).to_contain_text("is probably refunded by")
    expect(linked).to_contain_text("€17.50")
    linked.get_by_role("button", name="Link Jacket back").click()
    ann.is_told("Linked to “Jacket back”.")
    expect(linked).to_contain_text("is refunded by")
    expect(linked).not_to_contain_text("probably")
    linked.get_by_role("link", name="Jacket back").click()
    expect(linked.get_by_text("refunds", exact=True)).to_be_visible()
