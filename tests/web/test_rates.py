"""Exchange rates in the browser: type one in, correct it, import, undo, and see everything in one currency."""

from playwright.sync_api import expect

from .books import account, dialog
from .conftest import Person, today


def test_rates_are_kept_in_the_settings_and_used_on_the_dashboard(ann: Person) -> None:
    opened = {"opening_balance_date": today().isoformat()}
    account(ann, "Euros", opening_balance="100", **opened)
    account(ann, "Dollars", currency_code="USD", opening_balance="200", **opened)
    account(ann, "Yen", currency_code="JPY", opening_balance="5000", **opened)
    ann.forgives.append("422")
    ann.opens("#/settings/rates")
    expect(ann.main.get_by_text("no rate known")).to_have_count(2)
    expect(ann.main.get_by_role("heading", name="No rates yet")).to_be_visible()

    ann.presses("Add a rate")
    form = dialog(ann)
    form.get_by_label("From").select_option("USD")
    form.get_by_label("Rate").fill("0")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("must be more than zero")).to_be_visible()
    form.get_by_label("Rate").fill("0.75")
    form.get_by_role("button", name="Save").click()
    ann.is_told("Rate saved.")
    row = ann.main.get_by_role("region", name="Your rates").get_by_role("row").filter(has_text="USD in EUR")
    expect(row).to_contain_text("0.75")
    expect(ann.main.get_by_text("no rate known")).to_have_count(1)

    row.get_by_role("button", name="Edit").click()
    dialog(ann).get_by_label("Rate").fill("0.5")
    dialog(ann).get_by_role("button", name="Save").click()
    expect(row).to_contain_text("0.5")
    row.get_by_role("button", name="Delete").click()
    ann.is_told("Rate deleted.")
    expect(row).to_have_count(0)
    ann.undoes()
    expect(row).to_contain_text("0.5")
    table = f"date;from;to;rate\n{today()};USD;EUR;0,75\n2020-01-31;USD;EUR;0,9\n".encode()
    chooser = ann.main.locator("input[type=file]")
    chooser.set_input_files({"name": "rates.csv", "mimeType": "text/csv", "buffer": table})
    ann.is_told("1 rate added, 1 rate changed.")
    expect(row.first).to_contain_text("0.75")

    ann.opens("#/")
    expect(ann.main.get_by_text("$200.00").first).to_be_visible()
    ann.main.get_by_label("All in EUR").check()
    worth = ann.main.get_by_role("region", name="Net worth")
    expect(worth.get_by_text("€250.00").first).to_be_visible()
    expect(worth.get_by_text("Converted at rates of")).to_be_visible()
    expect(worth.get_by_text("Not included, because no rate is known: JPY.")).to_be_visible()
    ann.main.get_by_label("All in EUR").uncheck()
    expect(ann.main.get_by_text("Converted at rates of")).to_have_count(0)


def test_whoever_has_one_currency_sees_no_switch(ann: Person) -> None:
    account(ann, "Euros", opening_balance="100", opening_balance_date=today().isoformat())

    ann.opens("#/")

    expect(ann.main.get_by_text("€100.00").first).to_be_visible()
    expect(ann.main.get_by_label("All in EUR")).to_have_count(0)
