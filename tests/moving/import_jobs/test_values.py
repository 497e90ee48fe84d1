"""What is suggested for the rows of a file, what the user chooses in its place, and payees that only the text names."""

from ...suggestions.making import bought, name_of
from .making import a_csv, a_job, an_account, balance, imported, preview, run, shown, transactions

BANK = "Date,Description,Amount"
CARD = a_csv(
    "2024-05-02,SHELL OIL 57442,-48.10",
    "2024-05-03,Trader Joe's #552,-20.00",
    "2024-05-04,ATM WITHDRAWAL 0423,-60.00",
    "2024-05-05,PAYROLL ACME INC,1500.00",
    header=BANK,
)


def payees(rows):
    return [one["destination_name"] if one["type"] == "Withdrawal" else one["source_name"] for one in rows]


def test_a_file_with_only_a_description_gives_each_row_a_payee(me, world):
    account_id = an_account(me)

    job = imported(world, me, CARD, account_id=account_id)

    assert payees(transactions(me)) == ["Shell", "Trader Joe's", "Cash account", "Payroll Acme"]
    assert transactions(me)[0]["description"] == "SHELL OIL 57442"
    again = a_job(me, CARD, account_id=account_id)
    assert [row["outcome"] for row in preview(me, again)] == ["duplicate"] * 4
    assert job["made"] == {"accounts": 3}


def test_a_preview_suggests_and_what_is_chosen_is_booked(me, world):
    account_id = an_account(me)
    for number in range(3):
        bought(me, account_id, f"SHELL OIL {number}", "Shell", category_name="Car")
    job = a_job(me, CARD, account_id=account_id)
    first, second, *_ = preview(me, job)
    assert (name_of(first["suggestion"]["category"]), len(first["suggestion"]["category"]["because"])) == ("Car", 3)
    assert second["suggestion"]["category"] is None

    values = {
        "2": {"category_name": "Car"},
        "3": {"category_name": "Food", "payee_name": "Joe", "budget_name": "Household", "tags": ["weekly", "shop"]},
        "5": {"budget_name": "Household"},
    }
    changed = me.put(f"/import_jobs/{job['id']}", {"options": {"values": values}})

    assert changed.status_code == 200, changed.text
    options = changed.json()["data"]["attributes"]["options"]
    assert options["values"]["3"] == values["3"]
    rows = preview(me, job)
    split = rows[1]["transactions"][0]["splits"][0]
    assert (split["category_name"], split["destination_name"], split["destination_id"]) == ("Food", "Joe", None)
    assert (split["budget_name"], rows[1]["transactions"][0]["tags"]) == ("Household", ["weekly", "shop"])
    assert rows[0]["transactions"][0]["splits"][0]["category_name"] == "Car"
    assert rows[3]["transactions"][0]["splits"][0]["budget_name"] is None, "only withdrawals have budgets"
    run(world, me, job)
    booked = transactions(me)
    assert {(one["description"], one["category_name"]) for one in booked if one["category_name"] == "Food"} == {
        ("Trader Joe's #552", "Food")
    }
    assert "Joe" in payees(booked)
    assert [(one["budget_name"], one["tags"]) for one in booked if one["category_name"] == "Food"] == [
        ("Household", "weekly,shop")
    ]
    assert shown(me, job)["made"] == {"accounts": 2, "budgets": 1, "categories": 1, "tags": 2}


def test_what_is_chosen_is_stronger_than_a_rule(me, world):
    group = me.post("/rule_groups", {"title": "Rules", "active": True}).json()["data"]["id"]
    rule = {
        "title": "Fuel", "rule_group_id": int(group), "trigger": "store-journal", "strict": True, "active": True,
        "stop_processing": False, "rule_triggers": [{"name": "description_starts", "value": "SHELL"}],
        "rule_actions": [{"name": "set_category", "value": "Fuel"}, {"name": "add_tag", "value": "car"}],
    }  # fmt: skip
    assert me.post("/rules", rule).status_code == 200
    account_id = an_account(me)

    values = {"2": {"category_name": "Holiday", "tags": []}, "3": {"category_name": "", "payee_name": None}}
    imported(world, me, CARD, account_id=account_id, options={"values": values})

    assert [one["category_name"] for one in transactions(me)] == ["Holiday", None, None, None]
    assert [one["tags"] for one in transactions(me)] == [None, None, None, None]


def test_values_that_do_not_fit_are_named(me):
    job = a_job(me, CARD, account_id=an_account(me))

    answer = me.put(
        f"/import_jobs/{job['id']}", {"options": {"values": {"2": {"payee_name": "x" * 300}, "first": {"a": 1}}}}
    )

    assert answer.status_code == 422
    assert set(answer.json()["errors"]) == {"options.values.2.payee_name", "options.values.first"}


def test_the_mapping_and_the_account_of_a_file_are_remembered_after_its_undo(me, world):
    account_id = an_account(me)
    unclear = a_csv("03/04/2024,Coffee,-2.50", "05/04/2024,Lunch,-12.00", header=BANK)
    job = a_job(me, unclear, account_id=account_id, mapping={"date_order": "mdy"})
    run(world, me, job)
    assert me.post(f"/import_jobs/{job['id']}/undo").status_code == 200

    again = a_job(me, unclear)["attributes"]

    assert (again["state"], again["account_id"], again["mapping"]["date_order"]) == ("ready", int(account_id), "mdy")
    assert again["detected"]["questions"] == []
    other = a_job(me, unclear + b"06/04/2024,Tea,-1.00\n")["attributes"]
    assert (other["state"], other["account_id"]) == ("uploaded", None)
    assert balance(me, account_id) == 0
    assert shown(me, job)["state"] == "undone"
