"""Piggy banks on several accounts and their files; days of bills and ids of transactions, which few people need."""

import pytest
from playwright.sync_api import Locator, expect

from .books import account, dialog, expected, spent
from .conftest import Person
from .test_accessible import too_wide, wrongs


def adds_a_file(files: Locator) -> None:
    files.locator("input[type=file][multiple]").set_input_files(
        {"name": "offer.txt", "mimeType": "text/plain", "buffer": b"A sofa"}
    )
    expect(files.get_by_role("link", name="Download offer.txt")).to_be_visible()


@pytest.mark.parametrize("who", ["ann", "ann_on_phone"])
def test_a_piggy_bank_holds_money_in_two_accounts(request: pytest.FixtureRequest, who: str) -> None:
    person: Person = request.getfixturevalue(who)
    holding = {"opening_balance": "500", "opening_balance_date": "2024-01-01"}
    everyday, savings = account(person, "Everyday", **holding), account(person, "Savings", **holding)
    account(person, "Dollars", currency_code="USD")
    made = person.records("/piggy_banks", name="Sofa", account_id=int(savings), target_amount="400")
    person.opens("#/piggy-banks")

    person.presses("Edit Sofa")
    dialog(person).get_by_text("Further accounts").click()
    expect(dialog(person).get_by_role("checkbox")).to_have_count(1)
    dialog(person).get_by_role("checkbox", name="Everyday").check()
    assert [*wrongs(person.page), *too_wide(person.page)] == []
    dialog(person).get_by_role("button", name="Save").click()
    person.is_told("Sofa saved.")
    person.presses("Put in / Take out")
    dialog(person).get_by_label("Account", exact=True).select_option("Everyday")
    dialog(person).get_by_label("Amount").fill("30")
    assert [*wrongs(person.page), *too_wide(person.page)] == []
    dialog(person).get_by_role("button", name="Put in").click()
    person.is_told("Money moved.")
    expect(person.main.get_by_role("article")).to_contain_text("Savings: €0.00, Everyday: €30.00")
    [bank] = person.reads("/piggy_banks")
    assert [(one["account_id"], float(one["current_amount"])) for one in bank["attributes"]["accounts"]] == [
        (int(savings), 0), (int(everyday), 30),
    ]  # fmt: skip

    person.presses("Files of Sofa")
    adds_a_file(dialog(person))
    person.settles()
    assert [*wrongs(person.page), *too_wide(person.page)] == []
    assert len(person.reads(f"/piggy_banks/{made['id']}/attachments")) == 1


def test_a_budget_has_files(ann: Person) -> None:
    budget = ann.records("/budgets", name="Home", active=True)["id"]
    ann.opens("#/budgets")
    ann.presses("Edit Home")
    dialog(ann).get_by_role("button", name="Files").click()
    adds_a_file(dialog(ann))
    assert len(ann.reads(f"/budgets/{budget}/attachments")) == 1


def test_a_bill_ends_and_a_transaction_has_an_id_elsewhere(ann: Person) -> None:
    gym, bank = expected(ann, "Gym"), account(ann, "Bank")
    ann.opens(f"#/bills/{gym}/edit")
    ann.field("Last expected on").fill("2039-12-31")
    ann.field("Renew or cancel by").fill("2039-06-30")
    ann.presses("Save", exact=True)
    ann.is_told("“Gym” saved.")
    [stored] = (bill["attributes"] for bill in ann.reads("/bills"))
    assert (stored["end_date"], stored["extension_date"]) == ("2039-12-31", "2039-06-30")

    tea = spent(ann, bank, "Tea", "3.00", external_id="shop-17")
    ann.opens(f"#/transactions/{tea}")
    expect(ann.main.get_by_text("shop-17")).to_be_visible()
    ann.opens(f"#/transactions/{tea}/edit")
    ann.field("External id").fill("shop-18")
    ann.presses("Save", exact=True)
    expect(ann.main.get_by_text("shop-18")).to_be_visible()
    assert [*wrongs(ann.page), *too_wide(ann.page)] == []
